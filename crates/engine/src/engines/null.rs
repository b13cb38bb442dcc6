//! Completes everything at once and moves nothing: what remains is our own cost per request.

use crate::buffer::BufferPool;
use crate::clock::{self, Clock};
use crate::config::EngineConfig;
use crate::engine::{Engine, OsEngine};
use crate::error::EngineError;
use crate::io::{Completion, Progress, Submission, Wait};
use crate::spin::Spin;
use crate::target::OpenTarget;
use fathom_core::{EngineKind, Nanos, Op};
use std::sync::Arc;

/// The engine without storage.
#[derive(Debug)]
pub struct NullEngine {
    clock: Clock,
    buffers: BufferPool,
    /// What the next turn delivers, in the order of pushing.
    pushed: Box<[Completion]>,
    count: usize,
    spin: Spin,
}

impl OsEngine for NullEngine {
    const KIND: EngineKind = EngineKind::Null;

    fn open(config: &EngineConfig, _targets: &[Arc<OpenTarget>]) -> Result<Self, EngineError> {
        clock::sharpen_sleep();
        let nothing = Completion { slot: 0, result: 0 };
        Ok(Self {
            clock: Clock::new(),
            buffers: BufferPool::new(config.slots, config.buffer_bytes, config.huge_pages)?,
            pushed: vec![nothing; config.slots as usize].into(),
            count: 0,
            spin: config.spin,
        })
    }
}

impl Engine for NullEngine {
    #[inline]
    fn now(&mut self) -> Nanos {
        self.clock.now()
    }

    #[inline]
    fn push(&mut self, io: Submission) {
        self.pushed[self.count] = Completion {
            slot: io.slot,
            result: if io.op == Op::Trim { 0 } else { io.len as i32 },
        };
        self.count += 1;
    }

    #[inline]
    fn turn(
        &mut self,
        wait: Wait,
        done: &mut impl FnMut(Completion),
    ) -> Result<Progress, EngineError> {
        let count = std::mem::take(&mut self.count);
        for completion in &self.pushed[..count] {
            done(*completion);
        }
        if wait.min == 0 || wait.min as usize > count {
            self.clock.wait_and_learn(wait.until, &mut self.spin);
        }
        Ok(Progress::Ready)
    }

    #[inline]
    fn buffer(&mut self, slot: u32) -> &mut [u8] {
        self.buffers.get(slot)
    }

    fn max_in_flight(&self) -> u32 {
        self.buffers.slots()
    }

    fn spin(&self) -> Option<Nanos> {
        self.spin.learned()
    }

    fn flags(&self) -> Vec<String> {
        Vec::new()
    }
}
