//! Histories that earlier versions have written.
#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]

use fathom_core::result::RunResult;
use fathom_store::{Filter, RunRow, Store, Wanted};
use std::path::Path;

/// A copy of a history of version `number`, which its opening changes.
fn copy(number: u32) -> (tempfile::TempDir, Store) {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("history.db");
    std::fs::copy(fixtures.join(format!("version-{number}.db")), &path).expect("a copy");
    let store = Store::open(&path).expect("it is one of ours");
    (folder, store)
}

fn written() -> RunResult {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/tests/golden");
    let text = std::fs::read_to_string(golden.join("result-v1-minimal.json")).expect("it is there");
    RunResult::from_json(&text).expect("it is a result")
}

#[test]
fn earlier_versions_become_the_present_one() {
    for number in 1..=2 {
        becomes_the_present_one(number);
    }
}

fn becomes_the_present_one(number: u32) {
    let (_folder, store) = copy(number);
    let result = written();
    assert_eq!(
        store.result(Wanted::Tag("baseline")).expect("it is kept"),
        result
    );
    let list = store.list(&Filter::default()).expect("a list");
    let [row] = list.as_slice() else {
        panic!("one run: {list:?}");
    };
    let expected = RunRow {
        name: result.run_id.rsplit_once('-').expect("digits").1[..4].to_owned(),
        run_id: result.run_id.clone(),
        status: "complete".to_owned(),
        started_at: result.provenance.started_at.clone(),
        workload: result.provenance.workload.name.clone(),
        targets: result.provenance.targets[0].path.clone(),
        // Of earlier versions nobody knows more than the paths.
        disk: row.disk.clone(),
        answer: String::new(),
        interruption: String::new(),
        hostname: result.provenance.host.hostname.clone(),
        engine: result.provenance.engine.name.clone(),
        origin: "measured".to_owned(),
        state: result.state.word().to_owned(),
        phases: 1,
        // From the document, not from the file's columns, which that version did not have.
        iops: row.iops,
        bytes_per_second: row.bytes_per_second,
        p99_ns: row.p99_ns,
        bytes: row.bytes,
        tags: vec!["baseline".to_owned()],
        note: None,
    };
    assert_eq!(*row, expected);
    assert!(row.iops > 0.0 && row.bytes > 0, "{row:?}");
}

/// A database with these settings and no table.
fn empty_database(settings: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("history.db");
    let connection = rusqlite::Connection::open(path).expect("a database");
    connection.execute_batch(settings).expect("settings");
    folder
}

#[test]
fn a_history_whose_making_was_killed_is_taken_and_an_empty_database_is_not() {
    let opened = |settings: &str| {
        let folder = empty_database(settings);
        let path = folder.path().join("history.db");
        Store::open(&path)
            .map(|store| store.list(&Filter::default()).expect("a list"))
            .map_err(|error| error.to_string())
    };
    assert_eq!(opened("PRAGMA auto_vacuum = INCREMENTAL"), Ok(Vec::new()));
    let other = |settings: &str| {
        let folder = empty_database(settings);
        let path = folder.path().join("history.db");
        let before = std::fs::read(&path).expect("a file");
        let is_refused = Store::open(&path).is_err();
        (is_refused, std::fs::read(&path).expect("a file") == before)
    };
    let others = [
        "PRAGMA user_version = 7",
        "PRAGMA application_id = 7",
        "PRAGMA auto_vacuum = INCREMENTAL; CREATE TABLE one (two)",
    ];
    assert_eq!(others.map(other), [(true, true); 3]);
    // What is in the log of another program is not in the file yet.
    let folder = empty_database("PRAGMA auto_vacuum = INCREMENTAL");
    let path = folder.path().join("history.db");
    let owner = rusqlite::Connection::open(&path).expect("a database");
    let log = "PRAGMA journal_mode = WAL; CREATE TABLE precious (one)";
    owner.execute_batch(log).expect("a table in the log");
    assert!(Store::open(&path).is_err());
}
