//! The kinds of device and file that are attacked: a line for each.

mod make;

use std::path::Path;

use anyhow::Result;

use crate::siege::fathom::Fathom;
use crate::siege::lab::Made;

/// What gives its bytes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Free {
    /// Nothing.
    Never,
    /// `--destroy` with its name.
    Destroy,
    /// `--destroy` with its name and what it carries.
    DestroyAs(&'static str),
    /// With `--overwrite`.
    Overwrite,
    /// It is a file of Fathom's own.
    Ours,
    /// It keeps nothing: a directory, in which a file may be made that is removed again.
    Room,
}

/// A kind of thing that can be named.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) free: Free,
    pub(crate) make: fn(&Path, &Fathom) -> Result<Made>,
    /// Whether it is a device, by whatever name.
    pub(crate) is_device: bool,
    /// Whether a quick siege has it.
    pub(crate) is_quick: bool,
}

const fn device(name: &'static str, free: Free, make: fn(&Path, &Fathom) -> Result<Made>) -> Kind {
    Kind {
        name,
        free,
        make,
        is_device: true,
        is_quick: false,
    }
}

const fn file(name: &'static str, free: Free, make: fn(&Path, &Fathom) -> Result<Made>) -> Kind {
    Kind {
        is_device: false,
        ..device(name, free, make)
    }
}

const fn quick(kind: Kind) -> Kind {
    Kind {
        is_quick: true,
        ..kind
    }
}

use Free::{Destroy, DestroyAs, Never, Ours, Overwrite, Room};

/// All of them.
pub(crate) const KINDS: &[Kind] = &[
    quick(device(
        "loop device that a run wrote",
        Destroy,
        make::written_loop,
    )),
    quick(device(
        "loop device with unknown bytes",
        DestroyAs("data"),
        make::unknown_loop,
    )),
    device("zram that a run wrote", Destroy, make::written_zram),
    quick(device("ext4 device", DestroyAs("ext4"), make::ext4)),
    device("XFS device", DestroyAs("xfs"), make::xfs),
    device("btrfs device", DestroyAs("btrfs"), make::btrfs),
    device("LVM physical volume", DestroyAs("lvm2"), make::lvm),
    device("member of an array", DestroyAs("mdraid"), make::md),
    device("LUKS device", DestroyAs("luks"), make::luks),
    device(
        "LUKS device without first header",
        DestroyAs("luks"),
        make::luks_second,
    ),
    device("ZFS member", DestroyAs("zfs"), make::zfs),
    device("swap area", DestroyAs("swap"), make::swap_area),
    device("partitioned disk", DestroyAs("mbr+ext4"), make::partitioned),
    device("partition", DestroyAs("ext4"), make::partition),
    device("journal device of ext4", DestroyAs("jbd"), make::journal),
    quick(device("mounted ext4 device", Never, make::mounted)),
    device("read-only mounted device", Never, make::mounted_read_only),
    device("mounted partition", Never, make::mounted_partition),
    device(
        "disk with mounted partition",
        Never,
        make::disk_of_mounted_partition,
    ),
    device(
        "second device of mounted btrfs",
        Never,
        make::second_of_btrfs,
    ),
    device("journal of a mounted ext4", Never, make::journal_in_use),
    device("zram in use as swap", Never, make::zram_swap),
    device("device held by a process", Never, make::held),
    device("read-only loop device", Never, make::read_only_loop),
    device("link to a mounted device", Never, make::link_to_mounted),
    device(
        "link to an ext4 device",
        DestroyAs("ext4"),
        make::link_to_ext4,
    ),
    quick(file(
        "backing file of a mounted loop",
        Never,
        make::backing_of_mounted,
    )),
    file("backing file of an idle loop", Never, make::backing_of_idle),
    file("swap file in use", Never, make::swap_file),
    quick(file("foreign file", Overwrite, make::foreign)),
    file(
        "foreign file without write permission",
        Overwrite,
        make::foreign_read_only,
    ),
    file("immutable file", Never, make::immutable),
    file("foreign file in memory", Overwrite, make::in_memory),
    quick(file("own file", Ours, make::own)),
    file("own file under another name", Overwrite, make::own_renamed),
    file("copy of an own file", Overwrite, make::own_copied),
    file(
        "own file with a file system in it",
        Overwrite,
        make::own_with_file_system,
    ),
    file("second name of a foreign file", Overwrite, make::hard_link),
    file("link to a foreign file", Overwrite, make::link_to_foreign),
    quick(file(
        "database of another program",
        Overwrite,
        make::database,
    )),
    file(
        "database without a number",
        Overwrite,
        make::database_unnumbered,
    ),
    file("history of Fathom", Overwrite, make::history),
    file("link to nothing", Never, make::dangling),
    file("FIFO", Never, make::fifo),
    file("socket", Never, make::socket),
    quick(file("directory", Room, make::directory)),
    file("file of /proc", Never, make::proc_file),
    file("file of /sys", Never, make::sys_file),
    file("new name in /dev", Never, make::new_in_dev),
    file("name below a file", Never, make::below_a_file),
];
