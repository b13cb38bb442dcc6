//! The bytes of devices and files, and the names in a folder, as they should be.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use fathom_device::mark::{is_marked, renew};

/// A device or file with a copy of all that it holds, or a name under which nothing should be.
pub(crate) struct Watched {
    path: PathBuf,
    /// How much of it, from its start; all without it.
    bytes: Option<u64>,
    expected: Option<Vec<u8>>,
}

impl Watched {
    pub(crate) fn new(path: &Path, bytes: Option<u64>) -> Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            bytes,
            expected: if is_there(path) {
                Some(read(path, bytes)?)
            } else {
                None
            },
        })
    }

    /// What differs from the copy: how many bytes, and from where.
    pub(crate) fn change(&self) -> Option<String> {
        let expected = match (&self.expected, is_there(&self.path)) {
            (None, false) => return None,
            (None, true) => return Some("made".to_owned()),
            (Some(_), false) => return Some("removed".to_owned()),
            (Some(expected), true) => expected,
        };
        // What was cut off below a device cannot be read any more.
        let Ok(found) = read(&self.path, self.bytes) else {
            return Some("can no longer be read".to_owned());
        };
        if found == *expected {
            return None;
        }
        let pairs = || found.iter().zip(expected);
        let first = pairs().position(|(a, b)| a != b);
        let differing = pairs().filter(|(a, b)| a != b).count();
        let lengths = match (found.len(), expected.len()) {
            (now, before) if now == before => String::new(),
            (now, before) => format!(", {now} bytes long instead of {before}"),
        };
        let offset = first.unwrap_or(found.len().min(expected.len()));
        Some(format!("{differing} bytes from offset {offset}{lengths}"))
    }

    pub(crate) fn restore(&self) -> Result<()> {
        let (Some(expected), Some(_)) = (&self.expected, self.change()) else {
            return Ok(());
        };
        // Whose it is stays as it is: what fills a file in place makes it the filler's.
        let is_ours = is_marked(&File::open(&self.path)?, &self.path).unwrap_or(false);
        let file = File::options().read(true).write(true).open(&self.path)?;
        if file.metadata()?.is_file() && self.bytes.is_none() {
            file.set_len(expected.len() as u64)?;
        }
        (&file).write_all(expected)?;
        file.sync_all()?;
        if is_ours {
            renew(&file, &self.path)?;
        }
        Ok(())
    }
}

fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

fn read(path: &Path, most: Option<u64>) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(most.unwrap_or(u64::MAX)).read_to_end(&mut bytes))
        .with_context(|| format!("cannot look at {}", path.display()))?;
    Ok(bytes)
}

/// The names below a folder: what each is, which, and how long.
pub(crate) struct Entries {
    expected: BTreeMap<PathBuf, String>,
}

impl Entries {
    pub(crate) fn of(folder: &Path) -> Result<Self> {
        let mut expected = BTreeMap::new();
        collect(folder, &mut expected)?;
        Ok(Self { expected })
    }

    ///
    /// What was named may grow, since a load needs its size. It may not shrink: the rest is lost.
    pub(crate) fn changes(&self, folder: &Path, named: Option<&Path>) -> Result<Vec<String>> {
        let found = Self::of(folder)?.expected;
        let mut changes = Vec::new();
        for (path, what) in &found {
            match self.expected.get(path) {
                None => changes.push(format!("left behind: {}", path.display())),
                Some(before) if named == Some(path) && has_grown(before, what) => {}
                Some(before) if before != what => {
                    changes.push(format!("{}: was {before}, is {what}", path.display()));
                }
                Some(_) => {}
            }
        }
        let gone = self
            .expected
            .keys()
            .filter(|path| !found.contains_key(*path));
        changes.extend(gone.map(|path| format!("gone: {}", path.display())));
        Ok(changes)
    }
}

/// Whether both are the same file, the second time larger.
fn has_grown(before: &str, after: &str) -> bool {
    let parts = |what: &str| -> Option<(String, u64)> {
        let (file, size) = what.strip_suffix(" bytes")?.rsplit_once(" of ")?;
        Some((file.to_owned(), size.parse().ok()?))
    };
    match (parts(before), parts(after)) {
        (Some((was, small)), Some((is, large))) => was == is && small < large,
        _ => false,
    }
}

fn collect(folder: &Path, into: &mut BTreeMap<PathBuf, String>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let meta = fs::symlink_metadata(&path)?;
        let kind = meta.file_type();
        let what = if kind.is_symlink() {
            format!("a link to {}", fs::read_link(&path)?.display())
        } else if kind.is_dir() {
            collect(&path, into)?;
            "a folder".to_owned()
        } else if kind.is_file() {
            format!("file {} of {} bytes", meta.ino(), meta.len())
        } else if kind.is_fifo() {
            "a FIFO".to_owned()
        } else if kind.is_socket() {
            "a socket".to_owned()
        } else {
            format!("device {}", meta.rdev())
        };
        into.insert(path, what);
    }
    Ok(())
}
