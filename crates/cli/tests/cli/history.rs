//! Runs that are kept, and what becomes of them.

use crate::command::Cli;
use crate::document::{fields, listed};
use crate::loads::{LONG_IN_LINES, with};
use crate::privileged::{Mounted, is_root};
use fathom_testing::skip;
use rustix::process::Signal;
use serde_json::{Value, json};
use std::io::Write as _;
use tempfile::TempDir;

const STORE: [&str; 2] = ["--store", "history.db"];

const SIMULATED: [&str; 7] = [
    "run",
    "random-read-4k",
    "--engine",
    "sim",
    "--time",
    "1s",
    "--quiet",
];

fn words<'a>(words: &[&'a str]) -> Vec<&'a str> {
    words.iter().copied().chain(STORE).collect()
}

/// The history of a folder as JSON.
fn history(folder: TempDir, filter: &[&'static str]) -> (Value, TempDir) {
    let command = words(&[&["history", "--json"], filter].concat());
    let (ended, folder) = Cli::in_folder(folder, command).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    (json!(listed(&ended.stdout, "runs")), folder)
}

/// Runs something twice and keeps it.
fn two_runs() -> TempDir {
    let (first, folder) = Cli::new(words(&SIMULATED)).end();
    assert_eq!((first.status, first.stderr.as_str()), (Some(0), ""));
    let second = words(&[&SIMULATED[..], &["--queue-depth", "4"]].concat());
    let (second, folder) = Cli::in_folder(folder, second).end();
    assert_eq!((second.status, second.stderr.as_str()), (Some(0), ""));
    folder
}

#[test]
fn a_run_is_kept_and_shown_as_it_was() {
    let full = [&SIMULATED[..], &["--full"]].concat();
    let (first, folder) = Cli::new(words(&full)).end();
    let show = words(&["show", "@latest", "--full"]);
    let folder = Cli::in_folder(folder, show).check(0, &first.stdout, "");
    let (list, folder) = history(folder, &[]);
    let paths = [
        "0.status",
        "0.workload",
        "0.targets",
        "0.engine",
        "0.state",
        "0.phases",
        "0.iops",
        "0.bytes_per_second",
        "0.tags",
        "0.note",
    ];
    let expected = json!([
        "complete",
        "random-read-4k",
        "sim",
        "sim",
        "QUALIFIED",
        1,
        320_000.0,
        1_310_720_000.0,
        [],
        null
    ]);
    assert_eq!(fields(&list, &paths), expected);
    let name = list[0]["name"].as_str().expect("a name");
    let again = words(&["show", name, "--full"]);
    Cli::in_folder(folder, again).check(0, &first.stdout, "");
}

#[test]
fn a_run_that_is_not_to_be_kept_is_not() {
    let run = [&SIMULATED[..], &["--no-save", "--output", "json:a.json"]].concat();
    let folder = Cli::new(run).check(0, "", "");
    let names = std::fs::read_dir(folder.path()).expect("the folder is there");
    assert_eq!(names.count(), 1, "only the result");
    Cli::in_folder(folder, ["history"]).check(0, "no run has been kept yet\n", "");
    let both = words(&["run", "quick", "--no-save"]);
    let message = "error: the argument '--no-save' cannot be used with '--store <FILE>'\n  \
                   try:     `fathom run --help`\n\nUsage: fathom run --no-save \
                   <NAME|FILE.toml>...\n";
    Cli::new(both).check(2, "", message);
}

#[test]
fn a_history_whose_name_is_mistyped_is_not_made() {
    let error = "error: there is no history history.db
  because: only commands that save runs create one
  try:     the name of a history, or no --store for that of the user
";
    for command in [
        &["history"][..],
        &["trend"],
        &["export", "@latest", "-o", "all.jsonl"],
        &["show", "@latest"],
        &["compare", "@latest", "@latest~1"],
        &["tag", "@latest", "nightly"],
        &["note", "@latest", "firmware 7"],
        &["remove", "@latest"],
        &["prune", "--keep", "1"],
        &["clean"],
        &["deliver", "@latest", "http://host/"],
        &["watch", "--recordings"],
    ] {
        let (ended, folder) = Cli::new(words(command)).end();
        let left = std::fs::read_dir(folder.path()).unwrap().count();
        let seen = (ended.status, ended.stderr.as_str(), left);
        assert_eq!(seen, (Some(4), error, 0), "{command:?}");
    }
}

#[test]
fn what_was_refused_leaves_no_trace() {
    let file = [
        "run",
        "sequential-write-1m",
        "--target",
        "mine.dat",
        "--quiet",
    ];
    let run = words(&[&file[..], &["--engine", "psync", "--no-direct"]].concat());
    let (ended, folder) = Cli::new(run).file("mine.dat", vec![7; 8192]).end();
    assert_eq!(ended.status, Some(4), "{ended:?}");
    Cli::in_folder(folder, ["history"]).check(0, "no run has been kept yet\n", "");
}

#[test]
fn tags_and_notes_are_kept_and_find_runs() {
    let folder = two_runs();
    let quiet =
        |folder, command: &[&'static str]| Cli::in_folder(folder, words(command)).check(0, "", "");
    let folder = quiet(folder, &["tag", "@latest~1", "baseline", "nightly"]);
    let folder = quiet(folder, &["tag", "@latest", "nightly"]);
    let folder = quiet(
        folder,
        &["note", "tag:baseline", " before  the new\nfirmware "],
    );
    let folder = quiet(folder, &["tag", "tag:baseline", "nightly", "--remove"]);
    let (list, folder) = history(folder, &[]);
    let marks = ["0.tags", "0.note", "1.tags", "1.note"];
    let expected = json!([["nightly"], null, ["baseline"], "before the new firmware"]);
    assert_eq!(fields(&list, &marks), expected);
    let (tagged, folder) = history(folder, &["--tag", "baseline"]);
    assert_eq!(tagged, json!([list[1]]));
    let (some, folder) = history(folder, &["--limit", "1", "--profile", "random-read-4k"]);
    assert_eq!(some, json!([list[0]]));
    let (none, folder) = history(folder, &["--host", "nowhere.example"]);
    assert_eq!(none, json!([]));
    let (old, folder) = history(folder, &["--since", "1d"]);
    assert_eq!(old, list);
    let nothing = "no run of the history matches\n";
    let folder = Cli::in_folder(folder, words(&["history", "--since", "0"])).check(0, nothing, "");
    let folder = quiet(folder, &["note", "tag:baseline", "--remove"]);
    let folder = removed(folder, &["remove", "@latest"], "1 run removed\n");
    let (list, _folder) = history(folder, &[]);
    assert_eq!(
        fields(&list, &["0.tags", "0.note", "1"]),
        json!([["baseline"], null, null])
    );
}

/// What is removed is said, its row above the number.
#[track_caller]
fn removed(folder: TempDir, command: &[&str], told: &str) -> TempDir {
    let (ended, folder) = Cli::in_folder(folder, words(command)).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let lines: Vec<&str> = ended.stdout.lines().collect();
    assert_eq!(
        lines.first().map(|line| line.starts_with("RUN ")),
        Some(true)
    );
    assert_eq!(
        lines.last().map(|line| format!("{line}\n")),
        Some(told.to_owned())
    );
    folder
}

#[test]
fn the_runs_of_a_tag_are_removed_when_that_is_meant() {
    let folder = two_runs();
    let tagged = words(&["tag", "@latest", "old"]);
    let folder = Cli::in_folder(folder, tagged).check(0, "", "");
    let tagged = words(&["tag", "@latest~1", "old"]);
    let folder = Cli::in_folder(folder, tagged).check(0, "", "");
    let asked = ["remove", "tag:old"];
    let folder = removed(
        folder,
        &asked,
        "2 runs would be removed; --yes removes them\n",
    );
    let (list, folder) = history(folder, &[]);
    assert_eq!(list.as_array().map(Vec::len), Some(2));
    let folder = removed(folder, &["remove", "tag:old", "--yes"], "2 runs removed\n");
    assert_eq!(history(folder, &[]).0, json!([]));
}

#[test]
fn runs_are_found_by_state_and_by_target() {
    let folder = two_runs();
    let (all, folder) = history(folder, &[]);
    let (found, folder) = history(folder, &["--state", "qualified", "--target", "si"]);
    assert_eq!(found, all);
    let (found, folder) = history(folder, &["--state", "VALID"]);
    assert_eq!(found, json!([]));
    let (found, _) = history(folder, &["--target", "/data"]);
    assert_eq!(found, json!([]));
    assert_eq!(
        fields(&all, &["0.p99_ns", "1.p99_ns"]),
        json!([100_000, 100_000])
    );
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let folder = Cli::new(words(&SIMULATED)).end().1;
    let cases: [(&[&str], &str); 5] = [
        (
            &["tag", "@latest", "two words"],
            "error: `two words` is no tag\n  because: a tag is a word without spaces\n  try:     \
             `fathom note` for sentences\n",
        ),
        (
            &["remove", "./a.json"],
            "error: `./a.json` is not a run of the history\n  because: it is a file or standard \
             input\n  try:     `fathom history` lists the runs\n",
        ),
        (
            &["remove", "@latest", "@latest~1"],
            "error: no run of the history is called @latest~1\n  try:     `fathom history` lists \
             the runs\n",
        ),
        (
            &["history", "--since", "yesterday"],
            "error: --since names no instant\n  because: `yesterday` is not a date or a time ago: \
             expected a date in UTC, as in `2026-03-01` or `2026-03-01T12:30`, or how long ago, \
             as in `30d`, `2w` or `12h`\n",
        ),
        (
            &["export", "@latest", "-o", "no/where.gz"],
            "error: cannot write the runs to no/where.gz\n  because: no such file or directory\n  \
             try:     use another file, or - for standard output\n",
        ),
    ];
    let mut folder = folder;
    for (command, message) in cases {
        let status = if command[0] == "export" { 4 } else { 2 };
        folder = Cli::in_folder(folder, words(command)).check(status, "", message);
    }
    let (list, _folder) = history(folder, &[]);
    assert_eq!(
        list.as_array().map(Vec::len),
        Some(1),
        "nothing was removed"
    );
}

#[test]
fn pruning_shows_before_it_does() {
    let folder = two_runs();
    let (list, folder) = history(folder, &[]);
    let size = list[1]["bytes"].as_u64().expect("a size");
    let size = fathom_core::figure::volume(size);
    let prune = words(&["prune", "--keep", "1"]);
    let (shown, folder) = Cli::in_folder(folder, prune.clone()).end();
    assert_eq!((shown.status, shown.stderr.as_str()), (Some(0), ""));
    let last = format!("1 run of {size} would be removed; --yes removes them");
    assert_eq!(shown.stdout.lines().last(), Some(last.as_str()));
    let (same, folder) = history(folder, &[]);
    assert_eq!(same, list);
    let done = format!("1 run of {size} removed\n");
    let yes = prune.iter().copied().chain(["--yes"]);
    let folder = Cli::in_folder(folder, yes).check(0, &done, "");
    let (left, folder) = history(folder, &[]);
    assert_eq!(left, json!([list[0]]));
    Cli::in_folder(folder, prune).check(0, "no run has to go\n", "");
}

#[test]
fn a_bundle_shows_the_same_report_elsewhere() {
    let folder = two_runs();
    let (first, folder) = Cli::in_folder(folder, words(&["show", "@latest~1", "--full"])).end();
    let (second, folder) = Cli::in_folder(folder, words(&["show", "@latest", "--full"])).end();
    let export = words(&["export", "@latest~1", "@latest", "-o", "runs.gz"]);
    let folder = Cli::in_folder(folder, export).check(0, "", "");
    let both = format!("{}{}", first.stdout, second.stdout);
    let folder = Cli::in_folder(folder, ["show", "runs.gz", "--full"]).check(0, &both, "");
    let quiet = |folder, command: &[&'static str]| Cli::in_folder(folder, words(command)).end().1;
    let folder = quiet(folder, &["tag", "@latest", "nightly"]);
    let folder = quiet(folder, &["note", "@latest", "before"]);
    let folder = quiet(folder, &["export", "--all", "-o", "all.gz"]);
    let (list, folder) = history(folder, &[]);
    let elsewhere = |command: &[&'static str]| [command, &["--store", "other.db"]].concat();
    let cases = [
        ("runs.gz", "2 runs imported\n"),
        ("runs.gz", "0 runs imported, 2 known already\n"),
        ("all.gz", "0 runs imported, 2 known already\n"),
    ];
    let mut folder = folder;
    for (bundle, told) in cases {
        folder = Cli::in_folder(folder, elsewhere(&["import", bundle])).check(0, told, "");
    }
    let show = elsewhere(&["show", "@latest~1", "@latest", "--full"]);
    let folder = Cli::in_folder(folder, show).check(0, &both, "");
    let (ended, folder) = Cli::in_folder(folder, elsewhere(&["history", "--json"])).end();
    let there = json!(listed(&ended.stdout, "runs"));
    assert_eq!(there, list, "also tags, notes and sizes");
    // Nothing is kept, and so it is shown.
    let unkept = ["import", "runs.gz", "--no-save"];
    Cli::in_folder(folder, unkept).check(0, &both, "");
}

#[test]
fn a_document_is_imported_once() {
    let run = [&SIMULATED[..], &["--no-save", "--output", "json:a.json"]].concat();
    let folder = Cli::new(run).check(0, "", "");
    let (shown, folder) = Cli::in_folder(folder, ["show", "a.json"]).end();
    let import = words(&["import", "a.json"]);
    let folder = Cli::in_folder(folder, import.clone()).check(0, "1 run imported\n", "");
    let folder = Cli::in_folder(folder, words(&["show", "@latest"])).check(0, &shown.stdout, "");
    let again = "0 runs imported, 1 known already\n";
    Cli::in_folder(folder, import).check(0, again, "");
}

#[test]
fn what_cannot_be_imported_is_refused() {
    let newer = "error: cannot read results from b.json\n  because: the bundle has version 99, and \
                 this program reads versions up to 1\n  try:     a newer fathom\n";
    let bundle = Cli::new(words(&["import", "b.json"])).file("b.json", "{\"fathom_bundle\":99}\n");
    bundle.check(2, "", newer);
    let cut = "error: cannot read results from b.gz\n  because: unexpected end of file\n";
    let packed = Cli::new(words(&["import", "b.gz"])).file("b.gz", [0x1f_u8, 0x8b, 8]);
    packed.check(2, "", cut);
    let nowhere = "error: cannot open the history /dev/full/history.db\n  because: \
                   it is a character device\n  \
                   try:     another file with --store FILE; --no-save to import without\n";
    let run = [&SIMULATED[..], &["--no-save", "--output", "json:a.json"]].concat();
    let folder = Cli::new(run).check(0, "", "");
    let import = ["import", "a.json", "--store", "/dev/full/history.db"];
    Cli::in_folder(folder, import).check(4, "", nowhere);
}

#[test]
fn a_history_that_cannot_be_had_does_not_stop_a_run() {
    let run = [&SIMULATED[..], &["--store", "/dev/full/history.db"]].concat();
    let (ended, folder) = Cli::new(run).end();
    let warning = "warning: the run is not kept: cannot open the history /dev/full/history.db\n  \
                   because: it is a character device\n  try:     another file with --store FILE; \
                   --no-save to \
                   run without\n";
    let said = ended.stderr.strip_prefix(warning).expect("the warning");
    // Its result is in a file, which another history takes.
    let mut files = std::fs::read_dir(folder.path()).expect("the folder is there");
    let file = files.next().expect("a file").expect("it can be listed");
    let name = file.file_name().into_string().expect("a name of ours");
    let note = format!(
        "note: the result is in DIR/{name}; `fathom import DIR/{name}` saves it in the history\n"
    );
    assert_eq!(
        (ended.status, said, files.count()),
        (Some(9), note.as_str(), 0)
    );
    let import = Cli::in_folder(folder, ["import", &name, "--store", "h.db"]);
    assert_eq!(import.end().0.status, Some(0));
    let text = [&SIMULATED[..], &["--no-save"]].concat();
    assert_eq!(
        ended.stdout.lines().next(),
        Cli::new(text).stdout().lines().next()
    );
}

#[test]
fn a_file_that_is_no_history_is_left_alone() {
    let run = [
        &SIMULATED[..],
        &["--store", "mine.txt", "--output", "json:a.json"],
    ]
    .concat();
    let (ended, folder) = Cli::new(run)
        .file("mine.txt", "all my notes\n".repeat(100))
        .end();
    let refusal = "error: cannot keep the history in mine.txt\n  because: the file exists (1300 \
                   bytes) and is no history\n  try:     another file with --store FILE\n";
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(4), refusal));
    let notes = std::fs::read_to_string(folder.path().join("mine.txt")).expect("it is there");
    assert_eq!(notes, "all my notes\n".repeat(100));
}

/// A run that goes on until it is killed, and leaves its scratch file.
fn killed(folder: TempDir) -> TempDir {
    let run = "run random-read-4k --engine psync --no-direct --size 1MiB --time 1h --warm-up 0s \
               --interval 100ms --no-live --target .";
    let run: Vec<&str> = run.split(' ').collect();
    let mut running = Cli::in_folder(folder, words(&run)).start();
    // By then the targets stand in the history, which is written to once a second.
    for _ in 0..25 {
        running.wait_for_line("[1/1 ");
    }
    running.send(Signal::KILL);
    running.end().1
}

#[test]
fn what_a_killed_run_left_is_listed_and_removed() {
    let folder = killed(tempfile::tempdir().expect("a folder"));
    let scratch = folder.path().join("fathom-data.dat");
    let file = std::fs::File::open(&scratch).expect("it is left");
    if !fathom_device::mark::is_left_behind(&file, &scratch).expect("it can be asked") {
        skip("the temporary folder has no extended attributes");
        return;
    }
    let (told, folder) = Cli::in_folder(folder, words(&["history"])).end();
    let expected = "left by a killed run: DIR/fathom-data.dat; `fathom clean` removes it";
    assert_eq!(told.stdout.lines().last(), Some(expected));
    let (told, folder) = Cli::in_folder(folder, words(&["history", "--json"])).end();
    let rows = listed(&told.stdout, "runs");
    let left = serde_json::json!(["DIR/fathom-data.dat"]);
    assert_eq!(rows[0]["left_behind"], left);
    // A file of the user's with a name like that stays.
    std::fs::write(folder.path().join("fathom-log.dat"), "mine").expect("a file");
    let removed = "removed DIR/fathom-data.dat (1 MiB)\n";
    let folder = Cli::in_folder(folder, words(&["clean"])).check(0, removed, "");
    let none = "no scratch file of a killed run was found\n";
    let folder = Cli::in_folder(folder, words(&["clean"])).check(0, none, "");
    let names = ["fathom-data.dat", "fathom-log.dat"];
    let are_there = |folder: &TempDir| names.map(|name| folder.path().join(name).exists());
    assert_eq!(are_there(&folder), [false, true]);
    // The next run in the same place does it by itself.
    let folder = killed(folder);
    assert_eq!(are_there(&folder), [true, true]);
    let next = "run random-read-4k --engine psync --no-direct --size 1MiB --ios 10 --warm-up 0s \
                --quiet --target .";
    let next: Vec<&str> = next.split(' ').collect();
    let (ended, folder) = Cli::in_folder(folder, words(&next)).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    assert_eq!(are_there(&folder), [false, true]);
}

#[test]
fn the_scratch_of_a_run_that_goes_on_stays() {
    let run = "run random-read-4k --engine psync --no-direct --size 1MiB --time 1h --warm-up 0s \
               --interval 100ms --no-live --no-save --target .";
    let mut running = Cli::line(run).start();
    running.wait_for_line("[1/1 ");
    let place = running.path("fathom-data.dat");
    let folder = place.parent().expect("a folder").to_owned();
    let clean = Cli::new(["clean".as_ref(), folder.as_os_str()]);
    clean.check(0, "no scratch file of a killed run was found\n", "");
    assert!(place.exists());
    running.send(Signal::INT);
    running.end();
}

#[test]
fn a_killed_run_is_kept_with_what_it_had() {
    let run = with(LONG_IN_LINES, &["--target", "data.dat"]);
    let mut folder = tempfile::tempdir().expect("a folder");
    for round in 0..20 {
        let mut running = Cli::in_folder(folder, words(&run)).start();
        // From a run that has hardly begun to one with intervals that were written down.
        running.wait_for_line("engine ");
        for _ in 0..[0, 1, 0, 1, 3][round % 5] {
            running.wait_for_line("[1/1 ");
        }
        running.send(Signal::KILL);
        let (ended, rest) = running.end();
        assert_eq!((ended.status, ended.signal), (None, Some(9)));
        folder = rest;
    }
    let (list, folder) = history(folder, &[]);
    let list = list.as_array().expect("a list");
    // One that was killed before its begin was written down has left nothing.
    assert!((1..=20).contains(&list.len()), "{list:?}");
    for run in list {
        assert_eq!(run["status"], "interrupted");
        let state = run["state"].as_str();
        assert!(matches!(state, Some("INVALID" | "SUSPECT")), "{run}");
    }
    let show = words(&["show", "@latest", "--output", "json"]);
    let (shown, folder) = Cli::in_folder(folder, show).end();
    let document: Value = serde_json::from_str(&shown.stdout).expect("JSON");
    let caveats = document["caveats"].as_array().expect("a list");
    let codes: Vec<&Value> = caveats.iter().map(|caveat| &caveat["code"]).collect();
    assert_eq!(document["provenance"]["rebuilt"], true);
    assert!(
        codes.iter().any(|code| **code == "interrupted"),
        "{codes:?}"
    );
    // What is left of them stands in nobody's way.
    let next = words(&SIMULATED);
    assert_eq!(Cli::in_folder(folder, next).end().0.status, Some(0));
}

/// Runs leave a full disk by `prune` and `remove`, and their space returns to it.
#[test]
fn runs_can_be_removed_on_a_full_disk() {
    if !is_root("a mount of tmpfs") {
        return;
    }
    let Some(disk) = Mounted::new("tmpfs", "size=8m") else {
        return;
    };
    let store = disk.path().join("history.db").display().to_string();
    let in_store = |words: &[&str]| {
        let words: Vec<&str> = words.iter().copied().chain(["--store", &store]).collect();
        let (ended, _) = Cli::new(words).end();
        (ended.status, ended.stdout, ended.stderr)
    };
    for _ in 0..12 {
        let (status, _, stderr) = in_store(&SIMULATED);
        assert_eq!((status, stderr), (Some(0), String::new()));
    }
    let length = || std::fs::metadata(&store).expect("it is there").len();
    let before = length();
    let mut rest = std::fs::File::create(disk.path().join("rest")).expect("a file");
    let zeros = [0; 4096];
    while rest.write_all(&zeros).is_ok() {}
    let removed = in_store(&["remove", "@latest"]);
    assert_eq!((removed.0, removed.2), (Some(0), String::new()));
    let pruned = in_store(&["prune", "--keep", "1", "--yes"]);
    assert_eq!(
        (pruned.0, pruned.2),
        (Some(0), String::new()),
        "{}",
        pruned.1
    );
    let (_, text, _) = in_store(&["history", "--json"]);
    assert_eq!(listed(&text, "runs").len(), 1);
    assert!(length() < before, "{} of {before}", length());
}
