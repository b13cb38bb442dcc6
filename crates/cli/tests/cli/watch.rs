//! `fathom watch`.

use crate::command::Cli;
use crate::privileged::{LoopDevice, is_root};
use crate::tracefs::with_events;
use fathom_testing::skip;
use fathom_tools::recordings;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

const IOSTAT: &str = "\
Linux 6.1.0 (db1) \t11/21/26 \t_x86_64_\t(2 CPU)

11/21/26 15:00:00
Device            r/s     rkB/s   r_await     w/s     wkB/s   w_await  aqu-sz  %util
sda              1.00      4.00      0.50    0.00      0.00      0.00    0.10   1.00

11/21/26 15:00:01
Device            r/s     rkB/s   r_await     w/s     wkB/s   w_await  aqu-sz  %util
sda            100.00    400.00      0.50   10.00    640.00      2.00    4.60  99.00

";

#[test]
fn the_text_of_iostat_is_shown_with_what_misleads() {
    let shown = include_str!("watch-iostat.txt");
    Cli::new(["watch", "--read", "sda.txt"])
        .file("sda.txt", IOSTAT)
        .check(0, shown, "");
}

#[test]
fn a_recorded_explanation_of_slow_requests_is_shown() {
    let head = "{\"fathom_recording\":1,\"tool\":\"fathom 1\"}\n";
    let moment = "{\"at\":\"2026-11-21T15:00:10Z\",\"length_ns\":10000000000,\"devices\":[]";
    let blame = "\"blame\":{\"reason\":\"the kernel lost 12 events\",\"lost_events\":12,\
                 \"share_looked_at\":1.0}";
    let with = format!("{head}{moment},{blame}}}\n");
    let shown = "recorded by fathom 1\n\nuntil 2026-11-21T15:00:10Z: cannot tell what the slowest \
                 requests waited for:\n  the kernel lost 12 events\n";
    Cli::new(["watch", "--read", "r.json"])
        .file("r.json", with)
        .check(0, shown, "");
    let without = format!("{head}{moment}}}\n");
    let shown = "recorded by fathom 1\n\nno explanation of slow requests was recorded; record \
                 with --blame\n";
    Cli::new(["watch", "--read", "r.json", "--blame"])
        .file("r.json", without)
        .check(0, shown, "");
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let nothing = "error: cannot watch no-such-disk
  because: there is no such device and no such \
                   file
  try:     use a name or path from `fathom devices`, or a file on a device
";
    Cli::new(["watch", "no-such-disk"]).check(4, "", nothing);
    let unknown = "\
error: sda.txt has no device sdb
  try:     one of sda
";
    Cli::new(["watch", "--read", "sda.txt", "sdb"])
        .file("sda.txt", IOSTAT)
        .check(2, "", unknown);
    let there = "error: cannot record to sda.txt
  because: the file exists (425 bytes)
  try:     \
                 use another name; a recording is never overwritten
";
    Cli::new(["watch", "--record", "sda.txt"])
        .file("sda.txt", IOSTAT)
        .check(4, "", there);
}

#[test]
fn a_recording_is_kept_in_the_history() {
    let history = |words: &[&str]| {
        let words = ["watch"].iter().chain(words).chain(&["--store", "h.db"]);
        words.map(|word| (*word).to_owned()).collect::<Vec<_>>()
    };
    let keep = history(&[
        "--keep",
        "night",
        "--interval",
        "100ms",
        "--count",
        "2",
        "--json",
    ]);
    let (ended, folder) = Cli::new(&keep).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let printed = recordings::read(&ended.stdout, "output").expect("a recording");
    let shown = history(&["--read", "recording:night", "--json"]);
    let (shown, folder) = Cli::in_folder(folder, shown).end();
    let kept: serde_json::Value = serde_json::from_str(&shown.stdout).expect("JSON");
    assert_eq!(kept, serde_json::to_value(&printed).expect("JSON"));
    let (list, folder) = Cli::in_folder(folder, history(&["--recordings", "--json"])).end();
    let list = crate::document::listed(&list.stdout, "recordings");
    let found = (&list[0]["name"], &list[0]["moments"], list.len());
    assert_eq!(found, (&"night".into(), &2.into(), 1));
    let store = folder.path().join("h.db");
    // Without requests meanwhile there is no load in either, and both are refused.
    let need = Cli::in_folder(folder, ["need", "recording:night", "--json"]);
    let (of_kept, folder) = need.with_history(&store).end();
    let need = Cli::in_folder(folder, ["need", "night.json", "--json"]);
    let (of_file, folder) = need.file("night.json", &ended.stdout).end();
    let of_file_as_kept = of_file.stderr.replace("night.json", "recording:night");
    assert_eq!(
        (of_kept.status, of_kept.stdout, of_kept.stderr),
        (of_file.status, of_file.stdout, of_file_as_kept)
    );
    let taken = "error: a recording night exists already\n  try:     use another name, or --forget \
                 NAME first\n";
    let folder = Cli::in_folder(folder, keep).check(2, "", taken);
    let folder = Cli::in_folder(folder, history(&["--forget", "night"])).check(0, "", "");
    let none = "error: the history has no recording night\n  try:     `fathom watch --recordings` \
                lists them\n";
    let folder = Cli::in_folder(folder, history(&["--forget", "night"])).check(2, "", none);
    let folder = Cli::in_folder(folder, history(&["--read", "recording:night"])).check(2, "", none);
    let empty = "there are no recordings\n";
    Cli::in_folder(folder, history(&["--recordings"])).check(0, empty, "");
}

/// A program that looks at a device and says what it did in an interval.
struct Monitor {
    child: Child,
    /// What it has printed, as far as it was read.
    text: String,
    rest: BufReader<ChildStdout>,
}

impl Monitor {
    /// None where there is no such program.
    fn start(program: &Path, words: &[&str]) -> Option<Self> {
        let mut command = Command::new(program);
        command
            .args(words)
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(error) => {
                skip(format_args!("{}: {error}", program.display()));
                return None;
            }
        };
        let rest = BufReader::new(child.stdout.take().expect("a pipe"));
        Some(Self {
            child,
            text: String::new(),
            rest,
        })
    }

    /// Waits until it has printed a line that begins so.
    fn has_said(&mut self, begin: &str) {
        let before = self.text.len();
        while !self.text[before..]
            .lines()
            .any(|line| line.starts_with(begin))
        {
            let read = self.rest.read_line(&mut self.text).expect("UTF-8");
            assert!(read > 0, "it ended before `{begin}`: {}", self.text);
        }
    }

    fn is_looking(&mut self) -> bool {
        self.child.try_wait().expect("it is ours").is_none()
    }

    /// All that it has printed when it ends.
    fn text(mut self) -> String {
        self.rest.read_to_string(&mut self.text).expect("UTF-8");
        self.child.wait().expect("it ends");
        self.text
    }
}

/// Counters of a device that the kernel shows: reads, sectors read, writes, sectors written.
fn counters(device: &str) -> [u64; 4] {
    let text = std::fs::read_to_string(format!("/sys/block/{device}/stat")).expect("it is there");
    let words: Vec<u64> = text
        .split_whitespace()
        .map(|word| word.parse().expect("a number"))
        .collect();
    [words[0], words[2], words[4], words[6]]
}

/// The figures of the last sample: rates of requests and bytes, queue and utilisation, which are
/// shares of its length, and then the awaits, which are none.
fn figures(text: &str) -> ([f64; 6], [f64; 2], Option<f64>) {
    let recording = recordings::read(text, "output").expect("a recording");
    let [series] = recording.devices.as_slice() else {
        panic!("one device: {recording:?}");
    };
    let sample = series.samples.last().expect("a sample");
    let used = "both directions were used";
    let shares = [
        sample.reads_per_second,
        Some(sample.read_bytes_per_second),
        sample.writes_per_second,
        Some(sample.written_bytes_per_second),
        sample.queue_depth,
        sample.busy_percent,
    ];
    let awaits = [sample.read_await_ms, sample.write_await_ms];
    let length_s = sample.length_ns.map(|length| length as f64 / 1e9);
    (
        shares.map(|share| share.expect(used)),
        awaits.map(|one| one.expect(used)),
        length_s,
    )
}

/// What both monitors say of one load, and what the kernel counted; none where the machine was so
/// slow that the load did not lie within their interval.
fn of_one_load(node: &str, seconds: u64) -> Option<[String; 2]> {
    let name = node.trim_start_matches("/dev/");
    let interval = seconds.to_string();
    // The first report is of the time since the start of the machine: iostat has looked by then.
    let mut theirs =
        Monitor::start(Path::new("iostat"), &["-dx", name, &interval, "2"]).expect("it was there");
    let seconds = format!("{seconds}s");
    let words = [
        "watch",
        "--json",
        "--interval",
        &seconds,
        "--count",
        "1",
        name,
    ];
    let fathom = Path::new(env!("CARGO_BIN_EXE_fathom"));
    let mut ours = Monitor::start(fathom, &words).expect("it is built");
    theirs.has_said(name);
    ours.has_said("{");
    let before = counters(name);
    let load = format!(
        "run random-mixed-8k --target {node} --destroy {node} --engine psync --time 2s --warm-up \
         0s --no-live"
    );
    let (ended, _folder) = Cli::line(&load).end();
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let encloses = theirs.is_looking() && ours.is_looking();
    let after = counters(name);
    let (ours, theirs) = (ours.text(), theirs.text());
    let (shares, _, length_s) = figures(&ours);
    let length_s = length_s.expect("we say how long it was");
    let bytes = [1.0, 512.0, 1.0, 512.0];
    let is_all = (0..4).all(|index| {
        let counted = (after[index] - before[index]) as f64 * bytes[index];
        (shares[index] * length_s - counted).abs() <= counted * 1e-6
    });
    (encloses && is_all).then_some([ours, theirs])
}

#[test]
fn the_numbers_are_those_of_iostat() {
    if !is_root("a loop device") {
        return;
    }
    let Some(device) = LoopDevice::new(64 << 20) else {
        return;
    };
    let node = device.path.to_string_lossy().into_owned();
    // Only whether it is there.
    let Some(iostat) = Monitor::start(Path::new("iostat"), &["-V"]) else {
        return;
    };
    drop(iostat.text());
    let mut lengths = [6, 12, 24, 48].into_iter();
    let said = lengths.find_map(|seconds| of_one_load(&node, seconds));
    let [ours, theirs] = said.expect("an interval with all that the kernel counted of the load");
    let (our_shares, our_awaits, _) = figures(&ours);
    let (their_shares, their_awaits, _) = figures(&theirs);
    // Two programs are never woken after exactly the same time: all that is a share of the interval
    // differs by one factor, that of its length.
    let longer = our_shares[0] / their_shares[0];
    let pairs = our_shares.into_iter().zip(their_shares);
    let pairs = pairs.map(|(our, their)| (our, their * longer));
    let pairs = pairs.chain(our_awaits.into_iter().zip(their_awaits));
    for (index, (our, their)) in pairs.enumerate() {
        // iostat prints two decimals: of KiB where we have bytes.
        let digits = if index == 1 || index == 3 {
            10.24
        } else {
            0.01
        };
        let apart = (our - their).abs();
        assert!(
            apart <= their * 0.002 + digits * longer.max(1.0),
            "{index}: {our} beside iostat's {their}"
        );
    }
}

/// A monitor of a device that sees block events; none where there are none.
fn tracing_monitor(device: &str) -> Option<Monitor> {
    let script = with_events("exec \"$@\"");
    let fathom = env!("CARGO_BIN_EXE_fathom");
    let words = ["-m", "sh", "-c", &script, "sh", fathom, "watch", "--json"];
    let words: Vec<&str> = words
        .into_iter()
        .chain(["--interval", "1s", "--count", "1", device])
        .collect();
    Monitor::start(Path::new("unshare"), &words)
}

#[test]
fn the_block_trace_tells_which_process_uses_which_device() {
    if !is_root("a loop device and tracefs") {
        return;
    }
    let Some(device) = LoopDevice::new(16 << 20) else {
        return;
    };
    let node = device.path.to_string_lossy().into_owned();
    let name = node.trim_start_matches("/dev/").to_owned();
    let Some(mut monitor) = tracing_monitor(&name) else {
        return;
    };
    let to = format!("of={node}");
    // Somebody writes for as long as somebody looks.
    while monitor.is_looking() {
        let mut dd = Command::new("dd");
        dd.args(["if=/dev/zero", &to, "bs=4k", "count=2000", "oflag=direct"]);
        let ended = dd.stderr(Stdio::null()).status().expect("there is a dd");
        assert!(ended.success());
    }
    let text = monitor.text();
    let Some(line) = text.lines().nth(1) else {
        skip("no tracefs can be mounted");
        return;
    };
    let moment: serde_json::Value = serde_json::from_str(line).expect("JSON");
    if moment["block_trace"].is_null() {
        skip("this kernel traces no block events");
        return;
    }
    let processes = moment["processes"].as_array().expect("processes");
    let mut writers = Vec::new();
    for one in processes {
        for to in one["devices"].as_array().into_iter().flatten() {
            let written = to["written_bytes_per_second"].as_f64().expect("a rate");
            writers.push((one["name"].as_str(), to["device"].as_str(), written > 0.0));
        }
    }
    writers.dedup();
    // One that has ended by the look still has the name that it had.
    assert_eq!(writers, [(Some("dd"), Some(name.as_str()), true)], "{line}");
}
