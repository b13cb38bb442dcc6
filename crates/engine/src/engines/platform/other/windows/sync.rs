//! One request at a time by `ReadFile` and `WriteFile` at an offset: what a simple program sees.

use std::fs::File;
use std::os::windows::fs::FileExt as _;
use std::sync::Arc;

use fathom_core::{EngineKind, Op};
use fathom_platform::io::Errno;

use super::handle;
use crate::engines::platform::blocking::{Blocking, Calls};
use crate::error::EngineError;
use crate::io::Submission;
use crate::target::OpenTarget;

/// The synchronous engine: a turn performs the request that was pushed.
pub type SyncEngine = Blocking<Transfers>;

/// The calls of a program that reads and writes at an offset.
#[derive(Debug)]
pub struct Transfers {
    files: Box<[File]>,
}

impl Calls for Transfers {
    const KIND: EngineKind = EngineKind::Sync;
    type Chosen = ();

    fn new(targets: &[Arc<OpenTarget>]) -> Result<Self, EngineError> {
        let files = handle::reopen(targets, 0)?;
        Ok(Self { files })
    }

    #[inline]
    fn choose(_: &OpenTarget, _: &Submission) {}

    #[inline]
    fn perform(
        &self,
        _: &OpenTarget,
        io: &Submission,
        (): (),
        buffer: &mut [u8],
    ) -> Result<usize, Errno> {
        let file = &self.files[usize::from(io.target)];
        let moved = match io.op {
            Op::Read => file.seek_read(&mut buffer[..io.len as usize], io.offset),
            Op::Write => file.seek_write(&buffer[..io.len as usize], io.offset),
            Op::Flush => file.sync_all().map(|()| 0),
            Op::Trim | Op::Create | Op::Stat | Op::Rename | Op::Unlink => {
                return Err(Errno::OPNOTSUPP);
            }
        };
        moved.map_err(|error| handle::errno(&error))
    }
}
