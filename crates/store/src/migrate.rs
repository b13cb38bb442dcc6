//! The schema by numbered steps. A file says in `PRAGMA user_version` how many it has taken.

use crate::StoreError;
use crate::packing::unpack;
use crate::projection::project;
use fathom_core::result::RunResult;
use rusqlite::{Connection, Transaction, TransactionBehavior, params};
use std::path::Path;

/// One step. A step that was released is never edited.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// What it does.
    pub(crate) sql: &'static str,
    /// Whether all rows that follow from documents are to be made again afterwards.
    pub(crate) projects: bool,
}

/// The steps, oldest first.
pub(crate) const STEPS: &[Step] = &[
    Step {
        sql: include_str!("schema/001.sql"),
        projects: false,
    },
    Step {
        sql: include_str!("schema/002.sql"),
        projects: true,
    },
    Step {
        sql: include_str!("schema/003.sql"),
        projects: false,
    },
    Step {
        sql: include_str!("schema/004.sql"),
        projects: false,
    },
    Step {
        sql: include_str!("schema/005.sql"),
        projects: false,
    },
    Step {
        sql: include_str!("schema/006.sql"),
        projects: false,
    },
    Step {
        sql: include_str!("schema/007.sql"),
        projects: false,
    },
];

/// Brings the file up to the last of `steps`: all of them or none.
pub(crate) fn migrate(
    connection: &mut Connection,
    path: &Path,
    steps: &[Step],
) -> Result<(), StoreError> {
    let known = steps.len() as u32;
    if version(connection)? == known {
        return Ok(());
    }
    // Another process may do it meanwhile: look again when nobody else can.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let done = version(&transaction)?;
    if done > known {
        return Err(StoreError::TooNew {
            path: path.to_owned(),
            found: done,
            known,
        });
    }
    let open = &steps[done as usize..];
    for step in open {
        transaction.execute_batch(step.sql)?;
    }
    // By now the rows have the form in which this program writes them, and only now.
    if open.iter().any(|step| step.projects) {
        project_all(&transaction)?;
    }
    transaction.pragma_update(None, "user_version", known)?;
    transaction.commit()?;
    Ok(())
}

/// Steps that the file has taken.
pub(crate) fn version(connection: &Connection) -> Result<u32, StoreError> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

/// Makes the rows of all documents. One that cannot be read keeps its run; it is said when somebody
/// wants to see it.
fn project_all(transaction: &Transaction<'_>) -> Result<(), StoreError> {
    let mut ids = transaction.prepare("SELECT run FROM document")?;
    let ids: Vec<i64> = ids
        .query_map([], |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    for id in ids {
        let body: Vec<u8> =
            transaction.query_row("SELECT body FROM document WHERE run = ?1", [id], |row| {
                row.get(0)
            })?;
        transaction.execute(
            "UPDATE run SET bytes = ?2 WHERE id = ?1",
            params![id, body.len() as i64],
        )?;
        if let Ok(result) = unpack(&body).map(|text| RunResult::from_json(&text))
            && let Ok(result) = result
        {
            project(transaction, id, &result)?;
        }
    }
    Ok(())
}
