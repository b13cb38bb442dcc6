//! Open files.

use std::fs::File;
use std::sync::Arc;

pub type RawFd = i32;

/// An open file.
#[derive(Debug)]
pub struct OwnedFd(pub(crate) File);

/// The same, held elsewhere; none is the folder that the process works in.
#[derive(Clone, Copy, Debug)]
pub struct BorrowedFd<'a>(pub(crate) Option<&'a File>);

impl BorrowedFd<'_> {
    /// Another handle on it.
    ///
    /// # Errors
    ///
    /// What the system said.
    pub fn try_clone_to_owned(&self) -> std::io::Result<OwnedFd> {
        let file = self.0.ok_or(std::io::ErrorKind::Unsupported)?;
        file.try_clone().map(OwnedFd)
    }
}

impl OwnedFd {
    /// Another handle on it.
    ///
    /// # Errors
    ///
    /// What the system said.
    pub fn try_clone(&self) -> std::io::Result<Self> {
        self.0.try_clone().map(Self)
    }
}

impl From<File> for OwnedFd {
    fn from(file: File) -> Self {
        Self(file)
    }
}

impl From<OwnedFd> for File {
    fn from(fd: OwnedFd) -> Self {
        fd.0
    }
}

pub trait AsFd {
    fn as_fd(&self) -> BorrowedFd<'_>;
}

impl AsFd for File {
    fn as_fd(&self) -> BorrowedFd<'_> {
        BorrowedFd(Some(self))
    }
}

impl AsFd for OwnedFd {
    fn as_fd(&self) -> BorrowedFd<'_> {
        BorrowedFd(Some(&self.0))
    }
}

impl AsFd for BorrowedFd<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        *self
    }
}

/// No file here.
macro_rules! streams {
    ($($name:ident)*) => {$(
        impl AsFd for std::io::$name {
            fn as_fd(&self) -> BorrowedFd<'_> {
                BorrowedFd(None)
            }
        }
    )*};
}

streams! { Stdin Stdout Stderr }

impl<T: AsFd + ?Sized> AsFd for &T {
    fn as_fd(&self) -> BorrowedFd<'_> {
        T::as_fd(self)
    }
}

impl<T: AsFd + ?Sized> AsFd for Arc<T> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        T::as_fd(self)
    }
}

/// Files have no numbers here.
pub trait AsRawFd {
    fn as_raw_fd(&self) -> RawFd;
}

impl<T: AsFd> AsRawFd for T {
    fn as_raw_fd(&self) -> RawFd {
        -1
    }
}
