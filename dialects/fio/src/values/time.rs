//! Times.
//!
//! Only `us usec ms msec s m h d` are known, in any case; fio reads every other ending as
//! microseconds, `10sec` and `1m30s` too.

use super::{Base, Read, expression};
use crate::source::Wrong;
use fathom_core::Nanos;

const MICROSECOND: u64 = 1_000;
const SECOND: u64 = 1_000_000_000;

/// Reads a time; a bare number counts in `bare` nanoseconds.
pub(crate) fn time(text: &str, bare: Nanos) -> Result<Read<Nanos>, Wrong> {
    let text = text.trim();
    let malformed = || {
        let message = format!("`{text}` is not a time");
        Wrong::new(message, "a number with us, ms, s, m, h or d, as in 60s")
    };
    let too_large = || Wrong::new(format!("`{text}` is too large"), "choose less");
    if let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        let number = expression::evaluate(inner, Base::Binary)?;
        let nanos = number.checked_mul(bare.0).ok_or_else(too_large)?;
        return Ok(Read::plain(Nanos(nanos)));
    }
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    if number.is_empty() {
        return Err(malformed());
    }
    let number: u64 = number.parse().map_err(|_| too_large())?;
    let known = match unit.to_ascii_lowercase().as_str() {
        "" => Some(bare.0),
        "us" | "usec" => Some(MICROSECOND),
        "ms" | "msec" => Some(1_000 * MICROSECOND),
        "s" => Some(SECOND),
        "m" => Some(60 * SECOND),
        "h" => Some(3_600 * SECOND),
        "d" => Some(86_400 * SECOND),
        _ => None,
    };
    let nanos = number
        .checked_mul(known.unwrap_or(MICROSECOND))
        .ok_or_else(too_large)?;
    let value = Nanos(nanos);
    let trap = known
        .is_none()
        .then(|| format!("fio does not know `{unit}` and reads {number} microseconds"));
    Ok(Read { value, trap })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_fio() {
        let cases = [
            ("1", 1_000_000_000, false),
            ("1s", 1_000_000_000, false),
            ("1S", 1_000_000_000, false),
            ("500ms", 500_000_000, false),
            ("500msec", 500_000_000, false),
            ("500000us", 500_000_000, false),
            ("500000usec", 500_000_000, false),
            ("2m", 120_000_000_000, false),
            ("1h", 3_600_000_000_000, false),
            ("1d", 86_400_000_000_000, false),
            ("1sec", 1_000, true),
            ("10min", 10_000, true),
            ("1m30s", 1_000, true),
            ("0.5", 0, true),
        ];
        for (text, nanos, is_trap) in cases {
            let read = time(text, Nanos::from_secs(1)).unwrap();
            assert_eq!(
                (read.value, read.trap.is_some()),
                (Nanos(nanos), is_trap),
                "{text}"
            );
        }
        assert_eq!(
            time("10sec", Nanos::from_secs(1)).unwrap().trap,
            Some("fio does not know `sec` and reads 10 microseconds".to_owned())
        );
        assert_eq!(
            time("7", Nanos::from_micros(1)).unwrap().value,
            Nanos(7_000)
        );
        for text in ["", "s", "-1s", "99999999999999d"] {
            assert!(time(text, Nanos::from_secs(1)).is_err(), "{text}");
        }
    }
}
