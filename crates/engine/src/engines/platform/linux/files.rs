//! Files, one operation after the other: each is opened, used and closed, as a simple program does.

use crate::engines::platform::blocking::{Blocking, Calls};
use crate::error::EngineError;
use crate::file_tree::{FILE_MODE, FileTree, State, Taken};
use crate::io::Submission;
use crate::target::OpenTarget;
use fathom_core::spec::FileKind;
use fathom_core::{EngineKind, Op};
use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;
use std::os::fd::{AsFd, IntoRawFd as _, OwnedFd};
use std::sync::Arc;

/// The engine of files: a turn performs the operation that was pushed.
pub type FilesEngine = Blocking<Operations>;

/// The calls of a program that deals with files one after the other.
#[derive(Debug)]
pub struct Operations;

impl Calls for Operations {
    const KIND: EngineKind = EngineKind::Files;
    /// The file that the operation is of, if there is one.
    type Chosen = Option<Taken>;

    fn new(_: &[Arc<OpenTarget>]) -> Result<Self, EngineError> {
        Ok(Self)
    }

    #[inline]
    fn choose(target: &OpenTarget, io: &Submission) -> Option<Taken> {
        let files = target.files.as_ref()?;
        files.tree.take(io.offset, io.op)
    }

    #[inline]
    fn perform(
        &self,
        target: &OpenTarget,
        io: &Submission,
        file: Option<Taken>,
        buffer: &mut [u8],
    ) -> Result<usize, Errno> {
        let Some(files) = &target.files else {
            return Err(Errno::NOTDIR);
        };
        let Some(file) = file else {
            // There is none left that could be dealt with.
            let full = io.op == Op::Create;
            return Err(if full { Errno::EXIST } else { Errno::NOENT });
        };
        let bytes = &mut buffer[..io.len as usize];
        let work = Work {
            tree: &files.tree,
            file,
            sync: files.sync,
        };
        let done = match io.op {
            Op::Create => work.create(bytes),
            Op::Stat => work.stat(),
            Op::Read => work.read(bytes),
            Op::Write => work.write(bytes),
            Op::Rename => files.tree.rename(file).map(|state| (0, state)),
            Op::Unlink => work.unlink(),
            Op::Trim | Op::Flush => Err(Errno::OPNOTSUPP),
        };
        let state = match (&done, file.state) {
            (Ok((_, state)), _) => *state,
            (Err(Errno::NOENT), _) => State::Absent,
            (Err(_), before) => before,
        };
        files.tree.give(file.number, state);
        done.map(|(moved, _)| moved)
    }
}

impl FileTree {
    /// Makes a file that is not there, outside of any measurement.
    ///
    /// # Errors
    ///
    /// What the system said.
    pub fn put(&self, number: u64, bytes: &[u8]) -> Result<(), Errno> {
        let work = Work {
            tree: self,
            file: Taken {
                number,
                state: State::Absent,
            },
            sync: false,
        };
        match work.create(bytes)? {
            (moved, state) if moved == bytes.len() => {
                self.give(number, state);
                Ok(())
            }
            _ => Err(Errno::NOSPC),
        }
    }
}

/// One file at hand. Each operation answers with the bytes moved and the state afterwards.
struct Work<'a> {
    tree: &'a FileTree,
    file: Taken,
    sync: bool,
}

type Done = Result<(usize, State), Errno>;

impl Work<'_> {
    fn open(&self, flags: OFlags) -> Result<OwnedFd, Errno> {
        let name = self.tree.name(self.file.number, self.file.state);
        let at = self.tree.directory_of(self.file.number);
        // No link is followed, and no pipe waited for, that somebody put there.
        let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(FILE_MODE);
        #[expect(clippy::disallowed_methods, reason = "a file of the run's own tree")]
        rustix::fs::openat(at, name.as_c_str(), flags, mode)
    }

    #[inline]
    fn create(&self, bytes: &[u8]) -> Done {
        if self.tree.shape().of == FileKind::Directory {
            let name = self.tree.name(self.file.number, self.file.state);
            let at = self.tree.directory_of(self.file.number);
            let made = rustix::fs::mkdirat(at, name.as_c_str(), Mode::from_raw_mode(0o700));
            return made.map(|()| (0, State::Present));
        }
        let file = self.open(OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL)?;
        let written = write_all(&file, bytes).and_then(|moved| self.end(file).map(|()| moved));
        // Half a file is none: it would be in the way of the next attempt.
        let written = written.inspect_err(|_| {
            let _ = self.unlink();
        })?;
        if written < bytes.len() {
            let _ = self.unlink();
            return Ok((written, State::Absent));
        }
        Ok((written, State::Present))
    }

    #[inline]
    fn stat(&self) -> Done {
        let name = self.tree.name(self.file.number, self.file.state);
        let at = self.tree.directory_of(self.file.number);
        rustix::fs::statat(at, name.as_c_str(), AtFlags::SYMLINK_NOFOLLOW)
            .map(|_| (0, self.file.state))
    }

    #[inline]
    fn read(&self, bytes: &mut [u8]) -> Done {
        let file = self.open(OFlags::RDONLY)?;
        let mut moved = 0;
        while moved < bytes.len() {
            match rustix::io::read(&file, &mut bytes[moved..]) {
                Ok(0) => break,
                Ok(more) => moved += more,
                Err(Errno::INTR) => {}
                Err(errno) => return Err(errno),
            }
        }
        close(file).map(|()| (moved, self.file.state))
    }

    #[inline]
    fn write(&self, bytes: &[u8]) -> Done {
        let file = self.open(OFlags::WRONLY)?;
        // A file with another name as well may be somebody's elsewhere.
        let found = rustix::fs::fstat(&file)?;
        let is_file = FileType::from_raw_mode(found.st_mode) == FileType::RegularFile;
        if !is_file || found.st_nlink != 1 {
            return Err(Errno::PERM);
        }
        let moved = write_all(&file, bytes)?;
        self.end(file).map(|()| (moved, self.file.state))
    }

    #[inline]
    fn unlink(&self) -> Done {
        let name = self.tree.name(self.file.number, self.file.state);
        let at = self.tree.directory_of(self.file.number);
        let flags = match self.tree.shape().of {
            FileKind::File => AtFlags::empty(),
            FileKind::Directory => AtFlags::REMOVEDIR,
        };
        rustix::fs::unlinkat(at, name.as_c_str(), flags).map(|()| (0, State::Absent))
    }

    /// Closes what was written to, durable if that is asked for.
    fn end(&self, file: OwnedFd) -> Result<(), Errno> {
        if self.sync {
            rustix::fs::fsync(&file)?;
        }
        close(file)
    }
}

/// Writes as much as the system takes.
fn write_all(file: impl AsFd, bytes: &[u8]) -> Result<usize, Errno> {
    let mut moved = 0;
    while moved < bytes.len() {
        match rustix::io::write(&file, &bytes[moved..]) {
            Ok(0) => break,
            Ok(more) => moved += more,
            Err(Errno::INTR) => {}
            Err(errno) => return Err(errno),
        }
    }
    Ok(moved)
}

/// Closes a file; some file systems say only then that there was no room.
fn close(file: OwnedFd) -> Result<(), Errno> {
    let file = file.into_raw_fd();
    // SAFETY: the descriptor was owned here alone, and nobody uses it afterwards.
    let closed = unsafe { libc::close(file) };
    if closed == 0 {
        return Ok(());
    }
    let cause = std::io::Error::last_os_error();
    Err(Errno::from_io_error(&cause).unwrap_or(Errno::IO))
}
