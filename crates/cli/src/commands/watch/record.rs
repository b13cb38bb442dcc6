//! Where a recording goes: a file, or the history.

use super::sinks::{head, json_line};
use crate::args::WatchArgs;
use crate::commands::archive;
use crate::error::{Problem, system_words};
use crate::exit::Exit;
use fathom_core::recording::Moment;
use fathom_core::units::rfc3339;
use fathom_device::{Door, Shut};
use fathom_engine::clock::utc_now_ns;
use fathom_store::OpenRecording;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A new recording, each moment in it as soon as it has passed.
#[derive(Debug)]
pub(super) enum Record {
    /// A file of its own.
    File { path: PathBuf, file: File },
    /// A recording that goes into the history under a name.
    History { name: String, kept: OpenRecording },
}

impl Record {
    /// The recording that was asked for, begun.
    pub(super) fn of(args: &WatchArgs) -> Result<Option<Self>, Problem> {
        match (&args.record, &args.keep) {
            (Some(path), _) => Self::create(path).map(Some),
            (None, Some(name)) => Self::keep(name, args.store.store.as_deref()).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// Makes the file; one that is there is not written over.
    fn create(path: &Path) -> Result<Self, Problem> {
        let file = Door::default().create_new(path).map_err(|error| {
            let thing = format!("cannot record to {}", path.display());
            let problem = Problem::of_door(thing, &error, None);
            match error.shut {
                Shut::Exists { .. } => {
                    problem.remedy("use another name; a recording is never overwritten")
                }
                _ => problem.otherwise("another file"),
            }
        })?;
        let mut record = Self::File {
            path: path.to_owned(),
            file,
        };
        record.put(&json_line(&head())?)?;
        Ok(record)
    }

    fn keep(name: &str, store: Option<&Path>) -> Result<Self, Problem> {
        let store = archive::open(store)?;
        let begun = OpenRecording::begin(store, name, &rfc3339(utc_now_ns()), &json_line(&head())?);
        let kept = begun.map_err(|error| archive::problem(&error))?;
        let name = name.to_owned();
        match kept {
            Some(kept) => Ok(Self::History { name, kept }),
            None => Err(
                Problem::new(Exit::Usage, format!("a recording {name} exists already"))
                    .remedy("use another name, or --forget NAME first"),
            ),
        }
    }

    /// Adds a moment.
    pub(super) fn write(&mut self, moment: &Moment) -> Result<(), Problem> {
        self.put(&json_line(moment)?)
    }

    fn put(&mut self, line: &str) -> Result<(), Problem> {
        let cannot = |thing: &str, why: String| {
            Problem::new(Exit::Environment, format!("cannot record to {thing}")).because(why)
        };
        match self {
            Self::File { path, file } => file
                .write_all(line.as_bytes())
                .map_err(|error| cannot(&path.display().to_string(), system_words(&error))),
            Self::History { name, kept } => kept
                .add(line)
                .map_err(|error| cannot(name, error.to_string())),
        }
    }
}
