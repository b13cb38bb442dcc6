//! Times as typed: a number without a unit is seconds, as iostat, fio and DISKSPD have it.

use fathom_core::Nanos;

/// A length of time with its unit, or a number of seconds.
pub(super) fn seconds(text: &str) -> Result<Nanos, String> {
    let plain = text.parse::<f64>().ok();
    match plain.filter(|number| (0.0..=1e9).contains(number)) {
        Some(number) => Ok(Nanos((number * 1e9).round() as u64)),
        None => text.parse().map_err(|error| format!("{error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_alone_is_seconds() {
        let cases = [
            ("10", Ok(Nanos::from_secs(10))),
            ("0.5", Ok(Nanos::from_millis(500))),
            ("250ms", Ok(Nanos::from_millis(250))),
            ("0", Ok(Nanos::ZERO)),
            ("30d", Ok(Nanos::from_secs(2_592_000))),
        ];
        for (text, expected) in cases {
            assert_eq!(seconds(text), expected, "{text}");
        }
        for text in ["-1", "nan", "inf", "1e300", "ten", ""] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
