//! A directory of a run's own, below one that the user named, for the files of a job.
//!
//! It is made by the run, or the run has none: an existing directory of this name is somebody's,
//! unless a mark in it says that a run made it whose process is gone, and all that is in it is
//! called as Fathom calls what it makes. The mark is a file, since not every file system has
//! extended attributes, and it names the directory that it is in: in a copy it means nothing.
//!
//! The members of one measurement can share a directory: each has its own mark in it, and who
//! leaves last removes it. Locks do not help, since NFS has none of directories. So who removes
//! it puts another mark in it first and looks for members then; who joins puts in its own and
//! looks for that of the removal then. One of the two sees the other, and gives way: the removal
//! is called off where a member is, and who joins waits until it is over.

use crate::mark;
use crate::owner::ProcessMark;
use fathom_core::file_name::Named;
use fathom_platform::fd::{AsFd, BorrowedFd, OwnedFd};
use fathom_platform::fs::{AtFlags, Dir, FileType, FlockOperation, Mode, OFlags, RenameFlags};
use fathom_platform::io::Errno;
use fathom_platform::unix::ffi::OsStrExt as _;
use std::ffi::{CStr, CString};
use std::io;
use std::path::{Path, PathBuf};

/// Name of the mark. That of a member in a shared directory ends with `.` and the member's rank.
const MARK: &CStr = c".fathom";
/// Name of the mark of who removes a shared directory.
const REMOVAL: &CStr = c".fathom.removal";
/// Why a name cannot be used.
const NO_DIRECTORY: &str = "it is no directory";
/// What it begins with.
const HEAD: &str = "fathom files 1";
/// Levels that are looked into at most.
const MOST_LEVELS: u32 = 100;

/// A directory that this process made and holds.
#[derive(Debug)]
pub struct OwnDirectory {
    path: PathBuf,
    name: CString,
    above: OwnedFd,
    held: OwnedFd,
    mark: CString,
}

/// What became of the attempt to make one.
#[derive(Debug)]
pub enum Standing {
    /// It was made.
    Made(OwnDirectory),
    /// A run that is still at work has one of that name.
    Busy,
    /// Something of that name is there that is not Fathom's, for this reason.
    Foreign(String),
}

/// The file or directory with a name.
enum NamedEntry {
    /// That of a process that is gone, held and free of anything else.
    Left(OwnedFd),
    Busy,
    Foreign(String),
}

/// File systems of one host by the numbers of statfs(2): ext, XFS, Btrfs, tmpfs, ZFS, F2FS,
/// overlay, bcachefs.
const OF_ONE_HOST: [u64; 8] = [
    0xef53,
    0x5846_5342,
    0x9123_683e,
    0x0102_1994,
    0x2fc1_2fc1,
    0xf2f5_2010,
    0x794c_7630,
    0xca45_1a4e,
];

impl OwnDirectory {
    /// Makes a directory in `above`. One that a killed run has left there is removed before.
    ///
    /// # Errors
    ///
    /// What the system said.
    pub fn make(above: &Path, name: &str) -> io::Result<Standing> {
        let path = std::path::absolute(above)?.join(name);
        let name = CString::new(name)?;
        let above = open_above(above)?;
        // Asked for beforehand, so that little time passes between the directory and its mark.
        let owner = mark::own();
        let process = std::process::id();
        let mut draft = Self::draft((path, MARK.to_owned()), (&name, process), above, owner)?;
        for _ in 0..2 {
            if draft.take_name(&name)? {
                return Ok(Standing::Made(draft));
            }
            let above = &draft.above;
            match examine(above.as_fd(), &name)? {
                NamedEntry::Left(held) => {
                    empty(held.as_fd(), above.as_fd(), &name)?;
                }
                NamedEntry::Busy => break,
                NamedEntry::Foreign(why) => {
                    draft.remove();
                    return Ok(Standing::Foreign(why));
                }
            }
        }
        draft.remove();
        Ok(Standing::Busy)
    }

    /// Makes a directory in `above` that the members of one measurement share, or joins it. Its
    /// `name` is known to them alone. While another member removes it, `waits` is called: whether
    /// it waited and is to be called again.
    ///
    /// # Errors
    ///
    /// What the system said.
    pub fn share(
        above: &Path,
        name: &str,
        member: u32,
        waits: &mut dyn FnMut() -> bool,
    ) -> io::Result<Standing> {
        let path = std::path::absolute(above)?.join(name);
        let name = CString::new(name)?;
        let mark = CString::new(format!("{}.{member}", MARK.to_string_lossy()))?;
        let owner = mark::own();
        loop {
            let place = (path.clone(), mark.clone());
            match open_directory(open_above(above)?.as_fd(), &name) {
                Ok(held) => {
                    let found = Self {
                        path: place.0,
                        name: name.clone(),
                        above: open_above(above)?,
                        held,
                        mark: place.1,
                    };
                    if let Some(joined) = found.join(owner, waits)? {
                        return Ok(Standing::Made(joined));
                    }
                }
                Err(Errno::NOENT) => {
                    let mut draft = Self::draft(place, (&name, member), open_above(above)?, owner)?;
                    if draft.take_name(&name)? {
                        return Ok(Standing::Made(draft));
                    }
                    draft.remove();
                }
                Err(Errno::NOTDIR | Errno::LOOP) => {
                    return Ok(Standing::Foreign(NO_DIRECTORY.to_owned()));
                }
                Err(errno) => return Err(errno.into()),
            }
            if !waits() {
                return Ok(Standing::Busy);
            }
        }
    }

    /// Puts the mark of a member into a directory that was found, and waits while somebody removes
    /// it; none if it is gone then, or the wait is over.
    fn join(
        self,
        owner: &ProcessMark,
        waits: &mut dyn FnMut() -> bool,
    ) -> io::Result<Option<Self>> {
        let joined = match self.begin(owner, FlockOperation::NonBlockingLockShared) {
            Err(error) if is_gone(error.kind()) => return Ok(None),
            begun => begun?,
        };
        while joined.has(REMOVAL)? {
            if !waits() {
                let _ = unlink(joined.fd(), &joined.mark, AtFlags::empty());
                return Ok(None);
            }
        }
        // The mark of the removal is the last one that it takes away.
        Ok((joined.has(&joined.mark)? && joined.is_named()).then_some(joined))
    }

    /// Whether something of this name is in it.
    fn has(&self, name: &CStr) -> io::Result<bool> {
        match fathom_platform::fs::statat(&self.held, name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(errno) if is_gone(io::Error::from(errno).kind()) => Ok(false),
            found => Ok(found.map(|_| true)?),
        }
    }

    /// Makes it by a name that nobody looks for, so that it has its mark when it gets its own.
    fn draft(
        (path, mark): (PathBuf, CString),
        (name, number): (&CStr, u32),
        above: OwnedFd,
        owner: &ProcessMark,
    ) -> io::Result<Self> {
        let name = CString::new(format!("{}.{number}.new", name.to_string_lossy()))?;
        fathom_platform::fs::mkdirat(&above, &*name, Mode::from_raw_mode(0o700))?;
        let held = open_directory(above.as_fd(), &name)?;
        let lock = if *mark == *MARK {
            FlockOperation::NonBlockingLockExclusive
        } else {
            FlockOperation::NonBlockingLockShared
        };
        let made = Self {
            path,
            name,
            above,
            held,
            mark,
        };
        made.begin(owner, lock)
    }

    /// Gives it its name, if nothing has that.
    fn take_name(&mut self, name: &CStr) -> io::Result<bool> {
        let (above, draft) = (self.above.as_fd(), &*self.name);
        let spare = RenameFlags::NOREPLACE;
        let named = match fathom_platform::fs::renameat_with(above, draft, above, name, spare) {
            // Not every file system can do that.
            Err(Errno::INVAL | Errno::NOSYS) => {
                match fathom_platform::fs::statat(above, name, AtFlags::SYMLINK_NOFOLLOW) {
                    Err(Errno::NOENT) => fathom_platform::fs::renameat(above, draft, above, name),
                    other => other.and(Err(Errno::EXIST)),
                }
            }
            other => other,
        };
        match named {
            Ok(()) => {
                name.clone_into(&mut self.name);
                Ok(true)
            }
            Err(Errno::EXIST | Errno::NOTEMPTY) => Ok(false),
            Err(errno) => {
                self.remove();
                Err(errno.into())
            }
        }
    }

    /// Locks it and puts the mark in it.
    fn begin(self, owner: &ProcessMark, lock: FlockOperation) -> io::Result<Self> {
        let begun = fathom_platform::fs::flock(&self.held, lock)
            // Some file systems over a network have no locks of directories.
            .or_else(|errno| match errno {
                Errno::WOULDBLOCK => Err(errno),
                _ => Ok(()),
            })
            .and_then(|()| {
                let inode = fathom_platform::fs::fstat(&self.held)?.st_ino;
                write_mark(self.held.as_fd(), &self.mark, inode, owner)
            });
        match begun {
            Ok(()) => Ok(self),
            // The mark is another one's, and with it what is in the directory.
            Err(Errno::EXIST) => Err(Errno::EXIST.into()),
            Err(errno) => {
                self.remove();
                Err(errno.into())
            }
        }
    }

    /// Takes the mark away, so that the directory is somebody's and no run removes it.
    pub fn leave(&self) {
        let _ = fathom_platform::fs::unlinkat(&self.held, &*self.mark, AtFlags::empty());
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Itself, to name what is in it.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.held.as_fd()
    }

    /// Whether its name still leads to it.
    fn is_named(&self) -> bool {
        let named =
            fathom_platform::fs::statat(&self.above, &*self.name, AtFlags::SYMLINK_NOFOLLOW);
        named.is_ok_and(|found| {
            fathom_platform::fs::fstat(&self.held)
                .is_ok_and(|own| (own.st_dev, own.st_ino) == (found.st_dev, found.st_ino))
        })
    }

    /// Removes it if nothing but its mark is in it, whatever its name means by now. Of a shared one
    /// the mark goes, and then, with what is left of members that died, the directory, unless
    /// others are still in it.
    pub fn remove(&self) -> bool {
        let is_shared = *self.mark != *MARK;
        let unmark = || fathom_platform::fs::unlinkat(&self.held, &*self.mark, AtFlags::empty());
        let is_left = if is_shared {
            let _ = unmark();
            self.is_named() && self.empty_after_the_last().unwrap_or(false)
        } else {
            self.is_named() && is_empty_but_mark(self.held.as_fd()).unwrap_or(false)
        };
        if !is_left {
            return false;
        }
        let _ = unmark();
        fathom_platform::fs::unlinkat(&self.above, &*self.name, AtFlags::REMOVEDIR).is_ok()
    }

    /// Removes what members of a shared directory left, if nobody is in it any more; whether that
    /// is so.
    fn empty_after_the_last(&self) -> io::Result<bool> {
        let held = self.held.as_fd();
        let inode = fathom_platform::fs::fstat(held)?.st_ino;
        while self.is_deserted()? {
            match write_mark(held, REMOVAL, inode, mark::own()) {
                Ok(()) => {}
                Err(Errno::EXIST) if is_of_the_dead(held, REMOVAL)? => {}
                // Who removes it looks again for members before it calls that off.
                Err(Errno::EXIST) => return Ok(false),
                Err(errno) => return Err(errno.into()),
            }
            if self.is_deserted()? {
                let device = fathom_platform::fs::fstat(held)?.st_dev;
                remove_below(held, device)?;
                remove_marks(held)?;
                return Ok(true);
            }
            unlink(held, REMOVAL, AtFlags::empty())?;
        }
        Ok(false)
    }

    /// Whether no member is in a shared directory, but for those of this host that died.
    fn is_deserted(&self) -> io::Result<bool> {
        let held = self.held.as_fd();
        for mark in marks(held)? {
            if *mark != *REMOVAL && !is_of_the_dead(held, &mark)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Whether a path is the directory of files of a run that was killed.
pub fn is_left(path: &Path) -> bool {
    let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
        return false;
    };
    let Ok(name) = CString::new(name.as_bytes()) else {
        return false;
    };
    let found = open_above(above).and_then(|above| examine(above.as_fd(), &name));
    matches!(found, Ok(NamedEntry::Left(_)))
}

/// Whether a directory says that this process made it.
pub(crate) fn is_of(path: &Path, owner: &ProcessMark) -> bool {
    let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
        return false;
    };
    let Ok(name) = CString::new(name.as_bytes()) else {
        return false;
    };
    let held = open_above(above).and_then(|above| Ok(open_directory(above.as_fd(), &name)?));
    let found = held.and_then(|held| owners(held.as_fd()));
    found.is_ok_and(|found| found.contains(owner))
}

/// Removes such a directory with all that is in it; the bytes of its files, or none if it is no
/// such directory.
///
/// # Errors
///
/// What the system said.
pub fn remove_left(path: &Path) -> io::Result<Option<u64>> {
    let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
        return Ok(None);
    };
    let name = CString::new(name.as_bytes())?;
    let above = open_above(above)?;
    match examine(above.as_fd(), &name)? {
        NamedEntry::Left(held) => empty(held.as_fd(), above.as_fd(), &name).map(Some),
        NamedEntry::Busy | NamedEntry::Foreign(_) => Ok(None),
    }
}

fn open_above(path: &Path) -> io::Result<OwnedFd> {
    let path = if path == Path::new("") {
        Path::new(".")
    } else {
        path
    };
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    #[expect(
        clippy::disallowed_methods,
        reason = "opened as a place, neither to read nor to write"
    )]
    let open = fathom_platform::fs::open(path, flags, Mode::empty());
    Ok(open?)
}

fn open_directory(above: BorrowedFd<'_>, name: &CStr) -> fathom_platform::io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    #[expect(clippy::disallowed_methods, reason = "a directory, to be looked into")]
    fathom_platform::fs::openat(above, name, flags, Mode::empty())
}

fn write_mark(
    held: BorrowedFd<'_>,
    name: &CStr,
    inode: u64,
    owner: &ProcessMark,
) -> fathom_platform::io::Result<()> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    #[expect(clippy::disallowed_methods, reason = "in a directory of this process")]
    let file = fathom_platform::fs::openat(held, name, flags, Mode::from_raw_mode(0o600))?;
    let text = format!("{HEAD} {inode} {owner}");
    let written = fathom_platform::io::write(&file, text.as_bytes())?;
    if written < text.len() {
        return Err(Errno::NOSPC);
    }
    Ok(())
}

/// Whether a directory is no more, also on another host.
fn is_gone(kind: io::ErrorKind) -> bool {
    matches!(
        kind,
        io::ErrorKind::NotFound | io::ErrorKind::StaleNetworkFileHandle
    )
}

/// Whether a name is that of a mark.
fn is_mark(name: &CStr) -> bool {
    let rest = name.to_bytes().strip_prefix(MARK.to_bytes());
    *name == *REMOVAL
        || rest.is_some_and(|rest| match rest {
            [] => true,
            [b'.', rank @ ..] => !rank.is_empty() && rank.iter().all(u8::is_ascii_digit),
            _ => false,
        })
}

/// The marks in a directory.
fn marks(held: BorrowedFd<'_>) -> io::Result<Vec<CString>> {
    let mut list = Vec::new();
    for entry in Dir::read_from(held)? {
        let name = entry?.file_name().to_owned();
        if is_mark(&name) {
            list.push(name);
        }
    }
    Ok(list)
}

/// That of a removal goes last: who waits for its end looks for its own mark then.
fn remove_marks(held: BorrowedFd<'_>) -> io::Result<()> {
    for mark in marks(held)?.iter().filter(|mark| ***mark != *REMOVAL) {
        unlink(held, mark, AtFlags::empty())?;
    }
    unlink(held, REMOVAL, AtFlags::empty())
}

/// Whether a mark is that of a process of this host which is gone.
fn is_of_the_dead(held: BorrowedFd<'_>, mark: &CStr) -> io::Result<bool> {
    let owner = marked(held, mark)?;
    Ok(owner.is_some_and(|owner| owner.died_here()))
}

/// Removes what others may remove at the same time.
fn unlink(held: BorrowedFd<'_>, name: &CStr, flags: AtFlags) -> io::Result<()> {
    match fathom_platform::fs::unlinkat(held, name, flags) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(errno) => Err(errno.into()),
    }
}

/// Who has a directory by its marks; nobody if one of them is not its own.
fn owners(held: BorrowedFd<'_>) -> io::Result<Vec<ProcessMark>> {
    let mut owners = Vec::new();
    for mark in marks(held)? {
        match marked(held, &mark)? {
            Some(owner) => owners.push(owner),
            None => return Ok(Vec::new()),
        }
    }
    Ok(owners)
}

/// Who made the directory, if this mark in it is its own.
fn marked(held: BorrowedFd<'_>, name: &CStr) -> fathom_platform::io::Result<Option<ProcessMark>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    #[expect(clippy::disallowed_methods, reason = "opened to read")]
    let open = fathom_platform::fs::openat(held, name, flags, Mode::empty());
    let file = match open {
        Ok(file) => file,
        Err(Errno::NOENT | Errno::LOOP) => return Ok(None),
        Err(errno) => return Err(errno),
    };
    let mut room = [0; 1024];
    let length = fathom_platform::io::read(&file, &mut room)?;
    let inode = fathom_platform::fs::fstat(held)?.st_ino;
    let text = str::from_utf8(&room[..length]).unwrap_or_default();
    let rest = text.strip_prefix(&format!("{HEAD} {inode} "));
    Ok(rest.and_then(ProcessMark::parse))
}

/// Whose a directory is.
fn examine(above: BorrowedFd<'_>, name: &CStr) -> io::Result<NamedEntry> {
    let foreign = |why: &str| Ok(NamedEntry::Foreign(why.to_owned()));
    let held = match open_directory(above, name) {
        Ok(held) => held,
        Err(Errno::NOTDIR | Errno::LOOP) => return foreign(NO_DIRECTORY),
        Err(errno) => return Err(errno.into()),
    };
    let owners = owners(held.as_fd())?;
    if owners.is_empty() {
        return foreign("no mark in it says that a run of Fathom made it");
    }
    if !owners.iter().all(ProcessMark::is_gone) {
        return Ok(NamedEntry::Busy);
    }
    // Who cannot be asked may be at work: on another host too, whose number of the boot is another
    // one. A lock of a directory is known to its own host alone on NFS, so there it is never known.
    let is_elsewhere = !owners.iter().all(ProcessMark::is_of_this_boot);
    if is_elsewhere && !is_of_one_host(held.as_fd()) {
        return Ok(NamedEntry::Busy);
    }
    if fathom_platform::fs::flock(&held, FlockOperation::NonBlockingLockExclusive).is_err() {
        return Ok(NamedEntry::Busy);
    }
    let device = fathom_platform::fs::fstat(&held)?.st_dev;
    match odd_one(held.as_fd(), device, MOST_LEVELS)? {
        Some(odd) => Ok(NamedEntry::Foreign(format!(
            "a run that was killed left it, and Fathom did not make `{odd}` in it"
        ))),
        None => Ok(NamedEntry::Left(held)),
    }
}

/// Whether a directory is on a file system that one host mounts at a time.
fn is_of_one_host(held: BorrowedFd<'_>) -> bool {
    fathom_platform::fs::fstatfs(held)
        .is_ok_and(|found| OF_ONE_HOST.contains(&(found.f_type as u64 & 0xffff_ffff)))
}

/// What is in a directory: names and whether each is a directory; none for what is neither that
/// nor a file, or on another file system.
fn entries(held: BorrowedFd<'_>, device: u64) -> io::Result<Vec<(CString, Option<bool>)>> {
    let mut list = Vec::new();
    for entry in Dir::read_from(held)? {
        let name = entry?.file_name().to_owned();
        if name.to_bytes() == b"." || name.to_bytes() == b".." {
            continue;
        }
        let found = match fathom_platform::fs::statat(held, &*name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => continue,
            found => found?,
        };
        let kind = match FileType::from_raw_mode(found.st_mode) {
            _ if found.st_dev != device => None,
            FileType::Directory => Some(true),
            FileType::RegularFile => Some(false),
            _ => None,
        };
        list.push((name, kind));
    }
    Ok(list)
}

/// Something below a directory that Fathom did not make.
fn odd_one(held: BorrowedFd<'_>, device: u64, levels: u32) -> io::Result<Option<String>> {
    for (name, kind) in entries(held, device)? {
        let named = Named::of(name.to_bytes()).map(Named::is_directory);
        let is_mark = is_mark(&name) && kind == Some(false) && levels == MOST_LEVELS;
        if !is_mark && (kind.is_none() || named != kind || levels == 0) {
            return Ok(Some(name.to_string_lossy().into_owned()));
        }
        if kind == Some(true) {
            let below = open_directory(held, &name)?;
            if let Some(odd) = odd_one(below.as_fd(), device, levels - 1)? {
                return Ok(Some(format!("{}/{odd}", name.to_string_lossy())));
            }
        }
    }
    Ok(None)
}

fn is_empty_but_mark(held: BorrowedFd<'_>) -> io::Result<bool> {
    for entry in Dir::read_from(held)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." && name != MARK.to_bytes() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Removes what was found to be of a killed run: everything is looked at again, and the mark goes
/// last, so that whoever is ended meanwhile leaves what the next one knows.
fn empty(held: BorrowedFd<'_>, above: BorrowedFd<'_>, name: &CStr) -> io::Result<u64> {
    let device = fathom_platform::fs::fstat(held)?.st_dev;
    let bytes = remove_below(held, device)?;
    remove_marks(held)?;
    fathom_platform::fs::unlinkat(above, name, AtFlags::REMOVEDIR)?;
    Ok(bytes)
}

fn remove_below(held: BorrowedFd<'_>, device: u64) -> io::Result<u64> {
    let mut bytes = 0;
    for (name, kind) in entries(held, device)? {
        let Some(is_directory) = kind else { continue };
        if Named::of(name.to_bytes()).map(Named::is_directory) != Some(is_directory) {
            continue;
        }
        let flags = if is_directory {
            match open_directory(held, &name) {
                Err(Errno::NOENT) => continue,
                below => bytes += remove_below(below?.as_fd(), device)?,
            }
            AtFlags::REMOVEDIR
        } else {
            match fathom_platform::fs::statat(held, &*name, AtFlags::SYMLINK_NOFOLLOW) {
                Err(Errno::NOENT) => continue,
                found => bytes += found?.st_size as u64,
            }
            AtFlags::empty()
        };
        unlink(held, &name, flags)?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests;
