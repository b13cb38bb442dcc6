//! What a recorded load got where it ran again.

use crate::Code;
use crate::checks::overloaded::is_overloaded;
use crate::checks::replay_late::REPLAY_LATE;
use fathom_core::figure::{percent, time};
use fathom_core::histogram::Histogram;
use fathom_core::interval::Part;
use fathom_core::result::{EncodedHistogram, JobResult, PhaseResult, REPLAY_LATE_NS, RunResult};
use fathom_core::summary::supports;
use fathom_core::{Caveat, Level, Nanos, Op, State};
use fathom_volume::fit::{Answer, Got, Interval, Method, OnPath, Original, Responses};

/// What is known of a load before it runs.
#[derive(Clone, Copy, Debug)]
pub struct Load<'a> {
    /// As it was recorded.
    pub original: &'a Original,
    /// Whether its requests are the recorded ones.
    pub method: Method,
    /// The rate asked for over the recorded one: of each phase of the run, the first one that of
    /// the question, and the others multiples of it.
    pub scales: &'a [f64],
}

/// What a load got on a path, without an answer yet; nothing if it made no request.
pub fn on_path(path: String, result: &RunResult, load: Load<'_>) -> Option<OnPath> {
    let all = result.phases.iter().zip(load.scales);
    let mut all = all.map(|(phase, scale)| got(phase, *scale, load));
    let got = all.next()??;
    let multiples = all.flatten().collect();
    // What is found of a multiple is no warning about the load itself.
    let [first, others @ ..] = &result.phases[..] else {
        return None;
    };
    let is_of = |caveat: &Caveat, phase: &PhaseResult| {
        let rest = caveat.subject.strip_prefix(phase.name.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let caveats = result.caveats.iter();
    let caveats = caveats.filter(|caveat| !others.iter().any(|phase| is_of(caveat, phase)));
    let caveats: Vec<Caveat> = caveats.cloned().collect();
    let is_answer = |caveat: &Caveat| match Code::of(caveat) {
        Some(Code::Overloaded) => true,
        Some(Code::ReplayLate) => first.jobs.iter().any(is_late_by_storage),
        _ => false,
    };
    let state = State::of(&caveats);
    let doubts = caveats.iter().filter(|caveat| !is_answer(caveat));
    let worst = doubts
        .filter(|caveat| caveat.level >= Level::Suspect)
        .max_by_key(|caveat| caveat.level);
    Some(OnPath {
        path,
        answer: Answer::CannotTell,
        sentence: String::new(),
        state,
        doubt: worst.map(|caveat| caveat.message.clone()),
        caveats,
        run_id: Some(result.run_id.clone()),
        got,
        headroom: None,
        multiples,
    })
}

fn got(phase: &PhaseResult, scale: f64, load: Load<'_>) -> Option<Got> {
    let original = load.original;
    let (length, floor_of_rate) = match load.method {
        Method::Replay => (original.seconds / scale, 0.0),
        Method::Twin => (0.0, original.floor_of_rate.unwrap_or(0.0)),
    };
    let whole = responses(phase);
    let seconds = Nanos(phase.measured_ns).as_secs_f64().max(length);
    let windows = windows(phase, whole.len());
    let within = |quantile: f64, floor: Option<f64>| {
        let own = windows.floor(quantile).unwrap_or(0.0);
        let value = supports(whole.len(), quantile).then(|| whole.quantile_ns(quantile) as f64);
        Interval::of(vec![value?], floor.unwrap_or(0.0).max(own))
    };
    Some(Got {
        scale,
        asked_iops: original.iops * scale,
        delivered_iops: Interval::of(vec![whole.len() as f64 / seconds], floor_of_rate)?,
        p50_ns: within(0.5, original.floor_of_p50),
        p99_ns: within(0.99, original.floor_of_p99),
        p999_ns: within(0.999, None).map(|p999| p999.estimate),
        held: phase.jobs.iter().find_map(|job| held(phase, job)),
    })
    .filter(|_| !whole.is_empty())
}

/// Response times of all requests but flushes.
fn responses(phase: &PhaseResult) -> Histogram {
    let mut whole = Histogram::new();
    let ops = phase.jobs.iter().flat_map(|job| job.ops.present());
    for (_, of) in ops.filter(|(op, _)| *op != Op::Flush) {
        let times = [&of.response_histogram, &of.service_histogram];
        whole.add(&decoded(times));
    }
    whole
}

/// The same in parts of the measured time.
fn windows(phase: &PhaseResult, requests: u64) -> Responses {
    let mut windows = Responses::new(Nanos(phase.measured_ns), requests);
    let intervals = phase.intervals.iter();
    for interval in intervals.filter(|one| one.part == Part::Measure) {
        let at = Nanos(interval.start_ns.saturating_sub(phase.warm_up_ns));
        let ops = interval.jobs.iter().flat_map(|job| job.ops.present());
        for (_, of) in ops.filter(|(op, _)| *op != Op::Flush) {
            let times = [&of.response_histogram, &of.service_histogram];
            windows.add_all(at, &decoded(times));
        }
    }
    windows
}

/// The first of these that is there. In a closed load, service times are response times.
fn decoded(times: [&Option<EncodedHistogram>; 2]) -> Histogram {
    let first = times.into_iter().flatten().next();
    let decoded = first.and_then(|times| times.decode().ok());
    decoded.unwrap_or_default()
}

fn is_late_by_storage(job: &JobResult) -> bool {
    let lag = job.replay_lag();
    lag.is_some_and(|lag| lag.late_share() > REPLAY_LATE && lag.is_by_storage())
}

/// Why requests waited for others, if too many did.
fn held(phase: &PhaseResult, job: &JobResult) -> Option<String> {
    let depth = job.queue_depth.min(job.queue_depth_possible);
    if let Some(lag) = job.replay_lag().filter(|_| is_late_by_storage(job)) {
        let late = percent(lag.late_share() * 100.0);
        let least = time(REPLAY_LATE_NS as f64);
        return Some(format!(
            "{late} of the requests are issued more than {least} late, because all {depth} allowed \
             ones are outstanding"
        ));
    }
    let name = &job.name;
    is_overloaded(phase, job)
        .then(|| format!("requests of {name} arrive faster than they are done"))
}
