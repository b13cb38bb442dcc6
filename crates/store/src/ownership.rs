//! Whether a database is a history, by the number that it carries; of earlier versions, which gave
//! none, by its tables.

use crate::migrate::version;
use crate::store::unchanging;
use rusqlite::{Connection, OpenFlags};
use std::path::Path;

/// `FTHM`, the application id of a history.
pub(crate) const APPLICATION_ID: u32 = u32::from_be_bytes(*b"FTHM");

/// Whether a database without an application id is the history of an earlier version, or was left
/// by one that was killed while it made its history. It is looked into without a trace.
pub(crate) fn is_legacy(path: &Path) -> bool {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    #[expect(clippy::disallowed_methods, reason = "it is opened to read")]
    let opened = Connection::open_with_flags(unchanging(path), flags);
    opened.is_ok_and(|connection| {
        let is_left = || !has_log(path) && is_unfinished(&connection).unwrap_or(false);
        is_ours(&connection) || is_left()
    })
}

/// Whether a log holds what the file itself does not: what somebody has written since.
fn has_log(path: &Path) -> bool {
    ["-wal", "-journal"].iter().any(|suffix| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        std::fs::metadata(name).is_ok_and(|log| log.len() > 0)
    })
}

/// Whether a database has nothing but the first setting of a history: nobody can lose anything.
fn is_unfinished(connection: &Connection) -> rusqlite::Result<bool> {
    /// As SQLite numbers the kinds of `auto_vacuum`.
    const INCREMENTAL: u32 = 2;
    let number = |sql| connection.query_row(sql, [], |row| row.get::<_, u32>(0));
    Ok(number("PRAGMA application_id")? == 0
        && number("PRAGMA user_version")? == 0
        && number("PRAGMA page_count")? == 1
        && number("PRAGMA auto_vacuum")? == INCREMENTAL
        && number("SELECT count(*) FROM sqlite_schema")? == 0)
}

/// Whether an open database is a history.
pub(crate) fn is_ours(connection: &Connection) -> bool {
    let id = connection.pragma_query_value(None, "application_id", |row| row.get::<_, u32>(0));
    match id {
        Ok(APPLICATION_ID) => true,
        Ok(0) => has_our_tables(connection).unwrap_or(false),
        _ => false,
    }
}

/// The tables and columns of the first version, which all later ones have.
fn has_our_tables(connection: &Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT
        (SELECT count(*) FROM pragma_table_info('run')
         WHERE name IN ('id', 'run_id', 'digits', 'started_at')) = 4
        AND (SELECT count(*) FROM pragma_table_info('document') WHERE name IN ('run', 'body')) = 2
        AND (SELECT count(*) FROM pragma_table_info('tag') WHERE name IN ('name', 'run')) = 2";
    let has_them: bool = connection.query_row(sql, [], |row| row.get(0))?;
    Ok(has_them && version(connection).is_ok_and(|steps| steps > 0))
}
