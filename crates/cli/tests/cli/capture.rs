//! `fathom capture`, and what is made of its file.

use crate::command::Cli;
use crate::document::{fields, read};
use crate::privileged::{LoopDevice, is_root};
use crate::tracefs::with_events;
use fathom_capture::file::Tail;
use fathom_capture::{Flags, Reader, Request, Source as _};
use fathom_testing::skip;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// The program with a tracefs that nobody else sees.
struct Capture {
    child: Child,
    /// The program itself.
    program: Pid,
}

/// Says on standard error when the capture records, and waits for its end.
const SCRIPT: &str = "\"$@\" & pid=$!
cd /sys/kernel/tracing/instances
until grep -qs 1 fathom-capture-$pid/events/block/block_rq_complete/enable
do kill -0 $pid || exit 78; done
echo $pid >&2
wait $pid";

impl Capture {
    /// Records what goes to a device until it is ended; none where no tracefs can be mounted.
    fn start(device: &Path, file: &Path, more: &[&str]) -> Option<Self> {
        let mut command = Command::new("unshare");
        let script = with_events(SCRIPT);
        command.args([
            "-m",
            "sh",
            "-c",
            &script,
            "sh",
            env!("CARGO_BIN_EXE_fathom"),
        ]);
        command.args(["capture", "--json", "--device"]).arg(device);
        command.arg("--output").arg(file).args(more);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("there is an unshare");
        let mut said = String::new();
        let stderr = child.stderr.as_mut().expect("a pipe");
        BufReader::new(stderr).read_line(&mut said).expect("text");
        if let Some(program) = said.trim().parse().ok().and_then(Pid::from_raw) {
            return Some(Self { child, program });
        }
        let ended = child.wait().expect("it ends");
        let reason = format!("no block events can be traced: {said} ({ended})");
        assert_eq!(ended.code(), Some(77), "{reason}");
        skip(reason);
        None
    }

    fn signal(&self, signal: Signal) {
        kill_process(self.program, signal).expect("it runs");
    }

    /// Ends it as Ctrl-C does; what it printed.
    fn end(mut self) -> Value {
        self.signal(Signal::TERM);
        let mut text = String::new();
        let stdout = self.child.stdout.as_mut().expect("a pipe");
        stdout.read_to_string(&mut text).expect("text");
        self.child.wait().expect("it ends");
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        // Where a test failed before its end.
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = kill_process(self.program, Signal::TERM);
            let _ = self.child.wait();
        }
    }
}

fn dd(words: &[String]) {
    let mut dd = Command::new("dd");
    let ended = dd.args(words).stderr(Stdio::null()).status();
    assert!(ended.expect("there is a dd").success(), "{words:?}");
}

/// Writes 1,000 blocks of 4 KiB from the begin, and reads 50 of 64 KiB from 32 MiB on.
fn known_load(device: &Path) {
    let node = device.display();
    let write = format!("if=/dev/zero of={node} bs=4k count=1000 oflag=direct conv=notrunc");
    let read = format!("if={node} of=/dev/null bs=64k skip=512 count=50 iflag=direct");
    for line in [write, read] {
        dd(&line.split(' ').map(str::to_owned).collect::<Vec<_>>());
    }
}

/// The sectors and lengths of the known load.
fn known_requests() -> Vec<(u16, u64, u32)> {
    let writes = (0..1000).map(|number| (Flags::WRITE.0, number * 8, 8));
    let reads = (0..50).map(|number| (Flags::READ.0, (32 << 11) + number * 128, 128));
    writes.chain(reads).collect()
}

/// What threads whose names contain a word requested, with the tail of the file.
fn threads(file: &Path, word: &str) -> (Vec<Request>, Option<Tail>) {
    let bytes = std::fs::read(file).expect("a file");
    let mut reader = Reader::open(bytes.as_slice()).expect("a capture");
    let mut found = Vec::new();
    while let Some(chunk) = reader.next_chunk().expect("a capture") {
        let is_of = |request: &Request| reader.tasks()[request.task as usize].name.contains(word);
        found.extend(chunk.into_iter().filter(is_of));
    }
    (found, reader.tail().cloned())
}

fn shape(request: &Request) -> (u16, u64, u32) {
    let direction = request.flags.0 & (Flags::READ.0 | Flags::WRITE.0);
    (
        direction,
        request.offset / 512,
        (request.bytes / 512) as u32,
    )
}

/// Each sector of requests with its direction, in their order.
fn sectors(requests: &[(u16, u64, u32)]) -> Vec<(u16, u64)> {
    let each = |(direction, sector, sectors): &(u16, u64, u32)| {
        let (direction, from) = (*direction, *sector);
        (from..from + u64::from(*sectors)).map(move |sector| (direction, sector))
    };
    let mut all: Vec<_> = requests.iter().flat_map(each).collect();
    all.sort_unstable();
    all
}

/// A loop device, a folder, and a capture of it that records; none where that cannot be.
fn recording(more: &[&str]) -> Option<(LoopDevice, TempDir, Capture)> {
    if !is_root("a loop device and tracefs") {
        return None;
    }
    let device = LoopDevice::new(64 << 20)?;
    let folder = tempfile::tempdir().expect("a folder");
    let capture = Capture::start(&device.path, &folder.path().join("a.capture"), more)?;
    Some((device, folder, capture))
}

#[test]
fn every_request_is_in_the_file() {
    let Some((device, folder, capture)) = recording(&[]) else {
        return;
    };
    known_load(&device.path);
    let printed = capture.end();
    assert_eq!(
        (&printed["state"], &printed["tail"]["lost_events"]),
        (&"valid".into(), &0.into())
    );
    let file = folder.path().join("a.capture");
    let (found, tail) = threads(&file, "dd");
    let shapes: Vec<_> = found.iter().map(shape).collect();
    assert_eq!(shapes, known_requests());
    let without = found.iter().filter(|one| one.service_ns.is_none()).count();
    assert_eq!(
        (
            without,
            tail.expect("a whole file").matched.without_completion
        ),
        (0, 0)
    );
    let words = ["show", "a.capture", "--json"];
    let (shown, folder) = Cli::in_folder(folder, words).end();
    let shown: Value = serde_json::from_str(&shown.stdout).expect("JSON");
    assert_eq!(shown["summary"], printed["summary"]);
    // What was cut is read up to its last whole block.
    let bytes = std::fs::read(&file).expect("a file");
    std::fs::write(folder.path().join("cut"), &bytes[..bytes.len() - 3]).expect("a file");
    let (shown, _folder) = Cli::in_folder(folder, ["show", "cut", "--json"]).end();
    let shown: Value = serde_json::from_str(&shown.stdout).expect("JSON");
    let cut = (
        &shown["state"],
        &shown["tail"],
        &shown["summary"]["requests"],
    );
    let all = &printed["summary"]["requests"];
    assert_eq!(cut, (&"qualified".into(), &Value::Null, all));
}

/// Recorded requests go to the same offsets of another device, and nowhere without `--destroy`.
#[test]
fn a_capture_is_replayed_on_another_device() {
    let Some((device, folder, capture)) = recording(&["--comm", "dd"]) else {
        return;
    };
    known_load(&device.path);
    drop(capture.end());
    let Some(other) = LoopDevice::new(64 << 20) else {
        return;
    };
    let node = other.path.to_string_lossy().into_owned();
    let words = format!("run --replay a.capture --target {node} --no-save --quiet");
    let (refused, folder) = Cli::line_in(folder, &words).end();
    assert_eq!(refused.status, Some(4), "{}", refused.stderr);
    let file = folder.path().join("b.capture");
    let Some(capture) = Capture::start(&other.path, &file, &[]) else {
        return;
    };
    let words = format!("{words} --destroy {node}");
    let (ended, _folder) = Cli::line_in(folder, words).end();
    drop(capture.end());
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    // The kernel may merge neighbours, and its workers issue some: each sector counts once. Before
    // the run, parts of the device are read to find out what it holds.
    let read = 32 << 11..(32 << 11) + 50 * 128;
    let found = threads(&file, "")
        .0
        .into_iter()
        .map(|request| shape(&request));
    let found: Vec<_> = found
        .filter(|(direction, sector, _)| *direction != Flags::READ.0 || read.contains(sector))
        .collect();
    let (mut found, expected) = (sectors(&found), sectors(&known_requests()));
    found.dedup_by(|one, other| one == other && one.0 == Flags::READ.0);
    let differs = found
        .iter()
        .zip(&expected)
        .find(|(one, other)| one != other);
    assert_eq!((differs, found.len()), (None, expected.len()));
}

#[test]
fn a_capture_with_losses_is_qualified() {
    let Some((device, folder, capture)) = recording(&["--buffer", "4KiB"]) else {
        return;
    };
    // Stopped, it reads nothing.
    capture.signal(Signal::STOP);
    known_load(&device.path);
    capture.signal(Signal::CONT);
    let printed = capture.end();
    let lost = printed["tail"]["lost_events"].as_u64().expect("a number");
    assert_eq!(
        (&printed["state"], lost > 500),
        (&"qualified".into(), true),
        "{lost} lost"
    );
    let (shown, _folder) = Cli::in_folder(folder, ["show", "a.capture"]).end();
    let warning = shown
        .stdout
        .lines()
        .find(|line| line.starts_with("QUALIFIED"))
        .expect("a warning")
        .to_owned();
    let expected = format!(
        "QUALIFIED: the kernel lost {} events because its buffers were full. Requests are missing, \
         and some service times. Use a larger --buffer.",
        fathom_core::figure::count(lost)
    );
    assert_eq!(warning, expected);
}

#[test]
fn only_the_requests_of_a_name_are_kept() {
    let Some((device, folder, capture)) = recording(&["--comm", "dd", "--anonymise"]) else {
        return;
    };
    known_load(&device.path);
    let printed = capture.end();
    let bytes = std::fs::read(folder.path().join("a.capture")).expect("a file");
    let mut reader = Reader::open(bytes.as_slice()).expect("a capture");
    let mut found = Vec::new();
    while let Some(chunk) = reader.next_chunk().expect("a capture") {
        found.extend(chunk.iter().map(shape));
    }
    assert_eq!(found, known_requests());
    let names = reader.tasks().iter().map(|task| task.name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["thread-1", "thread-2"]);
    let device = &printed["head"]["devices"][0];
    assert_eq!(
        (&device["name"], &device["number"]),
        (&"disk-1".into(), &"0:1".into())
    );
}

#[test]
fn what_was_before_the_issue_is_in_the_file() {
    let Some((device, folder, capture)) = recording(&["--events", "blame"]) else {
        return;
    };
    known_load(&device.path);
    let printed = capture.end();
    let names = [
        "block_bio_queue",
        "block_getrq",
        "block_rq_insert",
        "block_rq_issue",
        "block_rq_complete",
        "block_rq_requeue",
    ];
    let head = &printed["head"];
    let of = |key: &str| head[key].as_array().cloned().unwrap_or_default();
    let mut all: Vec<Value> = [of("events"), of("missing_events")].concat();
    let mut expected = names.map(Value::from).to_vec();
    all.sort_by_key(Value::to_string);
    expected.sort_by_key(Value::to_string);
    assert_eq!(all, expected);
    let file = folder.path().join("a.capture");
    let (requests, _) = threads(&file, "dd");
    let has_times = |one: &&Request| one.early.queued_ns >= one.early.asked_ns;
    let whole = requests.iter().filter(has_times);
    let whole = whole.filter(|one| one.early.asked_ns.is_some()).count();
    assert_eq!((requests.len(), whole), (1050, 1050));
    let words = ["blame", "a.capture", "--process", "dd", "--json"];
    let (ended, _folder) = Cli::in_folder(folder, words).end();
    let printed: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let blame = &printed["blame"];
    let found = (&blame["owner"]["name"], &blame["time_ns"]["count"]);
    assert_eq!(found, (&"dd".into(), &1050.into()));
}

#[test]
fn what_cannot_be_captured_is_refused() {
    let nothing = "error: cannot capture no-such-disk\n  because: there is no such device and no \
                   such file\n  try:     use a name or path from `fathom devices`, or a file on a \
                   device\n";
    let words = ["capture", "--device", "no-such-disk", "-o", "x"];
    Cli::new(words).check(4, "", nothing);
    let denied = "error: cannot trace block requests\n  because: it is for root\n  try:     as \
                  root, with tracefs mounted by `mount -t tracefs nodev /sys/kernel/tracing`\n";
    let words = ["capture", "--path", ".", "-o", "x"];
    Cli::new(words).without_rights().check(4, "", denied);
    let filtered = "error: --events blame cannot be combined with --pid, --comm or --cgroup\n  \
                    because: the requests of other processes show what a request waited for\n  \
                    try:     drop the filter; `fathom blame FILE --process NAME` selects a \
                    process\n";
    let words = "capture --path . --events blame --comm dd -o x".split(' ');
    Cli::new(words).check(2, "", filtered);
    let words = ["show", "x"];
    let cut = "error: cannot read x\n  because: it ends before its first block\n  try:     a file \
               in one of the formats that docs/capture.md lists\n";
    Cli::new(words)
        .file("x", b"FATHOMRQ\x01\0\0\0H")
        .check(4, "", cut);
}

#[test]
fn a_new_file_is_as_long_as_the_requests_reach() {
    let log = "fio version 2 iolog\nf add\nf open\nf write 0 4096\nf write 1048576 8192\nf close\n";
    let words = "run --replay log --target new.dat --keep --engine psync --no-save --quiet";
    let (ended, folder) = Cli::line(words).file("log", log).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let written = std::fs::metadata(folder.path().join("new.dat")).unwrap();
    assert_eq!(written.len(), 1_056_768);
}

/// A trace of another tool, of those with which its readers are fuzzed.
macro_rules! sample {
    ($name:literal) => {
        include_str!(concat!("../../../../fuzz/corpus/foreign_trace/", $name))
    };
}

#[test]
fn traces_of_other_tools_are_shown() {
    let blkparse = "\
t: 3 requests in 298 µs (10,067 IOPS, 41.2 MB/s, 50.0 % reads, 50.0 % 4 KiB,
  50.0 % 8 KiB)
text of blkparse; requests to 8:16; from 3 threads; all with issue and
  completion
QUALIFIED: left out: 1 event of requests with an unknown operation.

PROCESS    OPERATION  REQUESTS/s  MB/s  MEAN SIZE  COMMON SIZES   SEQUENTIAL  p50  p99
fs-writer  write           3,356  13.7      4 KiB  100.0 % 4 KiB         0 %
reader     read            3,356  27.5      8 KiB  100.0 % 8 KiB         0 %
kworker    flush           3,356
";
    Cli::new(["show", "t"])
        .file("t", sample!("blkparse"))
        .check(0, blkparse, "");
    let msr = "\
t: 2 requests in 10.0 µs (200,000 IOPS, 1,229 MB/s, 50.0 % reads, 50.0 % 4 KiB,
  50.0 % 8 KiB)
CSV of MSR Cambridge; requests to web.0, web.1

PROCESS  OPERATION  REQUESTS/s   MB/s  MEAN SIZE  COMMON SIZES   SEQUENTIAL  p50  p99
-        read          100,000  819.2      8 KiB  100.0 % 8 KiB         0 %
-        write         100,000  409.6      4 KiB  100.0 % 4 KiB         0 %
";
    Cli::new(["show", "t"])
        .file("t", sample!("msr"))
        .check(0, msr, "");
    let tencent = "\
t: 2 requests in 3.0 s (0.67 IOPS, 0.00410 MB/s, 50.0 % reads, 50.0 % 4 KiB,
  50.0 % 8 KiB)
CSV of Tencent; requests to 1283
QUALIFIED: times are whole seconds. A replay issues all requests of a second together.

PROCESS  OPERATION  REQUESTS/s     MB/s  MEAN SIZE  COMMON SIZES   SEQUENTIAL  p50  p99
-        read             0.33  0.00137      4 KiB  100.0 % 4 KiB         0 %
-        write            0.33  0.00273      8 KiB  100.0 % 8 KiB         0 %
";
    Cli::new(["show", "t"])
        .file("t", sample!("tencent"))
        .check(0, tencent, "");
    let iolog = "\
t: 3 requests in 40.0 µs (75,000 IOPS, 127.4 MB/s, 50.0 % reads, 50.0 % 1,000 B,
  50.0 % 4 KiB)
I/O log of fio, or trace of blktrace; requests to a, b

PROCESS  OPERATION  REQUESTS/s   MB/s  MEAN SIZE  COMMON SIZES     SEQUENTIAL  p50  p99
-        read           25,000   25.0    1,000 B  100.0 % 1,000 B         0 %
-        write          25,000  102.4      4 KiB  100.0 % 4 KiB           0 %
-        flush          25,000
";
    let text = "fio version 3 iolog\n1 a add\n2 b add\n10 a read 0 1000\n20 b write 8192 4096\n\
                40 a datasync 0 0\n";
    Cli::new(["show", "t"]).file("t", text).check(0, iolog, "");
    let refused = "error: cannot read t\n  because: line 1 of this CSV of MSR Cambridge is \
                   implausible: time 1577808000 was found, units of 100 ns since 1601 such as \
                   128166372003061629 were expected\n  try:     a file in one of the formats that \
                   docs/capture.md lists\n";
    let seconds = "1577808000,web,0,Write,7340032,4096,1234\n";
    Cli::new(["show", "t"])
        .file("t", seconds)
        .check(4, "", refused);
}

#[test]
fn a_trace_of_another_tool_is_replayed() {
    let words = "run --replay t --target new.dat --keep --engine psync --no-save --quiet";
    let (ended, folder) = Cli::line(words).file("t", sample!("mqsim")).end();
    let stderr = "t: times are taken as nanoseconds, the default unit of MQSim.\n";
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), stderr));
    let written = std::fs::metadata(folder.path().join("new.dat")).unwrap();
    assert_eq!(written.len(), 2_064 * 512);
    let words = "run --replay t --target new.dat --engine psync --no-save --quiet";
    let refused = "error: the trace t has requests to 2 devices\n  because: on one target, those \
                   to different devices would overlap\n  try:     --replay-pack, which places the \
                   devices one after another, or 2 targets\n";
    Cli::line(words)
        .file("t", sample!("msr"))
        .check(2, "", refused);
    let words = format!("{words} --replay-pack");
    let (ended, _folder) = Cli::line(words).file("t", sample!("msr")).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
}

#[test]
fn the_requests_of_one_process_are_replayed() {
    let words = |name: &str| {
        let words = "run --replay t --target new.dat --engine psync --no-save --quiet -o \
                     json:r.json --replay-process";
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        words.into_iter().chain([name.to_owned()])
    };
    let (ended, folder) = Cli::new(words("reader"))
        .file("t", sample!("blkparse"))
        .end();
    let stderr = "t: left out: 1 event of requests with an unknown operation.\n";
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), stderr));
    let result = read(&folder.path().join("r.json"));
    let paths = ["read.ios", "read.bytes", "write"].map(|path| format!("phases.0.jobs.0.{path}"));
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    assert_eq!(fields(&result, &paths), json!([1, 8192, null]));
    let refused = "error: the trace t has no request of a process writer\n  because: its processes \
                   are fs-writer, kworker, reader\n  try:     a name that `fathom show` prints for \
                   the trace\n";
    Cli::new(words("writer"))
        .file("t", sample!("blkparse"))
        .check(2, "", refused);
    let refused = "error: the trace t has no request of a process reader\n  because: it does not \
                   tell processes apart\n  try:     a name that `fathom show` prints for the \
                   trace\n";
    let log = "fio version 2 iolog\nf add\nf open\nf read 0 4096\nf close\n";
    Cli::new(words("reader"))
        .file("t", log)
        .check(2, "", refused);
}
