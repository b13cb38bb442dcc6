//! Runs on their way into the history, while they go on and when they have ended.
//!
//! A thread of its own writes, so that neither a slow disk nor another process that holds the file
//! keeps the one waiting that looks after the workers. It is handed what has come together at most
//! once a second. A history that cannot be used never stops a run: it is said once, the run goes on
//! without, its result goes to a file, and the exit status says that it is not in the history.

use super::{archive, outbox};
use crate::args::SaveArgs;
use crate::aside;
use crate::error::Problem;
use crate::exit::Exit;
use fathom_core::Nanos;
use fathom_core::result::{Provenance, RunResult};
use fathom_deliver::Destination;
use fathom_device::{Door, Existing};
use fathom_engine::Clock;
use fathom_report::Stored;
use fathom_session::verify_target::Written;
use fathom_session::{Event, Observer};
use fathom_store::{Entry, Store, StoreError};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

/// Time between two writes while a run goes on.
const PERIOD: Nanos = Nanos::from_secs(1);

/// Keeps runs, one after another, or none.
#[derive(Debug)]
pub(crate) struct Keeper {
    writer: Option<Writer>,
    /// Opens the file for a result that cannot be saved; none where nothing is to be saved.
    instead: Option<Door>,
    tags: Vec<String>,
    /// Whether it is the history that is looked into where none is named.
    is_usual: bool,
    deliveries: Deliveries,
}

/// What is to be sent when the last run has ended.
#[derive(Debug, Default)]
struct Deliveries {
    to: Vec<Destination>,
    /// Whether somebody else sends it.
    is_later: bool,
    /// The file of the history that was named.
    store: Option<PathBuf>,
    /// Runs that wait there.
    run_ids: Vec<String>,
    /// Results that no history keeps.
    unkept: Vec<RunResult>,
}

impl Deliveries {
    fn new(args: &SaveArgs) -> Result<Self, Problem> {
        Ok(Self {
            to: outbox::places(&args.deliver)?,
            is_later: args.delivers_later || std::env::var_os(super::DELIVER_LATER).is_some(),
            store: args.store.store.clone(),
            ..Self::default()
        })
    }

    fn names(&self) -> Vec<String> {
        self.to.iter().map(ToString::to_string).collect()
    }
}

/// The thread that writes.
#[derive(Debug)]
struct Writer {
    letters: Sender<Letter>,
    thread: JoinHandle<()>,
}

/// The task.
#[derive(Debug)]
enum Letter {
    Begin(String, Box<Provenance>, Vec<String>),
    Append(String, Vec<Entry>),
    Forget(String),
    Writes(String, PathBuf, String),
    /// What was written to a path, with the seed and the sequence at which that was all.
    Account(String, PathBuf, Arc<Written>, u64, u64),
    /// The result with its tags and where it is to be sent.
    Save(
        Box<RunResult>,
        Vec<String>,
        Vec<String>,
        Sender<Result<(), StoreError>>,
    ),
}

impl Keeper {
    /// Opens the history, unless nothing is to be kept.
    ///
    /// A history that cannot be used is said and done without; only a file that was named and is
    /// none that a history may be kept in is an error, for somebody meant another.
    pub(crate) fn open(args: &SaveArgs, door: &Door) -> Result<Self, Problem> {
        let deliveries = Deliveries::new(args)?;
        if args.no_save {
            return Ok(Self {
                writer: None,
                instead: None,
                tags: Vec::new(),
                is_usual: false,
                deliveries,
            });
        }
        let named = args.store.store.as_deref();
        if let Some(path) = named {
            archive::admits(door, path)?;
        }
        let mut tags = args.tag.clone();
        tags.extend(std::env::var(super::RUN_TAG));
        let started = archive::open_through(door, named).and_then(Writer::start);
        let writer = started.map_err(|problem| warn(&problem)).ok();
        Ok(Self {
            writer,
            instead: Some(door.clone()),
            tags,
            is_usual: args.store.store.is_none(),
            deliveries,
        })
    }

    /// Observes a run in addition to another observer.
    pub(crate) fn listen<'a>(&'a self, next: Box<dyn Observer + 'a>) -> Listener<'a> {
        Listener {
            letters: self.writer.as_ref().map(|writer| &writer.letters),
            tags: &self.tags,
            next,
            clock: Clock::monotonic(),
            run_id: String::new(),
            begin: Nanos::ZERO,
            written: Nanos::ZERO,
            pending: Vec::new(),
            has_intervals: false,
        }
    }

    /// Keeps a run that has ended: where it can be found, and [`Exit::Unsaved`] where that is not
    /// in the history but was to be. Only when this returns is it safe.
    pub(crate) fn keep(&mut self, result: &RunResult) -> (Stored, Exit) {
        let Some(writer) = &self.writer else {
            return (Stored::Nowhere, self.keep_elsewhere(result));
        };
        let (sender, answer) = channel();
        let to = self.deliveries.names();
        let letter = Letter::Save(Box::new(result.clone()), self.tags.clone(), to, sender);
        // Where the thread is gone there is no answer either.
        let _ = writer.letters.send(letter);
        let refused = match answer.recv() {
            Ok(saved) => saved.err().map(|error| archive::problem(&error)),
            Err(_) => Some(Problem::new(
                Exit::Environment,
                "the history has stopped to answer",
            )),
        };
        if let Some(problem) = refused {
            warn(&problem);
            self.writer = None;
            return (Stored::Nowhere, self.keep_elsewhere(result));
        }
        self.deliveries.run_ids.push(result.run_id.clone());
        let stored = if self.is_usual {
            Stored::Latest
        } else {
            Stored::Nowhere
        };
        (stored, Exit::Ok)
    }

    /// A result that no history keeps: into a file, where it was to be kept.
    fn keep_elsewhere(&mut self, result: &RunResult) -> Exit {
        self.deliveries.unkept.push(result.clone());
        let Some(door) = &self.instead else {
            return Exit::Ok;
        };
        let text = serde_json::to_string(result).expect("all keys are strings");
        let name = format!("fathom-{}.json", result.run_id);
        let here = std::env::current_dir().unwrap_or_default();
        let mut refused = None;
        for folder in [here, std::env::temp_dir()] {
            let path = folder.join(&name);
            match door.write(&path, text.as_bytes(), Existing::Kept) {
                Ok(()) => {
                    let path = path.display();
                    aside::say(&format!(
                        "note: the result is in {path}; `fathom import {path}` saves it in the \
                         history"
                    ));
                    return Exit::Unsaved;
                }
                Err(error) => refused = Some(error),
            }
        }
        if let Some(error) = refused {
            let thing = format!("the result of {} is saved nowhere", result.run_id);
            Problem::of_door(thing, &error, None).warn();
        }
        Exit::Unsaved
    }

    /// Sends what was kept, once nothing is measured any more. What no history keeps cannot be left
    /// to anybody else.
    fn deliver(&mut self) {
        let deliveries = std::mem::take(&mut self.deliveries);
        if deliveries.to.is_empty() {
            return;
        }
        for result in &deliveries.unkept {
            outbox::send_unkept(result, &deliveries.to);
        }
        if !deliveries.is_later {
            outbox::send_of(deliveries.store.as_deref(), &deliveries.run_ids);
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        if let Some(writer) = self.writer.take() {
            drop(writer.letters);
            // It has nothing to say that was not said.
            let _ = writer.thread.join();
        }
        // Here, so that no way out leaves a result behind.
        self.deliver();
    }
}

/// Whether it was said that runs are not kept.
static SAID: AtomicBool = AtomicBool::new(false);

/// Says, once, that there will be nothing in the history. To be said even where all else is quiet:
/// what somebody relies on is not there.
fn warn(problem: &Problem) {
    if SAID.swap(true, Ordering::Relaxed) {
        return;
    }
    let remedy = match &problem.remedy {
        Some(remedy) => format!("{remedy}; --no-save to run without"),
        None => "--store FILE, or --no-save to run without".to_owned(),
    };
    let problem = Problem {
        thing: format!("the run is not kept: {}", problem.thing),
        remedy: Some(remedy),
        ..problem.clone()
    };
    problem.warn();
}

impl Writer {
    fn start(mut store: Store) -> Result<Self, Problem> {
        let (letters, inbox) = channel();
        let thread = std::thread::Builder::new()
            .name("history".to_owned())
            .spawn(move || work(&mut store, &inbox))
            .map_err(|error| {
                Problem::new(Exit::Environment, "cannot start a thread")
                    .because(crate::error::system_words(&error))
            })?;
        Ok(Self { letters, thread })
    }
}

/// While a run goes on a failure is not worth an interruption: what could not be written is kept
/// and tried again before the next is, in its order. When the run has ended, its result has all of
/// its earlier reports; only what its writes left behind has to be there as well.
fn work(store: &mut Store, inbox: &Receiver<Letter>) {
    let mut waiting = VecDeque::new();
    for letter in inbox {
        match letter {
            Letter::Save(result, tags, to, answer) => {
                // Nobody waits for it any more only if the whole process ends.
                let _ = answer.send(save(store, &result, &tags, &to, &mut waiting));
            }
            letter => {
                waiting.push_back(letter);
                let _ = write_all(store, &mut waiting);
            }
        }
    }
}

/// Writes what waits, up to the first that cannot be written.
fn write_all(store: &mut Store, waiting: &mut VecDeque<Letter>) -> Result<(), StoreError> {
    while let Some(letter) = waiting.front() {
        write(store, letter)?;
        waiting.pop_front();
    }
    Ok(())
}

fn save(
    store: &mut Store,
    result: &RunResult,
    tags: &[String],
    to: &[String],
    waiting: &mut VecDeque<Letter>,
) -> Result<(), StoreError> {
    let run_id = &result.run_id;
    store.save(result)?;
    tag(store, run_id, tags)?;
    to.iter().try_for_each(|url| store.post(run_id, url))?;
    waiting.retain(|letter| matches!(letter, Letter::Writes(..) | Letter::Account(..)));
    write_all(store, waiting)
}

fn write(store: &mut Store, letter: &Letter) -> Result<(), StoreError> {
    match letter {
        Letter::Begin(run_id, provenance, tags) => {
            store.begin(run_id, provenance)?;
            tag(store, run_id, tags)
        }
        Letter::Append(run_id, entries) => store.append(run_id, entries),
        Letter::Forget(run_id) => store.remove(run_id),
        Letter::Writes(run_id, path, birthmark) => store.writes(run_id, path, birthmark),
        Letter::Account(run_id, path, written, seed, ended) => {
            store.keep_account(run_id, path, &written.close(*seed, *ended))
        }
        Letter::Save(result, ..) => store.save(result),
    }
}

/// Gives a run its tags; those that it has, it keeps.
pub(super) fn tag(store: &mut Store, run_id: &str, tags: &[String]) -> Result<(), StoreError> {
    tags.iter().try_for_each(|name| store.tag(run_id, name))
}

/// Hears a run, and passes on what it hears.
pub(crate) struct Listener<'a> {
    letters: Option<&'a Sender<Letter>>,
    tags: &'a [String],
    next: Box<dyn Observer + 'a>,
    clock: Clock,
    run_id: String,
    begin: Nanos,
    written: Nanos,
    pending: Vec<Entry>,
    has_intervals: bool,
}

impl Listener<'_> {
    /// The run came to nothing. What had been measured by then stays, as of an interrupted run;
    /// one that was refused leaves no trace.
    pub(crate) fn give_up(mut self) {
        if self.has_intervals {
            self.write();
        } else if !self.run_id.is_empty() {
            self.send(Letter::Forget(self.run_id.clone()));
        }
    }

    fn send(&self, letter: Letter) {
        if let Some(letters) = self.letters {
            // A thread that is gone is reported when the result is saved.
            let _ = letters.send(letter);
        }
    }

    fn write(&mut self) {
        let entries = std::mem::take(&mut self.pending);
        self.send(Letter::Append(self.run_id.clone(), entries));
        self.written = self.clock.now();
    }

    fn write_if_due(&mut self) {
        let waited = self.clock.now().saturating_sub(self.written);
        if !self.pending.is_empty() && waited >= PERIOD {
            self.write();
        }
    }

    fn take(&mut self, event: &Event<'_>) {
        if self.run_id.is_empty() && !matches!(event, Event::Begin { .. }) {
            // One of many hosts, of which there is nothing to keep before its end.
            return;
        }
        let entry = match event {
            Event::Begin {
                run_id, provenance, ..
            } => {
                (*run_id).clone_into(&mut self.run_id);
                self.begin = self.clock.now();
                let provenance = Box::new((*provenance).clone());
                let letter = Letter::Begin(self.run_id.clone(), provenance, self.tags.to_vec());
                return self.send(letter);
            }
            Event::Prepared { targets, caveats } => Entry::Prepared {
                targets: targets.to_vec(),
                caveats: caveats.to_vec(),
            },
            Event::Leg { leg, targets } => Entry::Phase {
                spec: Box::new(leg.phase.clone()),
                repeat: leg.repeat,
                targets: targets.iter().map(|paths| paths.to_vec()).collect(),
                begin_ns: self.clock.now().saturating_sub(self.begin).0,
            },
            Event::Interval { interval } => {
                self.has_intervals = true;
                Entry::Interval {
                    interval: Box::new((*interval).clone()),
                }
            }
            Event::PhaseEnd { result } => Entry::Done {
                result: Box::new((*result).clone()),
            },
            Event::Writes { path, birthmark } => {
                let (path, birthmark) = (path.to_path_buf(), (*birthmark).to_owned());
                return self.send(Letter::Writes(self.run_id.clone(), path, birthmark));
            }
            Event::Account {
                path,
                written,
                seed,
                ended,
            } => {
                let (path, written) = (path.to_path_buf(), Arc::clone(written));
                let letter = Letter::Account(self.run_id.clone(), path, written, *seed, *ended);
                return self.send(letter);
            }
            Event::Engine { .. }
            | Event::Layout { .. }
            | Event::PhaseStart { .. }
            | Event::Tick { .. }
            | Event::Requests { .. }
            | Event::Member { .. }
            | Event::RequestsLost { .. }
            | Event::RequestsWaited { .. }
            | Event::WriteBack { .. }
            | Event::Members { .. }
            | Event::Hosts { .. }
            | Event::Verify { .. } => return self.write_if_due(),
        };
        self.pending.push(entry);
        self.write_if_due();
    }
}

impl Observer for Listener<'_> {
    fn event(&mut self, event: &Event<'_>) {
        if self.letters.is_some() {
            self.take(event);
        }
        self.next.event(event);
    }
}
