//! The kernel's events of block requests, read and matched.

use super::{Book, CaptureError, Wanted};
use fathom_capture::file::Tail;
use fathom_capture::{
    Event, EventKind, Layout, Layouts, Matched, Matcher, Request, events_of_page,
};
use fathom_core::Nanos;
use fathom_device::{BlockDevice, HostInfo, RequestTrace, Setting, request_trace};
use fathom_engine::Clock;
use std::io;

/// How often the buffers are read. With 8 MiB for each processor, 150,000 events a second lose
/// nothing at this interval by a wide margin.
const LOOK: Nanos = Nanos::from_millis(10);
/// Events of the last moment may still be under way to their page; they wait for the next look.
const SLACK_NS: u64 = 1_000_000;
/// Memory of the kernel for the events of all processors.
const BUFFERS_KIB: u64 = 64 << 10;
/// The most and the least that each processor gets of it.
const BUFFER_KIB: std::ops::RangeInclusive<u64> = 1 << 10..=8 << 10;

/// Where requests go.
pub(crate) trait Sink {
    /// Those who asked.
    fn book(&mut self) -> &mut Book;

    /// Takes requests, with tasks by the matcher's numbers, and leaves none.
    ///
    /// # Errors
    ///
    /// What the destination says.
    fn add(&mut self, requests: &mut Vec<Request>) -> io::Result<()>;
}

/// What the kernel records, and what is made of it.
#[derive(Debug)]
pub(crate) struct Recorder {
    trace: RequestTrace,
    layouts: Layouts,
    matcher: Matcher,
    pub(crate) clock: Clock,
    start: Nanos,
    events: Vec<Event>,
    requests: Vec<Request>,
    /// Events that were wanted and that the kernel does not have.
    missing: Vec<&'static str>,
}

impl Recorder {
    /// Starts to record.
    ///
    /// # Errors
    ///
    /// [`CaptureError::Tracing`]
    pub(crate) fn begin(wanted: &Wanted) -> Result<Self, CaptureError> {
        let volumes = volumes_of(wanted);
        let is_wanted = |kind: EventKind| match kind {
            EventKind::Issued | EventKind::Completed | EventKind::Requeued => true,
            // A worker of the kernel may issue a request; this event names the task that asked.
            EventKind::Asked => wanted.is_for_blame || wanted.who.is_some(),
            EventKind::Queued | EventKind::Inserted => wanted.is_for_blame,
            EventKind::Remapped | EventKind::Returned => !volumes.is_empty(),
        };
        let kinds = EventKind::NAMES
            .into_iter()
            .filter(|(kind, _)| is_wanted(*kind));
        let (early, needed): (Vec<_>, Vec<_>) = kinds.partition(|(kind, _)| kind.is_optional());
        let names = |kinds: &[(EventKind, &'static str)]| -> Vec<&'static str> {
            kinds.iter().map(|(_, name)| *name).collect()
        };
        let (optional, events) = (names(&early), names(&needed));
        let numbers = |devices: &[BlockDevice]| -> Vec<u32> {
            let devices = devices.iter().map(|device| device.dev);
            devices.map(request_trace::kernel_number).collect()
        };
        let devices = wanted.disks.iter().chain(volumes);
        let devices: Vec<_> = devices.map(|device| device.dev).collect();
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
        let matcher = Matcher::new(start.0, &numbers(&wanted.disks));
        Ok(Self {
            trace,
            layouts: Layouts(layouts.map_err(CaptureError::Tracing)?),
            matcher: matcher.with_volumes(&numbers(volumes)),
            clock,
            start,
            events: Vec::new(),
            requests: Vec::new(),
            missing,
        })
    }

    /// When it started, by the kernel's monotonic clock.
    pub(crate) const fn start(&self) -> Nanos {
        self.start
    }

    /// Numbers of events and requests so far.
    pub(crate) fn counts(&self) -> Matched {
        self.matcher.counts()
    }

    /// Names of the events that are recorded.
    pub(crate) fn events(&self) -> Vec<String> {
        let events = self.trace.formats().iter();
        events.map(|(name, _)| (*name).to_owned()).collect()
    }

    /// Names of those that were wanted and that the kernel does not have.
    pub(crate) fn missing_events(&self) -> Vec<String> {
        self.missing.iter().map(|name| (*name).to_owned()).collect()
    }

    /// Waits for the next look, at most until an instant.
    pub(crate) fn wait(&mut self, until: Option<Nanos>) -> Nanos {
        let next = self.clock.now() + LOOK;
        let next = until.map_or(next, |until| next.min(until));
        self.clock.wait_until(next, Nanos::ZERO)
    }

    /// Takes in what was recorded so far.
    ///
    /// # Errors
    ///
    /// [`CaptureError`]
    pub(crate) fn look(&mut self, sink: &mut impl Sink) -> Result<(), CaptureError> {
        let until = self.clock.now().0.saturating_sub(SLACK_NS);
        self.read()?;
        self.pass_on(until, sink)
    }

    /// Events that the kernel overwrote so far before they were read.
    ///
    /// # Errors
    ///
    /// [`CaptureError::Tracing`]
    pub(crate) fn lost(&self) -> Result<u64, CaptureError> {
        self.trace.lost().map_err(CaptureError::Tracing)
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
    fn pass_on(&mut self, until: u64, sink: &mut impl Sink) -> Result<(), CaptureError> {
        let count = self.events.partition_point(|event| event.at_ns <= until);
        for event in self.events.drain(..count) {
            self.matcher.add(&event);
        }
        sink.book().enter(self.matcher.new_tasks());
        let requests = &mut self.requests;
        self.matcher.take(&mut |request| requests.push(request));
        sink.add(requests).map_err(CaptureError::Write)
    }

    /// Ends the recording; the number of requests in the tail is that of all.
    ///
    /// # Errors
    ///
    /// [`CaptureError`]
    pub(crate) fn end(mut self, sink: &mut impl Sink) -> Result<Tail, CaptureError> {
        let end = self.clock.now();
        self.trace.stop().map_err(CaptureError::Tracing)?;
        self.read()?;
        self.pass_on(u64::MAX, sink)?;
        let lost_events = self.lost()?;
        let requests = &mut self.requests;
        let matched = self.matcher.finish(&mut |request| requests.push(request));
        sink.add(requests).map_err(CaptureError::Write)?;
        Ok(Tail {
            length_ns: end.saturating_sub(self.start).0,
            requests: matched.requests,
            lost_events,
            matched,
        })
    }
}

/// The volumes whose requests are followed.
pub(super) fn volumes_of(wanted: &Wanted) -> &[BlockDevice] {
    if wanted.is_for_blame {
        &wanted.volumes
    } else {
        &[]
    }
}

fn plain_buffer_kib() -> u64 {
    let processors = u64::from(HostInfo::live().cpu_count.max(1));
    (BUFFERS_KIB / processors).clamp(*BUFFER_KIB.start(), *BUFFER_KIB.end())
}
