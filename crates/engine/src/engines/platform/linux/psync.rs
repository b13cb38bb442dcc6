//! One request at a time by `pread` and `pwrite`: what a simple program sees.

mod transfer;

use crate::engines::platform::blocking::{Blocking, Calls};
use crate::engines::platform::linux::trim;
use crate::error::EngineError;
use crate::io::Submission;
use crate::target::OpenTarget;
use fathom_core::{EngineKind, Op};
use rustix::io::Errno;
use std::sync::Arc;

/// The synchronous engine: a turn performs the request that was pushed.
pub type PsyncEngine = Blocking<Transfers>;

/// The calls of a program that reads and writes at an offset.
#[derive(Debug)]
pub struct Transfers;

impl Calls for Transfers {
    const KIND: EngineKind = EngineKind::Psync;
    type Chosen = ();

    fn new(_: &[Arc<OpenTarget>]) -> Result<Self, EngineError> {
        Ok(Self)
    }

    #[inline]
    fn choose(_: &OpenTarget, _: &Submission) {}

    #[inline]
    fn perform(
        &self,
        target: &OpenTarget,
        io: &Submission,
        (): (),
        buffer: &mut [u8],
    ) -> Result<usize, Errno> {
        let fd = &target.fd;
        match io.op {
            Op::Read => transfer::read(fd, &mut buffer[..io.len as usize], io.offset),
            Op::Write => transfer::write(fd, &buffer[..io.len as usize], io.offset),
            Op::Trim => trim::trim(target, io.offset, u64::from(io.len)).map(|()| 0),
            Op::Flush if io.data_only => rustix::fs::fdatasync(&target.fd).map(|()| 0),
            Op::Flush => rustix::fs::fsync(fd).map(|()| 0),
            Op::Create | Op::Stat | Op::Rename | Op::Unlink => Err(Errno::OPNOTSUPP),
        }
    }
}
