//! With a list of what may be written on this host.

use std::sync::Arc;

use super::*;
use crate::guard::AllowList;

const LIST: &str = "device B1 gpt+vfat+ext4\ndevice C1 xfs\ndevice D1 ext4\n\
                    device TWIN empty\nfolder /data/dir\noverwrite /data/scratch\n";

/// The answer on a host with this list, where sdc carries something.
fn answer(target: &str, options: &[&str], carried: &[Signature]) -> Result<ClearedKind, String> {
    let mut machine = machine();
    machine.disk("sdm", DevNum::new(8, 192), 1000);
    machine.disk("sdn", DevNum::new(8, 208), 1000);
    for (disk, serial) in [
        ("sdb", "B1"),
        ("sdc", "C1"),
        ("sdd", "D1"),
        ("sdm", "TWIN"),
        ("sdn", "TWIN"),
    ] {
        machine.attribute(disk, "serial", serial);
    }
    machine.carries("/dev/sdc", carried);
    machine.directory("/data/scratch", "252:0", 60);
    for (inode, name) in (61..).zip(["dir/theirs", "dir/ours", "scratch/theirs"]) {
        machine.file(&format!("/data/{name}"), "252:0", inode);
    }
    machine.file("/data/theirs-too", "252:0", 64);
    machine.file("/data/scratch/linked", "252:0", 64);
    machine.file("/data/dir/linked", "252:0", 62);
    machine.marked("/data/dir/ours");
    machine.marked("/data/dir/linked");
    let list = AllowList::read(Path::new("/etc/allow"), LIST).expect("a list");
    let permissions = Permissions {
        allow: Some(Arc::new(list)),
        ..permissions(options)
    };
    check_write(Path::new(target), &permissions, &machine.system())
        .map(|cleared| cleared.kind)
        .map_err(|error| error.cause())
}

/// What the list of the host allows, whatever the options say.
#[test]
fn a_list_allows_what_it_names_and_nothing_else() {
    let refused = |cause: &str| Err(cause.to_owned());
    let unlisted = || refused("the allow-list /etc/allow does not name it");
    let full = ["gpt", "vfat", "ext4"].map(carrying).to_vec();
    for (target, options, carried, expected) in [
        (
            "/dev/sdb",
            &[][..],
            "",
            Ok(ClearedKind::BlockDevice(full.clone())),
        ),
        // What the list expected is gone: nothing is lost.
        ("/dev/sdc", &[], "", Ok(ClearedKind::BlockDevice(vec![]))),
        (
            "/dev/sdc",
            &["/dev/sdc=ext4"],
            "ext4",
            refused("/etc/allow says that it carries xfs, but it carries ext4"),
        ),
        // A partition has no serial number, and its disk is named as a whole.
        ("/dev/sdb2", &["/dev/sdb2=ext4"], "", unlisted()),
        ("/dev/sdm", &["/dev/sdm"], "", unlisted()),
        (
            "/dev/sdd",
            &[],
            "",
            refused("it is mounted on /mnt (ext4); it is shown by /dev/loop4"),
        ),
        ("/data/dir/new", &[], "", Ok(ClearedKind::NewFile)),
        ("/data/dir/ours", &[], "", Ok(ClearedKind::OwnFile)),
        (
            "/data/dir/theirs",
            &["--overwrite"],
            "",
            Ok(ClearedKind::ForeignFile),
        ),
        (
            "/data/scratch/theirs",
            &[],
            "",
            Ok(ClearedKind::ForeignFile),
        ),
        // A second name may be outside of what the list allows; that of a file of ours is not.
        (
            "/data/scratch/linked",
            &["--overwrite"],
            "",
            refused(
                "the file has 2 names (hard links), and the others may be outside of the folders \
                 that the allow-list names",
            ),
        ),
        ("/data/dir/linked", &[], "", Ok(ClearedKind::OwnFile)),
        ("/data/new", &[], "", unlisted()),
        ("/data/ours", &[], "", unlisted()),
        ("/data/theirs", &["--overwrite"], "", unlisted()),
        ("/dev/null", &[], "", Ok(ClearedKind::CharDevice)),
        ("/dev/tty", &["/dev/tty"], "", unlisted()),
    ] {
        let carried: Vec<Signature> = match carried {
            "ext4" => vec![carrying("ext4")],
            _ => Vec::new(),
        };
        let found = answer(target, options, &carried);
        assert_eq!(found, expected, "{target} {options:?}");
    }
    let said = answer("/data/dir/theirs", &[], &[]).expect_err("somebody's");
    assert!(said.starts_with("the file exists"), "{said}");
}
