//! Files mapped into memory, one request at a time: a read copies out of the mapping and a write
//! into it, and what the storage does for it is what the page faults wait for.

mod copy;
mod mapping;

use crate::engines::platform::blocking::{Blocking, Calls};
use crate::engines::platform::linux::trim;
use crate::error::EngineError;
use crate::io::Submission;
use crate::target::OpenTarget;
use fathom_core::{EngineKind, Op};
use mapping::Mapping;
use rustix::io::Errno;
use std::sync::Arc;

/// The engine of mapped files: a turn makes the copy that was pushed.
pub type MmapEngine = Blocking<Mappings>;

/// The mapping of each target.
#[derive(Debug)]
pub struct Mappings(Box<[Mapping]>);

impl Calls for Mappings {
    const KIND: EngineKind = EngineKind::Mmap;
    type Chosen = ();

    fn new(targets: &[Arc<OpenTarget>]) -> Result<Self, EngineError> {
        let mappings = targets.iter().map(|target| Mapping::of(target));
        Ok(Self(mappings.collect::<Result<_, _>>()?))
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
        let mapping = &self.0[usize::from(io.target)];
        match io.op {
            Op::Read => mapping.read(io.offset, &mut buffer[..io.len as usize]),
            Op::Write => mapping.write(io.offset, &buffer[..io.len as usize]),
            Op::Trim => trim::trim(target, io.offset, u64::from(io.len)).map(|()| 0),
            Op::Flush if io.data_only => rustix::fs::fdatasync(&target.fd).map(|()| 0),
            Op::Flush => rustix::fs::fsync(&target.fd).map(|()| 0),
            Op::Create | Op::Stat | Op::Rename | Op::Unlink => Err(Errno::OPNOTSUPP),
        }
    }
}
