//! Files, and what is neither file nor device.

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::siege::fathom::Fathom;
use crate::siege::lab::Made;
use crate::siege::lab::contents::{DEVICE, EXT4, MIB, database as sqlite, image, noise};
use crate::siege::lab::devices::{LoopDevice, Mount, Swap, on};

fn plain(path: PathBuf, bytes: &[u8]) -> Result<Made> {
    fs::write(&path, bytes)?;
    Ok(Made::of(&path).watch(path))
}

pub(crate) fn foreign(folder: &Path, _: &Fathom) -> Result<Made> {
    plain(folder.join("accounts.xlsx"), &noise(21, 2 * MIB))
}

pub(crate) fn foreign_read_only(folder: &Path, fathom: &Fathom) -> Result<Made> {
    let made = foreign(folder, fathom)?;
    fs::set_permissions(&made.target, fs::Permissions::from_mode(0o444))?;
    Ok(made)
}

/// Takes the attribute away, without which the file cannot be removed.
struct Immutable(PathBuf);

impl Drop for Immutable {
    fn drop(&mut self) {
        if let Err(error) = on("chattr -i", &self.0) {
            eprintln!("warning: {} stays immutable: {error:#}", self.0.display());
        }
    }
}

pub(crate) fn immutable(folder: &Path, fathom: &Fathom) -> Result<Made> {
    let made = foreign(folder, fathom)?;
    on("chattr +i", &made.target)?;
    let immutable = Immutable(made.target.clone());
    Ok(made.guard(immutable))
}

pub(crate) fn in_memory(folder: &Path, _: &Fathom) -> Result<Made> {
    let place = folder.join("memory");
    let mount = Mount::new(Path::new("tmpfs"), "-t tmpfs -o size=16m", &place)?;
    Ok(plain(place.join("accounts.xlsx"), &noise(22, 2 * MIB))?.guard(mount))
}

/// A file that a run of the program made and kept.
fn kept(folder: &Path, fathom: &Fathom) -> Result<PathBuf> {
    let path = folder.join("fathom-data.dat");
    let words = "run random-write-4k --keep --size 1MiB --ios 64 --seed 9 --warm-up 0s \
                 --engine psync --no-save --quiet --output json:/dev/null --target";
    let words = words.split_whitespace().map(str::to_owned);
    let ended = fathom.call(words.chain([path.to_string_lossy().into_owned()]));
    let ended = ended.end()?;
    ensure!(
        ended.status == Some(0),
        "no file was kept: {}",
        ended.told()
    );
    Ok(path)
}

fn of_bytes(path: PathBuf) -> Made {
    Made::of(&path).watch(path)
}

pub(crate) fn own(folder: &Path, fathom: &Fathom) -> Result<Made> {
    Ok(of_bytes(kept(folder, fathom)?))
}

pub(crate) fn own_renamed(folder: &Path, fathom: &Fathom) -> Result<Made> {
    let name = folder.join("database.img");
    fs::rename(kept(folder, fathom)?, &name)?;
    Ok(of_bytes(name))
}

/// With all that `cp -a` copies, extended attributes too.
pub(crate) fn own_copied(folder: &Path, fathom: &Fathom) -> Result<Made> {
    let from = kept(folder, fathom)?;
    let name = folder.join("copy.dat");
    crate::siege::lab::devices::system("cp", &[Path::new("-a"), &from, &name])?;
    fs::remove_file(from)?;
    Ok(of_bytes(name))
}

/// Somebody made an image of it, under the name that it had.
pub(crate) fn own_with_file_system(folder: &Path, fathom: &Fathom) -> Result<Made> {
    let path = kept(folder, fathom)?;
    on(EXT4, &path)?;
    Ok(of_bytes(path))
}

pub(crate) fn hard_link(folder: &Path, fathom: &Fathom) -> Result<Made> {
    let made = foreign(folder, fathom)?;
    let second = folder.join("second-name");
    fs::hard_link(&made.target, &second)?;
    Ok(of_bytes(second).watch(&made.target))
}

pub(crate) fn link_to_foreign(folder: &Path, fathom: &Fathom) -> Result<Made> {
    let made = foreign(folder, fathom)?;
    let link = folder.join("link");
    symlink(&made.target, &link)?;
    Ok(Made::of(link).watch(&made.target))
}

/// As large as the loads that are put on it.
fn roomy(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.resize(2 * MIB, 0);
    bytes
}

pub(crate) fn database(folder: &Path, _: &Fathom) -> Result<Made> {
    plain(folder.join("app.db"), &roomy(sqlite(0x5349_4547)))
}

pub(crate) fn database_unnumbered(folder: &Path, _: &Fathom) -> Result<Made> {
    plain(folder.join("app.db"), &roomy(sqlite(0)))
}

pub(crate) fn history(folder: &Path, fathom: &Fathom) -> Result<Made> {
    let path = folder.join("history.db");
    let text = path.to_string_lossy().into_owned();
    let line = "run random-read-4k --engine sim --time 1s --quiet --output json:/dev/null --store";
    let words = line.split_whitespace().map(str::to_owned).chain([text]);
    let ended = fathom.call(words).end()?;
    ensure!(ended.status == Some(0), "no history: {}", ended.told());
    Ok(of_bytes(path))
}

pub(crate) fn backing_of_mounted(folder: &Path, _: &Fathom) -> Result<Made> {
    let device = LoopDevice::holding(folder, &image(folder, EXT4, DEVICE)?)?;
    let mount = Mount::new(&device.path, "-t ext4 -o noatime", &folder.join("mounted"))?;
    let made = Made::of(&device.backing).watch(&device.backing);
    Ok(made.watch(&device.path).guard(device).guard(mount))
}

pub(crate) fn backing_of_idle(folder: &Path, _: &Fathom) -> Result<Made> {
    let device = LoopDevice::holding(folder, &noise(23, DEVICE))?;
    let made = Made::of(&device.backing).watch(&device.backing);
    Ok(made.watch(&device.path).guard(device))
}

pub(crate) fn swap_file(folder: &Path, _: &Fathom) -> Result<Made> {
    let path = folder.join("swapfile");
    fs::write(&path, vec![0; DEVICE])?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
    File::open(&path)?.sync_all()?;
    let swap = Swap::on(&path)?;
    // The kernel swaps where it likes.
    Ok(Made::of(&path).watch_begin(&path, 4096).guard(swap))
}

pub(crate) fn dangling(folder: &Path, _: &Fathom) -> Result<Made> {
    let link = folder.join("link");
    symlink(folder.join("nothing"), &link)?;
    Ok(Made::of(link))
}

pub(crate) fn fifo(folder: &Path, _: &Fathom) -> Result<Made> {
    let path = folder.join("fifo");
    mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)?;
    Ok(Made::of(path))
}

pub(crate) fn socket(folder: &Path, _: &Fathom) -> Result<Made> {
    let path = folder.join("socket");
    let listener = UnixListener::bind(&path)?;
    Ok(Made::of(path).guard(listener))
}

pub(crate) fn directory(folder: &Path, _: &Fathom) -> Result<Made> {
    let place = folder.join("data");
    fs::create_dir(&place)?;
    let inside = place.join("accounts.xlsx");
    fs::write(&inside, noise(24, MIB))?;
    Ok(Made::of(place).watch(inside))
}

/// Harmless if it is written: the name of the process that does it.
#[expect(
    clippy::unnecessary_wraps,
    reason = "a line of the table, as the others"
)]
pub(crate) fn proc_file(_: &Path, _: &Fathom) -> Result<Made> {
    Ok(Made::of("/proc/self/comm"))
}

/// An attribute of a device of ours.
pub(crate) fn sys_file(folder: &Path, _: &Fathom) -> Result<Made> {
    let device = LoopDevice::empty(folder, DEVICE as u64)?;
    let path = PathBuf::from(format!("/sys/block/{}/queue/read_ahead_kb", device.name()));
    fs::metadata(&path).context("no such attribute")?;
    Ok(of_bytes(path).guard(device))
}

/// Removes what an attack should not have made.
struct NoLonger(PathBuf);

impl Drop for NoLonger {
    fn drop(&mut self) {
        // It should not be there, neither as a file nor as a folder.
        let _ = fs::remove_file(&self.0);
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "a line of the table, as the others"
)]
pub(crate) fn new_in_dev(_: &Path, _: &Fathom) -> Result<Made> {
    let path = PathBuf::from(format!("/dev/siege-{}", std::process::id()));
    Ok(of_bytes(path.clone()).guard(NoLonger(path)))
}

pub(crate) fn below_a_file(folder: &Path, fathom: &Fathom) -> Result<Made> {
    let made = foreign(folder, fathom)?;
    Ok(Made::of(made.target.join("below")).watch(&made.target))
}
