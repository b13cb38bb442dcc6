//! What a gate comes to, number by number: of runs that are stored, and of pairs made for it.

use super::comparison::Comparison;
use super::contrast::{Contrast, Design, NumberContrast};
use super::gate::GateOutcome;
use super::job_op::JobOp;
use super::metric::Metric;
use super::verdict::Limits;
use crate::stats::Shift;
use fathom_core::caveat::State;
use fathom_core::figure::{decimal, percent, plural};
use serde::Serialize;
use std::fmt::Write as _;

/// A gate and its outcome.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GateReport {
    /// Loss, as a share, from which it is a regression.
    pub theta: f64,
    /// The outcome: a regression in one number is one, a pass is one in all.
    #[serde(flatten)]
    pub outcome: GateOutcome,
    /// The declared numbers.
    pub rows: Vec<GateRow>,
}

/// One declared number at the gate.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GateRow {
    /// Letter of the side that stands against the base.
    pub label: String,
    /// Where it stands.
    #[serde(flatten)]
    pub place: JobOp,
    /// What is compared.
    pub metric: Metric,
    /// How much worse than the base, as a share; below zero if it is better.
    pub loss: Option<Loss>,
    /// What the gate says of it.
    #[serde(flatten)]
    pub outcome: GateOutcome,
}

/// A loss with its interval, as shares of the base.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Loss {
    /// The loss.
    pub estimate: f64,
    /// Lower end of its interval.
    pub low: f64,
    /// Upper end of its interval.
    pub high: f64,
}

impl Loss {
    /// The loss in a ratio of other over base.
    fn of(ratio: Shift, more_is_better: bool) -> Self {
        if more_is_better {
            Self {
                estimate: 1.0 - ratio.estimate,
                low: 1.0 - ratio.high,
                high: 1.0 - ratio.low,
            }
        } else {
            Self {
                estimate: ratio.estimate - 1.0,
                low: ratio.low - 1.0,
                high: ratio.high - 1.0,
            }
        }
    }

    /// `+6.1 % (+5.0 … +7.2)`: worse is above zero.
    fn words(self) -> String {
        let signed = |share: f64| {
            let text = decimal(share * 100.0, 1);
            if share > 0.0 {
                format!("+{text}")
            } else {
                text
            }
        };
        let [estimate, low, high] = [self.estimate, self.low, self.high].map(signed);
        format!("{estimate} % ({low} … {high})")
    }
}

impl GateReport {
    /// A gate from the outcomes of its numbers.
    pub fn of(theta: f64, rows: Vec<GateRow>) -> Self {
        let weight = |outcome: &GateOutcome| match outcome {
            GateOutcome::Pass => 0,
            GateOutcome::Undecided(_) => 1,
            GateOutcome::Regression => 2,
        };
        let outcomes = rows.iter().map(|row| row.outcome.clone());
        let worst = outcomes.reduce(|worst, next| {
            if weight(&next) > weight(&worst) {
                next
            } else {
                worst
            }
        });
        Self {
            theta,
            outcome: worst.unwrap_or_else(|| {
                GateOutcome::Undecided("the runs have no common metric to decide on".to_owned())
            }),
            rows,
        }
    }

    /// A gate that comes to nothing for one reason.
    pub const fn undecided(theta: f64, why: String) -> Self {
        Self {
            theta,
            outcome: GateOutcome::Undecided(why),
            rows: Vec::new(),
        }
    }

    /// The outcome as one line, as in `gate 5.0 %: pass`.
    pub fn words(&self) -> String {
        let gate = format!("gate {}", percent(self.theta * 100.0));
        match &self.outcome {
            GateOutcome::Pass => format!("{gate}: pass"),
            GateOutcome::Undecided(why) => format!("{gate}: undecided: {why}"),
            GateOutcome::Regression => {
                let worse = |row: &&GateRow| row.outcome == GateOutcome::Regression;
                let rows: Vec<String> =
                    self.rows.iter().filter(worse).map(GateRow::words).collect();
                format!("{gate}: REGRESSION: {}", rows.join("; "))
            }
        }
    }
}

impl GateRow {
    /// A declared number of the side with a letter, and what the gate says of it.
    pub fn of(label: &str, row: &NumberContrast, outcome: GateOutcome) -> Self {
        Self {
            label: label.to_owned(),
            place: row.place.clone(),
            metric: row.metric,
            loss: row.ratio.map(|ratio| Loss::of(ratio, row.metric.is_rate())),
            outcome,
        }
    }

    /// The number and its loss, as in `random/job read p99 is worse by +6.1 % (+5.0 … +7.2)`.
    pub fn words(&self) -> String {
        let name = format!("{} {}", self.place, self.metric.name());
        match self.loss {
            Some(loss) => format!("{name} is worse by {}", loss.words()),
            None => name,
        }
    }
}

impl Comparison {
    /// Evaluates stored runs. A regression is shown to be worse (after the correction for the
    /// number
    /// of questions), by more than `theta` and twice the noise of the base, and by half of `theta`
    /// at least. A pass excludes a loss of `theta`. Both need an interval with the confidence that
    /// the limits require: too few runs, one of each side among them, decide nothing.
    pub fn gate(&self, theta: f64) -> GateReport {
        let mut rows = Vec::new();
        for contrast in &self.contrasts {
            let doubtful = self.is_doubtful(contrast);
            for row in contrast.rows.iter().filter(|row| row.declared) {
                let outcome = if doubtful {
                    GateOutcome::Undecided("a run is SUSPECT or INVALID".to_owned())
                } else {
                    judge(theta, contrast, row, self.limits)
                };
                rows.push(GateRow::of(&contrast.label, row, outcome));
            }
        }
        GateReport::of(theta, rows)
    }

    /// Whether a questionable run is part of the comparison.
    pub(super) fn is_doubtful(&self, contrast: &Contrast) -> bool {
        let mut sides = self.sides.iter().enumerate();
        sides.any(|(index, side)| {
            let takes_part = index == 0 || side.label == contrast.label;
            let counts = |id: &String| !contrast.left_out.contains(id);
            let mut runs = side.runs.iter();
            takes_part && runs.any(|run| run.state >= State::Suspect && counts(&run.run_id))
        })
    }
}

fn judge(theta: f64, contrast: &Contrast, row: &NumberContrast, limits: Limits) -> GateOutcome {
    if let Some(refusal) = &contrast.refusal {
        return GateOutcome::Undecided(format!("not comparable: {refusal}"));
    }
    let (Some(ratio), Some(p)) = (row.ratio, row.p_adjusted) else {
        return GateOutcome::Undecided(row.sentence.clone());
    };
    let loss = Loss::of(ratio, row.metric.is_rate());
    let design = contrast.design;
    if design == Design::OneEach || !ratio.reaches(limits.alpha) {
        let runs = row.runs_to_exclude(design, theta, limits.alpha);
        return GateOutcome::Undecided(too_few(design, row, ratio, limits.alpha, runs));
    }
    let threshold = theta.max(2.0 * row.noise.unwrap_or(0.0));
    if p < limits.alpha && loss.estimate > threshold && loss.low > theta / 2.0 {
        return GateOutcome::Regression;
    }
    if loss.high < theta {
        return GateOutcome::Pass;
    }
    let mut why = format!("{} {} by {}", row.place, row.metric.name(), loss.words());
    if row.noise.is_some_and(|noise| 2.0 * noise > theta) {
        why.push_str("; runs of the base differ by more");
    }
    // A loss near the limit takes any number of runs.
    let away = (theta - loss.estimate).abs().max(theta / 2.0);
    let runs = row.runs_to_exclude(design, away, limits.alpha);
    let have = row.base_runs.len().min(row.other_runs.len()) as u64;
    if runs > have {
        let _ = write!(why, "; about {} would be enough", of_each(design, runs));
    }
    GateOutcome::Undecided(why)
}

/// Why so few runs decide nothing, and how many would.
fn too_few(design: Design, row: &NumberContrast, ratio: Shift, alpha: f64, runs: u64) -> String {
    let would = format!("about {} would be enough", of_each(design, runs));
    if design == Design::OneEach {
        return format!(
            "undecided: one run of each side does not show the variation between runs; {would}"
        );
    }
    let [have, required] =
        [ratio.confidence, 1.0 - alpha].map(|confidence| percent(confidence * 100.0));
    let (base, other) = (row.base_runs.len(), row.other_runs.len());
    let made = match design {
        Design::Pairs => plural(base as u64, "pair"),
        _ => format!("{base} and {}", plural(other as u64, "run")),
    };
    format!(
        "undecided: the interval from {made} has a confidence of {have}, but {required} is \
         required; {would}"
    )
}

/// `8 pairs`, or `8 runs of each side`.
fn of_each(design: Design, runs: u64) -> String {
    match design {
        Design::Pairs => plural(runs, "pair"),
        _ => format!("{} of each side", plural(runs, "run")),
    }
}
