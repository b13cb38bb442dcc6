//! The file, opened.

use crate::StoreError;
use crate::migrate::{STEPS, migrate, version};
use crate::ownership::{APPLICATION_ID, is_legacy, is_ours};
use fathom_device::{Door, DoorError, Reserve};
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::time::Duration;

/// How long to wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(5);

/// Pages of 4 KiB that may wait in the write-ahead log before they are moved into the database,
/// which waits for the disk: 64 MiB, so that this happens within no measurement but one of hours.
const LOG_PAGES: u32 = 16_384;

/// Space that is kept for removals on a full disk. They write to the write-ahead log first; that of
/// one run takes some dozens of pages.
const RESERVE_BYTES: u64 = 1 << 20;

/// The history of runs.
#[derive(Debug)]
pub struct Store {
    pub(crate) connection: Connection,
    pub(crate) reserve: Reserve,
}

impl Store {
    /// Opens the history, and makes it and its folder where there are none.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::open_through(&Door::default(), path)
    }

    /// Opens the history to take runs out of it, which works on a full disk too: there the reserve
    /// is given up for what SQLite writes to its log.
    pub fn open_to_remove(path: &Path) -> Result<Self, StoreError> {
        Self::open(path).or_else(|error| match error {
            StoreError::Open { .. } if Reserve::beside(path).release().is_ok() => Self::open(path),
            other => Err(other),
        })
    }

    /// The same as [`Self::open`] through the door of a run, whose targets are no place for a
    /// history.
    pub fn open_through(door: &Door, path: &Path) -> Result<Self, StoreError> {
        let cannot = |cause: String| StoreError::Open {
            path: path.to_owned(),
            cause,
        };
        if let Some(folder) = path.parent() {
            let made = door.make_folder(folder);
            made.map_err(|error| cannot(error.cause()))?;
        }
        let place = door.history(path, APPLICATION_ID, &is_legacy);
        let place = place.map_err(|error| shut(path, error))?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_NOFOLLOW;
        #[expect(clippy::disallowed_methods, reason = "what the door has let through")]
        let opened = Connection::open_with_flags(&place, flags);
        let mut connection = opened.map_err(|error| cannot(error.to_string()))?;
        prepare(&connection).map_err(|error| cannot(error.to_string()))?;
        migrate(&mut connection, path, STEPS).map_err(|error| match error {
            StoreError::Sql(error) => cannot(error.to_string()),
            other => other,
        })?;
        let reserve = Reserve::beside(&place);
        reserve.keep(door, RESERVE_BYTES);
        Ok(Self {
            connection,
            reserve,
        })
    }

    /// Opens a history that cannot be written to, only to look into it. What another process
    /// writes meanwhile is not seen.
    pub fn open_read_only(path: &Path) -> Result<Self, StoreError> {
        let cannot = |cause: String| StoreError::Open {
            path: path.to_owned(),
            cause,
        };
        fathom_device::input::open(path).map_err(|error| cannot(system_words(&error)))?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let uri = unchanging(&absolute);
        #[expect(clippy::disallowed_methods, reason = "it is opened to read")]
        let opened = Connection::open_with_flags(uri, flags);
        let connection = opened.map_err(|error| cannot(error.to_string()))?;
        if !is_ours(&connection) {
            return Err(cannot("it is the database of another program".to_owned()));
        }
        let known = STEPS.len() as u32;
        match version(&connection)? {
            found if found == known => Ok(Self {
                connection,
                reserve: Reserve::beside(path),
            }),
            found if found > known => Err(StoreError::TooNew {
                path: path.to_owned(),
                found,
                known,
            }),
            _ => Err(cannot(
                "it is of an older version, and cannot be written to".to_owned(),
            )),
        }
    }
}

/// The version of SQLite in this build, as reported by the library itself.
pub fn sqlite_version() -> String {
    let told = Connection::open_in_memory()
        .and_then(|memory| memory.query_row("SELECT sqlite_version()", [], |row| row.get(0)));
    told.unwrap_or_else(|error| format!("does not work: {error}"))
}

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    // The door looks for the id in the file itself, so it comes before there is a log. It comes
    // with the first page in one transaction: a process may be killed after any of them.
    let own = connection.unchecked_transaction()?;
    // Pages of removed runs can then be given back few at a time. A file that was made without
    // becomes one with at its next VACUUM.
    own.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    let id: u32 = own.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if id != APPLICATION_ID {
        own.pragma_update(None, "application_id", APPLICATION_ID)?;
    }
    own.commit()?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
    connection.pragma_update(None, "foreign_keys", true)
}

/// What the system said, without the number that Rust adds.
fn system_words(error: &std::io::Error) -> String {
    let text = error.to_string();
    let words = text.split(" (os error ").next().unwrap_or(&text);
    words.to_lowercase()
}

/// Why the door stayed shut. The system's error is about the file, not about its contents.
fn shut(path: &Path, error: DoorError) -> StoreError {
    if error.is_failure() {
        StoreError::Open {
            path: path.to_owned(),
            cause: error.cause(),
        }
    } else {
        StoreError::Refused(error)
    }
}

/// A file as one that is only looked into: nothing is written to it or into its folder.
pub(crate) fn unchanging(absolute: &Path) -> String {
    format!("file:{}?immutable=1", escaped(absolute))
}

/// A path as a part of a URI.
fn escaped(path: &Path) -> String {
    use fathom_platform::unix::ffi::OsStrExt as _;
    let bytes = path.as_os_str().as_bytes().iter();
    let escape = |byte: &u8| match byte {
        b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
            char::from(*byte).to_string()
        }
        byte => format!("%{byte:02X}"),
    };
    bytes.map(escape).collect()
}
