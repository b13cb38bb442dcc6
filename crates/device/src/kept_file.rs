//! A file of the kernel that is read again and again: opened once, into room that stays.

use fathom_platform::unix::fs::FileExt as _;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Room at first; more is made where a file is longer.
const ROOM: usize = 8 << 10;

/// Such a file. A clone opens it for itself.
#[derive(Debug)]
pub(crate) struct KeptFile {
    path: PathBuf,
    file: Option<File>,
    room: Vec<u8>,
}

impl KeptFile {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self {
            path,
            file: None,
            room: Vec::new(),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Its content now, from the start.
    pub(crate) fn read(&mut self) -> io::Result<&str> {
        if let Some(text) = crate::platform::kernel_file(&self.path) {
            self.room = text?.into_bytes();
            return str::from_utf8(&self.room).map_err(io::Error::other);
        }
        let file = match self.file.take() {
            Some(file) => file,
            None => crate::input::open(&self.path)?,
        };
        if self.room.is_empty() {
            self.room.resize(ROOM, 0);
        }
        let mut length = 0;
        loop {
            if length == self.room.len() {
                self.room.resize(length * 2, 0);
            }
            match file.read_at(&mut self.room[length..], length as u64)? {
                0 => break,
                more => length += more,
            }
        }
        self.file = Some(file);
        str::from_utf8(&self.room[..length]).map_err(io::Error::other)
    }
}

impl Clone for KeptFile {
    fn clone(&self) -> Self {
        Self::new(self.path.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_anew_however_long_it_gets() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("counters");
        std::fs::write(&path, "1 2 3\n").unwrap();
        let mut kept = KeptFile::new(path.clone());
        assert_eq!(kept.read().unwrap(), "1 2 3\n");
        let long = "7 ".repeat(ROOM);
        std::fs::write(&path, &long).unwrap();
        assert_eq!(kept.clone().read().unwrap(), long);
        assert_eq!(kept.read().unwrap(), long);
        std::fs::write(&path, "4\n").unwrap();
        assert_eq!(kept.read().unwrap(), "4\n");
        let mut gone = KeptFile::new(dir.path().join("none"));
        assert_eq!(gone.read().unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
