//! What is true of a run, found independently of the program's own judgement: by the kernel's
//! counters of processor time and by the limits of the device's queue.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use fathom_core::CodeWord;
use fathom_verdict::Code;

use super::TICKS;
use crate::siege::result::{Judgement, OF_SHORT_RUNS, OF_THE_MACHINE, is_of};

/// Share of the processors that others may have before a busy machine is no false alarm. The
/// kernel's workers that serve a loop device are others too.
const QUIET: f64 = 0.1;

/// Share of a thread's time below which its own work cannot have held the storage back.
const IDLE_GENERATOR: f64 = 0.04;

/// Share of a thread's time from which its own work may have set the pace.
const BUSY_GENERATOR: f64 = 0.1;

/// Share of a thread's time from which others who had it may have starved the thread.
const STARVED: f64 = 0.01;

/// Share of the processors' time that the hypervisor kept, from which a run may say so: it says so
/// from 1 % of its measured time, which is a part of the run.
const STOLEN: f64 = 0.005;

/// A segment holds a page at least.
const PAGE_BYTES: u64 = 4096;

/// Share of a thread's time from which the processor, and not the storage, may set the pace.
const FULL_GENERATOR: f64 = 0.7;

/// What was seen of one run from outside.
pub(super) struct Truth<'a> {
    /// What is true of every run on this storage.
    pub(super) of_storage: &'a [Code],
    pub(super) engine: &'a str,
    /// Share of the processors that others had.
    pub(super) others: f64,
    /// Seconds of processor time of the program and its children.
    pub(super) own_seconds: f64,
    /// Ticks of it outside the kernel.
    pub(super) user_ticks: f64,
    /// Seconds of processor time that others had.
    pub(super) others_seconds: f64,
    /// Share of the processors' time that the hypervisor kept.
    pub(super) stolen: f64,
    /// Whether the device completed requests at an uneven pace.
    pub(super) is_uneven: bool,
    /// Bytes that the device surely takes as one request, if it is known.
    pub(super) whole_bytes: Option<u64>,
    /// Requests that the kernel merged into others on their way to the device.
    pub(super) merged: u64,
}

impl Truth<'_> {
    pub(super) fn is_quiet(&self) -> bool {
        self.others < QUIET
    }

    /// Processor time of those who may take a processor from a thread of the load: other programs,
    /// and the kernel's workers of io_uring where the storage needs them. Those are counted with
    /// the program.
    fn rivals_seconds(&self) -> f64 {
        let has_workers = self.engine == "io_uring" && self.of_storage.contains(&Code::IoWorkers);
        self.others_seconds + if has_workers { self.own_seconds } else { 0.0 }
    }

    /// Whether what a code says is so.
    pub(super) fn holds(&self, code: &CodeWord, found: &Judgement) -> bool {
        let thread_seconds = found.thread_seconds();
        // The way from a completion to the next submission is the program's and the kernel's.
        let is_busy = |share: f64| self.own_seconds > share * thread_seconds;
        if !self.is_quiet() && is_of(code, OF_THE_MACHINE) {
            return true;
        }
        if is_of(code, OF_SHORT_RUNS) || is_of(code, self.of_storage) {
            true
        } else if *code == Code::QueueDepthLimited {
            // One request at a time is all that this engine can hold.
            self.engine == "psync"
        } else if *code == Code::Split {
            self.whole_bytes
                .is_some_and(|whole| found.largest_mean_bytes() > whole as f64)
        } else if *code == Code::Merged {
            self.merged > 0
        } else if *code == Code::GenerationTime {
            // Preparing happens outside the kernel, which counts the time itself.
            found.generation_seconds() * TICKS < most_ticks(self.user_ticks)
        } else if *code == Code::GeneratorStarved {
            self.rivals_seconds() > STARVED * thread_seconds
        } else if *code == Code::Steal {
            self.stolen > STOLEN
        } else if *code == Code::SubmissionGaps {
            is_busy(IDLE_GENERATOR)
        } else if *code == Code::GeneratorBound {
            is_busy(BUSY_GENERATOR)
        } else if *code == Code::GeneratorCpu {
            is_busy(FULL_GENERATOR)
        } else if is_of(code, &[Code::Uneven, Code::Trend]) {
            self.is_uneven
        } else {
            false
        }
    }
}

/// The device of a file system, as the kernel shows it.
pub(super) struct Device {
    folder: PathBuf,
}

impl Device {
    /// That which a folder lies on; none where the file system has none of its own.
    pub(super) fn under(folder: &Path) -> Result<Option<Self>> {
        let number = std::fs::metadata(folder)?.dev();
        let (major, minor) = (rustix::fs::major(number), rustix::fs::minor(number));
        let shown = PathBuf::from(format!("/sys/dev/block/{major}:{minor}"));
        if !shown.exists() {
            return Ok(None);
        }
        let shown = std::fs::canonicalize(&shown)?;
        let is_partition = shown.join("partition").exists();
        let whole = shown.parent().filter(|_| is_partition);
        let folder = whole.map_or(shown.clone(), Path::to_owned);
        Ok(Some(Self { folder }))
    }

    /// A device by its node.
    pub(super) fn of(node: &Path) -> Result<Self> {
        let name = node.file_name().context("a device has a name")?;
        Ok(Self {
            folder: Path::new("/sys/block").join(name),
        })
    }

    /// Bytes that it takes as one request whatever pages they lie in.
    pub(super) fn whole_bytes(&self) -> Result<u64> {
        let number = |name: &str| -> Result<u64> {
            let path = self.folder.join("queue").join(name);
            let text = std::fs::read_to_string(&path);
            let text = text.with_context(|| format!("{}: it cannot be read", path.display()))?;
            Ok(text.trim().parse()?)
        };
        let sectors = number("max_sectors_kb")? * 1024;
        let segments = number("max_segments")?.saturating_mul(PAGE_BYTES);
        Ok(sectors.min(segments))
    }

    /// Reads and writes that were merged into others, since it is there.
    pub(super) fn merged(&self) -> Result<u64> {
        self.counted(1)
    }

    /// Reads and writes that it has completed, since it is there.
    pub(super) fn completed(&self) -> Result<u64> {
        self.counted(0)
    }

    /// A counter of reads and the one of writes.
    fn counted(&self, field: usize) -> Result<u64> {
        let text = std::fs::read_to_string(self.folder.join("stat"))?;
        let numbers = text.split_whitespace().map(str::parse::<u64>);
        let numbers = numbers.collect::<Result<Vec<_>, _>>()?;
        let of = |field: usize| numbers.get(field).copied().unwrap_or_default();
        Ok(of(field) + of(field + 4))
    }
}

/// Most ticks that a program may have used, given the kernel's count of them. The kernel looks 100
/// times a second, so a count varies by its square root. One count in a thousand is lower.
fn most_ticks(counted: f64) -> f64 {
    counted + 3.0 * counted.sqrt() + 4.0
}
