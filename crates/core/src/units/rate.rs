//! How fast: requests or bytes a second.

use super::{Bytes, UnitError, serde_as_text, split_number};

/// A rate that a load is to keep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rate {
    /// Requests a second.
    Iops(f64),
    /// A limit of throughput.
    BytesPerSecond(f64),
}

const EXPECTED: &str = "requests or bytes a second, as in `1000 IOPS`, `5k IOPS` or `100 MB/s`";

impl Rate {
    /// The number alone, in requests or bytes a second.
    pub const fn per_second(self) -> f64 {
        match self {
            Self::Iops(rate) | Self::BytesPerSecond(rate) => rate,
        }
    }

    /// The same kind of rate, `factor` times as fast.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        match self {
            Self::Iops(rate) => Self::Iops(rate * factor),
            Self::BytesPerSecond(rate) => Self::BytesPerSecond(rate * factor),
        }
    }
}

impl std::str::FromStr for Rate {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let malformed = || UnitError::Malformed {
            what: "rate",
            text: text.to_owned(),
            expected: EXPECTED,
        };
        let (number, unit) = split_number(text).ok_or_else(malformed)?;
        let number: f64 = number.parse().map_err(|_| malformed())?;
        if let Some(bytes) = unit.strip_suffix("/s") {
            let factor = Bytes::unit_factor(bytes.trim()).ok_or_else(malformed)?;
            return Ok(Self::BytesPerSecond(number * factor as f64));
        }
        match unit.to_ascii_lowercase().as_str() {
            "" | "iops" => Ok(Self::Iops(number)),
            // `M` alone is bytes per second in other tools. Counts are decimal: "5k IOPS" is five
            // thousand.
            "k" | "kiops" | "k iops" => Ok(Self::Iops(number * 1e3)),
            "miops" | "m iops" => Ok(Self::Iops(number * 1e6)),
            _ => Err(malformed()),
        }
    }
}

impl std::fmt::Display for Rate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Iops(rate) => write!(f, "{rate} IOPS"),
            Self::BytesPerSecond(rate) => write!(f, "{rate} B/s"),
        }
    }
}

serde_as_text!(
    Rate,
    "a rate such as \"1000 IOPS\" or \"100 MB/s\"",
    |number| {
        Err(format!(
            "`{number}` is not a rate: it needs a unit, as in `\"{number} IOPS\"`"
        ))
    }
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_are_read_and_printed() {
        let cases = [
            ("1000 IOPS", Rate::Iops(1000.0), "1000 IOPS"),
            ("1000", Rate::Iops(1000.0), "1000 IOPS"),
            ("10k", Rate::Iops(10_000.0), "10000 IOPS"),
            ("1.5kIOPS", Rate::Iops(1500.0), "1500 IOPS"),
            ("100 MB/s", Rate::BytesPerSecond(1e8), "100000000 B/s"),
            ("1MiB/s", Rate::BytesPerSecond(1_048_576.0), "1048576 B/s"),
        ];
        for (text, rate, printed) in cases {
            assert_eq!(text.parse(), Ok(rate), "{text}");
            assert_eq!(rate.to_string(), printed);
            assert_eq!(printed.parse(), Ok(rate));
        }
    }

    #[test]
    fn a_unit_that_is_none_of_a_rate_is_refused() {
        for text in ["1000 X", "100 MB", "fast", "10 X/s"] {
            let error = text.parse::<Rate>().expect_err(text);
            assert_eq!(
                error,
                UnitError::Malformed {
                    what: "rate",
                    text: text.into(),
                    expected: EXPECTED
                }
            );
        }
    }
}
