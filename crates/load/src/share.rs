//! What each thread did, kept apart from the sums of its job.

use crate::book::SpreadBook;
use fathom_core::interval::{Interval, OpInterval};
use fathom_core::result::{WorkerOp, WorkerShare};
use fathom_core::{Nanos, Op, PerOp};

/// One thread over the measured time.
#[derive(Clone, Debug, Default)]
pub struct ShareBook {
    ops: PerOp<Option<OpShare>>,
    rate: SpreadBook,
}

#[derive(Clone, Copy, Debug, Default)]
struct OpShare {
    ios: u64,
    bytes: u64,
    service: SpreadBook,
    rate: SpreadBook,
}

impl ShareBook {
    /// Adds an interval of the measured time; `complete` intervals count for the rates too.
    pub fn add(&mut self, interval: &Interval, complete: Option<Nanos>) {
        let mut ios = 0;
        for op in Op::ALL
            .into_iter()
            .filter(|op| !matches!(op, Op::Trim | Op::Flush))
        {
            if let Some(found) = interval.ops[op].as_deref() {
                ios += found.ios;
                self.ops[op].get_or_insert_default().add(found, complete);
            }
        }
        if let Some(length) = complete {
            self.rate.add(ios as f64 / length.as_secs_f64());
        }
    }

    /// What goes into the result.
    pub fn share(&self) -> WorkerShare {
        let of = |op: &OpShare| WorkerOp {
            ios: op.ios,
            bytes: op.bytes,
            service_ns: op.service.spread(),
            iops_by_interval: op.rate.spread(),
        };
        WorkerShare {
            ops: PerOp::from_fn(|op| self.ops.get(op).map(of)),
            iops_by_interval: self.rate.spread(),
        }
    }
}

impl OpShare {
    fn add(&mut self, found: &OpInterval, complete: Option<Nanos>) {
        self.ios += found.ios;
        self.bytes += found.bytes;
        self.service.merge(&SpreadBook::of(&found.service));
        if let Some(length) = complete {
            self.rate.add(found.ios as f64 / length.as_secs_f64());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::summary::Spread;

    #[test]
    fn intervals_come_to_the_share_of_a_thread() {
        let mut book = ShareBook::default();
        for (index, values) in [[2_u64, 4, 4, 4], [5, 5, 7, 9]].iter().enumerate() {
            let mut interval = Interval::for_ops(|op| op == Op::Read, false, 0);
            if let Some(read) = interval.ops[Op::Read].as_deref_mut() {
                read.ios = 4 + index as u64;
                read.bytes = 4096 * read.ios;
                for value in values {
                    read.service.record(*value, 1);
                }
            }
            book.add(&interval, Some(Nanos::from_millis(500)));
        }
        book.add(&Interval::for_ops(|op| op == Op::Read, false, 0), None);
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
        };
        assert_eq!(book.share(), expected);
    }
}
