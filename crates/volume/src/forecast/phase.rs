//! Phases by the closed form: from demand to the parts of a result.

use super::demand::{JobDemand, PhaseDemand, Unsuited, demand, demand_by_jobs, refuse_endless};
use super::jobs::Jobs;
use super::portion::Portion;
use crate::model::{Demand, Flow, ServedStep, VolumeModel};
use crate::models::{System, Waits};
use fathom_core::interval::Part;
use fathom_core::result::{
    Gauge, IntervalJob, IntervalOp, IntervalResult, JobResult, LoadModel, MachineInterval,
    OpResult, PhaseResult,
};
use fathom_core::spec::{Pacing, Phase, Workload};
use fathom_core::summary::{LatencySummary, Spread};
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
    /// What held requests back, where jobs were followed one by one.
    pub waits: Option<Waits>,
}

/// Requests of a phase from which on a model is taken for one without a limit: no storage serves
/// them in a year.
const UNLIMITED_IOS: f64 = 1e17;

/// Runs a workload on volumes in closed form. With `roles`, each has volumes of its own.
///
/// # Errors
///
/// [`Unsuited`] where a phase cannot be followed without single requests.
pub fn forecast(
    workload: &Workload,
    system: &mut System,
    roles: &[String],
) -> Result<Forecast, Unsuited> {
    let mut forecast = Forecast {
        phases: Vec::new(),
        interval: interval(workload, MAX_INTERVALS),
        left_out: Vec::new(),
        ios: 0.0,
        waits: None,
    };
    refuse_endless(workload)?;
    let phases = || workload.phases.iter();
    let even: Result<Vec<_>, _> = phases().map(demand).collect();
    let (demands, is_even) = match even {
        Ok(demands) if roles.is_empty() => (demands, true),
        _ => {
            let by_jobs = phases().map(|phase| demand_by_jobs(phase, roles));
            (by_jobs.collect::<Result<Vec<_>, _>>()?, false)
        }
    };
    let title = system.title().to_owned();
    let mut at = Nanos::ZERO;
    for repeat in 1..=workload.repeat {
        for (phase, demand) in workload.phases.iter().zip(&demands) {
            let engine = if is_even {
                Engine::Even(system, 0.0)
            } else {
                Engine::Jobs(Box::new(Jobs::new(phase, demand, system, at)))
            };
            let mut run = Run::new(phase, demand, engine, &title, forecast.interval, at);
            run.all();
            if run.ios.is_nan() || run.ios >= UNLIMITED_IOS {
                return Err(Unsuited {
                    job: phase.name.clone(),
                    cause: "nothing in the model limits its rate",
                });
            }
            at = run.now;
            forecast.ios += run.ios;
            forecast.waits = run.engine.waits();
            forecast.phases.push(run.into_result(repeat));
        }
    }
    forecast.left_out = demands.into_iter().flat_map(|own| own.left_out).collect();
    forecast.left_out.dedup();
    Ok(forecast)
}

/// The interval asked for, or the next round length that leaves no more than `most` of them in any
/// phase.
pub fn interval(workload: &Workload, most: u64) -> Nanos {
    const ROUND_SECONDS: [u64; 9] = [1, 2, 5, 10, 15, 20, 30, 60, 3_600];
    let asked = workload.interval;
    let longest = workload.phases.iter().filter_map(|phase| phase.duration);
    let least = Nanos(longest.max().unwrap_or_default().0 / most);
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

impl Sum {
    /// Whole requests so far; one that a rounding error short of is there.
    fn whole(&self) -> f64 {
        (self.total + 1e-6).floor()
    }
}

/// What serves the jobs of a phase.
enum Engine<'a> {
    /// All of them together, with the requests that wait: they ask for the same at any time.
    Even(&'a mut System, f64),
    /// Each by itself.
    Jobs(Box<Jobs<'a>>),
}

impl Engine<'_> {
    fn serve(&mut self, demand: &PhaseDemand, at: Nanos, length: Nanos) -> Portion {
        match self {
            Self::Even(system, backlog) => serve_evenly(system, backlog, demand, at, length),
            Self::Jobs(jobs) => jobs.serve(length),
        }
    }

    fn system(&self) -> &System {
        match self {
            Self::Even(system, _) => system,
            Self::Jobs(jobs) => jobs.system(),
        }
    }

    fn waits(&self) -> Option<Waits> {
        match self {
            Self::Even(..) => None,
            Self::Jobs(jobs) => Some(jobs.waits()),
        }
    }
}

/// Serves all jobs as one load, and gives each its part.
fn serve_evenly(
    system: &mut System,
    backlog: &mut f64,
    demand: &PhaseDemand,
    at: Nanos,
    length: Nanos,
) -> Portion {
    let seconds = length.as_secs_f64();
    let whole = &demand.demand;
    let asked = Demand {
        backlog: *backlog,
        ..whole.clone()
    };
    let served = system.serve(&asked, at, length);
    *backlog = served.backlog;
    let sum = |rate: fn(&ServedStep) -> f64| {
        let steps = served.steps.iter();
        steps
            .map(|step| rate(step) * step.span.as_secs_f64())
            .sum::<f64>()
    };
    let (closed, open) = (sum(|step| step.closed_iops), sum(|step| step.open_iops));
    let mut portion = Portion::of(0);
    if open > 0.0 {
        portion.delay_ns = *backlog / (open / seconds) * 1e9;
    }
    for job in &demand.jobs {
        let (requests, held) = match job.open_iops {
            Some(rate) => (
                open * rate / whole.open_iops,
                *backlog * rate / whole.open_iops,
            ),
            None => (
                closed * job.outstanding / whole.outstanding,
                job.outstanding,
            ),
        };
        portion.requests.push(requests);
        portion.held.push(held);
    }
    portion
}

struct Run<'a> {
    phase: &'a Phase,
    demand: &'a PhaseDemand,
    engine: Engine<'a>,
    target: &'a str,
    interval: Nanos,
    start: Nanos,
    now: Nanos,
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
        engine: Engine<'a>,
        target: &'a str,
        interval: Nanos,
        start: Nanos,
    ) -> Self {
        Self {
            phase,
            demand,
            engine,
            target,
            interval,
            start,
            now: start,
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
                    sum.before = sum.whole();
                }
                if let Engine::Jobs(jobs) = &mut self.engine {
                    jobs.measure();
                }
            }
            self.part(part, span);
        }
    }

    fn part(&mut self, part: Part, span: Nanos) {
        let end = self.now + span;
        while self.now < end {
            let length = self.interval.min(end - self.now);
            let portion = self.engine.serve(self.demand, self.now, length);
            self.note(part, length, &portion);
            self.now = self.now + length;
        }
    }

    fn note(&mut self, part: Part, length: Nanos, portion: &Portion) {
        let seconds = length.as_secs_f64();
        self.ios += portion.requests.iter().sum::<f64>();
        self.most_backlog_ns = self.most_backlog_ns.max(portion.delay_ns);
        let is_measured = part == Part::Measure;
        let is_whole = length == self.interval;
        let mut jobs = Vec::new();
        for (index, (requests, held)) in portion.requests.iter().zip(&portion.held).enumerate() {
            let (requests, held) = (*requests, *held);
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
                let before = sum.whole();
                sum.total += own;
                let ios = (sum.whole() - before) as u64;
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
        let gauges = gauges(self.engine.system(), self.now + length);
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
                load_model: match (&spec.pacing, job.open_iops) {
                    (_, Some(_)) => LoadModel::Open,
                    (Pacing::Cyclic { .. } | Pacing::Triggered { .. }, _) => LoadModel::Bursts,
                    _ => LoadModel::Closed,
                },
                burst_ns: self.bursts(index),
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
                let ios = (sum.whole() - sum.before - after).max(0.0) as u64;
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

    /// The lengths of a job's bursts; none without any.
    fn bursts(&self, job: usize) -> Option<LatencySummary> {
        let Engine::Jobs(jobs) = &self.engine else {
            return None;
        };
        let lengths = jobs.lengths().nth(job)?;
        (!lengths.is_empty()).then(|| lengths.summary())
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
fn gauges(system: &System, at: Nanos) -> Vec<Gauge> {
    let gauge = |level: crate::model::Level| Gauge {
        name: level.name,
        unit: level.unit.to_owned(),
        value: level.value,
        full: Some(level.full),
    };
    system.state(at).levels.into_iter().map(gauge).collect()
}
