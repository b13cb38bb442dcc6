//! The room that files take, and their length, as file systems give it: no bytes are moved.
//!
//! Two engines in one type, as their calls are alike: `falloc`, where a write allocates the room of
//! its bytes and a trim gives it back, and `ftruncate`, where a write sets the length of the file
//! to where it would begin ([`OpenTarget::cuts`]).

use crate::engines::blocking::{Blocking, Calls};
use crate::error::EngineError;
use crate::io::Submission;
use crate::kind::EngineKind;
use crate::target::OpenTarget;
use fathom_core::Op;
use rustix::fs::FallocateFlags;
use rustix::io::Errno;
use std::sync::Arc;

/// The engine of room: a turn makes the call that was pushed.
pub type SpaceEngine = Blocking<Space>;

/// The calls that allocate, free and cut off.
#[derive(Debug)]
pub struct Space;

impl Calls for Space {
    const KIND: EngineKind = EngineKind::Falloc;
    type Chosen = ();

    fn new(_: &[Arc<OpenTarget>]) -> Result<Self, EngineError> {
        Ok(Self)
    }

    #[inline]
    fn choose(_: &OpenTarget, _: &Submission) {}

    fn perform(
        &self,
        target: &OpenTarget,
        io: &Submission,
        (): (),
        _: &mut [u8],
    ) -> Result<usize, Errno> {
        let fd = &target.fd;
        let len = u64::from(io.len);
        match io.op {
            Op::Write if target.cuts => {
                rustix::fs::ftruncate(fd, io.offset).map(|()| io.len as usize)
            }
            // As fio has it, without a longer file. No job asks for it, and what is open to be read
            // alone does not take it.
            Op::Read if !target.cuts => {
                rustix::fs::fallocate(fd, FallocateFlags::KEEP_SIZE, io.offset, len)
                    .map(|()| io.len as usize)
            }
            Op::Write => rustix::fs::fallocate(fd, FallocateFlags::empty(), io.offset, len)
                .map(|()| io.len as usize),
            Op::Trim if !target.cuts => {
                let hole = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
                rustix::fs::fallocate(fd, hole, io.offset, len).map(|()| 0)
            }
            Op::Flush if io.data_only => rustix::fs::fdatasync(&target.fd).map(|()| 0),
            Op::Flush => rustix::fs::fsync(fd).map(|()| 0),
            Op::Read | Op::Trim | Op::Create | Op::Stat | Op::Rename | Op::Unlink => {
                Err(Errno::OPNOTSUPP)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::EngineConfig;
    use crate::engine::{Engine as _, OsEngine as _};
    use crate::io::Wait;
    use crate::target::OpenOptions;
    use fathom_core::Nanos;
    use std::os::unix::fs::MetadataExt as _;

    const BLOCK_BYTES: u32 = 4096;

    /// What requests at these blocks come to, each with the length and the room of the file then.
    fn course(cuts: bool, write: bool, requests: &[(Op, u64)]) -> Vec<(i32, u64, u64)> {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let options = OpenOptions {
            read: true,
            write,
            ..OpenOptions::default()
        };
        let mut target = OpenTarget::open(file.path(), &options).expect("opened");
        target.cuts = cuts;
        let config = EngineConfig::default();
        let mut engine = SpaceEngine::open(&config, &[Arc::new(target)]).expect("an engine");
        let each = requests.iter().map(|(op, block)| {
            engine.push(Submission {
                offset: block * u64::from(BLOCK_BYTES),
                slot: 0,
                len: BLOCK_BYTES,
                target: 0,
                op: *op,
                data_only: false,
            });
            let wait = Wait {
                min: 1,
                until: Nanos::MAX,
            };
            let mut result = None;
            let turned = engine.turn(wait, &mut |completion| result = Some(completion.result));
            turned.expect("a turn");
            let meta = file.as_file().metadata().expect("metadata");
            let blocks = u64::from(BLOCK_BYTES) / 512;
            let (length, room) = (meta.len() / u64::from(BLOCK_BYTES), meta.blocks() / blocks);
            (result.expect("it completes"), length, room)
        });
        each.collect()
    }

    const LEN: i32 = BLOCK_BYTES as i32;

    #[test]
    fn writes_allocate_and_trims_free() {
        let requests = [
            (Op::Write, 0),
            (Op::Write, 2),
            (Op::Write, 2),
            (Op::Trim, 0),
            (Op::Trim, 1),
        ];
        let expected = [(LEN, 1, 1), (LEN, 3, 2), (LEN, 3, 2), (0, 3, 1), (0, 3, 1)];
        assert_eq!(course(false, true, &requests), expected);
    }

    #[test]
    fn writes_cut_off_where_they_would_begin() {
        let requests = [
            (Op::Write, 5),
            (Op::Write, 2),
            (Op::Trim, 0),
            (Op::Write, 0),
        ];
        let refused = -libc::EOPNOTSUPP;
        let expected = [(LEN, 5, 0), (LEN, 2, 0), (refused, 2, 0), (LEN, 0, 0)];
        assert_eq!(course(true, true, &requests), expected);
    }

    /// None of them, reads included, changes what is open to be read.
    #[test]
    fn what_is_open_to_be_read_stays_as_it_is() {
        let requests = [(Op::Write, 1), (Op::Trim, 0), (Op::Read, 0)];
        let refused = [(-libc::EBADF, 0, 0); 3];
        assert_eq!(course(false, false, &requests), refused);
        let cut = course(true, false, &requests[..1]);
        // The kernel has another word for it there.
        assert_eq!(cut, [(-libc::EINVAL, 0, 0)]);
    }
}
