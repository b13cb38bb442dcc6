//! One other side against the base.

use super::comparison::CompareOptions;
use super::factor::{self, Factor, FactorRole};
use super::job_op::{JobOp, places};
use super::metric::{METRICS, Metric};
use super::mixed::{self, Mixed};
use super::sentence;
use super::sides::Sides;
use super::trust;
use super::verdict::{Limits, Verdict};
use super::within::{Known, PlaceIntervals, Unknown};
use crate::stats::{
    LOOKS, Shift, fewest_runs, least_p_of_pairs, least_p_of_sets, median, paired_shift, rank_sum,
    run_noise, welch_shift,
};
use fathom_core::caveat::State;
use fathom_core::result::RunResult;
use serde::Serialize;

/// The first look of `fathom ab`, with which pairs can show a difference and exclude one.
const FEWEST_RUNS: u64 = LOOKS[0] as u64;

/// How the runs of two sides were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Design {
    /// One run a side: only their intervals can be compared.
    OneEach,
    /// Pairs, one of each side after the other.
    Pairs,
    /// Two sets, mixed in time.
    Sets,
    /// Two sets, one made before the other.
    Blocks,
}

impl Design {
    /// The fewest runs of each side, or pairs, of which an interval has a confidence of
    /// `1 - alpha`. One run of each side has no interval over runs; it takes a set.
    pub(super) fn fewest_runs(self, alpha: f64) -> usize {
        fewest_runs(
            |runs| match self {
                Self::Pairs => least_p_of_pairs(runs),
                Self::OneEach | Self::Sets | Self::Blocks => least_p_of_sets(runs, runs),
            },
            alpha,
        )
    }
}

/// The outcome of one number.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NumberContrast {
    /// Where it stands.
    #[serde(flatten)]
    pub place: JobOp,
    /// What is compared.
    pub metric: Metric,
    /// Whether it was asked for; else it is exploratory.
    pub declared: bool,
    /// The base's value: of sets the median run, in the unit of the metric (1/s, B/s, ns).
    pub base: f64,
    /// The other's value.
    pub other: f64,
    /// The base's value in each of its runs; of pairs in their order.
    pub base_runs: Vec<f64>,
    /// The other's value in each of its runs.
    pub other_runs: Vec<f64>,
    /// Other over base with the interval of confidence `1 - alpha`; none where the runs do not
    /// tell how far they may be off.
    pub ratio: Option<Shift>,
    /// The same with confidence `1 - 2 alpha`, for equivalence.
    pub inner: Option<Shift>,
    /// p corrected for the number of declared questions (Holm); for exploratory ones as it is.
    pub p_adjusted: Option<f64>,
    /// Variation between runs of the base, as a share.
    pub noise: Option<f64>,
    /// How many more pairs, or runs of each side, would decide it: see the margin.
    pub more_runs: Option<u64>,
    /// Independent events beyond the percentile (bursts of slow requests) on each side, where they
    /// are too few; of one run each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub few_events: Option<f64>,
    /// Of one run each: by how much an error bar from independent intervals would be too small,
    /// where that is worth saying.
    pub correlation_factor: Option<f64>,
    /// The answer.
    pub verdict: Verdict,
    /// The verdict as a sentence.
    pub sentence: String,
}

/// One side against the base.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Contrast {
    /// Letter of the other side.
    pub label: String,
    /// How far the comparison may be trusted.
    pub state: State,
    /// How the runs were made.
    pub design: Design,
    /// Ids of runs, of pairs both, that are not compared because a number is not to be relied on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// Why there is no comparison, as a sentence.
    pub refusal: Option<String>,
    /// Whether it was forced though it should not be made.
    pub forced: bool,
    /// What differs apart from the result.
    pub factors: Vec<Factor>,
    /// Places that only one side has.
    pub unmatched: Vec<String>,
    /// The numbers.
    pub rows: Vec<NumberContrast>,
    /// What reads and what writes did to mixed closed loads, by the medians of each side.
    pub mixed: Vec<Mixed>,
    /// What to know about the comparison.
    pub remarks: Vec<String>,
}

/// Sets the sides against each other. Verdicts are passed later, when all questions are known.
pub(super) fn of(label: String, sides: &Sides<'_>, options: &CompareOptions) -> Contrast {
    let factors = factors(sides, options);
    let blocking = || {
        factors
            .iter()
            .filter(|factor| factor.role == FactorRole::Blocks)
    };
    let refused = blocking().next().is_some() || doubtful(sides);
    let (base, other) = (sides.base[0], sides.other[0]);
    let [here, there] = [base, other].map(places);
    let (both, only_here): (Vec<_>, Vec<_>) =
        here.into_iter().partition(|place| there.contains(place));
    let only_there = there.into_iter().filter(|place| !both.contains(place));
    let unmatched = only_here.iter().map(|place| format!("{place}: only in A"));
    let unmatched = unmatched
        .chain(only_there.map(|place| format!("{place}: only in {label}")))
        .collect();
    let is_made = !refused || options.force;
    let left_out = sides.left_out.iter().flatten();
    let left_out: Vec<String> = left_out.map(|run| run.run_id.clone()).collect();
    let least = if left_out.is_empty() {
        State::Valid
    } else {
        State::Qualified
    };
    let states = sides.all().map(|run| run.state);
    let state = states.fold(least, State::max);
    let doubt = sides.design == Design::OneEach || refused;
    let mut contrast = Contrast {
        refusal: (!is_made).then(|| sentence::refusal(&label, sides, &factors)),
        label,
        state: if doubt {
            state.max(State::Suspect)
        } else {
            state
        },
        design: sides.design,
        left_out,
        forced: refused && options.force,
        unmatched,
        rows: Vec::new(),
        mixed: Vec::new(),
        remarks: Vec::new(),
        factors,
    };
    // A refusal is a label on the numbers, not a reason to keep them back.
    for place in &both {
        rows(&mut contrast.rows, sides, place, options);
    }
    if is_made {
        contrast.mixed = mixed::of(&sides.base, &sides.other, &both);
    }
    contrast.remarks = sentence::remarks(&contrast, sides);
    contrast
}

/// Whether a result may not be compared with anything.
pub(super) fn doubtful(sides: &Sides<'_>) -> bool {
    sides.all().any(trust::is_doubtful)
}

/// The differences between the first runs of the sides, and between the runs of each side.
fn factors(sides: &Sides<'_>, options: &CompareOptions) -> Vec<Factor> {
    let base = sides.base[0];
    let mut factors: Vec<Factor> = Vec::new();
    let within = sides.base[1..].iter().map(|run| (base, *run));
    let across = sides.other.iter().map(|run| (base, *run));
    factors.extend(trust::state(sides));
    for (one, two) in across.chain(within) {
        let found = factor::differences(one, two).into_iter();
        // What is doubted of some runs is no difference of the sides yet.
        for factor in found.filter(|factor| factor.name != "state") {
            let known = |other: &Factor| other.name == factor.name && other.place == factor.place;
            if !factors.iter().any(known) {
                factors.push(factor);
            }
        }
    }
    for factor in &mut factors {
        if options.expected.iter().any(|name| name == factor.name) {
            factor.role = FactorRole::Expected;
        }
    }
    follow_generator(&mut factors, sides);
    if options.expect_one {
        expect_one(&mut factors);
    }
    factors
}

/// Where the engine or the target is all that differs, how well the generator keeps up with it is a
/// part of what is under test: it qualifies the comparison, and does not forbid it.
fn follow_generator(factors: &mut [Factor], sides: &Sides<'_>) {
    let only = |names: &[&str]| {
        let mut others = factors.iter().filter(|factor| factor.name != "state");
        factors.iter().any(|factor| names.contains(&factor.name))
            && others.all(|one| names.contains(&one.name) || one.role == FactorRole::Noted)
    };
    if (only(&[ENGINE]) || only(&PLACE)) && trust::follows_generator(sides) {
        for factor in factors.iter_mut().filter(|factor| factor.name == "state") {
            factor.role = FactorRole::Noted;
        }
    }
}

/// The factor of another engine.
pub(super) const ENGINE: &str = "engine";
/// Factors that come with another target.
const PLACE: [&str; 3] = ["device", "target", "target-size"];
/// Factors that are never what is under test.
const TRUST: [&str; 2] = ["end", "origin"];

/// If all that forbids the comparison, apart from the states of runs, is one factor, and it is none
/// of trust, it is the thing under test. Another target brings its device and its size with it:
/// together they are one.
fn expect_one(factors: &mut [Factor]) {
    let blocks = |factor: &&Factor| factor.role == FactorRole::Blocks && factor.name != "state";
    let mut names: Vec<&str> = factors
        .iter()
        .filter(blocks)
        .map(|factor| factor.name)
        .collect();
    names.dedup();
    let is_place = names.iter().all(|name| PLACE.contains(name));
    if is_place || (names.len() == 1 && !TRUST.contains(&names[0])) {
        for factor in factors
            .iter_mut()
            .filter(|factor| names.contains(&factor.name))
        {
            factor.role = FactorRole::Expected;
        }
    }
}

/// The metrics that are asked of a place: those declared, or the one that the load leaves open.
fn declared(place: &JobOp, run: &RunResult, options: &CompareOptions) -> Vec<Metric> {
    match &options.metrics[..] {
        [] if place.is_open(run) => vec![Metric::Percentile("99", 0.99)],
        [] => vec![Metric::Iops],
        metrics => metrics.to_vec(),
    }
}

fn rows(
    rows: &mut Vec<NumberContrast>,
    sides: &Sides<'_>,
    place: &JobOp,
    options: &CompareOptions,
) {
    let declared = declared(place, sides.base[0], options);
    let courses = (sides.design == Design::OneEach)
        .then(|| [sides.base[0], sides.other[0]].map(|run| PlaceIntervals::of(run, place, true)));
    for (_, metric) in METRICS {
        let is_declared = declared.contains(&metric);
        // Bytes follow requests unless somebody thinks otherwise.
        if metric == Metric::Throughput && !is_declared {
            continue;
        }
        let Some(mut row) = row(sides, place, metric, is_declared) else {
            continue;
        };
        let known = courses
            .as_ref()
            .map(|[one, two]| (one.known(metric), two.known(metric)));
        match known {
            Some((Ok(one), Ok(two))) => one_each(&mut row, one, two, options.limits),
            Some((one, two)) => cannot_tell(&mut row, &[one, two]),
            None => between_runs(&mut row, sides, options.limits),
        }
        rows.push(row);
    }
}

/// A row without its comparison; `None` where a run has no such number.
fn row(sides: &Sides<'_>, place: &JobOp, metric: Metric, declared: bool) -> Option<NumberContrast> {
    let [base, other] = [&sides.base, &sides.other].map(|runs| values(runs, place, metric));
    let (base, other) = (base?, other?);
    Some(NumberContrast {
        place: place.clone(),
        metric,
        declared,
        base: median(&base),
        other: median(&other),
        base_runs: base,
        other_runs: other,
        ratio: None,
        inner: None,
        p_adjusted: None,
        noise: None,
        more_runs: None,
        few_events: None,
        correlation_factor: None,
        verdict: Verdict::Inconclusive,
        sentence: String::new(),
    })
}

/// The values of all runs; `None` unless each has one.
fn values(runs: &[&RunResult], place: &JobOp, metric: Metric) -> Option<Vec<f64>> {
    runs.iter()
        .map(|run| {
            let (ops, seconds) = place.ops(run);
            metric.of(&ops, seconds)
        })
        .collect()
}

fn one_each(row: &mut NumberContrast, one: Known, two: Known, limits: Limits) {
    let shift = |alpha| welch_shift(one.located, two.located, alpha).exp();
    row.ratio = Some(shift(limits.alpha));
    row.inner = Some(shift(2.0 * limits.alpha));
    let factors = [one.correlation_factor, two.correlation_factor];
    row.correlation_factor = factors.into_iter().flatten().reduce(f64::max);
    // Runs of one kind differ by no less than one run knows of itself.
    let known = [one, two].map(|one| one.located.error);
    let variation = known[0].max(known[1]);
    let needed = crate::stats::runs_needed(variation, limits.margin);
    row.more_runs = Some(needed.max(FEWEST_RUNS));
}

/// A number of which a run knows too little.
fn cannot_tell(row: &mut NumberContrast, known: &[Result<Known, Unknown>]) {
    let events = known.iter().filter_map(|known| match known {
        Err(Unknown::Events(events)) => Some(*events),
        _ => None,
    });
    row.few_events = events.reduce(f64::min);
    row.more_runs = Some(FEWEST_RUNS);
}

fn between_runs(row: &mut NumberContrast, sides: &Sides<'_>, limits: Limits) {
    let (base, other) = (logs(&row.base_runs), logs(&row.other_runs));
    let pairs = sides.design == Design::Pairs;
    let differences: Vec<f64> = other.iter().zip(&base).map(|(b, a)| b - a).collect();
    let shift = |alpha| {
        let found = if pairs {
            paired_shift(&differences, alpha)
        } else {
            rank_sum(&base, &other, alpha).map(|found| found.shift)
        };
        found.map(Shift::exp)
    };
    row.ratio = shift(limits.alpha);
    row.inner = shift(2.0 * limits.alpha);
    row.noise = run_noise(&base);
    let needed = crate::stats::runs_needed(row.variation(sides.design), limits.margin);
    row.more_runs = Some(
        needed
            .saturating_sub(base.len().min(other.len()) as u64)
            .max(1),
    );
}

impl NumberContrast {
    /// Counts in that so few runs cannot show anything, however far they are off: corrected for
    /// `questions`, their p has to fall below `alpha`.
    pub(super) fn allow_for_few_runs(&mut self, design: Design, questions: usize, alpha: f64) {
        let asked = if self.declared { questions } else { 1 };
        let fewest = design.fewest_runs(alpha / asked as f64);
        let have = self.base_runs.len().min(self.other_runs.len());
        let more = self.more_runs.unwrap_or(0);
        self.more_runs = Some(more.max(fewest.saturating_sub(have) as u64));
    }

    /// How much runs of one side differ, as a coefficient of variation; 0 where no side has two.
    fn variation(&self, design: Design) -> f64 {
        let [base, other] = [&self.base_runs, &self.other_runs].map(|runs| logs(runs));
        if design == Design::Pairs {
            let differences: Vec<f64> = other.iter().zip(&base).map(|(b, a)| b - a).collect();
            deviation(&differences) / std::f64::consts::SQRT_2
        } else {
            deviation(&base).max(deviation(&other))
        }
    }

    /// How many runs of each side, or pairs, would exclude a loss that is the share `away` larger
    /// than the one seen: enough for an interval of `1 - alpha`, and for its width where runs
    /// differ as these do. One run of each side does not show how runs differ.
    pub(super) fn runs_to_exclude(&self, design: Design, away: f64, alpha: f64) -> u64 {
        let fewest = design.fewest_runs(alpha) as u64;
        if design == Design::OneEach {
            return fewest.max(FEWEST_RUNS);
        }
        fewest.max(crate::stats::runs_needed(self.variation(design), away))
    }
}

fn logs(values: &[f64]) -> Vec<f64> {
    values.iter().map(|value| value.ln()).collect()
}

fn deviation(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / (n - 1.0).max(1.0)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::{CompareOptions, compare};
    use super::FactorRole::{Blocks, Expected, Noted};
    use super::*;
    use crate::checks::Code;
    use fathom_core::caveat::Level;
    use fathom_core::fixture;

    /// What differs, and whether that is refused.
    type FactorRoles = (Vec<(&'static str, FactorRole)>, bool);

    fn qualified(code: Code) -> impl Fn(&mut RunResult) {
        move |run: &mut RunResult| {
            run.state = State::Qualified;
            let caveat = code.caveat(Level::Qualified, "something is so");
            run.caveats.push(caveat);
        }
    }

    /// What differs between a run and another that was changed, and whether that is refused.
    fn differences(
        changes: &[&dyn Fn(&mut RunResult)],
        expected: &[&str],
        expect_one: bool,
    ) -> FactorRoles {
        let base = fixture::random_read();
        let mut other = base.clone();
        for change in changes {
            change(&mut other);
        }
        let options = CompareOptions {
            expected: expected.iter().map(|name| (*name).to_owned()).collect(),
            expect_one,
            ..CompareOptions::default()
        };
        let sides = [("a".to_owned(), vec![base]), ("b".to_owned(), vec![other])];
        let mut comparison = compare(&sides, &options);
        let contrast = comparison.contrasts.remove(0);
        let factors = contrast.factors.iter();
        let roles = factors.map(|factor| (factor.name, factor.role)).collect();
        (roles, contrast.refusal.is_some())
    }

    #[test]
    fn what_follows_from_the_engine_under_test_qualifies() {
        let engine = |run: &mut RunResult| run.provenance.engine.name = "psync".to_owned();
        let host = |run: &mut RunResult| run.provenance.host.hostname = "other".to_owned();
        let gaps = qualified(Code::SubmissionGaps);
        let cached = qualified(Code::CacheReads);
        let target = |run: &mut RunResult| run.provenance.targets[0].size_bytes *= 2;
        let cases: [(FactorRoles, FactorRoles); 7] = [
            (
                differences(&[&engine, &gaps], &["engine"], false),
                (vec![("state", Noted), ("engine", Expected)], false),
            ),
            (
                differences(&[&engine, &gaps], &[], true),
                (vec![("state", Noted), ("engine", Expected)], false),
            ),
            (
                differences(&[&engine, &gaps, &cached], &["engine"], false),
                (vec![("state", Blocks), ("engine", Expected)], true),
            ),
            (
                differences(&[&gaps], &[], true),
                (vec![("state", Blocks)], true),
            ),
            (
                differences(&[&target, &gaps], &[], true),
                (vec![("state", Noted), ("target-size", Expected)], false),
            ),
            (
                differences(&[&target, &cached], &[], true),
                (vec![("state", Blocks), ("target-size", Expected)], true),
            ),
            (
                differences(&[&engine, &host, &gaps], &["engine", "host"], false),
                (
                    vec![("state", Blocks), ("engine", Expected), ("host", Expected)],
                    true,
                ),
            ),
        ];
        for (found, expected) in cases {
            assert_eq!(found, expected);
        }
    }
}
