//! Results that are sent to where they are collected, and those that wait.

use crate::command::{Cli, Ended};
use crate::executable::write_script;
use fathom_core::result::RunResult;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const RUN: &str = "run random-read-4k --engine sim --time 100ms --warm-up 0";

/// Runs the words with a history in the folder, and gives what came out with the run's id as ID.
fn end(folder: TempDir, words: &str, environment: &[(&str, &str)]) -> (Ended, TempDir) {
    let history = folder.path().join("h.db");
    let cli = Cli::line_in(folder, words).with_history(&history);
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
    let words = format!("{RUN} --quiet --deliver {first}");
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
    let (shown, _) = end(folder, "show @latest --json", &[]);
    assert_eq!(shown.stdout, arrived.replace(id, "ID"));
}

#[test]
fn what_does_not_arrive_waits_and_the_run_keeps_its_status() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("later");
    let url = format!("file://{}", place.display());
    let words = format!("{RUN} --quiet --deliver {url}");
    let (ended, folder) = end(folder, &words, &[]);
    let refused = "warning: ID is not delivered to file://DIR/later\n  because: DIR/later is not a \
                   folder\n  try:     mkdir -p DIR/later\n1 result not delivered: kept in the \
                   history, fathom deliver --pending\n";
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), refused));
    let (listed, folder) = end(folder, "deliver --list", &[]);
    let (head, cause) = listed.stdout.split_once('\n').expect("two lines");
    let (head, since) = head.split_once("  since ").expect("an instant");
    assert_eq!(
        (head, &since[20..], cause),
        (
            "ID  file://DIR/later",
            ", tried 1 time",
            "    DIR/later is not a folder\n"
        )
    );
    let (ended, folder) = end(folder, "deliver --pending", &[]);
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(4), refused));
    fs::create_dir(&place).expect("a folder");
    let (ended, folder) = end(folder, "deliver --pending", &[]);
    let arrived = "delivered: ID in DIR/later\n";
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), arrived));
    let (ended, _) = end(folder, "deliver --pending", &[]);
    let nothing = "no result is queued for delivery\n";
    assert_eq!((ended.status, ended.stdout.as_str()), (Some(0), nothing));
}

#[test]
fn a_run_of_the_history_goes_anywhere_or_is_given_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let words = format!("{RUN} --quiet");
    let (_, folder) = end(folder, &words, &[]);
    let (ended, folder) = end(folder, "deliver @latest usb:nowhere", &[]);
    let refused = "warning: ID is not delivered to usb:nowhere\n  because: no mounted stick has a \
                   file fathom-nowhere.stick\n  try:     mount the stick, and create \
                   fathom-nowhere.stick in its top directory\n1 result not delivered: kept in the \
                   history, fathom deliver --pending\n";
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(4), refused));
    for gone in [
        "1 place removed from the queue\n",
        "0 places removed from the queue\n",
    ] {
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
    let words = format!("{RUN} --deliver ftp://anna:hush@ftp.example/in/");
    let (ended, _) = end(folder, &words, &[]);
    let refused = "error: a place for results cannot be used\n  because: a password on a command \
                   line is seen by everybody who lists processes\n  try:     add a line to \
                   ~/.netrc: machine ftp.example login anna password …\n";
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
    let words = format!(
        "suite two.toml --engine sim --time 100ms --warm-up 0 --into runs --quiet --deliver {url}"
    );
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
    let words = format!("{RUN} --quiet --deliver {url}");
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
    let note = "note: 2 files without a result skipped\n";
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

/// Programs of OpenSSH that copy to a folder of this machine, whatever the host, and say how they
/// were called. Of a file whose name ends as `FATHOM_CUT` says only a part is copied.
const SCP: &str = "#!/bin/sh\necho \"scp $*\" >> \"$FATHOM_CALLS\"\n\
    for last; do from=$to; to=$last; done\n\
    case \"$from\" in *.\"${FATHOM_CUT:-/}\") printf part > \"${to#*:}\"; exit 1;; esac\n\
    exec cp \"$from\" \"${to#*:}\"\n";
const SSH: &str = "#!/bin/sh\necho \"ssh $*\" >> \"$FATHOM_CALLS\"\n\
    for last; do :; done\nexec sh -c \"$last\"\n";
const SFTP: &str = "#!/bin/sh\necho \"sftp $*\" >> \"$FATHOM_CALLS\"\n\
    while read -r word one two; do eval \"set -- $one $two\"\n\
    case $word in -rm) rm -f \"$1\"; continue;; put) case \"$1\" in \
    *.\"${FATHOM_CUT:-/}\") printf part > \"$2\"; exit 1;; esac; cp \"$1\" \"$2\";; \
    rename) mv \"$1\" \"$2\";; esac || exit 1; done\n";

/// Puts them into the folder `bin`, and gives a path that finds them first.
fn programs_of_ssh(folder: &Path) -> String {
    let programs = folder.join("bin");
    fs::create_dir(&programs).expect("a folder");
    for (name, text) in [("scp", SCP), ("ssh", SSH), ("sftp", SFTP)] {
        write_script(&programs.join(name), text);
    }
    format!("{}:/usr/bin:/bin", programs.display())
}

#[test]
fn the_programs_of_ssh_are_called_without_questions() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("in");
    fs::create_dir(&place).expect("a folder");
    let path = programs_of_ssh(folder.path());
    let calls = folder.path().join("calls").display().to_string();
    let words = format!("{RUN} --quiet");
    let (_, folder) = end(folder, &words, &[]);
    let id = ids(folder.path()).remove(0);
    let environment = [("FATHOM_CALLS", calls.as_str()), ("PATH", path.as_str())];
    let mut folder = folder;
    for (url, times) in [
        (format!("ssh://anna@lab:2222{}", place.display()), 4),
        (format!("sftp://lab{}/", place.display()), 1),
    ] {
        let (ended, again) = end(folder, &format!("deliver @latest {url}"), &environment);
        folder = again;
        assert_eq!(
            (ended.status, names(&place, &id).len()),
            (Some(0), 3),
            "{ended:?}"
        );
        let called = fs::read_to_string(&calls).expect("it was called");
        assert_eq!(called.lines().count(), times);
        let asks_nobody = called.lines().all(|line| {
            line.contains(" -o BatchMode=yes ") && line.contains(" -o ConnectTimeout=30 ")
        });
        assert!(asks_nobody, "{called}");
        fs::remove_file(&calls).expect("it is there");
    }
    // What cannot be copied waits.
    let gone = format!("sftp://lab{}/gone/", place.display());
    let (ended, folder) = end(folder, &format!("deliver @latest {gone}"), &environment);
    assert_eq!(ended.status, Some(4));
    // And a run that waits is not pruned.
    let (ended, _) = end(folder, "prune --keep 0 --yes", &[]);
    assert_eq!(ended.stdout, "no run has to go\n");
}

#[test]
fn what_is_cut_on_its_way_leaves_no_part() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("in");
    fs::create_dir(&place).expect("a folder");
    let path = programs_of_ssh(folder.path());
    let calls = folder.path().join("calls").display().to_string();
    let words = format!("{RUN} --quiet");
    let (_, mut folder) = end(folder, &words, &[]);
    let id = ids(folder.path()).remove(0);
    let environment = [
        ("FATHOM_CALLS", calls.as_str()),
        ("PATH", path.as_str()),
        ("FATHOM_CUT", "html"),
    ];
    // By sftp each file has its name before the next begins; what was whole stays.
    for (scheme, whole) in [("ssh", 0), ("sftp", 1)] {
        let url = format!("{scheme}://lab{}/", place.display());
        let (ended, again) = end(folder, &format!("deliver @latest {url}"), &environment);
        folder = again;
        let there = names(&place, &id);
        let parts = there.iter().filter(|name| name.starts_with('.'));
        assert_eq!(
            (ended.status, there.len(), parts.count()),
            (Some(4), whole, 0),
            "{scheme}: {there:?}"
        );
    }
}

/// One that says when it begins with the first file, and goes on when it is told to.
const PATIENT_SCP: &str = "#!/bin/sh\nfor last; do from=$to; to=$last; done\n\
    if mkdir \"$FATHOM_CALLS/first\" 2> /dev/null; then\n\
    echo > \"$FATHOM_CALLS/begun\"; read -r _ < \"$FATHOM_CALLS/go\"; fi\n\
    echo > \"$FATHOM_CALLS/$$\"; exec cp \"$from\" \"${to#*:}\"\n";

#[test]
fn two_that_send_what_waits_do_not_send_it_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let (place, calls) = (folder.path().join("in"), folder.path().join("calls"));
    let path = programs_of_ssh(folder.path());
    write_script(&folder.path().join("bin/scp"), PATIENT_SCP);
    fs::create_dir(&calls).expect("a folder");
    let url = format!("ssh://lab{}/", place.display());
    let words = format!("{RUN} --quiet --deliver {url}");
    let (_, folder) = end(folder, &words, &[("PATH", "/nowhere")]);
    fs::create_dir(&place).expect("a folder");
    let pipes = ["begun", "go"].map(|name| calls.join(name));
    let made = std::process::Command::new("mkfifo").args(&pipes).status();
    assert!(made.expect("mkfifo").success());
    let history = folder.path().join("h.db");
    let pending = || {
        Cli::new(["deliver", "--pending"])
            .with_history(&history)
            .with("PATH", &path)
            .with("FATHOM_CALLS", calls.to_str().expect("a path"))
    };
    let first = pending();
    let first = std::thread::spawn(move || first.end().0);
    fs::read(&pipes[0]).expect("it begins");
    let second = pending().end().0;
    fs::write(&pipes[1], "\n").expect("it waits");
    let first = first.join().expect("it ends");
    let id = ids(folder.path()).remove(0);
    let expected = format!(
        "note: {id} is being sent by another process: {url}\n1 result not delivered: kept in the \
         history, fathom deliver --pending\n"
    );
    assert_eq!((second.status, second.stderr), (Some(4), expected));
    let expected = format!("delivered: {id} in {}/ of lab\n", place.display());
    assert_eq!((first.status, first.stderr), (Some(0), expected));
    // The two pipes, the mark of the first, and a file for each that was copied.
    assert_eq!((names(&place, &id).len(), names(&calls, &id).len()), (3, 6));
}

#[test]
fn nothing_is_made_for_a_suite_that_delivers_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "name = \"one\"\ndescription = \"one\"\nsource = \"none\"\n[[run]]\n\
                workload = \"random-read-4k\"\n";
    fs::write(folder.path().join("one.toml"), text).expect("a suite");
    let words = "suite one.toml --engine sim --time 100ms --warm-up 0 --into runs --quiet \
                 --no-save";
    let history = folder.path().join("made/h.db");
    let (ended, folder) = Cli::line_in(folder, words).with_history(&history).end();
    assert_eq!(ended.status, Some(0));
    assert!(!folder.path().join("made").exists());
}

#[test]
fn both_sides_of_a_comparison_go_after_the_last_pair() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("in");
    fs::create_dir(&place).expect("a folder");
    let url = format!("file://{}", place.display());
    let side = "run random-read-4k --engine sim --time 500ms --warm-up 0 --interval 100ms";
    let other = format!(
        "{side} --store {}",
        folder.path().join("other.db").display()
    );
    let words = format!("ab --a '{side}' --b '{other}' --pairs-max 6 --quiet --deliver {url}");
    let (ended, folder) = end(folder, &words, &[]);
    let arrived = ended.stderr.matches("delivered: ").count();
    assert_eq!((ended.status, arrived), (Some(0), 12), "{}", ended.stderr);
    assert_eq!(fs::read_dir(&place).expect("a folder").count(), 36);
    let unkept = format!("{side} --no-save");
    let words = format!("ab --a '{side}' --b '{unkept}' --deliver {url}");
    let (ended, _) = end(folder, &words, &[]);
    assert_eq!(ended.status, Some(2));
}

#[test]
fn a_damaged_file_does_not_keep_the_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let (place, next) = (folder.path().join("in"), folder.path().join("next"));
    fs::create_dir(&place).expect("a folder");
    fs::create_dir(&next).expect("a folder");
    let url = format!("file://{}", place.display());
    let words = format!("{RUN} --quiet --deliver {url}");
    let (_, folder) = end(folder, &words, &[]);
    fs::write(place.join("cut.gz"), [0x1f, 0x8b, 8, 0, 0]).expect("a file");
    let elsewhere = folder.path().join("elsewhere.db");
    let to = format!("file://{}", next.display());
    for (delivered, expected) in [
        (1, "1 run imported\n"),
        (0, "0 runs imported, 1 known already\n"),
    ] {
        let words = ["import", place.to_str().expect("a path"), "--deliver", &to];
        let (ended, _) = Cli::new(words).with_history(&elsewhere).end();
        assert_eq!((ended.status, ended.stdout.as_str()), (Some(4), expected));
        let damaged = ended.stderr.matches("/cut.gz").count();
        let sent = ended.stderr.matches("delivered: ").count();
        assert_eq!((damaged, sent), (1, delivered), "{}", ended.stderr);
    }
}
