//! Captures the requests of devices: the kernel's events go through the matcher into a file.

mod who;

use crate::Control;
use crate::Wish;
use fathom_capture::file::{Device, Head, Tail};
use fathom_capture::summary::{Summary, Summing};
use fathom_capture::{Event, EventKind, Layout, Layouts, Matcher, Request, Writer, events_of_page};
use fathom_core::Nanos;
use fathom_core::result::rfc3339;
use fathom_device::{
    BlockDevice, BlockKind, DeviceError, HostInfo, RequestTrace, Setting, System, Topology,
    list_devices, request_trace,
};
use fathom_engine::Clock;
use fathom_engine::clock::utc_now_ns;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use who::Book;

pub use who::Who;

/// How often the buffers are read. With 8 MiB for each processor, 150,000 events a second lose
/// nothing at this interval by a wide margin.
const LOOK: Nanos = Nanos::from_millis(10);
/// Events of the last moment may still be under way to their page; they wait for the next look.
const SLACK_NS: u64 = 1_000_000;
/// At the latest after this time the file has what was complete, behind no incomplete request.
const FLUSH: Nanos = Nanos::from_secs(2);
/// Memory of the kernel for the events of all processors.
const BUFFERS_KIB: u64 = 64 << 10;
/// The most and the least that each processor gets of it.
const BUFFER_KIB: std::ops::RangeInclusive<u64> = 1 << 10..=8 << 10;

/// What to capture.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Disks whose requests are recorded.
    pub disks: Vec<BlockDevice>,
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
    pub const fn remedy(&self) -> &'static str {
        match self {
            Self::NoDisk { .. } => {
                "use a name or path from `fathom devices`, or a file on a device"
            }
            Self::Tracing(_) => {
                "as root, with tracefs mounted by `mount -t tracefs nodev /sys/kernel/tracing`; a \
                 smaller --buffer takes less memory"
            }
            Self::Write(_) => "free some space; `fathom show FILE` reads what was written so far",
        }
    }
}

/// The disks below paths or names of devices, each once: those whose requests do the work. A loop
/// device has requests of its own. Without paths, all disks of the machine.
///
/// # Errors
///
/// [`CaptureError::NoDisk`]
pub fn disks(paths: &[PathBuf]) -> Result<Vec<BlockDevice>, CaptureError> {
    let system = System::live().map_err(|error| no_disk(Path::new("the disks"), &error))?;
    let mut disks: Vec<BlockDevice> = Vec::new();
    for path in paths {
        let below = below(&system, path)?;
        if below.is_empty() {
            let cause = "no block device is below it".to_owned();
            let path = path.clone();
            return Err(CaptureError::NoDisk { path, cause });
        }
        disks.extend(below);
    }
    if paths.is_empty() {
        let trees = list_devices(&system, false);
        let trees = trees.map_err(|error| no_disk(Path::new("the disks"), &error))?;
        // What a loop device does, the disk below it does too.
        let devices = trees.into_iter().map(|tree| tree.device);
        disks.extend(devices.filter(|device| device.kind != BlockKind::Loop));
    }
    let mut seen = Vec::new();
    disks.retain(|disk| {
        let is_new = !seen.contains(&disk.dev);
        seen.push(disk.dev);
        is_new
    });
    Ok(disks)
}

fn below(system: &System, path: &Path) -> Result<Vec<BlockDevice>, CaptureError> {
    let node = Path::new("/dev").join(path);
    let is_name = path.components().count() == 1 && !path.exists() && node.exists();
    let place = if is_name { &node } else { path };
    if !place.exists() {
        let cause = "there is no such device and no such file".to_owned();
        let path = path.to_owned();
        return Err(CaptureError::NoDisk { path, cause });
    }
    let topology = Topology::of_path(system, place).map_err(|error| no_disk(path, &error))?;
    Ok(topology.witnesses().into_iter().cloned().collect())
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
        let head = recorder.head(&wanted);
        let mut sink = Sink {
            writer: Writer::begin(out, &head).map_err(CaptureError::Write)?,
            book: Book::new(wanted.who, wanted.is_anonymised),
            summing: Summing::default(),
        };
        let end = wanted.time.map(|time| recorder.start + time);
        let mut flushed = recorder.start;
        loop {
            let next = recorder.clock.now() + LOOK;
            let next = end.map_or(next, |end| next.min(end));
            let now = recorder.clock.wait_until(next, Nanos::ZERO);
            if end.is_some_and(|end| now >= end) || control.wish() != Wish::Run {
                break;
            }
            recorder.look(&mut sink)?;
            if now >= flushed + FLUSH {
                sink.writer.flush().map_err(CaptureError::Write)?;
                flushed = now;
            }
        }
        let tail = recorder.end(&mut sink)?;
        let file_bytes = sink.writer.end(&tail).map_err(CaptureError::Write)?;
        Ok(Captured {
            head,
            tail,
            summary: sink.summing.finish(),
            file_bytes,
        })
    }
}

/// Where requests go.
struct Sink<W> {
    writer: Writer<W>,
    book: Book,
    summing: Summing,
}

impl<W: Write> Sink<W> {
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

/// What the kernel records, and what is made of it.
#[derive(Debug)]
struct Recorder {
    trace: RequestTrace,
    layouts: Layouts,
    matcher: Matcher,
    clock: Clock,
    start: Nanos,
    events: Vec<Event>,
    requests: Vec<Request>,
    /// Events that were wanted and that the kernel does not have.
    missing: Vec<&'static str>,
}

impl Recorder {
    fn begin(wanted: &Wanted) -> Result<Self, CaptureError> {
        let is_wanted = |kind: EventKind| match kind {
            EventKind::Issued | EventKind::Completed | EventKind::Requeued => true,
            // A worker of the kernel may issue a request; this event names the task that asked.
            EventKind::Asked => wanted.is_for_blame || wanted.who.is_some(),
            EventKind::Queued | EventKind::Inserted => wanted.is_for_blame,
        };
        let kinds = EventKind::NAMES
            .into_iter()
            .filter(|(kind, _)| is_wanted(*kind));
        let (early, needed): (Vec<_>, Vec<_>) = kinds.partition(|(kind, _)| kind.is_early());
        let names = |kinds: &[(EventKind, &'static str)]| -> Vec<&'static str> {
            kinds.iter().map(|(_, name)| *name).collect()
        };
        let (optional, events) = (names(&early), names(&needed));
        let devices: Vec<_> = wanted.disks.iter().map(|disk| disk.dev).collect();
        let mut clock = Clock::monotonic();
        let start = clock.now();
        let trace = RequestTrace::begin(Setting {
            events: &events,
            optional: &optional,
            devices: &devices,
            buffer_kib: wanted.buffer_kib.unwrap_or_else(plain_buffer_kib),
        })
        .map_err(CaptureError::Tracing)?;
        let layout = |(kind, name): (EventKind, &str)| {
            let (_, format) = trace.formats().iter().find(|(known, _)| *known == name)?;
            Some(Layout::parse(kind, format))
        };
        let layouts = needed.into_iter().chain(early).filter_map(layout);
        let layouts = layouts.collect::<Result<Vec<_>, _>>();
        let mut missing = optional;
        missing.retain(|name| trace.formats().iter().all(|(known, _)| known != name));
        let numbers: Vec<u32> = devices
            .iter()
            .map(|dev| request_trace::kernel_number(*dev))
            .collect();
        Ok(Self {
            trace,
            layouts: Layouts(layouts.map_err(CaptureError::Tracing)?),
            matcher: Matcher::new(start.0, &numbers),
            clock,
            start,
            events: Vec::new(),
            requests: Vec::new(),
            missing,
        })
    }

    fn head(&self, wanted: &Wanted) -> Head {
        let device = |(number, disk): (usize, &BlockDevice)| Device {
            name: if wanted.is_anonymised {
                format!("disk-{}", number + 1)
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
        let events = self.trace.formats().iter();
        Head {
            made_by: wanted.made_by.clone(),
            started: rfc3339(utc_now_ns()),
            kernel: HostInfo::live().kernel_release.unwrap_or_default(),
            devices: wanted.disks.iter().enumerate().map(device).collect(),
            events: events.map(|(name, _)| (*name).to_owned()).collect(),
            missing_events: self.missing.iter().map(|name| (*name).to_owned()).collect(),
            filter: wanted.who.as_ref().map(in_words),
            is_anonymised: wanted.is_anonymised,
        }
    }

    /// Takes in what was recorded so far.
    fn look<W: Write>(&mut self, sink: &mut Sink<W>) -> Result<(), CaptureError> {
        let until = self.clock.now().0.saturating_sub(SLACK_NS);
        self.read()?;
        self.pass_on(until, sink)
    }

    fn read(&mut self) -> Result<(), CaptureError> {
        let (events, layouts) = (&mut self.events, &self.layouts);
        let read = self.trace.pages(&mut |page| {
            events_of_page(page, layouts, &mut |event| events.push(event));
        });
        read.map_err(|error| CaptureError::Tracing(error.to_string()))?;
        // Those of a processor are in order, so that this joins a few runs.
        self.events.sort_by_key(|event| event.at_ns);
        Ok(())
    }

    /// Hands on the events up to an instant of the clock.
    fn pass_on<W: Write>(&mut self, until: u64, sink: &mut Sink<W>) -> Result<(), CaptureError> {
        let count = self.events.partition_point(|event| event.at_ns <= until);
        for event in self.events.drain(..count) {
            self.matcher.add(&event);
        }
        sink.book.enter(self.matcher.new_tasks());
        let requests = &mut self.requests;
        self.matcher.take(&mut |request| requests.push(request));
        sink.add(requests).map_err(CaptureError::Write)
    }

    fn end<W: Write>(mut self, sink: &mut Sink<W>) -> Result<Tail, CaptureError> {
        let end = self.clock.now();
        self.trace.stop().map_err(CaptureError::Tracing)?;
        self.read()?;
        self.pass_on(u64::MAX, sink)?;
        let lost_events = self.trace.lost().map_err(CaptureError::Tracing)?;
        let requests = &mut self.requests;
        let matched = self.matcher.finish(&mut |request| requests.push(request));
        sink.add(requests).map_err(CaptureError::Write)?;
        Ok(Tail {
            length_ns: end.saturating_sub(self.start).0,
            requests: sink.writer.requests(),
            lost_events,
            matched,
        })
    }
}

fn plain_buffer_kib() -> u64 {
    let processors = u64::from(HostInfo::live().cpu_count.max(1));
    (BUFFERS_KIB / processors).clamp(*BUFFER_KIB.start(), *BUFFER_KIB.end())
}
