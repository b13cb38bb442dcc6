//! Runs out of the file.

use crate::journal::UNREADABLE;
use crate::packing::unpack;
use crate::{Store, StoreError};
use fathom_core::result::RunResult;
use rusqlite::{OptionalExtension as _, params};

/// Ids that are listed where a name is not one run.
const LISTED: u32 = 5;

/// A run of the history, by one of its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted<'a> {
    /// That many before the latest.
    Latest(u32),
    /// The latest with this tag.
    Tag(&'a str),
    /// The one whose digits, or whose id, begin so.
    Prefix(&'a str),
}

impl Store {
    /// The result of a run.
    pub fn result(&self, wanted: Wanted<'_>) -> Result<RunResult, StoreError> {
        let id = self.find(wanted)?;
        let read = || -> Result<RunResult, StoreError> {
            Ok(RunResult::from_json(&unpack(&self.body(id)?)?)?)
        };
        match read() {
            Ok(result) => Ok(result),
            Err(error) => Err(error.of_run(&self.run_id_of(id)?)),
        }
    }

    fn run_id_of(&self, id: i64) -> Result<String, StoreError> {
        let sql = "SELECT run_id FROM run WHERE id = ?1";
        Ok(self.connection.query_row(sql, [id], |row| row.get(0))?)
    }

    /// The packed document of a run.
    pub(crate) fn body(&self, id: i64) -> Result<Vec<u8>, StoreError> {
        let sql = "SELECT body FROM document WHERE run = ?1";
        let body = self.connection.query_row(sql, [id], |row| row.get(0));
        match body.optional()? {
            Some(body) => Ok(body),
            None => Err(self.without_document(id)?),
        }
    }

    /// Why a run has no document.
    fn without_document(&self, id: i64) -> Result<StoreError, StoreError> {
        let run_id = self.run_id_of(id)?;
        let sql = "SELECT status FROM run WHERE id = ?1";
        let status: String = self.connection.query_row(sql, [id], |row| row.get(0))?;
        if status != UNREADABLE {
            return Ok(StoreError::Unfinished { run_id });
        }
        // What is wrong with the journal is asked again: it is still there.
        let cause = self.entries(id).err().unwrap_or_else(|| {
            let cause = "it does not say how the run began";
            StoreError::Packing(std::io::Error::other(cause))
        });
        let cause = Box::new(cause);
        Ok(StoreError::Damaged { run_id, cause })
    }

    /// Number of runs.
    pub fn count(&self) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM run";
        let count: i64 = self.connection.query_row(sql, [], |row| row.get(0))?;
        Ok(count as u64)
    }

    /// The row of a run.
    pub(crate) fn find(&self, wanted: Wanted<'_>) -> Result<i64, StoreError> {
        let (name, found) = match wanted {
            Wanted::Latest(0) => ("@latest".to_owned(), self.latest(0)?),
            Wanted::Latest(back) => (format!("@latest~{back}"), self.latest(back)?),
            Wanted::Tag(tag) => (format!("tag:{tag}"), self.tagged(tag)?),
            Wanted::Prefix(prefix) => (prefix.to_owned(), self.beginning(prefix)?),
        };
        match found {
            Some(id) => Ok(id),
            None => Err(StoreError::NoRun {
                name,
                runs: self.count()?,
            }),
        }
    }

    fn latest(&self, back: u32) -> Result<Option<i64>, StoreError> {
        let sql = "SELECT id FROM run ORDER BY started_at DESC, id DESC LIMIT 1 OFFSET ?1";
        let found = self.connection.query_row(sql, [back], |row| row.get(0));
        Ok(found.optional()?)
    }

    fn tagged(&self, tag: &str) -> Result<Option<i64>, StoreError> {
        let sql = "SELECT run.id FROM tag JOIN run ON run.id = tag.run WHERE tag.name = ?1
                   ORDER BY run.started_at DESC, run.id DESC LIMIT 1";
        let found = self.connection.query_row(sql, [tag], |row| row.get(0));
        Ok(found.optional()?)
    }

    /// A prefix is in the letters of ids, all of which are below `~`.
    fn beginning(&self, prefix: &str) -> Result<Option<i64>, StoreError> {
        const MATCH: &str = "FROM run WHERE (digits >= ?1 AND digits < ?1 || '~')
                             OR (run_id >= ?1 AND run_id < ?1 || '~')";
        let sql = format!("SELECT id, run_id {MATCH} ORDER BY started_at DESC, id DESC LIMIT ?2");
        let mut statement = self.connection.prepare(&sql)?;
        let rows = statement.query_map(params![prefix, LISTED], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
        let rows: Vec<(i64, String)> = rows.collect::<Result<_, _>>()?;
        match rows.as_slice() {
            [] => Ok(None),
            [(id, _)] => Ok(Some(*id)),
            _ => {
                let sql = format!("SELECT count(*) {MATCH}");
                let count: i64 = self
                    .connection
                    .query_row(&sql, [prefix], |row| row.get(0))?;
                Err(StoreError::Ambiguous {
                    name: prefix.to_owned(),
                    count: count as u64,
                    ids: rows.into_iter().map(|(_, run_id)| run_id).collect(),
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::fixture;

    fn run(run_id: &str, started_at: &str) -> RunResult {
        let mut result = fixture::random_read();
        result.run_id = run_id.to_owned();
        started_at.clone_into(&mut result.provenance.started_at);
        result
    }

    #[test]
    fn a_run_is_found_by_each_of_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(&folder.path().join("a/history.db")).unwrap();
        let runs = [
            run("20260301T120000Z-7f3a00000000", "2026-03-01T12:00:00.000Z"),
            run("20260301T120001Z-7f4a00000000", "2026-03-01T12:00:01.000Z"),
            run("20270101T000000Z-2027bbbbbbbb", "2027-01-01T00:00:00.000Z"),
        ];
        for run in &runs {
            store.save(run).unwrap();
        }
        let cases = [
            (Wanted::Latest(0), 2),
            (Wanted::Latest(2), 0),
            (Wanted::Prefix("7f3"), 0),
            (Wanted::Prefix("7f4a00000000"), 1),
            (Wanted::Prefix("20260301T120001"), 1),
            (Wanted::Prefix("20260301T120000Z-7f3a00000000"), 0),
            (Wanted::Prefix("2027"), 2),
        ];
        for (wanted, index) in cases {
            assert_eq!(store.result(wanted).unwrap(), runs[index], "{wanted:?}");
        }
        let refused = [
            Wanted::Prefix("7f"),
            Wanted::Prefix("7f5"),
            Wanted::Latest(3),
        ];
        let refused = refused.map(|wanted| {
            let error = store.result(wanted).unwrap_err();
            format!("{error}; {:?}", error.because())
        });
        assert_eq!(
            refused,
            [
                "7f is not one run; Some(\"2 runs begin so: 20260301T120001Z-7f4a00000000, \
                 20260301T120000Z-7f3a00000000\")",
                "no run of the history is called 7f5; None",
                "no run of the history is called @latest~3; None",
            ]
        );
    }
}
