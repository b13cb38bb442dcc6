//! Instants and lengths of time in whole nanoseconds.

use super::{UnitError, serde_as_text};

/// Nanoseconds: a length of time, or an instant on the clock of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nanos(pub u64);

const EXPECTED: &str = "a number with its unit, as in `60s`, `250ms`, `100us` or `1h30m`";

impl Nanos {
    /// No time.
    pub const ZERO: Self = Self(0);
    /// The end of time: a wait without a limit.
    pub const MAX: Self = Self(u64::MAX);

    /// Whole seconds; more than there is time is [`MAX`](Self::MAX).
    pub const fn from_secs(seconds: u64) -> Self {
        Self(seconds.saturating_mul(1_000_000_000))
    }

    /// Whole milliseconds; more than there is time is [`MAX`](Self::MAX).
    pub const fn from_millis(milliseconds: u64) -> Self {
        Self(milliseconds.saturating_mul(1_000_000))
    }

    /// Whole microseconds; more than there is time is [`MAX`](Self::MAX).
    pub const fn from_micros(microseconds: u64) -> Self {
        Self(microseconds.saturating_mul(1_000))
    }

    /// In seconds, for reports and rates.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// The later instant, stopping at the end of time.
    #[must_use]
    pub const fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// The time from `other` to `self`, zero if `other` is later.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl std::ops::Add for Nanos {
    type Output = Self;

    /// Stops at [`MAX`](Self::MAX): a deadline without a limit stays without one.
    fn add(self, other: Self) -> Self {
        self.saturating_add(other)
    }
}

impl std::ops::Sub for Nanos {
    type Output = Self;

    /// Stops at [`ZERO`](Self::ZERO), for clocks of two processors may differ by a little.
    fn sub(self, other: Self) -> Self {
        self.saturating_sub(other)
    }
}

impl std::str::FromStr for Nanos {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let malformed = || UnitError::Malformed {
            what: "duration",
            text: text.to_owned(),
            expected: EXPECTED,
        };
        if text.trim() == "0" {
            return Ok(Self::ZERO);
        }
        let days = text
            .trim()
            .strip_suffix('d')
            .and_then(|days| days.trim().parse::<f64>().ok());
        if let Some(days) = days.filter(|days| (0.0..=1e5).contains(days)) {
            return Ok(Self((days * 86_400e9).round() as u64));
        }
        let duration: jiff::SignedDuration = text.trim().parse().map_err(|_| malformed())?;
        let nanos = u128::try_from(duration.as_nanos()).map_err(|_| malformed())?;
        u64::try_from(nanos)
            .map(Self)
            .map_err(|_| UnitError::TooLarge {
                what: "duration",
                text: text.to_owned(),
            })
    }
}

impl std::fmt::Display for Nanos {
    /// Exact: the largest of s, ms, us, ns that divides the value.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (factor, name) in [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us")] {
            if self.0.is_multiple_of(factor) {
                return write!(f, "{}{name}", self.0 / factor);
            }
        }
        // A number of one unit is read with 63 bits.
        if i64::try_from(self.0).is_ok() {
            write!(f, "{}ns", self.0)
        } else {
            let second = 1_000_000_000;
            write!(f, "{}s{}ns", self.0 / second, self.0 % second)
        }
    }
}

serde_as_text!(Nanos, "a duration such as \"60s\" or \"250ms\"", |number| {
    if number == 0.0 {
        Ok(Nanos::ZERO)
    } else {
        Err(format!(
            "`{number}` is not a duration: it needs a unit, as in `\"{number}s\"`"
        ))
    }
});

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn units_are_read() {
        let cases = [
            ("0", 0),
            ("60s", 60_000_000_000),
            ("1m30s", 90_000_000_000),
            ("1h", 3_600_000_000_000),
            ("250ms", 250_000_000),
            ("100us", 100_000),
            ("7ns", 7),
            ("1.5s", 1_500_000_000),
        ];
        for (text, nanos) in cases {
            assert_eq!(text.parse(), Ok(Nanos(nanos)), "{text}");
        }
    }

    #[test]
    fn the_longest_times_can_be_read_again() {
        for time in [Nanos::MAX, Nanos(1 << 63), Nanos((1 << 63) - 1)] {
            assert_eq!(time.to_string().parse(), Ok(time), "{time}");
        }
        assert_eq!(Nanos::MAX.to_string(), "18446744073s709551615ns");
    }

    #[test]
    fn time_ends_and_does_not_begin_anew() {
        let longest = [
            Nanos::from_secs(u64::MAX / 1_000),
            Nanos::from_millis(u64::MAX / 1_000),
            Nanos::from_micros(u64::MAX / 100),
        ];
        assert_eq!(longest, [Nanos::MAX; 3]);
    }

    #[test]
    fn a_number_without_unit_is_refused() {
        for text in ["60", "-5s", "five", ""] {
            let error = text.parse::<Nanos>().expect_err(text);
            assert_eq!(
                error,
                UnitError::Malformed {
                    what: "duration",
                    text: text.into(),
                    expected: EXPECTED
                }
            );
        }
    }

    proptest! {
        #[test]
        fn what_is_printed_parses_back(value: u64) {
            prop_assert_eq!(Nanos(value).to_string().parse(), Ok(Nanos(value)));
        }

        /// As with numbers that have room enough, cut off at both ends of time.
        #[test]
        fn sums_and_differences_never_wrap(
            one in prop_oneof![any::<u64>(), Just(u64::MAX), Just(0)],
            other in prop_oneof![any::<u64>(), Just(u64::MAX), Just(0)],
        ) {
            let (sum, difference) =
                (u128::from(one) + u128::from(other), i128::from(one) - i128::from(other));
            let sum = u64::try_from(sum).unwrap_or(u64::MAX);
            let difference = u64::try_from(difference).unwrap_or(0);
            let found = (Nanos(one) + Nanos(other), Nanos(one) - Nanos(other));
            prop_assert_eq!(found, (Nanos(sum), Nanos(difference)));
        }
    }
}
