//! The files that fio's options ask for when a run is over: its bandwidth.

use super::fio_files;
use crate::error::{Problem, system_words};
use crate::exit::Exit;
use fathom_core::result::RunResult;
use fathom_device::{Door, Existing, Opened};
use fathom_tools::Call;
use fathom_tools::fio::FioAfter;
use std::path::{Path, PathBuf};

/// Refuses before anything is measured what could not be replaced afterwards.
pub(super) fn check(door: &Door, call: &dyn Call, overwrite: bool) -> Result<(), Problem> {
    for one in call.afterwards() {
        let path = path_of(call, *one);
        if path.exists() {
            open(door, &path, overwrite)?;
        }
    }
    Ok(())
}

/// Writes all that there are.
pub(super) fn save(
    door: &Door,
    call: &dyn Call,
    result: &RunResult,
    overwrite: bool,
) -> Result<(), Problem> {
    for one in call.afterwards() {
        let path = path_of(call, *one);
        put(door, &path, &one.bytes(result), overwrite)?;
    }
    Ok(())
}

fn path_of(call: &dyn Call, one: FioAfter) -> PathBuf {
    let directory = call.files().directory.unwrap_or_default();
    Path::new(directory).join(one.name())
}

fn put(door: &Door, path: &Path, bytes: &[u8], overwrite: bool) -> Result<(), Problem> {
    let mut opened = open(door, path, overwrite)?;
    let written = opened.replace(|file| file.write_all(bytes));
    written
        .map_err(|error| Problem::new(Exit::Environment, thing(path)).because(system_words(&error)))
}

/// A new file, or one that an earlier run has left.
fn open(door: &Door, path: &Path, overwrite: bool) -> Result<Opened, Problem> {
    let is_one = |head: &[u8]| overwrite || FioAfter::begins(head);
    let opened = door.open_where(path, Existing::Replaced, &is_one);
    opened.map_err(|error| fio_files::refused(thing(path), &error))
}

fn thing(path: &Path) -> String {
    format!("cannot write the log {}", path.display())
}
