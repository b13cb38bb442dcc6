//! Files, devices and machines that cannot be measured as they are, and the codes that say so. What
//! is asserted is what their state determines: nothing here depends on how fast the machine is.

pub(crate) mod make;

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::siege::Siege;
use crate::siege::line::GroupLines;
use crate::siege::result::Verdict;

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
    codes: &'static [&'static str],
    /// The worst state that may be told; the empty text allows any.
    state: &'static str,
    /// Codes that may be there too.
    allowed: &'static [&'static str],
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
    codes: &'static [&'static str],
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

const fn also(allowed: &'static [&'static str], case: Case) -> Case {
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
        &["sparse_target"],
        "invalid",
    ),
    case(
        "half-sparse file",
        make::half_sparse,
        Reads,
        &["sparse_target"],
        "suspect",
    ),
    case(
        "punched file",
        make::punched,
        Reads,
        &["sparse_target"],
        "suspect",
    ),
    case(
        "fallocated file",
        make::fallocated,
        Reads,
        &["unwritten_target"],
        "invalid",
    ),
    also(
        &["delayed_extents"],
        case("fallocated file", make::fallocated, Writes, &[], ""),
    ),
    also(
        &["dedupes"],
        case("file of zeros", make::zeros, Reads, &["zero_data"], ""),
    ),
    case(
        "file in memory",
        make::tmpfs,
        Reads,
        &["memory_target"],
        "invalid",
    ),
    case(
        "file in memory",
        make::tmpfs,
        Writes,
        &["memory_target"],
        "invalid",
    ),
    case(
        "loop on tmpfs, raw",
        make::loop_on_tmpfs,
        RawReads,
        &["memory_target"],
        "invalid",
    ),
    also(
        &["loop_cached"],
        case(
            "loop on tmpfs, raw",
            make::loop_on_tmpfs,
            Writes,
            &["memory_target"],
            "invalid",
        ),
    ),
    case(
        "ext4 on a loop on tmpfs",
        make::ext4_on_tmpfs,
        Reads,
        &["memory_target"],
        "invalid",
    ),
    also(
        &["loop_cached"],
        case(
            "ext4 on a loop on tmpfs",
            make::ext4_on_tmpfs,
            Writes,
            &["memory_target"],
            "invalid",
        ),
    ),
    case("overlay on ext4", make::overlay, Reads, &[], ""),
    case(
        "overlay in memory",
        make::overlay_on_tmpfs,
        Reads,
        &["memory_target"],
        "invalid",
    ),
    // A disk in memory by its name: whoever gives it knows, whoever reads the result may not.
    case(
        "zram",
        make::zram,
        RawReads,
        &["memory_target"],
        "qualified",
    ),
    case(
        "loop without direct I/O below",
        make::loop_cached,
        Writes,
        &["loop_cached"],
        "suspect",
    ),
    also(
        &["loop_cached"],
        case(
            "device never written",
            make::blank_loop,
            RawReads,
            &["never_written"],
            "suspect",
        ),
    ),
    case(
        "warm file, buffered",
        make::warm,
        BufferedReads,
        &["cache_reads"],
        "invalid",
    ),
    case(
        "dirty pages",
        make::full,
        BufferedWrites,
        &["writes_deferred"],
        "suspect",
    ),
    also(
        &["cache_reads"],
        case(
            "buffered libaio",
            make::full,
            BufferedAio,
            &["queue_depth_limited"],
            "",
        ),
    ),
    case(
        "neighbour on the same device",
        make::neighbour,
        RawReads,
        &["neighbour"],
        "suspect",
    ),
    case(
        "processor quota",
        make::processor_quota,
        Reads,
        &["cpu_quota"],
        "",
    ),
    case(
        "limit of requests",
        make::request_limit,
        RawReads,
        &["io_limited"],
        "",
    ),
    also(
        &["cache_reads", "readahead"],
        case(
            "limit of memory",
            make::memory_limit,
            BufferedReads,
            &["memory_limited"],
            "qualified",
        ),
    ),
    case(
        "file that is shared by a clone",
        make::cloned_xfs,
        Writes,
        &["shared_extents"],
        "",
    ),
    case(
        "compressed file on btrfs",
        make::compressed,
        Reads,
        &["encoded_extents"],
        "",
    ),
    case("XFS", make::xfs, Reads, &[], ""),
    case("XFS", make::xfs, Writes, &[], ""),
];

/// Codes that may come with any fixture: they tell of the way down to it.
const ANYWAY: &[&str] = &[
    "no_device",
    "direct_fallback",
    "cache_reads",
    "split",
    "readahead",
];

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
             json:result.json --target {} --destroy {}",
            case.load.words(),
            fixture.target.display(),
            fixture.target.display()
        );
        let place = tempfile::tempdir()?;
        std::fs::write(place.path().join("load.toml"), WHOLE)?;
        let call = siege.fathom.line(&words).inside(place.path());
        let ended = call.within_words(fixture.within.clone()).end()?;
        let found = Verdict::read(&place.path().join("result.json"));
        let done = format!("{}, {}", case.name, case.load.words());
        let expected = match (case.codes, case.state) {
            ([], _) => "no doubt about the storage".to_owned(),
            (codes, "") => codes.join(" "),
            (codes, state) => format!("{}, at least {}", codes.join(" "), state.to_uppercase()),
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

fn is_met(case: &Case, found: &Verdict) -> bool {
    let has = |code: &&str| found.codes.iter().any(|one| one == code);
    let storage = found.of_the_storage();
    let strange = storage.iter().filter(|code| {
        !case.codes.contains(code)
            && !case.allowed.contains(code)
            && (case.codes.is_empty() || !ANYWAY.contains(code))
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
