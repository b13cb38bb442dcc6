//! What crosses the seam: a request, its completion, how long to wait.

use fathom_core::{Nanos, Op};

/// One request on its way to the storage. Everything else about it stays in the caller's table
/// at `slot`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Submission {
    /// Byte offset in the target; 0 for a flush; of files, the number of one.
    pub offset: u64,
    /// Number of the request among those in flight; also the number of its buffer.
    pub slot: u32,
    /// Bytes to move; 0 for a flush, and for a trim that resets the zone that begins at the offset.
    pub len: u32,
    /// Number of the target in the engine's list.
    pub target: u16,
    /// What to do.
    pub op: Op,
    /// A flush may leave out metadata (`fdatasync`).
    pub data_only: bool,
}

impl Submission {
    /// Bytes of its buffer that it needs: none for a flush or a trim.
    #[inline]
    pub const fn buffer_bytes(&self) -> u32 {
        match self.op {
            Op::Read | Op::Write | Op::Create => self.len,
            Op::Trim | Op::Flush | Op::Stat | Op::Rename | Op::Unlink => 0,
        }
    }
}

const _: () = assert!(size_of::<Submission>() == 24);

/// The end of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The slot of the request.
    pub slot: u32,
    /// Bytes moved by a read or write, 0 for a flush or trim that is done, or minus the number of a
    /// [`Failure`](crate::Failure): the system error number, unless the device said more.
    pub result: i32,
}

/// How long a turn may wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Return when this number of completions has been delivered in this turn. Zero: wait for
    /// `until` alone, and deliver what has completed by then.
    pub min: u32,
    /// Return at this instant at the latest.
    pub until: Nanos,
}

impl Wait {
    /// Deliver the completions that are ready.
    pub const NOT_AT_ALL: Self = Self {
        min: 0,
        until: Nanos::ZERO,
    };
}

/// How a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Completions were delivered, or the time has come.
    Ready,
    /// Nothing can happen before this instant of virtual time. Only the simulator parks.
    Parked(Nanos),
}
