//! What people say of runs: tags and notes.

use crate::{Store, StoreError, Wanted};
use rusqlite::params;

impl Store {
    /// The id of a run.
    pub fn run_id(&self, wanted: Wanted<'_>) -> Result<String, StoreError> {
        let id = self.find(wanted)?;
        let sql = "SELECT run_id FROM run WHERE id = ?1";
        Ok(self.connection.query_row(sql, [id], |row| row.get(0))?)
    }

    /// Gives a run a tag; twice is once.
    pub fn tag(&mut self, run_id: &str, name: &str) -> Result<(), StoreError> {
        self.connection.execute(
            "INSERT OR IGNORE INTO tag (name, run) SELECT ?2, id FROM run WHERE run_id = ?1",
            params![run_id, name],
        )?;
        Ok(())
    }

    /// Takes a tag from a run; tells whether it had it.
    pub fn untag(&mut self, run_id: &str, name: &str) -> Result<bool, StoreError> {
        let gone = self.connection.execute(
            "DELETE FROM tag WHERE name = ?2 AND run = (SELECT id FROM run WHERE run_id = ?1)",
            params![run_id, name],
        )?;
        Ok(gone > 0)
    }

    /// Writes the note of a run in place of the one it has; an empty one is none.
    pub fn note(&mut self, run_id: &str, text: &str) -> Result<(), StoreError> {
        if text.is_empty() {
            let sql = "DELETE FROM note WHERE run = (SELECT id FROM run WHERE run_id = ?1)";
            self.connection.execute(sql, [run_id])?;
        } else {
            self.connection.execute(
                "INSERT OR REPLACE INTO note (run, text) SELECT id, ?2 FROM run WHERE run_id = ?1",
                params![run_id, text],
            )?;
        }
        Ok(())
    }
}
