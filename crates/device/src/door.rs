//! The door: every file that Fathom writes, other than what a run measures, is opened here.
//!
//! The rules, none of which an option changes but the last:
//!
//! 1. a regular file or a new one, or what keeps nothing: a pipe, a terminal, the null device.
//!    Never a block device, be it through a symbolic link, never a file of the kernel's, and
//!    nothing new in `/dev`, where a mistyped name would become a file in memory;
//! 2. never a target of the run;
//! 3. never a database, but the history itself, by the number that it carries;
//! 4. never a file that is in use as something else: shown by a loop device, mounted, swapped to;
//! 5. an existing file only where the caller says that it may be replaced. An empty one holds
//!    nothing that could be lost.
//!
//! What was examined is what is opened, whatever becomes of its name meanwhile ([`Pin`]). Clippy
//! refuses all other ways to open a file for writing.

mod history;
mod shut;
#[cfg(test)]
mod tests;

use fathom_platform::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::fs::{DirBuilder, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use fathom_platform::fs::{Mode, OFlags};

pub use shut::{DoorError, Shut};

use crate::devnum::DevNum;
use crate::nodes::{Node, NodeKind};
use crate::pin::Pin;
use crate::platform::{refuse_kernel_file, refuse_kernel_folder, sync_folder, uses_of_file};
use crate::removal;
use crate::system::System;

/// What begins every SQLite database.
const SQLITE: &[u8; 16] = b"SQLite format 3\0";

/// Enough of a file to tell of what form it is.
const HEAD_BYTES: u64 = 4096;

/// What becomes of a file that is there and not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It stays, and is not opened.
    Kept,
    /// It is opened from its start, whole until `Opened::empty`.
    Replaced,
    /// What is written is added at its end.
    Extended,
}

impl Existing {
    /// By an option `--overwrite`.
    pub const fn replaced_if(overwrite: bool) -> Self {
        if overwrite {
            Self::Replaced
        } else {
            Self::Kept
        }
    }
}

/// Opens files to write.
#[derive(Clone, Debug, Default)]
pub struct Door {
    targets: Vec<PathBuf>,
}

/// A file open for writing.
#[derive(Debug)]
pub struct Opened {
    /// The file. What was in it is still there.
    pub file: File,
    /// Whether it was made just now.
    pub is_new: bool,
    path: PathBuf,
}

impl Door {
    /// A door for a run that measures these paths.
    pub fn beside<P: AsRef<Path>>(targets: impl IntoIterator<Item = P>) -> Self {
        let targets = targets.into_iter();
        Self {
            targets: targets.map(|path| path.as_ref().to_owned()).collect(),
        }
    }

    /// Opens a file to write, and makes it where there is none.
    ///
    /// # Errors
    ///
    /// [`DoorError`]; nothing was changed then.
    pub fn open(&self, path: &Path, existing: Existing) -> Result<Opened, DoorError> {
        let refuse = |shut| DoorError::new(path, shut);
        self.open_as(path, existing).map_err(refuse)
    }

    /// Makes a file that was not there, to write and read.
    ///
    /// # Errors
    ///
    /// [`DoorError`], also where there is one, be it empty.
    pub fn create_new(&self, path: &Path) -> Result<File, DoorError> {
        let refuse = |shut| DoorError::new(path, shut);
        match look(path).map_err(refuse)? {
            None => self.make(path).map_err(refuse),
            Some(pin) => {
                self.admit(&pin, path, Existing::Kept).map_err(refuse)?;
                Err(refuse(Shut::Exists {
                    size_bytes: pin.node().size_bytes,
                }))
            }
        }
    }

    /// The same for what nobody but its owner may read.
    ///
    /// # Errors
    ///
    /// [`DoorError`], also where there is one, be it empty.
    pub fn create_private(&self, path: &Path) -> Result<File, DoorError> {
        let refuse = |shut| DoorError::new(path, shut);
        self.make_as(path, 0o600).map_err(refuse)
    }

    /// Makes a file that nobody but its owner may read, whole before it has its name, or leaves the
    /// one that another process has made meanwhile.
    ///
    /// # Errors
    ///
    /// [`DoorError`]
    pub fn make_private_once(&self, path: &Path, bytes: &[u8]) -> Result<(), DoorError> {
        let draft = path.with_extension(format!("{}.new", std::process::id()));
        let mut file = self.create_private(&draft)?;
        let written = file.write_all(bytes);
        #[expect(clippy::disallowed_methods, reason = "this is the door")]
        let made = written.and_then(|()| match std::fs::hard_link(&draft, path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            linked => linked,
        });
        let removed = std::fs::remove_file(&draft);
        let made = made.and(removed);
        made.map_err(|error| DoorError::new(path, Shut::System(error)))
    }

    /// A file to write from its start, emptied whatever was in it.
    ///
    /// # Errors
    ///
    /// [`DoorError`]
    pub fn renewed(&self, path: &Path) -> Result<File, DoorError> {
        let opened = self.open(path, Existing::Replaced)?;
        let emptied = opened.empty();
        emptied.map_err(|error| DoorError::new(path, Shut::System(error)))?;
        Ok(opened.file)
    }

    /// The same where a file that is there, and not empty, passes by how it begins.
    ///
    /// # Errors
    ///
    /// [`DoorError`]
    pub fn renewed_where(
        &self,
        path: &Path,
        passes: &dyn Fn(&[u8]) -> bool,
    ) -> Result<File, DoorError> {
        let opened = self.open_where(path, Existing::Replaced, passes)?;
        let emptied = opened.empty();
        emptied.map_err(|error| DoorError::new(path, Shut::System(error)))?;
        Ok(opened.file)
    }

    /// Opens a file that is there as `existing` says where it passes by how it begins; else it
    /// stays.
    ///
    /// # Errors
    ///
    /// [`DoorError`]
    pub fn open_where(
        &self,
        path: &Path,
        existing: Existing,
        passes: &dyn Fn(&[u8]) -> bool,
    ) -> Result<Opened, DoorError> {
        let refuse = |shut| DoorError::new(path, shut);
        let pin = look(path).map_err(refuse)?;
        let file = pin.filter(|pin| pin.node().kind == NodeKind::File);
        let existing = match file {
            Some(pin) if !passes(&head(&pin, HEAD_BYTES).map_err(refuse)?) => Existing::Kept,
            _ => existing,
        };
        self.open(path, existing)
    }

    /// A file to write and read that loses this name at once, so that nothing is left of it.
    ///
    /// # Errors
    ///
    /// [`DoorError`]
    pub fn nameless(&self, path: &Path) -> Result<File, DoorError> {
        let file = self.create_new(path)?;
        let identity = fathom_platform::identity(&file);
        let removed = identity.and_then(|identity| removal::remove(path, identity));
        removed.map_err(|error| DoorError::new(path, Shut::System(error)))?;
        Ok(file)
    }

    /// Writes a file whole or not at all, as [`Opened::replace`] does.
    ///
    /// # Errors
    ///
    /// [`DoorError`]
    pub fn write(&self, path: &Path, bytes: &[u8], existing: Existing) -> Result<(), DoorError> {
        let mut opened = self.open(path, existing)?;
        let written = opened.replace(|file| file.write_all(bytes));
        written.map_err(|error| {
            opened.take_back();
            DoorError::new(path, Shut::System(error))
        })
    }

    /// Makes a folder, and those above it, where there is none.
    ///
    /// # Errors
    ///
    /// [`DoorError`]; nothing was made then, unless the system failed in between.
    pub fn make_folder(&self, path: &Path) -> Result<(), DoorError> {
        Self::make_folder_as(path, 0o777)
    }

    /// The same with permissions.
    fn make_folder_as(path: &Path, mode: u32) -> Result<(), DoorError> {
        let refuse = |shut| DoorError::new(path, shut);
        if let Some(pin) = look(path).map_err(refuse)? {
            let kind = pin.node().kind;
            let is_folder = kind == NodeKind::Directory;
            return if is_folder {
                Ok(())
            } else {
                Err(refuse(Shut::NoFolder(kind)))
            };
        }
        let above = path.ancestors().skip(1);
        let above = above.map(|one| {
            if one == Path::new("") {
                Path::new(".")
            } else {
                one
            }
        });
        if let Some(there) = above.into_iter().find(|folder| folder.exists()) {
            refuse_kernel_folder(there).map_err(refuse)?;
        }
        #[expect(clippy::disallowed_methods, reason = "this is the door")]
        let made = DirBuilder::new().recursive(true).mode(mode).create(path);
        made.map_err(|error| refuse(Shut::System(error)))
    }

    /// Makes a folder that was not there.
    ///
    /// # Errors
    ///
    /// [`DoorError`], also where there is something of that name.
    pub fn make_new_folder(&self, path: &Path) -> Result<(), DoorError> {
        let refuse = |shut| DoorError::new(path, shut);
        refuse_kernel_folder(path.parent().unwrap_or(path)).map_err(refuse)?;
        #[expect(clippy::disallowed_methods, reason = "this is the door")]
        let made = std::fs::create_dir(path);
        made.map_err(|error| refuse(Shut::System(error)))
    }

    fn open_as(&self, path: &Path, existing: Existing) -> Result<Opened, Shut> {
        let opened = |file, is_new| Opened {
            file,
            is_new,
            path: path.to_owned(),
        };
        let Some(pin) = look(path)? else {
            return Ok(opened(self.make(path)?, true));
        };
        self.admit(&pin, path, existing)?;
        let mut flags = OFlags::WRONLY | OFlags::NOCTTY;
        flags.set(OFlags::APPEND, existing == Existing::Extended);
        match pin.open(flags) {
            Ok(file) => Ok(opened(file, false)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Shut::Changed),
            Err(error) => Err(Shut::System(error)),
        }
    }

    /// Makes the file, if nobody else does so first.
    fn make(&self, path: &Path) -> Result<File, Shut> {
        self.make_as(path, 0o666)
    }

    fn make_as(&self, path: &Path, mode: u32) -> Result<File, Shut> {
        let parent = match path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        refuse_kernel_folder(parent)?;
        self.refuse_target(path, None)?;
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        #[expect(clippy::disallowed_methods, reason = "this is the door")]
        let made = fathom_platform::fs::open(path, flags, Mode::from_raw_mode(mode));
        match made {
            Ok(fd) => Ok(File::from(fd)),
            Err(fathom_platform::io::Errno::EXIST) => Err(Shut::Changed),
            Err(errno) => Err(Shut::System(errno.into())),
        }
    }

    /// Whether the existing file may be written to.
    fn admit(&self, pin: &Pin, path: &Path, existing: Existing) -> Result<(), Shut> {
        let node = pin.node();
        match node.kind {
            NodeKind::File => {}
            NodeKind::Fifo => return Ok(()),
            NodeKind::Char if keeps_nothing(node.device) => return Ok(()),
            other => return Err(Shut::NoFile(other)),
        }
        refuse_kernel_file(pin)?;
        self.refuse_target(path, Some(node))?;
        if node.size_bytes == 0 {
            return Ok(());
        }
        if begins_with_sqlite(pin)? {
            return Err(Shut::Database);
        }
        let system = System::live()?;
        let uses = uses_of_file(&system, node, pin.at())?;
        if !uses.is_empty() {
            return Err(Shut::InUse(uses));
        }
        if existing == Existing::Kept {
            return Err(Shut::Exists {
                size_bytes: node.size_bytes,
            });
        }
        Ok(())
    }

    fn refuse_target(&self, path: &Path, node: Option<&Node>) -> Result<(), Shut> {
        let place = resolved(path);
        let is_it = |target: &PathBuf| {
            let is_same =
                |node: &Node| Pin::of(target).is_ok_and(|pin| node.is_same_storage(pin.node()));
            resolved(target) == place || node.is_some_and(is_same)
        };
        if self.targets.iter().any(is_it) {
            return Err(Shut::Target);
        }
        Ok(())
    }
}

impl Opened {
    /// Writes it anew: what was in it stays, under this name and every other one, until all of the
    /// new is safe on the disk, in a draft in the same folder that then takes its name. What had
    /// nothing in it, a pipe and the like are written themselves, and so is a file in a folder
    /// where nothing can be made.
    ///
    /// # Errors
    ///
    /// What `put` or the system said; a file that had something in it is as it was.
    pub fn replace<T>(
        &mut self,
        put: impl FnOnce(&mut dyn io::Write) -> io::Result<T>,
    ) -> io::Result<T> {
        self.replace_or(put, |error| error)
    }

    /// The same with errors of another kind.
    ///
    /// # Errors
    ///
    /// As [`replace`](Self::replace); `failed` says in this kind what the system said.
    pub fn replace_or<T, E>(
        &mut self,
        put: impl FnOnce(&mut dyn io::Write) -> Result<T, E>,
        failed: impl Fn(io::Error) -> E,
    ) -> Result<T, E> {
        let draft = self.draft().map_err(&failed)?;
        let file = draft.as_ref().map_or(&self.file, |draft| &draft.file);
        if draft.is_none() {
            self.empty().map_err(&failed)?;
        }
        let mut buffered = io::BufWriter::new(file);
        let written = put(&mut buffered)?;
        buffered.flush().map_err(&failed)?;
        drop(buffered);
        match draft {
            Some(draft) => draft.take_name(&self.file).map_err(&failed)?,
            None if self.file.metadata().is_ok_and(|meta| meta.is_file()) => {
                self.file.sync_all().map_err(&failed)?;
            }
            None => {}
        }
        Ok(written)
    }

    /// The draft of what is to take the place of a file that has something in it.
    fn draft(&self) -> io::Result<Option<Draft>> {
        let meta = self.file.metadata()?;
        if !meta.is_file() || meta.len() == 0 {
            return Ok(None);
        }
        match Draft::beside(&self.path) {
            Ok(draft) => Ok(Some(draft)),
            Err(error) => match error.kind() {
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Ok(None),
                _ => Err(error),
            },
        }
    }

    /// Takes out what is in it. A pipe or terminal has nothing.
    ///
    /// # Errors
    ///
    /// What the system said.
    fn empty(&self) -> io::Result<()> {
        if self.file.metadata()?.is_file() {
            self.file.set_len(0)?;
        }
        Ok(())
    }

    /// Removes the file, if it was made here and its name still means it.
    pub fn take_back(self) {
        if let (true, Ok(made)) = (self.is_new, fathom_platform::identity(&self.file)) {
            // An empty file left over is untidy, but no reason for a message of its own.
            let _ = removal::remove(&self.path, made);
        }
    }
}

/// A file that is to take the name of another one; without that it goes.
#[derive(Debug)]
struct Draft {
    file: File,
    at: PathBuf,
    /// The name, no symbolic link.
    place: PathBuf,
}

impl Draft {
    fn beside(path: &Path) -> io::Result<Self> {
        let place = std::fs::canonicalize(path)?;
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let at = place.with_file_name(format!(".{name}.{}.part", std::process::id()));
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        // What another process with this number has left is in nobody's way.
        let _ = std::fs::remove_file(&at);
        #[expect(clippy::disallowed_methods, reason = "this is the door")]
        let made = fathom_platform::fs::open(&at, flags, Mode::from_raw_mode(0o600))?;
        let file = File::from(made);
        Ok(Self { file, at, place })
    }

    /// Safe on the disk, it takes the place of `old`, with its owner and permissions.
    fn take_name(self, old: &File) -> io::Result<()> {
        let meta = old.metadata()?;
        if fathom_platform::identity(old)? != fathom_platform::identity_at(&self.place)? {
            return Err(io::Error::other("another file took its name meanwhile"));
        }
        // Only root may give files away; before the permissions, which this takes from programs.
        let _ = fathom_platform::unix::fs::fchown(&self.file, Some(meta.uid()), Some(meta.gid()));
        self.file.set_permissions(meta.permissions())?;
        self.file.sync_all()?;
        std::fs::rename(&self.at, &self.place)?;
        // That the name is the new one's by now is not safe yet, but one of both has it.
        self.place.parent().map_or(Ok(()), sync_folder)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let named = fathom_platform::identity_at(&self.at);
        let own = fathom_platform::identity(&self.file);
        if named.and_then(|named| Ok(named == own?)).unwrap_or(false) {
            let _ = std::fs::remove_file(&self.at);
        }
    }
}

/// How often a path is looked at whose file comes and goes.
const LOOKS: u32 = 100;

/// What is at a path, if something is.
fn look(path: &Path) -> Result<Option<Pin>, Shut> {
    for _ in 0..LOOKS {
        match Pin::of(path) {
            Ok(pin) => return Ok(Some(pin)),
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(Shut::System(error));
            }
            Err(_) => {}
        }
        match std::fs::symlink_metadata(path) {
            Ok(found) if found.is_symlink() => return Err(Shut::Dangling),
            // Another process made it between the two.
            Ok(_) => {}
            Err(_) => return Ok(None),
        }
    }
    Err(Shut::System(io::ErrorKind::ResourceBusy.into()))
}

/// The null devices and terminals: nothing is lost there, and nothing is kept.
fn keeps_nothing(device: DevNum) -> bool {
    const NULL: DevNum = DevNum::new(1, 3);
    const FULL: DevNum = DevNum::new(1, 7);
    const TTY: DevNum = DevNum::new(5, 0);
    const CONSOLE: DevNum = DevNum::new(5, 1);
    let is_terminal = device.major == 4 || (136..144).contains(&device.major);
    is_terminal || [NULL, FULL, TTY, CONSOLE].contains(&device)
}

fn begins_with_sqlite(pin: &Pin) -> Result<bool, Shut> {
    Ok(head(pin, SQLITE.len() as u64)? == SQLITE)
}

/// The first bytes of a file.
fn head(pin: &Pin, bytes: u64) -> Result<Vec<u8>, Shut> {
    // A file that may be written and not read is compared with nothing, so it is left alone.
    let file = pin.read(OFlags::empty()).map_err(Shut::Unknown)?;
    let mut begin = Vec::new();
    let read = file.take(bytes).read_to_end(&mut begin);
    read.map_err(Shut::Unknown)?;
    Ok(begin)
}

/// A path without symbolic links, also of what is not there yet.
pub(crate) fn resolved(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    if let Ok(whole) = std::fs::canonicalize(&absolute) {
        return whole;
    }
    match (absolute.parent(), absolute.file_name()) {
        (Some(parent), Some(name)) => std::fs::canonicalize(parent)
            .map_or_else(|_| absolute.clone(), |parent| parent.join(name)),
        _ => absolute,
    }
}
