//! The laboratory: a guest of QEMU with devices of known truth, which the kernel of Debian has and
//! many others have not, and what Fathom sees of them.
//!
//! The guest is emulated, so nothing in it is fast, and times are only ever too long: a truth about
//! a time is that it is never less and, at its best, little more.

mod arrays;
mod durability;
mod experiment;
mod namespaces;
mod nvme;

mod zone_commands;
mod zoned;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};
use fathom_image::Archive;

use crate::dist::{Release, binary};
use crate::image::{self, Packages, Tree};
use crate::metadata;
use crate::sources;
use experiment::{EXPERIMENTS, Experiment};

/// Programs of Debian that make devices, beside those of the live image.
const PROGRAMS: [(&str, &str); 4] = [
    ("dmsetup", "sbin/dmsetup"),
    ("lvm2", "sbin/lvm"),
    ("mdadm", "sbin/mdadm"),
    ("util-linux", "sbin/blkzone"),
];

/// The libraries of these programs.
const LIBRARIES: [&str; 5] = [
    "libaio1",
    "libblkid1",
    "libdevmapper1.02.1",
    "libdevmapper-event1.02.1",
    "libudev1",
];

/// Room for the archive that the guest leaves.
const ANSWER_BYTES: u64 = 64 << 20;

/// Seconds after which a guest is ended.
const PATIENCE_S: &str = "400";

const MEMORY_MIB: &str = "1024";

/// What an experiment left: files by their names.
pub(crate) type Left = BTreeMap<String, Vec<u8>>;

/// `lab [--binary FILE] [EXPERIMENT…]` or `lab durability …`; true when all was seen as it is.
pub(crate) fn run(words: &[&str]) -> Result<bool> {
    if let ["durability", rest @ ..] = words {
        return durability::run(rest);
    }
    if !crate::dist::program::is_there("qemu-system-x86_64") {
        bail!("qemu-system-x86_64 is missing (package qemu-system-x86)");
    }
    let (given, names) = match words {
        ["--binary", file, rest @ ..] => (Some(Path::new(file)), rest),
        rest => (None, rest),
    };
    let all = || {
        EXPERIMENTS
            .iter()
            .chain(&nvme::EXPERIMENTS)
            .chain(&arrays::EXPERIMENTS)
            .chain(&zoned::EXPERIMENTS)
            .chain(&zone_commands::EXPERIMENTS)
    };
    for name in names {
        let is_known = all().any(|one| one.name == *name);
        ensure!(is_known, "there is no experiment {name}");
    }
    let wanted = |one: &&Experiment| names.is_empty() || names.contains(&one.name);
    let chosen: Vec<&Experiment> = all().filter(wanted).collect();
    let binary = match given {
        Some(file) => file.to_owned(),
        None => binary::build(&Release::of_head()?)?,
    };
    let place = tempfile::tempdir().context("cannot make a folder")?;
    let began = Instant::now();
    let (kernel, initrd) = guest(&binary, &chosen, place.path())?;
    println!("guest built in {} s", began.elapsed().as_secs());
    let began = Instant::now();
    let left = answers(&kernel, &initrd, place.path())?;
    println!("ran for {} s\n", began.elapsed().as_secs());
    let folder = metadata::members()?.target_directory.join("lab");
    fs::create_dir_all(&folder)?;
    println!("{:16} {:44} {:34} seen", "experiment", "truth", "tolerance");
    let mut is_good = true;
    let nothing = Left::new();
    for one in chosen {
        let files = left.get(one.name).unwrap_or(&nothing);
        let seen = one.seen(files);
        let (mark, text) = match &seen {
            Ok(text) => ("", text.clone()),
            Err(error) => ("WRONG: ", format!("{error:#}")),
        };
        is_good &= seen.is_ok();
        println!(
            "{:16} {:44} {:34} {mark}{text}",
            one.name, one.truth, one.tolerance
        );
        if let Some(said) = files.get("said") {
            fs::write(folder.join(format!("{}.txt", one.name)), said)?;
        }
    }
    println!("\nwhat each said is in {}", folder.display());
    Ok(is_good)
}

/// Kernel and initrd: the live image's own, with the experiments in an archive behind it.
fn guest(binary: &Path, chosen: &[&Experiment], place: &Path) -> Result<(PathBuf, PathBuf)> {
    let target = metadata::members()?.target_directory.join("image");
    let more: Vec<&str> = PROGRAMS
        .iter()
        .map(|(package, _)| *package)
        .chain(LIBRARIES)
        .collect();
    let packages = Packages::gather(&target, &more)?;
    let kernel = packages.kernel()?;
    let mut tree: Tree = image::tree(&packages, &kernel, fs::read(binary)?)?;
    image::add_libraries(&mut tree, &packages, binary)?;
    for (_, program) in PROGRAMS {
        image::add_program(&mut tree, &packages, program)?;
    }
    if chosen.iter().any(|one| one.name == nvme::CONTRACT) {
        let suite = nvme::suite()?;
        image::add_libraries(&mut tree, &packages, &suite)?;
        tree.file("bin/conformance", 0o755, fs::read(suite)?);
    }
    // busybox has a program of each of these names, or looks for it under them.
    for name in ["pvcreate", "vgcreate", "lvcreate", "vgchange"] {
        tree.link(&format!("bin/{name}"), "lvm");
    }
    let init = fs::read(sources::root().join("xtask/lab/init"))?;
    tree.file("init", 0o755, init);
    let mut bytes = tree.pack(0);
    let mut lab = Archive::new(0);
    lab.folder("lab", 0o755);
    for one in chosen {
        lab.file(
            &format!("lab/{}.sh", one.name),
            0o644,
            one.script.as_bytes(),
        );
    }
    bytes.extend(lab.finish());
    // Not compressed: it is unpacked once, and emulated.
    let initrd = place.join("initrd");
    fs::write(&initrd, bytes)?;
    Ok((kernel.image, initrd))
}

/// Runs the guest until it is off, and reads what it left.
fn answers(kernel: &Path, initrd: &Path, place: &Path) -> Result<BTreeMap<String, Left>> {
    let disk = place.join("answer");
    fs::File::create(&disk)?.set_len(ANSWER_BYTES)?;
    let drive = format!("if=none,id=answer,format=raw,file={}", disk.display());
    let mut command = Command::new("timeout");
    command
        .args([
            PATIENCE_S,
            "qemu-system-x86_64",
            "-accel",
            "tcg",
            "-cpu",
            "max",
            "-smp",
            "1",
        ])
        .args([
            "-m",
            MEMORY_MIB,
            "-nographic",
            "-no-reboot",
            "-monitor",
            "none",
        ])
        .args(["-serial", "stdio", "-nic", "none", "-drive", &drive])
        .args(["-device", "virtio-blk-pci,drive=answer"])
        .args(namespaces::arguments(place)?)
        .arg("-kernel")
        .arg(kernel)
        .arg("-initrd")
        .arg(initrd)
        .args(["-append", "quiet panic=5 console=ttyS0"])
        .stdin(Stdio::null());
    let output = command.output().context("cannot run timeout")?;
    let mut left: BTreeMap<String, Left> = BTreeMap::new();
    let mut archive = tar::Archive::new(fs::File::open(&disk)?);
    for entry in archive.entries()? {
        let told = || {
            let console = String::from_utf8_lossy(&output.stdout);
            format!("the guest left no archive; its console:\n{console}")
        };
        let mut entry = entry.with_context(told)?;
        let path = entry.path()?.into_owned();
        let mut parts = path.iter().filter_map(|part| part.to_str());
        let mut parts = parts.by_ref().filter(|part| *part != ".");
        let (Some(name), Some(file)) = (parts.next(), parts.next()) else {
            continue;
        };
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut entry, &mut bytes)?;
        let files = left.entry(name.to_owned()).or_default();
        files.insert(file.to_owned(), bytes);
    }
    ensure!(
        !left.is_empty(),
        "the guest left nothing; its console:\n{}",
        String::from_utf8_lossy(&output.stdout)
    );
    Ok(left)
}
