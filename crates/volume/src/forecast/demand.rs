//! From the jobs of a phase to a demand, as far as they have one that lasts.

use crate::model::{Demand, Flow, FlowKind};
use crate::models::streams::Stream;
use fathom_core::spec::{Arrivals, Distribution, Job, Pacing, Phase, QueueScope, Workload};
use fathom_core::{Nanos, Op, Rate};

/// A phase that the closed form cannot follow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{job}: {cause}")]
pub struct Unsuited {
    /// The job, or the phase.
    pub job: String,
    /// Why.
    pub cause: &'static str,
}

/// Bursts that the closed form follows, which goes from one to the next: some seconds of a day of
/// them.
const MAX_BURSTS: f64 = 5e6;
const TOO_MANY_BURSTS: &str = "it starts more than 5,000,000 bursts";

impl Unsuited {
    /// Whether single requests would take as long.
    pub fn is_endless(&self) -> bool {
        self.cause == TOO_MANY_BURSTS
    }
}

/// Refuses jobs that begin bursts by the clock, more than anybody would wait for.
///
/// # Errors
///
/// [`Unsuited`] with the first of them.
pub(super) fn refuse_endless(workload: &Workload) -> Result<(), Unsuited> {
    for phase in &workload.phases {
        let length = phase.warm_up + phase.duration.unwrap_or_default() + phase.cool_down;
        let seconds = length.as_secs_f64() * f64::from(workload.repeat);
        for job in &phase.jobs {
            if let Pacing::Cyclic { every, .. } = job.pacing
                && seconds / every.as_secs_f64() > MAX_BURSTS
            {
                return Err(Unsuited {
                    job: job.name.clone(),
                    cause: TOO_MANY_BURSTS,
                });
            }
        }
    }
    Ok(())
}

/// What a phase asks of its volume, all jobs together.
#[derive(Clone, Debug, PartialEq)]
pub struct PhaseDemand {
    /// What the phase needs.
    pub demand: Demand,
    /// Each job's part, in the order of the phase.
    pub jobs: Vec<JobDemand>,
    /// What is left out, in sentences.
    pub left_out: Vec<String>,
}

/// One job's part of a demand.
#[derive(Clone, Debug, PartialEq)]
pub struct JobDemand {
    /// Its requests.
    pub flow: Flow,
    /// Outstanding requests of a closed load; 0 for an open one.
    pub outstanding: f64,
    /// Requests a second of an open load; none for a closed one.
    pub open_iops: Option<f64>,
    /// The same by itself, with the volumes that it uses.
    pub(crate) stream: Stream,
}

/// The demand of a phase whose jobs all ask for the same from begin to end.
///
/// # Errors
///
/// [`Unsuited`] where the load changes with single requests or with time: bursts, pauses, amounts,
/// a rule for the end.
pub fn demand(phase: &Phase) -> Result<PhaseDemand, Unsuited> {
    let bursty = |job: &&Job| job.after.is_some() || job.pacing.is_bursty();
    if let Some(job) = phase.jobs.iter().find(bursty) {
        return Err(Unsuited {
            job: job.name.clone(),
            cause: "it works in bursts, or follows another job",
        });
    }
    demand_by_jobs(phase, &[])
}

/// The demand of a phase, job by job: those that work in bursts are outstanding in none of the
/// sums. `roles` have volumes of their own.
pub(super) fn demand_by_jobs(phase: &Phase, roles: &[String]) -> Result<PhaseDemand, Unsuited> {
    let unsuited = |name: &str, cause: &'static str| Unsuited {
        job: name.to_owned(),
        cause,
    };
    if phase.steady.is_some() {
        return Err(unsuited(&phase.name, "it ends by a rule of steadiness"));
    }
    if phase.duration.is_none() {
        return Err(unsuited(&phase.name, "it has no duration"));
    }
    let mut found = PhaseDemand {
        demand: Demand::default(),
        jobs: Vec::new(),
        left_out: Vec::new(),
    };
    for job in &phase.jobs {
        if job.stop.is_set() {
            return Err(unsuited(&job.name, "it ends after an amount"));
        }
        let role = role(job, roles).map_err(|cause| unsuited(&job.name, cause))?;
        let own = job_demand(job, role).map_err(|cause| unsuited(&job.name, cause))?;
        add(&mut found.demand, &own);
        found.jobs.push(own);
        if !matches!(job.access.distribution, Distribution::Uniform) {
            found.left_out.push(format!(
                "{}: places are taken as spread evenly over the members",
                job.name
            ));
        }
    }
    Ok(found)
}

/// The number of the role whose volumes a job uses; none without roles.
fn role(job: &Job, roles: &[String]) -> Result<Option<usize>, &'static str> {
    let mut of_targets = job.targets.iter().map(|target| {
        let name = target.strip_prefix('@');
        name.and_then(|name| roles.iter().position(|role| role == name))
    });
    let first = of_targets.next().flatten();
    if roles.is_empty() || of_targets.all(|other| other == first) {
        Ok(first)
    } else {
        Err("its requests go to the volumes of several roles")
    }
}

/// Requests that a job keeps outstanding, with its flushes: a flush waits for the writes before it,
/// and the next writes wait for it.
fn outstanding(job: &Job) -> f64 {
    let lanes = match job.queue_scope {
        QueueScope::PerTarget => job.targets.len().max(1) as f64,
        QueueScope::Shared => 1.0,
    };
    let depth = f64::from(job.queue_depth) * lanes;
    let own = job.writes_per_flush().map_or(depth, |writes| {
        (writes + 1.0) / ((writes / depth).ceil() + 1.0)
    });
    f64::from(job.threads) * own.min(depth)
}

fn job_demand(job: &Job, role: Option<usize>) -> Result<JobDemand, &'static str> {
    let flow = flow(job);
    let stream = Stream {
        flow: flow.clone(),
        role,
        outstanding: outstanding(job),
    };
    match job.pacing {
        Pacing::Closed { think, .. } if think > Nanos::ZERO => Err("it pauses between requests"),
        Pacing::Closed { .. } => Ok(JobDemand {
            flow,
            outstanding: f64::from(job.threads) * f64::from(job.queue_depth),
            open_iops: None,
            stream,
        }),
        Pacing::Open {
            arrivals: Arrivals::Bursts(_),
            ..
        } => Err("it works in bursts"),
        Pacing::Open { .. } if job.rate_curve.is_some() => Err("its rate changes"),
        Pacing::Open { rate, .. } => {
            let own: f64 = job.kinds.iter().map(|kind| kind.weight).sum();
            // A flush that follows writes is no arrival of its own.
            let all: f64 = flow.kinds.iter().map(|kind| kind.weight).sum();
            let arrivals = match rate {
                Rate::Iops(iops) => iops,
                Rate::BytesPerSecond(bytes) => {
                    let weighted = |kind: &fathom_core::spec::IoKind| {
                        kind.weight / own * kind.block_size.0 as f64
                    };
                    bytes / job.kinds.iter().map(weighted).sum::<f64>()
                }
            };
            Ok(JobDemand {
                flow,
                outstanding: 0.0,
                open_iops: Some(arrivals * all / own),
                stream,
            })
        }
        Pacing::Cyclic { .. } | Pacing::Triggered { .. } => Ok(JobDemand {
            flow,
            outstanding: 0.0,
            open_iops: None,
            stream,
        }),
    }
}

/// Requests of one of a job's sequential streams that are outstanding together. Each thread of a
/// closed job has a stream of its own; how many of an open one wait together is not known.
fn together(job: &Job) -> f64 {
    match job.pacing {
        Pacing::Open { .. } => 1.0,
        _ => f64::from(job.queue_depth.max(1)),
    }
}

/// The kinds of a job, and the flushes between them.
fn flow(job: &Job) -> Flow {
    let mut kinds: Vec<FlowKind> = job
        .kinds
        .iter()
        .map(|kind| FlowKind {
            op: kind.op,
            bytes: match kind.op {
                Op::Read | Op::Write | Op::Trim => kind.block_size.0 as f64,
                Op::Flush | Op::Create | Op::Stat | Op::Rename | Op::Unlink => 0.0,
            },
            sequential: 1.0 - kind.random.0 / 100.0,
            together: together(job),
            weight: kind.weight,
        })
        .collect();
    if let Some(each) = job.writes_per_flush() {
        let writes = kinds.iter().filter(|kind| kind.op == Op::Write);
        let writes: f64 = writes.map(|kind| kind.weight).sum();
        kinds.push(FlowKind {
            op: Op::Flush,
            bytes: 0.0,
            sequential: 0.0,
            together: 1.0,
            weight: writes / each,
        });
    }
    Flow { kinds }
}

/// Adds a job to the demand of all: closed jobs by their outstanding requests, open ones by their
/// rates. In one queue each gets in proportion to what it has in it.
fn add(demand: &mut Demand, job: &JobDemand) {
    let scale = |flow: &Flow, factor: f64| {
        let kinds = flow.normalized().kinds.into_iter();
        kinds
            .map(|kind| FlowKind {
                weight: kind.weight * factor,
                ..kind
            })
            .collect::<Vec<_>>()
    };
    if let Some(rate) = job.open_iops {
        demand.open.kinds.extend(scale(&job.flow, rate));
        demand.open_iops += rate;
    } else {
        let kinds = scale(&job.flow, job.outstanding);
        demand.closed.kinds.extend(kinds);
        demand.outstanding += job.outstanding;
    }
}
