//! The commands that fio's jobs have run around them.

use crate::command::Cli;
use rustix::process::Signal;
use serde_json::{Value, json};
use std::path::Path;

const JOBS: &str = "\
[global]
ioengine=null
size=64k
[a]
exec_prerun=echo one && echo two >&2
exec_postrun=echo over && false
numjobs=2
[b]
exec_prerun=echo no && exit 3
exec_postrun=echo never
[c]
stonewall
exec_prerun=echo 3 > own.txt
";

/// The files of a folder with what is in them, but for those named.
fn files(folder: &Path, but: &[&str]) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(folder).expect("the folder");
    let read = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        Some((name.into_owned(), std::fs::read_to_string(&path).ok()?))
    };
    let all = entries.filter_map(read);
    let mut all: Vec<_> = all
        .filter(|(name, _)| !but.contains(&name.as_str()))
        .collect();
    all.sort();
    all
}

fn told(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let own = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
    pairs.iter().map(own).collect()
}

/// A clone each, before and after; none behind a load that was not made. fio ends with 0 as well.
#[test]
fn commands_are_run_around_their_jobs() {
    let words = ["fio", "a.fio", "--output-format=json", "--output=out.json"];
    let folder = Cli::new(words).file("a.fio", JOBS).check(0, "", "");
    let expected = [
        ("a.postrun.txt", "over\nover\n"),
        ("a.prerun.txt", "one\ntwo\none\ntwo\n"),
        ("b.prerun.txt", "no\n"),
        ("c.prerun.txt", ""),
        ("own.txt", "3\n"),
    ];
    let found = files(folder.path(), &["a.fio", "out.json"]);
    let is_mixed = |(name, text): &(String, String)| name == "a.prerun.txt" && text.len() == 16;
    let mixed = found.iter().filter(|one| is_mixed(one)).count();
    // Those of two clones go there at once.
    let apart = |all: Vec<(String, String)>| {
        let rest = all.into_iter().filter(|one| !is_mixed(one));
        rest.collect::<Vec<_>>()
    };
    assert_eq!((mixed, apart(found)), (1, apart(told(&expected))));
    let document = crate::document::read(&folder.path().join("out.json"));
    let row = |job: &Value| json!([job["jobname"], job["error"], job["read"]["total_ios"]]);
    let rows: Vec<Value> = document["jobs"]
        .as_array()
        .expect("jobs")
        .iter()
        .map(row)
        .collect();
    let expected = json!([["a", 0, 16], ["a", 0, 16], ["b", 0, 0], ["c", 0, 16]]);
    assert_eq!(Value::from(rows), expected);
    let caveats = document["fathom"]["caveats"].as_array().expect("caveats");
    let left_out = caveats.iter().filter(|one| one["code"] == "job_left_out");
    let left_out: Vec<&Value> = left_out.map(|one| &one["message"]).collect();
    let why = "nothing of it was run: its exec_prerun failed: exit status 3";
    assert_eq!(left_out, [&json!(why)]);
    // What is there from an earlier run is emptied.
    let words = [
        "fio",
        "a.fio",
        "--section=b",
        "--notes",
        "--minimal",
        "--output=b.txt",
    ];
    let (ended, folder) = Cli::in_folder(folder, words).end();
    assert_eq!(ended.status, Some(0));
    let note = "note: the job b is not run: its exec_prerun failed: exit status 3";
    assert_eq!(ended.stderr.lines().filter(|line| *line == note).count(), 1);
    let text = std::fs::read_to_string(folder.path().join("b.prerun.txt")).expect("it is there");
    assert_eq!(text, "no\n");
}

/// A job that was left out has no part in the form for people, as with fio.
#[test]
fn the_form_for_people_names_the_files() {
    let (ended, _) = Cli::new(["fio", "a.fio"]).file("a.fio", JOBS).end();
    assert_eq!(ended.status, Some(0));
    let lines = ended.stdout.lines();
    let named = lines.filter_map(|line| match line.split_once(": (groupid=") {
        Some((name, _)) => Some(name),
        None => line.contains(" : Saving ").then_some(line),
    });
    let mut named: Vec<&str> = named.collect();
    named.sort_unstable();
    let expected = [
        "a",
        "a",
        "a : Saving output of postrun in a.postrun.txt",
        "a : Saving output of postrun in a.postrun.txt",
        "a : Saving output of prerun in a.prerun.txt",
        "a : Saving output of prerun in a.prerun.txt",
        "b : Saving output of prerun in b.prerun.txt",
        "c",
        "c : Saving output of prerun in c.prerun.txt",
    ];
    assert_eq!(named, expected);
}

/// Whoever only looks at an input, or has another host run it, has no command run.
#[test]
fn nothing_is_run_by_who_only_reads() {
    let jobs = "[a]\nioengine=null\nsize=64k\nexec_prerun=echo x > own.txt\n";
    let looks: [&[&str]; 6] = [
        &["fio", "a.fio", "--parse-only"],
        &["fio", "a.fio", "--showcmd"],
        &["fio", "a.fio", "--print"],
        &["convert", "a.fio", "--to", "native"],
        &["convert", "a.fio", "--to", "fio"],
        &["convert", "a.fio", "--to", "diskspd", "--lossy"],
    ];
    for words in looks {
        let (ended, folder) = Cli::new(words).file("a.fio", jobs).end();
        assert_eq!((words, ended.status), (words, Some(0)), "{}", ended.stderr);
        assert_eq!(files(folder.path(), &["a.fio"]), [], "{words:?}");
    }
    let elsewhere = "\
error: commands of a job file are not run on other hosts
  because: they are for this machine, and who asks for a load there is to run no more
  try:     without exec_prerun and exec_postrun, or by the shell that calls fathom
";
    for option in ["--client=localhost", "--hosts=localhost"] {
        let cli = Cli::new(["fio", "a.fio", option]).file("a.fio", jobs);
        let folder = cli.check(2, "", elsewhere);
        assert_eq!(files(folder.path(), &["a.fio"]), []);
    }
    let refused = "\
error: `exec_prerun` of the job `a` may write anything
 --> a.fio:4:1
  |
4 | exec_prerun=echo x > own.txt
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  = help: without --readonly, or run by the shell that calls fathom
";
    let cli = Cli::new(["fio", "a.fio", "--readonly"]).file("a.fio", jobs);
    let folder = cli.check(2, "", refused);
    assert_eq!(files(folder.path(), &["a.fio"]), []);
}

/// What a command says does not go over what is measured, or is no file.
#[test]
fn files_of_commands_pass_the_door() {
    let jobs = "[a]\nfilename=a.prerun.txt\nrw=read\nioengine=psync\nexec_prerun=echo x\n";
    let cli = Cli::new(["fio", "a.fio"]).file("a.fio", jobs);
    let cli = cli.file("a.prerun.txt", [7; 4096]);
    let folder = cli.check(
        2,
        "",
        "\
error: cannot write what exec_prerun says to a.prerun.txt
  because: it is a target of the run
  try:     another file
",
    );
    let content = std::fs::read(folder.path().join("a.prerun.txt")).expect("it is there");
    assert_eq!(content, [7; 4096]);
}

/// Who ends a run ends the command that it waits for, and its load is not made.
#[test]
fn an_end_does_not_wait_for_a_command() {
    let jobs = "[a]\nioengine=null\nsize=64k\nexec_prerun=touch begun && exec sleep 600\n\
                exec_postrun=echo over\n";
    let running = Cli::new(["fio", "a.fio", "--output=o.txt"])
        .file("a.fio", jobs)
        .start();
    while !running.path("begun").exists() {
        std::thread::yield_now();
    }
    running.send(Signal::TERM);
    let (ended, folder) = running.end();
    assert_eq!(
        (ended.status, ended.signal),
        (Some(130), None),
        "{}",
        ended.stderr
    );
    let found = files(folder.path(), &["a.fio", "begun", "o.txt"]);
    assert_eq!(found, told(&[("a.prerun.txt", "")]));
}
