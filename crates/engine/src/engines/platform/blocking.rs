//! An engine that does one request at a time, in the turn that follows its push.

use crate::buffer::BufferPool;
use crate::clock::{self, Clock};
use crate::config::EngineConfig;
use crate::engine::{Engine, OsEngine};
use crate::error::EngineError;
use crate::io::{Completion, Progress, Submission, Wait};
use crate::spin::Spin;
use crate::target::OpenTarget;
use fathom_core::{EngineKind, Nanos};
use fathom_platform::io::Errno;
use std::sync::Arc;

/// How a request is done by calls that return when it has been.
pub trait Calls: std::fmt::Debug + Sized + 'static {
    /// The engine that calls so.
    const KIND: EngineKind;
    /// What is decided when a request is pushed, before its time begins.
    type Chosen: std::fmt::Debug + Send;

    /// What calls to these targets need.
    ///
    /// # Errors
    ///
    /// What the system refuses, with its cause and what to try.
    fn new(targets: &[Arc<OpenTarget>]) -> Result<Self, EngineError>;

    /// Decides it.
    fn choose(target: &OpenTarget, io: &Submission) -> Self::Chosen;

    /// Does a request with the buffer of its slot; the bytes that it moved.
    ///
    /// # Errors
    ///
    /// What the system said.
    fn perform(
        &self,
        target: &OpenTarget,
        io: &Submission,
        chosen: Self::Chosen,
        buffer: &mut [u8],
    ) -> Result<usize, Errno>;
}

/// The engine around such calls.
#[derive(Debug)]
pub struct Blocking<C: Calls> {
    clock: Clock,
    buffers: BufferPool,
    targets: Box<[Arc<OpenTarget>]>,
    pushed: Option<(Submission, C::Chosen)>,
    spin: Spin,
    calls: C,
}

impl<C: Calls> OsEngine for Blocking<C> {
    const KIND: EngineKind = C::KIND;

    fn open(config: &EngineConfig, targets: &[Arc<OpenTarget>]) -> Result<Self, EngineError> {
        clock::sharpen_sleep();
        Ok(Self {
            clock: Clock::new(),
            buffers: BufferPool::new(config.slots, config.buffer_bytes, config.huge_pages)?,
            targets: targets.into(),
            pushed: None,
            spin: config.spin,
            calls: C::new(targets)?,
        })
    }
}

impl<C: Calls> Engine for Blocking<C> {
    #[inline]
    fn now(&mut self) -> Nanos {
        self.clock.now()
    }

    #[inline]
    fn push(&mut self, io: Submission) {
        debug_assert!(self.pushed.is_none(), "one request at a time");
        let chosen = C::choose(&self.targets[usize::from(io.target)], &io);
        self.pushed = Some((io, chosen));
    }

    #[inline]
    fn turn(
        &mut self,
        wait: Wait,
        done: &mut impl FnMut(Completion),
    ) -> Result<Progress, EngineError> {
        let delivered = u32::from(self.pushed.is_some());
        if let Some((io, chosen)) = self.pushed.take() {
            let target = &self.targets[usize::from(io.target)];
            let buffer = self.buffers.get(io.slot);
            let result = match self.calls.perform(target, &io, chosen, buffer) {
                Ok(bytes) => bytes as i32,
                Err(errno) => -errno.raw_os_error(),
            };
            done(Completion {
                slot: io.slot,
                result,
            });
        }
        if wait.min == 0 || wait.min > delivered {
            self.clock.wait_and_learn(wait.until, &mut self.spin);
        }
        Ok(Progress::Ready)
    }

    #[inline]
    fn buffer(&mut self, slot: u32) -> &mut [u8] {
        self.buffers.get(slot)
    }

    fn max_in_flight(&self) -> u32 {
        1
    }

    fn spin(&self) -> Option<Nanos> {
        self.spin.learned()
    }

    fn flags(&self) -> Vec<String> {
        Vec::new()
    }
}
