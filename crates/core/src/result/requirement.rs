//! What was required of a result, and what it showed.

use serde::{Deserialize, Serialize};

/// One requirement and its outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RequirementReport {
    /// As it was asked, as in `p99<=2ms`.
    pub text: String,
    /// The worst of all checks; undecided without any.
    pub outcome: RequirementOutcome,
    /// One for each phase, or each operation of it.
    pub checks: Vec<RequirementCheck>,
}

/// One number that a requirement is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RequirementCheck {
    /// Where it stands: the phase, with job and operation where they matter; empty for the whole
    /// run.
    pub place: String,
    /// The number: requests or bytes a second, errors, or nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The same for people.
    pub shown: String,
    /// What came of it.
    pub outcome: RequirementOutcome,
}

/// What came of a requirement; the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RequirementOutcome {
    /// The number is within the limit.
    Met,
    /// There is no such number, or too few requests for it.
    Undecided,
    /// The number is beyond the limit.
    Missed,
}

impl RequirementOutcome {
    /// Met or missed.
    pub const fn met_if(is_met: bool) -> Self {
        if is_met { Self::Met } else { Self::Missed }
    }

    /// The word for people.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Met => "met",
            Self::Undecided => "undecided",
            Self::Missed => "MISSED",
        }
    }
}

impl RequirementReport {
    /// Outcome, number by number, in a line.
    pub fn words(&self) -> String {
        format!("{}: {}", self.outcome.word(), self.found())
    }

    /// What was found, number by number.
    pub fn found(&self) -> String {
        let checks: Vec<String> = self.checks.iter().map(RequirementCheck::words).collect();
        if checks.is_empty() {
            "the run has no such metric".to_owned()
        } else {
            checks.join("; ")
        }
    }
}

impl RequirementCheck {
    /// Place and number, as in `random read 1.20 ms`.
    pub fn words(&self) -> String {
        format!("{} {}", self.place, self.shown).trim().to_owned()
    }
}
