//! What the readers of all formats share: devices, tasks, plausible numbers, and the requests that
//! wait to be handed out.

use crate::event::{Event, EventKind};
use crate::file::{Chunk, Device, Head, Tail};
use crate::flags::Flags;
use crate::matching::{Matched, Matcher};
use crate::request::{Early, Request, SECTOR_BYTES, Task};
use fathom_core::Op;
use fathom_core::figure::plural;
use std::collections::{BTreeMap, HashMap};

/// Tasks that are distinguished at most; the others are one.
const MOST_TASKS: usize = 1 << 16;
/// Bytes that a read or a write has at most.
const MOST_BYTES: u64 = 1 << 30;
/// More requests a second than any machine makes: the unit of time is another one.
const MOST_RATE: f64 = 1e9;
/// Requests that wait for one that began earlier: as many as a queue of a disk holds, and more.
const MOST_WAITING: usize = 1 << 14;
/// Requests below which a rate says nothing.
const FEW: u64 = 16;
pub(super) const NS_PER_S: u64 = 1_000_000_000;
/// 1990 and 2100 in seconds since 1970: traces with a calendar lie between them.
const YEARS_S: std::ops::Range<u64> = 631_152_000..4_102_444_800;
/// Bits of the minor number in the kernel's number of a device.
const MINOR_BITS: u32 = 20;

/// Why a line or a record is no request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// It alone is left out.
    Piece(String),
    /// The whole trace has other units than its format: what was found and what was expected.
    Unit(String),
}

impl From<&str> for Wrong {
    fn from(cause: &str) -> Self {
        Self::Piece(cause.to_owned())
    }
}

/// A request as a format has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    /// When it was issued, nanoseconds from any instant.
    pub(crate) at_ns: u64,
    pub(crate) service_ns: Option<u64>,
    pub(crate) device: &'a str,
    pub(crate) offset: u64,
    pub(crate) bytes: u64,
    pub(crate) flags: Flags,
    /// Number and name of its process.
    pub(crate) process: Option<(i32, &'a str)>,
}

/// The state of a trace that is being read.
#[derive(Debug, Default)]
pub(crate) struct Book {
    pub(crate) head: Head,
    pub(crate) tasks: Vec<Task>,
    /// Requests that were not handed out yet.
    pub(crate) chunk: Chunk,
    devices: HashMap<String, u16>,
    numbers: HashMap<Task, u32>,
    /// Events of the kernel that become requests.
    matcher: Matcher,
    matched: Matched,
    first_ns: Option<u64>,
    last_ns: u64,
    /// The time of the request before, as the format has it.
    before_ns: u64,
    /// Requests that are known by their end, until none can come that began earlier.
    by_start: BTreeMap<(u64, u64), Request>,
    /// The unit of time of the format.
    resolution_ns: u64,
    requests: u64,
    requests_by_end: u64,
    /// Requests whose time is before that of the one in front of them.
    back: u64,
}

impl Book {
    pub(super) fn new(title: &str) -> Self {
        Self {
            head: Head {
                made_by: title.to_owned(),
                ..Head::default()
            },
            ..Self::default()
        }
    }

    /// The unit of time of the format: requests of the same second may take up to a second.
    pub(super) const fn set_resolution(&mut self, resolution_ns: u64) {
        self.resolution_ns = resolution_ns;
    }

    /// Takes a request in.
    pub(super) fn add(&mut self, seen: Seen<'_>) -> Result<(), Wrong> {
        let request = self.request(seen)?;
        self.push(request);
        Ok(())
    }

    /// Takes a request in from a format that has them by their ends.
    pub(super) fn add_by_end(&mut self, seen: Seen<'_>) -> Result<(), Wrong> {
        let request = self.request(seen)?;
        self.requests_by_end += 1;
        let key = (request.at_ns, self.requests_by_end);
        self.by_start.insert(key, request);
        if self.by_start.len() > MOST_WAITING {
            self.push_earliest();
        }
        Ok(())
    }

    fn push_earliest(&mut self) {
        if let Some((_, request)) = self.by_start.pop_first() {
            self.push(request);
        }
    }

    fn request(&mut self, seen: Seen<'_>) -> Result<Request, Wrong> {
        let op = seen.flags.op().ok_or("its operation is unknown")?;
        let most = if matches!(op, Op::Read | Op::Write) {
            MOST_BYTES
        } else {
            u64::MAX >> 1
        };
        if op != Op::Flush && (seen.bytes == 0 || seen.bytes > most) {
            let bytes = seen.bytes;
            return Err(Wrong::Piece(format!(
                "a request of {bytes} bytes is invalid"
            )));
        }
        let end = seen.offset.checked_add(seen.bytes);
        if end.and_then(|end| i64::try_from(end).ok()).is_none() {
            let offset = seen.offset;
            return Err(Wrong::Piece(format!("offset {offset} is on no device")));
        }
        let device = self.device(seen.device)?;
        let task = self.task(seen.process);
        Ok(Request {
            at_ns: seen.at_ns,
            service_ns: seen.service_ns,
            device,
            offset: if op == Op::Flush { 0 } else { seen.offset },
            bytes: seen.bytes,
            flags: seen.flags,
            task,
            early: Early::default(),
        })
    }

    /// Takes an event of the kernel in.
    pub(super) fn add_event(&mut self, event: &Event) -> Result<(), Wrong> {
        let (major, minor) = (
            event.device >> MINOR_BITS,
            event.device & ((1 << MINOR_BITS) - 1),
        );
        let device = self.device(&format!("{major}:{minor}"))?;
        if event.kind == EventKind::Issued && event.flags.op().is_some() {
            let sectors = event.sector.checked_add(event.sectors.into());
            let is_on = sectors.is_some_and(|end| end <= i64::MAX as u64 >> 9);
            if !is_on && event.flags.op() != Some(Op::Flush) {
                let sector = event.sector;
                return Err(Wrong::Piece(format!("sector {sector} is on no device")));
            }
            let bytes = u64::from(event.sectors) * SECTOR_BYTES;
            if bytes > MOST_BYTES && matches!(event.flags.op(), Some(Op::Read | Op::Write)) {
                return Err(Wrong::Piece(format!(
                    "a request of {bytes} bytes is invalid"
                )));
            }
        }
        self.matcher.know(event.device, device);
        self.matcher.add(event);
        self.matched(false);
        Ok(())
    }

    /// Ends what is still open.
    pub(super) fn finish(&mut self) {
        self.matched(true);
        while !self.by_start.is_empty() {
            self.push_earliest();
        }
    }

    fn matched(&mut self, is_over: bool) {
        for (thread, name) in self.matcher.new_tasks() {
            let end = name.iter().position(|byte| *byte == 0);
            let name = String::from_utf8_lossy(&name[..end.unwrap_or(name.len())]).into_owned();
            let process = None;
            let process_name = None;
            self.tasks.push(Task {
                thread,
                name,
                process,
                process_name,
            });
        }
        let mut found = Vec::new();
        if is_over {
            let matcher = std::mem::take(&mut self.matcher);
            self.matched = matcher.finish(&mut |request| found.push(request));
        } else {
            self.matcher.take(&mut |request| found.push(request));
        }
        for request in found {
            self.push(request);
        }
    }

    /// Adds a request whose time is the one of the format.
    fn push(&mut self, mut request: Request) {
        let first = *self.first_ns.get_or_insert(request.at_ns);
        // Also one that is before the first.
        self.back += u64::from(request.at_ns < self.before_ns);
        self.before_ns = self.before_ns.max(request.at_ns);
        request.at_ns = request.at_ns.saturating_sub(first);
        self.last_ns = self.last_ns.max(request.at_ns);
        self.requests += 1;
        self.chunk.push(request);
    }

    fn device(&mut self, name: &str) -> Result<u16, Wrong> {
        if let Some(known) = self.devices.get(name) {
            return Ok(*known);
        }
        let number = u16::try_from(self.devices.len());
        let number = number.map_err(|_| "the trace has more than 65,536 devices")?;
        self.devices.insert(name.to_owned(), number);
        self.head.devices.push(Device {
            name: name.to_owned(),
            number: name.to_owned(),
            size_bytes: 0,
        });
        Ok(number)
    }

    fn task(&mut self, process: Option<(i32, &str)>) -> u32 {
        let (number, name) = process.unwrap_or((0, ""));
        let mut task = Task {
            thread: number,
            name: name.to_owned(),
            process: process.map(|(number, _)| number),
            process_name: None,
        };
        if let Some(known) = self.numbers.get(&task) {
            return *known;
        }
        if self.tasks.len() > MOST_TASKS {
            return MOST_TASKS as u32;
        }
        if self.tasks.len() == MOST_TASKS {
            task = Task {
                name: "(others)".to_owned(),
                ..Task::default()
            };
        }
        let number = self.tasks.len() as u32;
        self.tasks.push(task.clone());
        self.numbers.insert(task, number);
        number
    }

    pub(super) fn take_chunk(&mut self) -> Chunk {
        std::mem::take(&mut self.chunk)
    }

    pub(super) fn tail(&self) -> Tail {
        Tail {
            length_ns: self.last_ns.saturating_add(self.resolution_ns),
            requests: self.requests,
            lost_events: 0,
            matched: self.matched.clone(),
        }
    }

    /// What is wrong with the rate of requests.
    pub(super) fn implausible_rate(&self) -> Option<String> {
        let rate = self.requests as f64 / (self.last_ns as f64 / NS_PER_S as f64);
        (self.requests >= FEW && self.last_ns > 0 && rate > MOST_RATE).then(|| {
            let (requests, ns) = (self.requests, self.last_ns);
            format!(
                "{requests} requests in {ns} ns were found, below {MOST_RATE:e} requests a second \
                 were expected"
            )
        })
    }

    pub(super) fn remarks(&self) -> Vec<String> {
        let back = (self.back > 0).then(|| {
            let back = plural(self.back, "request");
            format!("out of order: {back}. A replay issues such a request with the one before.")
        });
        let other = (self.matched.other_events > 0).then(|| {
            let other = plural(self.matched.other_events, "event");
            format!("left out: {other} of requests with an unknown operation.")
        });
        back.into_iter().chain(other).collect()
    }
}

/// An instant of the calendar in nanoseconds since 1970; `per_s` is the unit of the format, and
/// `unit` its name. A value outside of 1990 to 2100 has another unit.
pub(super) fn calendar(value: u64, per_s: u64, unit: &str) -> Result<u64, Wrong> {
    if YEARS_S.contains(&(value / per_s)) {
        return Ok(value.saturating_mul(NS_PER_S / per_s));
    }
    let (from, to) = (YEARS_S.start * per_s, YEARS_S.end * per_s);
    Err(Wrong::Unit(format!(
        "time {value} was found, {unit} between {from} and {to} were expected"
    )))
}

/// The kernel's number of a device.
pub(super) const fn device_number(major: u32, minor: u32) -> u32 {
    major << MINOR_BITS | minor & ((1 << MINOR_BITS) - 1)
}
