//! The times over which the generator did not run, as far as they lie in the measured time.

use fathom_core::SmallSort as _;
use fathom_core::figure::{decimal, plural};
use fathom_core::interval::Part;
use fathom_core::result::{IntervalResult, JobResult, Pause, PhaseResult};

/// Intervals of the measured time, in their order.
pub(crate) fn measured(phase: &PhaseResult) -> impl Iterator<Item = &IntervalResult> {
    let all = phase.intervals.iter();
    all.filter(|one| one.part == Part::Measure)
}

/// The pauses of a phase that reach into its measured time, whole.
pub(crate) fn of(phase: &PhaseResult) -> Vec<Pause> {
    let (begin, end) = window(phase);
    let all = phase.ledger.iter().flat_map(|one| &one.generator.pauses);
    let met = all.filter(|one| one.start_ns < end && one.end_ns() > begin);
    met.copied().collect()
}

/// Time of the measured time over which the generator did not run, nanoseconds.
pub(crate) fn paused_ns(phase: &PhaseResult) -> u64 {
    let (begin, end) = window(phase);
    let inside = |one: &Pause| one.end_ns().min(end) - one.start_ns.max(begin);
    of(phase).iter().map(inside).sum()
}

/// Arrivals of an open load that came due while the generator did not run, at most: no more than
/// these can be missing on its account.
pub(crate) fn missed(phase: &PhaseResult, job: &JobResult) -> f64 {
    let edges_ns = of(phase).len() as u64 * Pause::EDGE_NS;
    let active_s = job.active_ns.max(1) as f64 / 1e9;
    let due = job.due.unwrap_or(0) as f64 / active_s;
    let rate = job.offered_iops.unwrap_or(0.0).max(due);
    rate * (paused_ns(phase) + edges_ns) as f64 / 1e9
}

/// Start and end of the measured time, nanoseconds after the start of the phase.
pub(crate) fn window(phase: &PhaseResult) -> (u64, u64) {
    let begin = measured(phase).map(|one| one.start_ns).next();
    let begin = begin.unwrap_or(phase.warm_up_ns);
    (begin, begin.saturating_add(phase.measured_ns))
}

/// `from 7.1 to 8.1 s of the phase`, the longest ones if there are many.
pub(crate) fn words(pauses: &[Pause]) -> String {
    let mut longest: Vec<&Pause> = pauses.iter().collect();
    longest.small_sort_by_key(|one| std::cmp::Reverse(one.length_ns));
    let others = longest.split_off(longest.len().min(3));
    longest.small_sort_by_key(|one| one.start_ns);
    let seconds = |ns: u64| decimal(ns as f64 / 1e9, 2);
    let span = |one: &&Pause| format!("{} to {} s", seconds(one.start_ns), seconds(one.end_ns()));
    let spans: Vec<String> = longest.iter().map(span).collect();
    let more = match others.len() as u64 {
        0 => String::new(),
        more => format!(" (and {})", plural(more, "other")),
    };
    format!("from {} of the phase{more}", spans.join(", from "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::fixture;

    /// The measured time is that from 5 to 65 s.
    fn with(pauses: &[(u64, u64)]) -> PhaseResult {
        let mut phase = fixture::random_read().phases.remove(0);
        let made = pauses.iter().map(|(start_ms, length_ms)| Pause {
            start_ns: start_ms * 1_000_000,
            length_ns: length_ms * 1_000_000,
        });
        phase.ledger.get_or_insert_default().generator.pauses = made.collect();
        phase
    }

    #[test]
    fn only_the_measured_time_counts() {
        let cases = [
            (vec![], 0, 0),
            (vec![(4_000, 1_000)], 0, 0),
            (vec![(4_500, 1_000)], 1, 500),
            (vec![(10_000, 300), (64_900, 5_000)], 2, 400),
            (vec![(65_000, 100)], 0, 0),
        ];
        for (pauses, count, milliseconds) in cases {
            let phase = with(&pauses);
            let found = (of(&phase).len(), paused_ns(&phase) / 1_000_000);
            assert_eq!(found, (count, milliseconds), "{pauses:?}");
        }
    }

    #[test]
    fn the_longest_are_named_in_their_order() {
        let pauses = of(&with(&[
            (7_100, 1_000),
            (9_000, 10),
            (20_000, 250),
            (30_000, 40),
        ]));
        assert_eq!(
            words(&pauses),
            "from 7.10 to 8.10 s, from 20.00 to 20.25 s, from 30.00 to 30.04 s of the phase (and 1 \
             other)"
        );
        assert_eq!(words(&pauses[..1]), "from 7.10 to 8.10 s of the phase");
    }
}
