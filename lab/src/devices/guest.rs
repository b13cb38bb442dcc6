//! The guest: built once, and started until every experiment has had its turn.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use fathom_image::Archive;

use super::experiment::Experiment;
use super::{Left, namespaces, nvme, served};
use xtask::image::{self, Packages, Tree};
use xtask::metadata;
use xtask::sources;

/// Programs of Debian that make devices, in addition to those of the live image.
const PROGRAMS: [(&str, &str); 9] = [
    ("bcache-tools", "usr/sbin/make-bcache"),
    ("dmsetup", "sbin/dmsetup"),
    ("e2fsprogs", "sbin/mke2fs"),
    ("lvm2", "sbin/lvm"),
    ("mdadm", "sbin/mdadm"),
    ("nbd-client", "sbin/nbd-client"),
    ("nbd-server", "bin/nbd-server"),
    ("util-linux", "sbin/blkzone"),
    ("util-linux", "usr/bin/unshare"),
];

/// The libraries of these programs.
const LIBRARIES: [&str; 19] = [
    "libaio1",
    "libblkid1",
    "libdevmapper1.02.1",
    "libdevmapper-event1.02.1",
    "libext2fs2",
    "libffi8",
    "libglib2.0-0",
    "libgmp10",
    "libgnutls30",
    "libhogweed6",
    "libidn2-0",
    "libnettle8",
    "libnl-3-200",
    "libnl-genl-3-200",
    "libp11-kit0",
    "libtasn1-6",
    "libudev1",
    "libunistring2",
    "libuuid1",
];

/// Drivers that the live image has no use for: of servers, and what they and a compressed memory
/// disk ask the kernel for by name.
const DRIVERS: [&str; 7] = [
    "crypto/lzo",
    "crypto/md5",
    "crypto/sha256",
    "drivers/nvme/target/",
    "fs/nfs/",
    "fs/nfsd/",
    "net/sunrpc/",
];

/// Files of `lab/guest`, and where they are in it.
const FILES: [(&str, &str, u32); 4] = [
    ("init", "init", 0o755),
    ("clear", "clear", 0o644),
    ("stack", "stack", 0o644),
    ("lvm.conf", "etc/lvm/lvm.conf", 0o644),
];

/// Room for the archives that the guest leaves.
const ANSWER_BYTES: u64 = 64 << 20;

/// Seconds that a guest has in addition to those of its experiments: to come up and to go.
const START_S: u32 = 120;

/// Seconds that each experiment has for being taken down, in addition to its own.
const CLEAR_S: u32 = 90;

const MEMORY_MIB: &str = "1024";

/// The command line of the kernel. It would panic where the timer of a guest that waits for a
/// processor comes late.
const OPTIONS: &str = "quiet panic=5 no_timer_check console=ttyS0";

/// What stands before the name of an experiment on the console.
const TURN: &str = "lab: ";

/// Kernel and first file system, without the experiments.
pub(super) struct Guest<'a> {
    kernel: PathBuf,
    system: Vec<u8>,
    place: &'a Path,
}

impl<'a> Guest<'a> {
    /// The live image's own, with what makes devices.
    pub(super) fn build(binary: &Path, chosen: &[&Experiment], place: &'a Path) -> Result<Self> {
        let target = metadata::members()?.target_directory.join("image");
        let more: Vec<&str> = PROGRAMS
            .iter()
            .map(|(package, _)| *package)
            .chain(LIBRARIES)
            .collect();
        let packages = Packages::gather(&target, &more)?;
        let kernel = packages.kernel()?;
        let mut tree: Tree = image::tree(&packages, &kernel, fs::read(binary)?, &DRIVERS)?;
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
        for (name, path, mode) in FILES {
            let text = fs::read(sources::root().join("lab/guest").join(name))?;
            tree.file(path, mode, text);
        }
        Ok(Self {
            kernel: kernel.image,
            system: tree.pack(0),
            place,
        })
    }

    /// Runs these one after another: what each left. One that brought its guest down left what the
    /// guest's console had;
    /// those after it, and after one that could not be taken down, are run in another.
    pub(super) fn run(&self, chosen: &[&Experiment]) -> Result<BTreeMap<String, Left>> {
        let mut left = BTreeMap::new();
        let mut rest = chosen;
        while !rest.is_empty() {
            let answers = self.start(rest)?;
            rest = after(rest, &answers);
            left.extend(answers);
        }
        Ok(left)
    }

    /// Runs a guest until it is off, and reads what it left.
    fn start(&self, chosen: &[&Experiment]) -> Result<BTreeMap<String, Left>> {
        // Not compressed: it is unpacked once, and emulated.
        let mut bytes = self.system.clone();
        bytes.extend(experiments(chosen));
        let initrd = self.place.join("initrd");
        fs::write(&initrd, bytes)?;
        let disk = self.place.join("answer");
        fs::File::create(&disk)?.set_len(ANSWER_BYTES)?;
        let drive = format!("if=none,id=answer,format=raw,file={}", disk.display());
        let limits = chosen.iter().map(|one| one.limit_s + CLEAR_S);
        let patience_s = START_S + limits.sum::<u32>();
        let mut command = Command::new("timeout");
        command
            .arg(patience_s.to_string())
            .args(["qemu-system-x86_64", "-accel", "tcg", "-cpu", "max"])
            .args(["-smp", "1", "-m", MEMORY_MIB, "-nographic", "-no-reboot"])
            .args(["-monitor", "none", "-serial", "stdio", "-nic", "none"])
            .args(["-drive", &drive])
            .args(["-device", "virtio-blk-pci,drive=answer"])
            .args(namespaces::arguments(self.place)?)
            .args(served::arguments(chosen, self.place)?)
            .arg("-kernel")
            .arg(&self.kernel)
            .arg("-initrd")
            .arg(&initrd)
            .args(["-append", OPTIONS])
            .stdin(Stdio::null());
        let output = command.output().context("cannot run timeout")?;
        let console = String::from_utf8_lossy(&output.stdout);
        ensure!(
            console.contains(TURN),
            "the guest did not come up: {}; its console:\n{console}",
            String::from_utf8_lossy(&output.stderr)
        );
        let mut left = answers(fs::File::open(&disk)?)?;
        let has_ended = |one: &&&Experiment| left.get(one.name).is_some_and(Experiment::has_ended);
        if let Some(one) = chosen.iter().find(|one| !has_ended(one)) {
            // All that there is of one that brought its guest down.
            let files = left.entry(one.name.to_owned()).or_default();
            files.insert("console".to_owned(), output.stdout);
        }
        Ok(left)
    }
}

/// Those that are left to be run: without the first that left nothing, unless the one before it
/// left something standing, for which its guest was given up.
fn after<'a, 'b>(
    chosen: &'a [&'b Experiment],
    left: &BTreeMap<String, Left>,
) -> &'a [&'b Experiment] {
    let of = |one: &&Experiment| {
        left.get(one.name)
            .filter(|files| Experiment::has_ended(files))
    };
    let done = chosen.iter().map_while(of).count();
    let last = done.checked_sub(1).and_then(|last| of(&chosen[last]));
    let given_up = last.is_some_and(|files| !Experiment::standing(files).is_empty());
    let done = if given_up { done } else { done + 1 };
    chosen.get(done..).unwrap_or_default()
}

/// The scripts, and in which order they are run for how long.
fn experiments(chosen: &[&Experiment]) -> Vec<u8> {
    let mut archive = Archive::new(0);
    archive.folder("lab", 0o755);
    for one in chosen {
        let path = format!("lab/{}.sh", one.name);
        archive.file(&path, 0o644, one.script.as_bytes());
    }
    let order: Vec<String> = chosen
        .iter()
        .map(|one| format!("{} {}\n", one.name, one.limit_s))
        .collect();
    let order = order.concat();
    archive.file("lab/order", 0o644, order.as_bytes());
    archive.finish()
}

/// The archives on the disk, one behind another, up to the first that is cut short.
fn answers(disk: impl std::io::Read) -> Result<BTreeMap<String, Left>> {
    let mut left: BTreeMap<String, Left> = BTreeMap::new();
    let mut archive = tar::Archive::new(disk);
    archive.set_ignore_zeros(true);
    for entry in archive.entries()? {
        let Ok(mut entry) = entry else {
            break;
        };
        let path = entry.path()?.into_owned();
        let mut parts = path.iter().filter_map(|part| part.to_str());
        let (Some(name), Some(file)) = (parts.next(), parts.next()) else {
            continue;
        };
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut entry, &mut bytes)?;
        let files = left.entry(name.to_owned()).or_default();
        files.insert(file.to_owned(), bytes);
    }
    Ok(left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::experiment::EXPERIMENTS;

    fn ended() -> Left {
        Left::from([("status".to_owned(), b"0\n".to_vec())])
    }

    #[test]
    fn those_after_one_that_brought_its_guest_down_are_run_in_another() {
        let all: Vec<&Experiment> = EXPERIMENTS.iter().take(3).collect();
        let names = |left: &[&str]| -> Vec<&str> {
            let left = left.iter().map(|name| ((*name).to_owned(), ended()));
            let rest = after(&all, &left.collect());
            rest.iter().map(|one| one.name).collect()
        };
        let [first, second, third] = [all[0].name, all[1].name, all[2].name];
        assert_eq!(names(&[]), [second, third]);
        assert_eq!(names(&[first]), [third]);
        assert_eq!(names(&[first, second]), [""; 0]);
        assert_eq!(names(&[first, second, third]), [""; 0]);
        let begun = BTreeMap::from([(first.to_owned(), Left::new())]);
        assert_eq!(after(&all, &begun).len(), 2);
        let mut standing = ended();
        standing.insert("left".to_owned(), b"nullb0\n".to_vec());
        let given_up = BTreeMap::from([(first.to_owned(), standing)]);
        assert_eq!(after(&all, &given_up).len(), 2);
    }

    #[test]
    fn archives_are_read_up_to_one_that_is_cut_short() {
        let mut disk = Vec::new();
        for (name, text) in [("one", "1"), ("two", "2"), ("three", "3")] {
            let mut archive = tar::Builder::new(Vec::new());
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            header.set_mode(0o644);
            header.set_cksum();
            let path = format!("{name}/status");
            archive
                .append_data(&mut header, path, text.as_bytes())
                .unwrap();
            disk.extend(archive.into_inner().unwrap());
        }
        disk.resize(disk.len() + 4096, 0);
        let read = |disk: &[u8]| -> Vec<String> { answers(disk).unwrap().into_keys().collect() };
        assert_eq!(read(&disk), ["one", "three", "two"]);
        let third = 2 * (512 + 512 + 1024);
        assert_eq!(read(&disk[..third + 100]), ["one", "two"]);
        disk[third] ^= 0xff;
        assert_eq!(read(&disk), ["one", "two"]);
    }
}
