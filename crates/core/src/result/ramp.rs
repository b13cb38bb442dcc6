//! What a ramp found: the curve of throughput against load, its saturation point, and the highest
//! rate that keeps the objectives.

use crate::figure::{iops, megabytes, size};
use crate::is_default::is_default;
use serde::{Deserialize, Serialize};

/// What a ramp varies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RampAxis {
    /// Outstanding requests of each thread, in a closed load.
    QueueDepth,
    /// Threads of each job, in a closed load.
    Threads,
    /// Bytes of each request, in a closed load.
    BlockSize,
    /// Arrivals a second, in an open load.
    Rate,
}

impl RampAxis {
    /// In words for headings.
    pub const fn word(self) -> &'static str {
        match self {
            Self::QueueDepth => "queue depth",
            Self::Threads => "threads",
            Self::BlockSize => "block size",
            Self::Rate => "rate",
        }
    }

    /// A position on it, as in `depth 8`.
    pub fn place(self, value: f64) -> String {
        match self {
            Self::QueueDepth => format!("depth {value}"),
            Self::Threads => format!("{value} threads"),
            Self::BlockSize => size(value as u64),
            Self::Rate => format!("{} IOPS offered", iops(value)),
        }
    }
}

/// What a step was run for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StepPurpose {
    /// To draw the curve.
    Curve,
    /// To find the most that a closed load can do.
    Maximum,
    /// To search the rate that keeps the objectives.
    Search,
    /// To verify the rate found.
    Verify,
}

/// One step of a ramp: one phase of the result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RampStep {
    /// Name of the phase.
    pub phase: String,
    /// Why it was run.
    pub purpose: StepPurpose,
    /// Position on the axis: queue depth, threads, bytes of a request, or offered requests a
    /// second. 0 for the closed load of a rate ramp.
    pub value: f64,
    /// Requests a second served.
    pub iops: f64,
    /// Bytes a second moved.
    pub bytes_per_second: f64,
    /// Mean number of outstanding requests.
    pub outstanding: f64,
    /// Whether requests arrived faster than they were served. Such a step has no latency: it
    /// would only say how long it was watched.
    #[serde(default, skip_serializing_if = "is_default")]
    pub overloaded: bool,
    /// Mean latency, nanoseconds: response time in an open load, service time in a closed one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_ns: Option<f64>,
    /// The 99th percentile of the same, where the sample supports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p99_ns: Option<u64>,
    /// Whether the objectives were kept (`pass`), broken (`fail`) or neither could be shown
    /// (`undecided`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objectives: Option<String>,
}

/// The law that describes the curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RampLaw {
    /// `X(N) = gamma N / (1 + alpha (N-1) + beta N (N-1))`.
    Usl {
        /// Requests a second at one.
        gamma: f64,
        /// Contention.
        alpha: f64,
        /// Coherency.
        beta: f64,
        /// Where throughput is highest, if it falls again within twice the range measured.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        peak_at: Option<f64>,
        /// Throughput there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        peak_iops: Option<f64>,
    },
    /// `X(N) = min(gamma N / (1 + alpha (N-1)), cap)`.
    Capped {
        /// Requests a second at one.
        gamma: f64,
        /// Contention below the cap.
        alpha: f64,
        /// The cap, requests a second.
        cap_iops: f64,
    },
    /// `X(bs) = min(I, T / bs)`: limits of requests and of bytes.
    Sizes {
        /// Limit of requests a second, if a size lies at it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        iops: Option<f64>,
        /// Limit of bytes a second, if a size lies at it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bytes_per_second: Option<f64>,
        /// Bytes of a request at which both limit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        corner_bytes: Option<f64>,
        /// Largest relative deviation of a step from it.
        worst_residual: f64,
    },
    /// Neither describes it.
    None {
        /// Why not.
        reason: String,
    },
}

/// The highest rate that keeps the objectives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RateAnswer {
    /// The objectives, as in `p99<=5ms`.
    pub objectives: Vec<String>,
    /// Rates found and confirmed, one for each search; empty when none was.
    pub rates: Vec<f64>,
    /// Their median.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// The lowest rate that did not keep the objectives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken_at: Option<f64>,
    /// Share of the closed load's maximum, percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share_percent: Option<f64>,
    /// Outstanding requests at the verified rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outstanding: Option<f64>,
    /// Seconds of the run that would decide, where a rate was found and the longest run had too few
    /// events to verify it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decides_s: Option<f64>,
    /// Why there is no rate.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// What a ramp found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RampReport {
    /// What was varied.
    pub axis: RampAxis,
    /// The steps in the order in which they were run.
    pub steps: Vec<RampStep>,
    /// Position in `steps` of the saturation point: the most throughput for its latency
    /// (Kleinrock's power).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub knee: Option<usize>,
    /// The law of the curve; of closed ramps only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub law: Option<RampLaw>,
    /// Fewest outstanding requests that can reach the highest throughput seen: the least mean
    /// latency times that throughput.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_outstanding: Option<f64>,
    /// The answer to the objectives, if any were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<RateAnswer>,
}

impl RampReport {
    /// The answer in one sentence: to the objectives with its one interval, as in `3,400 IOPS meet
    /// p99 ≤ 2 ms [3,328, 3,476]`; without objectives the most that a step reached, and the
    /// saturation point. None without a step.
    ///
    /// The interval reaches from the lowest rate that a longer run has verified, or a search has
    /// found, to the lowest that was not shown to meet the objectives, or the highest of a search
    /// that went beyond it.
    pub fn answer_words(&self) -> Option<String> {
        let Some(answer) = &self.answer else {
            return self.most_words();
        };
        let asked: Vec<String> = answer.objectives.iter().map(|one| spaced(one)).collect();
        let asked = asked.join(" and ");
        let Some(rate) = answer.rate else {
            let is_broken = |step: &RampStep| step.objectives.as_deref() == Some("fail");
            let begin = if self.steps.iter().any(is_broken) {
                format!("no rate is proven to meet {asked}")
            } else {
                format!("undecided: no rate is proven to meet {asked} or to miss it")
            };
            return Some(format!("{begin}: {}", answer.reason));
        };
        let found = answer.rates.iter().copied();
        let lowest = self.verified().chain(found.clone()).fold(rate, f64::min);
        let highest = found.chain(answer.broken_at).fold(rate, f64::max);
        let [low, middle, high] = [lowest, rate, highest].map(iops);
        Some(if low == high {
            format!("{middle} IOPS meet {asked}")
        } else {
            format!("{middle} IOPS meet {asked} [{low}, {high}]")
        })
    }

    /// The most that a step reached: of sizes the most requests and the most bytes, else the
    /// requests, and the saturation point.
    fn most_words(&self) -> Option<String> {
        let most = |of: fn(&RampStep) -> f64| {
            let steps = self.steps.iter();
            steps.max_by(|one, two| of(one).total_cmp(&of(two)))
        };
        let fastest = most(|step| step.iops)?;
        let rate = iops(fastest.iops);
        let at = |step: &RampStep| self.axis.place(step.value);
        if self.axis == RampAxis::BlockSize {
            let largest = most(|step| step.bytes_per_second)?;
            let bytes = megabytes(largest.bytes_per_second);
            let (one, two) = (at(fastest), at(largest));
            return Some(format!(
                "at most {rate} IOPS at {one}, {bytes} MB/s at {two}"
            ));
        }
        let knee = self.knee.and_then(|index| self.steps.get(index));
        let bend = knee.map(|knee| {
            let (place, rate) = (at(knee), iops(knee.iops));
            format!("; saturation point at {place} ({rate} IOPS)")
        });
        Some(format!("at most {rate} IOPS{}", bend.unwrap_or_default()))
    }

    /// The rates of the longer runs that met the objectives.
    pub fn verified(&self) -> impl Iterator<Item = f64> {
        let steps = self.steps.iter();
        let met = steps.filter(|step| {
            step.purpose == StepPurpose::Verify && step.objectives.as_deref() == Some("pass")
        });
        met.map(|step| step.value)
    }
}

/// An objective as people write it: `p99 ≤ 2 ms`.
fn spaced(objective: &str) -> String {
    let Some((quantity, limit)) = objective.split_once("<=") else {
        return objective.to_owned();
    };
    let unit = limit.find(|sign: char| sign.is_alphabetic());
    let (number, unit) = limit.split_at(unit.unwrap_or(limit.len()));
    format!(
        "{quantity} ≤ {} {}",
        number.trim(),
        unit.replace("us", "µs")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_objective_reads_as_people_write_it() {
        let cases = [
            ("p99<=2ms", "p99 ≤ 2 ms"),
            ("p99.9<=1.5s", "p99.9 ≤ 1.5 s"),
            ("mean<=500us", "mean ≤ 500 µs"),
        ];
        for (objective, expected) in cases {
            assert_eq!(spaced(objective), expected);
        }
    }

    fn ramp(rates: &[f64], broken_at: Option<f64>, steps: &[(StepPurpose, &str)]) -> RampReport {
        let step = |(index, (purpose, objectives)): (usize, &(StepPurpose, &str))| RampStep {
            phase: String::new(),
            purpose: *purpose,
            value: 3_300.0 + index as f64,
            iops: 0.0,
            bytes_per_second: 0.0,
            outstanding: 0.0,
            overloaded: false,
            mean_ns: None,
            p99_ns: None,
            objectives: Some((*objectives).to_owned()),
        };
        RampReport {
            axis: RampAxis::Rate,
            steps: steps.iter().enumerate().map(step).collect(),
            knee: None,
            law: None,
            least_outstanding: None,
            answer: Some(RateAnswer {
                objectives: vec!["p99<=2ms".to_owned()],
                rates: rates.to_vec(),
                rate: rates.first().copied(),
                broken_at,
                share_percent: None,
                outstanding: None,
                decides_s: None,
                reason: "the runs were too short".to_owned(),
            }),
        }
    }

    #[test]
    fn the_answer_has_one_interval() {
        use StepPurpose::{Search, Verify};
        let both = [(Verify, "pass"), (Search, "fail")];
        let undecided = [(Verify, "undecided"), (Search, "undecided")];
        let cases = [
            (
                ramp(&[3_400.0, 3_396.0], Some(3_476.0), &both),
                "3,400 IOPS meet p99 ≤ 2 ms [3,300, 3,476]",
            ),
            (ramp(&[3_400.0], None, &[]), "3,400 IOPS meet p99 ≤ 2 ms"),
            (
                ramp(&[], None, &both),
                "no rate is proven to meet p99 ≤ 2 ms: the runs were too short",
            ),
            (
                ramp(&[], None, &undecided),
                "undecided: no rate is proven to meet p99 ≤ 2 ms or to miss it: the runs were too \
                 short",
            ),
        ];
        for (ramp, expected) in cases {
            assert_eq!(ramp.answer_words().as_deref(), Some(expected));
        }
    }

    #[test]
    fn without_objectives_the_answer_is_the_curve() {
        let steps = [(StepPurpose::Curve, "undecided"); 3];
        let mut curve = RampReport {
            answer: None,
            axis: RampAxis::QueueDepth,
            ..ramp(&[], None, &steps)
        };
        assert_eq!(ramp(&[], None, &[]).most_words(), None);
        let rates = [(1.0, 9_000.0), (8.0, 39_800.0), (32.0, 40_000.0)];
        for (step, (value, iops)) in curve.steps.iter_mut().zip(rates) {
            (step.value, step.iops) = (value, iops);
            step.bytes_per_second = 1e9 - iops;
        }
        let words = |curve: &RampReport| curve.answer_words().unwrap_or_default();
        assert_eq!(words(&curve), "at most 40,000 IOPS");
        curve.knee = Some(1);
        let bent = "at most 40,000 IOPS; saturation point at depth 8 (39,800 IOPS)";
        assert_eq!(words(&curve), bent);
        curve.axis = RampAxis::BlockSize;
        let sizes = "at most 40,000 IOPS at 32 B, 1,000 MB/s at 1 B";
        assert_eq!(words(&curve), sizes);
    }
}
