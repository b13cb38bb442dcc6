//! Numbers of charts: short in the file, a gap where there is none.

use serde::{Serialize, Serializer};

/// A number to five significant digits, more than any picture shows; not a number is a gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Number(pub(crate) f64);

/// No number.
pub(crate) const GAP: Number = Number(f64::NAN);

/// Whole numbers below this are exact.
const EXACT: f64 = 1e15;

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !self.0.is_finite() {
            return serializer.serialize_none();
        }
        let rounded = round(self.0);
        if rounded.fract() == 0.0 && rounded.abs() < EXACT {
            serializer.serialize_i64(rounded as i64)
        } else {
            serializer.serialize_f64(rounded)
        }
    }
}

impl From<Option<f64>> for Number {
    fn from(number: Option<f64>) -> Self {
        number.map_or(GAP, Self)
    }
}

/// To five significant digits; by way of text, so that the shortest decimal form stays short.
fn round(number: f64) -> f64 {
    format!("{number:.4e}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let cases = [
            (0.0, "0"),
            (67_512.4, "67512"),
            (0.123_456_789, "0.12346"),
            (1_234_567.0, "1234600"),
            (31.87, "31.87"),
            (f64::NAN, "null"),
            (f64::INFINITY, "null"),
            (-2.5, "-2.5"),
        ];
        for (number, text) in cases {
            assert_eq!(serde_json::to_string(&Number(number)).unwrap(), text);
        }
    }
}
