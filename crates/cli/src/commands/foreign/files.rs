//! The files that a call writes. What an earlier call has written is replaced without an option, as
//! the programs do it. Anything else is somebody's, and needs `--replace-results`.

use crate::commands::print;
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use fathom_core::result::RunResult;
use fathom_device::{Door, DoorError, Existing, Opened};
use fathom_tools::{Call, LaterFile};
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Opens the files of a call.
#[derive(Clone, Debug)]
pub(super) struct Files {
    door: Door,
    directory: PathBuf,
    replaces: bool,
}

impl Files {
    /// In addition to these targets, with names in this directory or the current one.
    pub(super) fn new(
        targets: impl IntoIterator<Item = PathBuf>,
        directory: Option<&str>,
        replaces: bool,
    ) -> Self {
        Self {
            door: Door::beside(targets),
            directory: directory.unwrap_or_default().into(),
            replaces,
        }
    }

    /// Where a file of this name is.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// A file, new or as `existing` says of one of the call's own.
    pub(super) fn open(
        &self,
        thing: &str,
        path: &Path,
        existing: Existing,
        is_own: &dyn Fn(&[u8]) -> bool,
    ) -> Result<Opened, Problem> {
        let is_own = |head: &[u8]| self.replaces || is_own(head);
        let opened = self.door.open_where(path, existing, &is_own);
        opened.map_err(|error| refused(thing, path, &error))
    }

    /// The same, emptied.
    pub(super) fn renewed(
        &self,
        thing: &str,
        path: &Path,
        is_own: &dyn Fn(&[u8]) -> bool,
    ) -> Result<File, Problem> {
        let is_own = |head: &[u8]| self.replaces || is_own(head);
        let opened = self.door.renewed_where(path, &is_own);
        opened.map_err(|error| refused(thing, path, &error))
    }

    /// A file without a name, which is gone when it is closed.
    pub(super) fn nameless(&self, thing: &str, beside: &Path) -> Result<File, Problem> {
        let mut name = beside.as_os_str().to_owned();
        name.push(format!(".{}.part", std::process::id()));
        let opened = self.door.nameless(Path::new(&name));
        opened.map_err(|error| refused(thing, beside, &error))
    }

    /// Refuses before anything is measured what could not be replaced when the run is over.
    pub(super) fn check_later(&self, call: &dyn Call) -> Result<(), Problem> {
        let paths = call
            .later_files()
            .iter()
            .map(|one| (one, self.path(one.name)));
        for (one, path) in paths.filter(|(_, path)| path.exists()) {
            self.later(*one, &path)?;
        }
        Ok(())
    }

    /// Writes what is written when the run is over.
    pub(super) fn write_later(&self, call: &dyn Call, result: &RunResult) -> Result<(), Problem> {
        for one in call.later_files() {
            let path = self.path(one.name);
            let bytes = (one.bytes)(result);
            let written = self
                .later(*one, &path)?
                .replace(|file| file.write_all(&bytes));
            written.map_err(|error| failed("log", &path, &error))?;
        }
        Ok(())
    }

    fn later(&self, one: LaterFile, path: &Path) -> Result<Opened, Problem> {
        self.open("log", path, Existing::Replaced, &one.is_own)
    }
}

/// Where the report of a call goes: its file, or standard output.
#[derive(Debug)]
pub(super) struct Report(Option<(PathBuf, File)>);

impl Report {
    /// The file is emptied before anything is measured, as the programs do it.
    pub(super) fn open(
        path: Option<&str>,
        files: &Files,
        is_own: &dyn Fn(&[u8]) -> bool,
    ) -> Result<Self, Problem> {
        let open = |path: &str| {
            let file = files.renewed("result to", path.as_ref(), is_own)?;
            Ok((PathBuf::from(path), file))
        };
        Ok(Self(path.map(open).transpose()?))
    }

    /// Adds a text.
    pub(super) fn put(&self, text: &str) -> Result<(), Error> {
        match &self.0 {
            Some((path, file)) => {
                let written = (&*file).write_all(text.as_bytes());
                Ok(written.map_err(|error| failed("result to", path, &error))?)
            }
            None if text.is_empty() => Ok(()),
            None => print(text).map(|_| ()),
        }
    }
}

fn cannot_write(thing: &str, path: &Path) -> String {
    format!("cannot write the {thing} {}", path.display())
}

fn refused(thing: &str, path: &Path, error: &DoorError) -> Problem {
    let problem = Problem::of_door(cannot_write(thing, path), error, Some("--replace-results"));
    problem.otherwise("another file")
}

/// A file that could be opened, and not be written.
pub(super) fn failed(thing: &str, path: &Path, error: &std::io::Error) -> Problem {
    Problem::new(Exit::Environment, cannot_write(thing, path)).because(system_words(error))
}
