//! What is killed: a disk, perhaps a file system on it, what is asked of it, and what lies below.

use super::volatile::Manner;

/// One of them.
#[derive(Debug)]
pub(super) struct Stack {
    pub(super) name: &'static str,
    /// What is so, for the table.
    pub(super) truth: &'static str,
    pub(super) disk: Disk,
    pub(super) promise: &'static str,
    pub(super) backing: Backing,
    /// Whether it keeps its promise.
    pub(super) keeps: bool,
}

/// What the guest sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Disk {
    /// A disk with a cache that may forget.
    Cached,
    /// A disk that says it has none: each write is asked to be kept.
    WriteThrough,
    /// A file system on a disk with a cache.
    Ext4,
    Xfs,
}

impl Disk {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Cached => "cached",
            Self::WriteThrough => "write-through",
            Self::Ext4 => "ext4",
            Self::Xfs => "xfs",
        }
    }

    pub(super) const fn file_system(self) -> Option<&'static str> {
        match self {
            Self::Cached | Self::WriteThrough => None,
            Self::Ext4 => Some("ext4"),
            Self::Xfs => Some("xfs"),
        }
    }

    /// XFS has a least size.
    pub(super) const fn size_bytes(self) -> u64 {
        match self {
            Self::Cached | Self::WriteThrough => 16 << 20,
            Self::Ext4 => 64 << 20,
            Self::Xfs => 320 << 20,
        }
    }

    /// Whether the guest sees that there is a cache.
    pub(super) const fn has_cache(self) -> bool {
        !matches!(self, Self::WriteThrough)
    }

    /// The target of the writer.
    pub(super) const fn target(self) -> &'static str {
        match self {
            Self::Cached | Self::WriteThrough => "--target /dev/vda --destroy /dev/vda --size 8MiB",
            Self::Ext4 | Self::Xfs => "--target /disk --size 4MiB",
        }
    }
}

/// What lies below the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Backing {
    /// A server of ours, which holds a cache that goes with it.
    Nbd(Manner),
    /// A file of this machine, through this mode of QEMU's; this machine stays up.
    Raw(&'static str),
    /// An image with tables of its own, through this mode.
    Qcow2(&'static str),
}

impl Backing {
    /// Whether it is known what was dropped.
    pub(super) const fn is_ours(self) -> bool {
        matches!(self, Self::Nbd(_))
    }
}

const fn stack(
    name: &'static str,
    truth: &'static str,
    (disk, promise): (Disk, &'static str),
    backing: Backing,
    keeps: bool,
) -> Stack {
    Stack {
        name,
        truth,
        disk,
        promise,
        backing,
        keeps,
    }
}

const HONEST: Backing = Backing::Nbd(Manner::Honest);
const LIAR: Backing = Backing::Nbd(Manner::LiesAboutFlush);
const KEEPS: &str = "keeps what is flushed";
const LIES: &str = "acknowledges flushes and makes none";

pub(super) const STACKS: [Stack; 18] = [
    stack("raw-flush", KEEPS, (Disk::Cached, "flush"), HONEST, true),
    stack("raw-fua", KEEPS, (Disk::Cached, "fua"), HONEST, true),
    stack("raw-dsync", KEEPS, (Disk::Cached, "dsync"), HONEST, true),
    stack(
        "raw-write",
        "no promise: a write alone stays in the cache",
        (Disk::Cached, "write"),
        HONEST,
        false,
    ),
    stack(
        "through-write",
        "each write is kept, by FUA",
        (Disk::WriteThrough, "write"),
        HONEST,
        true,
    ),
    stack("raw-flush-lie", LIES, (Disk::Cached, "flush"), LIAR, false),
    stack("raw-fua-lie", LIES, (Disk::Cached, "fua"), LIAR, false),
    stack("raw-dsync-lie", LIES, (Disk::Cached, "dsync"), LIAR, false),
    stack(
        "through-lost-fua",
        "acknowledges FUA and still caches",
        (Disk::WriteThrough, "write"),
        Backing::Nbd(Manner::LosesFua),
        false,
    ),
    stack("ext4-append", KEEPS, (Disk::Ext4, "append"), HONEST, true),
    stack("ext4-rename", KEEPS, (Disk::Ext4, "rename"), HONEST, true),
    stack("ext4-append-lie", LIES, (Disk::Ext4, "append"), LIAR, false),
    stack("xfs-append", KEEPS, (Disk::Xfs, "append"), HONEST, true),
    stack("xfs-rename", KEEPS, (Disk::Xfs, "rename"), HONEST, true),
    stack("xfs-append-lie", LIES, (Disk::Xfs, "append"), LIAR, false),
    stack(
        "qemu-none",
        "cache=none: flushes reach the file",
        (Disk::Cached, "flush"),
        Backing::Raw("none"),
        true,
    ),
    stack(
        "qemu-unsafe",
        "cache=unsafe, but the host, which has the writes, stays up",
        (Disk::Cached, "flush"),
        Backing::Raw("unsafe"),
        true,
    ),
    stack(
        "qcow2-unsafe",
        "cache=unsafe: the host has the tables of the image too",
        (Disk::Cached, "flush"),
        Backing::Qcow2("unsafe"),
        true,
    ),
];
