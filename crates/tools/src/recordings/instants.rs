//! Instants as monitors write them, for the distance between two.

use jiff::Timestamp;
use jiff::civil::DateTime;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use std::fmt;

const SECOND: i128 = 1_000_000_000;

/// Nanoseconds of an instant: `2026-11-22T13:24:54Z`, `2026-11-22 13:24:54 UTC`, `2026/11/22
/// 13:24:54`, `11/22/2026 13:24:54.123`, `11/22/2026, 1:24:54.123 PM`, `22.11.2026 13:24:54`,
/// `22-NOV-2026 13:24:54`, `20261122 13:24:54`, `1795353894` (seconds since 1970, or
/// milliseconds).
///
/// Zones are read where they are an offset. Without one a text means what it says, which is
/// enough for the distance between two.
pub(super) fn instant(text: &str) -> Option<i128> {
    let text = text.trim();
    if let Ok(instant) = text.parse::<Timestamp>() {
        return Some(instant.as_nanosecond());
    }
    if let Some(instant) = since_1970(text) {
        return Some(instant);
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

/// Seconds from which on a number is a time: 2001. What is a thousand times more is milliseconds.
const LEAST_SECONDS: f64 = 1e9;

fn since_1970(text: &str) -> Option<i128> {
    let plain = |byte: u8| byte.is_ascii_digit() || byte == b'.';
    if text.len() < 10 || !text.bytes().all(plain) {
        return None;
    }
    let number: f64 = text.parse().ok()?;
    match number {
        small if small < LEAST_SECONDS => None,
        seconds if seconds < LEAST_SECONDS * 1e2 => of_seconds(seconds),
        milliseconds if milliseconds < LEAST_SECONDS * 1e5 => of_seconds(milliseconds / 1e3),
        _ => None,
    }
}

/// Nanoseconds of seconds since 1970.
pub(super) fn of_seconds(seconds: f64) -> Option<i128> {
    (seconds.is_finite() && seconds.abs() < 1e12).then_some((seconds * SECOND as f64) as i128)
}

/// The number of a month by the first letters of its English name.
fn month(text: &str) -> Option<i16> {
    const NAMES: &str = "janfebmaraprmayjunjulaugsepoctnovdec";
    let letters = text.get(..3)?.to_ascii_lowercase();
    let at = NAMES.find(&letters).filter(|at| at % 3 == 0)?;
    i16::try_from(at / 3 + 1).ok()
}

fn date(text: &str) -> Option<(i16, i8, i8)> {
    let number = |text: &str| text.parse::<i16>().ok();
    let small = |number: i16| i8::try_from(number).ok();
    if text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        let (year, rest) = text.split_at(4);
        return Some((
            number(year)?,
            small(number(&rest[..2])?)?,
            small(number(&rest[2..])?)?,
        ));
    }
    let mark = text.chars().find(|letter| "-/.".contains(*letter))?;
    let mut parts = text.split(mark);
    let (one, two, three) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    if let Some(month) = month(two) {
        return Some((number(three)?, small(month)?, small(number(one)?)?));
    }
    let (one_number, two_number) = (number(one)?, number(two)?);
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

/// An instant as a text, or as seconds since 1970. A wrong one is an error where it stands.
#[derive(Clone, Debug)]
pub(super) struct Stamp {
    pub(super) at: i128,
    /// As it is written; of seconds the date.
    pub(super) text: Box<str>,
}

impl Stamp {
    /// As [`super::readings::Readings::put`] takes it.
    pub(super) fn pair(&self) -> (i128, &str) {
        (self.at, &self.text)
    }

    fn of_seconds(seconds: f64) -> Option<Self> {
        let at = of_seconds(seconds)?;
        let date = Timestamp::from_nanosecond(at).ok()?;
        let text = date.to_string().into();
        Some(Self { at, text })
    }
}

impl<'de> Deserialize<'de> for Stamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl Visitor<'_> for Either {
            type Value = Stamp;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a time")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Stamp, E> {
                let at = instant(text).ok_or_else(|| E::custom(format!("`{text}` is no time")))?;
                let text = text.into();
                Ok(Stamp { at, text })
            }

            fn visit_f64<E: Error>(self, seconds: f64) -> Result<Stamp, E> {
                let found = Stamp::of_seconds(seconds);
                found.ok_or_else(|| E::custom(format!("`{seconds}` is no time")))
            }

            fn visit_u64<E: Error>(self, seconds: u64) -> Result<Stamp, E> {
                self.visit_f64(seconds as f64)
            }

            fn visit_i64<E: Error>(self, seconds: i64) -> Result<Stamp, E> {
                self.visit_f64(seconds as f64)
            }
        }
        deserializer.deserialize_any(Either)
    }
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
            "22-NOV-2026 13:24:54",
            "20261122 13:24:54",
            "1795353894",
            "1795353894000",
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
