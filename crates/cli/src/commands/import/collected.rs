//! Results out of folders, archives and mailboxes, among whatever else lies there.

use super::named::unreadable;
use super::{ImportedResult, cannot_read, own};
use crate::aside;
use crate::error::Problem;
use fathom_core::figure::plural;
use fathom_core::result::RunResult;
use fathom_deliver::Arrived;
use fathom_programs::read_results;
use fathom_tools::results::ResultFile;
use std::path::{Path, PathBuf};

/// An archive in a mail in an archive is read, and no deeper: what goes on for ever is no result.
const DEEPEST: u32 = 3;

/// A search among other files: each result goes to `take`, one at a time.
pub(super) struct Search<'a> {
    take: &'a mut dyn FnMut(ImportedResult) -> Result<(), Problem>,
    seen: &'a mut Seen,
}

/// What else was seen of them.
#[derive(Default)]
pub(super) struct Seen {
    /// What could not be read. The others are still used.
    pub(super) failed: Vec<Problem>,
    /// Files that hold no result.
    others: u64,
}

impl<'a> Search<'a> {
    /// Tells results here, and the rest there.
    pub(super) fn new(
        take: &'a mut dyn FnMut(ImportedResult) -> Result<(), Problem>,
        seen: &'a mut Seen,
    ) -> Self {
        Self { take, seen }
    }

    /// Takes what a file holds.
    pub(super) fn read(&mut self, path: &Path) -> Result<(), Problem> {
        match super::read(path) {
            Ok(bytes) => self.take_at(&super::name(path), &bytes, 0),
            Err(problem) => {
                self.seen.failed.push(problem);
                Ok(())
            }
        }
    }

    /// Takes the results of a file that was in another.
    pub(super) fn within(&mut self, file: &Arrived) -> Result<(), Problem> {
        self.take_at(&file.name, &file.bytes, 0)
    }

    fn take_at(&mut self, name: &str, bytes: &[u8], depth: u32) -> Result<(), Problem> {
        match within(name, bytes) {
            Ok(Some(files)) if depth < DEEPEST => {
                for file in files {
                    self.take_at(&file.name, &file.bytes, depth + 1)?;
                }
            }
            Ok(Some(_)) => self.seen.others += 1,
            Ok(None) => return self.take_result(name, bytes),
            Err(problem) => self.seen.failed.push(problem),
        }
        Ok(())
    }

    fn take_result(&mut self, name: &str, bytes: &[u8]) -> Result<(), Problem> {
        let runs = match own(bytes, name) {
            Ok(runs) => runs,
            Err(problem) => {
                self.seen.failed.push(problem);
                return Ok(());
            }
        };
        if let Some(runs) = runs {
            for run in runs {
                match run.result() {
                    Ok(result) => (self.take)(ImportedResult::Own(run, Box::new(result)))?,
                    Err(error) => self.seen.failed.push(unreadable(name, error.into())),
                }
            }
            return Ok(());
        }
        let Some(results) = of_others(name, bytes) else {
            self.seen.others += 1;
            return Ok(());
        };
        for result in results {
            (self.take)(ImportedResult::Foreign(Box::new(result)))?;
        }
        Ok(())
    }
}

impl Seen {
    /// Says what was passed over, and what could not be read.
    pub(super) fn tell(&self, quiet: bool) {
        let mut text = String::new();
        if self.others > 0 && !quiet {
            let count = plural(self.others, "file");
            text = format!("note: {count} without a result skipped");
        }
        for problem in &self.failed {
            let because = problem.because.as_deref().unwrap_or_default();
            text = format!("{text}warning: {}\n  because: {because}\n", problem.thing);
        }
        aside::say(&text);
    }
}

/// The results of another program, if there is one that reads a single file so.
fn of_others(name: &str, bytes: &[u8]) -> Option<Vec<RunResult>> {
    let text = fathom_tools::results::decode(bytes.to_vec()).ok()?;
    let read = read_results(&[ResultFile { name, text: &text }]);
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
