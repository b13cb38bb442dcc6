//! An event of the kernel's block layer.

use crate::flags::Flags;

/// What happened to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// The block layer got a bio; the event is in the task that queued it.
    Queued,
    /// A bio has a request of its own, and with it a tag; the event is in the task that asked.
    Asked,
    /// The request waits in the queue of a scheduler, or of a driver that is busy.
    Inserted,
    /// The driver got it.
    Issued,
    /// It, or a part of it, is done.
    Completed,
    /// The driver gave it back; it is issued again later.
    Requeued,
    /// Device mapper, md or a partition passes a bio on to a device below.
    Remapped,
    /// A bio of device mapper or md is done.
    Returned,
}

impl EventKind {
    /// All of them with the names of their events below `events/block` of tracefs.
    pub const NAMES: [(Self, &'static str); 8] = [
        (Self::Queued, "block_bio_queue"),
        (Self::Asked, "block_getrq"),
        (Self::Inserted, "block_rq_insert"),
        (Self::Issued, "block_rq_issue"),
        (Self::Completed, "block_rq_complete"),
        (Self::Requeued, "block_rq_requeue"),
        (Self::Remapped, "block_bio_remap"),
        (Self::Returned, "block_bio_complete"),
    ];

    /// Whether a request of a disk is whole without it.
    pub const fn is_optional(self) -> bool {
        !matches!(self, Self::Issued | Self::Completed | Self::Requeued)
    }

    /// Whether it follows requests of device mapper and md to the disks.
    pub const fn is_of_volumes(self) -> bool {
        matches!(self, Self::Remapped | Self::Returned)
    }

    /// The name of its event.
    pub fn event_name(self) -> &'static str {
        let mut names = Self::NAMES.into_iter();
        names
            .find(|(kind, _)| *kind == self)
            .map_or("", |(_, name)| name)
    }
}

/// An event as the kernel recorded it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// CLOCK_MONOTONIC, nanoseconds.
    pub at_ns: u64,
    /// What happened.
    pub kind: EventKind,
    /// Number of the device: the major one shifted by 20 bits, and the minor one.
    pub device: u32,
    /// First sector of 512 bytes; all ones of a request without one.
    pub sector: u64,
    /// Where a remapped bio was before: number of the device, and first sector.
    pub from: Option<(u32, u64)>,
    /// Length in sectors; of a completion what is done by it.
    pub sectors: u32,
    /// Operation and properties.
    pub flags: Flags,
    /// Number of the thread in which it happened.
    pub task: i32,
    /// The name of that thread, up to the first zero byte.
    pub comm: [u8; 16],
}
