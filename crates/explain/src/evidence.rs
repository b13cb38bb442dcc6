//! What an output shows, whichever tool wrote it.

use crate::mentions::Mention;
use crate::stated::Limit;
use std::collections::BTreeMap;

/// One result in a paste. Times are in nanoseconds, sizes in bytes, rates per second.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Name of the tool, as in `fio`; `fathom` for our own.
    pub tool: &'static str,
    /// Name of the format, as in `fio-text`.
    pub format: &'static str,
    /// Version of the tool, empty if not shown.
    pub version: String,
    /// Name of the job or test, empty if it has none.
    pub title: String,
    /// First and last line in the paste, from 1.
    pub lines: (usize, usize),
    /// The load, as far as the output or the command line above it shows it.
    pub load: Load,
    /// Reads, writes and trims.
    pub sides: Vec<Side>,
    /// All requests per second, where the tool does not count them by direction.
    pub all_iops: Option<f64>,
    /// Latency of flushes, with their number in `samples`.
    pub flush: Option<Latency>,
    /// Flushes per second, where they are counted and not only timed.
    pub flushes: Option<f64>,
    /// Depths and the percentage of requests that were submitted at each, lowest first.
    pub depths: Vec<(f64, f64)>,
    /// Percentage of one processor per job in user mode, then in the kernel.
    pub cpu: Option<(f64, f64)>,
    /// Percentage of all processors of the machine.
    pub cpu_all: Option<f64>,
    /// Context switches.
    pub switches: Option<f64>,
    /// Device counters, stacked devices first.
    pub disks: Vec<Disk>,
    /// Columns before the name, in a table whose parts stand deeper than the whole.
    pub indent: usize,
    /// The line of the heading of a table of devices.
    pub table: Option<usize>,
    /// The other reports of a tool that watches the device; this one is the busiest.
    pub others: Others,
    /// Bytes in use, and free, of the pool or volume.
    pub space: Option<(f64, f64)>,
    /// Measured seconds.
    pub runtime_s: Option<f64>,
    /// Requests or jobs that failed.
    pub errors: f64,
    /// Warnings that the tool itself gave about the numbers, the worst first.
    pub warnings: Vec<String>,
    /// Whether the output ends in the middle.
    pub is_cut: bool,
    /// Rates over time, per second, with the seconds between them.
    pub series: Option<(f64, Vec<f64>)>,
    /// Facts that apply to this output of its tool: keys of the fact table.
    pub facts: Vec<&'static str>,
    /// The line that shows a thing, by the name of the thing.
    pub seen: BTreeMap<&'static str, usize>,
}

/// The kernel's EINVAL, as fio reports it in `errors`.
pub(crate) const INVALID: f64 = 22.0;

/// What was requested of the storage.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Load {
    /// Whether the page cache is bypassed.
    pub direct: Option<bool>,
    /// Size of a request.
    pub block: Option<f64>,
    /// Whether offsets are random.
    pub random: Option<bool>,
    /// Percentage of requests that are reads.
    pub read_percent: Option<f64>,
    /// Outstanding requests per job.
    pub depth: Option<f64>,
    /// Threads, processes or clients whose numbers are added up in this result.
    pub jobs: Option<f64>,
    /// I/O engine or interface, empty if not shown.
    pub engine: String,
    /// Size of the file or of the area used.
    pub size: Option<f64>,
    /// File or device, empty if not shown.
    pub target: String,
    /// Whether the paste names ZFS.
    pub is_on_zfs: bool,
    /// What the paste names that may lie between the load and the disk, as indices of the table.
    pub layers: Vec<usize>,
    /// What the text around the output says.
    pub mentions: Vec<Mention>,
    /// The device of which the kernel reports errors, empty if none is named.
    pub failing: String,
    /// Limits that the text states.
    pub limits: Vec<Limit>,
    /// The most drives that the text names or counts, 0 if none.
    pub drives: f64,
    /// Folder that the prompt before the command shows, empty if none.
    pub folder: String,
    /// The line of text above the command, which may say what was tried; empty if none.
    pub heading: String,
    /// Whether it ran in parallel: the shell did not wait for it.
    pub is_parallel: bool,
    /// Whether the page cache was emptied before.
    pub is_cache_dropped: bool,
    /// Writes between two flushes; 1 for synchronous writes.
    pub flush_every: Option<f64>,
    /// Whether the time includes a flush at the end.
    pub flush_at_end: Option<bool>,
    /// What is written.
    pub data: Option<Data>,
    /// Whether the rate is limited by the tool.
    pub is_limited: bool,
    /// Seconds of warm-up that are not in the numbers.
    pub warm_up_s: Option<f64>,
    /// Whether latencies were switched off.
    pub no_latency: bool,
    /// Options of the command line or job file, by their names in the tool.
    pub options: BTreeMap<String, String>,
    /// Whether all options are known: an option that is absent has its default.
    pub is_complete: bool,
    /// The command line, if the paste has it.
    pub command: Vec<String>,
}

impl Load {
    /// Whether two loads went to one file or device, as far as the output shows it.
    pub(crate) fn is_on(&self, other: &Self) -> bool {
        self.target == other.target && self.folder == other.folder
    }
}

/// Reports of a device that are not the busiest one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Others {
    /// How many.
    pub count: usize,
    /// The longest mean latency in them.
    pub longest_wait_ns: Option<f64>,
    /// The largest percentage of time with a request in them.
    pub most_busy: f64,
    /// The least busy of them that has requests.
    pub calmest: Option<Moment>,
}

/// A device in one report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Percentage of time with a request.
    pub util: f64,
    /// Requests per second.
    pub iops: f64,
    /// Bytes per second.
    pub rate: f64,
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Data {
    /// Nothing but zero bytes.
    Zeros,
    /// Some percentage compresses away, or one buffer is repeated.
    Compressible,
    /// Random bytes.
    Random,
}

/// The direction of requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// From the storage.
    #[default]
    Read,
    /// To the storage.
    Write,
    /// Both, where the tool adds them up.
    Both,
}

impl Direction {
    /// A noun in the plural.
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Read => "reads",
            Self::Write => "writes",
            Self::Both => "requests",
        }
    }
}

/// The requests of one direction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Side {
    /// Which.
    pub direction: Direction,
    /// Number of requests.
    pub requests: Option<f64>,
    /// Requests per second.
    pub iops: Option<f64>,
    /// Bytes per second.
    pub rate: Option<f64>,
    /// Sum of all requests.
    pub bytes: Option<f64>,
    /// From begin of submission to completion, or from submission where only that is shown.
    pub latency: Option<Latency>,
    /// Time of submission.
    pub submission: Option<Latency>,
    /// Least, greatest, mean and deviation of the rate in intervals, in requests or bytes.
    pub samples: Option<[f64; 4]>,
}

/// A distribution of times in nanoseconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Latency {
    /// Least.
    pub min: Option<f64>,
    /// Arithmetic average.
    pub mean: Option<f64>,
    /// Greatest.
    pub max: Option<f64>,
    /// Standard deviation.
    pub deviation: Option<f64>,
    /// Percentiles and times, lowest first.
    pub percentiles: Vec<(f64, f64)>,
    /// Number of requests.
    pub samples: Option<f64>,
}

/// Counters of a device during the run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Disk {
    /// As the kernel calls it.
    pub name: String,
    /// Requests that it served, reads and writes.
    pub requests: (f64, f64),
    /// Requests that the kernel merged into those.
    pub merged: (f64, f64),
    /// Percentage of time with a request.
    pub util: Option<f64>,
    /// Whether others of the list lie below it.
    pub is_stacked: bool,
}

impl Latency {
    /// The time of a percentile, if it is listed.
    pub fn at(&self, percentile: f64) -> Option<f64> {
        let found = self
            .percentiles
            .iter()
            .find(|(at, _)| (at - percentile).abs() < 1e-6);
        found.map(|(_, time)| *time)
    }
}

impl Evidence {
    /// A result of a tool.
    pub(crate) fn new(tool: &'static str, format: &'static str) -> Self {
        Self {
            tool,
            format,
            ..Self::default()
        }
    }

    /// Whether there is any number in it, or only a load.
    pub fn is_measured(&self) -> bool {
        !self.sides.is_empty() || !self.disks.is_empty() || self.flush.is_some()
    }

    /// All requests per second, computed from bytes where only they are shown.
    pub fn iops(&self) -> Option<f64> {
        let all = self.sides.iter().filter_map(|side| self.iops_of(side));
        all.reduce(|a, b| a + b).or(self.all_iops)
    }

    /// Requests per second of one direction.
    pub fn iops_of(&self, side: &Side) -> Option<f64> {
        let by_size = || Some(side.rate? / self.load.block?);
        side.iops.or_else(by_size).filter(|iops| *iops > 0.0)
    }

    /// Bytes per second of one direction.
    pub fn rate_of(&self, side: &Side) -> Option<f64> {
        let by_size = || Some(side.iops? * self.load.block?);
        side.rate.or_else(by_size).filter(|rate| *rate > 0.0)
    }

    /// Bytes per second.
    pub fn rate(&self) -> Option<f64> {
        let all = self.sides.iter().filter_map(|side| self.rate_of(side));
        all.reduce(|a, b| a + b)
    }

    /// The direction, if there is one with requests.
    pub fn side(&self, direction: Direction) -> Option<&Side> {
        self.sides.iter().find(|side| side.direction == direction)
    }

    /// Outstanding requests of all jobs, as requested.
    pub fn total_depth(&self) -> Option<f64> {
        Some(self.load.depth? * self.load.jobs.unwrap_or(1.0))
    }

    /// Mean latency over both directions.
    pub fn mean_latency(&self) -> Option<f64> {
        let mut sum = 0.0;
        let mut weight = 0.0;
        for side in &self.sides {
            let own = self.iops_of(side).unwrap_or(1.0);
            sum += side.latency.as_ref()?.mean? * own;
            weight += own;
        }
        (weight > 0.0).then_some(sum / weight)
    }

    /// Requests in flight on average: rate times latency (Little's law).
    pub fn in_flight(&self) -> Option<f64> {
        Some(self.iops()? * self.mean_latency()? / 1e9)
    }

    /// Whether the tool watched devices while others used them.
    pub(crate) fn is_watched(&self) -> bool {
        matches!(self.tool, "iostat" | "sar" | "vmstat" | "zpool")
    }

    /// The busiest device, and the percentage of time with a request.
    pub fn busiest(&self) -> Option<(&str, f64)> {
        let all = self.disks.iter();
        let all = all.filter_map(|disk| Some((disk.name.as_str(), disk.util?)));
        all.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The longest measured time, in seconds.
    pub fn seconds(&self) -> Option<f64> {
        self.runtime_s.filter(|seconds| *seconds > 0.0)
    }

    /// The value of an option.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.load.options.get(name).map(String::as_str)
    }

    /// Notes the line that shows a thing; the first one counts.
    pub(crate) fn see(&mut self, thing: &'static str, line: usize) {
        self.seen.entry(thing).or_insert(line);
    }

    /// Whether another device was watched at the same time: in one table.
    pub(crate) fn is_beside(&self, other: &Self) -> bool {
        let is_one = self.table.is_some() && self.table == other.table;
        is_one && self.tool == other.tool && self.title != other.title
    }

    /// The line that shows a thing, or the first one of the result.
    pub fn line(&self, thing: &str) -> usize {
        self.seen.get(thing).copied().unwrap_or(self.lines.0)
    }
}
