//! Errors, by the numbers that they have on Linux.

use std::fmt;
use std::io::ErrorKind;

use super::fd::AsFd;

pub type Result<T> = std::result::Result<T, Errno>;

/// Why a call failed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Errno(i32);

macro_rules! numbers {
    ($($name:ident = $number:literal $words:literal,)*) => {
        impl Errno {
            $(pub const $name: Self = Self($number);)*
        }

        /// What they mean, in the words of Linux.
        const WORDS: &[(i32, &str)] = &[$(($number, $words),)*];
    };
}

numbers! {
    PERM = 1 "Operation not permitted",
    NOENT = 2 "No such file or directory",
    INTR = 4 "Interrupted system call",
    IO = 5 "Input/output error",
    NXIO = 6 "No such device or address",
    BADF = 9 "Bad file descriptor",
    AGAIN = 11 "Resource temporarily unavailable",
    WOULDBLOCK = 11 "Resource temporarily unavailable",
    NOMEM = 12 "Cannot allocate memory",
    ACCESS = 13 "Permission denied",
    FAULT = 14 "Bad address",
    NOTBLK = 15 "The volume is on dynamic disks and has no device number. Name a file on it, or \
                 each of its disks, such as \\\\.\\PhysicalDrive1",
    BUSY = 16 "Device or resource busy",
    EXIST = 17 "File exists",
    XDEV = 18 "Invalid cross-device link",
    NODEV = 19 "No such device",
    NOTDIR = 20 "Not a directory",
    ISDIR = 21 "Is a directory",
    INVAL = 22 "Invalid argument",
    NFILE = 23 "Too many open files in system",
    MFILE = 24 "Too many open files",
    NOTTY = 25 "Inappropriate ioctl for device",
    TXTBSY = 26 "Text file busy",
    FBIG = 27 "File too large",
    NOSPC = 28 "No space left on device",
    ROFS = 30 "Read-only file system",
    RANGE = 34 "Numerical result out of range",
    NOSYS = 38 "Not available on this system",
    NOTEMPTY = 39 "Directory not empty",
    LOOP = 40 "Too many levels of symbolic links",
    BADE = 52 "Invalid exchange",
    NODATA = 61 "No data available",
    NOLINK = 67 "Link has been severed",
    OVERFLOW = 75 "Value too large for defined data type",
    ILSEQ = 84 "Invalid or incomplete multibyte or wide character",
    NOTSUP = 95 "Operation not supported",
    OPNOTSUPP = 95 "Operation not supported",
    TOOMANYREFS = 109 "Too many references: cannot splice",
    REMOTEIO = 121 "Remote I/O error",
    DQUOT = 122 "Disk quota exceeded",
}

/// What `std` calls the same.
const KINDS: [(Errno, ErrorKind); 13] = [
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
    (Errno::BUSY, ErrorKind::ResourceBusy),
];

impl Errno {
    pub const fn from_raw_os_error(number: i32) -> Self {
        Self(number)
    }

    pub const fn raw_os_error(self) -> i32 {
        self.0
    }

    /// The number of what `std` said.
    pub fn of(error: &std::io::Error) -> Self {
        let own = error.get_ref().and_then(|inner| inner.downcast_ref());
        if let Some(own) = own {
            return *own;
        }
        match error.raw_os_error().filter(|_| cfg!(windows)) {
            // Another program has the file open, or a part of it locked.
            Some(32 | 33) => return Self::BUSY,
            // ERROR_HANDLE_DISK_FULL, which `std` does not know.
            Some(39) => return Self::NOSPC,
            _ => (),
        }
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
        let found = WORDS.iter().find(|(number, _)| *number == self.0);
        let words = found.map_or("Unknown error", |(_, words)| words);
        write!(f, "{words} (os error {})", self.0)
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
