//! `fathom watch`.

use crate::command::Cli;
use crate::privileged::{LoopDevice, is_root, skip};
use fathom_core::recording::Recording;
use fathom_tools::recordings;
use std::path::Path;
use std::process::{Child, Command, Stdio};

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
fn what_cannot_be_watched_is_refused() {
    let nothing = "\
error: cannot watch no-such-disk
  because: there is no such device and no such file
  try:     a name or node of `fathom devices`, or a file on one of them
";
    Cli::new(["watch", "no-such-disk"]).check(4, "", nothing);
    let unknown = "\
error: sda.txt has no device sdb
  try:     one of sda
";
    Cli::new(["watch", "--read", "sda.txt", "sdb"])
        .file("sda.txt", IOSTAT)
        .check(2, "", unknown);
    let there = "\
error: cannot record to sda.txt
  because: the file exists (425 bytes)
  try:     another name; a recording is not written over
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
    let taken = "error: there is a recording night already\n  try:     another name, or --forget \
                 NAME first\n";
    let folder = Cli::in_folder(folder, keep).check(2, "", taken);
    let folder = Cli::in_folder(folder, history(&["--forget", "night"])).check(0, "", "");
    let none = "error: the history has no recording night\n  try:     `fathom watch --recordings` \
                lists them\n";
    let folder = Cli::in_folder(folder, history(&["--forget", "night"])).check(2, "", none);
    let folder = Cli::in_folder(folder, history(&["--read", "recording:night"])).check(2, "", none);
    let empty = "no recording has been kept yet\n";
    Cli::in_folder(folder, history(&["--recordings"])).check(0, empty, "");
}

/// Starts a monitor whose only interval encloses the load.
fn monitor(program: &Path, words: &[&str]) -> Option<Child> {
    let mut command = Command::new(program);
    command
        .args(words)
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    match command.spawn() {
        Ok(child) => Some(child),
        Err(error) => {
            skip(&format!("{}: {error}", program.display()));
            None
        }
    }
}

fn recorded(monitor: Child) -> Recording {
    let output = monitor.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    recordings::read(&text, "output").expect("a recording")
}

/// The figures of the only sample: rates, bytes, awaits, queue, utilisation.
fn figures(recording: &Recording) -> [f64; 8] {
    let [series] = recording.devices.as_slice() else {
        panic!("one device: {recording:?}");
    };
    let sample = series.samples.last().expect("a sample");
    [
        sample.reads_per_second,
        sample.writes_per_second,
        Some(sample.read_bytes_per_second),
        Some(sample.written_bytes_per_second),
        sample.read_await_ms,
        sample.write_await_ms,
        sample.queue_depth,
        sample.busy_percent,
    ]
    .map(|figure| figure.expect("both directions were used"))
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
    let name = node.trim_start_matches("/dev/").to_owned();
    let Some(theirs) = monitor(Path::new("iostat"), &["-dxy", &name, "6", "1"]) else {
        return;
    };
    let words = ["watch", "--json", "--interval", "6s", "--count", "1", &name];
    let ours = monitor(Path::new(env!("CARGO_BIN_EXE_fathom")), &words).expect("it is built");
    let load = [
        "run",
        "random-mixed-8k",
        "--target",
        &node,
        "--destroy",
        &node,
        "--engine",
        "psync",
        "--time",
        "2s",
        "--warm-up",
        "0s",
        "--no-live",
    ];
    let (ended, _folder) = Cli::new(load).end();
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let (ours, theirs) = (figures(&recorded(ours)), figures(&recorded(theirs)));
    for (index, (our, their)) in ours.into_iter().zip(theirs).enumerate() {
        // iostat prints two decimals: of KiB where we have bytes.
        let digits = if index == 2 || index == 3 {
            10.24
        } else {
            0.01
        };
        let apart = (our - their).abs();
        assert!(
            apart <= their * 0.01 + digits,
            "{index}: {our} beside iostat's {their}"
        );
    }
}

/// A monitor of a device with a tracefs that nobody else sees; none where there is none.
fn tracing_monitor(device: &str) -> Option<Child> {
    let script = "mount -t tracefs none /sys/kernel/tracing || exit 77\nexec \"$@\"";
    let fathom = env!("CARGO_BIN_EXE_fathom");
    let words = ["-m", "sh", "-c", script, "sh", fathom, "watch", "--json"];
    let words: Vec<&str> = words
        .into_iter()
        .chain(["--interval", "1s", "--count", "1", device])
        .collect();
    monitor(Path::new("unshare"), &words)
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
    while monitor.try_wait().expect("it is ours").is_none() {
        let mut dd = Command::new("dd");
        dd.args(["if=/dev/zero", &to, "bs=4k", "count=2000", "oflag=direct"]);
        let ended = dd.stderr(Stdio::null()).status().expect("there is a dd");
        assert!(ended.success());
    }
    let output = monitor.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
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
