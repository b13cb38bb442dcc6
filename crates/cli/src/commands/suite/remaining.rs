//! How long the runs of a suite take: all of them, and those that are still to come.

use fathom_core::figure;
use fathom_core::spec::Workload;

/// A shorter time is not worth a word.
const LEAST_NS: u64 = 60_000_000_000;

/// Time that a workload takes, if that is known beforehand.
pub(super) fn duration_ns(workload: &Workload) -> Option<u64> {
    let phases = workload.phases.iter();
    let times = phases.map(|phase| {
        let around = phase.warm_up.0 + phase.cool_down.0;
        phase.duration.map(|duration| duration.0 + around)
    });
    let once: Option<u64> = times.sum();
    once.map(|time| time * u64::from(workload.repeat))
}

/// Time of all workloads together: at least, if one of them ends by its amount.
pub(super) fn all_ns(workloads: &[Workload], passes: u32) -> (u64, bool) {
    let known = workloads.iter().filter_map(duration_ns);
    let sum: u64 = known.map(|time| time * u64::from(passes)).sum();
    (sum, workloads.iter().all(|one| duration_ns(one).is_some()))
}

/// The runs that are still to come, weighted with their planned time.
#[derive(Debug, PartialEq)]
pub(super) struct Remaining {
    weights: Vec<u64>,
    /// Whether the weights are the time that the runs take, so that the first has an estimate.
    are_times: bool,
    left: u64,
    made: u64,
    took_ns: u64,
}

impl Remaining {
    /// All runs. `is_real` without a simulator, which is faster than the plan.
    pub(super) fn new(workloads: &[Workload], passes: u32, is_real: bool) -> Self {
        let times: Option<Vec<u64>> = workloads.iter().map(duration_ns).collect();
        let are_times = is_real && times.is_some();
        let weights = times.unwrap_or_else(|| vec![1; workloads.len()]);
        Self {
            left: weights.iter().sum::<u64>() * u64::from(passes),
            weights,
            are_times,
            made: 0,
            took_ns: 0,
        }
    }

    /// Takes off a run that was made before.
    pub(super) fn keep(&mut self, cell: usize) {
        self.left = self.left.saturating_sub(self.weights[cell]);
    }

    /// Takes off a run that was made now.
    pub(super) fn make(&mut self, cell: usize, took_ns: u64) {
        self.keep(cell);
        self.made += self.weights[cell];
        self.took_ns += took_ns;
    }

    /// Time that is left: as planned at first, then at the pace of the runs so far.
    fn left_ns(&self) -> Option<u64> {
        if self.made == 0 {
            return self.are_times.then_some(self.left);
        }
        let left = u128::from(self.left) * u128::from(self.took_ns) / u128::from(self.made);
        u64::try_from(left).ok()
    }

    /// The time left, such as `, 9 min left`; empty below a minute, or if it is unknown.
    pub(super) fn words(&self) -> String {
        let left = self.left_ns().filter(|left| *left >= LEAST_NS);
        left.map_or_else(String::new, |left| {
            format!(", {} left", figure::duration(left))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Remaining, all_ns};
    use fathom_core::Nanos;
    use fathom_core::spec::{Phase, Workload};

    const MINUTE: u64 = 60_000_000_000;

    fn workload(minutes: Option<u64>) -> Workload {
        let phase = Phase {
            warm_up: Nanos(MINUTE),
            duration: minutes.map(|minutes| Nanos(minutes * MINUTE)),
            cool_down: Nanos(0),
            ..Phase::plain()
        };
        Workload {
            phases: vec![phase],
            ..Workload::plain()
        }
    }

    #[test]
    fn the_plan_is_corrected_by_what_the_runs_took() {
        let workloads = [workload(Some(1)), workload(Some(3))];
        assert_eq!(all_ns(&workloads, 2), (12 * MINUTE, true));
        let mut left = Remaining::new(&workloads, 2, true);
        assert_eq!(left.words(), ", 12 min 00 s left");
        left.keep(0);
        assert_eq!(left.words(), ", 10 min 00 s left");
        // Laying out its file took as long again.
        left.make(1, 8 * MINUTE);
        assert_eq!(left.words(), ", 12 min 00 s left");
        left.make(0, 2 * MINUTE + MINUTE / 2);
        left.make(1, 8 * MINUTE);
        assert_eq!((left.left, left.words()), (0, String::new()));
    }

    #[test]
    fn what_ends_by_its_amount_is_estimated_from_the_runs_before() {
        let workloads = [workload(None), workload(Some(3))];
        assert_eq!(all_ns(&workloads, 1), (4 * MINUTE, false));
        let mut left = Remaining::new(&workloads, 2, true);
        assert_eq!(left.words(), "");
        left.make(0, 5 * MINUTE);
        assert_eq!(left.words(), ", 15 min 00 s left");
    }
}
