//! Files, and directories of files, that runs made and could not remove, since they were killed.
//!
//! Such a file says by its mark who made it. It is removed only if that process is certainly gone,
//! nobody holds its lock, and it is still what the run had made.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use fathom_platform::fs::{FlockOperation, OFlags};

use crate::input::open_with;
use crate::mark;
use crate::newborn;
use crate::own_directory;
use crate::owner::ProcessMark;
use crate::removal;
use fathom_platform::identity;

/// Whether a path is a file, or a directory of files, that a killed run left behind.
pub fn is_left(path: &Path) -> bool {
    let meta = fs::symlink_metadata(path);
    if meta.is_ok_and(|meta| meta.is_dir()) {
        return own_directory::is_left(path);
    }
    fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file())
        && open(path).is_ok_and(|file| is_free(&file, path).unwrap_or(false))
}

/// Those in a directory, not below it, in the order of their names.
///
/// # Errors
///
/// What the system said of the directory.
pub fn left_in(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(directory)?.flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| is_left(path));
    paths.sort();
    Ok(paths)
}

/// Removes what this process made at a path, or in the directory that it is, and was to remove at
/// its end.
///
/// # Errors
///
/// What the system said.
pub fn remove_own(place: &Path) -> io::Result<()> {
    let paths: Vec<PathBuf> = match fs::read_dir(place) {
        Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
        Err(_) => vec![place.to_owned()],
    };
    for path in paths {
        let is_file = fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_file());
        let Some(file) = is_file.then(|| open(&path).ok()).flatten() else {
            continue;
        };
        if mark::is_own_scratch(&file, &path).unwrap_or(false) {
            removal::remove(&path, identity(&file)?)?;
        }
    }
    Ok(())
}

/// Removes what a process that is gone made at a path, or in the directory that it is, and was to
/// remove at its end. What of that is still there afterwards is named: while the process is at
/// work, all of it, and what is not any more what it had made.
///
/// # Errors
///
/// What the system said.
pub fn remove_of(owner: &ProcessMark, place: &Path) -> io::Result<Vec<PathBuf>> {
    let mut left = Vec::new();
    for path in at(place) {
        if is_of(owner, &path) && remove(&path)?.is_none() {
            left.push(path);
        }
    }
    left.sort();
    Ok(left)
}

/// Whether a process has made this name, for a file or for a directory of files.
fn is_of(owner: &ProcessMark, path: &Path) -> bool {
    let Ok(meta) = fs::symlink_metadata(path) else {
        return false;
    };
    if meta.is_dir() {
        return own_directory::is_of(path, owner);
    }
    let marked = |file: File| mark::is_scratch_of(&file, owner);
    newborn::is_of(path, owner) || meta.is_file() && open(path).and_then(marked).unwrap_or(false)
}

/// A path, and what in it is called as Fathom calls what it makes in a directory, if it is one: all
/// else there is not even opened.
fn at(place: &Path) -> Vec<PathBuf> {
    let inside = fs::read_dir(place).into_iter().flatten().flatten();
    let inside = inside.filter(|entry| {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        name.starts_with(b"fathom") || name.starts_with(b".fathom")
    });
    let inside = inside.map(|entry| entry.path());
    std::iter::once(place.to_owned()).chain(inside).collect()
}

/// Removes such a file or directory; the bytes of it, or none if it is no such thing.
///
/// # Errors
///
/// What the system said.
pub fn remove(path: &Path) -> io::Result<Option<u64>> {
    let meta = fs::symlink_metadata(path)?;
    if meta.is_dir() {
        return own_directory::remove_left(path);
    }
    if !meta.is_file() {
        return Ok(None);
    }
    let file = open(path)?;
    // The lock is kept until it is gone, so that no run begins to use it meanwhile.
    if !is_free(&file, path)? {
        return Ok(None);
    }
    let bytes = file.metadata()?.len();
    let is_removed = removal::remove(path, identity(&file)?)?;
    Ok(is_removed.then_some(bytes))
}

fn open(path: &Path) -> io::Result<File> {
    open_with(path, OFlags::NOFOLLOW)
}

fn is_free(file: &File, path: &Path) -> io::Result<bool> {
    let was_never_marked = newborn::is_left(path, file.metadata()?.len());
    if !was_never_marked && !mark::is_left_behind(file, path)? {
        return Ok(false);
    }
    // Who cannot be asked may be at work.
    Ok(fathom_platform::fs::flock(file, FlockOperation::NonBlockingLockExclusive).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mark::Purpose;

    #[test]
    fn of_a_process_that_is_gone_only_what_it_made_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let gone = ProcessMark::parse("another boot 1 1").unwrap();
        let other = ProcessMark::parse("another boot 2 2").unwrap();
        let make = |name: &str, owner: Option<(&ProcessMark, Purpose)>| {
            let path = folder.path().join(name);
            fs::write(&path, vec![1; 4096]).unwrap();
            let file = File::options().read(true).write(true).open(&path).unwrap();
            owner.is_none_or(|(owner, purpose)| {
                mark::mark_as(owner, &file, name.as_ref(), purpose, 4096).unwrap()
            })
        };
        let scratch = |owner| Some((owner, Purpose::Scratch));
        if !make("fathom-made", scratch(&gone)) {
            fathom_testing::skip("the temporary directory has no extended attributes");
            return;
        }
        make("fathom-changed", scratch(&gone));
        fs::write(folder.path().join("fathom-changed"), vec![1; 8192]).unwrap();
        make("fathom-of-another", scratch(&other));
        make("fathom-of-this-one", scratch(mark::own()));
        make("fathom-kept", Some((&gone, Purpose::Kept)));
        make("fathom-mine", None);
        make(".fathom-new.another_boot_1_1.0", None);
        fs::write(folder.path().join(".fathom-new.another_boot_1_1.0"), "").unwrap();
        let names = |paths: &[PathBuf]| -> Vec<String> {
            let names = paths.iter().filter_map(|path| path.file_name());
            names
                .map(|name| name.to_string_lossy().into_owned())
                .collect()
        };
        make("other name", scratch(&gone));
        let left = remove_of(&gone, folder.path()).unwrap();
        assert_eq!(names(&left), ["fathom-changed"]);
        let entries = fs::read_dir(folder.path()).unwrap().flatten();
        let mut there: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        there.sort();
        let expected = [
            "fathom-changed",
            "fathom-kept",
            "fathom-mine",
            "fathom-of-another",
            "fathom-of-this-one",
            "other name",
        ];
        assert_eq!(names(&there), expected);
        let by_name = remove_of(&gone, &folder.path().join("other name")).unwrap();
        assert_eq!(by_name, [] as [&Path; 0]);
        assert!(!folder.path().join("other name").exists());
        assert_eq!(
            remove_of(&other, &folder.path().join("fathom-mine")).unwrap(),
            [] as [&Path; 0]
        );
        // Whoever is at work keeps its own.
        let own = remove_of(mark::own(), &folder.path().join("fathom-of-this-one")).unwrap();
        assert_eq!(names(&own), ["fathom-of-this-one"]);
    }
}
