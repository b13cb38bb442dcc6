//! An instance of the kernel's tracing (tracefs), which keeps the tracing of others as it is.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use fathom_platform::fs::Mode;

use crate::input;
use crate::platform;

/// Where the kernel's tracing is, at one of these.
const PLACES: [&str; 2] = ["/sys/kernel/tracing", "/sys/kernel/debug/tracing"];
/// What begins the names of all instances of ours; the number of the process ends them.
const PREFIX: &str = "fathom-";

/// An instance of our own; it goes when this does.
#[derive(Debug)]
pub(crate) struct Tracing {
    instance: PathBuf,
}

impl Tracing {
    /// Makes an instance named after its purpose, and removes those that killed processes left.
    ///
    /// # Errors
    ///
    /// Why there is none, as words for a sentence: it takes root, and tracefs.
    pub(crate) fn begin(purpose: &str) -> Result<Self, String> {
        let places = PLACES.iter().map(Path::new);
        let mut there = places.filter(|place| place.join("events/block").is_dir());
        let Some(place) = there.next() else {
            return Err(platform::no_tracing(PLACES[0]));
        };
        let instances = place.join("instances");
        remove_left(&instances);
        let name = format!("{PREFIX}{purpose}-{}", std::process::id());
        let tracing = Self {
            instance: instances.join(name),
        };
        let made = fathom_platform::fs::mkdir(&tracing.instance, Mode::RWXU);
        match made {
            Ok(()) => Ok(tracing),
            Err(error) => {
                let cause = tracing.because(&error.into());
                // It is somebody else's.
                std::mem::forget(tracing);
                Err(cause)
            }
        }
    }

    /// Sets a switch of the instance.
    pub(crate) fn set(&self, name: &str, value: &str) -> Result<(), String> {
        set(&self.path(name), value).map_err(|error| self.because(&error))
    }

    /// What a file of the instance says.
    pub(crate) fn text(&self, name: &str) -> Result<String, String> {
        input::read_text(self.path(name)).map_err(|error| self.because(&error))
    }

    /// Where a file of the instance is.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.instance.join(name)
    }

    /// An error of the instance, for a sentence.
    pub(crate) fn because(&self, error: &io::Error) -> String {
        format!("{}: {error}", self.instance.display())
    }
}

impl Drop for Tracing {
    fn drop(&mut self) {
        // Where it cannot be removed now, the next that begins does it.
        let _ = set(&self.path("events/enable"), "0");
        let _ = fathom_platform::fs::rmdir(&self.instance);
    }
}

/// Removes instances of processes that were killed, which make each request of the host slower as
/// long as they are there, and gives their names.
pub fn remove_tracing_left() -> Vec<String> {
    let places = PLACES.iter().map(Path::new);
    places
        .flat_map(|place| remove_left(&place.join("instances")))
        .collect()
}

fn remove_left(instances: &Path) -> Vec<String> {
    let mut removed = Vec::new();
    let Ok(entries) = std::fs::read_dir(instances) else {
        return removed;
    };
    for entry in entries.filter_map(Result::ok) {
        let whole = entry.file_name();
        let name = whole.to_str().and_then(|name| name.strip_prefix(PREFIX));
        let pid = name.and_then(|name| name.rsplit_once('-'));
        let is_left = pid.is_some_and(|(_, pid)| !Path::new("/proc").join(pid).exists());
        // Nothing else is done to it: one that somebody still reads, out of another container,
        // stays as it is.
        if is_left && fathom_platform::fs::rmdir(entry.path()).is_ok() {
            removed.push(whole.to_string_lossy().into_owned());
        }
    }
    removed
}

fn set(path: &Path, value: &str) -> io::Result<()> {
    #[expect(
        clippy::disallowed_methods,
        reason = "a switch of the kernel, at its own place, in which nothing is kept"
    )]
    let mut file = OpenOptions::new().write(true).open(path)?;
    file.write_all(value.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::remove_left;

    #[test]
    fn instances_of_processes_that_are_gone_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let own = format!("fathom-watch-{}", std::process::id());
        let names = ["fathom-capture-4194305", &own, "fathom", "other-4194305"];
        for name in names {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        assert_eq!(remove_left(folder.path()), ["fathom-capture-4194305"]);
        let left = names.map(|name| folder.path().join(name).exists());
        assert_eq!(left, [false, true, true, true]);
    }
}
