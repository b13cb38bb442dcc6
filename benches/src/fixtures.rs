//! What the cases do their I/O on, made when first needed and removed at the end.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use fathom_device::FreeSpace;
use rustix::fs::OFlags;

use crate::cases::Fixture;
use crate::interrupt::Interrupt;
use crate::scratch::{Scratch, read_through};
use crate::zram::Zram;

const CACHED_BYTES: u64 = 1 << 30;
const WRITTEN_BYTES: u64 = 4 << 30;
const ZRAM_BYTES: u64 = 2 << 30;

/// A target to do I/O on, or the reason why there is none here.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Ready(String),
    Missing(String),
}

/// The fixtures made so far.
#[derive(Debug)]
pub(crate) struct Fixtures<'a> {
    scratch: &'a Scratch,
    interrupt: &'a Interrupt,
    cached: Option<PathBuf>,
    written: Option<PathBuf>,
    zram: Option<Zram>,
}

impl<'a> Fixtures<'a> {
    pub(crate) fn new(scratch: &'a Scratch, interrupt: &'a Interrupt) -> Self {
        Self {
            scratch,
            interrupt,
            cached: None,
            written: None,
            zram: None,
        }
    }

    /// What to print as target of a command that is not run.
    pub(crate) fn placeholder(fixture: Fixture) -> &'static str {
        match fixture {
            Fixture::Nothing => "",
            Fixture::NullDevice => "/dev/null",
            Fixture::CachedFile => "CACHED_FILE",
            Fixture::WrittenFile => "WRITTEN_FILE",
            Fixture::Zram => "/dev/zramN",
        }
    }

    /// The target for a case, ready to be used.
    pub(crate) fn target(&mut self, fixture: Fixture) -> Result<Target> {
        match fixture {
            Fixture::Nothing | Fixture::NullDevice => {
                Ok(Target::Ready(Self::placeholder(fixture).to_owned()))
            }
            Fixture::CachedFile => self.cached_file(),
            Fixture::WrittenFile => self.written_file(),
            Fixture::Zram => self.zram(),
        }
    }

    fn cached_file(&mut self) -> Result<Target> {
        let path = if let Some(path) = &self.cached {
            path.clone()
        } else {
            if let Some(why) = too_little_memory(CACHED_BYTES)? {
                return Ok(Target::Missing(why));
            }
            if let Some(why) = too_little_space(self.scratch.path(), CACHED_BYTES)? {
                return Ok(Target::Missing(why));
            }
            self.scratch
                .write_file("cached", CACHED_BYTES, self.interrupt)?
        };
        // Another case may have pushed it out since.
        read_through(&path, self.interrupt)?;
        self.cached = Some(path.clone());
        Ok(Target::Ready(path.display().to_string()))
    }

    fn written_file(&mut self) -> Result<Target> {
        if let Some(path) = &self.written {
            return Ok(Target::Ready(path.display().to_string()));
        }
        if let Some(why) = too_little_space(self.scratch.path(), WRITTEN_BYTES)? {
            return Ok(Target::Missing(why));
        }
        if !takes_direct(self.scratch)? {
            return Ok(Target::Missing(format!(
                "the file system of {} refuses O_DIRECT (use --dir)",
                self.scratch.path().display()
            )));
        }
        let path = self
            .scratch
            .write_file("written", WRITTEN_BYTES, self.interrupt)?;
        self.written = Some(path.clone());
        Ok(Target::Ready(path.display().to_string()))
    }

    fn zram(&mut self) -> Result<Target> {
        if let Some(why) = Zram::obstacle() {
            return Ok(Target::Missing(why.to_owned()));
        }
        let zram = match self.zram.take() {
            Some(zram) => zram,
            None => Zram::add(ZRAM_BYTES)?,
        };
        let path = self.zram.insert(zram).path();
        Ok(Target::Ready(path.display().to_string()))
    }
}

/// A file that lives in the page cache needs twice its size, so that nothing pushes it out.
fn too_little_memory(bytes: u64) -> Result<Option<String>> {
    let text = std::fs::read_to_string("/proc/meminfo").context("/proc/meminfo")?;
    let available = available_bytes(&text).context("/proc/meminfo has no MemAvailable")?;
    Ok((available < 2 * bytes).then(|| {
        format!(
            "{} MiB of memory available, {} needed",
            available >> 20,
            (2 * bytes) >> 20
        )
    }))
}

fn available_bytes(meminfo: &str) -> Option<u64> {
    let value = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(value.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

/// The file must leave what every run leaves of the file system.
fn too_little_space(folder: &Path, bytes: u64) -> Result<Option<String>> {
    let space = FreeSpace::of_path(folder)?;
    Ok(shortage(folder, space, bytes))
}

fn shortage(folder: &Path, space: FreeSpace, bytes: u64) -> Option<String> {
    let free = space.available_bytes;
    let needed = bytes + space.reserve_bytes();
    (free < needed).then(|| {
        format!(
            "{} has {} MiB free, {} needed (use --dir)",
            folder.display(),
            free >> 20,
            needed >> 20
        )
    })
}

/// Whether files here can be opened past the page cache.
fn takes_direct(scratch: &Scratch) -> Result<bool> {
    let path = scratch.path().join("direct");
    let opened = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .custom_flags(OFlags::DIRECT.bits() as i32)
        .open(&path);
    let refused = |error: &std::io::Error| error.kind() == std::io::ErrorKind::InvalidInput;
    match opened {
        Ok(_) => Ok(true),
        Err(error) if refused(&error) => Ok(false),
        Err(error) => Err(error).with_context(|| path.display().to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn available_memory_is_in_kib() {
        let text = "MemTotal:       24659292 kB\nMemAvailable:   24011324 kB\n";
        assert_eq!(available_bytes(text), Some(24_011_324 * 1024));
        assert_eq!(available_bytes("MemTotal: 1 kB\n"), None);
    }

    #[test]
    fn a_folder_without_the_space_is_named_with_the_remedy() {
        let space = FreeSpace {
            total_bytes: 20 << 30,
            free_bytes: 8 << 30,
            available_bytes: 2 << 30,
        };
        let folder = Path::new("/data");
        assert_eq!(shortage(folder, space, 1 << 30), None);
        assert_eq!(
            shortage(folder, space, (1 << 30) + (1 << 20)).unwrap(),
            "/data has 2048 MiB free, 2049 needed (use --dir)"
        );
    }
}
