//! One kind of client of the storage.

use super::compat::NOTHING;
use super::{
    Access, Compat, Data, Durability, Files, IoClass, IoKind, JobStop, Pacing, PauseLength,
    Priority, QueueScope, RateCurve, Replay, Verify,
};
use crate::engine::EngineKind;
use crate::is_default::is_default;
use crate::op::Op;
use crate::units::{Bytes, Nanos};
use serde::{Deserialize, Serialize};

/// One kind of client of the storage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Job")
)]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct Job {
    /// Name, unique in the phase.
    pub name: String,
    /// Paths, or `@role` for one that the command line binds. Empty: the targets of the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<String>,
    /// What makes its requests; without it, what makes those of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineKind>,
    /// Number of threads.
    pub threads: u32,
    /// Outstanding requests a thread keeps, by `queue_scope`.
    pub queue_depth: u32,
    /// Whether `queue_depth` counts for each target or over all of them.
    pub queue_scope: QueueScope,
    /// Requests that a thread submits at once at most. Without it a thread learns what its storage
    /// does best with, where the engine submits in batches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submit_batch: Option<u32>,
    /// Completions that a thread waits for before it goes on, 1 without it; fewer where fewer are
    /// in flight or something else is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complete_batch: Option<u32>,
    /// Size of a file that has to be made; also the size used of one that is larger. Without it
    /// an existing file is used whole. A block device is there as it is and is used whole,
    /// whatever size is given here; `window` limits it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Bytes>,
    /// Where the used window of the target begins.
    pub offset: Bytes,
    /// Length of the used window; without it, to the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<Bytes>,
    /// A file is made empty, or emptied from `offset` on, instead of being laid out: the job's
    /// writes make it grow, as those of a program that writes a new file do.
    #[serde(default, skip_serializing_if = "is_default")]
    pub fresh: bool,
    /// What the page cache holds of the targets is written back and dropped before the job
    /// begins, so that buffered reads ask the device.
    #[serde(default, skip_serializing_if = "is_default")]
    pub cold: bool,
    /// The measurement is about the page cache: reads that it answers are the result, which is
    /// labelled so.
    #[serde(default, skip_serializing_if = "is_default")]
    pub warm: bool,
    /// Where requests go.
    pub access: Access,
    /// When requests go.
    pub pacing: Pacing,
    /// The priority of its requests; that of the process without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub io_class: Option<IoClass>,
    /// The level in that class, 0 the most urgent; 4 without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub io_level: Option<u32>,
    /// Begin (each time) when a burst of the named job has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// Delay of the start after that of the phase.
    #[serde(default, skip_serializing_if = "is_default")]
    pub delay: Nanos,
    /// The lengths of the pauses of a closed load; all alike without it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pauses: Vec<PauseLength>,
    /// How the rate of an open load changes over time, or the pauses of a closed one; constant
    /// without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_curve: Option<RateCurve>,
    /// Make the requests of a trace instead of drawing them; `io` sums them up then, and may be
    /// left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<Replay>,
    /// The requests are made of many files in a directory, each of one of them whole, instead of
    /// places of the targets, which are directories then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<Files>,
    /// Past or through the page cache, and how writes are made durable.
    pub durability: Durability,
    /// Writes before successive flushes, again and again, instead of the same number before each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sync_pattern: Vec<u32>,
    /// A flush of each target follows the last write, also where a clock ends the load.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sync_at_end: bool,
    /// What writes carry.
    pub data: Data,
    /// Self-describing blocks and their checks.
    pub verify: Verify,
    /// What only job files of other programs ask for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compat: Option<Box<Compat>>,
    /// Own end of this job, in addition to that of the phase.
    pub stop: JobStop,
    /// What the requests are: a weighted list.
    #[serde(rename = "io")]
    pub kinds: Vec<IoKind>,
}

impl Default for Job {
    fn default() -> Self {
        Self::plain()
    }
}

impl Job {
    /// One thread, one request at a time, past the page cache, on the whole of the targets of the
    /// run. It has no name and no kind of request yet.
    pub fn plain() -> Self {
        Self {
            name: String::new(),
            targets: Vec::new(),
            engine: None,
            threads: 1,
            queue_depth: 1,
            queue_scope: QueueScope::PerTarget,
            submit_batch: None,
            complete_batch: None,
            size: None,
            offset: Bytes(0),
            window: None,
            fresh: false,
            cold: false,
            warm: false,
            access: Access::PLAIN,
            pacing: Pacing::CLOSED,
            io_class: None,
            io_level: None,
            after: None,
            delay: Nanos::ZERO,
            pauses: Vec::new(),
            rate_curve: None,
            replay: None,
            files: None,
            durability: Durability::PLAIN,
            sync_pattern: Vec::new(),
            sync_at_end: false,
            data: Data::PLAIN,
            verify: Verify::Off,
            compat: None,
            stop: JobStop::default(),
            kinds: Vec::new(),
        }
    }

    /// What only job files of other programs ask for.
    pub fn compat(&self) -> &Compat {
        self.compat.as_deref().unwrap_or(&NOTHING)
    }

    /// Changes it.
    pub fn set_compat(&mut self, change: impl FnOnce(&mut Compat)) {
        let mut compat = self
            .compat
            .take()
            .map_or_else(Compat::default, |compat| *compat);
        change(&mut compat);
        self.compat = compat.boxed();
    }

    /// Whether the job ends by itself.
    pub const fn ends(&self) -> bool {
        self.stop.is_set() || self.replay.is_some() || self.deals_once()
    }

    /// Whether it is over when it has dealt with each of its files once.
    pub const fn deals_once(&self) -> bool {
        matches!(self.files, Some(Files { once: true, .. }))
    }

    /// Whether requests have an intended instant of their own.
    pub fn is_open(&self) -> bool {
        let timed = |replay: &Replay| replay.speed.is_some();
        self.pacing.is_open() || self.replay.as_ref().is_some_and(timed)
    }

    /// Whether its passes are of requests of several sizes, of which none meets another.
    pub fn covers(&self) -> bool {
        let sizes = self.kinds.windows(2);
        self.access.without_repetition
            && sizes
                .into_iter()
                .any(|pair| pair[0].block_size != pair[1].block_size)
    }

    /// Whether any request of the job changes its targets.
    pub fn destroys(&self) -> bool {
        self.kinds.iter().any(|kind| kind.op.destroys())
    }

    /// Whether what it reads has to be what jobs have written: a layout, or what else was there
    /// before, does not count. So it is with fio, which knows of no blocks but those of jobs.
    pub fn misses_unwritten(&self) -> bool {
        !self.compat().verify_as.is_own() && self.verify == Verify::Check && !self.destroys()
    }

    /// Writes between flushes on average, if flushes follow writes.
    pub fn writes_per_flush(&self) -> Option<f64> {
        let sync = self.durability.sync?;
        let pattern: f64 = self.sync_pattern.iter().copied().map(f64::from).sum();
        Some(match self.sync_pattern.len() {
            0 => f64::from(sync.writes.max(1)),
            flushes => pattern / flushes as f64,
        })
    }

    /// Whether a flush follows each write.
    pub fn flushes_each_write(&self) -> bool {
        let is_each = self.writes_per_flush() == Some(1.0);
        is_each && self.sync_pattern.iter().all(|writes| *writes == 1)
    }

    /// Has requests come in another way. What shaped the pauses or the rate of the way before goes.
    pub fn set_pacing(&mut self, pacing: Pacing) {
        let is_alike =
            self.pacing.is_open() && pacing.is_open() || self.pacing.thinks() && pacing.thinks();
        if !is_alike {
            self.pauses.clear();
            self.rate_curve = None;
        }
        self.pacing = pacing;
    }

    /// Whether any request of the job writes.
    pub fn writes(&self) -> bool {
        self.kinds.iter().any(|kind| kind.op == Op::Write)
    }

    /// Whether any request of the job reads.
    pub fn reads(&self) -> bool {
        self.kinds.iter().any(|kind| kind.op == Op::Read)
    }

    /// The priority of its requests, if it has one.
    pub fn own_priority(&self) -> Option<Priority> {
        let class = self.io_class?;
        Some(Priority {
            class,
            level: self.io_level.unwrap_or(class.plain_level()),
        })
    }

    /// The share of its requests that go to random places, from 0 to 1.
    pub fn random_share(&self) -> f64 {
        let of = |weight: fn(&IoKind) -> f64| self.kinds.iter().map(weight).sum::<f64>();
        let all = of(|kind| kind.weight);
        if all > 0.0 {
            of(|kind| kind.weight * kind.random.0 / 100.0) / all
        } else {
            0.0
        }
    }

    /// Whether most of its requests are at random.
    pub fn is_random(&self) -> bool {
        self.random_share() > 0.5
    }

    /// Whether the kernel may read ahead for it.
    pub fn is_read_ahead(&self) -> bool {
        self.reads() && !self.durability.direct && self.files.is_none() && self.replay.is_none()
    }

    /// The largest request in bytes; the size of a buffer.
    pub fn largest_io(&self) -> Bytes {
        self.kinds
            .iter()
            .map(|kind| kind.block_size)
            .max()
            .unwrap_or_default()
    }

    /// The size of all requests, where they are alike and each begins where another could end.
    pub fn only_io(&self) -> Option<Bytes> {
        let size = self.largest_io();
        let is_alike = |kind: &IoKind| {
            kind.block_size == size && size.0 > 0 && kind.align.0.is_multiple_of(size.0)
        };
        self.kinds.iter().all(is_alike).then_some(size)
    }

    /// The largest of its requests that move bytes.
    pub fn largest_moved(&self) -> Bytes {
        let moving = self.kinds.iter().filter(|kind| kind.op != Op::Trim);
        moving.map(|kind| kind.block_size).max().unwrap_or_default()
    }

    /// The greatest common block of all requests and the window: what offsets are a multiple of.
    pub fn smallest_align(&self) -> Bytes {
        self.kinds
            .iter()
            .map(|kind| kind.align)
            .min()
            .unwrap_or(Bytes(512))
    }
}
