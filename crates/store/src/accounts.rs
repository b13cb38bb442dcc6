//! What runs have written to targets that stay: of each the account of the last that wrote to it.

use crate::packing::{pack_bytes, unpack_bytes};
use crate::{Store, StoreError};
use fathom_platform::unix::ffi::OsStrExt as _;
use rusqlite::{OptionalExtension as _, params};
use std::path::Path;

/// The last run of the history that wrote to a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldAccount {
    /// Identifies the run.
    pub run_id: String,
    /// By what the target is known again.
    pub birthmark: String,
    /// What it reported to have written; none of a run that does not stamp what it writes, or that
    /// was killed.
    pub body: Option<Vec<u8>>,
}

impl Store {
    /// A run is about to write to a target that stays: what was known of it no longer holds.
    pub fn writes(&mut self, run_id: &str, path: &Path, birthmark: &str) -> Result<(), StoreError> {
        self.connection.execute(
            "INSERT OR REPLACE INTO account (path, run, birthmark)
             SELECT ?2, id, ?3 FROM run WHERE run_id = ?1",
            params![run_id, path.as_os_str().as_bytes(), birthmark],
        )?;
        Ok(())
    }

    /// Saves what such a run has reported about such a target, unless another has written to it
    /// since.
    pub fn keep_account(
        &mut self,
        run_id: &str,
        path: &Path,
        body: &[u8],
    ) -> Result<(), StoreError> {
        self.connection.execute(
            "UPDATE account SET body = ?3
             WHERE path = ?2 AND run = (SELECT id FROM run WHERE run_id = ?1)",
            params![run_id, path.as_os_str().as_bytes(), pack_bytes(body)?],
        )?;
        Ok(())
    }

    /// The last run that wrote to a path, if the history knows of one.
    pub fn account(&self, path: &Path) -> Result<Option<HeldAccount>, StoreError> {
        let sql = "SELECT run_id, birthmark, body FROM account JOIN run ON run.id = account.run
                   WHERE path = ?1";
        let path = path.as_os_str().as_bytes();
        let found = self.connection.query_row(sql, [path], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get::<_, Option<Vec<u8>>>(2)?))
        });
        let Some((run_id, birthmark, packed)) = found.optional()? else {
            return Ok(None);
        };
        let body = packed.map(|packed| unpack_bytes(&packed)).transpose()?;
        Ok(Some(HeldAccount {
            run_id,
            birthmark,
            body,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::fixture;

    #[test]
    fn the_last_run_that_wrote_to_a_path_is_known() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(&folder.path().join("history.db")).unwrap();
        let path = Path::new("/data/file");
        let (one, two) = (fixture::random_read(), "20260301T120001Z-0000002");
        store.begin(&one.run_id, &one.provenance).unwrap();
        store.begin(two, &one.provenance).unwrap();
        assert_eq!(store.account(path).unwrap(), None);
        let held = |run_id: &str, birthmark: &str, body: Option<&[u8]>| HeldAccount {
            run_id: run_id.to_owned(),
            birthmark: birthmark.to_owned(),
            body: body.map(<[u8]>::to_vec),
        };
        store.writes(&one.run_id, path, "file 1").unwrap();
        assert_eq!(
            store.account(path).unwrap(),
            Some(held(&one.run_id, "file 1", None))
        );
        store.keep_account(&one.run_id, path, b"first").unwrap();
        // The result comes last, and takes nothing with it.
        store.save(&one).unwrap();
        let first = Some(held(&one.run_id, "file 1", Some(b"first")));
        assert_eq!(store.account(path).unwrap(), first);
        store.writes(two, path, "file 2").unwrap();
        // The first is too late by now.
        store.keep_account(&one.run_id, path, b"again").unwrap();
        assert_eq!(
            store.account(path).unwrap(),
            Some(held(two, "file 2", None))
        );
        store.keep_account(two, path, &[0; 5000]).unwrap();
        let second = Some(held(two, "file 2", Some(&[0; 5000])));
        assert_eq!(store.account(path).unwrap(), second);
        store.remove(two).unwrap();
        assert_eq!(store.account(path).unwrap(), None);
    }
}
