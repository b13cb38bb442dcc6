//! Runs that are told as they go on, and runs that travel.
#![allow(clippy::disallowed_methods, reason = "tests make files of their own")]

use fathom_core::result::{EndReason, RunResult};
use fathom_core::{Op, fixture};
use fathom_store::{Arrival, Entry, Filter, Held, Store, UNREADABLE, Wanted, read};
use rusqlite::Connection;

fn store(folder: &tempfile::TempDir, name: &str) -> Store {
    Store::open(&folder.path().join(name)).expect("a new history")
}

/// What a run tells that made `result`, up to so many intervals of its only phase.
fn entries(result: &RunResult, intervals: usize) -> Vec<Entry> {
    let phase = &result.phases[0];
    let mut entries = vec![
        Entry::Prepared {
            targets: result.provenance.targets.clone(),
            caveats: Vec::new(),
        },
        Entry::Phase {
            spec: Box::new(result.provenance.workload.phases[0].clone()),
            repeat: 1,
            targets: vec![phase.jobs[0].targets.clone()],
            begin_ns: 10_000_000,
        },
    ];
    let told = phase.intervals.iter().take(intervals);
    entries.extend(told.map(|interval| Entry::Interval {
        interval: Box::new(interval.clone()),
    }));
    entries
}

#[test]
fn a_run_in_progress_is_listed_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = store(&folder, "history.db");
    let result = fixture::random_read();
    store
        .begin(&result.run_id, &result.provenance)
        .expect("room");
    store
        .append(&result.run_id, &entries(&result, 3))
        .expect("room");
    let status = |store: &Store| -> Vec<String> {
        let list = store.list(&Filter::default()).expect("a list");
        list.into_iter().map(|row| row.status).collect()
    };
    assert_eq!(status(&store), ["running"]);
    let early = store
        .result(Wanted::Latest(0))
        .expect_err("there is none yet");
    let expected = format!("there is no result of {} yet", result.run_id);
    assert_eq!(early.to_string(), expected);
    assert_eq!(store.left_behind().expect("a list"), []);
    store.save(&result).expect("room");
    assert_eq!(status(&store), ["complete"]);
    assert_eq!(store.result(Wanted::Latest(0)).expect("it is kept"), result);
    store.remove(&result.run_id).expect("room");
    assert_eq!(status(&store), Vec::<String>::new());
}

#[test]
fn what_a_gone_process_had_told_adds_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = store(&folder, "history.db");
    let result = fixture::random_read();
    store
        .begin(&result.run_id, &result.provenance)
        .expect("room");
    store
        .append(&result.run_id, &entries(&result, 3))
        .expect("room");
    let history = rusqlite::Connection::open(folder.path().join("history.db")).expect("a history");
    let gone = history.execute("UPDATE run SET process = ''", []);
    assert_eq!(gone.expect("room"), 1);
    let left = store.left_behind().expect("a list");
    let [left] = left.as_slice() else {
        panic!("one run: {left:?}");
    };
    let (phase, whole) = (&left.phases[0], &result.phases[0]);
    let read = |interval: usize| {
        whole.intervals[interval].jobs[0]
            .ops
            .get(Op::Read)
            .expect("reads")
    };
    let ios: u64 = (0..3).map(|interval| read(interval).ios).sum();
    assert!(left.provenance.rebuilt);
    assert_eq!(phase.intervals, whole.intervals[..3]);
    assert_eq!(phase.ended_by, EndReason::Interrupted);
    assert_eq!(
        (phase.measured_ns, phase.jobs[0].completed),
        (3_000_000_000, ios)
    );
    assert_eq!(phase.jobs[0].queue_depth, whole.jobs[0].queue_depth);
    store.save_interrupted(left).expect("room");
    assert_eq!(store.result(Wanted::Latest(0)).expect("it is kept"), *left);
    assert_eq!(store.left_behind().expect("a list"), []);
}

/// A journal that a crash has cut is in nobody's way, and is there until its run is removed.
#[test]
fn a_journal_that_cannot_be_read_is_set_aside() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = store(&folder, "history.db");
    let result = fixture::random_read();
    let (damaged, empty) = (
        "20260301T120000Z-aaaaaaaaaaaa",
        "20260301T120000Z-bbbbbbbbbbbb",
    );
    for run_id in [damaged, empty] {
        store.begin(run_id, &result.provenance).expect("room");
    }
    let beside = Connection::open(folder.path().join("history.db")).expect("it is there");
    let sql = "UPDATE run SET process = 'another boot 1 1';
               UPDATE journal SET body = x'1f8b' WHERE run = 1;
               DELETE FROM journal WHERE run = 2;";
    beside.execute_batch(sql).expect("room");
    for _ in 0..2 {
        assert_eq!(store.left_behind().expect("the others"), []);
    }
    let rows = store.list(&Filter::default()).expect("a list");
    let statuses: Vec<&str> = rows.iter().map(|row| row.status.as_str()).collect();
    assert_eq!(statuses, [UNREADABLE; 2]);
    for (run_id, cause) in [
        (damaged, "unexpected end of file"),
        (empty, "it does not say how the run began"),
    ] {
        let error = store
            .result(Wanted::Prefix(run_id))
            .expect_err("it is unreadable");
        let told = format!("what the history holds of {run_id} is damaged");
        assert_eq!(
            (error.to_string(), error.because()),
            (told, Some(cause.to_owned()))
        );
    }
    store.save(&result).expect("room");
    store.remove(damaged).expect("room");
    assert_eq!(store.count().expect("a number"), 2);
}

#[test]
fn a_bundle_carries_marks_and_documents() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut from = store(&folder, "from.db");
    let result = fixture::random_read();
    from.save(&result).expect("room");
    from.tag(&result.run_id, "baseline").expect("room");
    from.note(&result.run_id, "new firmware").expect("room");
    let mut bytes = Vec::new();
    let run_ids = std::slice::from_ref(&result.run_id);
    from.export(run_ids, &mut bytes).expect("room");
    let Ok(Held::Bundle(parcels)) = read(&*bytes) else {
        panic!("it is a bundle");
    };
    let mut to = store(&folder, "to.db");
    let arrivals = [(); 2].map(|()| to.import(&parcels[0]).expect("room"));
    assert_eq!(arrivals, [Arrival::New, Arrival::Known]);
    assert_eq!(
        to.list(&Filter::default()).expect("a list"),
        from.list(&Filter::default()).expect("a list")
    );
    assert_eq!(
        to.result(Wanted::Tag("baseline")).expect("it is kept"),
        result
    );
}
