//! The one database that Fathom writes: its history, which SQLite opens by name.

use fathom_platform::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use fathom_platform::fs::OFlags;

use super::{Door, DoorError, SQLITE, Shut, look};
use crate::input;
use crate::nodes::NodeKind;
use crate::pin::Pin;

/// The header of an SQLite database, as long as it is looked at.
const HEADER_BYTES: u64 = 100;
/// Where the number stands that says whose database it is, most significant byte first
/// (<https://www.sqlite.org/fileformat.html>, 1.3).
const APPLICATION_ID: usize = 68;
/// The names that SQLite appends for files of a database.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

impl Door {
    /// Makes the folder of the user's history, with those above it, where there is none, and keeps
    /// it from others.
    ///
    /// # Errors
    ///
    /// [`DoorError`]
    pub fn private_folder(&self, path: &Path) -> Result<(), DoorError> {
        Self::make_folder_as(path, 0o700)?;
        let kept = input::open(path).and_then(|folder| keep_private(&folder));
        kept.map_err(|error| DoorError::new(path, Shut::System(error)))
    }

    /// Where SQLite may open the history: the path without symbolic links of a file that is new,
    /// empty, or a database with this application id, or without any and ours by the looks that
    /// `is_ours` has into it.
    ///
    /// # Errors
    ///
    /// [`DoorError`]; then nothing was written, neither to the file nor next to it.
    pub fn history(
        &self,
        path: &Path,
        application_id: u32,
        is_ours: &dyn Fn(&Path) -> bool,
    ) -> Result<PathBuf, DoorError> {
        let refuse = |shut| DoorError::new(path, shut);
        let pin = match look(path).map_err(refuse)? {
            Some(pin) => pin,
            None => self
                .make_as(path, 0o600)
                .and_then(|file| Pin::of_open(&file, path).map_err(Shut::System))
                .map_err(refuse)?,
        };
        self.admit_history(&pin, path, application_id, is_ours)
            .map_err(refuse)
    }

    fn admit_history(
        &self,
        pin: &Pin,
        path: &Path,
        application_id: u32,
        is_ours: &dyn Fn(&Path) -> bool,
    ) -> Result<PathBuf, Shut> {
        let size_bytes = pin.node().size_bytes;
        if pin.node().kind != NodeKind::File {
            return Err(Shut::NoFile(pin.node().kind));
        }
        self.refuse_target(path, Some(pin.node()))?;
        let place = std::fs::canonicalize(pin.at()).map_err(Shut::System)?;
        let file = pin.open(OFlags::RDWR).map_err(Shut::System)?;
        match owner(&file).map_err(Shut::Unknown)? {
            Owner::Nobody => {}
            Owner::Application(id) if id == application_id => {}
            Owner::Application(0) if is_ours(&place) => {}
            Owner::Application(_) => return Err(Shut::OtherDatabase),
            Owner::NoDatabase => return Err(Shut::NoDatabase { size_bytes }),
        }
        for suffix in BESIDE {
            let mut name = place.clone().into_os_string();
            name.push(suffix);
            match std::fs::symlink_metadata(&name) {
                Ok(meta) if meta.is_file() => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Ok(_) => return Err(Shut::OtherDatabase),
                Err(error) => return Err(Shut::Unknown(error)),
            }
        }
        keep_private(&file).map_err(Shut::System)?;
        // From here on SQLite goes by the name, and follows no link.
        let named = fathom_platform::identity_at(&place).map_err(Shut::Unknown)?;
        if named == fathom_platform::identity(&file).map_err(Shut::Unknown)? {
            Ok(place)
        } else {
            Err(Shut::Changed)
        }
    }
}

/// What lies there is its owner's: command lines with paths, hosts and addresses. What others may
/// write to is shared on purpose and stays so. The files that SQLite adds in the same folder get
/// its permissions.
pub(super) fn keep_private(file: &File) -> io::Result<()> {
    const OTHERS: u32 = 0o077;
    const OTHERS_WRITE: u32 = 0o022;
    let meta = file.metadata()?;
    let is_own = meta.uid() == fathom_platform::process::geteuid().as_raw();
    let mode = meta.mode() & 0o7777;
    if is_own && mode & OTHERS != 0 && mode & OTHERS_WRITE == 0 {
        let mut permissions = meta.permissions();
        permissions.set_mode(mode & !OTHERS);
        file.set_permissions(permissions)?;
    }
    Ok(())
}

/// Whose a file is.
enum Owner {
    /// It is empty.
    Nobody,
    /// A database with this application id.
    Application(u32),
    /// The file is not an SQLite database.
    NoDatabase,
}

fn owner(file: &File) -> io::Result<Owner> {
    let mut header = Vec::new();
    file.take(HEADER_BYTES).read_to_end(&mut header)?;
    if header.is_empty() {
        return Ok(Owner::Nobody);
    }
    let id = header.get(APPLICATION_ID..APPLICATION_ID + 4);
    Ok(match id {
        Some(&[a, b, c, d]) if header.starts_with(SQLITE) => {
            Owner::Application(u32::from_be_bytes([a, b, c, d]))
        }
        _ => Owner::NoDatabase,
    })
}
