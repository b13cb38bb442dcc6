//! What Windows tells of disks, volumes and the machine: which question is asked and what its
//! answer means. The calls themselves are behind [`Calls`], so that tests on any system can answer
//! in the stead of Windows.

mod disk;
mod kernel_files;
mod limited;
#[cfg(windows)]
pub(crate) mod live;
mod script;
#[cfg(windows)]
pub(crate) mod usage;
mod volume;

use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Numbers of devices have a driver's number on Linux. No file system is without a device here, so
/// that it is not 0.
const DRIVER: u32 = 1;

/// What is asked of Windows.
pub(crate) trait Calls {
    /// Asks a disk or volume, by its name: a number of `winioctl.h`, what goes in, and the room for
    /// the answer.
    fn control(&self, device: &str, code: u32, input: &[u8], room: usize) -> Result<Vec<u8>>;

    /// The volume that an existing path lies on.
    fn volume(&self, path: &Path) -> Result<Volume>;

    /// Time of all processors, in units of 100 ns: idle, kernel, user.
    fn times(&self) -> Result<[u64; 3]>;

    /// The version of the system, and its memory in bytes.
    fn machine(&self) -> Result<(String, u64)>;

    /// A variable of the environment.
    fn variable(&self, name: &str) -> Option<String>;

    /// What a script of PowerShell prints, which gets the path in the variable `FATHOM_PATH`.
    fn script(&self, script: &str, path: &Path) -> Result<Printed>;
}

/// What a script prints, and how it ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Printed {
    pub(crate) text: String,
    /// Its exit status, if that is no success.
    pub(crate) failure: Option<String>,
}

/// Where files are on a machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Volume {
    /// Where it is mounted, as `E:\`.
    pub(crate) root: PathBuf,
    /// Its name, by which it is asked; empty for a share.
    pub(crate) device: String,
    /// As `NTFS`.
    pub(crate) file_system: String,
}

/// How long a script is waited for. Those that ask a cluster take many seconds.
const SCRIPT_LIMIT: Duration = Duration::from_mins(1);

/// A number in an answer.
fn number<const BYTES: usize>(answer: &[u8], at: usize) -> Result<[u8; BYTES]> {
    let bytes = answer.get(at..at + BYTES);
    let bytes = bytes.and_then(|bytes| bytes.try_into().ok());
    bytes.ok_or_else(|| Error::new(ErrorKind::InvalidData, "the answer is too short"))
}

fn u32_at(answer: &[u8], at: usize) -> Result<u32> {
    number(answer, at).map(u32::from_le_bytes)
}

fn u64_at(answer: &[u8], at: usize) -> Result<u64> {
    number(answer, at).map(u64::from_le_bytes)
}

#[cfg(test)]
pub(crate) mod fake {
    use super::*;
    use std::collections::BTreeMap;

    /// A Windows that never was: what it answers to each question.
    #[derive(Default)]
    pub(crate) struct Fake {
        /// By device and number.
        pub(crate) answers: BTreeMap<(String, u32), Vec<u8>>,
        pub(crate) volume: Volume,
        pub(crate) script: Printed,
        /// Why PowerShell does not start or end, if so.
        pub(crate) silent: Option<ErrorKind>,
    }

    impl Calls for Fake {
        fn control(&self, device: &str, code: u32, input: &[u8], room: usize) -> Result<Vec<u8>> {
            // A property is asked for by its number.
            let property = if code == disk::IOCTL_STORAGE_QUERY_PROPERTY {
                u32_at(input, 0)? << 24
            } else {
                0
            };
            let answer = self.answers.get(&(device.to_owned(), code ^ property));
            let mut answer = answer.cloned().ok_or(ErrorKind::Unsupported)?;
            answer.truncate(room);
            Ok(answer)
        }

        fn volume(&self, _: &Path) -> Result<Volume> {
            Ok(self.volume.clone())
        }

        fn times(&self) -> Result<[u64; 3]> {
            Ok([70_000_000, 20_000_000, 10_000_000])
        }

        fn machine(&self) -> Result<(String, u64)> {
            Ok(("Windows 10.0.20348".to_owned(), 8 << 30))
        }

        fn variable(&self, name: &str) -> Option<String> {
            (name == "COMPUTERNAME").then(|| "NODE1".to_owned())
        }

        fn script(&self, _: &str, _: &Path) -> Result<Printed> {
            self.silent
                .map_or_else(|| Ok(self.script.clone()), |kind| Err(kind.into()))
        }
    }

    impl Fake {
        pub(crate) fn with(mut self, device: &str, code: u32, answer: Vec<u8>) -> Self {
            self.answers.insert((device.to_owned(), code), answer);
            self
        }
    }
}
