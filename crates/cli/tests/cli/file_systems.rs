//! File systems that compress, share, copy and scatter, as the real kernel has them: more rows of
//! the fixture matrix. Each lies on a loop device of the test's own.

use crate::kernel::{MIB, codes, filled, load, of_the_storage};
use crate::privileged::{FileSystem, Mounted, is_root};
use fathom_testing::skip;
use fathom_verdict::Code;
use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

/// Loads, files, and the codes of the storage that they have.
type Case<'a> = (String, &'a str, &'a [Code]);

fn check(folder: &Path, cases: &[Case<'_>]) {
    for (load, name, expected) in cases {
        let codes = codes(load, &folder.join(name), None);
        let title = load.lines().next().unwrap_or_default();
        assert_eq!(of_the_storage(&codes), *expected, "{name}, {title}");
    }
}

fn loads() -> [String; 2] {
    [load("reads", 100, true), load("writes", 0, true)]
}

/// A file that shares all that it has with another one.
fn cloned(from: &Path, to: &Path) {
    let (from, to) = (File::open(from), File::create(to));
    let to = to.expect("a file");
    rustix::fs::ioctl_ficlone(&to, from.expect("a file")).expect("it can be cloned");
    to.sync_all().expect("it is on the device");
}

/// Since Linux 6.14 btrfs takes direct writes to files with checksums through the page cache.
fn copies_direct_writes() -> bool {
    let uname = rustix::system::uname();
    let release = uname.release().to_string_lossy();
    let mut numbers = release.split(['.', '-']).map(str::parse::<u32>);
    let mut next = || numbers.next().and_then(Result::ok);
    next().zip(next()) >= Some((6, 14))
}

#[test]
fn btrfs_compresses_copies_and_shares() {
    if !is_root("a file system on a loop device") {
        return;
    }
    let Some(system) = FileSystem::btrfs(320 * MIB, "compress-force=zstd") else {
        return;
    };
    let at = |name: &str| system.path().join(name);
    let small = File::create(at("compressed")).expect("a file");
    let content = vec![b'f'; 16 << 20];
    small.write_all_at(&content, 0).expect("there is room");
    small.sync_all().expect("it is on the device");
    filled(&at("plain"), 16 * MIB);
    filled(&at("own"), 16 * MIB);
    cloned(&at("plain"), &at("clone"));
    let [reads, writes] = loads();
    let through_the_cache: &[Code] = if copies_direct_writes() {
        &[Code::DirectFallback]
    } else {
        &[]
    };
    check(
        system.path(),
        &[
            // What is compressed is read through the page cache, where it still is.
            (
                reads.clone(),
                "compressed",
                &[Code::CacheReads, Code::DirectFallback, Code::EncodedExtents],
            ),
            (reads.clone(), "plain", &[]),
            (reads, "clone", &[]),
            (
                writes.clone(),
                "clone",
                &[through_the_cache, &[Code::SharedExtents]].concat(),
            ),
            (writes, "own", through_the_cache),
        ],
    );
}

/// Without checksums direct writes are direct, and stay where they are.
#[test]
fn btrfs_without_copies() {
    if !is_root("a file system on a loop device") {
        return;
    }
    let Some(system) = FileSystem::btrfs(320 * MIB, "nodatacow") else {
        return;
    };
    filled(&system.path().join("plain"), 16 * MIB);
    let [reads, writes] = loads();
    check(
        system.path(),
        &[(reads, "plain", &[]), (writes, "plain", &[])],
    );
}

#[test]
fn xfs_shares_what_is_cloned() {
    if !is_root("a file system on a loop device") {
        return;
    }
    let Some(system) = FileSystem::xfs(320 * MIB) else {
        return;
    };
    filled(&system.path().join("plain"), 16 * MIB);
    cloned(&system.path().join("plain"), &system.path().join("clone"));
    let [reads, writes] = loads();
    check(
        system.path(),
        &[
            (reads.clone(), "clone", &[]),
            (writes.clone(), "clone", &[Code::SharedExtents]),
        ],
    );
}

/// A file whose every other block was written again, which btrfs puts elsewhere.
#[test]
fn a_file_in_many_pieces_is_no_sequence() {
    if !is_root("a file system on a loop device") {
        return;
    }
    let Some(system) = FileSystem::btrfs(320 * MIB, "rw") else {
        return;
    };
    let path = system.path().join("scattered");
    filled(&path, 16 * MIB);
    let file = OpenOptions::new().write(true).open(&path).expect("a file");
    for offset in (0..16 * MIB).step_by(8192) {
        file.write_all_at(&[b'f'; 4096], offset).expect("room");
    }
    file.sync_all().expect("it is on the device");
    let at_random = load("reads", 100, true);
    let in_order = at_random.replace("random = 100", "random = 0");
    check(
        system.path(),
        &[
            // Each request meets four pieces.
            (at_random, "scattered", &[Code::Split]),
            (in_order, "scattered", &[Code::Fragmented, Code::Split]),
        ],
    );
}

/// An overlay whose folders are all below `root`, with a file in it.
fn overlay_on(root: &Path) -> Option<Mounted> {
    let at = |name: &str| root.join(name).to_string_lossy().into_owned();
    for name in ["lower", "upper", "work"] {
        std::fs::create_dir(at(name)).expect("a folder");
    }
    let (lower, upper, work) = (at("lower"), at("upper"), at("work"));
    let options = format!("lowerdir={lower},upperdir={upper},workdir={work}");
    let overlay = Mounted::new("overlay", &options)?;
    filled(&overlay.path().join("file"), 16 * MIB);
    Some(overlay)
}

#[test]
fn an_overlay_in_memory() {
    if !is_root("mounting") {
        return;
    }
    let Some(memory) = Mounted::new("tmpfs", "size=64m") else {
        return;
    };
    let Some(overlay) = overlay_on(memory.path()) else {
        return;
    };
    let in_memory: &[Code] = &[Code::MemoryTarget, Code::NoDevice];
    let buffered = load("reads", 100, false);
    check(overlay.path(), &[(buffered, "file", in_memory)]);
    // Older kernels refuse direct I/O there at once.
    let mut direct = OpenOptions::new();
    let direct = std::os::unix::fs::OpenOptionsExt::custom_flags(
        direct.read(true),
        i32::try_from(rustix::fs::OFlags::DIRECT.bits()).expect("it fits"),
    );
    if direct.open(overlay.path().join("file")).is_err() {
        skip("there is no direct I/O to an overlay in memory");
        return;
    }
    let fallen_back: &[Code] = &[Code::DirectFallback, Code::MemoryTarget, Code::NoDevice];
    check(overlay.path(), &[(loads()[0].clone(), "file", fallen_back)]);
}

/// An overlay on a device is that device's.
#[test]
fn an_overlay_on_a_device() {
    if !is_root("mounting") {
        return;
    }
    let Some(system) = FileSystem::ext4(96 * MIB) else {
        return;
    };
    let Some(overlay) = overlay_on(system.path()) else {
        return;
    };
    let [reads, writes] = loads();
    check(
        overlay.path(),
        &[(reads, "file", &[]), (writes, "file", &[])],
    );
}
