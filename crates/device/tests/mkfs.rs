//! What the tools of this machine make, in files: all that `wipefs` finds in it is found here, and
//! nothing else. Tools that are not installed are skipped by name.
#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]
#![expect(clippy::unwrap_used, reason = "a test's helpers are tests too")]

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use fathom_device::signature::{Extent, canonical_name, detect};

/// A way to make something: its words, where `IMAGE`, `DIR`, `OTHER` and `KEY` stand for a file, a
/// folder with a file in it, a second file, and one with a passphrase.
const RECIPES: &[&str] = &[
    "mkfs.ext2 -q -F IMAGE",
    "mkfs.ext3 -q -F IMAGE",
    "mkfs.ext4 -q -F IMAGE",
    "mke2fs -q -F -O journal_dev IMAGE",
    "mkfs.xfs -q IMAGE",
    "mkfs.btrfs -q IMAGE",
    "mkfs.f2fs -q IMAGE",
    "mkfs.vfat IMAGE",
    "mkfs.vfat -F 32 IMAGE",
    "mkfs.exfat IMAGE",
    "mkfs.ntfs -q -F -f IMAGE",
    "mkfs.minix IMAGE",
    "mkfs.minix -2 IMAGE",
    "mkfs.minix -3 IMAGE",
    "mkfs.bfs -N 100 IMAGE",
    "mkfs.cramfs DIR IMAGE",
    "mkfs.cramfs -N big DIR IMAGE",
    "mkfs.jfs -q IMAGE",
    "mkfs.nilfs2 -q IMAGE",
    "mkfs.reiserfs -q -ff IMAGE",
    "mkfs.reiser4 -y -f IMAGE",
    "mkfs.gfs2 -O -q -p lock_nolock -j 1 IMAGE",
    "mkfs.ocfs2 -q -F -x -M local IMAGE",
    "mkudffs IMAGE",
    "mkudffs --media-type=dvdram IMAGE",
    "mkfs.ubifs -r DIR -m 2048 -e 126976 -c 100 -o IMAGE",
    "hformat IMAGE",
    "mkapfs IMAGE",
    "genromfs -f IMAGE -d DIR",
    "mksquashfs DIR IMAGE -noappend -quiet",
    "mkfs.erofs IMAGE DIR",
    "genisoimage -quiet -o IMAGE DIR",
    "genisoimage -quiet -udf -o IMAGE DIR",
    "makefs -t ffs -s 64m IMAGE DIR",
    "makefs -t ffs -B be -o version=2 -s 64m IMAGE DIR",
    "mkswap -q IMAGE",
    "cryptsetup luksFormat -q --type luks1 --pbkdf-force-iterations 1000 IMAGE KEY",
    "cryptsetup luksFormat -q --type luks2 --pbkdf pbkdf2 --pbkdf-force-iterations 1000 IMAGE KEY",
    "veritysetup format OTHER IMAGE",
    "make-bcache -B IMAGE",
    "make-bcache -C IMAGE",
    "sfdisk -q -X dos IMAGE",
    "sfdisk -q -X gpt IMAGE",
    "sfdisk -q -X sgi IMAGE",
    "sfdisk -q -X sun IMAGE",
    "drbdmeta --force 0 v08 IMAGE internal create-md",
    "drbdmeta --force 0 v09 IMAGE internal create-md 1",
];

const SIZE_BYTES: u64 = 512 << 20;

#[test]
fn all_that_tools_make_is_found() {
    let (mut skipped, mut strange) = (Vec::new(), Vec::new());
    for recipe in RECIPES {
        match signatures(recipe) {
            Ok((theirs, ours)) if theirs == ours => {}
            Ok((theirs, ours)) => strange.push(format!("{recipe}: {theirs:?}, not {ours:?}")),
            Err(reason) => skipped.push(format!("{recipe}: {reason}")),
        }
    }
    eprintln!(
        "skipped {} of {}: {skipped:#?}",
        skipped.len(),
        RECIPES.len()
    );
    assert_eq!(strange, [""; 0]);
}

/// What wipefs and what we find in what a recipe makes, or why it makes nothing.
fn signatures(recipe: &str) -> Result<(BTreeSet<&'static str>, BTreeSet<&'static str>), String> {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    for name in ["IMAGE", "OTHER"] {
        File::create(place(name))
            .unwrap()
            .set_len(SIZE_BYTES)
            .unwrap();
    }
    fs::create_dir(place("DIR")).unwrap();
    fs::write(place("DIR").join("file"), "content").unwrap();
    fs::write(place("KEY"), "passphrase").unwrap();
    let mut words = recipe.split(' ').map(|word| match word {
        "IMAGE" | "OTHER" | "DIR" | "KEY" => place(word).to_string_lossy().into_owned(),
        other => other.to_owned(),
    });
    let program = words.next().unwrap();
    let mut command = Command::new(&program);
    command.args(words).current_dir(folder.path());
    run(&mut command, ",,L\n")?;
    let image = place("IMAGE");
    let listed = run(
        Command::new("wipefs")
            .args(["--no-act", "--noheadings", "--output", "TYPE"])
            .arg(&image),
        "",
    )?;
    // The record that protects a GPT is a part of that.
    let names = listed.split_whitespace().filter(|name| *name != "PMBR");
    let mut theirs: BTreeSet<_> = names
        .map(|name| canonical_name(name).unwrap_or_else(|| panic!("{name} has no name here")))
        .collect();
    // The end of a boot sector alone is no table.
    if ["exfat", "ntfs", "vfat"]
        .iter()
        .any(|one| theirs.contains(one))
    {
        theirs.remove("mbr");
    }
    if theirs.is_empty() {
        return Err("wipefs does not know it".to_owned());
    }
    let mut ours = ours(&image);
    // A bridge between the two has both, of which wipefs names one.
    if theirs.contains("udf") {
        ours.remove("iso9660");
    }
    Ok((theirs, ours))
}

fn ours(image: &Path) -> BTreeSet<&'static str> {
    let file = File::open(image).unwrap();
    let found = detect(&file, Extent::whole(file.metadata().unwrap().len())).unwrap();
    found.iter().map(|signature| signature.name).collect()
}

fn run(command: &mut Command, input: &str) -> Result<String, String> {
    let path = std::env::var("PATH").unwrap_or_default();
    let spawned = command
        .env("PATH", format!("{path}:/usr/sbin:/sbin"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = spawned.map_err(|error| error.to_string())?;
    // A tool that reads nothing has closed its end.
    let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes());
    let output = child.wait_with_output().unwrap();
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
    }
}
