//! Runs into the file.

use crate::packing::pack;
use crate::{Store, StoreError};
use fathom_core::result::{ResultError, RunResult};
use rusqlite::params;

/// The digits of a run's id: what follows its time stamp.
pub(crate) fn digits(run_id: &str) -> &str {
    run_id.rsplit_once('-').map_or(run_id, |(_, digits)| digits)
}

impl Store {
    /// Keeps a result. One with the same id is replaced, its tags stay.
    pub fn save(&mut self, result: &RunResult) -> Result<(), StoreError> {
        let text = serde_json::to_string(result).map_err(ResultError::from)?;
        let body = pack(&text)?;
        let transaction = self.connection.transaction()?;
        let id: i64 = transaction.query_row(
            "INSERT INTO run (run_id, digits, started_at) VALUES (?1, ?2, ?3)
             ON CONFLICT (run_id) DO UPDATE SET started_at = excluded.started_at
             RETURNING id",
            params![
                result.run_id,
                digits(&result.run_id),
                result.provenance.started_at
            ],
            |row| row.get(0),
        )?;
        transaction.execute(
            "INSERT OR REPLACE INTO document (run, body) VALUES (?1, ?2)",
            params![id, body],
        )?;
        transaction.commit()?;
        Ok(())
    }
}
