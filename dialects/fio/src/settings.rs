//! What the options of one job come to, before it is known what they mean together.

mod checksum;
mod logs;
mod read;
mod replays;
mod wanted;

use super::processors::Processors;
use super::values::{Amount, Base, Range};
use super::word::Word;
pub(super) use checksum::Checksum;
use fathom_core::spec::{Distribution, Durability, Fill, IoClass, Job, SteadyMetric};
use fathom_core::{EngineKind, Nanos, Tolerated};
use fathom_tools::translation::{Note, RunWishes, Standing};
pub(super) use logs::Logs;
pub(super) use replays::Replays;
use std::collections::HashSet;
use std::sync::Arc;
pub(super) use wanted::Wanted;
pub use wanted::{Unified, Untold};

/// What `rw=` asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pattern {
    pub(super) random: bool,
    pub(super) directions: Directions,
}

/// Which operations a job has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Directions {
    #[default]
    Reads,
    Writes,
    Trims,
    /// Reads and writes.
    Both,
    /// Each block is trimmed and then written.
    TrimsAndWrites,
}

impl Pattern {
    pub(super) const fn reads(self) -> bool {
        matches!(self.directions, Directions::Reads | Directions::Both)
    }

    pub(super) const fn writes(self) -> bool {
        matches!(
            self.directions,
            Directions::Writes | Directions::Both | Directions::TrimsAndWrites
        )
    }

    pub(super) const fn trims(self) -> bool {
        matches!(
            self.directions,
            Directions::Trims | Directions::TrimsAndWrites
        )
    }

    /// Its name.
    pub(super) const fn word(self) -> &'static str {
        match (self.directions, self.random) {
            (Directions::Reads, false) => "read",
            (Directions::Reads, true) => "randread",
            (Directions::Writes, false) => "write",
            (Directions::Writes, true) => "randwrite",
            (Directions::Trims, false) => "trim",
            (Directions::Trims, true) => "randtrim",
            (Directions::Both, false) => "rw",
            (Directions::Both, true) => "randrw",
            (Directions::TrimsAndWrites, false) => "trimwrite",
            (Directions::TrimsAndWrites, true) => "randtrimwrite",
        }
    }

    /// Whether each write goes where a trim went just before.
    pub(super) const fn trims_first(self) -> bool {
        matches!(self.directions, Directions::TrimsAndWrites)
    }
}

/// A block size and its share of the requests in percent, if it has one.
pub(super) type Split = Vec<(u64, Option<f64>)>;

/// What the I/O of an engine looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Engine {
    /// Its name in Fathom; none to let it choose.
    pub(super) fathom: Option<EngineKind>,
    /// Whether it keeps one request in flight, whatever `iodepth` says.
    pub(super) synchronous: bool,
}

/// fio's engines that there is one for.
pub(super) const ENGINES: [(&str, Engine); 13] = [
    ("sync", Engine::DEFAULT),
    ("psync", Engine::DEFAULT),
    ("vsync", Engine::DEFAULT),
    ("pvsync", Engine::DEFAULT),
    ("pvsync2", Engine::DEFAULT),
    ("splice", Engine::DEFAULT),
    ("mmap", Engine::single(EngineKind::Mmap)),
    ("posixaio", Engine::queued(None)),
    ("windowsaio", Engine::queued(None)),
    ("libaio", Engine::queued(Some(EngineKind::Libaio))),
    ("io_uring", Engine::queued(Some(EngineKind::IoUring))),
    ("io_uring_cmd", Engine::queued(Some(EngineKind::Nvme))),
    ("null", Engine::queued(Some(EngineKind::Null))),
];

/// An engine by the name that fio has for it.
pub(super) const fn name_of(engine: EngineKind) -> &'static str {
    match engine {
        EngineKind::Nvme => "io_uring_cmd",
        EngineKind::Iocp => "windowsaio",
        other => other.name(),
    }
}

impl Engine {
    const fn queued(fathom: Option<EngineKind>) -> Self {
        Self {
            fathom,
            synchronous: false,
        }
    }

    /// One request at a time.
    const fn single(fathom: EngineKind) -> Self {
        Self {
            fathom: Some(fathom),
            synchronous: true,
        }
    }

    /// That of a job that names none.
    const DEFAULT: Self = Self::single(EngineKind::Psync);
}

impl Default for Engine {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Settings {
    /// Whether requests pass by the page cache: those that are commands always do, those of a
    /// mapping never.
    pub(super) fn is_direct(&self) -> bool {
        self.job.durability.direct && !self.maps() || self.engine.fathom == Some(EngineKind::Nvme)
    }

    /// Whether files are mapped.
    pub(super) fn maps(&self) -> bool {
        self.engine.fathom == Some(EngineKind::Mmap)
    }

    /// Whether a request is done when it has been submitted: with synchronous engines, and with the
    /// one that goes nowhere as long as it is given them singly.
    pub(super) fn submits_at_once(&self) -> bool {
        self.engine.synchronous || self.engine.fathom == Some(EngineKind::Null) && self.depth == 1
    }
}

/// When a load is steady.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Criterion {
    pub(super) metric: SteadyMetric,
    pub(super) slope: bool,
    pub(super) limit: Limit,
}

/// What the deviation or the slope of a window may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// In percent of the mean; of a slope, for each second.
    Percent(f64),
    /// In requests or bytes a second; of a slope, for each second.
    Most(f64),
}

/// Everything that the options of one job say. Arrays hold reads, writes and trims.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    /// The options in their order, those of `[global]` first, which all sections share.
    pub(super) given: Vec<Arc<Word>>,
    /// What was read in a way that its author may not have meant.
    pub(super) traps: Vec<Note>,
    pub(super) base: Base,
    /// What an option says by itself is put here, where the job and the run have it.
    pub(super) job: Job,
    pub(super) wishes: RunWishes,

    pub(super) name: Option<String>,
    pub(super) description: Option<String>,

    pub(super) filenames: Vec<String>,
    /// Whether a line named some.
    pub(super) has_filenames: bool,
    pub(super) directories: Vec<String>,
    pub(super) filename_format: String,
    pub(super) files: u64,
    /// Whether files are used as they are there, and neither made nor made longer.
    pub(super) only_there: bool,
    pub(super) file_bytes: Option<u64>,
    pub(super) size: Option<Amount>,
    pub(super) io_size: Option<Amount>,
    pub(super) offset: Amount,
    pub(super) offset_align: u64,
    /// `zonemode=zbd`, the length of a zone, 0 where none is given, and how many zones may be open,
    /// for all and for each clone; 0 where that is
    /// not limited.
    pub(super) zoned: bool,
    pub(super) zone_bytes: u64,
    pub(super) open_zones: u32,
    pub(super) open_zones_of_job: u32,
    pub(super) offset_increment: Amount,
    pub(super) overwrite: bool,
    /// Whether files are not laid out before.
    pub(super) makes_on_open: bool,
    /// `fill_device`.
    pub(super) fills: bool,
    pub(super) invalidate: bool,
    /// `fadvise_hint=0`.
    pub(super) is_untold: bool,

    pub(super) pattern: Pattern,
    /// The number after the colon of `rw=`.
    pub(super) pattern_step: Option<u64>,
    pub(super) read_share: f64,
    pub(super) random_share: [f64; 3],
    pub(super) repeats_blocks: bool,
    /// Each block once in a pass, even where no account is kept of them.
    pub(super) visits_once: bool,
    pub(super) spots: [Distribution; 3],

    pub(super) block: [u64; 3],
    pub(super) block_range: [Option<Range>; 3],
    pub(super) block_split: [Split; 3],
    pub(super) block_by_order: bool,
    pub(super) align: [Option<u64>; 3],

    pub(super) rate: [u64; 3],
    pub(super) rate_iops: [u64; 3],
    pub(super) poisson: bool,
    pub(super) think: Nanos,
    pub(super) think_blocks: u64,
    /// `prioclass` and `prio`.
    pub(super) io_class: Option<IoClass>,
    pub(super) io_level: Option<u32>,

    pub(super) engine: Engine,
    pub(super) depth: u64,
    pub(super) depth_low: u64,
    /// Whether requests that overlap are to wait for each other.
    pub(super) serializes: bool,
    /// Processors that threads are pinned to, and nodes whose processors they are pinned to.
    pub(super) processors: Option<Arc<Processors>>,
    pub(super) nodes: Vec<u32>,
    pub(super) fsync: u64,
    pub(super) fdatasync: u64,
    pub(super) syncs_at_end: bool,

    pub(super) runtime: Nanos,
    pub(super) time_based: bool,
    pub(super) ramp: Nanos,
    pub(super) start_delay: Nanos,
    /// What a job that is waited for takes from its start to its end.
    pub(super) waits: Nanos,
    pub(super) loops: u64,
    pub(super) requests: u64,
    pub(super) steady: Option<Criterion>,
    pub(super) steady_time: Nanos,
    pub(super) steady_ramp: Nanos,

    pub(super) clones: u64,
    /// Whether clones are threads.
    pub(super) threads: bool,
    pub(super) stonewall: bool,
    pub(super) wait_for: Option<String>,
    pub(super) new_group: bool,
    pub(super) group_reporting: bool,
    pub(super) exit_all: bool,

    pub(super) zeros: bool,
    pub(super) refills: bool,
    /// What writes carry, and what checked ones carry.
    pub(super) buffer_pattern: Option<Fill>,
    pub(super) verify_pattern: Option<Fill>,
    pub(super) compressible: u64,
    pub(super) duplicate: u64,
    pub(super) checksum: Checksum,
    pub(super) does_verify: bool,
    pub(super) verify_interval: u64,
    /// 0 where nothing is read back between the writes.
    pub(super) verify_backlog: u32,
    pub(super) stop_on_mismatch: bool,
    /// Errors with which it goes on, by `continue_on_error` and by `ignore_error`.
    pub(super) goes_on_with: Tolerated,
    pub(super) ignores: Tolerated,

    pub(super) repeats_seed: bool,
    pub(super) seed: Option<u64>,
    pub(super) wanted: Wanted,
    pub(super) logs: Logs,
    pub(super) replays: Replays,
}

/// fio's own percentiles.
pub(super) const PERCENTILES: [f64; 17] = [
    1.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.95,
    99.99,
];
/// Decimals with which these are printed.
pub(super) const PERCENTILE_DECIMALS: usize = 2;

impl Settings {
    /// fio's defaults.
    pub(super) fn of_fio() -> Self {
        Self {
            job: Job {
                durability: Durability {
                    direct: false,
                    ..Durability::PLAIN
                },
                ..Job::plain()
            },
            wishes: RunWishes {
                keep_files: true,
                stop_on_error: true,
                ..RunWishes::default()
            },
            filename_format: "$jobname.$jobnum.$filenum".to_owned(),
            files: 1,
            invalidate: true,
            read_share: 50.0,
            random_share: [100.0; 3],
            block: [4096; 3],
            think_blocks: 1,
            depth: 1,
            loops: 1,
            clones: 1,
            does_verify: true,
            repeats_seed: true,
            ..Self::default()
        }
    }

    /// Least and most bytes of requests, by direction.
    pub(super) fn block_limits(&self) -> [(u64, u64); 3] {
        [0, 1, 2].map(|way| {
            let sizes = self.block_split[way].iter().map(|(size, _)| *size);
            match (sizes.clone().min(), sizes.max(), self.block_range[way]) {
                (Some(least), Some(most), _) => (least, most),
                (_, _, Some(range)) => (range.low, range.high),
                _ => (self.block[way], self.block[way]),
            }
        })
    }

    /// The last mention of an option, by its first name.
    pub(super) fn word(&self, name: &str) -> Option<&Word> {
        self.given
            .iter()
            .rev()
            .find(|word| word.name == name)
            .map(Arc::as_ref)
    }

    /// Forgets all mentions of an option but the last, which is the one that counts: what sections
    /// inherit is then no longer than the table of options.
    pub(super) fn keep_last_mentions(&mut self) {
        let mut seen = HashSet::new();
        let mut last = std::mem::take(&mut self.given);
        last.reverse();
        last.retain(|word| seen.insert(word.name));
        last.reverse();
        self.given = last;
    }

    /// Whether an option is given and asks for something.
    pub(super) fn has(&self, name: &str) -> bool {
        self.word(name).is_some_and(|word| !word.is_harmless)
    }

    pub(super) fn trap(&mut self, word: &Word, message: Option<String>) {
        if let Some(message) = message {
            self.traps
                .push(Note::new(Standing::Kept, word.what(), message));
        }
    }
}
