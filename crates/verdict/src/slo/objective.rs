//! One objective, as in `p99<=5ms`.

use fathom_core::units::Nanos;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What an objective limits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// The arithmetic mean.
    Mean,
    /// The share (0 to 1) of requests that must not take longer.
    Quantile(f64),
    /// The slowest request.
    Max,
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mean => f.write_str("mean"),
            Self::Max => f.write_str("max"),
            Self::Quantile(quantile) => {
                let percent = format!("{:.7}", quantile * 100.0);
                let percent = percent.trim_end_matches('0').trim_end_matches('.');
                write!(f, "p{percent}")
            }
        }
    }
}

/// A limit on response times.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Objective {
    /// What is limited.
    pub quantity: Quantity,
    /// The limit, itself allowed.
    pub limit: Nanos,
}

/// Why a text is no objective.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not an objective: {cause}")]
pub struct SloError {
    /// As the user wrote it.
    pub text: String,
    /// What is wrong with it.
    pub cause: String,
}

impl Objective {
    /// Requests of a step without which it is never shown to be kept; 0 where their number alone
    /// decides nothing.
    pub fn fewest_requests(&self) -> f64 {
        match self.quantity {
            Quantity::Quantile(quantile) => super::share::fewest_requests(1.0 - quantile),
            Quantity::Mean | Quantity::Max => 0.0,
        }
    }
}

impl FromStr for Objective {
    type Err = SloError;

    /// Reads `QUANTITY<=TIME` with a quantity of `mean`, `max` or `pNN`, as in `p99.9<=5ms`.
    fn from_str(text: &str) -> Result<Self, SloError> {
        let refuse = |cause: String| SloError {
            text: text.to_owned(),
            cause,
        };
        let Some((quantity, limit)) = text.split_once("<=").or_else(|| text.split_once('<')) else {
            return Err(refuse("expected a limit, such as `p99<=5ms`".to_owned()));
        };
        let quantity = match quantity.trim() {
            "mean" | "avg" => Quantity::Mean,
            "max" => Quantity::Max,
            word => {
                let percent = word
                    .strip_prefix('p')
                    .and_then(|number| number.parse::<f64>().ok())
                    .filter(|percent| *percent > 0.0 && *percent < 100.0);
                let Some(percent) = percent else {
                    let cause = format!(
                        "`{word}` is unknown; expected mean, max, p50, p99, p99.9 \
                                         …"
                    );
                    return Err(refuse(cause));
                };
                Quantity::Quantile(percent / 100.0)
            }
        };
        let limit: Nanos = limit
            .trim()
            .parse()
            .map_err(|error| refuse(format!("{error}")))?;
        if limit == Nanos::ZERO {
            return Err(refuse("the limit must be above 0".to_owned()));
        }
        Ok(Self { quantity, limit })
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}<={}", self.quantity, self.limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objectives_are_read_and_printed() {
        let cases = [
            ("p99<=5ms", Quantity::Quantile(0.99), 5_000_000, "p99<=5ms"),
            (
                "p99.9 < 1s",
                Quantity::Quantile(0.999),
                1_000_000_000,
                "p99.9<=1s",
            ),
            ("mean<=200us", Quantity::Mean, 200_000, "mean<=200us"),
            ("max<=1s", Quantity::Max, 1_000_000_000, "max<=1s"),
        ];
        for (text, quantity, limit, printed) in cases {
            let objective: Objective = text.parse().unwrap();
            match (objective.quantity, quantity) {
                (Quantity::Quantile(found), Quantity::Quantile(expected)) => {
                    assert!((found - expected).abs() < 1e-12);
                }
                (found, expected) => assert_eq!(found, expected),
            }
            assert_eq!(objective.limit, Nanos(limit));
            assert_eq!(objective.to_string(), printed);
        }
    }

    #[test]
    fn what_is_no_objective_is_refused_with_the_reason() {
        let cases = [
            (
                "p99",
                "`p99` is not an objective: expected a limit, such as `p99<=5ms`",
            ),
            (
                "p100<=1ms",
                "`p100<=1ms` is not an objective: `p100` is unknown; expected mean, max, p50, p99, \
                 p99.9 …",
            ),
            (
                "p99<=0",
                "`p99<=0` is not an objective: the limit must be above 0",
            ),
        ];
        for (text, message) in cases {
            let error = text.parse::<Objective>().unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }
}
