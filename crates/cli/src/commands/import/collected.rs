//! Results out of folders, archives and mailboxes, among whatever else lies there.

use super::{cannot_read, own};
use crate::error::Problem;
use fathom_core::figure::plural;
use fathom_core::result::RunResult;
use fathom_deliver::Arrived;
use fathom_store::Parcel;
use fathom_tools::results::{self, ResultFile};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// What was found where many files lie.
#[derive(Default)]
pub(super) struct Searched {
    /// Runs of Fathom's.
    pub(super) parcels: Vec<Parcel>,
    /// Results of other programs, judged.
    pub(super) foreign: Vec<RunResult>,
    /// Files that hold no result.
    others: u64,
}

impl Searched {
    /// Takes the results of a file, or of the files in it.
    pub(super) fn take(&mut self, file: &Arrived) -> Result<(), Problem> {
        if let Some(files) = within(&file.name, &file.bytes)? {
            return files.iter().try_for_each(|file| self.take(file));
        }
        match own(&file.bytes, &file.name)? {
            Some(runs) => self.parcels.extend(runs),
            None => match of_others(file) {
                Some(results) => self.foreign.extend(results),
                None => self.others += 1,
            },
        }
        Ok(())
    }

    /// Says how many files were passed over.
    pub(super) fn tell(&self, quiet: bool) {
        if self.others > 0 && !quiet {
            let count = plural(self.others, "file");
            // Where standard error is closed, there is nobody to tell.
            let _ = writeln!(io::stderr(), "note: {count} without a result passed over");
        }
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
