//! What was watched: recordings of block devices, under names.

use crate::{Store, StoreError};
use rusqlite::{OptionalExtension as _, params};
use serde::Serialize;

/// A recording in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordingRow {
    /// Unique in the history.
    pub name: String,
    /// Begin in UTC, RFC 3339.
    pub started_at: String,
    /// Intervals that it has.
    pub moments: u64,
}

/// A recording that goes on.
#[derive(Debug)]
pub struct OpenRecording {
    store: Store,
    id: i64,
    moments: i64,
}

impl OpenRecording {
    /// Begins a recording with its first line; `None` if the name is taken. What is added then is
    /// in the file at once, but not forced to the disk, for that would be seen by who watches it.
    pub fn begin(
        store: Store,
        name: &str,
        started_at: &str,
        head: &str,
    ) -> Result<Option<Self>, StoreError> {
        let sql = "INSERT INTO recording (name, started_at, head) VALUES (?1, ?2, ?3)
                   ON CONFLICT (name) DO NOTHING";
        let made = store
            .connection
            .execute(sql, params![name, started_at, head])?;
        if made == 0 {
            return Ok(None);
        }
        let id = store.connection.last_insert_rowid();
        store
            .connection
            .pragma_update(None, "synchronous", "NORMAL")?;
        Ok(Some(Self {
            store,
            id,
            moments: 0,
        }))
    }

    /// Adds the line of a moment.
    pub fn add(&mut self, line: &str) -> Result<(), StoreError> {
        let sql = "INSERT INTO moment (recording, number, line) VALUES (?1, ?2, ?3)";
        let line = params![self.id, self.moments, line];
        self.store.connection.execute(sql, line)?;
        self.moments += 1;
        Ok(())
    }
}

impl Store {
    /// The text of a recording, line by line as it was added; `None` if there is none of the name.
    pub fn recording(&self, name: &str) -> Result<Option<String>, StoreError> {
        let sql = "SELECT id, head FROM recording WHERE name = ?1";
        let found = self.connection.query_row(sql, [name], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
        });
        let Some((id, mut text)) = found.optional()? else {
            return Ok(None);
        };
        let sql = "SELECT line FROM moment WHERE recording = ?1 ORDER BY number";
        let mut statement = self.connection.prepare(sql)?;
        for line in statement.query_map([id], |row| row.get::<_, String>(0))? {
            text.push_str(&line?);
        }
        Ok(Some(text))
    }

    /// All recordings, the earliest first.
    pub fn recordings(&self) -> Result<Vec<RecordingRow>, StoreError> {
        let sql = "SELECT name, started_at, moments FROM recordings ORDER BY started_at, name";
        let mut statement = self.connection.prepare(sql)?;
        let rows = statement.query_map([], |row| {
            Ok(RecordingRow {
                name: row.get(0)?,
                started_at: row.get(1)?,
                moments: row.get::<_, i64>(2)? as u64,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Removes a recording for good; whether there was one.
    pub fn remove_recording(&mut self, name: &str) -> Result<bool, StoreError> {
        let sql = "DELETE FROM recording WHERE name = ?1";
        Ok(self.connection.execute(sql, [name])? > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_is_read_back_as_it_was_added() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history.db");
        let open = || Store::open(&path).unwrap();
        let begin = |name, at| OpenRecording::begin(open(), name, at, "head\n").unwrap();
        let mut night = begin("night", "2026-03-01T22:00:00Z").expect("the name is free");
        let day = begin("day", "2026-03-01T12:00:00Z").expect("the name is free");
        assert!(begin("night", "2026-03-02T22:00:00Z").is_none());
        night.add("one\n").unwrap();
        // Another process sees what there is so far.
        assert_eq!(
            open().recording("night").unwrap().as_deref(),
            Some("head\none\n")
        );
        night.add("two\n").unwrap();
        drop((night, day));
        let mut store = open();
        assert_eq!(
            store.recording("night").unwrap().as_deref(),
            Some("head\none\ntwo\n")
        );
        let row = |name: &str, started_at: &str, moments| RecordingRow {
            name: name.to_owned(),
            started_at: started_at.to_owned(),
            moments,
        };
        let expected = [
            row("day", "2026-03-01T12:00:00Z", 0),
            row("night", "2026-03-01T22:00:00Z", 2),
        ];
        assert_eq!(store.recordings().unwrap(), expected);
        assert_eq!(
            [
                store.remove_recording("night").unwrap(),
                store.remove_recording("night").unwrap()
            ],
            [true, false]
        );
        assert_eq!(store.recording("night").unwrap(), None);
    }
}
