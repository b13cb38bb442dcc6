//! The schema by numbered steps. A file says in `PRAGMA user_version` how many it has taken.

use crate::StoreError;
use rusqlite::{Connection, TransactionBehavior};
use std::path::Path;

/// The steps, oldest first. One that was released is never edited.
pub(crate) const STEPS: &[&str] = &[include_str!("schema/001.sql")];

/// Brings the file up to the last of `steps`, each in a transaction of its own.
pub(crate) fn migrate(
    connection: &mut Connection,
    path: &Path,
    steps: &[&str],
) -> Result<(), StoreError> {
    let known = steps.len() as u32;
    loop {
        let done = version(connection)?;
        if done == known {
            return Ok(());
        }
        // Another process may take the step meanwhile: look again when nobody else can.
        let step = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = version(&step)?;
        if done > known {
            return Err(StoreError::TooNew {
                path: path.to_owned(),
                found: done,
                known,
            });
        }
        if let Some(sql) = steps.get(done as usize) {
            step.execute_batch(sql)?;
            step.pragma_update(None, "user_version", done + 1)?;
        }
        step.commit()?;
    }
}

fn version(connection: &Connection) -> Result<u32, StoreError> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}
