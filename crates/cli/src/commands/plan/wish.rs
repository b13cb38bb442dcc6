//! From options, a workload and rules of thumb to a need.

use crate::args::{NeedOptions, PlanArgs};
use crate::commands::recorded::Recorded;
use crate::commands::selection;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::spec::{IoKind, Job, Pacing, Workload};
use fathom_core::{Op, Rate};
use fathom_volume::plan::{Need, NeedError, Played, Wish};
use fathom_volume::{Flow, FlowKind};

const GIB: f64 = 1_073_741_824.0;
/// SAS reads and writes its tables in requests of this size.
const SAS_BLOCK_BYTES: f64 = 65_536.0;

/// The need that the options describe, or that was recorded.
pub(super) fn need(args: &PlanArgs, recorded: Option<&Recorded>) -> Result<Need, Error> {
    let mut wish = of_options(&args.need);
    wish.busy = args.bill.busy.map(|percent| percent.0 / 100.0);
    wish.snapshot_gib = args.bill.snapshots.map_or(0.0, |size| size.0 as f64 / GIB);
    wish.chunk_bytes = args.chunk.map(|size| size.0);
    if let Some(recorded) = recorded {
        // It is in the sizes of the recording already.
        wish.block_bytes = None;
        let mut peaks = recorded.needed()?.peaks.into_iter();
        if let Some(first) = peaks.next() {
            wish.flow = Some(first.flow);
            wish.iops = Some(first.iops);
        }
        wish.also = peaks.collect();
        let samples = &recorded.whole()?.samples;
        let has_lengths = samples.iter().all(|one| one.length_ns.is_some());
        wish.played = has_lengths.then(|| Played {
            samples: samples.as_slice().into(),
            growth: recorded.factor(),
        });
    }
    if let Some(name) = &args.workload {
        let workload = selection::workload(name)?;
        mixed(&mut wish, &workload)?;
    }
    resolved(&wish)
}

/// The need of a role: what was said of it, and its jobs of a workload.
pub(super) fn of_role(options: &NeedOptions, jobs: Option<&Workload>) -> Result<Need, Error> {
    let mut wish = of_options(options);
    if let Some(jobs) = jobs {
        mixed(&mut wish, jobs)?;
    }
    resolved(&wish)
}

fn resolved(wish: &Wish) -> Result<Need, Error> {
    Ok(wish.resolve().map_err(|error| {
        let problem = Problem::new(Exit::Usage, error.to_string());
        match error {
            NeedError::Contradiction { .. } => {
                problem.remedy("two of --iops, --throughput and --block-size")
            }
            NeedError::NotPositive { .. } => problem.remedy("a number above zero"),
        }
    })?)
}

fn of_options(options: &NeedOptions) -> Wish {
    let share = |percent: fathom_core::Percent| percent.0 / 100.0;
    let mut wish = Wish {
        iops: options.iops,
        bytes_per_second: options.throughput,
        block_bytes: options.block_size.map(|size| size.0 as f64),
        reads: options.read.map(share),
        random: options.random.map(share),
        capacity_gib: options.capacity.map(|size| size.0 as f64 / GIB),
        latency_ns: options.latency.map(|time| time.0 as f64),
        ephemeral_ok: options.ephemeral_ok,
        together: options.sequential_depth.map(f64::from),
        ..Wish::default()
    };
    if let Some(rule) = options.sas.rule() {
        wish.bytes_per_second = Some(rule.bytes_per_second());
        wish.block_bytes = wish.block_bytes.or(Some(SAS_BLOCK_BYTES));
        wish.random = wish.random.or(Some(0.0));
    }
    wish
}

/// Takes the kinds of requests of the first phase, those that move bytes, into a wish, and the
/// rate where all jobs have one. The mix comes from rates: jobs without one share what those with
/// one leave of the rate asked for, in proportion to their outstanding requests.
fn mixed(wish: &mut Wish, workload: &Workload) -> Result<(), Problem> {
    let jobs = workload.phases.first().map_or(&[][..], |phase| &phase.jobs);
    let parts: Vec<Part> = jobs.iter().filter_map(|job| part(job, jobs)).collect();
    if parts.is_empty() {
        return Err(
            Problem::new(Exit::Usage, format!("{} moves no bytes", workload.name))
                .remedy("a workload that reads or writes"),
        );
    }
    let rated: Vec<&Part> = parts.iter().filter(|part| part.rate.is_some()).collect();
    let free: Vec<&Part> = parts.iter().filter(|part| part.rate.is_none()).collect();
    let taken = |per: fn(&Part) -> f64| -> f64 {
        let rates = rated.iter();
        rates.map(|part| part.rate.unwrap_or(0.0) * per(part)).sum()
    };
    let outstanding: f64 = free.iter().map(|part| part.outstanding).sum();
    if free.is_empty() && wish.iops.is_none() && wish.bytes_per_second.is_none() {
        wish.iops = Some(taken(|_| 1.0));
    }
    let left = match (wish.iops, wish.bytes_per_second) {
        _ if rated.is_empty() || free.is_empty() => 0.0,
        (Some(iops), _) => iops - taken(|_| 1.0),
        (None, Some(bytes)) => {
            let each: f64 = free
                .iter()
                .map(|part| part.outstanding / outstanding * part.bytes())
                .sum();
            (bytes - taken(Part::bytes)) / each
        }
        (None, None) => return Err(unmixed(workload)),
    };
    if !rated.is_empty() && !free.is_empty() && left <= 0.0 {
        return Err(too_little(workload, taken(|_| 1.0)));
    }
    let kinds = parts.iter().flat_map(|part| {
        let rate = match part.rate {
            Some(rate) => rate,
            None if rated.is_empty() => part.outstanding,
            None => left * part.outstanding / outstanding,
        };
        let kinds = part.kinds.iter();
        kinds.map(move |kind| FlowKind {
            weight: kind.weight * rate,
            ..*kind
        })
    });
    wish.flow = Some(Flow {
        kinds: kinds.collect(),
    });
    Ok(())
}

fn unmixed(workload: &Workload) -> Problem {
    Problem::new(
        Exit::Usage,
        format!("the mix of {} is not said", workload.name),
    )
    .because("some of its jobs have a rate, and others as much as they can get")
    .remedy("the rate of all together, as in --iops 8000")
}

fn too_little(workload: &Workload, taken: f64) -> Problem {
    Problem::new(
        Exit::Usage,
        format!("the rate leaves nothing for some jobs of {}", workload.name),
    )
    .because(format!(
        "those with a rate of their own take {} IOPS",
        fathom_core::figure::iops(taken)
    ))
    .remedy("more --iops, or another workload")
}

/// What one job brings into the mix.
struct Part {
    /// Its kinds, weights adding up to one.
    kinds: Vec<FlowKind>,
    /// Requests a second, where it has a rate.
    rate: Option<f64>,
    /// Requests that it keeps outstanding.
    outstanding: f64,
}

impl Part {
    /// Mean bytes of a request.
    fn bytes(&self) -> f64 {
        let kinds = self.kinds.iter();
        kinds.map(|kind| kind.weight * kind.bytes).sum()
    }
}

fn part(job: &Job, jobs: &[Job]) -> Option<Part> {
    let moves = |kind: &&IoKind| matches!(kind.op, Op::Read | Op::Write);
    let moving: Vec<&IoKind> = job.kinds.iter().filter(moves).collect();
    let sum: f64 = moving.iter().map(|kind| kind.weight).sum();
    if sum <= 0.0 {
        return None;
    }
    let kinds = moving.iter().map(|kind| FlowKind {
        op: kind.op,
        bytes: kind.block_size.0 as f64,
        sequential: 1.0 - kind.random.0 / 100.0,
        together: 1.0,
        weight: kind.weight / sum,
    });
    let mut part = Part {
        kinds: kinds.collect(),
        rate: None,
        outstanding: f64::from(job.threads) * f64::from(job.queue_depth),
    };
    part.rate = rate(job, jobs, part.bytes());
    Some(part)
}

/// Requests a second of a job: as it says, or as its bursts come. None for one that takes what it
/// can get.
fn rate(job: &Job, jobs: &[Job], mean_bytes: f64) -> Option<f64> {
    match job.pacing {
        Pacing::Open {
            rate: Rate::Iops(rate),
            ..
        } => Some(rate),
        Pacing::Open {
            rate: Rate::BytesPerSecond(rate),
            ..
        } => Some(rate / mean_bytes),
        Pacing::Cyclic { every, bytes } => Some(bytes.0 as f64 / mean_bytes / every.as_secs_f64()),
        // As often as the job that it follows.
        Pacing::Triggered { bytes } => {
            let first = jobs
                .iter()
                .find(|one| Some(&one.name) == job.after.as_ref())?;
            let Pacing::Cyclic { every, .. } = first.pacing else {
                return None;
            };
            Some(bytes.0 as f64 / mean_bytes / every.as_secs_f64())
        }
        Pacing::Closed { .. } => None,
    }
}
