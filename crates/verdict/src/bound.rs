//! What held a run back: each phase is compared with the limits that are known, with what its own
//! series shows, and with short runs of more load beside it.
//!
//! The order is that of certainty. What the load itself or the generator set is told first; then a
//! named limit, if the plateau lies at it and more load (where that was tried) changed nothing;
//! then what more load shows by itself. "Unexplained" is an answer.

mod caps;
mod figures;
mod probes;
mod sentences;

use crate::thresholds::HELD;
use caps::{Match, matches};
use fathom_core::result::{
    Bound, BoundKind, BucketReport, LoadModel, Origin, PhaseResult, RunResult,
};
use fathom_core::stats::{BucketFit, Dispersion, dispersion, fit_bucket};
use fathom_core::{Cap, Level, figure};
use figures::Figures;
use probes::Reaction;

/// Finds what held each phase back, with the limits that are known, and writes it into the result.
/// Call it after [`judge`](crate::judge): it reads what the checks have found.
pub fn explain(result: &mut RunResult, caps: &[Cap]) {
    let bounds: Vec<Option<Bound>> = result
        .phases
        .iter()
        .map(|phase| of_phase(result, phase, caps))
        .collect();
    for (phase, bound) in result.phases.iter_mut().zip(bounds) {
        phase.bound = bound.map(Box::new);
    }
}

/// All that is known of a phase.
struct Case<'a> {
    result: &'a RunResult,
    phase: &'a PhaseResult,
    figures: Figures,
    reaction: Option<Reaction>,
    bucket: Option<BucketFit>,
    regular: Option<Dispersion>,
    matches: Vec<Match<'a>>,
}

fn of_phase(result: &RunResult, phase: &PhaseResult, caps: &[Cap]) -> Option<Bound> {
    let figures = Figures::of(phase);
    if figures.iops <= 0.0 || phase.measured_ns == 0 {
        return None;
    }
    let series = figures::series(phase);
    let interval_s = figures::interval_s(phase)?;
    let bucket = fit_bucket(&series, interval_s);
    // After a cliff the baseline is the limit that holds.
    let plateau = bucket.map_or(figures, |fit| figures.at_iops(fit.baseline));
    let counts: Vec<f64> = series.iter().map(|rate| rate * interval_s).collect();
    let case = Case {
        result,
        phase,
        figures,
        reaction: probes::reaction(result, phase),
        regular: dispersion(&counts),
        matches: matches(&plateau, caps),
        bucket,
    };
    Some(case.bound())
}

impl Case<'_> {
    fn bound(&self) -> Bound {
        let mut bound = self.cause();
        bound.evidence.extend(self.reaction_words());
        if let Some(fit) = &self.bucket {
            bound.evidence.insert(0, sentences::bucket(fit));
        }
        bound.hidden_bucket_ios = self.figures.iops * (self.phase.measured_ns as f64 / 1e9);
        if self.bucket.is_none() {
            bound.evidence.push(format!(
                "no cliff in {}: a burst bucket of more than {} requests cannot be excluded",
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
        bound
    }

    fn cause(&self) -> Bound {
        if let Some(bound) = self.own_doing() {
            return bound;
        }
        let grows = self.reaction.as_ref().is_some_and(Reaction::grows);
        if !grows && let Some(bound) = self.at_a_cap() {
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
                "unexplained: {} IOPS with {} outstanding, and no limit that is known lies there",
                figure::iops(self.figures.iops),
                figure::outstanding(self.figures.held)
            ),
        )
        .advice(
            "--explain, to see what twice the outstanding requests do; --cap NAME=RATE for a \
                 limit that you know",
        )
    }

    /// What the load or the generator set themselves.
    fn own_doing(&self) -> Option<Answer> {
        let open = |job: &fathom_core::result::JobResult| job.load_model != LoadModel::Closed;
        if self.phase.jobs.iter().all(open) && !self.has_caveat("overloaded") {
            let sentence = format!(
                "the schedule: the load asked for {} IOPS and was served",
                figure::iops(self.figures.iops)
            );
            return Some(answer(BoundKind::Schedule, "schedule", sentence));
        }
        if self.has_caveat("generator_cpu") {
            let sentence = "the generator: its threads had no processor time to spare";
            return Some(
                answer(BoundKind::Generator, "generator CPU", sentence.to_owned())
                    .advice("more threads, up to the number of processors"),
            );
        }
        let share = self.figures.held / self.figures.slots;
        if self.figures.is_full_loop && share < HELD {
            let sentence = format!(
                "the generator: of {} slots only {} held a request, so the storage was not asked \
                 for more",
                figure::count(self.figures.slots as u64),
                figure::outstanding(self.figures.held)
            );
            return Some(
                answer(BoundKind::Generator, "generator", sentence)
                    .advice("more threads with fewer outstanding requests each"),
            );
        }
        None
    }

    fn has_caveat(&self, code: &str) -> bool {
        let of_phase = |subject: &str| {
            subject.is_empty()
                || subject == self.phase.name
                || subject.starts_with(&format!("{}/", self.phase.name))
                || subject.starts_with(&format!("{}#", self.phase.name))
        };
        self.result.caveats.iter().any(|caveat| {
            caveat.code == code && caveat.level > Level::Note && of_phase(&caveat.subject)
        })
    }

    fn at_a_cap(&self) -> Option<Answer> {
        let best = self.matches.first()?;
        let confirmed = self.reaction.as_ref().is_some_and(Reaction::is_flat);
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
                "the rate is more regular than chance (index of dispersion {}, by chance at least \
                 {})",
                figure::decimal(regular.index, 3),
                figure::decimal(regular.band.0, 3)
            ));
        }
        if !confirmed {
            bound =
                bound.advice("--explain, to see whether twice the outstanding requests change it");
        }
        Some(bound)
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

    fn one_at_a_time(&self) -> Answer {
        let sentence = format!(
            "queue depth: with one request at a time, {} each allow {} IOPS and no more",
            figure::time(self.figures.mean_ns),
            figure::iops(1e9 / self.figures.mean_ns)
        );
        answer(BoundKind::QueueDepth, "queue depth", sentence)
            .advice("more outstanding requests, if the application can have them")
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
