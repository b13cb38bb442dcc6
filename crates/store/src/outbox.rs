//! Results that wait to be delivered: a run and a destination each, until it has arrived.

use crate::{Store, StoreError};
use fathom_device::ProcessMark;
use rusqlite::{OptionalExtension as _, TransactionBehavior, params};
use serde::Serialize;

/// A result that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pending {
    /// Id of the run.
    pub run_id: String,
    /// Where it is to go, a URL without a password.
    pub destination: String,
    /// Since when, RFC 3339 in UTC.
    pub since: String,
    /// How often it was tried.
    pub tries: u32,
    /// What kept it the last time; none where it was not tried.
    pub cause: Option<String>,
}

/// Who may send a result that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// This process; nobody else does until it has arrived, is deferred, or the process is gone.
    Ours,
    /// Another process, which is at it.
    Taken,
    /// Nobody: it does not wait any more.
    Gone,
}

impl Store {
    /// Asks to be the one that sends a result, so that two processes do not send it at once. A
    /// process that has ended sends nothing any more, and one that has been at it for an hour is
    /// not heard of again: it may be in a container that has ended, which cannot be seen from here.
    pub fn claim(&mut self, run_id: &str, destination: &str) -> Result<Claim, StoreError> {
        self.claim_for(run_id, destination, &ProcessMark::own())
    }

    fn claim_for(
        &mut self,
        run_id: &str,
        destination: &str,
        process: &ProcessMark,
    ) -> Result<Claim, StoreError> {
        // Whoever else looks waits until this is decided.
        let behavior = TransactionBehavior::Immediate;
        let transaction = self.connection.transaction_with_behavior(behavior)?;
        let sql = "SELECT iif(sent_since > strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-1 hour'),
                              sender, NULL)
                   FROM outbox
                   WHERE destination = ?2 AND run = (SELECT id FROM run WHERE run_id = ?1)";
        let sender = transaction.query_row(sql, [run_id, destination], |row| row.get(0));
        let sender: Option<Option<String>> = sender.optional()?;
        let Some(sender) = sender else {
            return Ok(Claim::Gone);
        };
        let sender = sender.as_deref().and_then(ProcessMark::parse);
        if sender.is_some_and(|sender| sender != *process && !sender.is_gone()) {
            return Ok(Claim::Taken);
        }
        transaction.execute(
            "UPDATE outbox SET sender = ?3, sent_since = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
             WHERE destination = ?2 AND run = (SELECT id FROM run WHERE run_id = ?1)",
            params![run_id, destination, process.to_string()],
        )?;
        transaction.commit()?;
        Ok(Claim::Ours)
    }

    /// Notes that the result of a run is to go to a destination; twice is once. To be done before
    /// it is tried, so that nothing is forgotten where that is cut short.
    pub fn post(&mut self, run_id: &str, destination: &str) -> Result<(), StoreError> {
        self.connection.execute(
            "INSERT OR IGNORE INTO outbox (run, destination, since, tries)
             SELECT id, ?2, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), 0 FROM run WHERE run_id = ?1",
            params![run_id, destination],
        )?;
        Ok(())
    }

    /// It could not be delivered now, and waits on.
    pub fn held_back(
        &mut self,
        run_id: &str,
        destination: &str,
        cause: &str,
    ) -> Result<(), StoreError> {
        self.connection.execute(
            "UPDATE outbox SET tries = tries + 1, cause = ?3, sender = NULL
             WHERE destination = ?2 AND run = (SELECT id FROM run WHERE run_id = ?1)",
            params![run_id, destination, cause],
        )?;
        Ok(())
    }

    /// It has arrived, or is not to go there any more; tells whether it was waiting.
    pub fn unpost(&mut self, run_id: &str, destination: &str) -> Result<bool, StoreError> {
        let gone = self.connection.execute(
            "DELETE FROM outbox
             WHERE destination = ?2 AND run = (SELECT id FROM run WHERE run_id = ?1)",
            params![run_id, destination],
        )?;
        Ok(gone > 0)
    }

    /// All that waits, in the order of the runs.
    pub fn pending(&self) -> Result<Vec<Pending>, StoreError> {
        let sql = "SELECT run_id, destination, since, tries, cause
                   FROM outbox JOIN run ON run.id = outbox.run
                   ORDER BY started_at, run.id, destination";
        let mut statement = self.connection.prepare(sql)?;
        let rows = statement.query_map([], |row| {
            Ok(Pending {
                run_id: row.get(0)?,
                destination: row.get(1)?,
                since: row.get(2)?,
                tries: row.get(3)?,
                cause: row.get(4)?,
            })
        })?;
        rows.map(|row| Ok(row?)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::fixture;

    #[test]
    fn what_has_not_arrived_waits_with_its_cause() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = Store::open(&folder.path().join("history.db")).expect("a new history");
        let result = fixture::random_read();
        store.save(&result).expect("room");
        let (run_id, url) = (result.run_id.as_str(), "file:///srv/");
        for _ in 0..2 {
            store.post(run_id, url).expect("room");
        }
        store.post("no-run", url).expect("nothing to do");
        let waits = |store: &Store| -> Vec<(String, u32, Option<String>)> {
            let pending = store.pending().expect("a list");
            let short = |one: Pending| (one.destination, one.tries, one.cause);
            pending.into_iter().map(short).collect()
        };
        assert_eq!(waits(&store), [(url.to_owned(), 0, None)]);
        store.held_back(run_id, url, "no way").expect("room");
        let told = Some("no way".to_owned());
        assert_eq!(waits(&store), [(url.to_owned(), 1, told)]);
        assert!(store.unpost(run_id, url).expect("room"));
        assert!(!store.unpost(run_id, url).expect("room"));
        assert_eq!(waits(&store), []);
    }

    #[test]
    fn one_process_sends_a_result_at_a_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = Store::open(&folder.path().join("history.db")).expect("a new history");
        let result = fixture::random_read();
        store.save(&result).expect("room");
        let (run_id, url) = (result.run_id.as_str(), "file:///srv/");
        let own = ProcessMark::own();
        let parent = ProcessMark::of(fathom_platform::unix::process::parent_id());
        let gone = ProcessMark::parse("another boot 1 1").expect("four words");
        let claim = |store: &mut Store, process: &ProcessMark| {
            let claimed = store.claim_for(run_id, url, process);
            claimed.expect("room")
        };
        assert_eq!(claim(&mut store, &own), Claim::Gone);
        store.post(run_id, url).expect("room");
        let asked = [&gone, &own, &own, &parent].map(|process| claim(&mut store, process));
        let ours = Claim::Ours;
        assert_eq!(asked, [ours, ours, ours, Claim::Taken]);
        store.held_back(run_id, url, "no way").expect("room");
        let asked = [&parent, &own].map(|process| claim(&mut store, process));
        assert_eq!(asked, [ours, Claim::Taken]);
        let long_ago = "UPDATE outbox SET sent_since = '2000-01-01T00:00:00Z'";
        store.connection.execute(long_ago, []).expect("room");
        assert_eq!(store.claim(run_id, url).expect("room"), ours);
    }

    #[test]
    fn a_run_that_goes_is_not_delivered_any_more() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut store = Store::open(&folder.path().join("history.db")).expect("a new history");
        let result = fixture::random_read();
        store.save(&result).expect("room");
        store.post(&result.run_id, "usb:").expect("room");
        // A run that is kept again, as an import of it is, still waits.
        store.save(&result).expect("room");
        assert_eq!(store.pending().expect("a list").len(), 1);
        store.remove(&result.run_id).expect("room");
        assert_eq!(store.pending().expect("a list"), []);
    }
}
