//! Instants as monitors write them, for the distance between two.

use jiff::Timestamp;
use jiff::civil::DateTime;

const SECOND: i128 = 1_000_000_000;

/// Nanoseconds of an instant: `2026-11-22T13:24:54Z`, `2026-11-22 13:24:54 UTC`, `2026/11/22
/// 13:24:54`, `11/22/2026 13:24:54.123`, `11/22/2026, 1:24:54.123 PM`, `22.11.2026 13:24:54`.
///
/// Zones are read where they are an offset. Without one a text means what it says, which is
/// enough for the distance between two.
pub(super) fn instant(text: &str) -> Option<i128> {
    let text = text.trim();
    if let Ok(instant) = text.parse::<Timestamp>() {
        return Some(instant.as_nanosecond());
    }
    let mut words = text
        .split([' ', 'T', '\u{202f}', '\u{a0}'])
        .filter(|word| !word.is_empty());
    let day = words.next()?.trim_end_matches(',');
    let clock = words.next()?;
    let half = words.next();
    let (year, month, day) = date(day)?;
    let (hour, minute, second, nanos) = time(clock, half)?;
    let civil = DateTime::new(year, month, day, hour, minute, second, nanos).ok()?;
    let at = civil.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
    Some(at.timestamp().as_nanosecond())
}

/// Nanoseconds of seconds since 1970.
pub(super) fn of_seconds(seconds: f64) -> Option<i128> {
    (seconds.is_finite() && seconds.abs() < 1e12).then_some((seconds * SECOND as f64) as i128)
}

fn date(text: &str) -> Option<(i16, i8, i8)> {
    let mark = text.chars().find(|letter| "-/.".contains(*letter))?;
    let mut parts = text.split(mark);
    let (one, two, three) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    let number = |text: &str| text.parse::<i16>().ok();
    let (one_number, two_number) = (number(one)?, number(two)?);
    let small = |number: i16| i8::try_from(number).ok();
    if one.len() == 4 {
        return Some((one_number, small(two_number)?, small(number(three)?)?));
    }
    let year = number(three)?;
    let year = if year < 100 { year + 2_000 } else { year };
    // With points the day is first; with slashes the month, unless it cannot be one.
    let day_first = mark == '.' || one_number > 12;
    let (day, month) = if day_first {
        (one_number, two_number)
    } else {
        (two_number, one_number)
    };
    Some((year, small(month)?, small(day)?))
}

fn time(clock: &str, half: Option<&str>) -> Option<(i8, i8, i8, i32)> {
    let clock = clock.trim_end_matches('Z');
    let clock = clock.split(['+']).next()?;
    let mut parts = clock.split(':');
    let hour: i8 = parts.next()?.parse().ok()?;
    let minute: i8 = parts.next()?.parse().ok()?;
    let rest = parts.next().unwrap_or("0");
    if parts.next().is_some() {
        return None;
    }
    let (second, part) = rest.split_once(['.', ',']).unwrap_or((rest, ""));
    let second: i8 = second.parse().ok()?;
    let digits: String = part.chars().take(9).collect();
    let nanos = if digits.is_empty() {
        0
    } else {
        format!("{digits:0<9}").parse().ok()?
    };
    let hour = match half {
        Some("PM" | "pm") => hour % 12 + 12,
        Some("AM" | "am") => hour % 12,
        _ => hour,
    };
    Some((hour, minute, second, nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_read_in_every_form() {
        let same = [
            "2026-11-22T13:24:54Z",
            "2026-11-22T14:24:54+01:00",
            "2026-11-22 13:24:54 UTC",
            "2026-11-22 13:24:54",
            "2026/11/22 13:24:54",
            "11/22/2026 13:24:54.000",
            "11/22/2026, 1:24:54.000 PM",
            "22.11.2026 13:24:54,000",
            "22/11/2026 13:24:54",
        ];
        for text in same {
            assert_eq!(instant(text), Some(1_795_353_894 * SECOND), "{text}");
        }
        for text in [
            "",
            "Average:",
            "13:24:54",
            "2026-13-22 13:24:54",
            "1-2",
            "99.99.99 1:1",
        ] {
            assert_eq!(instant(text), None, "{text}");
        }
        assert_eq!(instant("11/22/2026 1:24 PM"), Some(1_795_353_840 * SECOND));
    }
}
