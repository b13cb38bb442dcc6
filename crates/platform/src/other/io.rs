//! Errors, by the numbers that they have on Linux.

use std::fmt;
use std::io::ErrorKind;

use super::fd::AsFd;

pub type Result<T> = std::result::Result<T, Errno>;

/// Why a call failed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Errno(i32);

macro_rules! numbers {
    ($($name:ident = $number:literal,)*) => {
        impl Errno {
            $(pub const $name: Self = Self($number);)*
        }
    };
}

numbers! {
    PERM = 1, NOENT = 2, INTR = 4, IO = 5, NXIO = 6, BADF = 9, AGAIN = 11, WOULDBLOCK = 11,
    NOMEM = 12, ACCESS = 13, FAULT = 14, BUSY = 16, EXIST = 17, XDEV = 18, NODEV = 19,
    NOTDIR = 20, ISDIR = 21, INVAL = 22, NFILE = 23, MFILE = 24, NOTTY = 25, TXTBSY = 26,
    FBIG = 27, NOSPC = 28, ROFS = 30, RANGE = 34, NOSYS = 38, NOTEMPTY = 39, LOOP = 40,
    BADE = 52, NODATA = 61, NOLINK = 67, OVERFLOW = 75, ILSEQ = 84, NOTSUP = 95, OPNOTSUPP = 95,
    TOOMANYREFS = 109, REMOTEIO = 121, DQUOT = 122,
}

/// What `std` calls the same.
const KINDS: [(Errno, ErrorKind); 12] = [
    (Errno::NOENT, ErrorKind::NotFound),
    (Errno::PERM, ErrorKind::PermissionDenied),
    (Errno::ACCESS, ErrorKind::PermissionDenied),
    (Errno::EXIST, ErrorKind::AlreadyExists),
    (Errno::ISDIR, ErrorKind::IsADirectory),
    (Errno::NOTDIR, ErrorKind::NotADirectory),
    (Errno::INVAL, ErrorKind::InvalidInput),
    (Errno::NOSPC, ErrorKind::StorageFull),
    (Errno::ROFS, ErrorKind::ReadOnlyFilesystem),
    (Errno::NOMEM, ErrorKind::OutOfMemory),
    (Errno::INTR, ErrorKind::Interrupted),
    (Errno::NOSYS, ErrorKind::Unsupported),
];

impl Errno {
    pub const fn from_raw_os_error(number: i32) -> Self {
        Self(number)
    }

    pub const fn raw_os_error(self) -> i32 {
        self.0
    }

    /// The number of what `std` said.
    pub(crate) fn of(error: &std::io::Error) -> Self {
        let kind = error.kind();
        let found = KINDS.iter().rev().find(|(_, one)| *one == kind);
        found.map_or(Self::IO, |(errno, _)| *errno)
    }

    pub fn kind(self) -> ErrorKind {
        let found = KINDS.iter().find(|(errno, _)| *errno == self);
        found.map_or(ErrorKind::Other, |(_, kind)| *kind)
    }
}

impl fmt::Display for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (error {} of Linux)", self.kind(), self.0)
    }
}

impl fmt::Debug for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Errno {}

impl From<Errno> for std::io::Error {
    fn from(errno: Errno) -> Self {
        Self::new(errno.kind(), errno)
    }
}

bits! {
    ReadWriteFlags { DSYNC = 1, NOWAIT = 2, }
}

absent! {
    read(A, B) -> usize;
    write(A, B) -> usize;
    preadv2(A, B, C, D) -> usize;
    pwritev2(A, B, C, D) -> usize;
}

pub use std::io::IoSlice;

/// Another handle on an open file.
///
/// # Errors
///
/// What the system said.
pub fn dup(file: impl AsFd) -> Result<super::fd::OwnedFd> {
    let copy = file.as_fd().try_clone_to_owned();
    copy.map_err(|error| Errno::of(&error))
}
