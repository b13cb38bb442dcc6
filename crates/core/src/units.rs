//! Quantities with their units: bytes, nanoseconds, rates and percentages.
//!
//! Input is lenient in one documented way only: `K M G T` and `KiB MiB GiB TiB` are powers of
//! 1024, `KB MB GB TB` are powers of 1000. Output is exact and unambiguous, and parses back to
//! the same value.

mod bytes;
mod instant;
mod nanos;
mod percent;
mod rate;

pub use bytes::Bytes;
pub(crate) use instant::timestamp;
pub use instant::{instant, rfc3339};
pub use nanos::Nanos;
pub use percent::Percent;
pub use rate::Rate;

/// Why a quantity could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnitError {
    /// No number at the start.
    #[error("`{text}` is not a {what}: expected {expected}")]
    Malformed {
        /// What was wanted: "size", "duration", …
        what: &'static str,
        /// What was found.
        text: String,
        /// An example of a good value.
        expected: &'static str,
    },
    /// The number does not fit.
    #[error("{what} `{text}` is too large")]
    TooLarge {
        /// What was wanted.
        what: &'static str,
        /// What was found.
        text: String,
    },
}

/// The messages of Rust's number parsers, and what a user reads instead.
const PARSERS: [(&str, &str); 7] = [
    ("invalid digit found in string", "expected a whole number"),
    (
        "cannot parse integer from empty string",
        "expected a whole number",
    ),
    ("invalid float literal", "expected a number"),
    ("cannot parse float from empty string", "expected a number"),
    (
        "number too large to fit in target type",
        "the number is too large",
    ),
    (
        "number too small to fit in target type",
        "the number is too small",
    ),
    (
        "provided string was not `true` or `false`",
        "expected true or false",
    ),
];

/// A message in which Rust's parsers do not speak.
pub fn plain_message(message: &str) -> String {
    PARSERS
        .iter()
        .fold(message.to_owned(), |text, (theirs, ours)| {
            text.replace(theirs, ours)
        })
}

/// Splits `text` in its leading decimal number and the rest, both trimmed.
fn split_number(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    number.parse::<f64>().ok()?;
    Some((number, unit.trim()))
}

/// `number` times `factor`, exact when `number` is whole, rounded to the nearest otherwise.
fn scale(number: &str, factor: u64) -> Option<u64> {
    if let Ok(whole) = number.parse::<u64>() {
        return whole.checked_mul(factor);
    }
    let scaled = number.parse::<f64>().ok()? * factor as f64;
    (scaled.is_finite() && scaled < u64::MAX as f64).then_some(scaled.round() as u64)
}

/// Implements serde for a type that is written as text and also read from a plain number.
macro_rules! serde_as_text {
    ($type:ty, $what:literal, $from_number:expr) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                struct Visitor;
                impl serde::de::Visitor<'_> for Visitor {
                    type Value = $type;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str($what)
                    }

                    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<$type, E> {
                        text.parse().map_err(E::custom)
                    }

                    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<$type, E> {
                        let make: fn(f64) -> Result<$type, String> = $from_number;
                        make(number as f64).map_err(E::custom)
                    }

                    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<$type, E> {
                        let make: fn(f64) -> Result<$type, String> = $from_number;
                        make(number as f64).map_err(E::custom)
                    }

                    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<$type, E> {
                        let make: fn(f64) -> Result<$type, String> = $from_number;
                        make(number).map_err(E::custom)
                    }
                }
                d.deserialize_any(Visitor)
            }
        }
    };
}
use serde_as_text;
