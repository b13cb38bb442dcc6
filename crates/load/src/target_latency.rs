//! How long requests took at each of a thread's targets, where a dialect tells that.

use fathom_core::histogram::{Counts, Histogram};
use fathom_core::result::{EncodedHistogram, ServiceResult, TargetLatency};
use fathom_core::{Nanos, Op, PerOp};

/// Threads times targets of a job of which this is kept at most: each has a histogram of 130 KiB
/// for reads and one for writes.
const MOST: usize = 512;

/// The service times of a thread's requests in the measured time, by target. All memory is there
/// from the start.
#[derive(Clone, Debug)]
pub struct TargetLatencies {
    by_target: Box<[PerOp<Option<Counts>>]>,
}

impl TargetLatencies {
    /// For each thread and target; none where there is one target, or more of both than can be
    /// kept.
    pub fn new(targets: usize, threads: u32, wanted: impl Fn(Op) -> bool) -> Option<Self> {
        let kept = targets > 1 && targets.saturating_mul(threads as usize) <= MOST;
        let of_one = || {
            PerOp::from_fn(|op| {
                (is_told(op) && wanted(op)).then(|| Counts::with_room(Counts::PAGES))
            })
        };
        kept.then(|| Self {
            by_target: (0..targets).map(|_| of_one()).collect(),
        })
    }

    /// Counts a request of the measured time.
    pub fn record(&mut self, target: u16, op: Op, service: Nanos) {
        let of_target = self.by_target.get_mut(usize::from(target));
        if let Some(counts) = of_target.and_then(|one| one[op].as_mut()) {
            counts.record(service.0, 1);
        }
    }
}

/// Whether an operation is counted separately by target.
const fn is_told(op: Op) -> bool {
    matches!(op, Op::Read | Op::Write)
}

/// What goes into the result of a job whose threads have these; `paths` are those of its targets.
pub fn together(threads: &[&TargetLatencies], paths: &[String]) -> Vec<TargetLatency> {
    let of_op = |target: usize, op: Op| {
        let counts = || {
            let of_threads = threads.iter().filter_map(|one| one.by_target.get(target));
            of_threads.filter_map(|one| one[op].as_ref())
        };
        counts().next()?;
        let mut all = Histogram::new();
        counts().for_each(|counts| all.add_counts(counts));
        Some(ServiceResult {
            service_ns: all.summary(),
            service_histogram: EncodedHistogram::of(&all),
        })
    };
    let of_target = |(target, path): (usize, &String)| TargetLatency {
        target: path.clone(),
        ops: PerOp::from_fn(|op| of_op(target, op)),
    };
    if threads.is_empty() {
        return Vec::new();
    }
    paths.iter().enumerate().map(of_target).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number and largest value of an operation.
    type NumberAndLargest = Option<(u64, u64)>;

    /// Those of reads and writes of each target.
    fn told(threads: &[&TargetLatencies]) -> Vec<(String, [NumberAndLargest; 2])> {
        let paths = ["a".to_owned(), "b".to_owned()];
        let of = |one: TargetLatency| {
            let side = |op| {
                let found = one.ops.get(op)?;
                Some((found.service_ns.count, found.service_ns.max))
            };
            (one.target.clone(), [side(Op::Read), side(Op::Write)])
        };
        together(threads, &paths).into_iter().map(of).collect()
    }

    #[test]
    fn threads_are_added_up_target_by_target() {
        let new = || TargetLatencies::new(2, 2, |op| op != Op::Write).expect("few enough");
        let (mut one, mut other) = (new(), new());
        one.record(0, Op::Read, Nanos(100));
        one.record(1, Op::Read, Nanos(300));
        other.record(1, Op::Read, Nanos(200));
        // Neither is kept: no such operation, no such target.
        other.record(1, Op::Write, Nanos(1));
        other.record(2, Op::Read, Nanos(1));
        assert_eq!(
            told(&[&one, &other]),
            [
                ("a".to_owned(), [Some((1, 100)), None]),
                ("b".to_owned(), [Some((2, 300)), None]),
            ]
        );
        assert_eq!(told(&[]), []);
    }

    #[test]
    fn it_is_kept_of_several_targets_and_not_of_too_many() {
        let is_kept =
            |targets, threads| TargetLatencies::new(targets, threads, |_| false).is_some();
        assert_eq!(
            [is_kept(1, 1), is_kept(2, 256), is_kept(2, 257)],
            [false, true, false]
        );
    }
}
