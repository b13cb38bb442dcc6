//! What limited a run: each phase is compared with the known limits, with its own time series, and
//! with short runs of more load.
//!
//! The order is that of certainty. Limits of the load itself or of the load generator come first;
//! then a named limit, if the plateau lies at it and more load (where that was tried) changed
//! nothing; then what more load shows by itself. "Unexplained" is an answer.

mod caps;
mod culprits;
mod figures;
mod probes;
mod recovery;
mod sentences;
mod signs;
mod thresholds;

pub(crate) use self::caps::{Match, compare};
pub(crate) use self::figures::Figures;
pub use self::thresholds::BOUND;
pub(crate) use self::thresholds::{DIRTY_AT_LIMIT, FLUSHING, NEAR};
use self::thresholds::{HELD, SHALLOW, STILL_SAME};
use crate::checks::Code;
use crate::io_limits;
use crate::stats::{
    BucketFit, Dispersion, FALL_LEAST_RATIO, Fall, FallShape, dispersion, find_fall, fit_bucket,
};
use caps::matches;
use fathom_core::result::{
    Bound, BoundKind, BucketReport, Culprit, FallReport, IntervalResult, LoadModel, Mechanism,
    Origin, PhaseResult, ProbeKind, RunResult,
};
use fathom_core::{Cap, Level, Op, figure};
use probes::Reaction;
use signs::Scene;

/// Finds what held each phase back, with the limits that are known and those that the control group
/// sets, and writes it into the result.
/// Call it after [`judge`](crate::judge): it reads what the checks have found.
pub fn explain(result: &mut RunResult, caps: &[Cap]) {
    let of = |phase: &PhaseResult| {
        let set = io_limits::caps(result, phase);
        let caps: Vec<Cap> = caps.iter().cloned().chain(set).collect();
        of_phase(result, phase, &caps)
    };
    let bounds: Vec<Option<Bound>> = result.phases.iter().map(of).collect();
    for (phase, bound) in result.phases.iter_mut().zip(bounds) {
        phase.bound = bound.map(Box::new);
    }
}

/// Gives what the checks have found the remedies of the causes that are known by now.
pub fn renew_remedies(result: &mut RunResult) {
    crate::checks::trend::renew(result);
}

/// All that is known of a phase.
struct Case<'a> {
    result: &'a RunResult,
    phase: &'a PhaseResult,
    figures: Figures,
    /// The rate that lasts.
    plateau: Figures,
    reaction: Option<Reaction>,
    bucket: Option<BucketFit>,
    fall: Option<Fall>,
    culprits: Vec<Culprit>,
    regular: Option<Dispersion>,
    matches: Vec<Match<'a>>,
}

fn of_phase(result: &RunResult, phase: &PhaseResult, caps: &[Cap]) -> Option<Bound> {
    let figures = Figures::of(phase);
    if figures.iops <= 0.0 || phase.measured_ns == 0 {
        return None;
    }
    let series = phase.rates();
    let interval_s = phase.interval_s()?;
    let bucket = fit_bucket(&series, interval_s);
    let scene = fall_scene(result, phase, figures, caps, &series);
    let fall = scene.as_ref().map(|scene| scene.fall);
    // After a cliff the baseline is the limit that holds.
    let plateau = match (bucket, fall) {
        (Some(fit), _) => figures.at_iops(fit.baseline),
        (None, Some(fall)) => figures.at_iops(fall.after),
        (None, None) => figures,
    };
    let counts: Vec<f64> = series.iter().map(|rate| rate * interval_s).collect();
    let reaction = probes::reaction(result, phase);
    let mut found = matches(&plateau, caps);
    if found.is_empty()
        && let Some(reaction) = reaction.filter(|one| !one.grows() && !one.drops())
    {
        // A short queue runs empty now and then: with twice as many it comes nearer to its limit.
        found = matches(&plateau.at_iops(reaction.depth.iops), caps);
    }
    let case = Case {
        result,
        phase,
        figures,
        plateau,
        reaction,
        regular: dispersion(&counts),
        matches: found,
        bucket,
        fall,
        culprits: scene.as_ref().map(culprits::culprits).unwrap_or_default(),
    };
    Some(case.bound())
}

/// A rate that fell in a closed phase, or right after it, with what is around it.
fn fall_scene<'a>(
    result: &'a RunResult,
    phase: &'a PhaseResult,
    figures: Figures,
    caps: &'a [Cap],
    series: &[f64],
) -> Option<Scene<'a>> {
    if phase
        .jobs
        .iter()
        .any(|job| job.load_model != LoadModel::Closed)
    {
        // The schedule says how fast it goes.
        return None;
    }
    let interval_s = phase.interval_s()?;
    let all: Vec<&IntervalResult> = phase.complete_intervals().collect();
    let scene = |fall: Fall, before, after| Scene {
        result,
        phase,
        figures,
        caps,
        fall,
        before,
        after,
    };
    if let Some(fall) = find_fall(series, interval_s) {
        let (before, after) = all.split_at(fall.from);
        return Some(scene(fall, before.to_vec(), after.to_vec()));
    }
    // Or right after it: the same load again gave less.
    let lowest = result
        .probes
        .iter()
        .filter(|probe| probe.of_phase == phase.name)
        .filter(|probe| matches!(probe.kind, ProbeKind::Same | ProbeKind::SameAgain))
        .map(|probe| (Figures::of(&probe.phase).iops, &probe.phase))
        .min_by(|a, b| a.0.total_cmp(&b.0));
    let (rate, later) = lowest?;
    let after: Vec<&IntervalResult> = later.complete_intervals().collect();
    let fall = Fall {
        from: series.len(),
        before: figures.iops,
        after: rate,
        above: (figures.iops - rate) * series.len() as f64 * interval_s,
        shape: FallShape::Cliff,
    };
    let is_fall = rate > 0.0 && figures.iops / rate >= FALL_LEAST_RATIO;
    is_fall.then(|| scene(fall, all, after))
}

impl Case<'_> {
    fn bound(&self) -> Bound {
        let mut bound = self.cause();
        bound.evidence.extend(self.reaction_words());
        bound.evidence.extend(self.enough());
        self.tell_fall(&mut bound);
        bound.hidden_bucket_ios = self.figures.iops * (self.phase.measured_ns as f64 / 1e9);
        if self.fall.is_none() {
            bound.evidence.push(format!(
                "no drop in {}: a burst bucket of more than {} requests cannot be excluded",
                figure::duration(self.phase.measured_ns),
                figure::count(bound.hidden_bucket_ios as u64)
            ));
        }
        if matches!(self.result.provenance.origin, Origin::Simulated { .. }) {
            // Nothing can be probed there: a model's limits are known.
            bound.advice.clear();
        }
        bound.bucket = self.bucket.map(|fit| BucketReport {
            burst_iops: fit.burst,
            baseline_iops: fit.baseline,
            capacity_ios: fit.capacity,
            cliff_s: fit.cliff_s,
            refill_s: fit.refill_s,
        });
        bound.fall = self.fall.map(|fall| FallReport {
            at_s: fall.from as f64 * self.phase.interval_s().unwrap_or(0.0),
            before_iops: fall.before,
            after_iops: fall.after,
            above_ios: fall.above,
        });
        bound.culprits.clone_from(&self.culprits);
        bound
    }

    /// The fall goes first: what is said of the rest is about the rate after it.
    fn tell_fall(&self, bound: &mut Bound) {
        let Some(fall) = &self.fall else {
            return;
        };
        let is_credit = |culprit: &Culprit| {
            matches!(
                culprit.mechanism,
                Mechanism::VolumeCredit | Mechanism::InstanceCredit
            )
        };
        let credit = self.culprits.first().is_none_or(is_credit);
        let first = match &self.bucket {
            Some(fit) if credit => sentences::bucket(fit),
            _ => sentences::fall(fall, self.phase, &self.figures),
        };
        let recovery = recovery::recovery(self.result, self.phase);
        let told = std::iter::once(first)
            .chain(recovery.map(|found| found.words()))
            .chain(sentences::culprits(&self.culprits));
        bound.evidence.splice(0..0, told);
    }

    fn cause(&self) -> Bound {
        if let Some(bound) = self.own_doing() {
            return bound;
        }
        let is = |what: fn(&Reaction) -> bool| self.reaction.as_ref().is_some_and(what);
        let grows = is(Reaction::grows);
        if let Some(reaction) = &self.reaction
            && !grows
            && (reaction.threads_help() || reaction.is_unfilled())
        {
            return self.by_reaction(reaction);
        }
        if !grows && let Some(bound) = self.at_a_cap() {
            return bound;
        }
        if !grows
            && self.fall.is_some()
            && let Some(bound) = self.by_culprit()
        {
            return bound;
        }
        if let Some(reaction) = &self.reaction {
            return self.by_reaction(reaction);
        }
        if self.figures.slots <= 1.0 {
            return self.one_at_a_time();
        }
        answer(
            BoundKind::Unexplained,
            "",
            format!(
                "bottleneck not found: {} IOPS with {} outstanding requests, and no known limit is \
                 near this rate",
                figure::iops(self.figures.iops),
                figure::outstanding(self.figures.held)
            ),
        )
        .advice(
            "use --find-limit to test twice the outstanding requests, or --cap NAME=RATE for a \
             known limit",
        )
    }

    /// What the load or the generator set themselves.
    fn own_doing(&self) -> Option<Answer> {
        let open = |job: &fathom_core::result::JobResult| job.load_model != LoadModel::Closed;
        let is_behind = self.has_caveat(Code::Overloaded) || self.has_caveat(Code::ReplayLate);
        if self.phase.jobs.iter().all(open) && !is_behind {
            let sentence = format!(
                "the schedule: the load requested {} IOPS and the storage served it",
                figure::iops(self.figures.iops)
            );
            return Some(answer(BoundKind::Schedule, "schedule", sentence));
        }
        if self.has_caveat(Code::GeneratorCpu) {
            let sentence = "the load generator: its threads had no spare CPU time";
            return Some(
                answer(BoundKind::Generator, "generator CPU", sentence.to_owned())
                    .advice("use more threads, up to the number of CPUs"),
            );
        }
        if let Some(bound) = self.flushes() {
            return Some(bound);
        }
        let share = self.figures.held / self.figures.slots;
        if self.figures.is_full_loop && share < HELD {
            let sentence = format!(
                "the load generator: of {} slots only {} held a request, so the storage received \
                 no more",
                figure::count(self.figures.slots as u64),
                figure::outstanding(self.figures.held)
            );
            return Some(
                answer(BoundKind::Generator, "generator", sentence)
                    .advice("use more threads with fewer outstanding requests each"),
            );
        }
        None
    }

    /// Where the jobs wait for flushes: while one is under way no slot of its thread is filled.
    fn flushes(&self) -> Option<Answer> {
        let gated = |job: &&fathom_core::result::JobResult| {
            let spec = self.result.job_spec(&self.phase.name, &job.name);
            spec.is_some_and(|spec| spec.durability.sync.is_some())
        };
        let mut count = 0;
        let (mut flushing_ns, mut time_ns) = (0.0, 0.0);
        for job in self.phase.jobs.iter().filter(gated) {
            let flush = job.ops.get(Op::Flush)?;
            count += flush.ios;
            flushing_ns += flush.ios as f64 * flush.service_ns.mean;
            time_ns += f64::from(job.threads) * job.active_ns as f64;
        }
        let share = flushing_ns / time_ns;
        if count == 0 || share.is_nan() || share < FLUSHING {
            return None;
        }
        let each_ns = flushing_ns / count as f64;
        let sentence = format!(
            "flushes: the load waits for {} of them, {} each, {} of the time. No write is sent \
             during a flush",
            figure::count(count),
            figure::time(each_ns),
            figure::percent(share.min(1.0) * 100.0)
        );
        let advice = "make more writes per flush, or flush from several threads in parallel, if \
                      the application can";
        Some(answer(BoundKind::QueueDepth, "flushes", sentence).advice(advice))
    }

    fn has_caveat(&self, code: Code) -> bool {
        let of_phase = |subject: &str| {
            subject.is_empty()
                || subject == self.phase.name
                || subject.starts_with(&format!("{}/", self.phase.name))
                || subject.starts_with(&format!("{}#", self.phase.name))
        };
        self.result.caveats.iter().any(|caveat| {
            code.is(caveat) && caveat.level > Level::Note && of_phase(&caveat.subject)
        })
    }

    fn at_a_cap(&self) -> Option<Answer> {
        let best = self.matches.first()?;
        let confirmed = self.reaction.as_ref().is_some_and(|reaction| {
            // At another rate than the phase's they show something else.
            let off = reaction.base().iops / self.plateau.iops - 1.0;
            reaction.is_full() && off.abs() <= STILL_SAME
        });
        if let Some(other) = self.matches.iter().find(|other| other.collides(best)) {
            return Some(sentences::ambiguous(best, other, &self.figures));
        }
        let mut bound = answer(
            BoundKind::Cap,
            &best.cap.name,
            sentences::at_cap(best, &self.figures, confirmed),
        );
        bound.confirmed = confirmed;
        if let Some(regular) = self.regular.filter(Dispersion::is_regular) {
            bound.evidence.push(format!(
                "the rate is more regular than by chance (index of dispersion {}, by chance at \
                 least {})",
                figure::decimal(regular.index, 3),
                figure::decimal(regular.band.0, 3)
            ));
        }
        if !confirmed {
            bound = bound.advice("use --find-limit to test twice the outstanding requests");
        }
        Some(bound)
    }

    /// What made it fall, where no limit is known that holds it now.
    fn by_culprit(&self) -> Option<Answer> {
        let first = self.culprits.first()?;
        let kind = match first.mechanism {
            Mechanism::Processor => BoundKind::Generator,
            Mechanism::DirtyLimit => BoundKind::Cap,
            _ => BoundKind::BeyondHost,
        };
        let fall = self.fall.as_ref()?;
        let sentence = sentences::fell(fall, &self.culprits);
        Some(
            answer(kind, first.mechanism.words(), sentence)
                .advice(sentences::cure(first.mechanism)),
        )
    }

    fn by_reaction(&self, reaction: &Reaction) -> Answer {
        sentences::by_reaction(reaction, &self.figures)
    }

    fn reaction_words(&self) -> Vec<String> {
        self.reaction
            .as_ref()
            .map(Reaction::words)
            .unwrap_or_default()
    }

    /// How many outstanding requests can fill the storage: the time of a single one times the most
    /// that was seen. Methodology 6.2.
    fn enough(&self) -> Option<String> {
        let single = probes::find(self.result, self.phase, ProbeKind::Single)?;
        let reaction = self.reaction.as_ref()?;
        let slots = self.figures.slots;
        let most = self.plateau.iops.max(reaction.depth.iops);
        let needed = single.mean_ns / 1e9 * most;
        let needed_words = figure::count(needed.ceil() as u64);
        let alone = format!(
            "a single request takes {}, and {} IOPS were reached",
            figure::time(single.mean_ns),
            figure::iops(most)
        );
        if reaction.grows() && needed > slots * SHALLOW {
            return Some(format!(
                "{} outstanding requests cannot saturate this device. It needs at least \
                 {needed_words} ({alone})",
                figure::count(slots as u64)
            ));
        }
        reaction.is_full().then(|| {
            format!("{needed_words} outstanding requests are the minimum to saturate it ({alone})")
        })
    }

    fn one_at_a_time(&self) -> Answer {
        let sentence = format!(
            "queue depth: with one request at a time, {} per request allow at most {} IOPS",
            figure::time(self.figures.mean_ns),
            figure::iops(1e9 / self.figures.mean_ns)
        );
        answer(BoundKind::QueueDepth, "queue depth", sentence)
            .advice("use more outstanding requests, if the application can")
    }
}

/// A bound in the making.
type Answer = Bound;

fn answer(kind: BoundKind, name: &str, sentence: String) -> Answer {
    Bound {
        kind,
        name: name.to_owned(),
        confirmed: false,
        sentence,
        evidence: Vec::new(),
        advice: String::new(),
        bucket: None,
        fall: None,
        culprits: Vec::new(),
        falls: Vec::new(),
        hidden_bucket_ios: 0.0,
    }
}

/// Says what to do about it.
trait Advised {
    fn advice(self, advice: &str) -> Self;
}

impl Advised for Bound {
    fn advice(mut self, advice: &str) -> Self {
        advice.clone_into(&mut self.advice);
        self
    }
}

#[cfg(test)]
mod tests;
