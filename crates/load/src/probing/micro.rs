//! Micro-probes: some seconds of writes of our own that ask the storage what it does with a write,
//! a flush, what can be compressed, what repeats, and what is not aligned (methodology 4.4 to 4.6).
//!
//! They come after all phases and go where the workload goes, so they need the permission to
//! write there, which the preparation of the targets checks as for any job.

use fathom_core::result::ProbeKind;
use fathom_core::spec::{
    Access, Cursor, CursorScope, Data, Distribution, Durability, Fill, IoKind, Job, JobStop,
    Pacing, Phase, QueueScope, SyncEvery, Verify, Walk, Workload,
};
use fathom_core::{Bytes, Nanos, Op, Percent};

/// Load before the measured time of each.
const SETTLE: Nanos = Nanos::from_millis(250);
/// Measured time of those that ask for a latency. With the settling all take 25.5 s: methodology
/// 4.11 gives 30.
const LATENCY: Nanos = Nanos::from_secs(2);
/// Measured time of each of the two rounds of those that ask for a rate.
const RATE: Nanos = Nanos::from_millis(1_750);
/// Requests of those that ask for a latency.
const SMALL: Bytes = Bytes(4 << 10);
/// Requests of those that ask for a rate, and how many are outstanding.
const LARGE: Bytes = Bytes(64 << 10);
const LARGE_DEPTH: u32 = 8;
/// How far requests are out of line: the smallest sector there is.
pub(super) const SHIFT_BYTES: u64 = 512;

/// The micro-probes of a workload.
#[derive(Clone, Debug)]
pub struct MicroProbes {
    template: Phase,
}

/// Why a workload cannot be probed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotProbed {
    /// It checks what it has written.
    #[error("the probes would write over blocks that the workload verifies")]
    Verified,
    /// No job goes past the page cache to a target that is there before.
    #[error(
        "the probes ask the storage below the page cache, and no job goes there: all are \
         buffered, or begin with an empty file"
    )]
    Buffered,
}

impl MicroProbes {
    /// Probes of the targets of the first job that writes past the page cache, or else reads.
    ///
    /// # Errors
    ///
    /// [`NotProbed`].
    pub fn of(workload: &Workload) -> Result<Self, NotProbed> {
        let jobs = || workload.phases.iter().flat_map(|phase| &phase.jobs);
        if jobs().any(|job| job.verify.stamps()) {
            return Err(NotProbed::Verified);
        }
        let fit = || jobs().filter(|job| job.durability.direct && !job.fresh);
        let first = fit().find(|job| job.destroys()).or_else(|| fit().next());
        let mut name = "probe".to_owned();
        while workload.phases.iter().any(|phase| phase.name == name) {
            name.push('-');
        }
        Ok(Self {
            template: Phase {
                name,
                warm_up: SETTLE,
                duration: Some(LATENCY),
                cool_down: Nanos::ZERO,
                steady: None,
                jobs: vec![job(first.ok_or(NotProbed::Buffered)?)],
            },
        })
    }

    /// The workload with a phase for the probes, by which their targets are prepared and their
    /// permission is checked.
    #[must_use]
    pub fn extend(&self, workload: &Workload) -> Workload {
        let mut extended = workload.clone();
        extended.phases.push(self.template.clone());
        extended
    }

    /// The probes, in their order.
    pub(super) fn probes(&self) -> Vec<(ProbeKind, Phase)> {
        let latency = [
            ProbeKind::Read,
            // Before those that leave a cache full of what is to be flushed.
            ProbeKind::WriteFlush,
            ProbeKind::WriteDurable,
            ProbeKind::Write,
            ProbeKind::Aligned,
            ProbeKind::Shifted,
        ];
        let rate = [
            ProbeKind::DataRandom,
            ProbeKind::DataZeros,
            ProbeKind::DataRepeated,
        ];
        // Twice round: what only drifts does not come back.
        let kinds = latency.into_iter().chain(rate).chain(rate);
        kinds.map(|kind| (kind, self.phase(kind))).collect()
    }

    fn phase(&self, kind: ProbeKind) -> Phase {
        let mut phase = self.template.clone();
        phase.name = format!("{}-{}", phase.name, word(kind));
        let job = &mut phase.jobs[0];
        let durability = &mut job.durability;
        match kind {
            ProbeKind::WriteFlush => {
                durability.sync = Some(SyncEvery {
                    writes: 1,
                    data_only: true,
                });
            }
            ProbeKind::WriteDurable => durability.write_through = true,
            ProbeKind::DataZeros => job.data.fill = Fill::Zero,
            ProbeKind::DataRepeated => job.data.duplicate = Percent(100.0),
            _ => {}
        }
        job.kinds = vec![match kind {
            ProbeKind::Read => requests(Op::Read, SMALL, SMALL),
            // Seven of eight places are out of line then.
            ProbeKind::Shifted => requests(Op::Write, SMALL, Bytes(SHIFT_BYTES)),
            ProbeKind::DataRandom | ProbeKind::DataZeros | ProbeKind::DataRepeated => {
                job.queue_depth = LARGE_DEPTH;
                phase.duration = Some(RATE);
                requests(Op::Write, LARGE, SMALL)
            }
            _ => requests(Op::Write, SMALL, SMALL),
        }];
        phase
    }
}

const fn word(kind: ProbeKind) -> &'static str {
    match kind {
        ProbeKind::Read => "read",
        ProbeKind::Write => "write",
        ProbeKind::WriteFlush => "write-flush",
        ProbeKind::WriteDurable => "write-durable",
        ProbeKind::Aligned => "aligned",
        ProbeKind::Shifted => "shifted",
        ProbeKind::DataRandom => "random-data",
        ProbeKind::DataZeros => "zeros",
        ProbeKind::DataRepeated => "repeated-data",
        _ => "other",
    }
}

const fn requests(op: Op, block_size: Bytes, align: Bytes) -> IoKind {
    IoKind {
        op,
        block_size,
        random: Percent(100.0),
        align,
        weight: 1.0,
    }
}

/// One request after another, at random places of what a job uses.
fn job(of: &Job) -> Job {
    Job {
        name: "probe".to_owned(),
        targets: of.targets.clone(),
        threads: 1,
        queue_depth: 1,
        queue_scope: QueueScope::Shared,
        size: of.size,
        offset: of.offset,
        window: of.window,
        fresh: false,
        cold: false,
        access: Access {
            distribution: Distribution::Uniform,
            without_repetition: false,
            stride: None,
            cursor: Cursor::Own { stride: None },
            cursor_scope: CursorScope::PerOp,
            walk: Walk::Free,
        },
        pacing: Pacing::CLOSED,
        after: None,
        delay: Nanos::ZERO,
        replay: None,
        durability: Durability {
            direct: true,
            write_through: false,
            sync: None,
        },
        data: Data {
            fill: Fill::Random,
            compressible_to: Percent(100.0),
            duplicate: Percent(0.0),
        },
        verify: Verify::Off,
        stop: JobStop::default(),
        kinds: vec![
            requests(Op::Read, SMALL, SMALL),
            requests(Op::Write, LARGE, SMALL),
        ],
    }
}
