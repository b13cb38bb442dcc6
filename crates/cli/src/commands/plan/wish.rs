//! From options, a workload and rules of thumb to a need.

use crate::args::{NeedOptions, PlanArgs};
use crate::commands::recorded::Recorded;
use crate::commands::selection;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_core::spec::{Job, Pacing, Workload};
use fathom_core::{Op, Rate};
use fathom_volume::plan::{Need, NeedError, Wish};
use fathom_volume::{Flow, FlowKind};

const GIB: f64 = 1_073_741_824.0;
/// What a physical core of a SAS server needs.
const SAS_BYTES_PER_CORE: f64 = 100e6;
/// SAS reads and writes its tables in requests of this size.
const SAS_BLOCK_BYTES: f64 = 65_536.0;

/// The need that the options describe, or that was recorded.
pub(super) fn need(args: &PlanArgs, recorded: Option<&Recorded>) -> Result<Need, Error> {
    let mut wish = of_options(&args.need);
    if let Some(recorded) = recorded {
        let mut peaks = recorded.needed()?.peaks.into_iter();
        if let Some(first) = peaks.next() {
            wish.flow = Some(first.flow);
            wish.iops = Some(first.iops);
        }
        wish.also = peaks.collect();
    }
    if let Some(name) = &args.workload {
        let workload = selection::workload(name)?;
        wish.flow = Some(flow(&workload)?);
        if wish.iops.is_none() && wish.bytes_per_second.is_none() {
            (wish.iops, wish.bytes_per_second) = rate(&workload);
        }
    }
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
        ..Wish::default()
    };
    if let Some(cores) = options.sas_cores {
        wish.bytes_per_second = Some(f64::from(cores) * SAS_BYTES_PER_CORE);
        wish.block_bytes = wish.block_bytes.or(Some(SAS_BLOCK_BYTES));
        wish.random = wish.random.or(Some(0.0));
    }
    wish
}

/// The kinds of requests of the first phase, those that move bytes. Jobs with a rate count by it,
/// the others by their outstanding requests.
fn flow(workload: &Workload) -> Result<Flow, Problem> {
    let jobs = workload.phases.first().map_or(&[][..], |phase| &phase.jobs);
    let kinds: Vec<FlowKind> = jobs.iter().flat_map(kinds).collect();
    if kinds.is_empty() {
        return Err(
            Problem::new(Exit::Usage, format!("{} moves no bytes", workload.name))
                .remedy("a workload that reads or writes"),
        );
    }
    Ok(Flow { kinds })
}

fn kinds(job: &Job) -> Vec<FlowKind> {
    let moving = job
        .kinds
        .iter()
        .filter(|kind| matches!(kind.op, Op::Read | Op::Write));
    let sum: f64 = moving.clone().map(|kind| kind.weight).sum();
    let mean: f64 = moving
        .clone()
        .map(|kind| kind.weight / sum * kind.block_size.0 as f64)
        .sum();
    let weight = match job.pacing {
        Pacing::Open {
            rate: Rate::Iops(rate),
            ..
        } => rate,
        Pacing::Open {
            rate: Rate::BytesPerSecond(rate),
            ..
        } => rate / mean,
        _ => f64::from(job.threads) * f64::from(job.queue_depth),
    };
    moving
        .map(|kind| FlowKind {
            op: kind.op,
            bytes: kind.block_size.0 as f64,
            sequential: 1.0 - kind.random.0 / 100.0,
            weight: kind.weight / sum * weight,
        })
        .collect()
}

/// The rates of all jobs of the first phase together; none unless every job has one.
fn rate(workload: &Workload) -> (Option<f64>, Option<f64>) {
    let Some(phase) = workload.phases.first() else {
        return (None, None);
    };
    let all_open = phase.jobs.iter().all(|job| job.pacing.is_open());
    let iops = phase.jobs.iter().flat_map(kinds).map(|kind| kind.weight);
    (all_open.then(|| iops.sum()), None)
}
