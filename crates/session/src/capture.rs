//! Captures the requests of devices: the kernel's events go through the matcher into a file.

mod recorder;
mod who;

use crate::Control;
use crate::Wish;
use fathom_capture::file::{Device, Head, Tail};
use fathom_capture::summary::{Summary, Summing};
use fathom_capture::{Request, Writer};
use fathom_core::Nanos;
use fathom_core::units::rfc3339;
use fathom_device::{
    BlockDevice, BlockKind, DeviceError, HostInfo, System, Topology, Tree, list_devices,
};
use fathom_engine::clock::utc_now_ns;
use fathom_platform::io::Errno;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub(crate) use recorder::{Recorder, Sink};
pub(crate) use who::Book;
pub use who::Who;

/// At the latest after this time the file has what was complete, behind no incomplete request.
const FLUSH: Nanos = Nanos::from_secs(2);

/// What to capture.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Disks whose requests are recorded.
    pub disks: Vec<BlockDevice>,
    /// Volumes whose requests are followed to these disks, if this is for blame.
    pub volumes: Vec<BlockDevice>,
    /// Whose requests are kept; none for all.
    pub who: Option<Who>,
    /// Whether the instants before the issue are recorded too.
    pub is_for_blame: bool,
    /// How long; none until it is stopped.
    pub time: Option<Nanos>,
    /// Memory of the kernel for the events of each processor, KiB; none for 64 MiB in all, and
    /// between 1 MiB and 8 MiB for each.
    pub buffer_kib: Option<u64>,
    /// Replaces the names and numbers of threads, processes and devices by ordinal numbers.
    pub is_anonymised: bool,
    /// The program and its version.
    pub made_by: String,
}

/// What was captured.
#[derive(Debug)]
pub struct Captured {
    /// What the file says of its start.
    pub head: Head,
    /// What it says of its end.
    pub tail: Tail,
    /// Its requests in short.
    pub summary: Summary,
    /// Length of the file.
    pub file_bytes: u64,
}

/// Why there is no capture.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// A path or name that leads to no disk.
    #[error("cannot capture {}", path.display())]
    NoDisk {
        /// As the caller named it.
        path: PathBuf,
        /// Why.
        cause: String,
    },
    /// The kernel's tracing.
    #[error("cannot trace block requests")]
    Tracing(String),
    /// The file.
    #[error("the capture ended early")]
    Write(io::Error),
}

impl CaptureError {
    /// What lies behind it.
    pub fn because(&self) -> String {
        match self {
            Self::NoDisk { cause, .. } | Self::Tracing(cause) => cause.clone(),
            Self::Write(error) => error.to_string(),
        }
    }

    /// What to try.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::NoDisk { .. } => {
                "use a name or path from `fathom devices`, or a file on a device"
            }
            Self::Tracing(cause) if is_of_memory(cause) => "a smaller --buffer takes less memory",
            Self::Tracing(_) => {
                "as root, with tracefs mounted by `mount -t tracefs nodev /sys/kernel/tracing`"
            }
            Self::Write(_) => "free some space; `fathom show FILE` reads what was written so far",
        }
    }
}

/// Whether the kernel has no memory for its buffer, as the system's words say.
fn is_of_memory(cause: &str) -> bool {
    cause.contains(&io::Error::from(Errno::NOMEM).to_string())
}

/// The devices that requests go through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stack {
    /// Those whose requests do the work. A loop device has requests of its own.
    pub disks: Vec<BlockDevice>,
    /// Device mapper, md and the like, which pass requests on to these.
    pub volumes: Vec<BlockDevice>,
}

impl Stack {
    /// What some topologies have, each device once.
    pub(crate) fn of<'a>(topologies: impl Iterator<Item = &'a Topology>) -> Self {
        let mut stack = Self::default();
        for topology in topologies {
            stack
                .disks
                .extend(topology.witnesses().into_iter().cloned());
            stack
                .volumes
                .extend(topology.volumes().into_iter().cloned());
        }
        stack.each_once()
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.disks.extend(other.disks);
        self.volumes.extend(other.volumes);
    }

    fn each_once(mut self) -> Self {
        for devices in [&mut self.disks, &mut self.volumes] {
            let mut seen = Vec::new();
            devices.retain(|device| {
                let is_new = !seen.contains(&device.dev);
                seen.push(device.dev);
                is_new
            });
        }
        self
    }
}

/// What is below paths or names of devices, each device once. Without paths, all disks of the
/// machine with the volumes on them.
///
/// # Errors
///
/// [`CaptureError::NoDisk`]
pub fn stack(paths: &[PathBuf]) -> Result<Stack, CaptureError> {
    let system = System::live().map_err(|error| no_disk(Path::new("the disks"), &error))?;
    let mut stack = Stack::default();
    for path in paths {
        let below = below(&system, path)?;
        if below.disks.is_empty() {
            let cause = "no block device is below it".to_owned();
            let path = path.clone();
            return Err(CaptureError::NoDisk { path, cause });
        }
        stack.add(below);
    }
    if paths.is_empty() {
        let trees = list_devices(&system, false);
        let trees = trees.map_err(|error| no_disk(Path::new("the disks"), &error))?;
        for row in trees.iter().flat_map(Tree::rows) {
            let device = row.device;
            if !device.slaves.is_empty() {
                stack.volumes.push(device.clone());
            }
        }
        // What a loop device does, the disk below it does too.
        let devices = trees.into_iter().map(|tree| tree.device);
        let disks = devices.filter(|device| device.kind != BlockKind::Loop);
        stack.disks.extend(disks);
    }
    Ok(stack.each_once())
}

fn below(system: &System, path: &Path) -> Result<Stack, CaptureError> {
    let node = Path::new("/dev").join(path);
    let is_name = path.components().count() == 1 && !path.exists() && node.exists();
    let place = if is_name { &node } else { path };
    if !place.exists() {
        let cause = "there is no such device and no such file".to_owned();
        let path = path.to_owned();
        return Err(CaptureError::NoDisk { path, cause });
    }
    let topology = Topology::of_path(system, place).map_err(|error| no_disk(path, &error))?;
    Ok(Stack::of(std::iter::once(&topology)))
}

fn no_disk(path: &Path, error: &DeviceError) -> CaptureError {
    CaptureError::NoDisk {
        path: path.to_owned(),
        cause: error.to_string(),
    }
}

/// A capture that the kernel records.
#[derive(Debug)]
pub struct Capturing {
    wanted: Wanted,
    recorder: Recorder,
}

impl Capturing {
    /// Starts to record.
    ///
    /// # Errors
    ///
    /// [`CaptureError::Tracing`]
    pub fn begin(wanted: Wanted) -> Result<Self, CaptureError> {
        let recorder = Recorder::begin(&wanted)?;
        Ok(Self { wanted, recorder })
    }

    /// Writes what is recorded until the time is over, or until somebody asks for an end.
    ///
    /// # Errors
    ///
    /// [`CaptureError`]; what was written until then is a readable file.
    pub fn run(self, control: &Control, out: impl Write) -> Result<Captured, CaptureError> {
        let Self {
            wanted,
            mut recorder,
        } = self;
        let head = head(&wanted, &recorder);
        let mut sink = File {
            writer: Writer::begin(out, &head).map_err(CaptureError::Write)?,
            book: Book::new(wanted.who, wanted.is_anonymised),
            summing: Summing::default(),
        };
        let end = wanted.time.map(|time| recorder.start() + time);
        let mut flushed = recorder.start();
        loop {
            let now = recorder.wait(end);
            if end.is_some_and(|end| now >= end) || control.wish() != Wish::Run {
                break;
            }
            recorder.look(&mut sink)?;
            if now >= flushed + FLUSH {
                sink.writer.flush().map_err(CaptureError::Write)?;
                flushed = now;
            }
        }
        let mut tail = recorder.end(&mut sink)?;
        tail.requests = sink.writer.requests();
        let file_bytes = sink.writer.end(&tail).map_err(CaptureError::Write)?;
        Ok(Captured {
            head,
            tail,
            summary: sink.summing.finish(),
            file_bytes,
        })
    }
}

/// A file, and its summary.
struct File<W> {
    writer: Writer<W>,
    book: Book,
    summing: Summing,
}

impl<W: Write> Sink for File<W> {
    fn book(&mut self) -> &mut Book {
        &mut self.book
    }

    fn add(&mut self, requests: &mut Vec<Request>) -> io::Result<()> {
        for request in requests.iter_mut() {
            let Some((task, is_new)) = self.book.number(request.task) else {
                continue;
            };
            request.task = task;
            if is_new {
                let tasks = self.book.tasks();
                self.writer.add_task(tasks[task as usize].clone());
            }
            self.writer.add(*request)?;
            self.summing
                .add(std::slice::from_ref(request), self.book.tasks());
        }
        requests.clear();
        Ok(())
    }
}

/// What is known of a capture when it starts.
fn head(wanted: &Wanted, recorder: &Recorder) -> Head {
    let device = |kind: &str, (number, disk): (usize, &BlockDevice)| Device {
        name: if wanted.is_anonymised {
            format!("{kind}-{}", number + 1)
        } else {
            disk.name.clone()
        },
        number: if wanted.is_anonymised {
            format!("0:{}", number + 1)
        } else {
            disk.dev.to_string()
        },
        size_bytes: disk.size_bytes,
    };
    let in_words = |who: &Who| {
        if wanted.is_anonymised {
            "of some processes".to_owned()
        } else {
            who.to_string()
        }
    };
    let disks = wanted.disks.iter().enumerate();
    let volumes = recorder::volumes_of(wanted).iter().enumerate();
    Head {
        made_by: wanted.made_by.clone(),
        started: rfc3339(utc_now_ns()),
        kernel: HostInfo::live().kernel_release.unwrap_or_default(),
        devices: disks.map(|disk| device("disk", disk)).collect(),
        volumes: volumes.map(|volume| device("volume", volume)).collect(),
        events: recorder.events(),
        missing_events: recorder.missing_events(),
        filter: wanted.who.as_ref().map(in_words),
        is_anonymised: wanted.is_anonymised,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_smaller_buffer_is_the_remedy_where_memory_is_missing() {
        let remedy = |cause: &str| CaptureError::Tracing(cause.to_owned()).remedy();
        let denied = io::Error::from(Errno::NOMEM);
        assert_eq!(
            remedy(&format!("/sys/kernel/tracing/instances/a: {denied}")),
            "a smaller --buffer takes less memory"
        );
        assert_eq!(
            remedy("no tracefs with block events is mounted at /sys/kernel/tracing"),
            "as root, with tracefs mounted by `mount -t tracefs nodev /sys/kernel/tracing`"
        );
    }
}
