//! `fathom import`: results from elsewhere, of Fathom's own and of other programs, into the
//! history.

mod collected;

use super::sinks::{self, Sinks};
use super::{archive, keeping, outbox, results as named, show_text, standard_input};
use crate::args::{ImportArgs, OutputSpec, SaveArgs};
use crate::aside;
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use collected::{Search, Seen};
use fathom_core::figure;
use fathom_core::result::{ResultError, RunResult};
use fathom_deliver::{Arrived, Destination};
use fathom_device::{Door, Existing, input};
use fathom_programs::read_results;
use fathom_report::Stored;
use fathom_store::{Arrival, Held, Parcel, ReadError, Store, StoreError};
use fathom_tools::results::ResultFile;
use fathom_tools::told_notes;
use std::collections::VecDeque;
use std::fmt;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// One result that was found.
enum ImportedResult {
    /// A run of Fathom's, from a document or a bundle, and what it says.
    Own(Parcel, Box<RunResult>),
    /// A result of another program, judged.
    Foreign(Box<RunResult>),
}

impl ImportedResult {
    fn result(&self) -> &RunResult {
        match self {
            Self::Own(_, result) | Self::Foreign(result) => result,
        }
    }
}

pub(crate) fn run(args: &ImportArgs) -> Result<Exit, Error> {
    let paths: Vec<&Path> = args.results.iter().map(AsRef::as_ref).collect();
    let to = args.save.deliver.iter().map(|text| outbox::place(text));
    let to: Vec<Destination> = to.collect::<Result<_, _>>()?;
    let sources = Sources::open(&paths, args.quiet)?;
    let mut intake = Intake::new(args, &sources)?;
    let seen = sources.each(&mut |found| intake.take(&found))?;
    seen.tell(args.quiet);
    intake.shown?;
    if intake.store.is_some() {
        if intake.kept.new + intake.kept.known > 0 && intake.is_counted {
            show_text(&intake.kept.to_string())?;
        }
        pass_on(&args.save, &to, &intake.kept.run_ids)?;
    }
    Ok(if seen.failed.is_empty() {
        Exit::Ok
    } else {
        Exit::Environment
    })
}

/// Sends on what has come anew, to the places that were typed for it.
fn pass_on(args: &SaveArgs, to: &[Destination], new: &[String]) -> Result<(), Problem> {
    if to.is_empty() || new.is_empty() {
        return Ok(());
    }
    let named = args.store.store.as_deref();
    let mut store = archive::open(named)?;
    let each = |run_id| to.iter().map(move |place| (run_id, place));
    for (run_id, place) in new.iter().flat_map(each) {
        let posted = store.post(run_id, &place.to_string());
        posted.map_err(|error| archive::problem(&error))?;
    }
    outbox::send_of(named, new);
    Ok(())
}

/// How many runs of Fathom's came to the history, and how many it had.
#[derive(Debug, Default)]
struct Kept {
    new: u64,
    known: u64,
    /// Those that were not there before, and all of other programs.
    run_ids: Vec<String>,
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs = |count: u64| {
            format!(
                "{} run{}",
                figure::count(count),
                if count == 1 { "" } else { "s" }
            )
        };
        match self.known {
            0 => writeln!(f, "{} imported", runs(self.new)),
            known => writeln!(
                f,
                "{} imported, {} known already",
                runs(self.new),
                figure::count(known)
            ),
        }
    }
}

/// Takes results one at a time: keeps and shows each, and is done with it.
struct Intake<'a> {
    args: &'a ImportArgs,
    /// A bundle is a history and not a report: unless it goes nowhere else, it is only counted.
    is_counted: bool,
    /// None where nothing is kept.
    store: Option<Store>,
    places: Places,
    kept: Kept,
    /// What became of showing them. The others are still saved.
    shown: Result<(), Error>,
}

/// Where results are shown.
enum Places {
    /// On standard output, whatever comes.
    AsTheyCome(Vec<OutputSpec>),
    /// In places that were opened for those that will come, by their names.
    Opened(VecDeque<(String, Sinks)>),
}

impl<'a> Intake<'a> {
    fn new(args: &'a ImportArgs, sources: &Sources) -> Result<Self, Problem> {
        let is_counted = args.output.is_empty() && !args.save.no_save;
        let places = if args.output.is_empty() {
            Places::AsTheyCome(vec![OutputSpec::text()])
        } else {
            Places::open(args, sources)?
        };
        let store = if args.save.no_save {
            None
        } else {
            Some(history(&args.save)?)
        };
        Ok(Self {
            args,
            is_counted,
            store,
            places,
            kept: Kept::default(),
            shown: Ok(()),
        })
    }

    fn take(&mut self, found: &ImportedResult) -> Result<(), Problem> {
        if let Some(store) = &mut self.store {
            let kept = self.kept.keep(store, found, &self.args.save.tag);
            kept.map_err(|error| archive::problem(&error))?;
        }
        let is_shown = !self.is_counted || matches!(found, ImportedResult::Foreign(_));
        if is_shown && self.shown.is_ok() {
            self.shown = self.show(found.result());
        }
        Ok(())
    }

    fn show(&mut self, result: &RunResult) -> Result<(), Error> {
        let stored = if self.store.is_some() {
            Stored::ById
        } else {
            Stored::Nowhere
        };
        let written = self.places.next(result)?.write(result, stored)?;
        if !self.args.quiet {
            sinks::tell(&written);
        }
        Ok(())
    }
}

impl Places {
    /// Opens what was asked for, for all that will come. What that is, is read for its names alone.
    fn open(args: &ImportArgs, sources: &Sources) -> Result<Self, Problem> {
        let mut names = Vec::new();
        sources.each(&mut |found| {
            names.push(found.result().provenance.workload.name.clone());
            Ok(())
        })?;
        let outputs = OutputSpec::with_brief(args.output.clone(), args.quiet);
        let existing = Existing::replaced_if(args.replace.overwrite);
        let of: Vec<&str> = names.iter().map(String::as_str).collect();
        let opened = sinks::open(&outputs, &of, &Door::default(), existing)?;
        Ok(Self::Opened(names.into_iter().zip(opened).collect()))
    }

    fn next(&mut self, result: &RunResult) -> Result<Sinks, Problem> {
        let name = result.provenance.workload.name.as_str();
        let opened = match self {
            Self::AsTheyCome(outputs) => {
                sinks::open(outputs, &[name], &Door::default(), Existing::Kept)?.pop()
            }
            Self::Opened(opened) => opened
                .pop_front()
                .and_then(|(expected, sinks)| (expected == name).then_some(sinks)),
        };
        opened.ok_or_else(|| {
            let thing = format!("{name} cannot be shown");
            Problem::new(Exit::Environment, thing)
                .because("the files changed while they were read")
                .remedy("use `fathom show`, because it is saved, or import again")
        })
    }
}

fn history(args: &SaveArgs) -> Result<Store, Problem> {
    archive::open(args.store.store.as_deref()).map_err(|problem| {
        let remedy = match &problem.remedy {
            Some(remedy) => format!("{remedy}; --no-save to import without"),
            None => "--store FILE, or --no-save to import without".to_owned(),
        };
        problem.remedy(remedy)
    })
}

impl Kept {
    /// Puts a result into the history. A run of Fathom's that is there already stays as it is; a
    /// result of another program is read afresh.
    fn keep(
        &mut self,
        store: &mut Store,
        found: &ImportedResult,
        tags: &[String],
    ) -> Result<(), StoreError> {
        let run_id = &found.result().run_id;
        let is_new = match found {
            ImportedResult::Own(parcel, _) => match store.import(parcel)? {
                Arrival::New => {
                    self.new += 1;
                    true
                }
                Arrival::Known => {
                    self.known += 1;
                    false
                }
            },
            ImportedResult::Foreign(result) => {
                store.save(result)?;
                true
            }
        };
        if is_new {
            self.run_ids.push(run_id.clone());
        }
        keeping::tag(store, run_id, tags)
    }
}

/// What is imported. Files that were named are read, so that what is wrong with them is said before
/// anything is kept; those that lie in a folder are only known by their paths.
struct Sources {
    /// Runs of Fathom's.
    parcels: Vec<Parcel>,
    /// Results of other programs, judged.
    foreign: Vec<RunResult>,
    /// Among which results lie.
    searched: Vec<Searched>,
}

enum Searched {
    /// In a folder.
    File(PathBuf),
    /// In an archive or a mailbox.
    Within(Arrived),
}

impl Sources {
    /// What is left out of results of other programs is noted on standard error, unless `quiet`.
    fn open(paths: &[&Path], quiet: bool) -> Result<Self, Error> {
        standard_input::refuse_twice(paths.iter().map(|path| path.as_os_str()))?;
        let mut parcels = Vec::new();
        let mut texts = Vec::new();
        let mut searched = Vec::new();
        for path in paths {
            if path.is_dir() {
                searched.extend(collected::files(path)?.into_iter().map(Searched::File));
                continue;
            }
            let bytes = read(path)?;
            if let Some(files) = collected::within(&name(path), &bytes)? {
                searched.extend(files.into_iter().map(Searched::Within));
                continue;
            }
            match own(&bytes, &name(path))? {
                Some(runs) => parcels.extend(runs),
                None => texts.push((name(path), decoded(path, bytes)?)),
            }
        }
        for parcel in &parcels {
            said(parcel)?;
        }
        let foreign = if texts.is_empty() {
            Vec::new()
        } else {
            foreign(&texts, quiet)?
        };
        Ok(Self {
            parcels,
            foreign,
            searched,
        })
    }

    /// Gives all results, one at a time, and what else lies among them.
    fn each(
        &self,
        take: &mut dyn FnMut(ImportedResult) -> Result<(), Problem>,
    ) -> Result<Seen, Problem> {
        for parcel in &self.parcels {
            take(ImportedResult::Own(parcel.clone(), said(parcel)?))?;
        }
        for result in &self.foreign {
            take(ImportedResult::Foreign(Box::new(result.clone())))?;
        }
        let mut seen = Seen::default();
        let mut search = Search::new(take, &mut seen);
        for one in &self.searched {
            match one {
                Searched::File(path) => search.read(path)?,
                Searched::Within(file) => search.within(file)?,
            }
        }
        Ok(seen)
    }
}

/// What a run in a bundle says.
fn said(parcel: &Parcel) -> Result<Box<RunResult>, Problem> {
    let result = parcel.result().map(Box::new);
    result.map_err(|error| named::unreadable("a bundle", error.into()))
}

/// The runs in a document or a bundle of Fathom's; none if it is of another program.
fn own(bytes: &[u8], name: &str) -> Result<Option<Vec<Parcel>>, Problem> {
    let is_packed = bytes.starts_with(&[0x1f, 0x8b]);
    match fathom_store::read(bytes) {
        Ok(Held::Bundle(parcels)) => Ok(Some(parcels)),
        Ok(Held::Result(result)) => Ok(Some(vec![Parcel::of(&result)])),
        Err(error @ ReadError::NewerBundle { .. }) => Err(named::unreadable(name, error)),
        Err(ReadError::Result(error @ ResultError::TooNew { .. })) => {
            Err(named::unreadable(name, error.into()))
        }
        // No other program packs its results.
        Err(error) if is_packed => Err(named::unreadable(name, error)),
        Err(_) => Ok(None),
    }
}

fn foreign(texts: &[(String, String)], quiet: bool) -> Result<Vec<RunResult>, Error> {
    let files: Vec<ResultFile<'_>> = texts
        .iter()
        .map(|(name, text)| ResultFile { name, text })
        .collect();
    let mut results = Vec::new();
    for import in read_results(&files).map_err(Error::Text)? {
        if !quiet {
            for note in told_notes(&import.notes) {
                aside::say(&format!("note: {note}"));
            }
        }
        let mut result = import.result;
        fathom_verdict::judge(&mut result);
        results.push(result);
    }
    Ok(results)
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn name(path: &Path) -> String {
    if is_stdin(path) {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}

fn cannot_read(path: &Path, cause: String) -> Problem {
    let thing = format!("cannot read a result from {}", name(path));
    Problem::new(Exit::Environment, thing).because(cause)
}

fn read(path: &Path) -> Result<Vec<u8>, Problem> {
    let bytes = if is_stdin(path) {
        let mut bytes = Vec::new();
        let mut input = standard_input::once()?;
        input.read_to_end(&mut bytes).map(|_| bytes)
    } else {
        input::read(path)
    };
    bytes.map_err(|error| cannot_read(path, system_words(&error)))
}

fn decoded(path: &Path, bytes: Vec<u8>) -> Result<String, Problem> {
    fathom_tools::results::decode(bytes).map_err(|cause| cannot_read(path, cause.to_owned()))
}
