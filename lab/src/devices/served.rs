//! Disks that this machine serves to the guest, whose times depend on what was asked before.

use std::cell::Cell;
use std::collections::HashSet;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::experiment::Experiment;
use crate::nbd::{self, Storage};

/// The experiment that has a disk which keeps no block twice.
pub(super) const REPEATS: &str = "probe-repeats";

/// The experiment that has a disk which rests.
pub(super) const RESTS: &str = "wakeup";

const DISK_BYTES: u64 = 64 << 20;

/// The arguments of QEMU for the disks of these experiments: each has one alone, and finds it by
/// its serial number.
pub(super) fn arguments(chosen: &[&Experiment], place: &Path) -> Result<Vec<String>> {
    let mut words = Vec::new();
    for one in chosen {
        let medium = || -> io::Result<File> {
            let medium = tempfile::tempfile_in(place)?;
            medium.set_len(DISK_BYTES)?;
            Ok(medium)
        };
        let socket = place.join(format!("{}.socket", one.name));
        // That of an earlier guest.
        let _ = fs::remove_file(&socket);
        match one.name {
            REPEATS => drop(nbd::serve(&socket, Sparing::new(medium()?))?),
            RESTS => drop(nbd::serve(&socket, Resting::new(medium()?))?),
            _ => continue,
        }
        let (name, socket) = (one.name, socket.display());
        words.extend([
            "-drive".to_owned(),
            format!("if=none,id={name},format=raw,file=nbd:unix:{socket}"),
            "-device".to_owned(),
            format!("virtio-blk-pci,drive={name},serial={name}"),
        ]);
    }
    Ok(words)
}

/// A disk that keeps no block twice: one whose content it has seen takes it no time.
struct Sparing {
    medium: File,
    seen: HashSet<u64>,
}

impl Sparing {
    /// What it looks for repeats in.
    const BLOCK: usize = 4096;

    /// What a block takes that it has not seen.
    const NEW: Duration = Duration::from_micros(500);

    fn new(medium: File) -> Self {
        let seen = HashSet::new();
        Self { medium, seen }
    }

    /// How many of these blocks are new.
    fn news(&mut self, data: &[u8]) -> u32 {
        let new = data.chunks(Self::BLOCK).filter(|block| {
            let mut hasher = DefaultHasher::new();
            block.hash(&mut hasher);
            self.seen.insert(hasher.finish())
        });
        new.count() as u32
    }
}

impl Storage for Sparing {
    fn size_bytes(&self) -> io::Result<u64> {
        Ok(DISK_BYTES)
    }

    fn read(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.medium.read_exact_at(buffer, offset)
    }

    fn write(&mut self, offset: u64, data: &[u8], _: bool) -> io::Result<()> {
        std::thread::sleep(Self::NEW * self.news(data));
        self.medium.write_all_at(data, offset)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A disk that rests when nothing is asked of it for a while, and takes its time to wake up.
struct Resting {
    medium: File,
    last: Cell<Instant>,
}

impl Resting {
    /// After which it rests.
    const AWAKE: Duration = Duration::from_millis(10);

    /// What it takes to wake up.
    const WAKE: Duration = Duration::from_millis(5);

    fn new(medium: File) -> Self {
        let last = Cell::new(Instant::now());
        Self { medium, last }
    }

    /// The time of an answer after it was idle for `idle`.
    fn pause(idle: Duration) -> Duration {
        if idle > Self::AWAKE {
            Self::WAKE
        } else {
            Duration::ZERO
        }
    }

    fn wake(&self) {
        std::thread::sleep(Self::pause(self.last.get().elapsed()));
        self.last.set(Instant::now());
    }
}

impl Storage for Resting {
    fn size_bytes(&self) -> io::Result<u64> {
        Ok(DISK_BYTES)
    }

    fn read(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.wake();
        self.medium.read_exact_at(buffer, offset)
    }

    fn write(&mut self, offset: u64, data: &[u8], _: bool) -> io::Result<()> {
        self.wake();
        self.medium.write_all_at(data, offset)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_before_is_not_new() {
        let mut disk = Sparing::new(tempfile::tempfile().unwrap());
        let mut data = vec![0; 3 * Sparing::BLOCK];
        assert_eq!(disk.news(&data), 1);
        data[Sparing::BLOCK] = 1;
        assert_eq!(disk.news(&data), 1);
        assert_eq!(disk.news(&data), 0);
        data[2 * Sparing::BLOCK - 1] = 1;
        assert_eq!(disk.news(&data[Sparing::BLOCK..]), 1);
    }

    #[test]
    fn only_a_disk_that_rested_takes_its_time() {
        let pauses = [1, 10, 11].map(|ms| Resting::pause(Duration::from_millis(ms)).as_millis());
        assert_eq!(pauses, [0, 0, 5]);
    }
}
