//! Where the generator itself stood still.

use super::{IntervalResult, Pause, PhaseResult};
use crate::interval::Part;

impl PhaseResult {
    /// Share of the measured time in which the generator itself did not run.
    pub fn paused_share(&self) -> f64 {
        let measured = self.intervals.iter();
        let measured = measured.filter(|one| one.part == Part::Measure);
        let begin = measured.map(|one| one.start_ns).min();
        let begin = begin.unwrap_or(self.warm_up_ns);
        let end = begin.saturating_add(self.measured_ns);
        let inside = |one: &Pause| {
            let from = one.start_ns.saturating_sub(Pause::EDGE_NS).max(begin);
            one.end_ns().min(end).saturating_sub(from)
        };
        let paused: u64 = self.pauses().map(inside).sum();
        (paused as f64 / self.measured_ns.max(1) as f64).min(1.0)
    }

    /// Whether the generator stood still in an interval, or caught up in it with what had come due
    /// meanwhile: that takes as long again where the storage could do twice what it was asked.
    pub fn was_paused(&self, interval: &IntervalResult) -> bool {
        let end = interval.start_ns.saturating_add(interval.length_ns);
        self.pauses().any(|one| {
            let caught_up = one.end_ns().saturating_add(one.length_ns);
            one.start_ns.saturating_sub(Pause::EDGE_NS) < end && caught_up > interval.start_ns
        })
    }

    /// Share of a time for which the generator had no processor, from 0 to 1: the most of what its
    /// threads waited, what a thread that only sleeps was late, and what the hypervisor took.
    /// `begin_ns` and `end_ns` count from the start of the phase.
    pub fn held_up_share(&self, begin_ns: u64, end_ns: u64) -> f64 {
        let of = |start: u64, length: u64, share: f64| {
            let end = start.saturating_add(length).min(end_ns);
            end.saturating_sub(start.max(begin_ns)) as f64 * share
        };
        let waits = self
            .ledger
            .as_ref()
            .map_or(&[][..], |one| &one.generator.waits);
        let waits = within(waits, (begin_ns, end_ns), |one| {
            (one.start_ns, one.length_ns)
        });
        let waits = waits
            .iter()
            .map(|one| of(one.start_ns, one.length_ns, one.share()));
        let paused = self
            .pauses()
            .map(|one| of(one.start_ns, one.length_ns, 1.0));
        let machine = within(&self.machine, (begin_ns, end_ns), |one| {
            (one.start_ns, one.length_ns)
        });
        let stolen = machine.iter().filter_map(|one| {
            let share = one.cpu?.steal_percent / 100.0;
            Some(of(one.start_ns, one.length_ns, share))
        });
        let longest = waits.sum::<f64>().max(paused.sum()).max(stolen.sum());
        longest / end_ns.saturating_sub(begin_ns).max(1) as f64
    }

    fn pauses(&self) -> impl Iterator<Item = &Pause> {
        let ledgers = self.ledger.iter();
        ledgers.flat_map(|ledger| &ledger.generator.pauses)
    }
}

/// Of spans in their order, those that reach into a time.
fn within<T>(all: &[T], (begin, end): (u64, u64), span: impl Fn(&T) -> (u64, u64)) -> &[T] {
    let first = all.partition_point(|one| {
        let (start, length) = span(one);
        start.saturating_add(length) <= begin
    });
    let last = all.partition_point(|one| span(one).0 < end);
    &all[first..last.max(first)]
}

#[cfg(test)]
mod tests {
    use crate::result::{CpuShares, MachineInterval, Pause, PhaseResult, Wait};

    #[test]
    fn what_holds_the_generator_up_counts_by_its_time() {
        let mut phase = PhaseResult::empty("p");
        let generator = &mut phase.ledger.get_or_insert_default().generator;
        let wait = |start_ns, waited_ns| Wait {
            start_ns,
            length_ns: 100,
            waited_ns,
        };
        generator.waits = vec![wait(100, 20), wait(200, 60)];
        generator.pauses = vec![Pause {
            start_ns: 400,
            length_ns: 30,
        }];
        phase.machine = vec![MachineInterval {
            start_ns: 500,
            length_ns: 100,
            cpu: Some(CpuShares {
                steal_percent: 8.0,
                ..CpuShares::default()
            }),
            ..MachineInterval::default()
        }];
        let times = [(0, 100), (100, 200), (150, 250), (400, 450), (500, 600)];
        let shares = times.map(|(begin, end)| phase.held_up_share(begin, end));
        let percent = shares.map(|share| (share * 100.0).round() as u32);
        assert_eq!(percent, [0, 20, 40, 60, 8]);
    }
}
