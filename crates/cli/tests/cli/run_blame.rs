//! `fathom run --blame`: what the slowest requests of a run waited for, and what is refused.

use crate::command::Cli;
use crate::privileged::{LoopDevice, Mounted, is_root};
use crate::tracefs::with_events;
use fathom_testing::skip;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// A neighbour writes while the program runs.
const SCRIPT: &str = "device=$1 bursts=$2; shift 2
neighbour() {
    while :; do
        dd if=/dev/zero of=$device bs=16M count=12 seek=4 oflag=direct conv=notrunc 2>/dev/null
        sleep 0.3
    done
}
if [ $bursts = yes ]; then neighbour & other=$!; fi
\"$@\" & own=$!
wait $own; status=$?
if [ $bursts = yes ]; then { kill $other; wait $other; } 2>/dev/null; fi
cd /sys/kernel/tracing/instances || exit 78
for left in fathom-*-$own; do [ -d $left ] && echo $left >&2; done
exit $status";

/// A device in memory, so that no disk below it stalls.
fn device() -> Option<LoopDevice> {
    if !is_root("a loop device and tracefs") {
        return None;
    }
    let folder = tempfile::tempdir_in("/dev/shm").expect("a folder in memory");
    LoopDevice::within(folder, 256 << 20)
}

/// The result of a run of 3 s on a device, with a neighbour or without; none where no block events
/// can be traced.
fn run(device: &Path, has_neighbour: bool, output: &str) -> Option<String> {
    let place = device.display();
    let words = format!(
        "run random-read-4k --blame --target {place} --time 3s --warm-up 500ms --rate 1000 \
         --read-only --no-save --quiet -o {output}"
    );
    traced(device, has_neighbour, words.split_whitespace()).map(printed)
}

/// What the program prints of these arguments, on a device that is its own.
fn alone(device: &Path, words: &[&str]) -> Option<String> {
    let place = device.to_string_lossy();
    traced(device, false, words.iter().copied().chain([&*place])).map(printed)
}

/// Standard output of a program that has nothing else to say.
fn printed((stdout, stderr): (String, String)) -> String {
    assert_eq!(stderr, "");
    stdout
}

/// Standard output and standard error. Nothing is left of the tracing.
fn traced<'a>(
    device: &Path,
    has_neighbour: bool,
    words: impl Iterator<Item = &'a str>,
) -> Option<(String, String)> {
    let mut command = Command::new("unshare");
    command
        .args(["-m", "sh", "-c", &with_events(SCRIPT), "sh"])
        .arg(device);
    command.arg(if has_neighbour { "yes" } else { "no" });
    command.arg(env!("CARGO_BIN_EXE_fathom")).args(words);
    let ended = command.output().expect("there is an unshare");
    let stderr = String::from_utf8(ended.stderr).expect("text");
    if ended.status.code() == Some(77) {
        skip(format!("no block events can be traced: {stderr}"));
        return None;
    }
    assert_eq!(ended.status.code(), Some(0), "{stderr}");
    let stdout = String::from_utf8(ended.stdout).expect("text");
    Some((stdout, stderr))
}

fn blame(device: &Path, has_neighbour: bool) -> Option<Value> {
    let result = run(device, has_neighbour, "json")?;
    let result: Value = serde_json::from_str(&result).expect("JSON");
    let codes = result["caveats"].as_array().expect("a list").iter();
    let notes = codes.filter(|caveat| caveat["code"] == "traced").count();
    assert_eq!(notes, 1);
    Some(result["phases"][0]["blame"].clone())
}

#[test]
fn a_neighbour_of_a_run_is_named() {
    let Some(device) = device() else {
        return;
    };
    let Some(found) = blame(&device.path, true) else {
        return;
    };
    // On a busy machine the device itself waits for a CPU for most of the time: then nobody is the
    // cause, and the table shows who was there.
    let cause = &found["blame"]["cause"]["owner"]["name"];
    assert!(cause.is_null() || cause == "dd", "{found}");
    let company = found["blame"]["company"].as_array().expect("a list").iter();
    let number = |one: &Value, name: &str| one[name].as_f64().expect("a number");
    let ahead = |one: &&Value| number(one, "ahead_of_slow") > 2.0 * number(one, "ahead_of_usual");
    let others = company.filter(|one| one["is_own"] == false).filter(ahead);
    let names: Vec<_> = others.map(|one| &one["owner"]["name"]).collect();
    assert_eq!(names, ["dd"], "{found}");
    assert_eq!(found["blame"]["owner"]["name"], "fathom");
    assert_eq!(found["lost_events"], 0);
}

#[test]
fn slow_requests_of_another_program_s_job_are_explained() {
    let Some(device) = device() else {
        return;
    };
    let place = device.path.display();
    let fio = format!(
        "fio --name=reads --filename={place} --rw=randread --bs=4k --direct=1 --rate_iops=1000 \
         --time_based --runtime=3 --output-format=terse --readonly --no-save --blame"
    );
    let diskspd = format!(
        "diskspd --blame --read-only --no-save --quiet -b4K -r -w0 -d3 -W0 -Sh -L -g1000i {place}"
    );
    // As the layouts of both begin.
    for (words, begin) in [(fio, "3;fio-"), (diskspd, "\nCommand Line: diskspd -b4K")] {
        let told = traced(&device.path, true, words.split_whitespace());
        let Some((stdout, stderr)) = told else {
            return;
        };
        assert_eq!(stdout.get(..begin.len()), Some(begin));
        assert_eq!(
            stderr.get(..24),
            Some("blame: p99 of `fathom` ("),
            "{stderr}"
        );
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
    }
}

/// A volume of device mapper over loop devices of this test; it goes with this.
struct Linear {
    name: String,
    _disks: [LoopDevice; 2],
}

impl Linear {
    /// None where the kernel has no device mapper.
    fn new() -> Option<Self> {
        let disks = [device()?, device()?];
        let sectors = (256 << 20) / 512;
        let line = |(number, disk): (u64, &LoopDevice)| {
            let start = number * sectors;
            format!("{start} {sectors} linear {} 0", disk.path.display())
        };
        let table: Vec<_> = (0..).zip(&disks).map(line).collect();
        let name = format!("fathom-test-{}", std::process::id());
        let mut command = Command::new("dmsetup");
        command.args(["create", &name, "--table", &table.join("\n")]);
        match command.output() {
            Ok(ended) if ended.status.success() => Some(Self {
                name,
                _disks: disks,
            }),
            _ => {
                skip("the kernel has no device mapper");
                None
            }
        }
    }
}

impl Drop for Linear {
    fn drop(&mut self) {
        let _ = Command::new("dmsetup")
            .args(["remove", "--retry", &self.name])
            .status();
    }
}

#[test]
fn requests_of_a_linear_volume_are_followed_to_both_disks() {
    let Some(volume) = Linear::new() else {
        return;
    };
    let path = Path::new("/dev/mapper").join(&volume.name);
    let Some(found) = blame(&path, false) else {
        return;
    };
    let disks = found["blame"]["disks"].as_array().expect("a list");
    let volumes = found["blame"]["volumes"].as_array().expect("a list");
    assert_eq!((disks.len(), volumes.len()), (2, 1), "{found}");
}

#[test]
fn nobody_is_accused_of_an_undisturbed_run() {
    let Some(device) = device() else {
        return;
    };
    let Some(found) = blame(&device.path, false) else {
        return;
    };
    // Its own requests may follow each other where the machine is busy.
    assert_eq!(found["blame"]["cause"]["owner"], Value::Null, "{found}");
}

#[test]
fn what_cannot_be_traced_is_refused_before_anything_is_written() {
    let because_of = |engine: &str| {
        format!(
            "error: --blame cannot trace block requests\n  because: the engine {engine} \
             makes no requests in the block layer\n  try:     use another engine, or omit --blame\n"
        )
    };
    for engine in ["null", "sim"] {
        let words = format!("run random-read-4k --blame --engine {engine} --no-save");
        Cli::line(&words).check(2, "", &because_of(engine));
    }
    let buffered = "error: --blame cannot explain buffered writes\n  because: the kernel writes \
                    the page cache later, and this process makes no block requests\n  try:     \
                    use --direct, or omit --blame\n";
    let run = "run random-write-4k --no-direct --blame --target new.dat --no-save";
    let fio = "fio --name=x --rw=randwrite --size=1m --filename=new.dat --no-save --blame";
    let dd = "dd --blame --no-save if=/dev/zero of=new.dat bs=4k count=1";
    // Failures of dd end as dd's.
    for (words, status) in [(run, 2), (fio, 2), (dd, 1)] {
        Cli::line(words).check(status, "", buffered);
    }
    let files = "error: --blame cannot explain operations on whole files\n  because: the file \
                 system writes them later, and this process makes no block requests\n  try:     \
                 record the disk with `fathom capture` during the run, or omit --blame\n";
    let words = "mdtest --blame --no-save --quiet -C -n 10 -d .".split(' ');
    Cli::new(words).check(2, "", files);
    let denied = "error: --blame cannot trace block requests\n  because: it is for \
                  root\n  try:     run as root, with tracefs mounted by `mount -t tracefs nodev \
                  /sys/kernel/tracing`, or without --blame\n";
    let words = "run random-read-4k --blame --target new.dat -o json=r.json --no-save".split(' ');
    let (ended, folder) = Cli::new(words).without_rights().end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(4), denied));
    let left = ["new.dat", "r.json"].map(|name| folder.path().join(name).exists());
    assert_eq!(left, [false, false]);
    let ramp = "error: --find-limit, --probe, --cliff, --blame or --cap cannot be used with a \
                ramp\n  because: the curve itself shows what more load does\n  try:     without \
                it, or with `fathom run`\n";
    Cli::new(["ramp", "random-read-4k", "--blame", "--no-save"]).check(2, "", ramp);
    let hosts = "error: many hosts cannot be traced\n  because: --blame reads the kernel's \
                 events of one host\n  try:     `fathom capture --events blame` on one of the \
                 hosts during the run\n";
    let run = "run random-read-4k --target /x --blame --hosts db[1-2] --no-save";
    let fio = "fio --name=x --size=1m --direct=1 --filename=/x --hosts=db[1-2] --no-save --blame";
    for words in [run, fio] {
        Cli::line(words).check(2, "", hosts);
    }
    let words = "watch --blame --hosts db[1-2]".split(' ');
    let watch = "error: --blame cannot be used with other hosts\n  because: it reads the kernel's \
                 events of this host\n  try:     run `fathom watch --blame` on one of the hosts\n";
    Cli::new(words).check(2, "", watch);
}

#[test]
fn a_suite_names_the_run_that_cannot_be_traced() {
    let suite = "name = \"two\"\ndescription = \"x\"\n[[run]]\nworkload = \
                 \"random-read-4k\"\n";
    let refused = "error: the run random-read-4k: --blame cannot trace block requests\n  because: \
                   the engine null makes no requests in the block layer\n  try:     use another \
                   engine, or omit --blame\n";
    let words = "suite two.toml --blame --engine null --no-save".split(' ');
    Cli::new(words)
        .file("two.toml", suite)
        .check(2, "", refused);
}

#[test]
fn each_run_of_a_suite_has_a_sentence() {
    let Some(device) = device() else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("two.toml");
    let suite = "name = \"two\"\ndescription = \"x\"\n[[run]]\nworkload = \
                 \"random-read-4k\"\n[[run]]\nworkload = \"random-read-4k\"\nlabel = \"again\"\n";
    std::fs::write(&file, suite).expect("a file");
    let into = folder.path().join("results");
    let place = device.path.display();
    let words = format!(
        "suite {} --into {} --target {place} --read-only --blame --rate 500 --time 2s --warm-up \
         0s --no-save --quiet -o text",
        file.display(),
        into.display()
    );
    let Some((text, _)) = traced(&device.path, false, words.split_whitespace()) else {
        return;
    };
    let words: Vec<_> = text.split_whitespace().collect();
    let sentences = words
        .windows(4)
        .filter(|four| four[1..] == ["of", "`fathom`", "(pid"]);
    assert_eq!(sentences.count(), 2, "{text}");
}

#[test]
fn memory_is_no_device_that_can_be_traced() {
    if !is_root("a tmpfs") {
        return;
    }
    let Some(memory) = Mounted::new("tmpfs", "size=8m") else {
        return;
    };
    let target = memory.path().join("new.dat");
    let refused = format!(
        "error: --blame cannot trace block requests\n  because: {}: no block device is \
         below it\n  try:     use a target on a block device, or omit --blame\n",
        target.display()
    );
    let words = ["run", "random-read-4k", "--blame", "--no-save", "--target"];
    let words = words
        .map(str::to_owned)
        .into_iter()
        .chain([target.display().to_string()]);
    Cli::new(words).check(4, "", &refused);
    assert!(!target.exists());
}

#[test]
fn a_live_system_has_a_sentence_of_the_whole_time() {
    let Some(device) = device() else {
        return;
    };
    let words = ["watch", "--blame", "--count", "1", "--interval", "100ms"];
    let Some(text) = alone(&device.path, &words) else {
        return;
    };
    let whole = text.replace("\n  ", " ");
    let ends = ["in all ", "not limited: "];
    let begin = |line| ends.into_iter().find(|end| str::starts_with(line, end));
    let order: Vec<&str> = whole.lines().filter_map(begin).collect();
    assert_eq!(order, ends, "{text}");
    let last = whole.lines().filter(|line| line.starts_with("in all "));
    let sentence = "cannot tell what the slowest requests waited for: no process made a request";
    let told: Vec<&str> = last
        .filter_map(|line| Some(line.split_once(": ")?.1))
        .collect();
    assert_eq!(told, [sentence], "{text}");
}
