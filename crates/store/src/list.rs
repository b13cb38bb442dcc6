//! Runs in a list.

use crate::{Store, StoreError};
use rusqlite::{OptionalExtension as _, Row, named_params};
use serde::Serialize;

/// Digits of a name at least: fewer look like a number, and would soon not be one run any more.
const LEAST: usize = 4;

/// Which runs to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only those with this tag.
    pub tag: Option<String>,
    /// Only those of this host.
    pub host: Option<String>,
    /// Only those of this workload.
    pub workload: Option<String>,
    /// Only those that began at this instant or later, RFC 3339 in UTC or the first characters of
    /// it.
    pub since: Option<String>,
    /// Only those of this state, VALID and so on.
    pub state: Option<String>,
    /// Only those with this text in the paths of their targets, or in their disk.
    pub target: Option<String>,
    /// At most this number, the latest.
    pub limit: Option<u32>,
}

/// A run in a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunRow {
    /// The fewest digits, four at least, that name this run.
    pub name: String,
    /// The whole id.
    pub run_id: String,
    /// `complete`, `interrupted`, `running` while its process is there, or `unreadable` where the
    /// process is gone and its journal cannot be read.
    pub status: String,
    /// Begin in UTC, RFC 3339.
    pub started_at: String,
    /// Name of the workload.
    pub workload: String,
    /// Paths of the targets.
    pub targets: String,
    /// The disk that was measured, as in `vda, 275 GB virtio, ext4`, or the model of a simulation;
    /// empty for runs that an earlier version saved.
    pub disk: String,
    /// The answer of a ramp in a sentence; empty of other runs.
    pub answer: String,
    /// How far an interrupted run came, as in `interrupted after 4 of 7 phases`; empty for others.
    pub interruption: String,
    /// Name of the machine.
    pub hostname: String,
    /// Name of the engine.
    pub engine: String,
    /// `measured`, `simulated` or `imported`.
    pub origin: String,
    /// VALID, QUALIFIED, SUSPECT or INVALID.
    pub state: String,
    /// Phases with names of their own.
    pub phases: u32,
    /// Requests a second of the phase with the most; repeats are averaged, flushes not counted.
    pub iops: f64,
    /// Bytes a second of the phase with the most.
    pub bytes_per_second: f64,
    /// Largest 99th percentile of the response times of an operation, flushes aside, nanoseconds;
    /// none where no operation has requests enough.
    pub p99_ns: Option<u64>,
    /// Size of the packed document in bytes.
    pub bytes: u64,
    /// Tags in alphabetical order.
    pub tags: Vec<String>,
    /// Note, if there is one.
    pub note: Option<String>,
}

/// What a [`Filter`] asks of a run, with its parameters.
pub(crate) const WHERE: &str = "
    WHERE (:tag IS NULL OR EXISTS (SELECT 1 FROM tag WHERE tag.run = run.id AND tag.name = :tag))
      AND (:host IS NULL OR hostname = :host)
      AND (:workload IS NULL OR workload = :workload)
      AND (:since IS NULL OR started_at >= :since)
      AND (:state IS NULL OR state = :state)
      AND (:target IS NULL OR instr(targets, :target) > 0 OR instr(disk, :target) > 0)";

impl Store {
    /// The runs that `filter` lets through, the latest first.
    pub fn list(&self, filter: &Filter) -> Result<Vec<RunRow>, StoreError> {
        let mut list = Vec::new();
        self.each(filter, |row| {
            list.push(row);
            true
        })?;
        Ok(list)
    }

    /// Hands the same runs to `take`, one by one, as long as it returns `true`.
    pub fn each(
        &self,
        filter: &Filter,
        mut take: impl FnMut(RunRow) -> bool,
    ) -> Result<(), StoreError> {
        let sql = format!(
            "SELECT id, digits, run_id, status, started_at, workload, targets, hostname, engine,
                    origin, state, phases, iops, bytes_per_second, bytes,
                    (SELECT json_group_array(name)
                     FROM (SELECT name FROM tag WHERE tag.run = run.id ORDER BY name)),
                    (SELECT text FROM note WHERE note.run = run.id),
                    (SELECT max(response_p99_ns) FROM op
                     WHERE op.run = run.id AND op.op <> 'flush'),
                    disk, answer, interruption
             FROM run {WHERE} ORDER BY started_at DESC, id DESC LIMIT :limit"
        );
        let mut statement = self.connection.prepare(&sql)?;
        let parameters = named_params! {
            ":tag": filter.tag,
            ":host": filter.host,
            ":workload": filter.workload,
            ":since": filter.since,
            ":state": filter.state,
            ":target": filter.target,
            ":limit": filter.limit.map_or(-1, i64::from),
        };
        let rows = statement.query_map(parameters, |row| {
            Ok((
                row.get::<_, i64>(0)?,
                row.get::<_, String>(1)?,
                run_row(row)?,
            ))
        })?;
        for row in rows {
            let (id, digits, mut row) = row?;
            row.name = self.name(id, &digits, &row.run_id)?;
            if !take(row) {
                break;
            }
        }
        Ok(())
    }

    /// How many runs `filter` lets through, whatever its limit.
    pub fn count_of(&self, filter: &Filter) -> Result<u64, StoreError> {
        let sql = format!("SELECT count(*) FROM run {WHERE}");
        let parameters = named_params! {
            ":tag": filter.tag,
            ":host": filter.host,
            ":workload": filter.workload,
            ":since": filter.since,
            ":state": filter.state,
            ":target": filter.target,
        };
        let count: i64 = self
            .connection
            .query_row(&sql, parameters, |row| row.get(0))?;
        Ok(count as u64)
    }

    /// The fewest digits that name a run: one more than the nearest other name shares.
    fn name(&self, id: i64, digits: &str, run_id: &str) -> Result<String, StoreError> {
        const NEIGHBOURS: [&str; 4] = [
            "SELECT digits FROM run WHERE digits <= ?1 AND id <> ?2 ORDER BY digits DESC LIMIT 1",
            "SELECT digits FROM run WHERE digits >= ?1 AND id <> ?2 ORDER BY digits LIMIT 1",
            "SELECT run_id FROM run WHERE run_id <= ?1 AND id <> ?2 ORDER BY run_id DESC LIMIT 1",
            "SELECT run_id FROM run WHERE run_id >= ?1 AND id <> ?2 ORDER BY run_id LIMIT 1",
        ];
        let mut length = LEAST;
        for sql in NEIGHBOURS {
            let mut statement = self.connection.prepare_cached(sql)?;
            let neighbour: Option<String> = statement
                .query_row((digits, id), |row| row.get(0))
                .optional()?;
            let shared = neighbour.map_or(0, |other| shared(digits, &other));
            length = length.max(shared + 1);
        }
        let name = digits.get(..length.min(digits.len())).unwrap_or(digits);
        let is_unique = length <= digits.len() || length == LEAST;
        Ok(if is_unique { name } else { run_id }.to_owned())
    }
}

fn shared(one: &str, other: &str) -> usize {
    let pairs = one.bytes().zip(other.bytes());
    pairs.take_while(|(one, other)| one == other).count()
}

fn run_row(row: &Row<'_>) -> rusqlite::Result<RunRow> {
    let tags: String = row.get(15)?;
    Ok(RunRow {
        name: String::new(),
        run_id: row.get(2)?,
        status: row.get(3)?,
        started_at: row.get(4)?,
        workload: row.get(5)?,
        targets: row.get(6)?,
        hostname: row.get(7)?,
        engine: row.get(8)?,
        origin: row.get(9)?,
        state: row.get(10)?,
        phases: row.get(11)?,
        iops: row.get(12)?,
        bytes_per_second: row.get(13)?,
        bytes: row.get::<_, i64>(14)? as u64,
        tags: serde_json::from_str(&tags).unwrap_or_default(),
        note: row.get(16)?,
        p99_ns: row.get::<_, Option<i64>>(17)?.map(|p99_ns| p99_ns as u64),
        disk: row.get(18)?,
        answer: row.get(19)?,
        interruption: row.get(20)?,
    })
}
