//! The one command that decides a question, for the tool that was used and for Fathom.

use crate::evidence::{Evidence, Load};
use crate::number::size_with;
use fathom_core::SmallSort as _;
use fathom_core::figure;

/// What the deciding run does otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Change {
    /// Past the page cache.
    Direct,
    /// Another depth.
    Depth(f64),
    /// Another engine of fio, which is asynchronous.
    Asynchronous,
    /// For a minute.
    Longer,
    /// A flush after each write.
    Flush,
    /// A flush before the time ends.
    FlushAtEnd,
    /// Data that does not compress.
    RandomData,
    /// Another size of a request.
    Block(f64),
    /// Without other jobs at the same time.
    OneJob,
    /// With latencies.
    Latency,
    /// Written in full before it is read.
    Written,
}

/// Options of fio for a change.
fn of_fio(change: Change) -> Vec<(&'static str, String)> {
    match change {
        Change::Direct => vec![("direct", "1".to_owned())],
        Change::Depth(depth) => vec![("iodepth", format!("{depth}"))],
        Change::Asynchronous => vec![
            ("ioengine", "libaio".to_owned()),
            ("direct", "1".to_owned()),
        ],
        Change::Longer => vec![("time_based", "1".to_owned()), ("runtime", "60".to_owned())],
        Change::Flush => vec![("fdatasync", "1".to_owned())],
        Change::FlushAtEnd => vec![("end_fsync", "1".to_owned())],
        Change::RandomData => vec![
            ("refill_buffers", "1".to_owned()),
            ("zero_buffers", "0".to_owned()),
        ],
        Change::Block(block) => vec![("bs", short(block))],
        Change::OneJob => vec![("numjobs", "1".to_owned())],
        Change::Latency => vec![("gtod_reduce", "0".to_owned())],
        Change::Written => vec![("overwrite", "1".to_owned())],
    }
}

/// A size in the letters of all tools: `4k`.
fn short(bytes: f64) -> String {
    let bytes = bytes as u64;
    for (letter, factor) in [("g", 1 << 30), ("m", 1 << 20), ("k", 1 << 10)] {
        if bytes > 0 && bytes.is_multiple_of(factor) {
            return format!("{}{letter}", bytes / factor);
        }
    }
    bytes.to_string()
}

/// Bytes that a suggested command moves at most.
const MOST_BYTES: f64 = 4.0 * 1_073_741_824.0;

/// A word as a shell takes it for one.
pub fn quoted(word: &str) -> String {
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "-_=./,:+@%".contains(sign);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// The command of the tool that was used, with a change; empty if it cannot be said.
pub(crate) fn command(evidence: &Evidence, changes: &[Change]) -> String {
    match evidence.tool {
        "fio" => fio(evidence, changes),
        "dd" => dd(&evidence.load, changes),
        "diskspd" => diskspd(&evidence.load, changes),
        "ioping" => ioping(&evidence.load, changes),
        "sysbench" => sysbench(&evidence.load, changes),
        _ => String::new(),
    }
}

fn fio(evidence: &Evidence, changes: &[Change]) -> String {
    let load = &evidence.load;
    let mut options: Vec<(String, String)> = Vec::new();
    let mut set =
        |name: &str, value: String| match options.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = value,
            None => options.push((name.to_owned(), value)),
        };
    set(
        "name",
        if evidence.title.is_empty() {
            "decide".to_owned()
        } else {
            evidence.title.clone()
        },
    );
    let rw = match (load.random, load.read_percent) {
        (Some(true), Some(100.0)) => "randread",
        (Some(true), Some(0.0)) => "randwrite",
        (Some(true), _) => "randrw",
        (_, Some(100.0)) => "read",
        (_, Some(0.0)) => "write",
        _ => "rw",
    };
    set("rw", rw.to_owned());
    if let Some(block) = load.block {
        set("bs", short(block));
    }
    if !load.engine.is_empty() {
        set("ioengine", load.engine.clone());
    }
    if let Some(depth) = load.depth {
        set("iodepth", format!("{depth}"));
    }
    if load.direct == Some(true) {
        set("direct", "1".to_owned());
    }
    for (name, value) in &load.options {
        let is_output = matches!(
            name.as_str(),
            "output" | "output-format" | "eta" | "status-interval" | "append-terse"
        );
        if !is_output {
            set(name, value.clone());
        }
    }
    for (name, value) in changes.iter().flat_map(|change| of_fio(*change)) {
        set(name, value);
    }
    if is_endless(load, changes) {
        set("io_size", "4g".to_owned());
    }
    // A result without its command does not say where, and a new file needs a size.
    let has = |names: [&str; 2]| {
        let mut options = options.iter();
        options.any(|(known, _)| names.contains(&known.as_str()))
    };
    let is_nowhere = !has(["filename", "directory"]);
    let place = is_nowhere.then_some("--filename=FILE");
    let has_size = has(["size", "filesize"]) || has(["io_size", "read_iolog"]);
    let size = (is_nowhere && !has_size).then_some("--size=1g");
    let words = options
        .iter()
        .map(|(name, value)| quoted(&format!("--{name}={value}")))
        .chain(place.into_iter().chain(size).map(str::to_owned));
    format!("fio {}", words.collect::<Vec<_>>().join(" "))
}

/// Whether nothing ends a run of fio before it moved a large area: no time, and no small size.
fn is_endless(load: &Load, changes: &[Change]) -> bool {
    let size = |name: &str| size_with(load.options.get(name)?, true);
    let is_small = |value: &String| {
        let bytes = size_with(value, true).filter(|_| !value.ends_with('%'));
        bytes.is_some_and(|bytes| bytes <= MOST_BYTES)
    };
    let is_timed = size("runtime").or(size("time_based")).is_some();
    let is_large = load
        .options
        .get("size")
        .is_some_and(|value| !is_small(value));
    is_large && !is_timed && !changes.contains(&Change::Longer)
}

fn dd(load: &Load, changes: &[Change]) -> String {
    let is_write = load.read_percent == Some(0.0);
    let mut options = load.options.clone();
    for change in changes {
        match change {
            Change::Direct if is_write => options.insert("oflag".to_owned(), "direct".to_owned()),
            Change::Direct => options.insert("iflag".to_owned(), "direct".to_owned()),
            Change::FlushAtEnd | Change::Flush => {
                options.insert("conv".to_owned(), "fdatasync".to_owned())
            }
            Change::Block(block) => options.insert("bs".to_owned(), short(*block).to_uppercase()),
            _ => None,
        };
    }
    if options.is_empty() {
        return String::new();
    }
    // As many bytes as before in blocks of another size, and no more than is safe.
    let size = |value: &String| size_with(value, true).filter(|size| *size > 0.0);
    let block = options.get("bs").map_or(Some(512.0), size);
    let before = load.options.get("count").and_then(size);
    let before = before.zip(load.block).map(|(count, block)| count * block);
    if let Some(block) = block {
        let bytes = before.unwrap_or(MOST_BYTES).min(MOST_BYTES);
        let count = (bytes / block).ceil().max(1.0);
        options.insert("count".to_owned(), format!("{count}"));
    }
    let order = ["if", "of", "bs", "count"];
    let rank = |name: &String| {
        order
            .iter()
            .position(|known| known == name)
            .unwrap_or(order.len())
    };
    let mut words: Vec<(&String, &String)> = options.iter().collect();
    words.small_sort_by_key(|(name, _)| rank(name));
    let words = words
        .iter()
        .map(|(name, value)| quoted(&format!("{name}={value}")));
    format!("dd {}", words.collect::<Vec<_>>().join(" "))
}

/// The words of a command after its program, but for those that start as one of `without`.
fn kept<'a>(load: &'a Load, without: &[&str]) -> Vec<&'a str> {
    let words = load.command.iter().skip(1).map(String::as_str);
    words
        .filter(|word| !without.iter().any(|start| word.starts_with(start)))
        .collect()
}

fn diskspd(load: &Load, changes: &[Change]) -> String {
    if load.command.is_empty() {
        return String::new();
    }
    let mut without: Vec<&str> = Vec::new();
    let mut added: Vec<String> = Vec::new();
    for change in changes {
        match change {
            Change::Direct => {
                without.extend(["-S", "-h"]);
                added.push("-Su".to_owned());
            }
            Change::Flush => {
                without.extend(["-S", "-h"]);
                added.push("-Sh".to_owned());
            }
            Change::Depth(depth) => {
                without.push("-o");
                added.push(format!("-o{depth}"));
            }
            Change::Longer => {
                without.push("-d");
                added.push("-d60".to_owned());
            }
            Change::RandomData => {
                without.push("-Z");
                added.push("-Zr".to_owned());
            }
            Change::Latency => added.push("-L".to_owned()),
            Change::OneJob => {
                without.extend(["-t", "-F"]);
                added.push("-t1".to_owned());
            }
            _ => {}
        }
    }
    let words = kept(load, &without);
    let words = added.iter().map(String::as_str).chain(words).map(quoted);
    format!("diskspd {}", words.collect::<Vec<_>>().join(" "))
}

fn ioping(load: &Load, changes: &[Change]) -> String {
    let words = kept(load, &["-C", "-D"]);
    let direct = if changes.contains(&Change::Direct) {
        " -D"
    } else {
        ""
    };
    let words = words.into_iter().map(quoted).collect::<Vec<_>>().join(" ");
    format!("ioping{direct} {words}").trim_end().to_owned()
}

fn sysbench(load: &Load, changes: &[Change]) -> String {
    if load.command.is_empty() {
        return String::new();
    }
    let added = if changes.contains(&Change::Direct) {
        "--file-extra-flags=direct "
    } else {
        ""
    };
    let words = kept(load, &["--file-extra-flags"]);
    format!(
        "sysbench {added}{}",
        words.into_iter().map(quoted).collect::<Vec<_>>().join(" ")
    )
}

/// The command of Fathom with the same load and the change.
pub(crate) fn fathom(evidence: &Evidence, changes: &[Change]) -> String {
    fathom_load(&evidence.load, changes)
}

/// The same of a load.
pub(crate) fn fathom_load(load: &Load, changes: &[Change]) -> String {
    let find = |pick: fn(&Change) -> Option<f64>| changes.iter().find_map(pick);
    let depth = find(|change| match change {
        Change::Depth(depth) => Some(*depth),
        _ => None,
    });
    let block = find(|change| match change {
        Change::Block(block) => Some(*block),
        _ => None,
    });
    let is_read = load.read_percent.is_none_or(|percent| percent >= 50.0);
    let profile = match (load.random, is_read) {
        (Some(false), true) => "sequential-read-1m",
        (Some(false), false) => "sequential-write-1m",
        (_, true) => "random-read-4k",
        (_, false) => "random-write-4k",
    };
    let mut text = format!("fathom run {profile} --target PATH");
    let mut add = |name: &str, value: String| {
        text += &format!(" --{name} {value}");
    };
    if let Some(block) = block.or(load.block) {
        add(
            "block-size",
            figure::size(block as u64).replace([' ', ','], ""),
        );
    }
    if let Some(percent) = load
        .read_percent
        .filter(|percent| *percent > 0.0 && *percent < 100.0)
    {
        add("read", format!("{percent:.0}"));
    }
    if let Some(depth) = depth.or(load.depth) {
        add("queue-depth", format!("{depth:.0}"));
    }
    let jobs = if changes.contains(&Change::OneJob) {
        Some(1.0)
    } else {
        load.jobs
    };
    if let Some(jobs) = jobs.filter(|jobs| *jobs > 1.0) {
        add("threads", format!("{jobs:.0}"));
    }
    if changes.contains(&Change::Flush) || load.flush_every == Some(1.0) {
        add("sync-every", "1".to_owned());
    }
    if changes.contains(&Change::Longer) {
        add("time", "60s".to_owned());
    }
    let is_direct = changes
        .iter()
        .any(|change| matches!(change, Change::Direct | Change::FlushAtEnd));
    if load.direct == Some(false) && !is_direct {
        text += " --no-direct";
    } else {
        text += " --direct";
    }
    text
}
