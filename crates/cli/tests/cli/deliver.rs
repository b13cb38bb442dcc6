//! Results that are sent to where they are collected, and those that wait.

use crate::command::{Cli, Ended};
use fathom_core::result::RunResult;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const RUN: [&str; 8] = [
    "run",
    "random-read-4k",
    "--engine",
    "sim",
    "--time",
    "100ms",
    "--warm-up",
    "0",
];

/// Runs the words with a history in the folder, and gives what came out with the run's id as ID.
fn end(folder: TempDir, words: &[&str], environment: &[(&str, &str)]) -> (Ended, TempDir) {
    let history = folder.path().join("h.db");
    let cli = Cli::in_folder(folder, words).with_history(&history);
    let cli = environment
        .iter()
        .fold(cli, |cli, (name, value)| cli.with(name, value));
    let (mut ended, folder) = cli.end();
    for id in ids(folder.path()) {
        ended.stdout = ended.stdout.replace(&id, "ID");
        ended.stderr = ended.stderr.replace(&id, "ID");
    }
    (ended, folder)
}

/// The ids of the runs in the history, the latest first.
fn ids(folder: &Path) -> Vec<String> {
    let cli = Cli::new(["history", "--json"]).with_history(&folder.join("h.db"));
    let (listed, _) = cli.end();
    let value: serde_json::Value = serde_json::from_str(&listed.stdout).expect("JSON");
    let runs = value["runs"].as_array().expect("runs").iter();
    runs.map(|run| run["run_id"].as_str().expect("an id").to_owned())
        .collect()
}

/// The names of the files in a folder, with the run's id as ID.
fn names(folder: &Path, id: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().replace(id, "ID");
    let mut names: Vec<String> = entries
        .map(|entry| name(entry.expect("an entry")))
        .collect();
    names.sort();
    names
}

#[test]
fn a_run_is_delivered_when_it_has_ended() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    fs::create_dir(&one).expect("a folder");
    fs::create_dir(&two).expect("a folder");
    let url = |path: &Path| format!("file://{}", path.display());
    let first = url(&one);
    let words = [&RUN[..], &["--quiet", "--deliver", &first]].concat();
    let (ended, folder) = end(folder, &words, &[("FATHOM_DELIVER", &url(&two))]);
    assert_eq!(
        (ended.status, ended.stderr.as_str()),
        (
            Some(0),
            "delivered: ID in DIR/one\ndelivered: ID in DIR/two\n"
        )
    );
    let id = &ids(folder.path())[0];
    let host = rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned();
    let stem = format!("ID-{host}-random-read-4k");
    let expected = ["html", "json", "txt"].map(|ending| format!("{stem}.{ending}"));
    assert_eq!(names(&one, id), expected);
    assert_eq!(names(&two, id), expected);
    // What arrives is the result, to the letter.
    let arrived = one.join(format!("{id}-{host}-random-read-4k.json"));
    let arrived = fs::read_to_string(arrived).expect("it is there");
    let result = RunResult::from_json(&arrived).expect("a result");
    assert_eq!(&result.run_id, id);
    let arrived = arrived.replace(&folder.path().display().to_string(), "DIR");
    let (shown, _) = end(folder, &["show", "@latest", "--json"], &[]);
    assert_eq!(shown.stdout, arrived.replace(id, "ID"));
}

#[test]
fn what_does_not_arrive_waits_and_the_run_keeps_its_status() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("later");
    let url = format!("file://{}", place.display());
    let words = [&RUN[..], &["--quiet", "--deliver", &url]].concat();
    let (ended, folder) = end(folder, &words, &[]);
    let refused = "warning: ID is not delivered to file://DIR/later\n  because: DIR/later is no \
                   folder\n  try:     mkdir -p DIR/later\n1 result not delivered: kept in the \
                   history, fathom deliver --pending\n";
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), refused));
    let (listed, folder) = end(folder, &["deliver", "--list"], &[]);
    let (head, cause) = listed.stdout.split_once('\n').expect("two lines");
    let (head, since) = head.split_once("  since ").expect("an instant");
    assert_eq!(
        (head, &since[20..], cause),
        (
            "ID  file://DIR/later",
            ", tried 1 time",
            "    DIR/later is no folder\n"
        )
    );
    let (ended, folder) = end(folder, &["deliver", "--pending"], &[]);
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(4), refused));
    fs::create_dir(&place).expect("a folder");
    let (ended, folder) = end(folder, &["deliver", "--pending"], &[]);
    let arrived = "delivered: ID in DIR/later\n";
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), arrived));
    let (ended, _) = end(folder, &["deliver", "--pending"], &[]);
    let nothing = "nothing waits to be delivered\n";
    assert_eq!((ended.status, ended.stdout.as_str()), (Some(0), nothing));
}

#[test]
fn a_run_of_the_history_goes_anywhere_or_is_given_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = [&RUN[..], &["--quiet"]].concat();
    let (_, folder) = end(folder, &words, &[]);
    let (ended, folder) = end(folder, &["deliver", "@latest", "usb:nowhere"], &[]);
    let refused = "warning: ID is not delivered to usb:nowhere\n  because: no stick is mounted \
                   that carries a file fathom-nowhere.stick\n  try:     mount it, and touch \
                   fathom-nowhere.stick at its top\n1 result not delivered: kept in the history, \
                   fathom deliver --pending\n";
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(4), refused));
    for gone in ["1 place given up\n", "0 places given up\n"] {
        let words = ["deliver", "@latest", "--forget"];
        let (ended, _) = end_at(folder.path(), &words);
        assert_eq!((ended.status, ended.stdout.as_str()), (Some(0), gone));
    }
}

/// Runs the words with the history of a folder that is used again.
fn end_at(folder: &Path, words: &[&str]) -> (Ended, TempDir) {
    Cli::new(words).with_history(&folder.join("h.db")).end()
}

#[test]
fn a_password_is_refused_and_not_repeated() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = [&RUN[..], &["--deliver", "ftp://anna:hush@ftp.example/in/"]].concat();
    let (ended, _) = end(folder, &words, &[]);
    let refused = "error: a place for results cannot be used\n  because: a password on a command \
                   line is seen by everybody who lists processes\n  try:     a line in ~/.netrc: \
                   machine ftp.example login anna password …\n";
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(2), refused));
}

#[test]
fn all_runs_of_a_suite_go_when_it_has_ended() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("in");
    fs::create_dir(&place).expect("a folder");
    let suite = folder.path().join("two.toml");
    let text = "name = \"two\"\ndescription = \"two\"\nsource = \"none\"\n[[run]]\n\
                workload = \"random-read-4k\"\nqueue_depth = [1, 2]\n";
    fs::write(suite, text).expect("a suite");
    let url = format!("file://{}", place.display());
    let words = [
        "suite",
        "two.toml",
        "--engine",
        "sim",
        "--time",
        "100ms",
        "--warm-up",
        "0",
        "--into",
        "runs",
        "--quiet",
        "--deliver",
        &url,
    ];
    let (ended, _folder) = end(folder, &words, &[]);
    let arrived = "delivered: ID in DIR/in\ndelivered: ID in DIR/in\n";
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), arrived));
    assert_eq!(fs::read_dir(&place).expect("a folder").count(), 6);
}

#[test]
fn what_was_delivered_is_collected() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("in/lab7");
    fs::create_dir_all(&place).expect("a folder");
    let url = format!("file://{}", place.display());
    let words = [&RUN[..], &["--quiet", "--deliver", &url]].concat();
    let (_, folder) = end(folder, &words, &[]);
    let id = ids(folder.path()).remove(0);
    let tar = std::process::Command::new("tar")
        .args(["-czf", "in.tar.gz", "in"])
        .current_dir(folder.path())
        .status();
    assert!(tar.expect("tar").success());
    let elsewhere = folder.path().join("elsewhere.db");
    let import = |words: &[&str]| {
        let words = [&["import"], words].concat();
        let cli = Cli::new(words).with_history(&elsewhere);
        cli.end().0
    };
    let (place, archive) = (folder.path().join("in"), folder.path().join("in.tar.gz"));
    let note = "note: 2 files without a result passed over\n";
    for (path, expected) in [
        (&place, "1 run imported\n"),
        (&archive, "0 runs imported, 1 known already\n"),
    ] {
        let ended = import(&[path.to_str().expect("a path")]);
        assert_eq!(
            (ended.status, ended.stdout.as_str(), ended.stderr.as_str()),
            (Some(0), expected, note)
        );
    }
    let cli = Cli::new(["show", "@latest", "--json"]).with_history(&elsewhere);
    let result = RunResult::from_json(&cli.end().0.stdout).expect("a result");
    assert_eq!(result.run_id, id);
}
