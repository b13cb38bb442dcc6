//! Instants on the calendar, as they are typed and printed.

use super::UnitError;
use jiff::Timestamp;
use jiff::civil::DateTime;

const EXPECTED: &str = "a date in UTC, as in `2026-03-01` or `2026-03-01T12:30`, or how long ago, \
                        as in `30d`, `2w` or `12h`";

/// The instant that `text` means at `now_utc_ns` (nanoseconds since 1970 in UTC), as RFC 3339 with
/// milliseconds: a date or a time in UTC, or a length of time before now. Days (`d`) have 24 hours,
/// weeks (`w`) seven days.
pub fn instant(text: &str, now_utc_ns: u64) -> Result<String, UnitError> {
    let text = text.trim();
    if let Some(ago_ns) = ago(text) {
        return Ok(rfc3339(now_utc_ns.saturating_sub(ago_ns)));
    }
    let date = text.strip_suffix('Z').unwrap_or(text);
    let date: DateTime = date.parse().map_err(|_| UnitError::Malformed {
        what: "date or a time ago",
        text: text.to_owned(),
        expected: EXPECTED,
    })?;
    Ok(date.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string())
}

/// An instant in UTC as RFC 3339, to the millisecond.
pub fn rfc3339(utc_ns: u64) -> String {
    timestamp(utc_ns)
        .strftime("%Y-%m-%dT%H:%M:%S%.3fZ")
        .to_string()
}

pub(crate) fn timestamp(utc_ns: u64) -> Timestamp {
    Timestamp::from_nanosecond(i128::from(utc_ns)).unwrap_or(Timestamp::MAX)
}

/// A length of time in nanoseconds.
fn ago(text: &str) -> Option<u64> {
    const DAY_NS: u64 = 86_400_000_000_000;
    for (unit, days) in [('d', 1), ('w', 7)] {
        if let Some(number) = text.strip_suffix(unit) {
            let number: u64 = number.trim().parse().ok()?;
            return Some(number.saturating_mul(days * DAY_NS));
        }
    }
    let length: super::Nanos = text.parse().ok()?;
    Some(length.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times_ago_are_read() {
        let now_ns = 1_795_253_400_123_456_789;
        assert_eq!(rfc3339(now_ns), "2026-11-21T09:30:00.123Z");
        let cases = [
            ("2026-03-01", "2026-03-01T00:00:00.000Z"),
            ("2026-03-01T12:30", "2026-03-01T12:30:00.000Z"),
            ("2026-03-01 12:30:05Z", "2026-03-01T12:30:05.000Z"),
            ("1h30m", "2026-11-21T08:00:00.123Z"),
            ("1d", "2026-11-20T09:30:00.123Z"),
            ("2w", "2026-11-07T09:30:00.123Z"),
            ("99999w", "1970-01-01T00:00:00.000Z"),
        ];
        for (text, expected) in cases {
            assert_eq!(instant(text, now_ns).as_deref(), Ok(expected), "{text}");
        }
        for text in ["", "yesterday", "2026-13-01", "5", "-1d", "1.5d"] {
            let error = instant(text, now_ns).expect_err(text);
            let expected = UnitError::Malformed {
                what: "date or a time ago",
                text: text.to_owned(),
                expected: EXPECTED,
            };
            assert_eq!(error, expected);
        }
    }
}
