//! The logs of requests that a call asks for, written while the run goes on. Where many hosts make
//! the requests, each has its own, which the host that asked for them writes.

use super::files::{Files, failed};
use super::host_names::given_names;
use crate::aside;
use crate::error::Problem;
use crate::terminal;
use fathom_core::interval::Part;
use fathom_core::{Nanos, Op};
use fathom_device::Existing;
use fathom_session::{Entry, Event, JournalEvent, Observer};
use fathom_tools::{Call, JobsByPhase, LoggedRequest, RequestLog};
use std::borrow::Cow;
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal as _, Seek as _, Write as _};
use std::path::PathBuf;
use std::rc::Rc;

/// A file, perhaps of several logs that are alike.
type Out = Rc<RefCell<BufWriter<File>>>;

/// The logs of this host, or of each of many by rank.
#[derive(Debug, Default)]
pub(super) struct RequestLogs {
    here: Logs,
    of_hosts: Vec<Logs>,
}

impl RequestLogs {
    /// Makes all files, so that a bad path fails before anything is measured. The members are on
    /// these hosts, if there are many.
    pub(super) fn open(
        files: &Files,
        call: &dyn Call,
        hosts: Option<&[String]>,
    ) -> Result<Self, Problem> {
        let names = hosts.map(given_names).unwrap_or_default();
        let of_hosts = names
            .iter()
            .map(|name| Logs::open(files, call.logs(Some(name))));
        let here = if hosts.is_none() {
            call.logs(None)
        } else {
            Vec::new()
        };
        Ok(Self {
            here: Logs::open(files, here)?,
            of_hosts: of_hosts.collect::<Result<_, _>>()?,
        })
    }

    /// The jobs whose requests are wanted: the same on each host.
    pub(super) fn journals(&self) -> JobsByPhase {
        let mut journals = JobsByPhase::new();
        for Log { spec, .. } in &self.of_hosts.first().unwrap_or(&self.here).all {
            let jobs = journals.entry(spec.phase.clone()).or_default();
            for job in &spec.jobs {
                if !jobs.contains(job) {
                    jobs.push(job.clone());
                }
            }
        }
        journals
    }

    /// Writes what is left, and says what went wrong on the way.
    pub(super) fn finish(self) -> Result<(), Problem> {
        self.here.finish()?;
        self.of_hosts.into_iter().try_for_each(Logs::finish)
    }
}

impl Observer for RequestLogs {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Member { rank, event } => {
                if let Some(logs) = self.of_hosts.get_mut(*rank as usize) {
                    logs.hear(event);
                }
            }
            Event::Leg { targets, .. } if self.here.all.iter().any(|log| log.spec.is_whole) => {
                self.here.targets = targets.iter().map(|paths| paths.to_vec()).collect();
            }
            event => {
                if let Some(event) = JournalEvent::of(event) {
                    self.here.hear(&event);
                }
            }
        }
    }
}

/// Keeps the first thing that went wrong.
fn keep(first: &mut Option<Problem>, ended: Result<(), Problem>) {
    if let Err(problem) = ended {
        first.get_or_insert(problem);
    }
}

/// The logs of a run, open.
#[derive(Debug, Default)]
pub(super) struct Logs {
    all: Vec<Log>,
    files: Vec<(PathBuf, Out)>,
    /// Files that the logs of several clones are written to one after another, at the end.
    shared: Vec<(PathBuf, BufWriter<File>)>,
    /// Those of the phase that runs: the position of a job, the log, and the number of the job's
    /// first target there.
    now: Vec<(usize, usize, u16)>,
    /// The targets of each job of that phase, where they are known.
    targets: Vec<Vec<String>>,
    failure: Option<Problem>,
    /// Nanoseconds since 1970 at the zero of the run's clock.
    base_ns: u64,
    lost: u64,
    /// How often the load waited for them.
    waits: u64,
}

#[derive(Debug)]
struct Log {
    spec: RequestLog,
    out: Out,
    /// The targets of its jobs.
    targets: Vec<String>,
}

impl Logs {
    fn open(files: &Files, specs: Vec<RequestLog>) -> Result<Self, Problem> {
        let mut logs = Self::default();
        for spec in specs {
            let out = if spec.together {
                logs.part(files, &spec)
            } else {
                logs.whole(files, &spec)
            };
            logs.all.push(Log {
                out: out?,
                spec,
                targets: Vec::new(),
            });
        }
        Ok(logs)
    }

    /// A file of its own, emptied.
    fn whole(&mut self, files: &Files, spec: &RequestLog) -> Result<Out, Problem> {
        let path = &spec.path;
        if let Some((_, out)) = self.files.iter().find(|(other, _)| other == path) {
            return Ok(Rc::clone(out));
        }
        let file = files.renewed(spec.thing, path, &spec.is_own)?;
        let out = Rc::new(RefCell::new(BufWriter::new(file)));
        self.files.push((path.clone(), Rc::clone(&out)));
        Ok(out)
    }

    /// A part of a file that several share.
    fn part(&mut self, files: &Files, spec: &RequestLog) -> Result<Out, Problem> {
        let path = &spec.path;
        if self.shared.iter().all(|(other, _)| other != path) {
            let opened = files.open(spec.thing, path, Existing::Extended, &spec.is_own)?;
            self.shared
                .push((path.clone(), BufWriter::new(opened.file)));
        }
        let file = files.nameless(spec.thing, path)?;
        Ok(Rc::new(RefCell::new(BufWriter::new(file))))
    }

    /// Writes what is left, and says what went wrong on the way.
    fn finish(mut self) -> Result<(), Problem> {
        // One that cannot be written takes no other with it.
        let mut first = None;
        for log in &mut self.all {
            let ended = log
                .spec
                .writer
                .finish(&log.targets, &mut *log.out.borrow_mut());
            keep(&mut first, ended.map_err(|error| log.failed(&error)));
        }
        for (path, file) in &mut self.shared {
            let parts = self.all.iter().filter(|log| log.spec.path == *path);
            let mut parts = parts.map(|log| &log.out);
            let copied = parts.try_for_each(|out| append(out, file));
            let copied = copied.and_then(|()| file.flush());
            keep(
                &mut first,
                copied.map_err(|error| failed("log", path, &error)),
            );
        }
        for (path, out) in &self.files {
            let ended = out.borrow_mut().flush();
            keep(
                &mut first,
                ended.map_err(|error| failed("log", path, &error)),
            );
        }
        if self.lost > 0 {
            aside::say(&format!(
                "warning: {} requests are missing in the logs: they came faster than they could be \
                 written",
                self.lost
            ));
        }
        // Who calls by the words of another program takes anything on standard error for a failure.
        if self.waits > 0 && terminal::raw_stderr().is_terminal() {
            aside::say(&format!(
                "note: the load waited {} times until its logs were written: without them it is \
                 faster",
                self.waits
            ));
        }
        self.failure.or(first).map_or(Ok(()), Err)
    }

    /// Takes in what happened where their requests are made.
    fn hear(&mut self, event: &JournalEvent<'_>) {
        match event {
            JournalEvent::Begin { base_ns } => self.base_ns = *base_ns,
            JournalEvent::PhaseStart { name, jobs } => self.begin(name, jobs),
            JournalEvent::Requests {
                job,
                thread,
                start_ns,
                entries,
            } => self.add(*job, *thread, Nanos(*start_ns), entries),
            JournalEvent::PhaseEnd { name, length_ns } => self.over(name, Nanos(*length_ns)),
            JournalEvent::Lost(count) => self.lost = self.lost.saturating_add(*count),
            JournalEvent::Waited(count) => self.waits = self.waits.saturating_add(*count),
        }
    }

    fn begin(&mut self, phase: &str, jobs: &[Cow<'_, str>]) {
        self.now.clear();
        for (index, log) in self.all.iter_mut().enumerate() {
            if log.spec.phase != phase {
                continue;
            }
            for (job, name) in jobs.iter().enumerate() {
                if log.spec.jobs.iter().any(|wanted| wanted == name) {
                    self.now.push((job, index, log.targets.len() as u16));
                    if log.spec.is_whole {
                        let targets = self.targets.get(job).into_iter().flatten();
                        log.targets.extend(targets.cloned());
                    }
                }
            }
        }
    }

    /// A phase is over at `end`, counted from its start.
    fn over(&mut self, phase: &str, end: Nanos) {
        for log in self.all.iter_mut().filter(|log| log.spec.phase == phase) {
            let at = end.saturating_sub(log.spec.begin);
            if let Err(error) = log.spec.writer.over(at, &mut *log.out.borrow_mut()) {
                self.failure.get_or_insert_with(|| log.failed(&error));
            }
        }
    }

    fn add(&mut self, job: usize, thread: u32, start: Nanos, entries: &[Entry]) {
        for (_, index, first) in self.now.iter().filter(|(of, ..)| *of == job) {
            let log = &mut self.all[*index];
            if log.spec.thread.is_some_and(|own| own != thread) {
                continue;
            }
            if let Err(error) = log.add(start, self.base_ns, *first, entries) {
                self.failure.get_or_insert_with(|| log.failed(&error));
            }
        }
    }
}

/// Moves a part to the end of its file.
fn append(part: &Out, file: &mut BufWriter<File>) -> io::Result<()> {
    let mut part = part.borrow_mut();
    part.rewind()?;
    io::copy(part.get_mut(), file).map(|_| ())
}

impl Log {
    fn add(&mut self, start: Nanos, base_ns: u64, first: u16, entries: &[Entry]) -> io::Result<()> {
        let is_whole = self.spec.is_whole;
        let begin = start.saturating_add(self.spec.begin);
        let writer = &mut self.spec.writer;
        writer.begin(begin.saturating_add(Nanos(base_ns)));
        let mut out = self.out.borrow_mut();
        let logged = entries.iter().filter(|entry| {
            let is_measured = entry.part == Part::Measure && entry.completed >= begin;
            is_whole || is_measured && entry.op != Op::Flush
        });
        for entry in logged {
            let request = LoggedRequest {
                at: entry.completed.saturating_sub(begin),
                submission: entry.issued.saturating_sub(entry.begun),
                latency: entry.completed.saturating_sub(entry.issued),
                offset: entry.offset,
                bytes: entry.len,
                target: first + entry.target,
                op: entry.op,
                priority: entry.priority,
            };
            writer.add(request, &mut *out)?;
        }
        Ok(())
    }

    fn failed(&self, error: &io::Error) -> Problem {
        failed(self.spec.thing, &self.spec.path, error)
    }
}

/// Tells two observers.
pub(super) struct Both<'a>(
    pub(super) &'a mut dyn Observer,
    pub(super) &'a mut dyn Observer,
);

impl Observer for Both<'_> {
    fn event(&mut self, event: &Event<'_>) {
        self.0.event(event);
        self.1.event(event);
    }
}
