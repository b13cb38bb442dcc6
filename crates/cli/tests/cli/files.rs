//! Jobs that deal with files: what is measured, and what is touched.

use crate::command::{Cli, Running};
use crate::document::read;
use fathom_core::Op;
use fathom_core::result::RunResult;
use rustix::process::Signal;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

/// The name of the directory that a run makes.
const OWN: &str = "fathom-data.files";

/// Two threads that make, change and remove files for as long as they are let.
const ENDLESS: &str = r#"
    name = "endless"
    [[phase]]
    name = "mixed"
    duration = "1h"
    warm_up = "0s"
    [[phase.job]]
    name = "mixed"
    threads = 2
    direct = false
    files = { count = 200, directories = "shared", depth = 1, branches = 3, once = false }
    io = [
        { op = "create", block_size = "3901B" },
        { op = "stat" },
        { op = "read", block_size = "3901B" },
        { op = "write", block_size = "3901B" },
        { op = "rename" },
        { op = "unlink" },
    ]
"#;

fn endless() -> Running {
    let words = "run endless.toml --target . --interval 100ms";
    let rest = ["--no-live", "--output", "json:result.json"];
    let cli = Cli::new(words.split(' ').chain(rest)).file("endless.toml", ENDLESS);
    let mut running = cli.start();
    running.wait_for_line("[1/1 ");
    running
}

/// All that is below a folder, links not followed: what each is, with the bytes of a file.
fn below(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder_here) = open.pop() {
        for entry in fs::read_dir(folder_here).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path
                .strip_prefix(folder)
                .expect("below")
                .display()
                .to_string();
            let meta = fs::symlink_metadata(&path).expect("it is there");
            let what = if meta.is_dir() {
                open.push(path);
                "directory".to_owned()
            } else if meta.is_symlink() {
                "link".to_owned()
            } else {
                String::from_utf8_lossy(&fs::read(&path).expect("a file")).into_owned()
            };
            found.insert(name, what);
        }
    }
    found
}

#[test]
fn each_file_is_dealt_with_once_by_each_phase() {
    let words = ["run", "mdtest", "--target", ".", "--files", "50"];
    let rest = ["--quiet", "--output", "json:result.json"];
    let (ended, folder) = Cli::new(words.into_iter().chain(rest)).end();
    assert_eq!(ended.status, Some(0), "{ended:?}");
    let text = fs::read_to_string(folder.path().join("result.json")).expect("a result");
    let result = RunResult::from_json(&text).expect("a result");
    let mut done = Vec::new();
    for phase in &result.phases {
        for (op, one) in phase.jobs[0].ops.present() {
            done.push((phase.name.as_str(), op, one.ios, one.errors, one.bytes));
        }
    }
    let expected = [
        ("create", Op::Create, 200, 0, 0),
        ("stat", Op::Stat, 200, 0, 0),
        ("read", Op::Read, 200, 0, 0),
        ("unlink", Op::Unlink, 200, 0, 0),
    ];
    assert_eq!(done, expected);
    let names: Vec<_> = below(folder.path()).into_keys().collect();
    assert_eq!(names, ["result.json"]);
}

#[test]
fn what_somebody_has_by_the_name_is_refused_and_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join(OWN)).expect("made");
    fs::write(folder.path().join(OWN).join("f1"), "mine").expect("written");
    let before = below(folder.path());
    let cli = Cli::in_folder(folder, ["run", "mdtest", "--target", ".", "--quiet"]);
    let said = format!(
        "error: cannot use DIR/{OWN}\n  because: no mark in it says that a run of Fathom made \
         it\n  \
         try:     move it away, remove it if it is unused, or use another --target\n"
    );
    let folder = cli.check(4, "", &said);
    assert_eq!(below(folder.path()), before);
}

#[test]
fn only_directories_and_the_engine_of_files_will_do() {
    let cli = Cli::new(["run", "mdtest", "--target", "data", "--quiet"]).file("data", "mine");
    let folder = cli.check(
        2,
        "",
        "error: cannot use DIR/data for job `create`\n  because: it uses files, and that is not a \
         directory\n  try:     --target DIRECTORY\n",
    );
    assert_eq!(
        below(folder.path()),
        [("data".into(), "mine".into())].into()
    );
    let words = "run mdtest --target . --engine psync --quiet";
    Cli::line(words).check(
        2,
        "",
        "error: the engine psync cannot run job `create`\n  because: it uses files, but the engine \
         uses bytes of one target\n  try:     omit --engine: jobs with files have their own\n",
    );
}

/// Links to what is outside, in the place of files and of whole directories, all the time.
#[test]
fn nothing_outside_is_touched_whatever_is_put_into_the_tree() {
    let outside = tempfile::tempdir().expect("a folder");
    for number in 0..400 {
        for letter in ["f", "r"] {
            let name = format!("{letter}{number}");
            fs::write(outside.path().join(name), "not yours").expect("written");
        }
    }
    fs::create_dir(outside.path().join("b1")).expect("made");
    let before = below(outside.path());
    let running = endless();
    let mut tree = running.path(OWN).join("t0");
    for number in 0..400 {
        let (file, other) = (format!("f{number}"), format!("r{number}"));
        for folder in [tree.clone(), tree.join("b1"), tree.join("b2")] {
            let theirs = outside.path().join(&file);
            // Which of them are there is a matter of luck; all are tried.
            let _ = fs::remove_file(folder.join(&file));
            let _ = if number % 2 == 0 {
                symlink(&theirs, folder.join(&file))
            } else {
                fs::hard_link(&theirs, folder.join(&file))
            };
            let _ = fs::hard_link(&theirs, folder.join(&other));
        }
        if number == 200 {
            fs::rename(tree.join("b3"), running.path("moved")).expect("moved");
            symlink(outside.path(), tree.join("b3")).expect("linked");
        }
        if number == 300 {
            let moved = running.path(OWN).join("t9");
            fs::rename(&tree, &moved).expect("moved");
            symlink(outside.path(), &tree).expect("linked");
            tree = moved;
        }
    }
    running.send(Signal::INT);
    let (ended, folder) = running.end();
    assert_eq!(ended.status, Some(130), "{ended:?}");
    assert_eq!(below(outside.path()), before);
    // Its own are gone, also those in what was moved away.
    let left = below(folder.path());
    let is_file = |(_, what): &(&String, &String)| *what != "directory" && *what != "link";
    let files: Vec<&String> = left.iter().filter(is_file).map(|(name, _)| name).collect();
    let own = |name: &&String| !name.starts_with(OWN) && !name.starts_with("moved");
    let files: Vec<_> = files.into_iter().filter(own).collect();
    assert_eq!(files, ["endless.toml", "result.json"]);
    let moved = left.keys().filter(|name| name.starts_with("moved/"));
    assert_eq!(moved.count(), 0);
}

#[test]
fn a_signal_removes_all_and_reports() {
    let running = endless();
    running.send(Signal::INT);
    let (ended, folder) = running.end();
    assert_eq!(ended.status, Some(130), "{ended:?}");
    let result = read(&folder.path().join("result.json"));
    assert_eq!(result["phases"][0]["ended_by"], json!("interrupted"));
    let names: Vec<_> = below(folder.path()).into_keys().collect();
    assert_eq!(names, ["endless.toml", "result.json"]);
}

#[test]
fn what_a_killed_run_leaves_the_next_removes_or_clean_does() {
    for next in [
        &["clean", "."][..],
        &["run", "mdtest", "--target", ".", "--files", "5", "--quiet"],
    ] {
        let running = endless();
        running.send(Signal::KILL);
        let (ended, folder) = running.end();
        assert_eq!(ended.signal, Some(9));
        assert!(folder.path().join(OWN).is_dir());
        // With something of somebody's in it, it stays.
        let theirs = folder.path().join(OWN).join("t0/b1/notes.txt");
        fs::write(&theirs, "mine").expect("written");
        let before = below(folder.path());
        let (refused, folder) = Cli::in_folder(folder, next).end();
        assert_eq!(refused.status, Some(if next[0] == "clean" { 0 } else { 4 }));
        assert_eq!(below(folder.path()), before);
        fs::remove_file(folder.path().join(OWN).join("t0/b1/notes.txt")).expect("removed");
        let (ended, folder) = Cli::in_folder(folder, next).end();
        assert_eq!(ended.status, Some(0), "{ended:?}");
        let names: Vec<_> = below(folder.path()).into_keys().collect();
        assert_eq!(names, ["endless.toml", "result.json"]);
    }
}

#[test]
fn a_directory_that_cannot_be_written_to_is_refused() {
    let cli = Cli::new(["run", "mdtest", "--target", "/proc", "--quiet"]);
    let (ended, _) = cli.end();
    assert_eq!((ended.status, ended.stdout.as_str()), (Some(4), ""));
    let cli = Cli::new(["run", "mdtest", "--target", "shut", "--quiet"]).without_rights();
    fs::create_dir(cli.path("shut")).expect("made");
    let shut = std::os::unix::fs::PermissionsExt::from_mode(0o555);
    fs::set_permissions(cli.path("shut"), shut).expect("it is ours");
    let (ended, folder) = cli.end();
    assert_eq!((ended.status, ended.stdout.as_str()), (Some(4), ""));
    assert_eq!(below(&folder.path().join("shut")), BTreeMap::new());
}

#[test]
fn a_configuration_of_io500_is_measured_phase_by_phase() {
    let text = "[global]\ndatadir = .\n[debug]\nstonewall-time = 2\n[ior-easy]\nblockSize = 2m\n\
                [ior-hard]\nsegmentCount = 5\n[mdtest-easy]\nn = 20\n[mdtest-hard]\nn = 20\n";
    let words = "ior --no-save --quiet --tasks 2 io500.ini";
    let cli = Cli::line(words).file("io500.ini", text);
    let (ended, folder) = cli.end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let rows = ended.stdout.lines().skip(1).map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        (words[1], words[3])
    });
    let expected = [
        ("ior-easy-write", "GiB/s"),
        ("mdtest-easy-write", "kIOPS"),
        ("ior-hard-write", "GiB/s"),
        ("mdtest-hard-write", "kIOPS"),
        ("ior-easy-read", "GiB/s"),
        ("mdtest-easy-stat", "kIOPS"),
        ("ior-hard-read", "GiB/s"),
        ("mdtest-hard-stat", "kIOPS"),
        ("mdtest-easy-delete", "kIOPS"),
        ("mdtest-hard-read", "kIOPS"),
        ("mdtest-hard-delete", "kIOPS"),
    ];
    assert_eq!(rows.collect::<Vec<_>>(), expected);
    let left = std::fs::read_dir(folder.path()).expect("the folder");
    let left = left.map(|file| file.expect("a file").file_name());
    assert_eq!(left.collect::<Vec<_>>(), ["io500.ini"]);
}
