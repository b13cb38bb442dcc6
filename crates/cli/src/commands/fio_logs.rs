//! The logs that fio's options ask for, written while the run goes on.

use super::fio_files;
use crate::aside;
use crate::error::{Problem, system_words};
use crate::exit::Exit;
use crate::terminal;
use fathom_core::interval::Part;
use fathom_core::{Nanos, Op};
use fathom_device::{Door, DoorError};
use fathom_session::{Entry, Event, JournalEvent, Observer};
use fathom_tools::fio::{FioLog, FioLogWriter, LoggedRequest};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A file, perhaps of several logs that are alike.
type Out = Rc<RefCell<BufWriter<File>>>;

/// The logs of a run, open.
#[derive(Debug, Default)]
pub(super) struct Logs {
    all: Vec<Log>,
    files: Vec<(PathBuf, Out)>,
    /// Files that the logs of several clones are written to one after another, at the end.
    shared: Vec<(PathBuf, BufWriter<File>)>,
    /// The logs of each job and thread of the phase that runs.
    now: BTreeMap<(usize, u32), Vec<usize>>,
    failure: Option<Problem>,
    /// Nanoseconds since 1970 at the zero of the run's clock.
    base_ns: u64,
    lost: u64,
    /// How often the load waited for them.
    waits: u64,
    /// Whether any file that is there may be replaced.
    overwrites: bool,
}

#[derive(Debug)]
struct Log {
    spec: FioLog,
    writer: FioLogWriter,
    out: Out,
    path: PathBuf,
}

impl Logs {
    /// Makes all files, so that a bad path fails before anything is measured.
    pub(super) fn open(
        door: &Door,
        specs: &[FioLog],
        directory: Option<&str>,
        overwrites: bool,
    ) -> Result<Self, Problem> {
        let mut logs = Self {
            overwrites,
            ..Self::default()
        };
        for spec in specs {
            let path = Path::new(directory.unwrap_or_default()).join(&spec.path);
            let out = if spec.together {
                logs.part(door, &path)
            } else {
                logs.whole(door, &path)
            };
            let out = out.map_err(|error| refused(&path, &error))?;
            logs.all.push(Log {
                spec: spec.clone(),
                writer: FioLogWriter::new(spec.form()),
                out,
                path,
            });
        }
        Ok(logs)
    }

    /// A file of its own, emptied as fio does.
    fn whole(&mut self, door: &Door, path: &Path) -> Result<Out, DoorError> {
        if let Some((_, out)) = self.files.iter().find(|(other, _)| other == path) {
            return Ok(Rc::clone(out));
        }
        let file = fio_files::renewed(door, path, fio_files::is_log, self.overwrites)?;
        let out = Rc::new(RefCell::new(BufWriter::new(file)));
        self.files.push((path.to_owned(), Rc::clone(&out)));
        Ok(out)
    }

    /// A part of a file that several share: without a name, so that nothing is left of it.
    fn part(&mut self, door: &Door, path: &Path) -> Result<Out, DoorError> {
        if self.shared.iter().all(|(other, _)| other != path) {
            let file = fio_files::extended(door, path, fio_files::is_log, self.overwrites)?;
            self.shared.push((path.to_owned(), BufWriter::new(file)));
        }
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{}.part", std::process::id()));
        let file = door.nameless(Path::new(&name))?;
        Ok(Rc::new(RefCell::new(BufWriter::new(file))))
    }

    /// The jobs whose requests are wanted, by phase.
    pub(super) fn journals(&self) -> BTreeMap<String, Vec<String>> {
        let mut journals: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for Log { spec, .. } in &self.all {
            let jobs = journals.entry(spec.phase.clone()).or_default();
            if !jobs.contains(&spec.job) {
                jobs.push(spec.job.clone());
            }
        }
        journals
    }

    /// Writes what is left, and says what went wrong on the way.
    pub(super) fn finish(mut self) -> Result<(), Problem> {
        for log in &mut self.all {
            let ended = log.writer.finish(&mut *log.out.borrow_mut());
            ended.map_err(|error| cannot_write(&log.path, &error))?;
        }
        for (path, file) in &mut self.shared {
            let parts = self.all.iter().filter(|log| log.path == *path);
            for log in parts {
                let copied = append(&log.out, file);
                copied.map_err(|error| cannot_write(path, &error))?;
            }
            file.flush().map_err(|error| cannot_write(path, &error))?;
        }
        for (path, out) in &self.files {
            let ended = out.borrow_mut().flush();
            ended.map_err(|error| cannot_write(path, &error))?;
        }
        if self.lost > 0 {
            aside::say(&format!(
                "warning: {} requests are missing in the logs: they came faster than they could be \
                 written",
                self.lost
            ));
        }
        // Programs that call fio take anything on standard error for a failure.
        if self.waits > 0 && terminal::raw_stderr().is_terminal() {
            aside::say(&format!(
                "note: the load waited {} times until its logs were written: without them it is \
                 faster",
                self.waits
            ));
        }
        self.failure.map_or(Ok(()), Err)
    }

    /// Takes in what happened where their requests are made.
    pub(super) fn hear(&mut self, event: &JournalEvent<'_>) {
        match event {
            JournalEvent::Begin { base_ns } => self.base_ns = *base_ns,
            JournalEvent::PhaseStart { name, jobs } => self.begin(name, jobs),
            JournalEvent::Requests {
                job,
                thread,
                start_ns,
                entries,
            } => self.add((*job, *thread), Nanos(*start_ns), entries),
            JournalEvent::PhaseEnd { name, length_ns } => self.over(name, Nanos(*length_ns)),
            JournalEvent::Lost(count) => self.lost = self.lost.saturating_add(*count),
            JournalEvent::Waited(count) => self.waits = self.waits.saturating_add(*count),
        }
    }

    fn begin(&mut self, phase: &str, jobs: &[Cow<'_, str>]) {
        self.now.clear();
        for (index, Log { spec, .. }) in self.all.iter().enumerate() {
            let job = jobs.iter().position(|name| *name == spec.job);
            if let (true, Some(job)) = (spec.phase == phase, job) {
                self.now.entry((job, spec.thread)).or_default().push(index);
            }
        }
    }

    /// A phase is over, so long after it began.
    fn over(&mut self, phase: &str, end: Nanos) {
        for log in self.all.iter_mut().filter(|log| log.spec.phase == phase) {
            let at = end.saturating_sub(log.spec.begin);
            if let Err(error) = log.writer.over(at, &mut *log.out.borrow_mut()) {
                self.failure
                    .get_or_insert_with(|| cannot_write(&log.path, &error));
            }
        }
    }

    fn add(&mut self, key: (usize, u32), start: Nanos, entries: &[Entry]) {
        for index in self.now.get(&key).into_iter().flatten() {
            let log = &mut self.all[*index];
            if let Err(error) = log.add(start, self.base_ns, entries) {
                self.failure
                    .get_or_insert_with(|| cannot_write(&log.path, &error));
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
    fn add(&mut self, start: Nanos, base_ns: u64, entries: &[Entry]) -> io::Result<()> {
        let begin = start.saturating_add(self.spec.begin);
        if self.spec.epoch {
            self.writer.count_from(begin.saturating_add(Nanos(base_ns)));
        }
        let mut out = self.out.borrow_mut();
        let measured = entries
            .iter()
            .filter(|entry| entry.part == Part::Measure && entry.completed >= begin)
            .filter(|entry| entry.op != Op::Flush);
        for entry in measured {
            let request = LoggedRequest {
                at: entry.completed - begin,
                submission: entry.issued.saturating_sub(entry.begun),
                latency: entry.completed.saturating_sub(entry.issued),
                offset: entry.offset,
                bytes: entry.len,
                op: entry.op,
                priority: entry.priority,
            };
            self.writer.add(request, &mut *out)?;
        }
        Ok(())
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

impl Observer for Logs {
    fn event(&mut self, event: &Event<'_>) {
        if let Some(event) = JournalEvent::of(event) {
            self.hear(&event);
        }
    }
}

/// A log that the door does not open.
fn refused(path: &Path, error: &DoorError) -> Problem {
    let thing = format!("cannot write the log {}", path.display());
    fio_files::refused(thing, error)
}

fn cannot_write(path: &Path, error: &io::Error) -> Problem {
    let thing = format!("cannot write the log {}", path.display());
    Problem::new(Exit::Environment, thing).because(system_words(error))
}
