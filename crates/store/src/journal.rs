//! What a run in progress tells the history, so that little is lost when its process is killed.

use crate::packing::{pack, unpack};
use crate::projection::{describe, paths};
use crate::rebuild::rebuild;
use crate::write::insert;
use crate::{Store, StoreError};
use fathom_core::Caveat;
use fathom_core::result::{
    IntervalResult, PhaseResult, Provenance, ResultError, RunResult, TargetInfo,
};
use fathom_core::spec::Phase;
use fathom_device::ProcessMark;
use rusqlite::params;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The status of a run whose process is gone and whose journal cannot be read.
pub const UNREADABLE: &str = "unreadable";

/// One report of a run in progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// The run has begun.
    Begin {
        /// What is known of its origin by then.
        provenance: Box<Provenance>,
    },
    /// Its targets are prepared.
    Prepared {
        /// As they were found.
        targets: Vec<TargetInfo>,
        /// Warnings about them.
        caveats: Vec<Caveat>,
    },
    /// A phase begins.
    Phase {
        /// As it is run.
        spec: Box<Phase>,
        /// Which repeat of the workload, from 1.
        repeat: u32,
        /// Paths of the targets of each of its jobs.
        targets: Vec<Vec<String>>,
        /// Time since the run began, nanoseconds.
        begin_ns: u64,
    },
    /// An interval of that phase is complete.
    Interval {
        /// Its figures.
        interval: Box<IntervalResult>,
    },
    /// That phase has ended.
    Done {
        /// What it did.
        result: Box<PhaseResult>,
    },
}

impl Store {
    /// Registers a run that begins in this process.
    pub fn begin(&mut self, run_id: &str, provenance: &Provenance) -> Result<(), StoreError> {
        let begin = Entry::Begin {
            provenance: Box::new(provenance.clone()),
        };
        let body = pack_entries(&[begin])?;
        let transaction = self.connection.transaction()?;
        let id = insert(&transaction, run_id, &provenance.started_at)?;
        transaction.execute(
            "UPDATE run SET status = 'running', process = ?2 WHERE id = ?1",
            params![id, ProcessMark::own().to_string()],
        )?;
        describe(&transaction, id, provenance)?;
        transaction.execute(
            "INSERT INTO journal (run, page, body) VALUES (?1, 0, ?2)",
            params![id, body],
        )?;
        transaction.commit()?;
        Ok(())
    }

    /// Writes down what a run has reported. It is safe from then on if the process is killed, but,
    /// for the sake of the measurement, not if the power fails.
    pub fn append(&mut self, run_id: &str, entries: &[Entry]) -> Result<(), StoreError> {
        let body = pack_entries(entries)?;
        self.connection
            .pragma_update(None, "synchronous", "NORMAL")?;
        let written = self.connection.execute(
            "INSERT INTO journal (run, page, body)
             SELECT id, (SELECT max(page) + 1 FROM journal WHERE run = id), ?2
             FROM run WHERE run_id = ?1",
            params![run_id, body],
        );
        self.connection.pragma_update(None, "synchronous", "FULL")?;
        written?;
        // A list is to say where the run goes on.
        for entry in entries {
            if let Entry::Prepared { targets, .. } = entry {
                self.connection.execute(
                    "UPDATE run SET targets = ?2 WHERE run_id = ?1",
                    params![run_id, paths(targets)],
                )?;
            }
        }
        Ok(())
    }

    /// What is left of runs whose process is gone: results that nobody has judged yet, to be kept
    /// with [`Store::save_interrupted`]. A journal that cannot be read is set aside: its run is
    /// listed as [`UNREADABLE`] and keeps its pages until it is removed, and is
    /// in nobody's way.
    pub fn left_behind(&mut self) -> Result<Vec<RunResult>, StoreError> {
        let mut results = Vec::new();
        for (id, run_id) in self.gone()? {
            let read = self
                .entries(id)
                .map(|entries| rebuild(run_id.clone(), entries));
            match read.map_err(|error| error.of_run(&run_id)) {
                Ok(Some(result)) => results.push(result),
                Ok(None) | Err(StoreError::Damaged { .. }) => {
                    self.connection.execute(
                        "UPDATE run SET status = ?2, process = '' WHERE id = ?1",
                        params![id, UNREADABLE],
                    )?;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(results)
    }

    /// Runs that had begun and whose process is gone.
    fn gone(&self) -> Result<Vec<(i64, String)>, StoreError> {
        let sql = "SELECT id, run_id, process FROM run WHERE status = 'running'";
        let mut statement = self.connection.prepare(sql)?;
        let rows = statement.query_map([], |row| {
            let process: String = row.get(2)?;
            let is_gone = ProcessMark::parse(&process).is_none_or(|mark| mark.is_gone());
            Ok(is_gone.then_some((row.get(0)?, row.get(1)?)))
        })?;
        let gone = rows.filter_map(Result::transpose);
        Ok(gone.collect::<Result<_, _>>()?)
    }

    pub(crate) fn entries(&self, id: i64) -> Result<Vec<Entry>, StoreError> {
        let sql = "SELECT body FROM journal WHERE run = ?1 ORDER BY page";
        let mut statement = self.connection.prepare(sql)?;
        let pages = statement.query_map([id], |row| row.get(0))?;
        let mut entries = Vec::new();
        for page in pages {
            let page: Vec<u8> = page?;
            let text = unpack(&page)?;
            entries.extend(page_of(&text)?);
        }
        Ok(entries)
    }
}

fn pack_entries(entries: &[Entry]) -> Result<Vec<u8>, StoreError> {
    let text = serde_json::to_string(entries).map_err(ResultError::from)?;
    Ok(pack(&text)?)
}

/// The entries of a page.
fn page_of(text: &str) -> Result<Vec<Entry>, ResultError> {
    serde_json::from_str(text).or_else(|error| match of_earlier(text) {
        Some(text) => Ok(serde_json::from_str(&text)?),
        None => Err(error.into()),
    })
}

/// A page as it is written today, of one whose entries have their kind among their other keys.
fn of_earlier(text: &str) -> Option<String> {
    let page: Vec<Map<String, Value>> = serde_json::from_str(text).ok()?;
    let entries = page.into_iter().map(|mut entry| {
        let kind = entry.remove("kind")?.as_str()?.to_owned();
        Some(Map::from_iter([(kind, Value::Object(entry))]))
    });
    serde_json::to_string(&entries.collect::<Option<Vec<_>>>()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn journals_of_earlier_builds_are_read() {
        let prepared = Entry::Prepared {
            targets: vec![TargetInfo::default()],
            caveats: Vec::new(),
        };
        let today = serde_json::to_string(&[&prepared]).expect("JSON");
        let inner = today.strip_prefix(r#"[{"prepared":{"#).expect("its kind");
        let inner = inner.strip_suffix("}}]").expect("one entry");
        let earlier = format!(r#"[{{"kind":"prepared",{inner}}}]"#);
        let read = [today.as_str(), &earlier].map(|text| page_of(text).expect("a page"));
        assert_eq!(read, [vec![prepared.clone()], vec![prepared]]);
        assert!(page_of(r#"[{"kind":"nothing"}]"#).is_err());
    }
}
