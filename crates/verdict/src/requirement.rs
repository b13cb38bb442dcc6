//! What a result has to show, as in `p99<=2ms` or `quick-random:read.iops>=30000`.
//!
//! ```text
//! REQUIREMENT = STATE | [PHASE[/JOB]:] [OP.] QUANTITY COMPARISON VALUE
//! STATE       = valid | qualified | suspect           the worst that it may be
//! OP          = read | write | trim | flush
//! QUANTITY    = iops | throughput | errors | mean | max | p50 | p90 | p95 | p99 | p99.9 …
//! COMPARISON  = <= | < | >= | >
//! VALUE       = a number, with k or M; bytes a second (100MB/s) of throughput; a time (2ms)
//! ```
//!
//! It is asked of each phase, and of each repeat: rates and errors are sums over the phase's jobs
//! and, without OP, over its operations but flushes; times are those of every operation.

use fathom_core::caveat::State;
use fathom_core::figure;
use fathom_core::op::Op;
use fathom_core::result::metric::{METRICS, Metric, MetricSource, Number, Unit};
use fathom_core::result::{
    JobResult, OpResult, PhaseResult, RequirementCheck, RequirementOutcome, RequirementReport,
    RunResult,
};
use fathom_core::units::{Nanos, Rate};
use std::cmp::Ordering;
use std::str::FromStr;

/// One requirement.
#[derive(Clone, Debug, PartialEq)]
pub struct Requirement {
    text: String,
    asked: RequestedValue,
}

#[derive(Clone, Debug, PartialEq)]
enum RequestedValue {
    State(State),
    Number(Limit),
}

/// A limit on a number.
#[derive(Clone, Debug, PartialEq)]
struct Limit {
    phase: Option<String>,
    job: Option<String>,
    op: Option<Op>,
    measure: Measure,
    is_least: bool,
    allows_itself: bool,
    value: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Measure {
    /// Requests of a job that failed, were short or held wrong data.
    Errors,
    Of(&'static Metric),
}

/// Why a text is no requirement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a valid requirement: {cause}")]
pub struct RequirementError {
    /// As the user wrote it.
    pub text: String,
    /// What is wrong with it.
    pub cause: String,
}

/// The comparisons, longer ones first: whether it is a least value, whether that is allowed.
const COMPARISONS: [(&str, bool, bool); 6] = [
    ("<=", false, true),
    (">=", true, true),
    ("≤", false, true),
    ("≥", true, true),
    ("<", false, false),
    (">", true, false),
];
const STATES: [State; 3] = [State::Valid, State::Qualified, State::Suspect];
const EXPECTED: &str = "expected a state (valid, qualified, suspect) or a limit, such as \
                        `p99<=2ms` or `iops>=30000`";

impl Requirement {
    /// The worst state that is allowed, where one is asked for.
    pub const fn state(&self) -> Option<State> {
        match self.asked {
            RequestedValue::State(state) => Some(state),
            RequestedValue::Number(_) => None,
        }
    }

    /// The name of the phase that it is about, if it names one.
    pub fn phase(&self) -> Option<&str> {
        match &self.asked {
            RequestedValue::State(_) => None,
            RequestedValue::Number(limit) => limit.phase.as_deref(),
        }
    }

    /// The same limit on a rate, for a number of things that each need it.
    #[must_use]
    pub fn times(mut self, factor: f64) -> Self {
        if let RequestedValue::Number(limit) = &mut self.asked {
            limit.value *= factor;
            let signs = COMPARISONS.map(|(sign, ..)| sign);
            let sign = signs.into_iter().find(|sign| self.text.contains(sign));
            let left = sign.and_then(|sign| Some((self.text.split_once(sign)?.0, sign)));
            if let (Some((left, sign)), Measure::Of(metric)) = (left, limit.measure) {
                self.text = format!("{left}{sign}{}", metric.unit.figure(limit.value));
            }
        }
        self
    }

    /// What a result shows of it.
    pub fn of(&self, result: &RunResult) -> RequirementReport {
        let checks = match &self.asked {
            RequestedValue::State(worst) => vec![RequirementCheck {
                place: String::new(),
                value: None,
                shown: result.state.word().to_owned(),
                outcome: RequirementOutcome::met_if(result.state <= *worst),
            }],
            RequestedValue::Number(limit) => limit.checks(result),
        };
        let outcomes = checks.iter().map(|check| check.outcome);
        RequirementReport {
            text: self.text.clone(),
            outcome: outcomes.max().unwrap_or(RequirementOutcome::Undecided),
            checks,
        }
    }
}

impl Limit {
    fn checks(&self, result: &RunResult) -> Vec<RequirementCheck> {
        let phases = result.phases.iter();
        let phases =
            phases.filter(|phase| self.phase.as_ref().is_none_or(|name| *name == phase.name));
        phases.flat_map(|phase| self.of_phase(phase)).collect()
    }

    fn of_phase(&self, phase: &PhaseResult) -> Vec<RequirementCheck> {
        let jobs = || {
            let jobs = phase.jobs.iter();
            jobs.filter(|job| self.job.as_ref().is_none_or(|name| *name == job.name))
        };
        let place = match phase.repeat {
            0 | 1 => phase.name.clone(),
            repeat => format!("{} (repeat {repeat})", phase.name),
        };
        let value = |metric: &Metric, job: &JobResult, op: &OpResult| {
            let number = metric.of(&MetricSource { phase, job, op });
            number.map(Number::real)
        };
        match self.measure {
            Measure::Errors => {
                let failed = |job: &JobResult| {
                    let wrong = job.verified.as_ref().map_or(0, |found| found.wrong);
                    job.failed + job.short() + wrong
                };
                let failed: u64 = jobs().map(failed).sum();
                vec![self.check(place, Some(failed as f64))]
            }
            Measure::Of(metric) if metric.unit == Unit::Nanos => jobs()
                .flat_map(|job| self.ops(job, true).map(move |(op, found)| (job, op, found)))
                .map(|(job, op, found)| {
                    let job_name = if job.name == phase.name {
                        ""
                    } else {
                        &job.name
                    };
                    let slash = if job_name.is_empty() { "" } else { "/" };
                    let place = format!("{place}{slash}{job_name} {}", op.name());
                    self.check(place, value(metric, job, found))
                })
                .collect(),
            Measure::Of(metric) => {
                let found: Vec<f64> = jobs()
                    .flat_map(|job| self.ops(job, false).map(move |(_, op)| (job, op)))
                    .filter_map(|(job, op)| value(metric, job, op))
                    .collect();
                // A job without anything to say makes no rate; a phase without jobs none either.
                let sum = (!found.is_empty()).then(|| found.iter().sum());
                let check = sum.map(|sum| self.check(place, Some(sum)));
                check.into_iter().collect()
            }
        }
    }

    /// The selected operations.
    fn ops<'a>(
        &'a self,
        job: &'a JobResult,
        with_flushes: bool,
    ) -> impl Iterator<Item = (Op, &'a OpResult)> {
        job.ops.present().filter(move |(op, found)| match self.op {
            Some(wanted) => *op == wanted,
            None => (with_flushes || *op != Op::Flush) && found.ios > 0,
        })
    }

    fn check(&self, place: String, value: Option<f64>) -> RequirementCheck {
        let is_met = |value: f64| match value.partial_cmp(&self.value) {
            Some(Ordering::Equal) => self.allows_itself,
            Some(Ordering::Greater) => self.is_least,
            Some(Ordering::Less) => !self.is_least,
            None => false,
        };
        RequirementCheck {
            place,
            value,
            shown: value.map_or_else(
                || "too few requests to decide".to_owned(),
                |value| self.measure.shown(value),
            ),
            outcome: value.map_or(RequirementOutcome::Undecided, |value| {
                RequirementOutcome::met_if(is_met(value))
            }),
        }
    }
}

impl Measure {
    fn shown(self, value: f64) -> String {
        match self {
            Self::Errors => figure::plural(value as u64, "error"),
            Self::Of(metric) => metric.unit.figure(value),
        }
    }

    fn of(word: &str) -> Result<Self, String> {
        if word == "errors" {
            return Ok(Self::Errors);
        }
        Metric::named(word).map(Self::Of).ok_or_else(|| {
            let words = METRICS.iter().map(|metric| &*metric.word);
            let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
            format!("`{word}` is unknown; expected errors, {}", words.join(", "))
        })
    }

    fn value(self, text: &str) -> Result<f64, String> {
        let words = |error: fathom_core::units::UnitError| error.to_string();
        match self {
            Self::Of(metric) if metric.unit == Unit::Nanos => {
                let time: Nanos = text.parse().map_err(words)?;
                Ok(time.0 as f64)
            }
            Self::Of(metric) if metric.unit == Unit::BytesPerSecond => {
                match text.parse::<Rate>().map_err(words)? {
                    Rate::BytesPerSecond(rate) => Ok(rate),
                    Rate::Iops(_) => Err(format!(
                        "`{text}` is not a throughput; expected a value \
                                         such as 100MB/s"
                    )),
                }
            }
            Self::Of(_) | Self::Errors => number(text).ok_or_else(|| {
                format!(
                    "`{text}` is not a number; expected a value \
                                         such as 30000 or 30k"
                )
            }),
        }
    }
}

/// A number with a decimal prefix, or with the word IOPS behind it.
fn number(text: &str) -> Option<f64> {
    let text = text.to_ascii_lowercase();
    let text = text.strip_suffix("iops").unwrap_or(&text).trim();
    let (digits, factor) = match text.strip_suffix('k') {
        Some(digits) => (digits, 1e3),
        None => text
            .strip_suffix('m')
            .map_or((text, 1.0), |digits| (digits, 1e6)),
    };
    let number: f64 = digits.trim().parse().ok()?;
    (number.is_finite() && number >= 0.0).then_some(number * factor)
}

impl FromStr for Requirement {
    type Err = RequirementError;

    fn from_str(text: &str) -> Result<Self, RequirementError> {
        let refuse = |cause: String| RequirementError {
            text: text.to_owned(),
            cause,
        };
        let mut states = STATES.into_iter();
        if let Some(state) = states.find(|state| state.word().eq_ignore_ascii_case(text.trim())) {
            return Ok(Self {
                text: text.trim().to_ascii_lowercase(),
                asked: RequestedValue::State(state),
            });
        }
        let split = |(sign, is_least, allows): (&str, bool, bool)| {
            let (left, right) = text.split_once(sign)?;
            Some((left, right, is_least, allows))
        };
        let (left, right, is_least, allows_itself) = COMPARISONS
            .into_iter()
            .find_map(split)
            .ok_or_else(|| refuse(EXPECTED.to_owned()))?;
        let (place, left) = match left.rsplit_once(':') {
            Some((place, rest)) => (Some(place.trim()), rest.trim()),
            None => (None, left.trim()),
        };
        let (phase, job) = match place.map(|place| place.split_once('/').unwrap_or((place, ""))) {
            Some((phase, job)) => (Some(phase), Some(job).filter(|job| !job.is_empty())),
            None => (None, None),
        };
        let op = Op::ALL
            .into_iter()
            .find_map(|op| Some((op, left.strip_prefix(op.name())?.strip_prefix('.')?)));
        let (op, word) = op.map_or((None, left), |(op, word)| (Some(op), word));
        let measure = Measure::of(word).map_err(refuse)?;
        let value = measure.value(right.trim()).map_err(refuse)?;
        Ok(Self {
            text: text.trim().to_owned(),
            asked: RequestedValue::Number(Limit {
                phase: phase.map(str::to_owned),
                job: job.map(str::to_owned),
                op,
                measure,
                is_least,
                allows_itself,
                value,
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::fixture;

    fn told(text: &str) -> (RequirementOutcome, Vec<String>) {
        let requirement: Requirement = text.parse().expect("a requirement");
        let report = requirement.of(&fixture::random_read());
        let checks = report.checks.iter();
        let words = checks.map(|check| format!("{}: {}", check.place, check.shown));
        (report.outcome, words.collect())
    }

    #[test]
    fn a_requirement_is_met_missed_or_undecided() {
        use RequirementOutcome::{Met, Missed, Undecided};
        let run = fixture::random_read();
        let phase = &run.phases[0];
        let op = phase.jobs[0].ops.get(Op::Read).expect("it reads");
        let iops = format!("{}: {} IOPS", phase.name, figure::iops(op.iops));
        let below = format!("iops>={}", op.iops + 1.0);
        let cases = [
            ("iops>=1k".to_owned(), Met, vec![iops.clone()]),
            (below, Missed, vec![iops.clone()]),
            (format!("{}:read.iops>1", phase.name), Met, vec![iops]),
            ("nowhere:iops>1".to_owned(), Undecided, vec![]),
            ("write.iops>1".to_owned(), Undecided, vec![]),
            (
                "errors<=0".to_owned(),
                Met,
                vec![format!("{}: 0 errors", phase.name)],
            ),
            ("valid".to_owned(), Met, vec![": VALID".to_owned()]),
        ];
        for (text, outcome, words) in cases {
            assert_eq!(told(&text), (outcome, words), "{text}");
        }
        assert_eq!(told("p99<=1h").0, Met);
        assert_eq!(told("p99<1ns").0, Missed);
        assert_eq!(told("p99.9999<=1h").0, Undecided);
    }

    #[test]
    fn what_is_no_requirement_is_refused_with_the_reason() {
        let cases = [
            ("fast", EXPECTED.to_owned()),
            (
                "speed>=3",
                "`speed` is unknown; expected errors, iops, throughput, mean, max, p25, p50, p75, \
                 p90, p95, p99, p99.9, p99.99, p99.999, p99.9999, lag_p99"
                    .to_owned(),
            ),
            (
                "throughput>=3k IOPS",
                "`3k IOPS` is not a throughput; expected a value such as 100MB/s".to_owned(),
            ),
            (
                "iops>=-1",
                "`-1` is not a number; expected a value such as 30000 or 30k".to_owned(),
            ),
        ];
        for (text, cause) in cases {
            let error = text.parse::<Requirement>().expect_err("refused");
            assert_eq!(error.cause, cause, "{text}");
        }
    }
}
