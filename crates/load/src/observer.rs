//! What a run tells while it goes on: for live views and progress lines.

use crate::course::Leg;
use crate::journal::Entry;
use crate::journal_event::JournalEvent;
use crate::verify::Written;
use fathom_core::interval::Part;
use fathom_core::result::{IntervalResult, PhaseResult, Provenance, TargetInfo};
use fathom_core::{Caveat, Nanos};
use std::path::Path;
use std::sync::Arc;

/// Where a run is.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// The engine was chosen.
    Engine {
        name: &'a str,
        /// Why this one.
        reason: &'a str,
    },
    /// The run begins; nothing has been touched yet.
    Begin {
        /// Its name.
        run_id: &'a str,
        /// What is known of its origin by now: neither targets nor features nor timings.
        provenance: &'a Provenance,
        /// Nanoseconds since 1970 at the zero of the clock that requests are stamped with.
        base_ns: u64,
    },
    /// All targets are prepared.
    Prepared {
        /// As they were found.
        targets: &'a [TargetInfo],
        /// Warnings about them.
        caveats: &'a [Caveat],
    },
    /// A target that stays will be written to: what earlier runs wrote there is no longer known.
    Writes {
        /// Where it lies.
        path: &'a Path,
        /// The mark that identifies it, see [`fathom_device::birthmark()`].
        birthmark: &'a str,
    },
    /// What was written to such a target is known, and no request to it is under way any more.
    Account {
        /// Where it lies, as in [`Event::Writes`].
        path: &'a Path,
        /// For each block the write that was acknowledged last.
        written: &'a Arc<Written>,
        /// Seed of the run.
        seed: u64,
        /// What a write by now would carry, see [`Written::sequence`].
        ended: u64,
    },
    /// A file is being laid out.
    Layout {
        path: &'a str,
        /// Bytes written so far.
        done_bytes: u64,
        /// Bytes to write.
        total_bytes: u64,
    },
    /// What runs next, and where.
    Leg {
        /// The phase as it will be run.
        leg: &'a Leg,
        /// The paths of the targets of each of its jobs.
        targets: Vec<&'a [String]>,
    },
    /// A phase begins.
    PhaseStart {
        /// Name of the phase.
        name: &'a str,
        /// Position among all phases of all repeats, from 0.
        index: usize,
        /// Number of phases of all repeats.
        count: usize,
        /// Names of its jobs.
        jobs: Vec<&'a str>,
        /// Warm-up, nanoseconds.
        warm_up_ns: u64,
        /// Measured time, nanoseconds, if it is known beforehand.
        duration_ns: Option<u64>,
        /// Cool-down, nanoseconds.
        cool_down_ns: u64,
    },
    /// An interval is complete over all threads.
    Interval {
        /// Its figures.
        interval: &'a IntervalResult,
    },
    /// Requests of a job that keeps a journal, oldest completion first. They are reported as they
    /// are found, those of an interval before it is complete.
    Requests {
        /// Position of the job in the phase.
        job: usize,
        /// Number of the thread in the job.
        thread: u32,
        /// Begin of the phase on the clock of the requests.
        start: Nanos,
        /// The requests.
        entries: &'a [Entry],
    },
    /// This number of requests of a phase is missing in its journals: they came too fast.
    RequestsLost {
        /// How many.
        count: u64,
    },
    /// How often workers of a phase have waited for free space in their journals: the requests came
    /// faster than their reader took them.
    RequestsWaited {
        /// How often.
        count: u64,
    },
    /// Time passes; several times a second.
    Tick {
        /// Which part of the phase.
        part: Part,
        /// Time since the start of the phase, nanoseconds.
        elapsed_ns: u64,
    },
    /// What a phase wrote through the page cache is being made durable.
    WriteBack {
        /// Path of the target.
        path: &'a str,
    },
    /// A phase has ended.
    PhaseEnd {
        /// What it did.
        result: &'a PhaseResult,
    },
    /// Something happened among the members that measure together.
    Members {
        /// What, in a sentence.
        line: &'a str,
        /// Whether it changes the result.
        matters: bool,
    },
    /// What is heard of a member that measures with others, for its journals.
    Member {
        /// Its number among all, from 0.
        rank: u32,
        /// What happened.
        event: &'a JournalEvent<'a>,
    },
    /// How the hosts stand that measure together.
    Hosts {
        /// Each, in the order of its first member.
        hosts: &'a [HostNow],
    },
    /// Blocks are being read back and checked.
    Verify {
        path: &'a str,
        /// Bytes checked so far.
        done_bytes: u64,
        /// Bytes to check.
        total_bytes: u64,
    },
}

/// One of several hosts that measure together, as it stands now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostNow {
    /// The host's name.
    pub name: String,
    /// Number of members.
    pub members: usize,
    /// How the worst of them stands.
    pub standing: Standing,
    /// Requests a second in the last interval of each member.
    pub iops: f64,
    /// Throughput, bytes a second.
    pub bytes_per_second: f64,
    /// Requests with an error in the phase so far.
    pub errors: u64,
}

/// How a member stands; the worst last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// It has reported all.
    Done,
    /// It measures, or prepares to.
    #[default]
    There,
    /// It has not come yet.
    Awaited,
    /// Nothing has been heard of it for a while.
    Silent,
    /// It did not come, could not go on, or is gone.
    Gone,
}

/// Observes a run. Called on the main thread only, never on the hot path.
pub trait Observer {
    /// Something happened.
    fn event(&mut self, event: &Event<'_>);
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn event(&mut self, _event: &Event<'_>) {}
}
