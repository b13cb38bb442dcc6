//! Shares, as a number from 0 to 100.

use serde::{Deserialize, Serialize};

/// A share in percent, from 0 to 100.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Percent(pub f64);

impl Percent {
    /// Nothing.
    pub const ZERO: Self = Self(0.0);
    /// The whole.
    pub const ALL: Self = Self(100.0);

    /// Whether the number is a share at all.
    pub fn is_valid(self) -> bool {
        (0.0..=100.0).contains(&self.0)
    }

    /// The share as a threshold for a uniform 32-bit random number: the event happens when the
    /// number is below it. The extremes are exact: 0 never, 100 always.
    pub fn threshold(self) -> u64 {
        (self.0.clamp(0.0, 100.0) / 100.0 * 4_294_967_296.0).round() as u64
    }
}

impl std::fmt::Display for Percent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}%", self.0)
    }
}

impl std::str::FromStr for Percent {
    type Err = super::UnitError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.trim()
            .trim_end_matches('%')
            .parse()
            .ok()
            .map(Self)
            .filter(|percent| percent.is_valid())
            .ok_or_else(|| super::UnitError::Malformed {
                what: "percentage",
                text: text.to_owned(),
                expected: "a number from 0 to 100",
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_are_exact_at_the_ends() {
        assert_eq!(Percent(0.0).threshold(), 0);
        assert_eq!(Percent(50.0).threshold(), 1 << 31);
        assert_eq!(Percent(100.0).threshold(), 1 << 32);
    }
}
