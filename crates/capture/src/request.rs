//! A request as it is kept.

use crate::flags::Flags;
use serde::{Deserialize, Serialize};

/// Bytes of a sector, whatever the device says.
pub const SECTOR_BYTES: u64 = 512;

/// One request of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// When the driver got it, since the start of the capture, nanoseconds.
    pub at_ns: u64,
    /// From there to its completion; none of one whose completion was not seen.
    pub service_ns: Option<u64>,
    /// Position of its device in the head of the file.
    pub device: u16,
    /// Byte offset on its device; 0 of a flush. The file of a capture has whole sectors.
    pub offset: u64,
    /// Bytes that it moves; 0 of a flush.
    pub bytes: u64,
    /// Operation and properties.
    pub flags: Flags,
    /// Position of who asked among the tasks of the file.
    pub task: u32,
    /// What happened to it before its issue; recorded on request only.
    pub early: Early,
}

/// Instants before the issue of a request, each in nanoseconds before it. A request that several
/// bios were merged into has those of the first bio.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Early {
    /// The block layer got its bio.
    pub queued_ns: Option<u64>,
    /// It got a tag.
    pub asked_ns: Option<u64>,
    /// It was put into the queue of a scheduler.
    pub inserted_ns: Option<u64>,
    /// The request of a volume (device mapper or md) that it serves.
    pub above: Option<Above>,
}

/// The request of a volume that a request of a disk serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Above {
    /// Position of the volume in the head of the file.
    pub volume: u16,
    /// Known of the request that was done last of those for it; the volume waited for this one.
    pub last: Option<Last>,
}

/// The request of a volume, seen from the last request of a disk for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Last {
    /// The volume got its bio, nanoseconds before the issue of this request.
    pub queued_ns: u64,
    /// From the completion of this request to that of the bio, nanoseconds.
    pub after_ns: u64,
    /// Time with nothing left but requests of this disk; 0 where no other disk had a part.
    pub alone_ns: u64,
}

/// Who asked for requests.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Task {
    /// Number of the thread.
    pub thread: i32,
    /// Name of the thread when it asked.
    pub name: String,
    /// Number of its process; none where the process had ended before it was looked up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process: Option<i32>,
    /// Name of its process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub process_name: Option<String>,
}

impl Task {
    /// The name of its process, or of the thread where that is not known. `kworker/u8:2` and the
    /// like do what others left to them; their numbers mean nothing.
    pub fn program(&self) -> &str {
        let name = self.process_name.as_ref().unwrap_or(&self.name);
        match name.split_once('/') {
            Some(("kworker", _)) => "kworker",
            _ => name,
        }
    }
}
