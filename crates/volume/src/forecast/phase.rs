//! Phases by the closed form: from demand to the parts of a result.

use super::demand::{JobDemand, PhaseDemand, Unsuited, demand};
use crate::model::{Flow, Served, ServedStep, VolumeModel};
use fathom_core::interval::Part;
use fathom_core::result::{
    Gauge, IntervalJob, IntervalOp, IntervalResult, JobResult, LoadModel, MachineInterval,
    OpResult, PhaseResult,
};
use fathom_core::spec::{Phase, Workload};
use fathom_core::summary::Spread;
use fathom_core::{Nanos, Op};

/// Intervals of a phase, so that a day has a point a minute.
const MAX_INTERVALS: u64 = 1_440;

/// All phases of a workload by the closed form.
#[derive(Clone, Debug)]
pub struct Forecast {
    /// The results, repeats included.
    pub phases: Vec<PhaseResult>,
    /// Length of an interval.
    pub interval: Nanos,
    /// What is left out, in sentences.
    pub left_out: Vec<String>,
    /// Requests served in all.
    pub ios: f64,
}

/// Requests of a phase from which on a model is taken for one without a limit: no storage serves
/// them in a year.
const UNLIMITED_IOS: f64 = 1e17;

/// Runs a workload on a model in closed form.
///
/// # Errors
///
/// [`Unsuited`] where a phase cannot be followed without single requests.
pub fn forecast(
    workload: &Workload,
    model: &mut dyn VolumeModel,
    target: &str,
) -> Result<Forecast, Unsuited> {
    if let Some(cause) = model.open_form() {
        return Err(Unsuited {
            job: target.to_owned(),
            cause,
        });
    }
    let longest = workload.phases.iter().filter_map(|phase| phase.duration);
    let longest = longest.max().unwrap_or_default();
    let mut forecast = Forecast {
        phases: Vec::new(),
        interval: interval(workload.interval, longest),
        left_out: Vec::new(),
        ios: 0.0,
    };
    let demands = workload
        .phases
        .iter()
        .map(demand)
        .collect::<Result<Vec<_>, _>>()?;
    let mut at = Nanos::ZERO;
    for repeat in 1..=workload.repeat {
        for (phase, demand) in workload.phases.iter().zip(&demands) {
            let mut run = Run::new(phase, demand, model, target, forecast.interval, at);
            run.all();
            if run.ios.is_nan() || run.ios >= UNLIMITED_IOS {
                return Err(Unsuited {
                    job: phase.name.clone(),
                    cause: "nothing in the model limits its rate",
                });
            }
            at = run.now;
            forecast.ios += run.ios;
            forecast.phases.push(run.into_result(repeat));
        }
    }
    forecast.left_out = demands.into_iter().flat_map(|own| own.left_out).collect();
    forecast.left_out.dedup();
    Ok(forecast)
}

/// The interval asked for, or the next round length that leaves few enough of them.
fn interval(asked: Nanos, span: Nanos) -> Nanos {
    const ROUND_SECONDS: [u64; 9] = [1, 2, 5, 10, 15, 20, 30, 60, 3_600];
    let least = Nanos(span.0 / MAX_INTERVALS);
    if asked >= least {
        return asked;
    }
    let lengths = ROUND_SECONDS.map(Nanos::from_secs);
    let fits = lengths.into_iter().find(|length| *length >= least);
    fits.unwrap_or(least)
}

/// One operation of one job while it is added up.
#[derive(Clone, Debug)]
struct Sum {
    op: Op,
    /// Requests for each request of the job, and bytes of each.
    share: f64,
    bytes_each: f64,
    /// All requests so far; whole ones are reported.
    total: f64,
    /// Of them, until the start of the measured time.
    before: f64,
    iops: Vec<f64>,
}

struct Run<'a> {
    phase: &'a Phase,
    demand: &'a PhaseDemand,
    model: &'a mut dyn VolumeModel,
    target: &'a str,
    interval: Nanos,
    start: Nanos,
    now: Nanos,
    backlog: f64,
    most_backlog_ns: f64,
    ios: f64,
    sums: Vec<Vec<Sum>>,
    intervals: Vec<IntervalResult>,
    machine: Vec<MachineInterval>,
    measured: Nanos,
    /// Integral of outstanding requests over the measured time, by job.
    held: Vec<f64>,
}

impl<'a> Run<'a> {
    fn new(
        phase: &'a Phase,
        demand: &'a PhaseDemand,
        model: &'a mut dyn VolumeModel,
        target: &'a str,
        interval: Nanos,
        start: Nanos,
    ) -> Self {
        Self {
            phase,
            demand,
            model,
            target,
            interval,
            start,
            now: start,
            backlog: 0.0,
            most_backlog_ns: 0.0,
            ios: 0.0,
            sums: demand.jobs.iter().map(|job| sums(&job.flow)).collect(),
            intervals: Vec::new(),
            machine: Vec::new(),
            measured: Nanos::ZERO,
            held: vec![0.0; demand.jobs.len()],
        }
    }

    fn all(&mut self) {
        let duration = self.phase.duration.unwrap_or_default();
        for (part, span) in [
            (Part::WarmUp, self.phase.warm_up),
            (Part::Measure, duration),
            (Part::CoolDown, self.phase.cool_down),
        ] {
            if part == Part::Measure {
                self.measured = duration;
                for sum in self.sums.iter_mut().flatten() {
                    sum.before = sum.total.floor();
                }
            }
            self.part(part, span);
        }
    }

    fn part(&mut self, part: Part, span: Nanos) {
        let end = self.now + span;
        while self.now < end {
            let length = self.interval.min(end - self.now);
            let demand = crate::model::Demand {
                backlog: self.backlog,
                ..self.demand.demand.clone()
            };
            let served = self.model.serve(&demand, self.now, length);
            self.backlog = served.backlog;
            self.note(part, length, &served);
            self.now = self.now + length;
        }
    }

    fn note(&mut self, part: Part, length: Nanos, served: &Served) {
        let seconds = length.as_secs_f64();
        let sum = |rate: fn(&ServedStep) -> f64| {
            let steps = served.steps.iter();
            steps
                .map(|step| rate(step) * step.span.as_secs_f64())
                .sum::<f64>()
        };
        let (closed, open) = (sum(|step| step.closed_iops), sum(|step| step.open_iops));
        self.ios += closed + open;
        if open > 0.0 {
            let delay_ns = self.backlog / (open / seconds) * 1e9;
            self.most_backlog_ns = self.most_backlog_ns.max(delay_ns);
        }
        let demand = &self.demand.demand;
        let is_measured = part == Part::Measure;
        let is_whole = length == self.interval;
        let mut jobs = Vec::new();
        for (index, job) in self.demand.jobs.iter().enumerate() {
            let requests = match job.open_iops {
                Some(rate) => open * rate / demand.open_iops,
                None => closed * job.outstanding / demand.outstanding,
            };
            let held = match job.open_iops {
                Some(rate) => self.backlog * rate / demand.open_iops,
                None => job.outstanding,
            };
            if is_measured {
                self.held[index] += held * seconds;
            }
            let mut entry = IntervalJob {
                job: index as u32,
                queue_depth_held: held,
                ..IntervalJob::default()
            };
            for sum in &mut self.sums[index] {
                let own = requests * sum.share;
                let before = sum.total.floor();
                sum.total += own;
                let ios = (sum.total.floor() - before) as u64;
                if is_measured && is_whole {
                    sum.iops.push(own / seconds);
                }
                entry.ops[sum.op] = Some(IntervalOp {
                    ios,
                    bytes: (ios as f64 * sum.bytes_each) as u64,
                    ..IntervalOp::default()
                });
            }
            jobs.push(entry);
        }
        let start_ns = (self.now - self.start).0;
        self.intervals.push(IntervalResult {
            part,
            start_ns,
            length_ns: length.0,
            jobs,
        });
        let gauges = gauges(&*self.model, self.now + length);
        if !gauges.is_empty() {
            self.machine.push(MachineInterval {
                start_ns,
                length_ns: length.0,
                gauges,
                ..MachineInterval::default()
            });
        }
    }

    fn into_result(self, repeat: u32) -> PhaseResult {
        let seconds = self.measured.as_secs_f64();
        let jobs = self.phase.jobs.iter().enumerate().map(|(index, spec)| {
            let job = &self.demand.jobs[index];
            let mut result = JobResult {
                name: spec.name.clone(),
                load_model: match job.open_iops {
                    Some(_) => LoadModel::Open,
                    None => LoadModel::Closed,
                },
                targets: vec![self.target.to_owned()],
                threads: spec.threads,
                active_ns: self.measured.0,
                queue_depth: u64::from(spec.threads) * u64::from(spec.queue_depth),
                queue_depth_possible: u64::from(spec.threads) * u64::from(spec.queue_depth),
                queue_depth_held: self.held[index] / seconds,
                offered_iops: arrivals(job),
                due: arrivals(job).map(|rate| (rate * seconds) as u64),
                max_lag_ns: job.open_iops.map(|_| self.most_backlog_ns as u64),
                ..JobResult::default()
            };
            let end = self.phase.cool_down;
            for sum in &self.sums[index] {
                // The cool-down is not part of the result.
                let after: f64 = if end > Nanos::ZERO {
                    self.cooled(index, sum.op)
                } else {
                    0.0
                };
                let ios = (sum.total.floor() - sum.before - after).max(0.0) as u64;
                result.submitted += ios;
                result.completed += ios;
                result.ops[sum.op] = Some(op_result(sum, ios, seconds));
            }
            result
        });
        PhaseResult {
            repeat,
            start_ns: (self.start + self.phase.warm_up).0,
            warm_up_ns: self.phase.warm_up.0,
            measured_ns: self.measured.0,
            cool_down_ns: self.phase.cool_down.0,
            jobs: jobs.collect(),
            intervals: self.intervals,
            machine: self.machine,
            ..PhaseResult::empty(&self.phase.name)
        }
    }

    /// Requests of a job's operation in the cool-down.
    fn cooled(&self, job: usize, op: Op) -> f64 {
        let cool_down = self
            .intervals
            .iter()
            .filter(|interval| interval.part == Part::CoolDown);
        let ops = cool_down.filter_map(|interval| interval.jobs[job].ops.get(op));
        ops.map(|op| op.ios as f64).sum()
    }
}

/// Requests a second that arrive by the clock; flushes between them do not.
fn arrivals(job: &JobDemand) -> Option<f64> {
    let rate = job.open_iops?;
    let flow = job.flow.normalized();
    let flushes = flow.kinds.iter().filter(|kind| kind.op == Op::Flush);
    let flushes: f64 = flushes.map(|kind| kind.weight).sum();
    Some(rate * (1.0 - flushes))
}

/// The operations of a flow, each once.
fn sums(flow: &Flow) -> Vec<Sum> {
    let flow = flow.normalized();
    let of = |op: Op| {
        let kinds = || flow.kinds.iter().filter(move |kind| kind.op == op);
        let share: f64 = kinds().map(|kind| kind.weight).sum();
        let bytes: f64 = kinds().map(|kind| kind.weight * kind.bytes).sum();
        (share > 0.0).then(|| Sum {
            op,
            share,
            bytes_each: bytes / share,
            total: 0.0,
            before: 0.0,
            iops: Vec::new(),
        })
    };
    Op::ALL.into_iter().filter_map(of).collect()
}

fn op_result(sum: &Sum, ios: u64, seconds: f64) -> OpResult {
    let bytes = (ios as f64 * sum.bytes_each) as u64;
    let iops = Spread::of(&sum.iops);
    let per_second: Vec<f64> = sum.iops.iter().map(|rate| rate * sum.bytes_each).collect();
    OpResult {
        ios,
        bytes,
        iops: ios as f64 / seconds,
        bytes_per_second: bytes as f64 / seconds,
        iops_by_interval: iops,
        bytes_per_second_by_interval: Spread::of(&per_second),
        ..OpResult::default()
    }
}

/// The levels of a model as the result has them.
fn gauges(model: &dyn VolumeModel, at: Nanos) -> Vec<Gauge> {
    let gauge = |level: crate::model::Level| Gauge {
        name: level.name,
        unit: level.unit.to_owned(),
        value: level.value,
        full: Some(level.full),
    };
    model.state(at).levels.into_iter().map(gauge).collect()
}
