//! Removes the name of a file that Fathom made, and never that of another file.
//!
//! No call of the kernel removes a name only if it means a certain file. Between a look and the
//! removal somebody who may write to the folder can put another file there, or a link in the place
//! of the folder. So the folder is held open, and where others may write to it, the file is first
//! moved into a folder that only this process may write to, and is looked at there.

use fathom_platform::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::ffi::OsStr;
use std::io;
use std::path::Path;

use fathom_platform::fs::{AtFlags, Mode, OFlags, RenameFlags, Stat};
use fathom_platform::io::Errno;

/// Which file: device number of its file system and inode.
pub type Identity = (u64, u64);

/// Removes this name if it means this file; `false` if it means another one.
///
/// # Errors
///
/// What the system said.
pub fn remove(path: &Path, wanted: Identity) -> io::Result<bool> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let above = match open_folder(fathom_platform::fs::CWD, folder.as_os_str(), OFlags::PATH) {
        // Of a system where no folder can be held open, the name is all there is.
        Err(Errno::NOSYS) => return remove_by_name(path, wanted),
        opened => opened?,
    };
    let above = above.as_fd();
    if identity_at(above, name)? != wanted {
        return Ok(false);
    }
    if is_shared(&fathom_platform::fs::fstat(above)?) {
        match private_folder(above) {
            Ok((aside, held)) => {
                let removed = take(above, name, held.as_fd(), wanted);
                // It is empty, or holds what could not be put back.
                let _ = fathom_platform::fs::unlinkat(above, &*aside, AtFlags::REMOVEDIR);
                return removed;
            }
            // On a full file system there is no other way.
            Err(Errno::NOSPC | Errno::DQUOT) => {}
            Err(errno) => return Err(errno.into()),
        }
    }
    fathom_platform::fs::unlinkat(above, name, AtFlags::empty())?;
    Ok(true)
}

fn remove_by_name(path: &Path, wanted: Identity) -> io::Result<bool> {
    let is_it = fathom_platform::identity_at(path)? == wanted;
    if is_it {
        std::fs::remove_file(path)?;
    }
    Ok(is_it)
}

fn open_folder(
    at: impl fathom_platform::fd::AsFd,
    name: &OsStr,
    how: OFlags,
) -> fathom_platform::io::Result<OwnedFd> {
    let flags = how | OFlags::DIRECTORY | OFlags::CLOEXEC;
    #[expect(
        clippy::disallowed_methods,
        reason = "a directory, to name what is in it"
    )]
    fathom_platform::fs::openat(at, name, flags, Mode::empty())
}

fn identity_at(above: BorrowedFd<'_>, name: &OsStr) -> fathom_platform::io::Result<Identity> {
    let found = fathom_platform::fs::statat(above, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok((found.st_dev, found.st_ino))
}

/// Whether others than this user and root may replace files in a folder.
fn is_shared(folder: &Stat) -> bool {
    let mode = Mode::from_raw_mode(folder.st_mode);
    let own = fathom_platform::process::geteuid().as_raw();
    let is_others = folder.st_uid != own && folder.st_uid != 0;
    is_others || mode.intersects(Mode::WGRP | Mode::WOTH) && !mode.contains(Mode::SVTX)
}

/// A new folder that nobody else may write to.
fn private_folder(above: BorrowedFd<'_>) -> fathom_platform::io::Result<(String, OwnedFd)> {
    let id = std::process::id();
    for number in 0..100 {
        let name = format!(".fathom-removed.{id}.{number}");
        match fathom_platform::fs::mkdirat(above, &*name, Mode::RWXU) {
            Ok(()) => {}
            Err(Errno::EXIST) => continue,
            Err(errno) => return Err(errno),
        }
        let held = open_folder(above, name.as_ref(), OFlags::RDONLY | OFlags::NOFOLLOW)?;
        let found = fathom_platform::fs::fstat(&held)?;
        let is_own = found.st_uid == fathom_platform::process::geteuid().as_raw();
        let mode = Mode::from_raw_mode(found.st_mode);
        // Whoever put another one there in between gets no file.
        if is_own && !mode.intersects(Mode::RWXG | Mode::RWXO) {
            return Ok((name, held));
        }
    }
    Err(Errno::EXIST)
}

/// Moves what is called so into a folder, and removes it there if it is the file. Another one is
/// put back.
fn take(
    above: BorrowedFd<'_>,
    name: &OsStr,
    aside: BorrowedFd<'_>,
    wanted: Identity,
) -> io::Result<bool> {
    let taken = OsStr::new("file");
    fathom_platform::fs::renameat(above, name, aside, taken)?;
    if identity_at(aside, taken)? == wanted {
        fathom_platform::fs::unlinkat(aside, taken, AtFlags::empty())?;
        return Ok(true);
    }
    fathom_platform::fs::renameat_with(aside, taken, above, name, RenameFlags::NOREPLACE)?;
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_platform::unix::fs::PermissionsExt as _;
    use std::fs;
    use std::path::PathBuf;

    /// A folder, shared or not, with two files.
    fn folder(mode: u32) -> (tempfile::TempDir, PathBuf, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).unwrap();
        let [own, other] = ["own", "other"].map(|name| folder.path().join(name));
        fs::write(&own, "own").unwrap();
        fs::write(&other, "other").unwrap();
        (folder, own, other)
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<String> = entries
            .map(|entry| name(entry).into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn only_the_file_is_removed() {
        for mode in [0o700, 0o777, 0o1777] {
            let (folder, own, other) = folder(mode);
            let wanted = fathom_platform::identity_at(&own).unwrap();
            assert!(!remove(&other, wanted).unwrap());
            assert_eq!(names(folder.path()), ["other", "own"]);
            assert!(remove(&own, wanted).unwrap());
            assert_eq!(names(folder.path()), ["other"]);
        }
    }

    /// As if the name were turned between the look and the removal.
    #[test]
    fn another_file_that_takes_the_name_is_put_back() {
        let (folder, own, other) = folder(0o777);
        let wanted = fathom_platform::identity_at(&own).unwrap();
        fs::rename(&other, &own).unwrap();
        let above = open_folder(
            fathom_platform::fs::CWD,
            folder.path().as_os_str(),
            OFlags::PATH,
        )
        .unwrap();
        let (_, held) = private_folder(above.as_fd()).unwrap();
        let name = OsStr::new("own");
        assert!(!take(above.as_fd(), name, held.as_fd(), wanted).unwrap());
        assert_eq!(fs::read_to_string(&own).unwrap(), "other");
        let found = fathom_platform::fs::fstat(&above).unwrap();
        assert!(is_shared(&found));
    }

    #[test]
    fn a_link_in_the_place_of_the_folder_leads_to_another_file() {
        let (theirs, _, _) = folder(0o700);
        let (ours, own, _) = folder(0o700);
        let wanted = fathom_platform::identity_at(&own).unwrap();
        let link = ours.path().join("link");
        fathom_platform::unix::fs::symlink(theirs.path(), &link).unwrap();
        assert!(!remove(&link.join("own"), wanted).unwrap());
        assert_eq!(names(theirs.path()), ["other", "own"]);
    }
}
