//! Many files in directories of a run's own: which of them are there, and where they are.
//!
//! Every directory is held open, and a file is named relative to the one that it is in, with no
//! symbolic link followed: whatever somebody puts into the tree or moves meanwhile, nothing outside
//! of it is reached. Of each file a byte says whether it is there; whoever deals with one takes it
//! for the while.

use fathom_core::Op;
use fathom_core::file_name::{Name, Named};
use fathom_core::spec::{FileKind, FilePlaces, TreeShape};
use fathom_platform::fd::{AsFd, BorrowedFd, OwnedFd};
use fathom_platform::fs::{AtFlags, FileType, Mode, OFlags};
use fathom_platform::io::Errno;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// Rights of directories: the owner's alone.
const DIRECTORY_MODE: u32 = 0o700;
/// Rights of files: the owner's alone.
pub const FILE_MODE: u32 = 0o600;

/// The directories and files of one shape below one directory.
#[derive(Debug)]
pub struct FileTree {
    shape: TreeShape,
    /// The directory that all is in.
    root: OwnedFd,
    /// All of each tree, in the order of their numbers.
    directories: Vec<OwnedFd>,
    /// A [`State`] of each file.
    states: Box<[AtomicU8]>,
    /// Whether the file system renames without replacing.
    spares: AtomicBool,
    /// Number of its first thread among those of all members, if they share the directory.
    first_thread: Option<u32>,
}

/// Whether a file is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum State {
    /// It is not.
    Absent,
    /// By its first name.
    Present,
    /// By its other name.
    Renamed,
    /// Somebody deals with it.
    Taken,
}

impl State {
    const fn of(byte: u8) -> Self {
        match byte {
            0 => Self::Absent,
            1 => Self::Present,
            2 => Self::Renamed,
            _ => Self::Taken,
        }
    }

    /// Whether an operation can be asked of a file in it.
    const fn takes(self, op: Op) -> bool {
        match self {
            Self::Absent => matches!(op, Op::Create),
            Self::Present | Self::Renamed => !matches!(op, Op::Create),
            Self::Taken => false,
        }
    }
}

/// A file that nobody else deals with until it is given back.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// Position in the tree.
    pub number: u64,
    /// What it was in.
    pub state: State,
}

/// What a tree left behind when it was removed.
#[derive(Debug, Default)]
pub struct Left {
    /// Files and directories of its own that could not be removed, with the first cause.
    pub own: Option<Errno>,
    /// Directories that hold something that it did not make.
    pub foreign: u64,
}

impl FileTree {
    /// Makes the directories below `root`, which is empty but for what the caller has there, and
    /// what other members have who share it: then threads, and files by them, are numbered from
    /// `first_thread`.
    ///
    /// # Errors
    ///
    /// What the system said; what was made is removed again.
    pub fn make(
        root: OwnedFd,
        shape: TreeShape,
        first_thread: Option<u32>,
    ) -> fathom_platform::io::Result<Self> {
        let files = usize::try_from(shape.files()).map_err(|_| Errno::NOMEM)?;
        let mut tree = Self {
            shape,
            root,
            directories: Vec::new(),
            states: (0..files).map(|_| AtomicU8::new(0)).collect(),
            spares: AtomicBool::new(true),
            first_thread,
        };
        match tree.make_directories() {
            Ok(()) => Ok(tree),
            Err(errno) => {
                tree.remove();
                Err(errno)
            }
        }
    }

    fn make_directories(&mut self) -> fathom_platform::io::Result<()> {
        let each = self.shape.directories_of_tree();
        for tree in 0..self.shape.trees() {
            for number in 0..each {
                let (name, above) = self.directory(tree, number);
                let above =
                    above.map_or(self.root.as_fd(), |index| self.directories[index].as_fd());
                let mode = Mode::from_raw_mode(DIRECTORY_MODE);
                match fathom_platform::fs::mkdirat(above, name.as_c_str(), mode) {
                    // Another member was faster.
                    Err(Errno::EXIST) if self.first_thread.is_some() && self.is_shared() => {}
                    made => made?,
                }
                let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
                #[expect(
                    clippy::disallowed_methods,
                    reason = "a directory, to name what is in it"
                )]
                let open =
                    fathom_platform::fs::openat(above, name.as_c_str(), flags, Mode::empty());
                match open {
                    Ok(fd) => self.directories.push(fd),
                    Err(errno) => {
                        let _ = fathom_platform::fs::unlinkat(
                            above,
                            name.as_c_str(),
                            AtFlags::REMOVEDIR,
                        );
                        return Err(errno);
                    }
                }
            }
        }
        Ok(())
    }

    /// The name of a directory, and the place of the one that it is in; none for the root.
    fn directory(&self, tree: u32, number: u64) -> (Name, Option<usize>) {
        let first = u64::from(tree) * self.shape.directories_of_tree();
        match self.shape.parent(number) {
            Some(above) => (
                Name::new(Named::Branch, number),
                Some((first + above) as usize),
            ),
            None => (Name::new(Named::Tree, self.number_of_tree(tree)), None),
        }
    }

    /// The number in the name of a tree: of threads that have their own, that of the thread.
    fn number_of_tree(&self, tree: u32) -> u64 {
        let first = self.first_thread.filter(|_| !self.is_shared());
        u64::from(tree) + u64::from(first.unwrap_or(0))
    }

    /// Where its files are.
    pub const fn shape(&self) -> &TreeShape {
        &self.shape
    }

    /// The directory that all is in.
    pub fn root(&self) -> BorrowedFd<'_> {
        self.root.as_fd()
    }

    /// The directory of a file.
    #[inline]
    pub fn directory_of(&self, file: u64) -> BorrowedFd<'_> {
        let (tree, number) = self.shape.place(file);
        let index = u64::from(tree) * self.shape.directories_of_tree() + number;
        self.directories[index as usize].as_fd()
    }

    /// The name of a file in a state.
    #[inline]
    pub fn name(&self, file: u64, state: State) -> Name {
        let named = match (self.shape.of, state) {
            (FileKind::File, State::Renamed) => Named::RenamedFile,
            (FileKind::File, _) => Named::File,
            (FileKind::Directory, State::Renamed) => Named::RenamedDirectory,
            (FileKind::Directory, _) => Named::Directory,
        };
        let first = u64::from(self.first_thread.unwrap_or(0));
        Name::new(named, first.saturating_mul(self.shape.count) + file)
    }

    /// Files of which an operation can be asked now.
    pub fn ready_for(&self, op: Op) -> u64 {
        let states = self.states.iter();
        let ready = states.filter(|one| State::of(one.load(Ordering::Relaxed)).takes(op));
        ready.count() as u64
    }

    /// Takes the first file from a number on, and then from the first one on, of which an operation
    /// can be asked and with which nobody deals; none if there is no such file.
    #[inline]
    pub fn take(&self, from: u64, op: Op) -> Option<Taken> {
        let from = from as usize % self.states.len().max(1);
        self.take_in(from..self.states.len(), op)
            .or_else(|| self.take_in(0..from, op))
    }

    #[inline]
    fn take_in(&self, range: std::ops::Range<usize>, op: Op) -> Option<Taken> {
        let first = range.start;
        for (index, one) in self.states[range].iter().enumerate() {
            let byte = one.load(Ordering::Relaxed);
            let state = State::of(byte);
            let took = state.takes(op)
                && one
                    .compare_exchange(
                        byte,
                        State::Taken as u8,
                        Ordering::Acquire,
                        Ordering::Relaxed,
                    )
                    .is_ok();
            if took {
                let number = (first + index) as u64;
                return Some(Taken { number, state });
            }
        }
        None
    }

    /// Gives a file back in the state that it is in now.
    #[inline]
    pub fn give(&self, number: u64, state: State) {
        self.states[number as usize].store(state as u8, Ordering::Release);
    }

    /// Gives a file its other name. What has taken that name meanwhile is not replaced, where the
    /// file system can do that.
    ///
    /// # Errors
    ///
    /// What the system said.
    #[inline]
    pub fn rename(&self, file: Taken) -> fathom_platform::io::Result<State> {
        let to = match file.state {
            State::Renamed => State::Present,
            _ => State::Renamed,
        };
        let at = self.directory_of(file.number);
        let (old, new) = (
            self.name(file.number, file.state),
            self.name(file.number, to),
        );
        let (old, new) = (old.as_c_str(), new.as_c_str());
        if self.spares.load(Ordering::Relaxed) {
            let spare = fathom_platform::fs::RenameFlags::NOREPLACE;
            match fathom_platform::fs::renameat_with(at, old, at, new, spare) {
                Err(Errno::INVAL | Errno::NOSYS) => self.spares.store(false, Ordering::Relaxed),
                other => return other.map(|()| to),
            }
        }
        fathom_platform::fs::renameat(at, old, at, new).map(|()| to)
    }

    /// Removes the files that are there and the directories. What is no file of its own stays, and
    /// so does the directory that it is in; the root stays with whoever made it. Directories that
    /// other members have too stay with those.
    pub fn remove(&self) -> Left {
        let mut left = Left::default();
        for (number, state) in self.states.iter().enumerate() {
            let state = State::of(state.load(Ordering::Relaxed));
            if state != State::Absent {
                self.remove_file(number as u64, state, &mut left);
            }
        }
        if self.first_thread.is_some() && self.is_shared() {
            return left;
        }
        let each = self.shape.directories_of_tree().max(1);
        for index in (0..self.directories.len()).rev() {
            let tree = (index as u64 / each) as u32;
            let (name, above) = self.directory(tree, index as u64 % each);
            let above = above.map_or(self.root.as_fd(), |index| self.directories[index].as_fd());
            match fathom_platform::fs::unlinkat(above, name.as_c_str(), AtFlags::REMOVEDIR) {
                Ok(()) | Err(Errno::NOENT) => {}
                // With what others make in a shared tree it is theirs to remove.
                Err(Errno::NOTEMPTY) => left.foreign += 1,
                Err(errno) => left.own = left.own.or(Some(errno)),
            }
        }
        left
    }

    fn remove_file(&self, number: u64, state: State, left: &mut Left) {
        let at = self.directory_of(number);
        // Whoever was ended in the middle of a rename may have done it.
        let states = match state {
            State::Taken => [State::Present, State::Renamed].as_slice(),
            State::Present => &[State::Present],
            _ => &[State::Renamed],
        };
        for state in states {
            let name = self.name(number, *state);
            match remove_own(at, &name, self.shape.of) {
                Ok(()) | Err(Errno::NOENT) => self.give(number, State::Absent),
                Err(errno) => left.own = left.own.or(Some(errno)),
            }
        }
    }

    /// Whether all threads work in one tree.
    pub fn is_shared(&self) -> bool {
        self.shape.directories == FilePlaces::Shared
    }
}

/// Removes what is called so, if it is still of the kind that was made.
fn remove_own(at: BorrowedFd<'_>, name: &Name, of: FileKind) -> fathom_platform::io::Result<()> {
    let found = fathom_platform::fs::statat(at, name.as_c_str(), AtFlags::SYMLINK_NOFOLLOW)?;
    let kind = FileType::from_raw_mode(found.st_mode);
    let flags = match (of, kind) {
        (FileKind::File, FileType::RegularFile) => AtFlags::empty(),
        (FileKind::Directory, FileType::Directory) => AtFlags::REMOVEDIR,
        // Somebody else's.
        _ => return Ok(()),
    };
    fathom_platform::fs::unlinkat(at, name.as_c_str(), flags)
}
