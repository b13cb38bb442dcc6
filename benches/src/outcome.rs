//! What came of a case, and the figures drawn from its rounds.

use serde_json::{Value, json};

use crate::cases::{Case, Limit, Metric, Quantity, Tool};
use crate::claim::Support;
use crate::rounds::Round;
use crate::runner::Run;
use crate::stats::{Estimate, median};

/// The case with what came of it.
#[derive(Debug)]
pub(crate) struct PairOutcome {
    pub(crate) case: &'static Case,
    /// The commands, to be repeated by hand: baseline, Fathom.
    pub(crate) commands: [String; 2],
    pub(crate) end: End,
}

/// How the case ended.
#[derive(Debug)]
pub(crate) enum End {
    Measured(Measured),
    /// It cannot be run here, and why.
    Skipped(String),
    /// Something that should have run did not.
    Failed(String),
}

/// The rounds of a case.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) rounds: Vec<Round>,
    /// Peak resident memory in bytes: baseline, Fathom. Taken where a limit asks for it.
    pub(crate) peak_memory_bytes: Option<[u64; 2]>,
    pub(crate) seed: u64,
}

impl Measured {
    pub(crate) fn ratio(&self, metric: Metric) -> Option<Estimate> {
        self.estimate(|round| Some(round.ratio(metric)))
    }

    pub(crate) fn ratio_aa(&self, metric: Metric) -> Option<Estimate> {
        self.estimate(|round| Some(round.ratio_aa(metric)))
    }

    /// The median of a figure over one side's runs; the baseline's first runs only, so that both
    /// sides have as many.
    pub(crate) fn median_of(&self, side: Side, figure: fn(&Run) -> f64) -> f64 {
        let values: Vec<f64> = self
            .rounds
            .iter()
            .map(|round| figure(side.of(round)))
            .collect();
        median(&values).unwrap_or(f64::NAN)
    }

    /// Whether the goal of the case is reached, if it has one.
    pub(crate) fn support(&self, case: &Case) -> Option<Support> {
        let goal = case.goal?;
        Some(Support::of_at_least(
            goal,
            self.ratio(case.metric),
            self.rounds.len(),
        ))
    }

    /// The quantity a limit is about; `None` if Fathom does not report it.
    pub(crate) fn quantity(&self, quantity: Quantity) -> Option<Estimate> {
        match quantity {
            Quantity::UserNs => self.estimate(|round| Some(round.fathom.user_ns_per_io())),
            Quantity::FirstIoMs => {
                self.estimate(|round| Some(round.fathom.first_io_ns? as f64 / 1e6))
            }
            Quantity::PeakMemoryMib => {
                let [_, fathom] = self.peak_memory_bytes?;
                let mib = fathom as f64 / f64::from(1 << 20);
                Some(Estimate {
                    median: mib,
                    low: mib,
                    high: mib,
                })
            }
        }
    }

    pub(crate) fn limit_support(&self, limit: Limit) -> Support {
        Support::of_at_most(
            limit.at_most,
            self.quantity(limit.quantity),
            self.rounds.len(),
        )
    }

    /// `None` unless every round has the figure.
    fn estimate(&self, figure: impl Fn(&Round) -> Option<f64>) -> Option<Estimate> {
        let values: Option<Vec<f64>> = self.rounds.iter().map(figure).collect();
        Estimate::of(&values?, self.seed)
    }
}

/// One side of a round.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Side {
    Baseline,
    Fathom,
}

impl Side {
    fn of(self, round: &Round) -> &Run {
        match self {
            Self::Baseline => &round.baseline,
            Self::Fathom => &round.fathom,
        }
    }
}

impl Quantity {
    /// As printed and as a JSON key.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::UserNs => "user_ns_per_io",
            Self::FirstIoMs => "first_io_ms",
            Self::PeakMemoryMib => "peak_memory_mib",
        }
    }
}

impl PairOutcome {
    /// All there is to know, raw runs included.
    pub(crate) fn to_json(&self) -> Value {
        let Self {
            case,
            commands: [baseline, fathom],
            end,
        } = self;
        let mut document = json!({
            "name": case.name,
            "against": case.against,
            "baseline_is_fathom": case.baseline == Tool::Fathom,
            "metric": match case.metric {
                Metric::Iops => "iops",
                Metric::WallTime => "wall_time",
            },
            "commands": {"baseline": baseline, "fathom": fathom},
        });
        let rest = match end {
            End::Skipped(why) => json!({"state": "skipped", "reason": why}),
            End::Failed(why) => json!({"state": "failed", "reason": why}),
            End::Measured(measured) => measured.to_json(case),
        };
        if let (Some(document), Value::Object(rest)) = (document.as_object_mut(), rest) {
            document.extend(rest);
        }
        document
    }
}

impl Measured {
    fn to_json(&self, case: &Case) -> Value {
        let limits: Vec<Value> = case
            .limits
            .iter()
            .map(|&limit| {
                json!({
                    "quantity": limit.quantity.name(),
                    "at_most": limit.at_most,
                    "fathom": self.quantity(limit.quantity),
                    "supported": self.limit_support(limit),
                })
            })
            .collect();
        json!({
            "state": "measured",
            "ratio": self.ratio(case.metric),
            "ratio_aa": self.ratio_aa(case.metric),
            "goal": case.goal,
            "supported": self.support(case),
            "limits": limits,
            "peak_memory_bytes": self.peak_memory_bytes.map(|[baseline, fathom]| {
                json!({"baseline": baseline, "fathom": fathom})
            }),
            "rounds": self.rounds,
        })
    }
}
