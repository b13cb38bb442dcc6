//! The end of a run as fio writes it: seconds since 1970, and words in UTC.

use fathom_core::result::RunResult;

/// An instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct When {
    pub(super) seconds: u64,
    pub(super) milliseconds: u64,
}

const DAY_S: u64 = 86_400;

impl When {
    /// The end of a run; 1970 when its begin cannot be read.
    pub(super) fn end_of(result: &RunResult) -> Self {
        let begin = milliseconds(&result.provenance.started_at).unwrap_or(0);
        let milliseconds = begin + result.provenance.timings.total_ns / 1_000_000;
        Self {
            seconds: milliseconds / 1000,
            milliseconds,
        }
    }

    /// As in `Sat Nov 21 10:13:31 2026`.
    pub(super) fn words(self) -> String {
        const WEEKDAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
        const MONTHS: [&str; 12] = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ];
        let (days, time) = (self.seconds / DAY_S, self.seconds % DAY_S);
        let (year, month, day) = date(days);
        format!(
            "{} {} {day:>2} {:02}:{:02}:{:02} {year}",
            WEEKDAYS[days as usize % 7],
            MONTHS[month as usize - 1],
            time / 3600,
            time / 60 % 60,
            time % 60
        )
    }
}

const fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400)
}

const fn days_of(year: u64, month: u64) -> u64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Year, month and day of a number of days since 1970.
fn date(mut days: u64) -> (u64, u64, u64) {
    let mut year = 1970;
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if days < length {
            break;
        }
        days -= length;
        year += 1;
    }
    let mut month = 1;
    while days >= days_of(year, month) {
        days -= days_of(year, month);
        month += 1;
    }
    (year, month, days + 1)
}

/// Milliseconds since 1970 of an instant in UTC written by RFC 3339.
pub fn milliseconds(text: &str) -> Option<u64> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let numbers = |text: &str, separator: char| -> Option<Vec<u64>> {
        let parts = text.split(separator);
        parts.map(|part| part.parse().ok()).collect()
    };
    let [year, month, day] = numbers(date, '-')?.try_into().ok()?;
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) {
        return None;
    }
    let (whole, fraction) = time.split_once('.').unwrap_or((time, ""));
    let [hour, minute, second] = numbers(whole, ':')?.try_into().ok()?;
    let years: u64 = (1970..year)
        .map(|year| if is_leap(year) { 366 } else { 365 })
        .sum();
    let months: u64 = (1..month).map(|month| days_of(year, month)).sum();
    let days = years + months + day.checked_sub(1)?;
    let seconds = days * DAY_S + hour * 3600 + minute * 60 + second;
    let digits: String = fraction.chars().chain("000".chars()).take(3).collect();
    Some(seconds * 1000 + digits.parse::<u64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_those_of_the_calendar() {
        let milliseconds = milliseconds("2026-11-21T10:13:31.715Z").expect("an instant");
        assert_eq!(milliseconds, 1_795_256_011_715);
        let when = When {
            seconds: milliseconds / 1000,
            milliseconds,
        };
        assert_eq!(when.words(), "Sat Nov 21 10:13:31 2026");
        let leap = super::milliseconds("2024-02-29T00:00:00Z");
        assert_eq!(leap, Some(1_709_164_800_000));
        assert_eq!(super::milliseconds("yesterday"), None);
    }
}
