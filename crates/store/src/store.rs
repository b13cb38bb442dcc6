//! The file, opened.

use crate::StoreError;
use crate::migrate::{STEPS, migrate};
use rusqlite::Connection;
use std::path::Path;
use std::time::Duration;

/// How long to wait for another process that writes.
const PATIENCE: Duration = Duration::from_secs(5);

/// The history of runs.
#[derive(Debug)]
pub struct Store {
    pub(crate) connection: Connection,
}

impl Store {
    /// Opens the history, and makes it and its folder where there are none.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let cannot = |cause: String| StoreError::Open {
            path: path.to_owned(),
            cause,
        };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| cannot(error.to_string()))?;
        }
        let mut connection = Connection::open(path).map_err(|error| cannot(error.to_string()))?;
        prepare(&connection).map_err(|error| cannot(error.to_string()))?;
        migrate(&mut connection, path, STEPS)?;
        Ok(Self { connection })
    }
}

fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)
}
