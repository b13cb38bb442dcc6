//! Runs into the file, and out of it for good.

use crate::packing::pack;
use crate::projection::project;
use crate::{Store, StoreError};
use fathom_core::result::{EndReason, ResultError, RunResult};
use fathom_verdict::Code;
use rusqlite::{Connection, params};

/// The digits of a run's id: what follows its time stamp.
pub(crate) fn digits(run_id: &str) -> &str {
    run_id.rsplit_once('-').map_or(run_id, |(_, digits)| digits)
}

/// What a result is called whose run is over: one that was stopped is not complete, though there is
/// a report of it.
pub(crate) fn status(result: &RunResult) -> &'static str {
    let mut phases = result.phases.iter();
    let mut caveats = result.caveats.iter();
    // Between two phases nothing is cut off but those that were to come.
    let is_stopped = phases.any(|phase| phase.ended_by == EndReason::Interrupted)
        || caveats.any(|caveat| Code::Interrupted.is(caveat));
    if result.provenance.rebuilt || is_stopped {
        "interrupted"
    } else {
        "complete"
    }
}

/// The row of a run, made if there is none.
pub(crate) fn insert(
    connection: &Connection,
    run_id: &str,
    started_at: &str,
) -> rusqlite::Result<i64> {
    connection.query_row(
        "INSERT INTO run (run_id, digits, started_at) VALUES (?1, ?2, ?3)
         ON CONFLICT (run_id) DO UPDATE SET started_at = excluded.started_at
         RETURNING id",
        params![run_id, digits(run_id), started_at],
        |row| row.get(0),
    )
}

impl Store {
    /// Keeps a result. One with the same id is replaced, its tags and its note stay.
    pub fn save(&mut self, result: &RunResult) -> Result<(), StoreError> {
        let text = serde_json::to_string(result).map_err(ResultError::from)?;
        let transaction = self.connection.transaction()?;
        put(&transaction, result, &text, status(result))?;
        transaction.commit()?;
        Ok(())
    }

    /// Keeps what is left of a run whose process is gone.
    pub fn save_interrupted(&mut self, result: &RunResult) -> Result<(), StoreError> {
        let text = serde_json::to_string(result).map_err(ResultError::from)?;
        let transaction = self.connection.transaction()?;
        // Meanwhile the run may have ended after all, or somebody else may have done the same.
        let running = transaction.query_row(
            "SELECT count(*) FROM run WHERE run_id = ?1 AND status = 'running'",
            [&result.run_id],
            |row| row.get::<_, i64>(0),
        )?;
        if running > 0 {
            put(&transaction, result, &text, "interrupted")?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// Removes a run and all that belongs to it; one that is not there is removed already.
    ///
    /// The reserve is given up where the disk is full: what undoes a removal that is cut off is
    /// always on the disk.
    pub fn remove(&mut self, run_id: &str) -> Result<(), StoreError> {
        let sql = "DELETE FROM run WHERE run_id = ?1";
        let removed = self.connection.execute(sql, [run_id]);
        if is_full(&removed) {
            // Without a reserve the log may have enough of its own.
            let _ = self.reserve.release();
            self.empty_log()?;
            self.connection.execute(sql, [run_id])?;
        } else {
            removed?;
        }
        Ok(())
    }

    /// Returns the space of removed runs to the disk. Takes as much of it for a while, and where it
    /// is full no more than a few pages.
    pub fn shrink(&mut self) -> Result<(), StoreError> {
        self.empty_log()?;
        let shrunk = self.connection.execute_batch("VACUUM");
        if !is_full(&shrunk) {
            return Ok(shrunk?);
        }
        let _ = self.reserve.release();
        let free = |connection: &Connection| -> rusqlite::Result<i64> {
            connection.pragma_query_value(None, "freelist_count", |row| row.get(0))
        };
        let mut left = free(&self.connection)?;
        while left > 0 {
            self.connection
                .pragma(None, "incremental_vacuum", PAGES_AT_ONCE, |_| Ok(()))?;
            self.empty_log()?;
            let before = std::mem::replace(&mut left, free(&self.connection)?);
            if left >= before {
                // A file of an earlier version, from whose end no pages can be taken.
                return Ok(shrunk?);
            }
        }
        Ok(())
    }

    /// Moves what is in the log into the file, and empties it. Where another process reads, a part
    /// of it stays.
    fn empty_log(&self) -> rusqlite::Result<()> {
        self.connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
    }
}

/// Pages that are given back at a time, each of which is written to the log first.
const PAGES_AT_ONCE: u32 = 64;

fn is_full<T>(outcome: &rusqlite::Result<T>) -> bool {
    let error = outcome.as_ref().err();
    error.and_then(rusqlite::Error::sqlite_error_code) == Some(rusqlite::ErrorCode::DiskFull)
}

/// Writes a document, given also as text, and all that follows from it.
pub(crate) fn put(
    connection: &Connection,
    result: &RunResult,
    text: &str,
    status: &str,
) -> Result<i64, StoreError> {
    let body = pack(text)?;
    let id = insert(connection, &result.run_id, &result.provenance.started_at)?;
    connection.execute(
        "UPDATE run SET status = ?2, process = '', bytes = ?3 WHERE id = ?1",
        params![id, status, body.len() as i64],
    )?;
    connection.execute("DELETE FROM journal WHERE run = ?1", [id])?;
    connection.execute(
        "INSERT OR REPLACE INTO document (run, body) VALUES (?1, ?2)",
        params![id, body],
    )?;
    project(connection, id, result)?;
    Ok(id)
}
