//! Files, and directories of files, that runs made and could not remove, since they were killed.
//!
//! Such a file says by its mark who made it. It is removed only if that process is certainly gone,
//! nobody holds its lock, and it is still what the run had made.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, OFlags};

use crate::mark;
use crate::newborn;
use crate::own_directory;
use crate::pin::read_with;

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
        let own = |file: File| mark::is_own_scratch(&file, &path);
        if is_file && open(&path).and_then(own).unwrap_or(false) {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
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
    let (held, named) = (file.metadata()?, fs::symlink_metadata(path)?);
    if (held.dev(), held.ino()) != (named.dev(), named.ino()) {
        return Ok(None);
    }
    fs::remove_file(path)?;
    Ok(Some(held.len()))
}

fn open(path: &Path) -> io::Result<File> {
    read_with(path, OFlags::NOFOLLOW | OFlags::NONBLOCK)
}

fn is_free(file: &File, path: &Path) -> io::Result<bool> {
    let was_never_marked = newborn::is_left(path, file.metadata()?.len());
    if !was_never_marked && !mark::is_left_behind(file, path)? {
        return Ok(false);
    }
    // Who cannot be asked may be at work.
    Ok(rustix::fs::flock(file, FlockOperation::NonBlockingLockExclusive).is_ok())
}
