//! Files, devices and machines that cannot be measured as they are, and the codes that say so. What
//! is asserted is what their state determines: nothing here depends on how fast the machine is.

pub(crate) mod make;

use std::path::{Path, PathBuf};

use anyhow::Result;
use fathom_verdict::Code;

use crate::siege::Siege;
use crate::siege::line::GroupLines;
use crate::siege::result::{Judgement, is_of};

/// What is measured, as it was made.
pub(crate) struct Fixture {
    pub(crate) target: PathBuf,
    /// Words before the program, as of a control group.
    pub(crate) within: Vec<String>,
    /// Taken down in this order.
    pub(crate) guards: Vec<Box<dyn std::any::Any>>,
}

impl Drop for Fixture {
    fn drop(&mut self) {
        while self.guards.pop().is_some() {}
    }
}

#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    make: fn(&Path, &Siege) -> Result<Fixture>,
    /// Words after `run load.toml`.
    load: Load,
    /// All codes that say something about the storage.
    codes: &'static [Code],
    /// The worst state that is allowed; the empty text allows any.
    state: &'static str,
    /// Codes that may be there too.
    allowed: &'static [Code],
}

/// What is put on it, a second long.
#[derive(Clone, Copy)]
enum Load {
    Reads,
    Writes,
    BufferedReads,
    BufferedWrites,
    /// Writes, each of which is flushed.
    Flushed,
    DeepReads,
    BufferedAio,
    RawReads,
}

impl Load {
    fn words(self) -> &'static str {
        match self {
            Self::Reads => "--read 100 --direct --queue-depth 1 --engine psync",
            Self::Writes => "--read 0 --direct --queue-depth 1 --engine psync",
            Self::BufferedReads => "--read 100 --no-direct --queue-depth 1 --engine psync",
            Self::BufferedWrites => "--read 0 --no-direct --queue-depth 1 --engine psync",
            Self::Flushed => "--read 0 --direct --sync-every 1 --queue-depth 1 --engine psync",
            Self::DeepReads => "--read 100 --direct --queue-depth 16",
            Self::BufferedAio => "--read 100 --no-direct --queue-depth 32 --engine libaio",
            Self::RawReads => "--read 100 --direct --queue-depth 4",
        }
    }
}

const fn case(
    name: &'static str,
    make: fn(&Path, &Siege) -> Result<Fixture>,
    load: Load,
    codes: &'static [Code],
    state: &'static str,
) -> Case {
    Case {
        name,
        make,
        load,
        codes,
        state,
        allowed: &[],
    }
}

const fn also(allowed: &'static [Code], case: Case) -> Case {
    Case { allowed, ..case }
}

use Load::{
    BufferedAio, BufferedReads, BufferedWrites, DeepReads, Flushed, RawReads, Reads, Writes,
};

const CASES: &[Case] = &[
    case("full file on ext4", make::full, Reads, &[], ""),
    case("full file on ext4", make::full, Writes, &[], ""),
    case("full file on ext4", make::full, DeepReads, &[], ""),
    case("full file on ext4, flushed", make::full, Flushed, &[], ""),
    case(
        "sparse file",
        make::sparse,
        Reads,
        &[Code::SparseTarget],
        "invalid",
    ),
    case(
        "half-sparse file",
        make::half_sparse,
        Reads,
        &[Code::SparseTarget],
        "suspect",
    ),
    case(
        "punched file",
        make::punched,
        Reads,
        &[Code::SparseTarget],
        "suspect",
    ),
    case(
        "fallocated file",
        make::fallocated,
        Reads,
        &[Code::UnwrittenTarget],
        "invalid",
    ),
    also(
        &[Code::DelayedExtents],
        case("fallocated file", make::fallocated, Writes, &[], ""),
    ),
    also(
        &[Code::Dedupes],
        case("file of zeros", make::zeros, Reads, &[Code::ZeroData], ""),
    ),
    case(
        "file in memory",
        make::tmpfs,
        Reads,
        &[Code::MemoryTarget],
        "invalid",
    ),
    case(
        "file in memory",
        make::tmpfs,
        Writes,
        &[Code::MemoryTarget],
        "invalid",
    ),
    case(
        "loop on tmpfs, raw",
        make::loop_on_tmpfs,
        RawReads,
        &[Code::MemoryTarget],
        "invalid",
    ),
    also(
        &[Code::LoopCached],
        case(
            "loop on tmpfs, raw",
            make::loop_on_tmpfs,
            Writes,
            &[Code::MemoryTarget],
            "invalid",
        ),
    ),
    case(
        "ext4 on a loop on tmpfs",
        make::ext4_on_tmpfs,
        Reads,
        &[Code::MemoryTarget],
        "invalid",
    ),
    also(
        &[Code::LoopCached],
        case(
            "ext4 on a loop on tmpfs",
            make::ext4_on_tmpfs,
            Writes,
            &[Code::MemoryTarget],
            "invalid",
        ),
    ),
    case("overlay on ext4", make::overlay, Reads, &[], ""),
    case(
        "overlay in memory",
        make::overlay_on_tmpfs,
        Reads,
        &[Code::MemoryTarget],
        "invalid",
    ),
    // A disk in memory by its name: whoever gives it knows, whoever reads the result may not.
    case(
        "zram",
        make::zram,
        RawReads,
        &[Code::MemoryTarget],
        "qualified",
    ),
    case(
        "loop without direct I/O below",
        make::loop_cached,
        Writes,
        &[Code::LoopCached],
        "suspect",
    ),
    also(
        &[Code::LoopCached],
        case(
            "device never written",
            make::blank_loop,
            RawReads,
            &[Code::NeverWritten],
            "suspect",
        ),
    ),
    case(
        "warm file, buffered",
        make::warm,
        BufferedReads,
        &[Code::CacheReads],
        "invalid",
    ),
    case(
        "dirty pages",
        make::full,
        BufferedWrites,
        &[Code::WritesDeferred],
        "suspect",
    ),
    also(
        &[Code::CacheReads],
        case(
            "buffered libaio",
            make::full,
            BufferedAio,
            &[Code::QueueDepthLimited],
            "",
        ),
    ),
    case(
        "neighbour on the same device",
        make::neighbour,
        RawReads,
        &[Code::Neighbour],
        "suspect",
    ),
    case(
        "processor quota",
        make::processor_quota,
        Reads,
        &[Code::CpuQuota],
        "",
    ),
    case(
        "limit of requests",
        make::request_limit,
        RawReads,
        &[Code::IoLimited],
        "",
    ),
    also(
        &[Code::CacheReads, Code::Readahead],
        case(
            "limit of memory",
            make::memory_limit,
            BufferedReads,
            &[Code::MemoryLimited],
            "qualified",
        ),
    ),
    case(
        "file that is shared by a clone",
        make::cloned_xfs,
        Writes,
        &[Code::SharedExtents],
        "",
    ),
    case(
        "compressed file on btrfs",
        make::compressed,
        Reads,
        &[Code::EncodedExtents],
        "",
    ),
    case("XFS", make::xfs, Reads, &[], ""),
    case("XFS", make::xfs, Writes, &[], ""),
];

/// Codes that may come with any fixture: they tell of the way down to it.
const ANYWAY: &[Code] = &[
    Code::NoDevice,
    Code::DirectFallback,
    Code::CacheReads,
    Code::Split,
    Code::Readahead,
];

/// How even a second is depends on what else the machine does, and nothing here asserts that.
const OF_ITS_PACE: &[Code] = &[Code::Standstill, Code::Uneven];

pub(crate) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    for case in CASES {
        siege.go_on()?;
        let folder = tempfile::tempdir()?;
        let fixture = match (case.make)(folder.path(), siege) {
            Ok(fixture) => fixture,
            Err(error) => {
                lines.skip(format!("{}: {error:#}", case.name));
                continue;
            }
        };
        let words = format!(
            "run load.toml --time 1s --warm-up 0s {} --overwrite --quiet --no-save --output \
             json:result.json --target {} --destroy {}=data",
            case.load.words(),
            fixture.target.display(),
            fixture.target.display()
        );
        let place = tempfile::tempdir()?;
        std::fs::write(place.path().join("load.toml"), WHOLE)?;
        let call = siege.fathom.line(&words).inside(place.path());
        let ended = call.within_words(fixture.within.clone()).end()?;
        let found = Judgement::read(&place.path().join("result.json"));
        let done = format!("{}, {}", case.name, case.load.words());
        let expected = match (case.codes, case.state) {
            ([], _) => "no doubt about the storage".to_owned(),
            (codes, "") => listed(codes),
            (codes, state) => format!("{}, at least {}", listed(codes), state.to_uppercase()),
        };
        match found {
            Err(error) => {
                lines.add(
                    done,
                    expected,
                    format!("{}, {error:#}", ended.told()),
                    false,
                );
            }
            Ok(found) => {
                let is_met = is_met(case, &found) && ended.is_orderly();
                lines.add(done, expected, found.told(), is_met);
            }
        }
    }
    Ok(())
}

fn listed(codes: &[Code]) -> String {
    let words: Vec<&str> = codes.iter().map(|code| code.name()).collect();
    words.join(" ")
}

fn is_met(case: &Case, found: &Judgement) -> bool {
    let has = |code: &Code| found.codes.iter().any(|one| one == code);
    let storage = found.of_the_storage();
    let strange = storage.iter().filter(|code| {
        !is_of(code, case.codes)
            && !is_of(code, case.allowed)
            && !is_of(code, OF_ITS_PACE)
            && (case.codes.is_empty() || !is_of(code, ANYWAY))
    });
    let is_state = case.state.is_empty() || rank(&found.state) >= rank(case.state);
    case.codes.iter().all(has) && is_state && strange.count() == 0
}

/// Requests anywhere on a target, as large as it is.
pub(crate) const WHOLE: &str = "\
name = \"whole\"
[[phase]]
name = \"p\"
[[phase.job]]
name = \"j\"
block_size = \"16KiB\"
random = 100
";

/// The worse, the higher.
pub(crate) fn rank(state: &str) -> u8 {
    match state {
        "valid" => 0,
        "qualified" => 1,
        "suspect" => 2,
        "invalid" => 3,
        _ => 4,
    }
}
