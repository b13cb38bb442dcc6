//! `fathom import`: results from elsewhere, of Fathom's own and of other programs, into the
//! history.

mod collected;

use super::{archive, keeping, outbox, results as named, show_text, sinks};
use crate::args::{ImportArgs, OutputSpec, SaveArgs};
use crate::aside;
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use collected::Searched;
use fathom_core::figure;
use fathom_core::result::{ResultError, RunResult};
use fathom_deliver::Destination;
use fathom_device::{Door, Existing};
use fathom_report::Stored;
use fathom_store::{Arrival, Held, Parcel, ReadError, Store, StoreError};
use fathom_tools::results::{self, ResultFile};
use std::fmt;
use std::io::{self, Read as _};
use std::path::Path;

/// What the files hold.
struct Imports {
    /// Runs of Fathom's, from documents and bundles.
    parcels: Vec<Parcel>,
    /// The same, read.
    own: Vec<RunResult>,
    /// Results of other programs, judged.
    foreign: Vec<RunResult>,
    /// Whether everything that lay there could be read.
    is_whole: bool,
}

pub(crate) fn run(args: &ImportArgs) -> Result<Exit, Error> {
    let paths: Vec<&Path> = args.results.iter().map(AsRef::as_ref).collect();
    let to = args.save.deliver.iter().map(|text| outbox::place(text));
    let to: Vec<Destination> = to.collect::<Result<_, _>>()?;
    let imports = load(&paths, args.quiet)?;
    // A bundle is a history and not a report: unless it goes nowhere else, it is only counted.
    let is_counted = args.output.is_empty() && !args.save.no_save;
    let own = if is_counted { &[][..] } else { &imports.own };
    let shown: Vec<&RunResult> = own.iter().chain(&imports.foreign).collect();
    let names: Vec<&str> = shown
        .iter()
        .map(|result| result.provenance.workload.name.as_str())
        .collect();
    let outputs = if args.output.is_empty() {
        vec![OutputSpec::text()]
    } else {
        OutputSpec::with_brief(args.output.clone(), args.quiet)
    };
    let existing = Existing::replaced_if(args.replace.overwrite);
    let sinks = sinks::open(&outputs, &names, &Door::default(), existing)?;
    let kept = if args.save.no_save {
        None
    } else {
        Some(keep(&args.save, &imports)?)
    };
    let stored = if kept.is_some() {
        Stored::ById
    } else {
        Stored::Nowhere
    };
    for (result, sinks) in shown.into_iter().zip(sinks) {
        let written = sinks.write(result, stored)?;
        if !args.quiet {
            sinks::tell(&written);
        }
    }
    if let Some(kept) = kept {
        if is_counted && !imports.own.is_empty() {
            show_text(&kept.to_string())?;
        }
        pass_on(&args.save, &to, &kept.run_ids)?;
    }
    Ok(if imports.is_whole {
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

/// Puts all of it into the history. A run of Fathom's that is there already stays as it is; a
/// result of another program is read afresh.
fn keep(args: &SaveArgs, imports: &Imports) -> Result<Kept, Problem> {
    let mut store = archive::open(args.store.store.as_deref()).map_err(|problem| {
        let remedy = match &problem.remedy {
            Some(remedy) => format!("{remedy}; --no-save to import without"),
            None => "--store FILE, or --no-save to import without".to_owned(),
        };
        problem.remedy(remedy)
    })?;
    put(&mut store, imports, &args.tag).map_err(|error| archive::problem(&error))
}

fn put(store: &mut Store, imports: &Imports, tags: &[String]) -> Result<Kept, StoreError> {
    let mut kept = Kept::default();
    for parcel in &imports.parcels {
        match store.import(parcel)? {
            Arrival::New => {
                kept.new += 1;
                kept.run_ids.push(
                    parcel
                        .result()
                        .map_or_else(|_| String::new(), |it| it.run_id),
                );
            }
            Arrival::Known => kept.known += 1,
        }
    }
    for result in &imports.foreign {
        store.save(result)?;
        kept.run_ids.push(result.run_id.clone());
    }
    for result in imports.own.iter().chain(&imports.foreign) {
        keeping::tag(store, &result.run_id, tags)?;
    }
    Ok(kept)
}

/// The results in files. What is left out of those of other programs is noted on standard error,
/// unless `quiet`.
fn load(paths: &[&Path], quiet: bool) -> Result<Imports, Error> {
    if paths.iter().filter(|path| is_stdin(path)).count() > 1 {
        return Err(Problem::new(Exit::Usage, "standard input is named twice")
            .remedy("one of the results in a file")
            .into());
    }
    let mut parcels = Vec::new();
    let mut texts = Vec::new();
    let mut searched = Searched::default();
    for path in paths {
        if path.is_dir() {
            for file in collected::files(path)? {
                searched.read(&file);
            }
            continue;
        }
        let bytes = read(path)?;
        if let Some(files) = collected::within(&name(path), &bytes)? {
            for file in &files {
                searched.take(file);
            }
            continue;
        }
        match own(&bytes, &name(path))? {
            Some(runs) => parcels.extend(runs),
            None => texts.push((name(path), decoded(path, bytes)?)),
        }
    }
    parcels.append(&mut searched.parcels);
    let own = parcels.iter().map(Parcel::result).collect::<Result<_, _>>();
    let own = own.map_err(|error| named::unreadable("a bundle", error.into()))?;
    let mut foreign = if texts.is_empty() {
        Vec::new()
    } else {
        foreign(&texts, quiet)?
    };
    foreign.append(&mut searched.foreign);
    searched.tell(quiet);
    Ok(Imports {
        parcels,
        own,
        foreign,
        is_whole: searched.failed.is_empty(),
    })
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
    for import in results::read(&files).map_err(Error::Text)? {
        if !quiet {
            for note in &import.notes {
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
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    bytes.map_err(|error| cannot_read(path, system_words(&error)))
}

fn decoded(path: &Path, bytes: Vec<u8>) -> Result<String, Problem> {
    results::decode(bytes).map_err(|cause| cannot_read(path, cause.to_owned()))
}
