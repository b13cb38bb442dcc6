//! What the kernel unpacks into memory and starts from.

use std::fs;
use std::process::Command;

use anyhow::{Context as _, Result};
use fathom_image::slot;

use super::library;
use super::modules;
use super::packages::{Kernel, Packages};
use super::tree::Tree;
use crate::dist::{program, tarball};
use crate::sources;

/// Programs that load libraries.
const PROGRAMS: [&str; 6] = [
    "usr/bin/scp",
    "usr/bin/sftp",
    "usr/bin/ssh",
    "usr/bin/ssh-keygen",
    "usr/sbin/nvme",
    "usr/sbin/smartctl",
];

/// How small it is made: more takes much longer, and gains little.
const LEVEL: u32 = 12;

/// Everything in it, and `more` folders of drivers.
pub fn tree(packages: &Packages, kernel: &Kernel, binary: Vec<u8>, more: &[&str]) -> Result<Tree> {
    let mut tree = Tree::default();
    for folder in [
        "dev",
        "etc",
        "media",
        "mnt",
        "proc",
        "root",
        "root/.ssh",
        "run",
        "sys",
        "tmp",
        "var/lib/fathom",
    ] {
        tree.folder(folder);
    }
    // Programs look for others in these, which are one here.
    for (path, to) in [
        ("sbin", "bin"),
        ("usr/bin", "../bin"),
        ("usr/sbin", "../bin"),
    ] {
        tree.link(path, to);
    }
    busybox(&mut tree, packages)?;
    for program in PROGRAMS {
        library::add(&mut tree, packages, program)?;
    }
    tree.file("bin/fathom", 0o755, binary);
    modules::add(&mut tree, kernel, more)?;
    let assets = sources::root().join("xtask/image");
    tree.file("init", 0o755, fs::read(assets.join("init"))?);
    tree.file("etc/fathom/udhcpc", 0o755, fs::read(assets.join("udhcpc"))?);
    // The program asks for it before it does what only a machine of this kind should do.
    tree.file("etc/fathom/live-image", 0o644, Vec::new());
    for (path, text) in [
        ("etc/passwd", "root:x:0:0:root:/root:/bin/sh\n"),
        ("etc/group", "root:x:0:\n"),
        ("etc/hosts", "127.0.0.1 localhost\n::1 localhost\n"),
        (
            "etc/nsswitch.conf",
            "passwd: files\ngroup: files\nhosts: files dns\n",
        ),
    ] {
        tree.file(path, 0o644, text.as_bytes().to_vec());
    }
    let authorities = authorities(packages)?;
    tree.file("etc/ssl/certs/ca-certificates.crt", 0o644, authorities);
    Ok(tree)
}

/// One program of many names.
fn busybox(tree: &mut Tree, packages: &Packages) -> Result<()> {
    let file = packages.file("bin/busybox")?;
    let names = program::text(Command::new(&file).arg("--list"))?;
    for name in names.lines().filter(|name| *name != "busybox") {
        tree.link(&format!("bin/{name}"), "busybox");
    }
    tree.file("bin/busybox", 0o755, fs::read(&file)?);
    Ok(())
}

/// The certificates that Debian trusts, in order of their names.
fn authorities(packages: &Packages) -> Result<Vec<u8>> {
    let folder = packages.file("usr/share/ca-certificates/mozilla")?;
    let mut files: Vec<_> = fs::read_dir(&folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.sort();
    let mut all = Vec::new();
    for file in files {
        all.extend(fs::read(&file).with_context(|| file.display().to_string())?);
    }
    Ok(all)
}

/// Compressed, with the room for a site behind it. Where one ends and the other begins, the kernel
/// counts in words.
pub(super) fn pack(tree: &Tree, epoch_s: u64) -> Result<Vec<u8>> {
    let mut bytes = tarball::zstd(&tree.pack(epoch_s), LEVEL)?;
    bytes.resize(bytes.len().next_multiple_of(512), 0);
    bytes.extend(slot::empty());
    Ok(bytes)
}
