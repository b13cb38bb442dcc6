//! Results out of folders, archives and mailboxes, among whatever else lies there.

use super::{cannot_read, own};
use crate::aside;
use crate::error::Problem;
use fathom_core::figure::plural;
use fathom_core::result::RunResult;
use fathom_deliver::Arrived;
use fathom_store::Parcel;
use fathom_tools::results::{self, ResultFile};
use std::path::{Path, PathBuf};

/// An archive in a mail in an archive is read, and no deeper: what goes on for ever is no result.
const DEEPEST: u32 = 3;

/// What was found where many files lie.
#[derive(Default)]
pub(super) struct Searched {
    /// Runs of Fathom's.
    pub(super) parcels: Vec<Parcel>,
    /// Results of other programs, judged.
    pub(super) foreign: Vec<RunResult>,
    /// What could not be read. The others are taken all the same.
    pub(super) failed: Vec<Problem>,
    /// Files that hold no result.
    others: u64,
}

impl Searched {
    /// Takes what a file holds.
    pub(super) fn read(&mut self, path: &Path) {
        match super::read(path) {
            Ok(bytes) => self.take(&Arrived {
                name: super::name(path),
                bytes,
            }),
            Err(problem) => self.failed.push(problem),
        }
    }

    /// Takes the results of a file, or of the files in it.
    pub(super) fn take(&mut self, file: &Arrived) {
        self.take_at(file, 0);
    }

    fn take_at(&mut self, file: &Arrived, depth: u32) {
        match within(&file.name, &file.bytes) {
            Ok(Some(files)) if depth < DEEPEST => {
                for file in &files {
                    self.take_at(file, depth + 1);
                }
            }
            Ok(Some(_)) => self.others += 1,
            Ok(None) => self.take_result(file),
            Err(problem) => self.failed.push(problem),
        }
    }

    fn take_result(&mut self, file: &Arrived) {
        match own(&file.bytes, &file.name) {
            Ok(Some(runs)) => self.parcels.extend(runs),
            Ok(None) => match of_others(file) {
                Some(results) => self.foreign.extend(results),
                None => self.others += 1,
            },
            Err(problem) => self.failed.push(problem),
        }
    }

    /// Says what was passed over, and what could not be read.
    pub(super) fn tell(&self, quiet: bool) {
        let mut text = String::new();
        if self.others > 0 && !quiet {
            let count = plural(self.others, "file");
            text = format!("note: {count} without a result passed over\n");
        }
        for problem in &self.failed {
            let because = problem.because.as_deref().unwrap_or_default();
            text = format!("{text}warning: {}\n  because: {because}\n", problem.thing);
        }
        aside::say(&text);
    }
}

/// The results of another program, if there is one that reads a single file so.
fn of_others(file: &Arrived) -> Option<Vec<RunResult>> {
    let text = results::decode(file.bytes.clone()).ok()?;
    let read = results::read(&[ResultFile {
        name: &file.name,
        text: &text,
    }]);
    let judged = |mut result: RunResult| {
        fathom_verdict::judge(&mut result);
        result
    };
    let imports = read.ok()?.into_iter();
    Some(imports.map(|import| judged(import.result)).collect())
}

/// The files below a folder.
pub(super) fn files(path: &Path) -> Result<Vec<PathBuf>, Problem> {
    fathom_deliver::folder(path).map_err(|error| cannot_read(path, error.to_string()))
}

/// The files in an archive or a mailbox; none where it is neither.
pub(super) fn within(file: &str, bytes: &[u8]) -> Result<Option<Vec<Arrived>>, Problem> {
    let within = fathom_deliver::arrived(file, bytes);
    within.map_err(|error| cannot_read(Path::new(file), error.to_string()))
}
