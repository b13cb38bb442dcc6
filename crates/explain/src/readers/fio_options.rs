//! Options of fio, from a command line or a job file, as a load.

use crate::command::is_job_file;
use crate::evidence::{Data, Evidence, Load};
use crate::number::{plain, size_with, time};
use std::collections::BTreeMap;

/// The load of the words of a command line: that of its last job.
pub(crate) fn load(words: &[String]) -> Load {
    let mut options = BTreeMap::new();
    let is_name = |word: &&String| word.starts_with("--name") || word.starts_with("-name");
    let jobs = words.iter().filter(is_name).count();
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let Some(option) = word.strip_prefix('-') else {
            continue;
        };
        let option = option.strip_prefix('-').unwrap_or(option);
        let (name, value) = if let Some((name, value)) = option.split_once('=') {
            (name, value.to_owned())
        } else {
            let next = words.next_if(|next| !next.starts_with('-') && !is_job_file(next));
            (option, next.cloned().unwrap_or_else(|| "1".to_owned()))
        };
        options.insert(canonical(name), value);
    }
    let has_job = jobs < 2 && (jobs == 1 || options.contains_key("rw"));
    if jobs > 1 {
        // Of several jobs only what the first line of each result shows is certain.
        options.clear();
    }
    let mut load = of_options(options);
    load.is_complete = has_job;
    load
}

/// Names of the same option.
fn canonical(name: &str) -> String {
    match name {
        "readwrite" => "rw",
        "blocksize" => "bs",
        "io_size" | "io_limit" => "io_size",
        "sync_file_range" => "fsync",
        "buffered" => "buffered",
        other => other,
    }
    .to_owned()
}

fn is_on(value: Option<&String>) -> bool {
    value.is_some_and(|value| value.is_empty() || !matches!(value.as_str(), "0" | "none"))
}

/// The load that options mean.
pub(crate) fn of_options(options: BTreeMap<String, String>) -> Load {
    let get = |name: &str| options.get(name);
    let number = |name: &str| plain(get(name)?);
    let bytes = |name: &str| {
        let value = get(name)?;
        let first = value.split([',', '-', ':', '/']).next()?;
        if first.ends_with('%') {
            return None;
        }
        size_with(first, true)
    };
    let mut load = Load {
        block: bytes("bs"),
        depth: number("iodepth"),
        jobs: number("numjobs"),
        size: bytes("size").or_else(|| bytes("filesize")),
        engine: get("ioengine").cloned().unwrap_or_default(),
        target: get("filename")
            .or_else(|| get("directory"))
            .cloned()
            .unwrap_or_default(),
        ..Load::default()
    };
    load.direct = match (get("direct"), get("buffered")) {
        (Some(direct), _) => Some(is_on(Some(direct))),
        (None, Some(buffered)) => Some(!is_on(Some(buffered))),
        (None, None) => None,
    };
    if let Some(rw) = get("rw") {
        (load.random, load.read_percent) = pattern(rw);
        if load.read_percent == Some(50.0) {
            load.read_percent = number("rwmixread")
                .or_else(|| Some(100.0 - number("rwmixwrite")?))
                .or(load.read_percent);
        }
    }
    let flushes = [number("fsync"), number("fdatasync")];
    load.flush_every = flushes
        .into_iter()
        .flatten()
        .filter(|every| *every > 0.0)
        .reduce(f64::min);
    if is_on(get("sync")) {
        load.flush_every = Some(1.0);
    }
    if is_on(get("end_fsync")) || is_on(get("fsync_on_close")) {
        load.flush_at_end = Some(true);
    }
    let percent = ["buffer_compress_percentage", "dedupe_percentage"];
    if is_on(get("zero_buffers")) {
        load.data = Some(Data::Zeros);
    } else if percent
        .iter()
        .any(|name| number(name).is_some_and(|share| share > 0.0))
        || get("buffer_pattern").is_some()
    {
        load.data = Some(Data::Compressible);
    }
    let limits = ["rate", "rate_iops", "thinktime", "rate_process"];
    load.is_limited = limits.iter().any(|name| is_on(get(name)));
    load.warm_up_s = get("ramp_time").and_then(|value| seconds(value));
    load.no_latency =
        is_on(get("gtod_reduce")) || is_on(get("disable_lat")) && is_on(get("disable_clat"));
    load.options = options;
    load
}

/// A time of fio, of which a bare number is in seconds.
pub(crate) fn seconds(value: &str) -> Option<f64> {
    plain(value).or_else(|| Some(time(value)? / 1e9))
}

/// Whether a value of `rw` is random, and its percentage of reads.
pub(crate) fn pattern(rw: &str) -> (Option<bool>, Option<f64>) {
    let name = rw.split(':').next().unwrap_or(rw);
    match name {
        "read" => (Some(false), Some(100.0)),
        "write" | "trim" | "trimwrite" => (Some(false), Some(0.0)),
        "rw" | "readwrite" => (Some(false), Some(50.0)),
        "randread" => (Some(true), Some(100.0)),
        "randwrite" | "randtrim" | "randtrimwrite" => (Some(true), Some(0.0)),
        "randrw" => (Some(true), Some(50.0)),
        _ => (None, None),
    }
}

/// What absent options mean where all options are known.
pub(crate) fn complete(evidence: &mut Evidence) {
    let load = &mut evidence.load;
    if load.is_complete {
        load.direct.get_or_insert(false);
        load.jobs.get_or_insert(1.0);
        load.depth.get_or_insert(1.0);
        load.block.get_or_insert(4096.0);
    }
}
