//! Runs on their way to another history: one file, packed with gzip.
//!
//! The first line names the format, then each run has a line: its tags, its note, how it ended and
//! its document, all as JSON. `zcat` and `jq` read it.

use crate::packing::unpack;
use crate::reading::ReadError;
use crate::write::{put, status};
use crate::{Store, StoreError, Wanted};
use fathom_core::result::{ResultError, RunResult};
use flate2::Compression;
use flate2::write::GzEncoder;
use rusqlite::OptionalExtension as _;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::io::Write;

/// Version of the bundles that this program writes. A reader accepts its own version and all older
/// ones.
pub const BUNDLE_VERSION: u32 = 1;

/// The first line.
#[derive(Serialize, Deserialize)]
struct Head {
    fathom_bundle: u32,
}

/// A run in a bundle. The document is kept to the letter.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Parcel {
    /// Words that the user gave it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// A sentence of the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// `complete` or `interrupted`.
    pub status: String,
    document: Box<RawValue>,
}

impl Parcel {
    /// A result that came without a bundle: no tags, no note.
    pub fn of(result: &RunResult) -> Self {
        Self {
            tags: Vec::new(),
            note: None,
            status: status(result).to_owned(),
            document: serde_json::value::to_raw_value(result).expect("all keys are strings"),
        }
    }

    /// The result in it.
    pub fn result(&self) -> Result<RunResult, ResultError> {
        RunResult::from_json(self.document.get())
    }
}

/// What became of a run that came in a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// It is new here.
    New,
    /// It was here already; tags are added, nothing else is changed.
    Known,
}

impl Store {
    /// Writes runs as a bundle. Those whose documents are damaged are left out, and given with what
    /// is wrong.
    pub fn export(
        &self,
        run_ids: &[String],
        to: impl Write,
    ) -> Result<Vec<StoreError>, StoreError> {
        let mut to = GzEncoder::new(to, Compression::default());
        let head = Head {
            fathom_bundle: BUNDLE_VERSION,
        };
        write_line(&mut to, &head)?;
        let mut left_out = Vec::new();
        for run_id in run_ids {
            match self.parcel(run_id).map_err(|error| error.of_run(run_id)) {
                Ok(parcel) => write_line(&mut to, &parcel)?,
                Err(error @ StoreError::Damaged { .. }) => left_out.push(error),
                Err(error) => return Err(error),
            }
        }
        let flushed = to.finish().and_then(|mut to| to.flush());
        flushed.map_err(StoreError::Export)?;
        Ok(left_out)
    }

    fn parcel(&self, run_id: &str) -> Result<Parcel, StoreError> {
        let id = self.find(Wanted::Prefix(run_id))?;
        let status: String =
            self.connection
                .query_row("SELECT status FROM run WHERE id = ?1", [id], |row| {
                    row.get(0)
                })?;
        let mut tags = self
            .connection
            .prepare("SELECT name FROM tag WHERE run = ?1 ORDER BY name")?;
        let tags = tags.query_map([id], |row| row.get(0))?;
        let note = "SELECT text FROM note WHERE run = ?1";
        Ok(Parcel {
            tags: tags.collect::<Result<_, _>>()?,
            note: self
                .connection
                .query_row(note, [id], |row| row.get(0))
                .optional()?,
            status,
            document: RawValue::from_string(unpack(&self.body(id)?)?).map_err(ResultError::from)?,
        })
    }

    /// Takes a run from a bundle.
    pub fn import(&mut self, parcel: &Parcel) -> Result<Arrival, StoreError> {
        let result = parcel.result()?;
        let transaction = self.connection.transaction()?;
        let sql = "SELECT id FROM run WHERE run_id = ?1";
        let known: Option<i64> = transaction
            .query_row(sql, [&result.run_id], |row| row.get(0))
            .optional()?;
        let (id, arrival) = if let Some(id) = known {
            (id, Arrival::Known)
        } else {
            let text = parcel.document.get();
            let id = put(&transaction, &result, text, &parcel.status)?;
            (id, Arrival::New)
        };
        for tag in &parcel.tags {
            let sql = "INSERT OR IGNORE INTO tag (name, run) VALUES (?1, ?2)";
            transaction.execute(sql, (tag, id))?;
        }
        if let Some(note) = &parcel.note {
            let sql = "INSERT OR IGNORE INTO note (run, text) VALUES (?1, ?2)";
            transaction.execute(sql, (id, note))?;
        }
        transaction.commit()?;
        Ok(arrival)
    }
}

fn write_line(to: &mut impl Write, value: &impl Serialize) -> Result<(), StoreError> {
    let text = serde_json::to_string(value).map_err(ResultError::from)?;
    writeln!(to, "{text}").map_err(StoreError::Export)
}

/// The runs in the text of a bundle; none if it is no bundle.
pub(crate) fn parcels(text: &str) -> Option<Result<Vec<Parcel>, ReadError>> {
    let mut lines = text.lines();
    let head: Head = serde_json::from_str(lines.next()?).ok()?;
    if head.fathom_bundle > BUNDLE_VERSION {
        let found = head.fathom_bundle;
        return Some(Err(ReadError::NewerBundle { found }));
    }
    let parcel = |line: &str| serde_json::from_str(line).map_err(ResultError::from);
    let parcels: Result<Vec<Parcel>, ResultError> = lines.map(parcel).collect();
    Some(parcels.map_err(ReadError::from))
}
