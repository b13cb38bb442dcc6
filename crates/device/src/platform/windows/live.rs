//! The running Windows.

use std::fs::File;
use std::io::{Error, ErrorKind, Result};
use std::path::Path;
use std::sync::Mutex;

use fathom_platform::Pdh;
use fathom_platform::fd::AsFd;

use super::limited::output_within;
use super::{Calls, Printed, Volume, kernel_files, script, volume};
use crate::extent_map::ExtentMap;
use crate::perfmon::{COUNTERS, Counters};
use crate::premises::Premises;
use crate::topology::Topology;

struct Live;

/// Disks that were asked before, by their names: opening one takes longer than asking it.
static OPEN: Mutex<Vec<(String, Option<File>)>> = Mutex::new(Vec::new());

impl Calls for Live {
    fn control(&self, device: &str, code: u32, input: &[u8], room: usize) -> Result<Vec<u8>> {
        if fathom_platform::emulator().is_some() {
            // It makes its answers up.
            return Err(ErrorKind::Unsupported.into());
        }
        let mut open = OPEN.lock().map_err(|_| Error::other("a thread panicked"))?;
        let at = match open.iter().position(|(name, _)| name == device) {
            Some(at) => at,
            None => {
                open.push((device.to_owned(), fathom_platform::device(device).ok()));
                open.len() - 1
            }
        };
        let file = open[at].1.as_ref().ok_or(ErrorKind::NotFound)?;
        fathom_platform::control(file, code, input, room)
    }

    fn volume(&self, path: &Path) -> Result<Volume> {
        let found = fathom_platform::volume(path)?;
        Ok(Volume {
            root: found.root,
            device: found.device,
            file_system: found.file_system,
        })
    }

    fn times(&self) -> Result<[u64; 3]> {
        fathom_platform::machine_times()
    }

    fn machine(&self) -> Result<(String, u64)> {
        Ok((fathom_platform::version(), fathom_platform::memory_bytes()?))
    }

    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn script(&self, script: &str, path: &Path) -> Result<Printed> {
        let mut command = crate::command("powershell.exe");
        command
            .args(["-NoProfile", "-NonInteractive", "-Command", script])
            .env("FATHOM_PATH", super::volume::plain(path));
        let (printed, status) = output_within(command, super::SCRIPT_LIMIT)?;
        Ok(Printed {
            text: String::from_utf8_lossy(&printed).into_owned(),
            failure: (!status.success()).then(|| status.to_string()),
        })
    }
}

pub(crate) fn kernel_file(path: &Path) -> Option<Result<String>> {
    kernel_files::text(&Live, path)
}

pub(crate) fn topology(path: &Path) -> Option<Result<Topology>> {
    Some(if fathom_platform::is_device_name(path) {
        Ok(volume::of_device(&Live, path))
    } else {
        volume::topology(&Live, path)
    })
}

pub(crate) fn extents(file: impl AsFd, start: u64, end: u64) -> Option<Result<ExtentMap>> {
    let found = fathom_platform::extents(file, start, end);
    Some(found.map_err(Error::from).map(|found| ExtentMap {
        mapped_bytes: found.allocated_bytes,
        unwritten_bytes: found.allocated_bytes.saturating_sub(found.written_bytes),
        encoded_bytes: if found.is_encoded { end - start } else { 0 },
        ..ExtentMap::default()
    }))
}

/// The surroundings of an existing path.
pub fn premises(path: &Path) -> Premises {
    let openers = if path.is_file() {
        fathom_platform::openers(&super::volume::plain(path))
    } else {
        Ok(Vec::new())
    };
    let (openers, openers_unknown) = script::openers(openers);
    Premises {
        openers,
        openers_unknown,
        integrity: fathom_platform::has_integrity(path).unwrap_or(false),
        ..script::ask(&Live, path)
    }
}

impl Counters for Pdh {
    fn collect(&mut self) -> Result<()> {
        self.collect()
    }

    fn values(&self, counter: usize) -> Result<Vec<(String, f64)>> {
        self.values(counter)
    }
}

/// The counters of Performance Monitor.
pub fn perfmon() -> Option<Result<Box<dyn Counters>>> {
    Some(Pdh::of(&COUNTERS).map(|pdh| Box::new(pdh) as Box<dyn Counters>))
}
