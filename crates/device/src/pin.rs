//! What a path led to when it was looked at, held fast.
//!
//! A name can be turned to point elsewhere between two looks. So a path is followed once, what it
//! led to is kept open without being opened for reading or writing (`O_PATH`), and everything that
//! is asked and opened afterwards goes through that, never through the name again.

use fathom_platform::fd::AsRawFd as _;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fathom_platform::fs::{Mode, OFlags};

use crate::input;
use crate::nodes::Node;

/// A file or device held fast.
#[derive(Debug)]
pub struct Pin {
    /// Where it can be opened: a name that only this process has, or, without `/proc`, the path.
    at: PathBuf,
    node: Node,
    held: Option<Arc<File>>,
}

impl Pin {
    /// Follows a path, through symbolic links, and holds what it leads to.
    ///
    /// # Errors
    ///
    /// What the system said.
    pub fn of(path: &Path) -> io::Result<Self> {
        #[expect(
            clippy::disallowed_methods,
            reason = "opened as a place, neither to read nor to write"
        )]
        let fd = fathom_platform::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
        Self::sharing(Arc::new(fd.into()), path)
    }

    /// Holds what is open, which `path` is a name of.
    ///
    /// # Errors
    ///
    /// What the system said.
    pub fn of_open(file: &File, path: &Path) -> io::Result<Self> {
        Self::sharing(Arc::new(file.try_clone()?), path)
    }

    /// The same without a descriptor of its own; their number is limited per process.
    ///
    /// # Errors
    ///
    /// What the system said.
    pub fn sharing(file: Arc<File>, path: &Path) -> io::Result<Self> {
        let node = Node::of_open(&file)?;
        let own = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
        let is_there = std::fs::metadata(&own).is_ok_and(|meta| Node::of(&meta) == node);
        Ok(Self {
            at: if is_there { own } else { path.to_owned() },
            node,
            held: Some(file),
        })
    }

    /// A path that is not held, as on a machine that does not exist.
    pub(crate) fn loose(path: &Path, node: Node) -> Self {
        Self {
            at: path.to_owned(),
            node,
            held: None,
        }
    }

    /// Where to open it. Without `/proc` this is the name, which may have been turned, so what was
    /// opened is compared nevertheless.
    pub fn at(&self) -> &Path {
        &self.at
    }

    /// The file or device itself.
    pub const fn node(&self) -> &Node {
        &self.node
    }

    /// The magic number of the file system that it lies on.
    ///
    /// # Errors
    ///
    /// What the system said; it is not held.
    pub fn file_system(&self) -> io::Result<u64> {
        let held = self.held.as_ref().ok_or(io::ErrorKind::Unsupported)?;
        let found = fathom_platform::fs::fstatfs(held)?;
        Ok(found.f_type as u64 & 0xffff_ffff)
    }

    /// Opens it to read, with these additional flags.
    ///
    /// # Errors
    ///
    /// What the system said; [`io::ErrorKind::NotFound`] if the name leads elsewhere by now.
    pub fn read(&self, flags: OFlags) -> io::Result<File> {
        self.open(OFlags::RDONLY | flags)
    }

    /// Opens it with these flags.
    pub(crate) fn open(&self, flags: OFlags) -> io::Result<File> {
        #[expect(
            clippy::disallowed_methods,
            reason = "only the door and the guard open so, and what they open is compared"
        )]
        let fd = fathom_platform::fs::open(
            &self.at,
            flags | OFlags::CLOEXEC | OFlags::NONBLOCK,
            Mode::empty(),
        );
        let fd = fd.map_err(|errno| input::refused(&self.node, errno))?;
        let file = input::waiting(fd, flags)?;
        if self.is(&file)? {
            Ok(file)
        } else {
            Err(io::Error::new(
                io::ErrorKind::NotFound,
                "the name leads elsewhere by now",
            ))
        }
    }

    /// Whether this is what is open.
    ///
    /// # Errors
    ///
    /// What the system said.
    pub fn is(&self, opened: &File) -> io::Result<bool> {
        Ok(self.node.is_same_storage(&Node::of_open(opened)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    #[test]
    fn a_name_that_is_turned_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let [first, second, link] =
            ["first", "second", "link"].map(|name| folder.path().join(name));
        std::fs::write(&first, "1").unwrap();
        std::fs::write(&second, "2").unwrap();
        fathom_platform::unix::fs::symlink(&first, &link).unwrap();
        let pin = Pin::of(&link).unwrap();
        std::fs::remove_file(&link).unwrap();
        fathom_platform::unix::fs::symlink(&second, &link).unwrap();
        let mut text = String::new();
        let mut file = pin.read(OFlags::empty()).unwrap();
        file.read_to_string(&mut text).unwrap();
        assert_eq!(text, "1");
        // Where there is no name of our own, what was opened is compared.
        let loose = Pin::loose(&link, *pin.node());
        let error = loose.read(OFlags::empty()).unwrap_err();
        assert_eq!(error.to_string(), "the name leads elsewhere by now");
    }
}
