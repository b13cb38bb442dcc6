//! Makes recorded requests again, by their own instants or as fast as completions allow.

mod ahead;
mod input;
mod part;

pub use input::{Reading, Reopen, ReplayInput};
pub use part::Sharing;
pub(crate) use part::Step;

use crate::rereads::{Rereader, Rereads};
use ahead::Ahead;
use fathom_core::Nanos;
use fathom_core::spec::Replay;
use input::Store;
use part::Part;
use std::sync::Arc;

/// Where its requests stand.
#[derive(Debug)]
enum Source {
    /// In memory, at this position.
    Memory(Arc<ReplayInput>, usize),
    /// The thread's own part of those in memory, at this position.
    Own(Box<[Step]>, usize),
    /// In a trace that is read ahead.
    Ahead(Ahead),
    /// In what the job has written.
    Written(Rereader),
}

/// Where a thread is in its trace.
#[derive(Debug)]
pub struct Replayer {
    source: Source,
    start: Nanos,
    /// Whether requests wait for their instants.
    timed: bool,
    /// Number of targets; a single one takes all requests.
    targets: usize,
}

impl Replayer {
    /// At the start of a thread's part of a prepared trace, on `targets` targets.
    pub fn new(input: Arc<ReplayInput>, replay: &Replay, sharing: Sharing, targets: usize) -> Self {
        let mut part = Part::new(&input.outline, sharing, input.keeps_order(replay));
        let source = match &input.store {
            Store::Memory(_) if part.is_whole() => Source::Memory(input, 0),
            Store::Memory(requests) => {
                let mut steps = Vec::with_capacity(requests.len());
                steps.extend(requests.iter().filter_map(|request| part.take(*request)));
                Source::Own(steps.into(), 0)
            }
            Store::Trace(_) => Source::Ahead(Ahead::start(input, part)),
        };
        Self {
            source,
            start: Nanos::ZERO,
            timed: replay.speed.is_some(),
            targets,
        }
    }

    /// What a thread of several reads of all that was written, as fast as completions allow.
    pub fn rereading(rereads: Arc<Rereads>, thread: u32, threads: u32, targets: usize) -> Self {
        Self {
            source: Source::Written(Rereader::new(rereads, thread, threads)),
            start: Nanos::ZERO,
            timed: false,
            targets,
        }
    }

    /// Whether requests wait for their recorded instants.
    pub(crate) const fn is_timed(&self) -> bool {
        self.timed
    }

    /// Sets the start of the job.
    pub(crate) fn begin(&mut self, start: Nanos) {
        self.start = start;
    }

    /// The next request with the instant at which it is due and its target; none when all were
    /// made.
    pub(crate) fn peek(&self, now: Nanos) -> Option<(Nanos, usize, Step)> {
        let step = match &self.source {
            Source::Memory(input, next) => Step::free(input.in_memory(*next)?),
            Source::Own(steps, next) => *steps.get(*next)?,
            Source::Ahead(ahead) => ahead.peek()?,
            Source::Written(rereader) => Step::free(rereader.peek()?),
        };
        let at = if self.timed {
            self.start.saturating_add(step.request.at)
        } else {
            now.max(self.start)
        };
        let target = if self.targets == 1 {
            0
        } else {
            usize::from(step.request.target)
        };
        Some((at, target, step))
    }

    /// The request that was looked at is made.
    pub(crate) fn advance(&mut self) {
        match &mut self.source {
            Source::Memory(_, next) | Source::Own(_, next) => *next += 1,
            Source::Ahead(ahead) => ahead.advance(),
            Source::Written(rereader) => rereader.advance(),
        }
    }
}
