//! What each thread did, kept apart from the sums of its job.

use crate::book::SpreadBook;
use fathom_core::interval::Interval;
use fathom_core::result::{ShareInterval, ShareIntervalOp, TargetShare, WorkerOp, WorkerShare};
use fathom_core::summary::Spread;
use fathom_core::{Nanos, Op, PerOp};

/// One thread over the measured time.
#[derive(Clone, Debug, Default)]
pub struct ShareBook {
    all: Book,
    /// By target, where targets are counted separately, each with its time series.
    targets: Vec<(Book, Vec<ShareInterval>)>,
}

/// Requests that are added up together.
#[derive(Clone, Debug, Default)]
struct Book {
    ops: PerOp<Option<OpShare>>,
    rate: SpreadBook,
}

/// Whether an operation is counted separately for a thread.
const fn is_told(op: Op) -> bool {
    !matches!(op, Op::Trim | Op::Flush)
}

/// One operation in one interval: requests, bytes, service times.
type OpTotals = (u64, u64, Spread);

#[derive(Clone, Copy, Debug, Default)]
struct OpShare {
    ios: u64,
    bytes: u64,
    service: SpreadBook,
    rate: SpreadBook,
}

impl ShareBook {
    /// A book for a thread; `targets` are those that are counted separately.
    pub fn new(targets: usize) -> Self {
        Self {
            all: Book::default(),
            targets: vec![(Book::default(), Vec::new()); targets],
        }
    }

    /// Whether targets are counted separately.
    pub const fn tells_targets(&self) -> bool {
        !self.targets.is_empty()
    }

    /// An empty book for the same thread.
    #[must_use]
    pub fn anew(&self) -> Self {
        Self::new(self.targets.len())
    }

    /// Adds an interval of the measured time; `complete` intervals count for the rates too. `begin`
    /// is that of the phase.
    pub fn add(&mut self, interval: &Interval, begin: Nanos, complete: Option<Nanos>) {
        let of_all = |op: Op| {
            let found = interval.ops[op].as_deref()?;
            Some((found.ios, found.bytes, found.service.spread()))
        };
        self.all.add(of_all, complete);
        for (index, (book, intervals)) in self.targets.iter_mut().enumerate() {
            let of_target = |op: Op| {
                let Some(counts) = interval.targets.get(index) else {
                    return of_all(op);
                };
                let counts = &counts[op];
                let service = counts.service.spread().unwrap_or_default();
                (interval.ops[op].is_some()).then_some((counts.ios, counts.bytes, service))
            };
            book.add(of_target, complete);
            let of_op = |op: Op| {
                let found = of_target(op).filter(|_| is_told(op));
                found.map(|(ios, _, service_ns)| ShareIntervalOp { ios, service_ns })
            };
            intervals.push(ShareInterval {
                start_ns: interval.start.saturating_sub(begin).0,
                length_ns: interval.end.saturating_sub(interval.start).0,
                ops: PerOp::from_fn(of_op),
            });
        }
    }

    /// What goes into the result; `paths` are those of the targets.
    pub fn share(&self, paths: &[String]) -> WorkerShare {
        let targets = self.targets.iter().zip(paths);
        let targets = targets.map(|((book, intervals), path)| TargetShare {
            target: path.clone(),
            ops: book.ops(),
            iops_by_interval: book.rate.spread(),
            intervals: intervals.clone(),
        });
        WorkerShare {
            ops: self.all.ops(),
            iops_by_interval: self.all.rate.spread(),
            targets: targets.collect(),
        }
    }
}

impl Book {
    fn add(&mut self, found: impl Fn(Op) -> Option<OpTotals>, complete: Option<Nanos>) {
        let mut ios = 0;
        for op in Op::ALL.into_iter().filter(|op| is_told(*op)) {
            if let Some(found) = found(op) {
                ios += found.0;
                self.ops[op].get_or_insert_default().add(found, complete);
            }
        }
        if let Some(length) = complete {
            self.rate.add(ios as f64 / length.as_secs_f64());
        }
    }

    fn ops(&self) -> PerOp<Option<WorkerOp>> {
        let of = |op: &OpShare| WorkerOp {
            ios: op.ios,
            bytes: op.bytes,
            service_ns: op.service.spread(),
            iops_by_interval: op.rate.spread(),
        };
        PerOp::from_fn(|op| self.ops.get(op).map(of))
    }
}

impl OpShare {
    fn add(&mut self, (ios, bytes, service): OpTotals, complete: Option<Nanos>) {
        self.ios += ios;
        self.bytes += bytes;
        self.service.merge(&SpreadBook::of(&service));
        if let Some(length) = complete {
            self.rate.add(ios as f64 / length.as_secs_f64());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::summary::Spread;

    #[test]
    fn intervals_come_to_the_share_of_a_thread() {
        let mut book = ShareBook::new(0);
        for (index, values) in [[2_u64, 4, 4, 4], [5, 5, 7, 9]].iter().enumerate() {
            let mut interval = Interval::for_ops(|op| op == Op::Read, false, 0, 0);
            if let Some(read) = interval.ops[Op::Read].as_deref_mut() {
                read.ios = 4 + index as u64;
                read.bytes = 4096 * read.ios;
                for value in values {
                    read.service.record(*value, 1);
                }
            }
            book.add(&interval, Nanos::ZERO, Some(Nanos::from_millis(500)));
        }
        let empty = Interval::for_ops(|op| op == Op::Read, false, 0, 0);
        book.add(&empty, Nanos::ZERO, None);
        let rates = Spread::of(&[8.0, 10.0]);
        let read = WorkerOp {
            ios: 9,
            bytes: 36_864,
            service_ns: Spread::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]),
            iops_by_interval: rates,
        };
        let expected = WorkerShare {
            ops: PerOp::from([(Op::Read, read)]),
            iops_by_interval: rates,
            targets: Vec::new(),
        };
        assert_eq!(book.share(&[]), expected);
    }

    #[test]
    fn targets_are_told_apart_with_their_series() {
        let paths = ["a", "b"].map(str::to_owned);
        let mut book = ShareBook::new(2);
        for second in 1..3_u64 {
            let mut interval = Interval::for_ops(|op| op == Op::Write, false, 0, 0).with_targets(2);
            interval.start = Nanos::from_secs(10 + second);
            interval.end = Nanos::from_secs(11 + second);
            let counts = &mut interval.targets[1][Op::Write];
            counts.ios = 2 * second;
            counts.bytes = 1024 * second;
            counts.service.record(500, 2);
            book.add(&interval, Nanos::from_secs(10), Some(Nanos::from_secs(1)));
        }
        let share = book.share(&paths);
        let written = |share: &TargetShare| {
            let op = share.ops.get(Op::Write).expect("it is there");
            let series = share.intervals.iter().map(|interval| {
                let op = interval.ops.get(Op::Write).expect("it is there");
                (
                    interval.start_ns / 1_000_000_000,
                    op.ios,
                    op.service_ns.count,
                )
            });
            let series: Vec<(u64, u64, u64)> = series.collect();
            (
                share.target.clone(),
                op.ios,
                op.bytes,
                op.iops_by_interval.stddev,
                series,
            )
        };
        let told: Vec<_> = share.targets.iter().map(written).collect();
        let expected = [
            ("a".to_owned(), 0, 0, 0.0, vec![(1, 0, 0), (2, 0, 0)]),
            ("b".to_owned(), 6, 3072, 1.0, vec![(1, 2, 2), (2, 4, 2)]),
        ];
        assert_eq!(told, expected);
    }
}
