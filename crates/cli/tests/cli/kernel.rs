//! What the real kernel does to a measurement, and which checks see it: the fixture matrix.
//!
//! Everything lies on a loop device of the test's own, so that nobody else's traffic is on it.
//! What is asserted is what the state of files, devices and groups determines; how fast the machine
//! is, and how busy, is not.

use crate::command::Cli;
use crate::document;
use crate::privileged::{FileSystem, Group, LoopDevice, Mounted, is_root};
use fathom_verdict::Code;
use serde_json::Value;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::Path;

pub(crate) const MIB: u64 = 1 << 20;

/// What says how the machine is, not what was done: a busy one raises any of them.
const OF_THE_MACHINE: [Code; 18] = [
    Code::ClockStep,
    Code::ContextSwitches,
    Code::CpuFreq,
    Code::CpuQuota,
    Code::GeneratorBound,
    Code::GeneratorCpu,
    Code::GeneratorPaused,
    Code::GenerationTime,
    Code::GeneratorStarved,
    Code::IoWorkers,
    Code::LongIntervals,
    Code::MajorFaults,
    Code::NumaRemote,
    Code::Steal,
    Code::SubmissionGaps,
    Code::TailContaminated,
    Code::Thermal,
    Code::WakeupLatency,
];

/// What every run as short and as small as these may have; the file below a loop device is in the
/// page cache, or it is not.
const ALWAYS: [Code; 5] = [
    Code::AboveDevice,
    Code::LoopCached,
    Code::ShortRun,
    Code::SlowClock,
    Code::SmallFile,
];

pub(crate) fn load(name: &str, reads: u32, direct: bool) -> String {
    format!(
        "name = \"{name}\"\n[[phase]]\nname = \"p\"\nduration = \"1s\"\nwarm_up = \"0s\"\n\
         [[phase.job]]\nname = \"j\"\nblock_size = \"16KiB\"\nread = {reads}\nrandom = 100\n\
         queue_depth = 1\ndirect = {direct}\n"
    )
}

/// Codes of a run on a target.
pub(crate) fn codes(load: &str, target: &Path, group: Option<&Group>) -> Vec<Code> {
    found(&measured(load, target, group))
}

fn measured(load: &str, target: &Path, group: Option<&Group>) -> Value {
    let target = target.to_string_lossy().into_owned();
    let words = format!(
        "run load.toml --target {target} --overwrite --engine psync --quiet --no-save --output \
         json:result.json"
    );
    let mut cli = Cli::line(&words).file("load.toml", load);
    if let Some(group) = group {
        cli = cli.within(group);
    }
    let (ended, folder) = cli.end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    document::read(&folder.path().join("result.json"))
}

fn found(result: &Value) -> Vec<Code> {
    let mut codes = known(result);
    codes.retain(|code| !ALWAYS.contains(code));
    codes
}

/// All codes of a result, by their words.
pub(crate) fn known(result: &Value) -> Vec<Code> {
    let caveats = result["caveats"].as_array().expect("a list").iter();
    let words = caveats.map(|caveat| caveat["code"].as_str().expect("a word"));
    let mut codes: Vec<Code> = words
        .map(|word| Code::named(word).expect("a code of the table"))
        .collect();
    codes.sort_unstable_by_key(|code| code.name());
    codes
}

/// The codes without those of the machine.
pub(crate) fn beyond_the_machine(codes: &[Code]) -> Vec<Code> {
    let codes = codes.iter().copied();
    codes
        .filter(|code| !OF_THE_MACHINE.contains(code))
        .collect()
}

/// The same of storage that others use meanwhile: its pace changes with what they leave of it. The
/// files below the loop devices of all tests lie on one disk.
pub(crate) fn of_the_storage(codes: &[Code]) -> Vec<Code> {
    let mut found = beyond_the_machine(codes);
    found.retain(|code| ![Code::Trend, Code::Uneven, Code::Standstill].contains(code));
    found
}

pub(crate) fn filled(path: &Path, bytes: u64) {
    let mut file = File::create(path).expect("a file");
    let mut random = File::open("/dev/urandom").expect("random bytes");
    std::io::copy(&mut (&mut random).take(bytes), &mut file).expect("room");
    file.flush().expect("it is written");
    file.sync_all().expect("it is on the device");
}

#[test]
fn files_on_a_file_system() {
    if !is_root("a file system on a loop device") {
        return;
    }
    let Some(system) = FileSystem::ext4(96 * MIB) else {
        return;
    };
    let at = |name: &str| system.path().join(name);
    let sparse = File::create(at("sparse")).expect("a file");
    sparse.set_len(16 * MIB).expect("a size");
    let reserved = File::create(at("reserved")).expect("a file");
    rustix::fs::fallocate(&reserved, rustix::fs::FallocateFlags::empty(), 0, 16 * MIB)
        .expect("ext4 reserves");
    filled(&at("full"), 16 * MIB);
    let direct = load("reads", 100, true);
    let cases = [
        (
            direct.clone(),
            "sparse",
            &[Code::CacheReads, Code::SparseTarget][..],
        ),
        (
            direct.clone(),
            "reserved",
            &[Code::CacheReads, Code::UnwrittenTarget],
        ),
        (load("dirty", 0, false), "full", &[Code::WritesDeferred]),
    ];
    for (load, name, expected) in cases {
        let result = measured(&load, &at(name), None);
        assert_eq!(of_the_storage(&found(&result)), expected, "{name}");
        // What was written through the page cache is flushed after the phase, within its time.
        let flushed = &result["phases"][0]["ledger"]["write_back_ns"];
        assert_eq!(
            flushed.is_u64(),
            expected == [Code::WritesDeferred],
            "{name}"
        );
    }
}

/// How sure the result is of a code, and the message.
fn said<'a>(result: &'a Value, code: &str) -> (&'a str, &'a str) {
    let caveats = result["caveats"].as_array().expect("a list");
    let one = caveats.iter().find(|caveat| caveat["code"] == code);
    let one = one.expect("it is told");
    let text = |key: &str| one[key].as_str().expect("a text");
    (text("level"), text("message"))
}

#[test]
fn a_warm_page_cache_is_no_device_unless_it_is_meant() {
    if !is_root("a file system on a loop device") {
        return;
    }
    let Some(system) = FileSystem::ext4(160 * MIB) else {
        return;
    };
    let path = system.path().join("full");
    filled(&path, 64 * MIB);
    // In the page cache, all of it.
    let mut full = File::open(&path).expect("a file");
    std::io::copy(&mut full, &mut std::io::sink()).expect("it can be read");
    let reads = load("reads", 100, false);
    let result = measured(&reads, &path, None);
    assert_eq!(of_the_storage(&found(&result)), [Code::CacheReads]);
    assert_eq!(result["state"], "invalid");
    let result = measured(&format!("{reads}warm = true\n"), &path, None);
    assert_eq!(of_the_storage(&found(&result)), [Code::CacheReads]);
    let (level, message) = said(&result, "cache_reads");
    let message = message.split(". ").next().expect("a part");
    // The kernel may have taken some pages back since they were read.
    let share = message
        .strip_prefix("the page cache served ")
        .and_then(|rest| rest.strip_suffix(" % of the bytes read, as requested"))
        .and_then(|share| share.parse::<f64>().ok());
    assert_eq!(
        (level, share.map(|share| share > 90.0)),
        ("qualified", Some(true)),
        "{message}"
    );
    // Dropped before, the device answers.
    let cold = measured(&format!("{reads}cold = true\n"), &path, None);
    let read = |result: &Value| result["phases"][0]["ledger"]["read_ratio"].as_f64();
    assert_eq!(read(&cold).map(|ratio| ratio > 0.0), Some(true));
}

#[test]
fn a_file_in_memory() {
    if !is_root("mounting") {
        return;
    }
    let Some(memory) = Mounted::new("tmpfs", "size=32m") else {
        return;
    };
    let file = memory.path().join("file");
    filled(&file, 16 * MIB);
    let codes = codes(&load("reads", 100, false), &file, None);
    assert_eq!(of_the_storage(&codes), [Code::MemoryTarget, Code::NoDevice]);
}

#[test]
fn a_loop_device_is_what_its_file_lies_on() {
    if !is_root("a loop device") {
        return;
    }
    let Some(memory) = Mounted::new("tmpfs", "size=64m") else {
        return;
    };
    let folder = tempfile::tempdir_in(memory.path()).expect("a folder");
    let Some(device) = LoopDevice::within(folder, 32 * MIB) else {
        return;
    };
    filled(&device.backing(), 32 * MIB);
    let result = measured(&load("reads", 100, true), &device.path, None);
    let name = device.path.file_name().expect("a name").to_string_lossy();
    let message = format!("{name} stores its file on tmpfs, in memory. This measured RAM");
    assert_eq!(
        said(&result, "memory_target"),
        ("invalid", message.as_str())
    );
    assert_eq!(result["state"], "invalid");
    let words = ["check", "--no-wait", &*device.path.to_string_lossy()];
    let (ended, _) = Cli::new(words).end();
    assert_eq!(ended.status, Some(8), "{ended:?}");
}

#[test]
fn a_loop_device_acknowledges_what_its_file_does_not_have() {
    if !is_root("a file system on a loop device") {
        return;
    }
    let Some(system) = FileSystem::ext4(96 * MIB) else {
        return;
    };
    let path = system.path().join("full");
    filled(&path, 64 * MIB);
    let result = measured(&load("writes", 0, true), &path, None);
    let (level, message) = said(&result, "loop_cached");
    let (_, what) = message.split_once(' ').expect("a name first");
    let what = what.split(';').next().expect("a part");
    assert_eq!(
        (level, what),
        (
            "suspect",
            "acknowledges writes when they are in the page cache of its backing file"
        )
    );
    // Where each is durable before the next, the disk below sets the pace.
    let durable = format!("{}write_through = true\n", load("writes", 0, true));
    let result = measured(&durable, &path, None);
    let caveats = result["caveats"].as_array().expect("a list");
    let told = caveats.iter().filter(|one| one["code"] == "loop_cached");
    assert_eq!(told.collect::<Vec<_>>(), Vec::<&Value>::new());
}

/// A loop device whose every byte was written, and which bypasses the page cache below it.
fn written_device() -> Option<LoopDevice> {
    let device = LoopDevice::new(32 * MIB)?;
    filled(&device.backing(), 32 * MIB);
    Some(device)
}

#[test]
fn a_device_that_was_written_and_one_that_was_not() {
    if !is_root("a loop device") {
        return;
    }
    let (Some(written), Some(empty)) = (written_device(), LoopDevice::new(32 * MIB)) else {
        return;
    };
    let reads = load("reads", 100, true);
    let of_written = codes(&reads, &written.path, None);
    let of_empty = codes(&reads, &empty.path, None);
    assert_eq!(of_the_storage(&of_written), []);
    assert_eq!(of_the_storage(&of_empty), [Code::NeverWritten]);
}

/// Sectors that a device has read since it was made.
fn sectors_read(device: &LoopDevice) -> u64 {
    let name = device.path.file_name().expect("a device").to_string_lossy();
    let text = std::fs::read_to_string(format!("/sys/block/{name}/stat")).expect("its counters");
    let third = text.split_whitespace().nth(2).expect("eleven numbers");
    third.parse().expect("a number")
}

#[test]
fn somebody_else_on_the_same_device() {
    if !is_root("a loop device") {
        return;
    }
    let Some(device) = written_device() else {
        return;
    };
    let before = sectors_read(&device);
    let target = device.path.to_string_lossy().into_owned();
    let words = format!("run load.toml --target {target} --time 1h --quiet --no-save");
    let beside = Cli::line(&words)
        .file("load.toml", load("beside", 100, true))
        .start();
    while sectors_read(&device) == before {
        std::thread::yield_now();
    }
    let codes = codes(&load("reads", 100, true), &device.path, None);
    drop(beside);
    assert_eq!(of_the_storage(&codes), [Code::Neighbour]);
}

#[test]
fn a_group_with_a_quota_of_processor_time() {
    if !is_root("a control group") {
        return;
    }
    let Some(group) = Group::new("cpu") else {
        return;
    };
    if !group.limit_processor(5) {
        return;
    }
    let Some(device) = written_device() else {
        return;
    };
    let codes = codes(&load("reads", 100, true), &device.path, Some(&group));
    let quota = codes.iter().filter(|code| **code == Code::CpuQuota);
    assert_eq!(quota.count(), 1);
    assert_eq!(of_the_storage(&codes), []);
}

#[test]
fn a_group_with_a_limit_of_requests() {
    if !is_root("a control group") {
        return;
    }
    let Some(group) = Group::new("io") else {
        return;
    };
    let Some(device) = written_device() else {
        return;
    };
    if !group.limit_reads(&device, 500) {
        return;
    }
    let codes = codes(&load("reads", 100, true), &device.path, Some(&group));
    assert_eq!(of_the_storage(&codes), [Code::IoLimited]);
}
