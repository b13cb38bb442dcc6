//! Each rule on a machine that does not exist: what is written to, with which permissions, and the
//! whole answer.

use std::path::Path;

use super::{Cleared, ClearedKind, Destroy, PermissionError, Permissions, check_write};
use crate::devnum::DevNum;
use crate::fixture::Machine;
use crate::nodes::NodeKind;
use crate::signature::Signature;
use crate::system::System;

mod allowed;
mod stacks;

const fn carrying(name: &'static str) -> Signature {
    Signature {
        name,
        offset_bytes: 0,
    }
}

/// sda: LVM and RAID on partitions, in use. sdb: free, with a table and two file systems. sdc:
/// blank. sdd: whole, mounted. sde: half of a btrfs. sdf: shown by loops. sdg: swap. sdh: bcache.
/// sdi: held by nobody knows whom. sdj: read-only. sdk, sdl: one file system over
/// both, whose device number is neither's.
fn machine() -> Machine {
    let mut machine = Machine::new();
    for (index, name) in (0..).zip(["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"]) {
        machine.disk(&format!("sd{name}"), DevNum::new(8, index * 16), 1000);
    }
    for (disk, number, minor) in [
        ("sda", 1, 1),
        ("sda", 2, 2),
        ("sda", 3, 3),
        ("sdb", 1, 17),
        ("sdb", 2, 18),
        ("sdf", 1, 81),
    ] {
        machine.partition(disk, &format!("{disk}{number}"), DevNum::new(8, minor), 100);
    }
    machine.disk("dm-0", DevNum::new(252, 0), 100);
    machine.attribute("dm-0", "dm/uuid", "LVM-x");
    machine.stack("dm-0", &["sda2"]);
    machine.mount("252:0", "/data", "xfs", "/dev/mapper/vg-data");
    machine.disk("dm-1", DevNum::new(252, 1), 100);
    machine.attribute("dm-1", "dm/uuid", "LVM-y");
    machine.stack("dm-1", &["sda2"]);
    machine.disk("md0", DevNum::new(9, 0), 100);
    machine.stack("md0", &["sda1"]);
    machine.carries("/dev/sdb", &[carrying("gpt")]);
    machine.carries("/dev/sdb1", &[carrying("vfat")]);
    machine.carries("/dev/sdb2", &[carrying("ext4")]);
    machine.link("/dev/disk/by-id/b", "/dev/sdb");
    machine.mount("8:48", "/mnt", "ext4", "/dev/sdd");
    machine.btrfs("uuid", &["sde"]);
    machine.disk("loop0", DevNum::new(7, 0), 100);
    machine.attribute("loop0", "loop/backing_file", "/dev/sdf\n");
    machine.disk("loop1", DevNum::new(7, 1), 100);
    machine.attribute("loop1", "loop/backing_file", "/data/image\n");
    machine.disk("loop2", DevNum::new(7, 2), 100);
    machine.attribute("loop2", "loop/backing_file", "/data/shared\n");
    machine.disk("loop3", DevNum::new(7, 3), 100);
    machine.attribute("loop3", "loop/backing_file", "/data/shared\n");
    machine.disk("loop4", DevNum::new(7, 4), 100);
    machine.attribute("loop4", "loop/backing_file", "/dev/sdd\n");
    machine.swap("/dev/sdg");
    machine.attribute("sdh", "bcache/state", "clean");
    machine.held("/dev/sdi");
    machine.mount("0:70", "/pool", "bcachefs", "/dev/sdk:/dev/sdl");
    machine.attribute("sdj", "ro", "1\n");
    machine.mount_with("0:60", "/erofs", "erofs", "/data/mounted.erofs", "ro");

    machine.file("/data/image", "252:0", 20);
    machine.file("/data/shared", "252:0", 21);
    machine.file("/data/swapfile", "252:0", 22);
    machine.file("/data/mounted.erofs", "252:0", 23);
    machine.file("/data/theirs", "252:0", 24);
    machine.file("/data/ours", "252:0", 25);
    machine.file("/data/ours-image", "252:0", 20);
    machine.marked("/data/ours");
    machine.marked("/data/ours-image");
    machine.swap("/data/swapfile");
    machine.dangling("/data/dangling");
    machine.directory("/data/dir", "252:0", 30);
    machine.directory("/data/sealed", "252:0", 31);
    machine.read_only_dir("/data/sealed");
    machine.mount("0:21", "/proc", "proc", "proc");
    machine.file("/proc/sysrq-trigger", "0:21", 32);
    machine.node("/data/pipe", NodeKind::Fifo, DevNum::default());
    machine.node("/data/socket", NodeKind::Socket, DevNum::default());
    machine.node("/dev/null", NodeKind::Char, DevNum::new(1, 3));
    machine.node("/dev/zero", NodeKind::Char, DevNum::new(1, 5));
    machine.node("/dev/tty", NodeKind::Char, DevNum::new(5, 0));
    machine
}

fn permissions(options: &[&str]) -> Permissions {
    let mut permissions = Permissions::default();
    for option in options {
        match *option {
            "--overwrite" => permissions.overwrite = true,
            device => permissions.destroy.push(device.parse().unwrap()),
        }
    }
    permissions
}

/// The answer as a user sees it.
fn answer(target: &str, options: &[&str]) -> Result<ClearedKind, String> {
    check_write(
        Path::new(target),
        &permissions(options),
        &machine().system(),
    )
    .map(|cleared| cleared.kind)
    .map_err(|error| error.to_string())
}

#[track_caller]
fn refused(target: &str, options: &[&str], message: &str) {
    assert_eq!(answer(target, options), Err(message.to_owned()));
}

#[test]
fn a_device_must_be_named_with_what_it_carries() {
    refused(
        "/dev/sdc",
        &[],
        "cannot open /dev/sdc for writing: it is a block device, and no --destroy names it; try \
         --destroy /dev/sdc if you mean to destroy what is on it, or another target",
    );
    refused(
        "/dev/sdb",
        &["/dev/sdc", "--overwrite"],
        "cannot open /dev/sdb for writing: it is a block device that carries gpt+vfat+ext4, and no \
         --destroy names it; try --destroy /dev/sdb=gpt+vfat+ext4 if you mean to destroy what is \
         on it, or another target",
    );
    refused(
        "/dev/sdb",
        &["/dev/sdb"],
        "cannot open /dev/sdb for writing: it carries gpt+vfat+ext4, which --destroy does not \
         name; try --destroy /dev/sdb=gpt+vfat+ext4 if you mean to destroy what is on it, or \
         another target",
    );
    refused(
        "/dev/sdb",
        &["/dev/sdb=gpt"],
        "cannot open /dev/sdb for writing: --destroy says that it carries gpt, but it carries \
         gpt+vfat+ext4; try --destroy /dev/sdb=gpt+vfat+ext4 if it is the right device",
    );
    refused(
        "/dev/sdb2",
        &["/dev/sdb2=xfs"],
        "cannot open /dev/sdb2 for writing: --destroy says that it carries xfs, but it carries \
         ext4; try --destroy /dev/sdb2=ext4 if it is the right device",
    );
    refused(
        "/dev/sdc",
        &["/dev/sdc=ext4"],
        "cannot open /dev/sdc for writing: --destroy says that it carries ext4, but it carries \
         nothing known; try --destroy /dev/sdc if it is the right device",
    );
}

#[test]
fn content_that_nothing_is_known_of_must_be_named() {
    let answer = |target: &str, options: &[&str]| {
        let mut machine = machine();
        machine.carries("/dev/sdc", &[carrying("data")]);
        machine.carries("/dev/sdb2", &[carrying("data")]);
        check_write(Path::new(target), &permissions(options), &machine.system())
            .map(|cleared| cleared.kind)
            .map_err(|error| error.to_string())
    };
    let look =
        "at offset 0: 77 68 61 74 20 73 6f 6d 65 62 6f 64 79 20 6b 65 |what somebody ke| text";
    let refused = |target: &str, because: &str, remedy: &str| {
        Err(format!(
            "cannot open {target} for writing: {because} ({look}); try --destroy {remedy}"
        ))
    };
    let or_another = "if you mean to destroy what is on it, or another target";
    let cases = [
        (
            "/dev/sdc",
            vec![],
            refused(
                "/dev/sdc",
                "it is a block device that carries data, and no --destroy names it",
                &format!("/dev/sdc=data {or_another}"),
            ),
        ),
        (
            "/dev/sdc",
            vec!["/dev/sdc"],
            refused(
                "/dev/sdc",
                "it carries data, which --destroy does not name",
                &format!("/dev/sdc=data {or_another}"),
            ),
        ),
        (
            "/dev/sdb",
            vec!["/dev/sdb=gpt+vfat"],
            refused(
                "/dev/sdb",
                "--destroy says that it carries gpt+vfat, but it carries gpt+vfat+data",
                "/dev/sdb=gpt+vfat+data if it is the right device",
            ),
        ),
        (
            "/dev/sdc",
            vec!["/dev/sdc=data"],
            Ok(ClearedKind::BlockDevice(vec![carrying("data")])),
        ),
    ];
    for (target, options, expected) in cases {
        assert_eq!(answer(target, &options), expected, "{target} {options:?}");
    }
    // Where there is nothing, less than that is destroyed.
    let blank = Ok(ClearedKind::BlockDevice(vec![]));
    assert_eq!(answer("/dev/md0", &["/dev/md0=data"]), blank);
}

#[test]
fn a_device_named_rightly_by_any_of_its_names_is_cleared() {
    let all = vec![carrying("gpt"), carrying("vfat"), carrying("ext4")];
    for options in [
        ["/dev/sdb=gpt+vfat+ext4"],
        ["/dev/sdb=EXT4+gpt+VFAT"],
        ["/dev/disk/by-id/b=gpt+vfat+ext4"],
    ] {
        for target in ["/dev/sdb", "/dev/disk/by-id/b"] {
            assert_eq!(
                answer(target, &options),
                Ok(ClearedKind::BlockDevice(all.clone()))
            );
        }
    }
    let ext4 = ClearedKind::BlockDevice(vec![carrying("ext4")]);
    assert_eq!(answer("/dev/sdb2", &["/dev/sdb2=ext4"]), Ok(ext4));
    let blank = ClearedKind::BlockDevice(vec![]);
    assert_eq!(answer("/dev/sdc", &["/dev/sdc"]), Ok(blank.clone()));
    assert_eq!(answer("/dev/md0", &["/dev/md0"]), Ok(blank.clone()));
    // A volume whose neighbour on the same physical volume is mounted is not in use itself.
    assert_eq!(answer("/dev/dm-1", &["/dev/dm-1"]), Ok(blank));
}

#[test]
fn what_is_in_use_is_refused_whatever_is_permitted() {
    let used = |target: &str, because: &str, remedy: &str| {
        let message =
            format!("cannot open {target} for writing: {because}; try {remedy}, or another target");
        for options in [vec![], vec![target, "--overwrite"]] {
            refused(target, &options, &message);
        }
    };
    used(
        "/dev/sdd",
        "it is mounted on /mnt (ext4); it is shown by /dev/loop4",
        "umount /mnt",
    );
    used("/dev/dm-0", "it is mounted on /data (xfs)", "umount /data");
    used(
        "/dev/sda2",
        "it is part of /dev/dm-0 (lvm); /dev/dm-0 is mounted on /data (xfs); it is part of \
         /dev/dm-1 (lvm)",
        "take /dev/sda2 out of /dev/dm-0 first",
    );
    used(
        "/dev/sda1",
        "it is part of /dev/md0 (md)",
        "take /dev/sda1 out of /dev/md0 first",
    );
    used(
        "/dev/sda",
        "/dev/sda1 is part of /dev/md0 (md); /dev/sda2 is part of /dev/dm-0 (lvm); /dev/dm-0 is \
         mounted on /data (xfs); /dev/sda2 is part of /dev/dm-1 (lvm)",
        "take /dev/sda1 out of /dev/md0 first",
    );
    used(
        "/dev/sde",
        "it is part of a mounted btrfs",
        "take /dev/sde out of the btrfs first",
    );
    used(
        "/dev/sdf",
        "it is shown by /dev/loop0",
        "losetup --detach /dev/loop0",
    );
    used(
        "/dev/sdf1",
        "/dev/sdf is shown by /dev/loop0",
        "losetup --detach /dev/loop0",
    );
    used("/dev/sdg", "it is in use as swap", "swapoff /dev/sdg");
    used(
        "/dev/sdk",
        "it is mounted on /pool (bcachefs)",
        "umount /pool",
    );
    used(
        "/dev/sdl",
        "it is mounted on /pool (bcachefs)",
        "umount /pool",
    );
    used(
        "/dev/sdh",
        "it is registered with bcache",
        "unregister /dev/sdh from bcache first",
    );
    used(
        "/dev/sdi",
        "the kernel reports that another program holds it exclusively",
        "end its use (a pool, another mount name space, a program that claimed it)",
    );
}

#[test]
fn a_sibling_in_use_does_not_bind_a_partition() {
    let cleared = Ok(ClearedKind::BlockDevice(vec![]));
    assert_eq!(answer("/dev/sda3", &["/dev/sda3"]), cleared);
}

#[test]
fn a_loop_device_is_as_free_as_what_it_shows() {
    let cleared = Ok(ClearedKind::BlockDevice(vec![]));
    assert_eq!(answer("/dev/loop0", &["/dev/loop0"]), cleared);
    assert_eq!(answer("/dev/loop1", &["/dev/loop1"]), cleared);
    refused(
        "/dev/loop2",
        &["/dev/loop2"],
        "cannot open /dev/loop2 for writing: it is shown by /dev/loop3; try losetup --detach \
         /dev/loop3, or another target",
    );
    refused(
        "/dev/loop4",
        &["/dev/loop4"],
        "cannot open /dev/loop4 for writing: /dev/sdd is mounted on /mnt (ext4); try umount /mnt, \
         or another target",
    );
}

#[test]
fn a_read_only_device_is_refused() {
    refused(
        "/dev/sdj",
        &["/dev/sdj"],
        "cannot open /dev/sdj for writing: the device is read-only; try blockdev --setrw /dev/sdj, \
         or another target",
    );
}

#[test]
fn files_are_ours_or_given_up_or_new() {
    assert_eq!(answer("/data/ours", &[]), Ok(ClearedKind::OwnFile));
    assert_eq!(
        answer("/data/theirs", &["--overwrite"]),
        Ok(ClearedKind::ForeignFile)
    );
    assert_eq!(answer("/data/dir/new", &[]), Ok(ClearedKind::NewFile));
    refused(
        "/data/theirs",
        &["/dev/sdb"],
        "cannot open /data/theirs for writing: the file exists (4096 bytes) and was not created by \
         fathom, or was changed since; try --overwrite if you mean to destroy its contents, or \
         another name",
    );
}

#[test]
fn a_file_in_use_is_refused_even_if_ours_or_given_up() {
    let used = |target: &str, because: &str, remedy: &str| {
        let message =
            format!("cannot open {target} for writing: {because}; try {remedy}, or another target");
        for options in [&[][..], &["--overwrite"]] {
            refused(target, options, &message);
        }
    };
    used(
        "/data/image",
        "it is shown by /dev/loop1",
        "losetup --detach /dev/loop1",
    );
    used(
        "/data/ours-image",
        "it is shown by /dev/loop1",
        "losetup --detach /dev/loop1",
    );
    used(
        "/data/swapfile",
        "it is in use as swap",
        "swapoff /data/swapfile",
    );
    used(
        "/data/mounted.erofs",
        "it is mounted on /erofs (erofs)",
        "umount /erofs",
    );
}

#[test]
fn what_is_no_target_is_refused() {
    let refused_always = |target: &str, message: &str| {
        for options in [&[][..], &["--overwrite"]] {
            refused(target, options, message);
        }
    };
    refused_always(
        "/data/dir",
        "cannot open /data/dir for writing: it is a directory; try a file in it, as \
         /data/dir/fathom.dat",
    );
    refused_always(
        "/data/pipe",
        "cannot open /data/pipe for writing: it is a named pipe; try a file or a block device",
    );
    refused_always(
        "/data/socket",
        "cannot open /data/socket for writing: it is a socket; try a file or a block device",
    );
    refused_always(
        "/proc/sysrq-trigger",
        "cannot open /proc/sysrq-trigger for writing: it would be a file of the kernel's own file \
         system proc; try the name of an existing device, or a file on a disk",
    );
    refused_always(
        "/dev/sdz",
        "cannot open /dev/sdz for writing: it would be a file of the kernel's own file system \
         devtmpfs; try the name of an existing device, or a file on a disk",
    );
    refused_always(
        "/data/dangling",
        "cannot create /data/dangling: it is a symbolic link to nothing; try another name, or \
         remove the link",
    );
    refused_always(
        "/data/none/file",
        "cannot create /data/none/file: /data/none is not an existing directory; try mkdir -p \
         /data/none",
    );
    refused_always(
        "/data/sealed/file",
        "cannot create /data/sealed/file: no file can be made in /data/sealed: read-only \
         filesystem or storage medium; try a directory that you may write to",
    );
}

#[test]
fn character_devices_that_keep_nothing_are_free() {
    assert_eq!(answer("/dev/null", &[]), Ok(ClearedKind::CharDevice));
    assert_eq!(answer("/dev/zero", &[]), Ok(ClearedKind::CharDevice));
    assert_eq!(
        answer("/dev/tty", &["/dev/tty"]),
        Ok(ClearedKind::CharDevice)
    );
    refused(
        "/dev/tty",
        &["--overwrite"],
        "cannot open /dev/tty for writing: it is a character device, and no --destroy names it; \
         try --destroy /dev/tty if you mean to destroy what is on it, or another target",
    );
}

#[test]
fn permissions_are_read_strictly() {
    let destroy = |path: &str, signature: Option<&str>| {
        Ok(Destroy {
            path: path.into(),
            signature: signature.map(str::to_owned),
        })
    };
    let no_signature = |name: &str| {
        Err(PermissionError::NoSuchSignature {
            name: name.to_owned(),
        })
    };
    let no_device = |text: &str| {
        Err(PermissionError::NoDevice {
            text: text.to_owned(),
        })
    };
    let cases = [
        ("/dev/sdb", destroy("/dev/sdb", None)),
        ("/dev/sdb=ext4", destroy("/dev/sdb", Some("ext4"))),
        (
            "/dev/sdb=dos+LVM2_member",
            destroy("/dev/sdb", Some("mbr+lvm2")),
        ),
        ("/dev/a=b/sdb", destroy("/dev/a=b/sdb", None)),
        ("/dev/a=b/sdb=xfs", destroy("/dev/a=b/sdb", Some("xfs"))),
        ("/dev/sdb=", no_signature("")),
        ("/dev/sdb=ext5", no_signature("ext5")),
        ("/dev/sdb=gpt+", no_signature("")),
        ("=ext4", no_device("=ext4")),
        ("", no_device("")),
    ];
    for (text, expected) in cases {
        assert_eq!(text.parse::<Destroy>(), expected, "{text:?}");
    }
}

#[test]
fn what_was_opened_must_be_what_was_cleared() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("target");
    let system = System::live().unwrap();
    let new = check_write(&path, &Permissions::default(), &system).unwrap();
    assert_eq!(new.kind, ClearedKind::NewFile);
    std::fs::write(&path, "").unwrap();
    let file = std::fs::File::open(&path).unwrap();
    new.confirm(&file).unwrap();

    let permissions = permissions(&["--overwrite"]);
    let existing: Cleared = check_write(&path, &permissions, &system).unwrap();
    assert_eq!(existing.kind, ClearedKind::ForeignFile);
    existing.confirm(&file).unwrap();
    assert!(existing.claim().unwrap().is_none());
    std::fs::rename(&path, dir.path().join("aside")).unwrap();
    std::fs::write(&path, "other").unwrap();
    let other = std::fs::File::open(&path).unwrap();
    let message = format!(
        "cannot open {} for writing: it changed since it was checked; try again, when nothing else \
         changes it",
        path.display()
    );
    for cleared in [&new, &existing] {
        assert_eq!(cleared.confirm(&other).unwrap_err().to_string(), message);
    }
}

#[test]
fn without_the_device_tree_nothing_that_exists_is_written() {
    let mut system = machine().system();
    let nowhere = tempfile::tempdir().unwrap();
    system.sysfs = crate::sysfs::Sysfs::at(nowhere.path());
    let answer = |target: &str| {
        let permissions = permissions(&["--overwrite", "/dev/sdc"]);
        check_write(Path::new(target), &permissions, &system)
            .map(|cleared| cleared.kind)
            .map_err(|error| error.cause())
    };
    let unreadable = format!(
        "it cannot be examined: cannot read {}: No such file or directory (os error 2)",
        nowhere.path().join("class/block").display()
    );
    for target in ["/data/image", "/data/theirs", "/data/ours"] {
        assert_eq!(answer(target), Err(unreadable.clone()), "{target}");
    }
    let unknown = "it cannot be examined: the kernel has no block device 8:32".to_owned();
    assert_eq!(answer("/dev/sdc"), Err(unknown));
    assert_eq!(answer("/data/dir/new"), Ok(ClearedKind::NewFile));
}

/// Of one controller: a namespace that is free, one that is mounted under a name whose numbers are
/// another's, one with a file system on a partition, and one without a block device.
fn nvme() -> Machine {
    let mut machine = machine();
    let of = |minor| (DevNum::new(259, minor), DevNum::new(240, minor));
    for (minor, block, generic, id) in [
        (0, "nvme1n1", "ng0n1", 1),
        (1, "nvme0n1", "ng0n2", 2),
        (2, "nvme0n3", "ng0n3", 3),
        (3, "nvme0n4", "ng0n4", 4),
        (4, "nvme0n5", "ng0n5", 5),
    ] {
        machine.namespace("nvme0", block, of(minor).0, id);
        machine.generic("nvme0", generic, of(minor).1, id);
    }
    machine.generic("nvme0", "ng0n9", DevNum::new(240, 9), 9);
    machine.namespace("nvme1", "nvme9n1", DevNum::new(259, 9), 9);
    machine.mount("259:1", "/", "ext4", "/dev/nvme0n1");
    machine.carries("/dev/nvme0n3", &[carrying("xfs")]);
    machine.held("/dev/nvme0n4");
    machine.stack("dm-1", &["nvme0n5"]);
    machine.node("/dev/watchdog", NodeKind::Char, DevNum::new(10, 130));
    machine
}

#[test]
fn a_generic_device_is_as_free_as_the_block_device_of_its_namespace() {
    let answer = |target: &str, options: &[&str]| {
        check_write(Path::new(target), &permissions(options), &nvme().system())
            .map(|cleared| cleared.kind)
            .map_err(|error| (error.cause(), error.remedy()))
    };
    let refused = |cause: &str, remedy: &str| Err((cause.to_owned(), remedy.to_owned()));
    let blank = Ok(ClearedKind::Namespace(vec![]));
    let xfs = Ok(ClearedKind::Namespace(vec![carrying("xfs")]));
    let cases = [
        (
            "/dev/ng0n1",
            vec![],
            refused(
                "it is a character device, and no --destroy names it",
                "--destroy /dev/ng0n1 if you mean to destroy what is on it, or another target",
            ),
        ),
        ("/dev/ng0n1", vec!["/dev/ng0n1"], blank.clone()),
        ("/dev/ng0n1", vec!["/dev/nvme1n1"], blank),
        (
            "/dev/ng0n2",
            vec!["/dev/ng0n2"],
            refused("it is mounted on / (ext4)", "umount /, or another target"),
        ),
        (
            "/dev/ng0n3",
            vec!["/dev/ng0n3"],
            refused(
                "it carries xfs, which --destroy does not name",
                "--destroy /dev/ng0n3=xfs if you mean to destroy what is on it, or another target",
            ),
        ),
        ("/dev/ng0n3", vec!["/dev/ng0n3=xfs"], xfs.clone()),
        ("/dev/ng0n3", vec!["/dev/nvme0n3=xfs"], xfs),
        (
            "/dev/ng0n4",
            vec!["/dev/ng0n4"],
            refused(
                "the kernel reports that another program holds it exclusively",
                "end its use (a pool, another mount name space, a program that claimed it), or \
                 another target",
            ),
        ),
        (
            "/dev/ng0n5",
            vec!["/dev/ng0n5"],
            refused(
                "it is part of /dev/dm-1 (lvm)",
                "take /dev/ng0n5 out of /dev/dm-1 first, or another target",
            ),
        ),
        (
            "/dev/ng0n9",
            vec!["/dev/ng0n9"],
            refused(
                "the kernel has no block device for its namespace 9, so it cannot be examined",
                "another target",
            ),
        ),
        (
            "/dev/watchdog",
            vec!["/dev/watchdog"],
            Ok(ClearedKind::CharDevice),
        ),
    ];
    for (target, options, expected) in cases {
        assert_eq!(answer(target, &options), expected, "{target} {options:?}");
    }
}

#[test]
fn what_lies_under_a_generic_device_is_the_block_device() {
    let under = |path: &str| crate::Topology::of_path(&nvme().system(), Path::new(path)).unwrap();
    let names = |path: &str| {
        let topology = under(path);
        let leaves = topology.leaves();
        leaves
            .iter()
            .map(|leaf| leaf.name.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(names("/dev/ng0n1"), ["nvme1n1"]);
    assert_eq!(names("/dev/ng0n9"), Vec::<String>::new());
}

#[test]
fn a_disk_of_which_nothing_shows_who_uses_it_is_never_written() {
    let mut machine = machine();
    machine.hides_users();
    machine.link("/data/link", "/dev/sdc");
    let system = machine.system();
    // The name of a disk that is missing, a device, and a link to it.
    for target in [r"\\.\PhysicalDrive9", "/dev/sdc", "/data/link"] {
        for options in [&[][..], &["--overwrite"], &[target]] {
            let found = check_write(Path::new(target), &permissions(options), &system);
            let expected = format!(
                "cannot open {target} for writing: it is a disk or a volume. The guard that \
                 protects its contents has not been proved on this system; try a load that only \
                 reads, a file on the disk, or a Linux host"
            );
            assert_eq!(found.unwrap_err().to_string(), expected);
        }
    }
    let file = check_write(Path::new("/data/ours"), &permissions(&[]), &system);
    assert_eq!(file.unwrap().kind, ClearedKind::OwnFile);
}
