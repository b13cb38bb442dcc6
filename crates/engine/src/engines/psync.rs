//! One request at a time by `pread` and `pwrite`: what a simple program sees.

mod transfer;

use crate::buffer::BufferPool;
use crate::clock::{self, Clock};
use crate::config::EngineConfig;
use crate::engine::{Engine, OsEngine};
use crate::error::EngineError;
use crate::io::{Completion, Progress, Submission, Wait};
use crate::kind::EngineKind;
use crate::target::OpenTarget;
use crate::trim;
use fathom_core::{Nanos, Op};
use rustix::io::Errno;
use std::sync::Arc;

/// The synchronous engine: a turn performs the request that was pushed.
#[derive(Debug)]
pub struct PsyncEngine {
    clock: Clock,
    buffers: BufferPool,
    targets: Box<[Arc<OpenTarget>]>,
    pushed: Option<Submission>,
    spin: Nanos,
}

impl OsEngine for PsyncEngine {
    const KIND: EngineKind = EngineKind::Psync;

    fn open(config: &EngineConfig, targets: &[Arc<OpenTarget>]) -> Result<Self, EngineError> {
        clock::sharpen_sleep();
        Ok(Self {
            clock: Clock::new(),
            buffers: BufferPool::new(config.slots, config.buffer_bytes, config.huge_pages)?,
            targets: targets.into(),
            pushed: None,
            spin: config.spin,
        })
    }
}

impl PsyncEngine {
    #[inline]
    fn perform(&mut self, io: Submission) -> Result<usize, Errno> {
        let target = &*self.targets[usize::from(io.target)];
        let fd = &target.fd;
        let buffer = self.buffers.get(io.slot);
        match io.op {
            Op::Read => transfer::read(fd, &mut buffer[..io.len as usize], io.offset),
            Op::Write => transfer::write(fd, &buffer[..io.len as usize], io.offset),
            Op::Trim => trim::trim(target, io.offset, u64::from(io.len)).map(|()| 0),
            Op::Flush if io.data_only => rustix::fs::fdatasync(fd).map(|()| 0),
            Op::Flush => rustix::fs::fsync(fd).map(|()| 0),
            Op::Create | Op::Stat | Op::Rename | Op::Unlink => Err(Errno::OPNOTSUPP),
        }
    }
}

impl Engine for PsyncEngine {
    #[inline]
    fn now(&mut self) -> Nanos {
        self.clock.now()
    }

    #[inline]
    fn push(&mut self, io: Submission) {
        debug_assert!(self.pushed.is_none(), "one request at a time");
        self.pushed = Some(io);
    }

    #[inline]
    fn turn(
        &mut self,
        wait: Wait,
        done: &mut impl FnMut(Completion),
    ) -> Result<Progress, EngineError> {
        let delivered = u32::from(self.pushed.is_some());
        if let Some(io) = self.pushed.take() {
            let result = match self.perform(io) {
                Ok(bytes) => bytes as i32,
                Err(errno) => -errno.raw_os_error(),
            };
            done(Completion {
                slot: io.slot,
                result,
            });
        }
        if wait.min == 0 || wait.min > delivered {
            self.clock.wait_until(wait.until, self.spin);
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

    fn flags(&self) -> Vec<String> {
        Vec::new()
    }
}
