//! `fathom compare` and `fathom ab`, on the simulator: virtual time, exact numbers.

use crate::command::Cli;
use serde_json::Value;
use tempfile::TempDir;

/// Slow storage, so that two seconds of it are few requests.
const RUN: &str = "run random-read-4k --engine sim --warm-up 0 --interval 100ms --quiet";

/// A result in the folder.
fn made(folder: TempDir, name: &str, more: &str) -> TempDir {
    let line = format!("{RUN} --time 1s --output json:{name}.json{more}");
    Cli::line_in(folder, &line).check(0, "", "")
}

fn two(more: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    made(made(folder, "a", " --sim-service-time 1ms"), "b", more)
}

/// What it prints, with the ids of runs taken out.
#[track_caller]
fn answer(folder: TempDir, line: &str, status: i32) -> String {
    let (ended, _) = Cli::line_in(folder, line).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(status), ""));
    let is_id = |word: &str| word.len() > 29 && word.as_bytes()[8] == b'T';
    let lines = ended.stdout.lines().map(|line| {
        let words = line
            .split(' ')
            .map(|word| if is_id(word) { "ID," } else { word });
        words.collect::<Vec<_>>().join(" ") + "\n"
    });
    lines.collect()
}

#[test]
fn what_asks_for_something_else_is_not_compared() {
    let expected = "warning     simulated: no storage was measured
A           a.json: ID, simulated, QUALIFIED
B           b.json: ID, simulated, QUALIFIED

NOT \
                    COMPARABLE
            mix of main/random-read-4k: 100.0 % read 4 KiB 100% \
                    random in A, 100.0 % read 8 KiB 100%
            random in B.
try         \
                    --factor NAME for a setting under test that may differ, or --force to compare \
                    anyway

                    number               A           B   B/A 95.0 % \
                    interval p verdict
main/random-read-4k read iops  31,968 IOPS 31,968 IOPS 0.0 \
                    % -0.4 % … +0.4 %   NOT COMPARABLE
                    read mean      1.00 ms     \
                    1.00 ms 0.0 %   0.0 % … 0.0 %   · not comparable
                    read p50       \
                    1.00 ms     1.00 ms 0.0 %   0.0 % … 0.0 %   · not comparable
                    \
                    read p90       1.00 ms     1.00 ms 0.0 %   0.0 % … 0.0 %   · not comparable
                    \
                    read p95       1.00 ms     1.00 ms 0.0 %   0.0 % … 0.0 %   · not comparable
                    \
                    read p99       1.00 ms     1.00 ms 0.0 %   0.0 % … 0.0 %   · not comparable
                    \
                    read p99.9     1.00 ms     1.00 ms 0.0 %   0.0 % … 0.0 %   · not comparable
";
    assert_eq!(
        answer(
            two(" --sim-service-time 1ms --block-size 8KiB"),
            "compare a.json b.json --full",
            6
        ),
        expected
    );
}

#[test]
fn one_run_each_is_suspect() {
    let line = "compare a.json b.json --metric iops,p50 --output csv";
    let found = answer(two(" --sim-service-time 1100us"), line, 0);
    let verdicts: Vec<String> = found
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            [cells[4], cells[5], cells[14]].join(" ")
        })
        .collect();
    let expected = [
        "metric declared verdict",
        "iops true SLOWER",
        "mean false SLOWER",
        "p50 true SLOWER",
        "p90 false SLOWER",
        "p95 false SLOWER",
        "p99 false SLOWER",
        "p99.9 false SLOWER",
    ];
    assert_eq!(verdicts, expected);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let cases = [
        (
            "compare a.json",
            "error: there is only one run
  try:     add a second one, or several per side as in \
             `compare A1 A2 -- B1 B2`
",
        ),
        (
            "compare a.json b.json --factor colour",
            "\
error: invalid value 'colour' for '--factor <NAME>': the factors are state, origin, profile, \
declared, engine, host, device, target, target-size, load-model, mix, span, access, threads, \
queue-depth, durability, data, verify, stop, end, duration, warm-up, kernel, version, \
engine-flags, scheduler, \
mount-options, write-cache, machine, processors, memory, io-limits, mount-source, queue, link, \
clock, network
  try:     `fathom compare --help`
",
        ),
        (
            "ab --a devices --b devices",
            "error: --a is not a command line
  because: it has use another command: run, quick, \
             fio and diskspd
  try:     a command as in \"run ms-oltp --target /data\"
",
        ),
    ];
    for (line, stderr) in cases {
        Cli::line(line).check(2, "", stderr);
    }
}

/// `fathom ab` of two simulated volumes.
fn ab(a: &str, b: &str, more: &[&str]) -> Cli {
    let side = |time: &str| format!("{RUN} --time 100ms --sim-service-time {time}");
    let (a, b) = (side(a), side(b));
    let words = ["ab", "--seed", "1", "--a", &a, "--b", &b, "--output", "csv"];
    Cli::new(words.iter().chain(more))
}

#[test]
fn pairs_are_made_until_it_can_be_told() {
    let (ended, _) = ab("1ms", "1010us", &["--metric", "p50"]).end();
    let pairs: Vec<&str> = ended
        .stderr
        .lines()
        .filter(|line| line.starts_with("pair"))
        .filter_map(|line| line.get(..22))
        .collect();
    let expected: Vec<String> = (1..=8)
        .map(|pair| format!("pair {pair} of at most 24  "))
        .collect();
    let expected: Vec<&str> = expected.iter().filter_map(|line| line.get(..22)).collect();
    assert_eq!((ended.status, pairs), (Some(0), expected));
}

/// A document that a command prints.
#[track_caller]
fn document(folder: TempDir, line: &str) -> (Value, TempDir) {
    let (ended, folder) = Cli::line_in(folder, line).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    (serde_json::from_str(&ended.stdout).expect("JSON"), folder)
}

#[test]
fn a_tag_is_all_its_runs() {
    let mut folder = tempfile::tempdir().expect("a folder");
    let tags = ["before", "before", "after", "after", "after"];
    for (number, tag) in tags.iter().enumerate() {
        let more = format!(" --store h.db --tag {tag} --tag all");
        folder = made(folder, &number.to_string(), &more);
    }
    let compare = "compare tag:before tag:after --store h.db --output json";
    let (comparison, folder) = document(folder, compare);
    let runs = |side: usize| comparison["sides"][side]["runs"].as_array().expect("runs");
    assert_eq!((runs(0).len(), runs(1).len()), (2, 3));
    // To be shown, a tag is its latest run.
    let (shown, folder) = document(folder, "show tag:before --store h.db --output json");
    assert_eq!(shown["run_id"], runs(0)[1]["run_id"]);
    let none = "error: no run of the history is called tag:nothing\n  try:     `fathom history` \
                lists the runs\n";
    let line = "compare tag:before tag:nothing --store h.db";
    Cli::line_in(folder, line).check(2, "", none);
}

#[test]
fn the_runs_of_both_sides_are_kept_and_no_others() {
    let more = ["--pairs-max", "6", "--quiet", "--metric", "p50"];
    let side = |time: &str| format!("{RUN} --time 100ms --sim-service-time {time} --store h.db");
    let (a, b) = (side("1ms"), side("1010us"));
    let words = ["ab", "--seed", "1", "--a", &a, "--b", &b, "--output", "csv"];
    let (ended, folder) = Cli::new(words.iter().chain(&more)).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let (list, _) = document(folder, "history --store h.db --json");
    let list = list["runs"].as_array().expect("a list");
    let of_side = |end: &str| {
        let tagged = |run: &&Value| {
            let tag = run["tags"][0].as_str().unwrap_or_default();
            tag.starts_with("ab:") && tag.ends_with(end)
        };
        list.iter().filter(tagged).count()
    };
    assert_eq!((of_side("/a"), of_side("/b"), list.len()), (6, 6, 12));
}

#[test]
fn the_gate_has_an_exit_status_for_each_outcome() {
    let gate = ["--gate", "5%", "--quiet"];
    let outcome = |b: &str| {
        let (ended, _) = ab("1ms", b, &gate).end();
        (ended.status, ended.stderr)
    };
    assert_eq!(outcome("1ms"), (Some(0), "gate 5.0 %: pass\n".to_owned()));
    let (status, told) = outcome("1100us");
    let begin = "gate 5.0 %: REGRESSION: main/random-read-4k read iops is worse by +9.1 % (";
    assert_eq!((status, told.get(..begin.len())), (Some(1), Some(begin)));
}

/// Runs of a side, alike but for their seeds.
fn several(mut folder: TempDir, side: &str, service: &str) -> TempDir {
    for number in 0..5 {
        let more = format!(" --sim-service-time {service} --seed {number}");
        folder = made(folder, &format!("{side}{number}"), &more);
    }
    folder
}

#[test]
fn the_gate_of_stored_runs_has_an_exit_status_for_each_outcome() {
    let sides =
        "a0.json a1.json a2.json a3.json a4.json -- b0.json b1.json b2.json b3.json b4.json";
    let outcome = |service: &str, gate: &str, format: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = several(several(folder, "a", "1ms"), "b", service);
        let line = format!("compare --metric p50 --gate {gate} --output {format} {sides}");
        let (ended, _) = Cli::line_in(folder, &line).end();
        (ended.status, ended.stdout)
    };
    let (status, json) = outcome("1100us", "5%", "json");
    let told: Value = serde_json::from_str(&json).expect("JSON");
    let gate = &told["gate"];
    let found = (&gate["outcome"], &gate["rows"][0]["metric"]);
    assert_eq!(
        (status, found),
        (Some(1), (&"regression".into(), &"p50".into()))
    );
    let (status, xml) = outcome("1100us", "5%", "junit");
    assert_eq!(status, Some(1));
    let failures = xml
        .lines()
        .filter(|line| line.contains("<failure message=\"B takes 10.0 % more"));
    assert_eq!(failures.count(), 1, "{xml}");
    assert_eq!(outcome("1010us", "5%", "brief").0, Some(0));
    let (status, text) = outcome("1048us", "5%", "markdown");
    let gate = text.lines().find(|line| line.starts_with("**gate"));
    assert_eq!((status, gate), (Some(0), Some("**gate 5.0 %: pass**")));
}

#[test]
fn one_run_each_decides_no_gate() {
    let told = |service: &str| {
        let folder = two(&format!(" --sim-service-time {service}"));
        let line = "compare a.json b.json --metric p50 --gate 5% --output markdown";
        let ended = Cli::line_in(folder, line).end().0;
        let gate = ended.stdout.lines().find(|line| line.starts_with("**gate"));
        (ended.status, gate.unwrap_or_default().to_owned())
    };
    let why = "**gate 5.0 %: undecided: undecided: one run of each side does not show the \
               variation between runs; about 8 runs of each side would be enough**";
    for service in ["2ms", "1200us", "1ms"] {
        assert_eq!(told(service), (Some(5), why.to_owned()), "{service}");
    }
}

/// A run that is SUSPECT leaves the question open, with a gate and without; what differs beside it
/// is no question.
#[test]
fn a_doubtful_run_leaves_the_question_open() {
    let status = |edit: &str, line: &str| {
        let folder = two(&format!(" --sim-service-time 1ms{edit}"));
        let path = folder.path().join("b.json");
        let text = std::fs::read_to_string(&path).expect("a result");
        let mut result: Value = serde_json::from_str(&text).expect("JSON");
        result["state"] = "suspect".into();
        std::fs::write(&path, result.to_string()).expect("a result");
        Cli::line_in(folder, line).end().0.status
    };
    let lines = [
        "compare a.json b.json",
        "compare a.json b.json --gate 5%",
        "compare a.json b.json --gate 5% --force",
    ];
    assert_eq!(lines.map(|line| status("", line)), [Some(5); 3]);
    let other = " --block-size 8KiB";
    assert_eq!(
        lines.map(|line| status(other, line)),
        [Some(6), Some(6), Some(5)]
    );
}
