//! Requests faster than any device answers.

use super::Said;
use crate::decide::Change;
use crate::evidence::{Direction, Disk, Evidence, Side};
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{iops, megabytes, percent, size, time};

/// No device behind a bus answers within these times: a command and its completion cross PCI
/// Express twice. The fastest drives need 8 µs or more for a read, and 6 µs for a write that they
/// cache.
const FASTEST_READ_NS: f64 = 6_000.0;
const FASTEST_WRITE_NS: f64 = 4_000.0;

/// Percentiles below this are of memory, whatever was requested.
const FASTEST_NS: f64 = 3_000.0;

/// A rate that few drives give, and the size of a file that fits in the memory of most machines.
const FAST: f64 = 3.6e9;
const FITS: f64 = 16e9;

/// More than the memory of most machines.
const LARGE: f64 = 256e9;

/// Starts of devices and folders that are memory.
const IN_MEMORY: [&str; 3] = ["/dev/zram", "/dev/ram", "/dev/shm"];

/// The payload of PCI Express 5 with four lanes, the fastest link of one drive.
const LINK: f64 = 15.8e9;

/// Requests that one wait covers at most; larger ones are judged by their rate.
const LARGEST: f64 = 131_072.0;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    if evidence.is_watched() {
        // Counted at the device, below every cache.
        return None;
    }
    let mut sides = evidence.sides.iter();
    let found = sides.find_map(|side| {
        let said = of_side(evidence, side)?;
        Some(read_ahead(evidence, side).unwrap_or(said))
    });
    found.or_else(|| by_name(evidence))
}

/// A target that is memory by its name.
fn by_name(evidence: &Evidence) -> Option<Said> {
    let target = &evidence.load.target;
    let side = evidence.sides.first()?;
    IN_MEMORY.iter().find(|start| target.starts_with(**start))?;
    let claim = format!("this measured memory, not a disk: {target} is in memory");
    let said = finish(evidence, side, Certainty::Shown, &claim);
    Some(
        said.because(format!("The name says that {target} is in memory."))
            .remedy("Measure a file or device on the storage that you ask about."),
    )
}

fn of_side(evidence: &Evidence, side: &Side) -> Option<Said> {
    let load = &evidence.load;
    let is_small = load.block.is_none_or(|block| block <= LARGEST);
    let noun = side.direction.noun();
    let latency = side.latency.as_ref();
    let mean = latency.and_then(|latency| latency.mean);
    let fastest = if side.direction == Direction::Write {
        FASTEST_WRITE_NS
    } else {
        FASTEST_READ_NS
    };
    // Through the page cache even a copy takes microseconds where many threads share the memory.
    let least = latency.and_then(|latency| latency.min);
    let is_instant = least.is_some_and(|least| least < FASTEST_NS);
    let fastest = if load.direct == Some(false) || is_instant && load.direct.is_none() {
        8_000.0
    } else {
        fastest
    };
    let served = |disk: &Disk| disk.requests.0 + disk.requests.1;
    let most = evidence.disks.iter().map(served).fold(0.0, f64::max);
    let has_device_counters = side.requests.is_some_and(|issued| most * 2.0 > issued);
    // The counters of the device are better evidence.
    if has_device_counters {
        return None;
    }
    let alone = || {
        let workers = load.jobs? * load.depth?;
        (workers > 0.0 && load.depth == Some(1.0)).then_some(())?;
        Some(workers * 1e9 / evidence.iops_of(side)?)
    };
    // A tool that counts microseconds prints 0 for less.
    let is_counted = latency.is_some_and(|one| one.samples.is_some_and(|count| count > 0.0));
    let each = mean
        .or_else(alone)
        .filter(|each| is_small && *each < fastest && (*each > 0.0 || is_counted));
    if let Some(each) = each {
        let rate = evidence.iops_of(side);
        let claim = rate.map_or_else(
            || format!("no device answers {noun} in {}", time(each)),
            |rate| {
                format!(
                    "no device answers {} {noun} a second at {}",
                    iops(rate),
                    time(each)
                )
            },
        );
        let smallest = least.filter(|least| *least < FASTEST_NS);
        let smallest = smallest.map_or_else(String::new, |least| {
            format!(", and the smallest {}", time(least))
        });
        return Some(
            finish(
                evidence,
                side,
                Certainty::Shown,
                &format!("this measured memory, not the disk: {claim}"),
            )
            .because(format!(
                "{} of the {noun} is {}{smallest}. A request needs {} or more to reach a drive \
                 over PCI Express and back.",
                if mean.is_some() {
                    "The mean latency"
                } else {
                    "The time for each"
                },
                time(each),
                time(fastest)
            )),
        );
    }
    above_links(evidence, side)
}

/// Reads that fio made once and in order, after it had dropped the file from the page cache: memory
/// answered each, and the drive may have filled it at that rate.
fn read_ahead(evidence: &Evidence, side: &Side) -> Option<Said> {
    let each = side.latency.as_ref()?.mean?;
    let load = &evidence.load;
    let is_dropped = evidence.tool == "fio"
        && evidence.option("invalidate") != Some("0")
        && !evidence.seen.contains_key("cache_kept");
    let is_once = side
        .bytes
        .zip(load.size)
        .is_some_and(|(bytes, size)| bytes <= size * 1.05);
    let is_stream = load.direct == Some(false) && load.random == Some(false);
    let is_read = side.direction == Direction::Read;
    let rate = evidence.rate_of(side).filter(|rate| *rate <= FAST)?;
    (is_dropped && is_once && is_stream && is_read).then(|| {
        let claim = format!(
            "read-ahead answered: each read took {} from memory, and {} MB/s may be the rate of \
             the disk",
            time(each),
            megabytes(rate)
        );
        finish(evidence, side, Certainty::Shown, &claim)
            .because(
                "The reads are in order and through the page cache. fio drops the file from it \
                 first, and then the kernel reads ahead in large requests.",
            )
            .remedy(
                "Use direct I/O for the latency of a request. Where the file system has none, as \
                 with encryption, read at random.",
            )
    })
}

/// A rate above that of any link of a single drive.
fn above_links(evidence: &Evidence, side: &Side) -> Option<Said> {
    let load = &evidence.load;
    let rate = evidence.rate_of(side)?;
    let words = format!("{} MB/s", megabytes(rate));
    let area = load.size.or(side.bytes);
    let is_small = area.is_some_and(|area| area <= FITS);
    if rate <= LINK {
        // The file may be in memory, and the rate is that of memory rather than of a drive.
        // Direct I/O of macOS reads what is cached already, and posixaio is its usual engine.
        let is_short = evidence.seconds().is_some_and(|seconds| seconds < 1.0);
        let is_soft = load.direct != Some(true) || load.engine == "posixaio" && is_short;
        return (is_soft && is_small && rate > FAST * load.drives.max(1.0)).then(|| {
            finish(
                evidence,
                side,
                Certainty::Suspected,
                &format!(
                    "this probably measured memory, not the disk: {words} from a file that fits in \
                    memory"
                ),
            )
            .because(format!(
                "The rate is {words}, and the data is {}. {}",
                size(area.unwrap_or(0.0) as u64),
                if load.direct == Some(true) {
                    "On macOS, direct=1 does not bypass data that is cached already."
                } else {
                    "Direct I/O is not shown."
                }
            ))
        });
    }
    let drives = load.drives.max(1.0);
    let is_array = load.direct == Some(true) && area.is_some_and(|area| area > LARGE);
    if is_array || rate <= LINK * drives {
        // The drives can give it, or it is an array whose drives are not known.
        return None;
    }
    let certainty = match load.direct {
        Some(false) => Certainty::Shown,
        _ => Certainty::Suspected,
    };
    let likely = match certainty {
        Certainty::Shown => "",
        _ => "probably ",
    };
    let who = if drives > 1.0 {
        format!("{drives} drives do not move")
    } else {
        "no single drive moves".to_owned()
    };
    Some(
        finish(
            evidence,
            side,
            certainty,
            &format!("this {likely}measured memory, not the disk: {who} {words}"),
        )
        .because(format!(
            "The rate of {words} is above {} MB/s, the payload of PCI Express 5 with four \
                    lanes{}. Only an array of more drives gives more.",
            megabytes(LINK * drives),
            if drives > 1.0 { " for each" } else { "" }
        )),
    )
}

fn finish(evidence: &Evidence, side: &Side, certainty: Certainty, headline: &str) -> Said {
    let mut letters = headline.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    let headline: String = first.into_iter().chain(letters).chain(['.']).collect();
    let said =
        Said::new(certainty, Effect::Elsewhere, headline).by(&["latency", "rate", "command"]);
    let remedy = match (evidence.load.direct, side.direction) {
        (Some(true), _) => {
            "Direct I/O was requested, so look below the file: a RAM disk, tmpfs, zram, a cache of \
             the host or of the file system, or blocks that were never written."
        }
        (_, Direction::Write) => "Use direct I/O, or flush the data before the time ends.",
        _ => "Use direct I/O, or a file larger than memory.",
    };
    said.remedy(remedy).decide(evidence, &[Change::Direct])
}

/// The share of requests that were this fast, by the percentiles.
pub(super) fn fast_share(side: &Side) -> Option<f64> {
    let latency = side.latency.as_ref()?;
    let fast = latency
        .percentiles
        .iter()
        .filter(|(_, time)| *time < FASTEST_NS);
    fast.map(|(at, _)| *at).reduce(f64::max)
}

/// A share in words, with the size of the requests.
pub(super) fn share_words(share: f64, block: Option<f64>) -> String {
    let block = block.map_or_else(String::new, |block| format!(" of {}", size(block as u64)));
    format!("{} of the requests{block}", percent(share))
}
