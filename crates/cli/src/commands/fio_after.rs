//! The files that fio's options ask for when a run is over: what is known of its writes, for a
//! later one that verifies them, and its bandwidth.

use super::fio_files;
use crate::aside;
use crate::error::{Problem, system_words};
use crate::exit::Exit;
use fathom_core::result::RunResult;
use fathom_device::{Door, Existing, Opened};
use fathom_tools::Call;
use fathom_tools::fio::FioAfter;
use std::path::{Path, PathBuf};

/// Refuses before anything is measured what could not be replaced afterwards.
pub(super) fn check(door: &Door, call: &dyn Call, overwrite: bool) -> Result<(), Problem> {
    for one in call.afterwards().iter().filter(|one| one.is_asked()) {
        let path = path_of(call, one);
        if path.exists() {
            open(door, one, &path, overwrite)?;
        }
    }
    Ok(())
}

/// Writes all that there are. What nobody has asked for is only told when it cannot be written.
pub(super) fn save(
    door: &Door,
    call: &dyn Call,
    result: &RunResult,
    overwrite: bool,
    quiet: bool,
) -> Result<(), Problem> {
    for one in call.afterwards() {
        let Some(bytes) = one.bytes(result) else {
            continue;
        };
        let path = path_of(call, one);
        match (put(door, one, &path, &bytes, overwrite), one.is_asked()) {
            (Ok(()), _) => {}
            (Err(problem), true) => return Err(problem),
            (Err(_), false) if quiet => {}
            (Err(_), false) => aside::say(&format!(
                "note: {} is not kept: {} cannot be written",
                one.what(),
                path.display()
            )),
        }
    }
    Ok(())
}

fn path_of(call: &dyn Call, one: &FioAfter) -> PathBuf {
    let directory = call.files().directory.unwrap_or_default();
    Path::new(directory).join(one.name())
}

fn put(
    door: &Door,
    one: &FioAfter,
    path: &Path,
    bytes: &[u8],
    overwrite: bool,
) -> Result<(), Problem> {
    let mut opened = open(door, one, path, overwrite)?;
    let written = opened.replace(|file| file.write_all(bytes));
    written.map_err(|error| {
        Problem::new(Exit::Environment, thing(one, path)).because(system_words(&error))
    })
}

/// A new file, or one that an earlier run has left.
fn open(door: &Door, one: &FioAfter, path: &Path, overwrite: bool) -> Result<Opened, Problem> {
    let is_one = |head: &[u8]| overwrite || one.begins(head);
    let opened = door.open_where(path, Existing::Replaced, &is_one);
    opened.map_err(|error| fio_files::refused(thing(one, path), &error))
}

fn thing(one: &FioAfter, path: &Path) -> String {
    format!("cannot write {} {}", one.what(), path.display())
}
