//! Watches whether jobs are as fast as they have to be.

use crate::book::JobBook;
use fathom_core::result::TooSlow;
use fathom_core::spec::{Floor, Job, Phase};
use fathom_core::{Nanos, Op};

/// The rates of one job.
#[derive(Debug)]
struct Watch {
    job: usize,
    floor: Floor,
    ops: Vec<Op>,
    /// From the begin of the phase to the first rate.
    first: Nanos,
    start: Nanos,
    length: Nanos,
    /// Requests and bytes of each operation.
    done: Vec<(u64, u64)>,
    found: Option<TooSlow>,
}

/// The jobs of a phase that have a floor.
#[derive(Debug, Default)]
pub struct Floors {
    watches: Vec<Watch>,
}

impl Floors {
    /// Those of a phase.
    pub fn of(phase: &Phase) -> Self {
        let watch = |(index, job): (usize, &Job)| {
            let floor = job.stop.floor?;
            let ops = Op::REQUESTS.into_iter();
            let ops = ops.filter(|op| job.kinds.iter().any(|kind| kind.op == *op));
            let ops: Vec<Op> = ops.collect();
            let begin = job.delay.max(phase.warm_up);
            Some(Watch {
                job: index,
                floor,
                done: vec![(0, 0); ops.len()],
                ops,
                first: begin.saturating_add(Floor::SETTLE),
                start: Nanos::ZERO,
                length: Nanos::ZERO,
                found: None,
            })
        };
        let watches = phase.jobs.iter().enumerate().filter_map(watch);
        Self {
            watches: watches.collect(),
        }
    }

    /// Adds an interval that began `start` after the phase.
    pub fn add(&mut self, jobs: &[JobBook], start: Nanos, length: Nanos) {
        for watch in &mut self.watches {
            if watch.found.is_none() && start >= watch.first && length > Nanos::ZERO {
                watch.add(&jobs[watch.job], start, length);
            }
        }
    }

    /// The jobs that were too slow.
    pub fn too_slow(&self) -> impl Iterator<Item = usize> {
        let slow = self.watches.iter().filter(|watch| watch.found.is_some());
        slow.map(|watch| watch.job)
    }

    /// What was found of a job.
    pub fn found(&self, job: usize) -> Option<&TooSlow> {
        let watch = self.watches.iter().find(|watch| watch.job == job)?;
        watch.found.as_ref()
    }
}

impl Watch {
    fn add(&mut self, book: &JobBook, start: Nanos, length: Nanos) {
        if self.length == Nanos::ZERO {
            self.start = start;
        }
        self.length = self.length.saturating_add(length);
        for (op, done) in self.ops.iter().zip(&mut self.done) {
            if let Some(book) = &book.ops[*op] {
                done.0 += book.ios;
                done.1 += book.bytes;
            }
        }
        if self.length < self.floor.over {
            return;
        }
        let length = self.length;
        let is_below = |done: u64, least: u64| {
            u128::from(done) * 1_000_000_000 < u128::from(least) * u128::from(length.0)
        };
        let mut each = self.done.iter().zip(&self.ops);
        let slow = each.position(|(done, op)| {
            let least = self.floor.of(*op);
            is_below(done.0, least.0) || is_below(done.1, least.1)
        });
        self.found = slow.map(|index| TooSlow {
            op: self.ops[index].name().to_owned(),
            start_ns: self.start.0,
            length_ns: length.0,
            iops: self.done[index].0 as f64 / length.as_secs_f64(),
            bytes_per_second: self.done[index].1 as f64 / length.as_secs_f64(),
        });
        self.length = Nanos::ZERO;
        self.done.fill((0, 0));
    }
}
