//! Every front end on many hosts: the same options, and members that stay for all that a command
//! measures.

use crate::command::{Cli, Ended, words};
use crate::document;
use crate::executable::write_script;
use serde_json::Value;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// What stands in for ssh: it notes the host, and runs the command here.
const SSH: &str = "#!/bin/sh\necho $1 >>\"$0.calls\"; shift; exec \"$@\"\n";
/// A short load on a file of the page cache; long enough for a machine that is busy.
const LOAD: &str = "--engine psync --no-direct --size 1MiB --time 1s \
                    --warm-up 0s --no-save --quiet";

/// A folder with the stand-in and a place to measure.
pub(crate) struct StandIn(TempDir);

impl StandIn {
    pub(crate) fn new() -> Self {
        let place = Self(tempfile::tempdir().expect("a folder"));
        write_script(&place.ssh(), SSH);
        std::fs::create_dir(place.target()).expect("a folder");
        place
    }

    pub(crate) fn ssh(&self) -> PathBuf {
        self.0.path().join("stand-in")
    }

    pub(crate) fn target(&self) -> PathBuf {
        self.0.path().join("data")
    }

    /// The options of two hosts.
    pub(crate) fn hosts(&self) -> Vec<String> {
        let ssh = self.ssh().display().to_string();
        let program = env!("CARGO_BIN_EXE_fathom");
        let options = ["--hosts", "a[1-2]", "--ssh", &ssh, "--fathom", program];
        options.map(str::to_owned).to_vec()
    }

    /// What is left where it was measured.
    pub(crate) fn left(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.target()).expect("the folder");
        let names = entries.flatten();
        let mut names: Vec<String> = names
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// The hosts that were reached, once for each time.
    fn calls(&self) -> Vec<String> {
        let calls = self.0.path().join("stand-in.calls");
        let text = std::fs::read_to_string(calls).expect("calls");
        let mut hosts: Vec<String> = text.lines().map(str::to_owned).collect();
        hosts.sort();
        hosts
    }
}

fn ended(line: &str, place: &StandIn, options: &str) -> (Ended, TempDir) {
    Cli::new([words(line), place.hosts(), words(options)].concat()).end()
}

/// Two members that finished, and sums that are those of the members in every phase.
fn adds_up(document: &Value, phases: usize) {
    let members = document["cluster"]["members"].as_array().expect("members");
    let states: Vec<&Value> = members.iter().map(|one| &one["state"]).collect();
    assert_eq!(states, ["finished", "finished"]);
    let found = document["phases"].as_array().expect("phases");
    assert_eq!(found.len(), phases);
    assert_eq!(
        document["cluster"]["phases"].as_array().map(Vec::len),
        Some(phases)
    );
    for (number, phase) in found.iter().enumerate() {
        let ops = ["read", "write", "flush", "trim"].into_iter();
        let total: u64 = ops
            .filter_map(|op| phase["jobs"][0][op]["ios"].as_u64())
            .sum();
        let each = members.iter();
        let sum: u64 = each
            .filter_map(|one| one["phases"][number]["ios"].as_u64())
            .sum();
        assert!(
            total > 0 && total == sum,
            "phase {number}: {total} of {sum}"
        );
    }
}

fn read(folder: &TempDir, name: &str) -> Value {
    document::read(&folder.path().join(name))
}

#[test]
fn members_stay_for_all_workloads_of_a_run() {
    let place = StandIn::new();
    let target = place.target().display().to_string();
    let words = format!("run random-read-4k random-write-4k --target {target}");
    let output = format!("{LOAD} --output json:{{name}}.json");
    let (ended, folder) = ended(&words, &place, &output);
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    adds_up(&read(&folder, "random-read-4k.json"), 1);
    adds_up(&read(&folder, "random-write-4k.json"), 1);
    assert_eq!(place.calls(), ["a1", "a2"]);
    assert!(place.left().is_empty(), "{:?}", place.left());
}

#[test]
fn quick_measures_the_directory_of_each_host() {
    let place = StandIn::new();
    let target = place.target().display().to_string();
    let output = format!("{LOAD} --output json:quick.json");
    let (ended, folder) = ended(&format!("quick {target}"), &place, &output);
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    adds_up(&read(&folder, "quick.json"), 7);
    assert!(place.left().is_empty(), "{:?}", place.left());
}

#[test]
fn a_ramp_climbs_its_steps_on_all_hosts_at_once() {
    let place = StandIn::new();
    let target = place.target().display().to_string();
    let words = format!(
        "ramp random-read-4k --target {target} --over threads --to 2 --step 200ms --engine psync \
         --no-direct --size 1MiB --warm-up 1s --no-save"
    );
    let (ended, folder) = ended(&words, &place, "--output json:ramp.json");
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let document = read(&folder, "ramp.json");
    let steps = document["ramp"]["steps"].as_array().expect("steps").len();
    assert!(steps >= 2, "{steps}");
    let starts = ended.stderr.lines();
    let starts = starts.filter(|line| line.contains(" starts in "));
    let numbers = starts.filter_map(|line| line.split(' ').nth(1)?.parse::<usize>().ok());
    assert_eq!(numbers.collect::<Vec<_>>(), (1..=steps).collect::<Vec<_>>());
    adds_up(&document, steps);
    let threads: Vec<u64> = document["phases"]
        .as_array()
        .expect("phases")
        .iter()
        .filter_map(|phase| phase["jobs"][0]["threads"].as_u64())
        .collect();
    assert_eq!(threads[..2], [2, 4], "of two members");
    assert_eq!(place.calls(), ["a1", "a2"]);
    assert!(place.left().is_empty(), "{:?}", place.left());
}

/// The same, but that the second host goes at the first step that is not its first.
const SSH_THAT_DIES: &str = "#!/bin/sh\nhost=$1; shift\n[ $host = a1 ] && exec \"$@\"\n\
                             exec 3<&0; \"$@\" <&3 & member=$!\n\
                             while [ ! -e \"$0.goes\" ]; do sleep 0.02; done\nkill -9 $member\n";

#[test]
fn a_ramp_that_loses_a_host_keeps_the_steps_before() {
    let place = StandIn::new();
    write_script(&place.ssh(), SSH_THAT_DIES);
    let target = place.target().display().to_string();
    let words = "--over threads --to 64 --step 300ms --engine psync --no-direct --size 1MiB \
                 --warm-up 1s --no-save --output json:ramp.json";
    let words = ["ramp", "random-read-4k", "--target", &target]
        .into_iter()
        .chain(words.split_whitespace());
    let words = words.map(str::to_owned).chain(place.hosts());
    let mut running = Cli::new(words).start();
    for _ in 0..2 {
        running.wait_for_line("next is ");
    }
    std::fs::write(place.ssh().with_extension("goes"), "").expect("a sign");
    let (ended, folder) = running.end();
    assert_eq!(ended.status, Some(7), "{}", ended.stderr);
    let document = read(&folder, "ramp.json");
    let members = document["cluster"]["members"].as_array().expect("members");
    let states: Vec<_> = members.iter().map(|one| one["state"].as_str()).collect();
    assert_eq!(states, [Some("finished"), Some("lost")]);
    let caveats = document["caveats"].as_array().expect("caveats");
    let early = caveats.iter().filter(|one| one["code"] == "interrupted");
    let early: Vec<_> = early
        .map(|one| (one["level"].as_str(), one["message"].as_str()))
        .collect();
    let message = "it ended before threads-2: 1 of 2 members are missing";
    assert_eq!(early, [(Some("qualified"), Some(message))]);
    let steps = document["phases"].as_array().expect("phases").len();
    assert_eq!(steps, 1);
}

#[test]
fn each_host_has_files_of_its_own_in_one_directory() {
    let place = StandIn::new();
    let target = place.target().display().to_string();
    let words = format!("run mdtest --target {target} --files 300");
    let more = "--threads 2 --no-save --quiet --output json:out.json";
    let (ended, folder) = ended(&words, &place, more);
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let document = read(&folder, "out.json");
    let phases = document["phases"].as_array().expect("phases");
    let done = |(phase, op): (&Value, &str)| phase["jobs"][0][op]["ios"].as_u64();
    let done: Vec<_> = phases
        .iter()
        .zip(["create", "stat", "read", "unlink"])
        .map(done)
        .collect();
    assert_eq!(
        done,
        [Some(1200); 4],
        "2 hosts, 2 threads of each, 300 files of each"
    );
    assert!(place.left().is_empty(), "{:?}", place.left());
}

#[test]
fn a_suite_is_measured_by_the_same_members_throughout() {
    let place = StandIn::new();
    let target = place.target().display().to_string();
    let suite = "name = \"two\"\ndescription = \"two\"\n[[run]]\nworkload = \"random-read-4k\"\n\
                 [[run]]\nworkload = \"random-write-4k\"\n";
    let file = place.0.path().join("two.toml");
    std::fs::write(&file, suite).expect("a suite");
    let file = file.display().to_string();
    let words = format!("suite {file} --target {target} --into kept");
    let (ended, folder) = ended(&words, &place, LOAD);
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    adds_up(&read(&folder, "kept/pass01-001-random-read-4k.json"), 1);
    adds_up(&read(&folder, "kept/pass01-002-random-write-4k.json"), 1);
    assert_eq!(place.calls(), ["a1", "a2"]);
    assert!(place.left().is_empty(), "{:?}", place.left());
    // Others are not added to what these have measured.
    let alone = Cli::line_in(folder, format!("{words} {LOAD}"));
    let ended = alone.end().0;
    let because = ended.stderr.lines().nth(1).map(str::trim);
    let expected = Some("because: it was begun with --hosts a1,a2");
    assert_eq!((ended.status, because), (Some(4), expected));
}

/// fio's words for two clients.
fn fio(place: &StandIn, words: &[&str]) -> (Ended, TempDir) {
    let ssh = format!("--ssh={}", place.ssh().display());
    let fathom = format!("--fathom={}", env!("CARGO_BIN_EXE_fathom"));
    let directory = format!("--directory={}", place.target().display());
    let begin = format!("fio --client=a1 --client=ip:a2 {ssh} {fathom} --name=r");
    let load = format!(
        "--rw=randread --bs=4k --size=1m --time_based --runtime=1 --ioengine=psync --no-save \
         {directory}"
    );
    let words = words.iter().copied();
    Cli::new(begin.split(' ').chain(load.split(' ')).chain(words)).end()
}

#[test]
fn clients_of_fio_are_hosts_with_files_of_their_own() {
    let place = StandIn::new();
    let (ended, _folder) = fio(&place, &["--output-format=json"]);
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let document: Value = serde_json::from_str(&ended.stdout).expect("fio's JSON");
    let rows = document["client_stats"].as_array().expect("rows");
    let told = |key: &str| rows.iter().map(|row| row[key].clone()).collect::<Vec<_>>();
    assert_eq!(told("jobname"), ["r", "r", "All clients"]);
    assert_eq!(told("hostname"), ["a1", "a2", "a2"]);
    let ios = |row: &Value| row["read"]["total_ios"].as_u64().expect("a number");
    let ios: Vec<u64> = rows.iter().map(ios).collect();
    assert_eq!(ios[0] + ios[1], ios[2]);
    assert!(ios[0] > 0 && ios[1] > 0, "{ios:?}");
    assert_eq!(place.left(), ["a1.r.0.0", "a2.r.0.0"]);
}

#[test]
fn what_many_hosts_cannot_tell_is_refused_to_fio() {
    let place = StandIn::new();
    for (words, said) in [
        (
            &["--write_iolog=log"][..],
            "error: traces of requests are not supported with several hosts\n  because: they do \
             not travel to where the results of all are\n  try:     without write_iolog; \
             write_lat_log and the like are\n",
        ),
        (
            &["--status-interval=1"],
            "error: many hosts report at the end\n  because: they do not travel to where the \
             results of all are\n  try:     without --status-interval\n",
        ),
        (
            &["--per-host=none"],
            "error: the options of many hosts do not fit\n  because: invalid value 'none' for \
             '--per-host <N>': expected a whole number\n",
        ),
    ] {
        let (ended, _folder) = fio(&place, words);
        assert_eq!((ended.status, ended.stderr.as_str()), (Some(2), said));
    }
    assert!(!Path::new(&place.0.path().join("stand-in.calls")).exists());
}

#[test]
fn standard_input_is_the_job_file_of_all_clients_or_of_none() {
    let two = ["fio", "--client=a1", "a.fio", "--client=a2", "-"];
    let (ended, _folder) = Cli::new(two).file("a.fio", "[a]\nsize=1m\n").end();
    let words = "--client=a1 a.fio --client=a2 -";
    let said = format!(
        "error: standard input is read once, and not all clients have the same job files\n --> \
         command line:1:1\n  |\n1 | {words}\n  | {}\n  = help: a file in the place of -\n",
        "^".repeat(words.len())
    );
    assert_eq!((ended.status, ended.stderr), (Some(2), said));
}

#[test]
fn devices_of_all_hosts_are_one_view() {
    let place = StandIn::new();
    let words = "watch --json --interval 100ms --count 1";
    let (ended, _folder) = ended(words, &place, "");
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let moments = ended.stdout.lines().skip(1);
    let moments = moments.map(|line| serde_json::from_str::<Value>(line).expect("a moment"));
    let mut hosts = std::collections::BTreeSet::new();
    for moment in moments {
        let devices = moment["devices"].as_array().expect("devices");
        let names = devices.iter().filter_map(|one| one["device"].as_str());
        let host = |name: &str| name.split(':').next().map(str::to_owned);
        hosts.extend(names.filter_map(host));
    }
    let hosts: Vec<&str> = hosts.iter().map(String::as_str).collect();
    assert_eq!(hosts, ["a1", "a2"]);
}

#[test]
fn a_host_that_cannot_be_watched_is_named() {
    let words = "watch --hosts a1 --ssh echo --count 3 --json";
    let (ended, _folder) = Cli::new(words.split(' ').chain(["--interval", "100ms"])).end();
    assert_eq!(
        (ended.status, ended.stderr.as_str()),
        (
            Some(4),
            "a1 is no longer watched: instead of fathom, this answered: `a1 fathom watch --json \
             --interval 100000000ns`\nerror: no host is watched any longer\n  because: the \
             messages of each host are above\n"
        )
    );
}

/// As ssh does it: a shell of the host reads the words. Its folder for temporary files is below.
const SSH_WITH_A_SHELL: &str = "#!/bin/sh\nhost=$1; shift\n\
                                [ $host = down ] && { echo no route to it >&2; exit 255; }\n\
                                mkdir -p \"$0.tmp\"; export TMPDIR=\"$0.tmp\"\n\
                                exec sh -c \"$*\"\n";

#[test]
fn the_program_is_brought_to_hosts_and_goes_with_the_measurement() {
    let place = StandIn::new();
    for script in [SSH, SSH_WITH_A_SHELL] {
        write_script(&place.ssh(), script);
        let target = place.target().display().to_string();
        let (ssh, temporary) = (place.ssh(), place.ssh().with_extension("tmp"));
        std::fs::create_dir_all(&temporary).expect("a folder");
        let words = ["run", "random-read-4k", "--target", &target, "--push"]
            .into_iter()
            .chain(LOAD.split(' '))
            .map(str::to_owned)
            .chain(["--hosts", "a[1-2]", "--per-host", "2", "--ssh"].map(str::to_owned))
            .chain([ssh.display().to_string()])
            .chain(["--output", "json:out.json"].map(str::to_owned));
        let cli = Cli::new(words).with("TMPDIR", &temporary.display().to_string());
        let (ended, folder) = cli.end();
        assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
        let document = read(&folder, "out.json");
        let members = document["cluster"]["members"].as_array().expect("members");
        let states = members.iter().filter_map(|one| one["state"].as_str());
        assert_eq!(states.collect::<Vec<_>>(), ["finished"; 4]);
        let left = std::fs::read_dir(&temporary).expect("the folder").count();
        assert_eq!(left, 0, "copies are left in {}", temporary.display());
        assert!(place.left().is_empty(), "{:?}", place.left());
    }
}

#[test]
fn a_host_that_takes_no_copy_is_named() {
    let place = StandIn::new();
    write_script(&place.ssh(), SSH_WITH_A_SHELL);
    let target = place.target().display().to_string();
    let (ssh, temporary) = (place.ssh(), place.ssh().with_extension("tmp"));
    let program = place.0.path().join("program");
    write_script(&program, "#!/no/such/shell\n");
    let ended = |push: &str, hosts: &str, more: &[&str]| {
        let words = [
            "run",
            "random-read-4k",
            "--target",
            &target,
            push,
            "--hosts",
        ]
        .into_iter()
        .chain([hosts, "--ssh", ssh.to_str().expect("a plain path")])
        .chain(LOAD.split(' '))
        .chain(more.iter().copied());
        Cli::new(words).end().0
    };
    let error = |why: &str| {
        format!(
            "error: cannot copy fathom to all hosts\n  because: {why}\n  try:     use --push=FILE \
             with a static program for their architecture, or --fathom COMMAND\n"
        )
    };
    let down = ended("--push", "a1,down", &[]);
    let expected = error("down: no route to it");
    assert_eq!((down.status, down.stderr), (Some(4), expected));

    let word = format!("--push={}", program.display());
    let foreign = ended(&word, "a1", &[]);
    assert_eq!(foreign.status, Some(4), "{}", foreign.stderr);
    let left = std::fs::read_dir(&temporary).expect("the folder").count();
    assert_eq!(left, 0, "copies are left in {}", temporary.display());

    let others = ended("--push", "a1,down", &["--allow-missing"]);
    let line = "down (rank 1) is missing: no route to it\n";
    assert_eq!((others.status, others.stderr.as_str()), (Some(7), line));
    let left = std::fs::read_dir(&temporary).expect("the folder").count();
    assert_eq!(left, 0, "copies are left in {}", temporary.display());
}

#[test]
fn tasks_of_all_hosts_fill_one_file_in_turns() {
    let place = StandIn::new();
    let file = place.target().join("hard");
    let name = file.display().to_string();
    let own = ["--no-save", "--quiet", "--tasks", "3"];
    let words = "-w -k -t 3k -b 6k -s 4 -o".split(' ');
    let hosts = place.hosts();
    let given = hosts.iter().map(String::as_str);
    let line: Vec<&str> = ["ior"]
        .into_iter()
        .chain(given)
        .chain(own)
        .chain(words)
        .chain([name.as_str()])
        .collect();
    let ended = Cli::new(line).end().0;
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let bytes = std::fs::read(&file).expect("the file");
    let blocks = bytes.chunks(6 << 10);
    // Each says which task has written it, and by what stamp.
    let words = |block: &[u8]| block.as_chunks::<8>().0[..2].to_vec();
    let expected = |task: u64| {
        [task << 32 | 1, task << 32 | 2]
            .map(u64::to_le_bytes)
            .to_vec()
    };
    let found: Vec<_> = blocks.map(words).collect();
    let tasks = (0..4).flat_map(|_| (0..6).map(expected));
    assert_eq!(found, tasks.collect::<Vec<_>>());
}

/// The answer to a call of IOR on two hosts, and the place with what it kept.
fn ior(words: &str) -> (Ended, StandIn) {
    ior_in(StandIn::new(), words)
}

/// The same in a place that is there.
pub(crate) fn ior_in(place: StandIn, words: &str) -> (Ended, StandIn) {
    let name = place.target().join("file").display().to_string();
    let own = ["--no-save", "--quiet"];
    let hosts = place.hosts();
    let words = ["ior"]
        .into_iter()
        .chain(hosts.iter().map(String::as_str))
        .chain(own)
        .chain(words.split(' '))
        .chain(["-o", &name]);
    let ended = Cli::new(words.collect::<Vec<_>>()).end().0;
    (ended, place)
}

#[test]
fn a_host_may_have_hundreds_of_tasks() {
    let (ended, place) = ior("--tasks 200 -F -w -r -k -t 4k -b 4k");
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let rows = ended.stdout.lines();
    let rows = rows.filter_map(|line| line.split_once(':'));
    let of = |name: &str| rows.clone().find(|(key, _)| key.trim() == name);
    let said =
        ["nodes", "tasks", "aggregate filesize"].map(|name| of(name).map(|one| one.1.trim()));
    assert_eq!(said, [Some("2"), Some("400"), Some("1.56 MiB")]);
    let phases = ended
        .stdout
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    let phases = phases
        .filter(|word| ["write", "read"].contains(word))
        .count();
    assert_eq!(phases, 4, "a row and a summary of each: {}", ended.stdout);
    assert_eq!(place.left().len(), 400);
}

#[test]
fn members_of_one_host_are_one_node() {
    let (ended, _) = ior("--per-host 2 --tasks 3 -w -t 4k -b 4k");
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let rows = ended.stdout.lines();
    let rows = rows.filter_map(|line| line.split_once(':'));
    let of = |name: &str| rows.clone().find(|(key, _)| key.trim() == name);
    let said = ["nodes", "tasks", "clients per node"].map(|name| of(name).map(|one| one.1.trim()));
    assert_eq!(said, [Some("2"), Some("12"), Some("6")]);
}

#[test]
fn more_tasks_than_a_member_reports_are_refused_before_anybody_is_called() {
    let (ended, place) = ior("--tasks 513 -w -t 4k -b 4k");
    let said = "error: several hosts cannot run this measurement together\n  because: a phase has \
                513 jobs, but a member reports at most 512; use fewer jobs (tasks) per member, and \
                more members per host: --per-host\n  try:     use one host, or another workload\n";
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(2), said));
    let calls = place.ssh().with_extension("calls");
    assert!(!calls.exists(), "somebody was called");
}

/// It runs the command here until there is a sign; then its member is killed. Called once more it
/// runs the command as it is, or on a host that is `down` by then does not.
pub(crate) const SSH_THAT_KILLS: &str = "#!/bin/sh\nhost=$1; shift\n\
     if [ -e \"$0.killed\" ]; then [ $host = down ] && exit 255; exec \"$@\"; fi\n\
     [ $host = a2 ] && exec \"$@\"\n\
     exec 3<&0; \"$@\" <&3 & member=$!\n\
     while [ ! -e \"$0.goes\" ]; do sleep 0.02; done\n\
     touch \"$0.killed\"; kill -9 $member\n";

/// What is said of a run whose first member is killed while it measures, and what is left of it.
fn killed(hosts: &str) -> (Ended, StandIn) {
    let place = StandIn::new();
    write_script(&place.ssh(), SSH_THAT_KILLS);
    std::fs::write(place.target().join("fathom.mine"), "mine").expect("a file");
    let (ssh, target) = (
        place.ssh().display().to_string(),
        place.target().display().to_string(),
    );
    let words = "run random-read-4k --time 2s --interval 200ms --warm-up 0s --engine psync \
                 --no-direct --size 1MiB --no-save";
    let program = env!("CARGO_BIN_EXE_fathom");
    let hosts = ["--hosts", hosts, "--ssh", &ssh, "--fathom", program];
    let words = words.split_whitespace().chain(hosts);
    let mut running = Cli::new(words.chain(["--target", &target])).start();
    running.wait_for_line("[1/1 main ");
    std::fs::write(place.ssh().with_extension("goes"), "").expect("a sign");
    (running.end().0, place)
}

/// The lines that tell what is left.
fn told_left(ended: &Ended) -> Vec<&str> {
    let lines = ended.stderr.lines();
    lines
        .filter(|line| line.contains(" left what it made"))
        .collect()
}

#[test]
fn what_a_killed_member_made_is_removed_by_another_on_its_machine() {
    let (ended, place) = killed("a[1-2]");
    assert_eq!(ended.status, Some(7), "{}", ended.stderr);
    assert_eq!(
        (told_left(&ended), place.left()),
        (vec![], vec!["fathom.mine".to_owned()])
    );
}

#[test]
fn what_the_only_member_of_a_host_made_is_removed_when_it_is_called_once_more() {
    let (ended, place) = killed("a1");
    assert_eq!(ended.status, Some(7), "{}", ended.stderr);
    assert_eq!(
        (told_left(&ended), place.left()),
        (vec![], vec!["fathom.mine".to_owned()])
    );
}

#[test]
fn what_nobody_can_remove_is_named() {
    let (ended, place) = killed("down");
    assert_eq!(ended.status, Some(7), "{}", ended.stderr);
    assert_eq!(place.left(), ["fathom.0", "fathom.mine"]);
    let said = format!(
        "down (rank 0) left what it made: fathom clean {}/fathom.0, on its host",
        place.target().display()
    );
    assert_eq!(told_left(&ended), [said]);
}

#[test]
fn a_host_reads_and_checks_what_the_next_one_has_written() {
    let (ended, place) = ior("--tasks 2 -F -C -w -r -R -k -t 4k -b 16k");
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let names: Vec<String> = (0..2)
        .flat_map(|task| (0..2).map(move |rank| format!("file.{task:08}.{rank}")))
        .collect();
    assert_eq!(place.left(), names);
    let (ended, place) = ior("--tasks 2 -C -w -r -R -k -t 4k -b 16k");
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    assert_eq!(place.left(), ["file"]);
}

#[test]
fn directories_of_all_hosts_are_counted_as_mdtest_does() {
    let place = StandIn::new();
    let target = place.target().display().to_string();
    let hosts = place.hosts();
    let words = ["mdtest", "--no-save", "--quiet", "--tasks", "3"];
    let own = "-D -C -T -r -n 100 -d".split(' ');
    let words = words
        .into_iter()
        .chain(hosts.iter().map(String::as_str))
        .chain(own)
        .chain([target.as_str()]);
    let ended = Cli::new(words.collect::<Vec<_>>()).end().0;
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let lines = ended.stdout.lines();
    let told: Vec<&str> = lines
        .clone()
        .filter(|line| line.contains(" task"))
        .collect();
    let launched = "mdtest was launched with 6 total task(s) on 2 node(s)";
    assert_eq!(told, [launched, "6 tasks, 600 directories"]);
    let rows = lines.filter_map(|line| line.trim().split_once("  "));
    let rows: Vec<&str> = rows
        .map(|(name, _)| name)
        .filter(|name| name.starts_with("Directory"))
        .collect();
    let phases = ["Directory creation", "Directory stat", "Directory removal"];
    assert_eq!(rows, [phases, phases].concat());
    assert!(place.left().is_empty(), "{:?}", place.left());
}
