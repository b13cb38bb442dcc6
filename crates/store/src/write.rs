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
    /// Where the disk is full there is no room either for what undoes a removal that is cut off:
    /// then that is kept in memory. A loss of power in this moment may damage the history.
    pub fn remove(&mut self, run_id: &str) -> Result<(), StoreError> {
        let sql = "DELETE FROM run WHERE run_id = ?1";
        self.despite_full_disk(|connection| connection.execute(sql, [run_id]).map(drop))
    }

    /// Gives back to the disk the room of runs that were removed. Takes as much of it for a while,
    /// or where the disk is full, of memory.
    pub fn shrink(&mut self) -> Result<(), StoreError> {
        self.despite_full_disk(|connection| connection.execute_batch("VACUUM"))
    }

    fn despite_full_disk(
        &mut self,
        change: impl Fn(&Connection) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        let changed = change(&self.connection);
        let is_full = changed
            .as_ref()
            .is_err_and(|error| error.sqlite_error_code() == Some(rusqlite::ErrorCode::DiskFull));
        if is_full {
            self.connection
                .pragma_update(None, "temp_store", "MEMORY")?;
            self.connection
                .pragma_update(None, "journal_mode", "MEMORY")?;
            change(&self.connection)?;
        } else {
            changed?;
        }
        Ok(())
    }
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
