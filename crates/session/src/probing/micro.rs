//! Micro-probes: some seconds of writes of our own that ask the storage what it does with a write,
//! a flush, what can be compressed, what repeats, and what is not aligned.
//!
//! They come after all phases and go where the workload goes, so they need the permission to
//! write there, which the preparation of the targets checks as for any job.

use fathom_core::histogram::Histogram;
use fathom_core::result::{MicroProbe, OpResult, PhaseResult, ProbeKind, ProbeRound};
use fathom_core::spec::{Fill, IoKind, Job, Phase, QueueScope, SyncEvery, Workload};
use fathom_core::summary::LatencySummary;
use fathom_core::{Bytes, Nanos, Op, Percent};

/// Load before the measured time of each round.
const SETTLE: Nanos = Nanos::from_millis(50);
/// Measured time of a round. All take 27.0 s with the settling.
const ROUND: Nanos = Nanos::from_millis(250);
/// Rounds of each question about a latency: the fewest of which one may be disturbed without an
/// effect on the bounds of the median at 95 %.
const LATENCY_ROUNDS: usize = 9;
/// Rounds of each question about a rate, which vary more, so that two may be: twice all six orders
/// of three.
const RATE_ROUNDS: usize = 12;
/// Requests of those that ask for a latency.
const SMALL: Bytes = Bytes(4 << 10);
/// Requests of those that ask for a rate, and how many are outstanding.
const LARGE: Bytes = Bytes(64 << 10);
const LARGE_DEPTH: u32 = 8;

/// The micro-probes of a workload.
#[derive(Clone, Debug)]
pub struct MicroProbes {
    template: Phase,
}

/// Why a workload cannot be probed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotProbed {
    /// It checks what it has written.
    #[error("the probes would overwrite blocks that the workload verifies")]
    Verified,
    /// No job goes past the page cache to a target that is there before.
    #[error("the probes need direct I/O, but all jobs are buffered or start with an empty file")]
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
                duration: Some(ROUND),
                jobs: vec![job(first.ok_or(NotProbed::Buffered)?)],
                ..Phase::plain()
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

    /// The phase by which the targets are prepared.
    pub(super) const fn template(&self) -> &Phase {
        &self.template
    }

    /// The rounds of all questions, in their order: each with what it asks and its number.
    pub(super) fn rounds(&self) -> Vec<(ProbeKind, u32, Phase)> {
        // A read follows what has left nothing behind that is still to be written: in the circle,
        // flushes and durable writes stand before it.
        let latency = [
            ProbeKind::Read,
            ProbeKind::Write,
            ProbeKind::Shifted,
            ProbeKind::WriteFlush,
            ProbeKind::Flush,
            ProbeKind::WriteDurable,
        ];
        let rate = [
            ProbeKind::DataRandom,
            ProbeKind::DataZeros,
            ProbeKind::DataRepeated,
        ];
        let asked = turns(latency, LATENCY_ROUNDS, false)
            .into_iter()
            .chain(turns(rate, RATE_ROUNDS, true));
        asked
            .map(|(kind, number)| (kind, number, self.phase(kind, number)))
            .collect()
    }

    fn phase(&self, kind: ProbeKind, number: u32) -> Phase {
        let mut phase = self.template.clone();
        phase.name = format!("{}-{}-{}", phase.name, word(kind), number + 1);
        let job = &mut phase.jobs[0];
        let durability = &mut job.durability;
        let flush_after = |writes| {
            Some(SyncEvery {
                writes,
                data_only: true,
            })
        };
        match kind {
            ProbeKind::WriteFlush => durability.sync = flush_after(1),
            // After no write at all: a flush is always next.
            ProbeKind::Flush => durability.sync = flush_after(0),
            ProbeKind::WriteDurable => durability.write_through = true,
            ProbeKind::DataRandom => job.data.fill = Fill::Scrambled,
            // Alike down to zeros: made as all content is, so that the generator costs the same.
            ProbeKind::DataZeros => {
                job.data.fill = Fill::Scrambled;
                job.data.duplicate = Percent::ALL;
                job.data.compressible_to = Percent::ZERO;
            }
            ProbeKind::DataRepeated => {
                job.data.fill = Fill::Scrambled;
                job.data.duplicate = Percent::ALL;
            }
            _ => {}
        }
        job.kinds = vec![match kind {
            ProbeKind::Read => requests(Op::Read, SMALL, SMALL),
            // Seven of eight places are out of line then.
            ProbeKind::Shifted => requests(Op::Write, SMALL, Bytes(MicroProbe::SHIFT_BYTES)),
            ProbeKind::DataRandom | ProbeKind::DataZeros | ProbeKind::DataRepeated => {
                job.queue_depth = LARGE_DEPTH;
                requests(Op::Write, LARGE, SMALL)
            }
            _ => requests(Op::Write, SMALL, SMALL),
        }];
        phase
    }
}

/// Kinds in turns: each round begins with the next one and goes round; where it does not matter
/// what follows what, every other time round backwards.
fn turns<const N: usize>(
    kinds: [ProbeKind; N],
    rounds: usize,
    backwards: bool,
) -> Vec<(ProbeKind, u32)> {
    let mut all = Vec::with_capacity(N * rounds);
    for round in 0..rounds {
        let mut order = kinds;
        if backwards && (round / N) % 2 == 1 {
            order.reverse();
        }
        order.rotate_left(round % N);
        all.extend(order.map(|kind| (kind, round as u32)));
    }
    all
}

/// The rounds of one question together.
pub(super) fn gather(kind: ProbeKind, rounds: &[(u32, PhaseResult)]) -> MicroProbe {
    let mut all = [Pool::default(), Pool::default()];
    let rounds = rounds
        .iter()
        .map(|(number, phase)| round(*number, phase, &mut all))
        .collect();
    let [service_ns, flush_ns] = all.map(Pool::summary);
    MicroProbe {
        kind,
        service_ns,
        flush_ns,
        rounds,
    }
}

/// Times of many rounds.
#[derive(Debug, Default)]
struct Pool {
    times: Histogram,
    /// Of each round, as they are exact there.
    summaries: Vec<LatencySummary>,
}

impl Pool {
    /// Adds an operation of a round; says its median, if the histogram has any.
    fn add(&mut self, one: &OpResult) -> Option<u64> {
        let times = one.service_histogram.as_ref()?.decode().ok()?;
        self.times.add(&times);
        self.summaries.push(one.service_ns.clone());
        (!times.is_empty()).then(|| times.quantile_ns(0.5))
    }

    fn summary(self) -> Option<LatencySummary> {
        let mut summary = self.times.summary();
        let weighed = |one: &LatencySummary| one.mean * one.count as f64;
        summary.mean = self.summaries.iter().map(weighed).sum::<f64>() / summary.count as f64;
        summary.min = self.summaries.iter().map(|one| one.min).min()?;
        summary.max = self.summaries.iter().map(|one| one.max).max()?;
        (summary.count > 0).then_some(summary)
    }
}

/// One round; what it adds to reads or writes, and to flushes.
fn round(number: u32, phase: &PhaseResult, [data, flushes]: &mut [Pool; 2]) -> ProbeRound {
    let mut round = ProbeRound {
        number,
        measured_ns: phase.measured_ns,
        ios: 0,
        bytes_per_second: 0.0,
        median_ns: None,
        flush_median_ns: None,
    };
    // One job, with one kind of request.
    for (op, one) in phase.jobs.iter().flat_map(|job| job.ops.present()) {
        if op == Op::Flush {
            round.flush_median_ns = flushes.add(one);
        } else {
            round.ios = one.ios;
            round.bytes_per_second = one.bytes_per_second;
            round.median_ns = data.add(one);
        }
    }
    round
}

const fn word(kind: ProbeKind) -> &'static str {
    match kind {
        ProbeKind::Read => "read",
        ProbeKind::Write => "write",
        ProbeKind::WriteFlush => "write-flush",
        ProbeKind::WriteDurable => "write-durable",
        ProbeKind::Flush => "flush",
        ProbeKind::Shifted => "shifted",
        ProbeKind::DataRandom => "random-data",
        ProbeKind::DataZeros => "zeros",
        ProbeKind::DataRepeated => "repeated-data",
        _ => "other",
    }
}

pub(super) const fn requests(op: Op, block_size: Bytes, align: Bytes) -> IoKind {
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
        queue_scope: QueueScope::Shared,
        size: of.size,
        offset: of.offset,
        window: of.window,
        kinds: vec![
            requests(Op::Read, SMALL, SMALL),
            requests(Op::Write, LARGE, SMALL),
        ],
        ..Job::plain()
    }
}
