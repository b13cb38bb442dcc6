//! Days on which figures were read, and between which they held.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Serialize, Serializer};

/// The day of an instant, in UTC.
pub fn day_of(utc_ns: u64) -> Date {
    let instant = Timestamp::from_nanosecond(i128::from(utc_ns)).unwrap_or(Timestamp::MAX);
    TimeZone::UTC.to_datetime(instant).date()
}

/// The day on which a figure was read, as exactly as it is known: `2023-05-11`, `2026-10`,
/// `2024-Q4`, `2017`, or words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsOf {
    text: String,
    date: Option<Date>,
}

impl AsOf {
    /// Reads it; words that are no day leave [`Self::date`] empty.
    pub fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            date: first_day(text),
        }
    }

    /// The first day of the stated time.
    pub const fn date(&self) -> Option<Date> {
        self.date
    }
}

#[cfg(feature = "schema")]
fathom_core::schema_of_text! { AsOf, "A day as exactly as it is known, as in `2026-10`."; }

impl std::fmt::Display for AsOf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.text)
    }
}

impl Serialize for AsOf {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

/// The first day of `2023-05-11`, `2026-10`, `2024-Q4` or `2017`.
pub(super) fn first_day(text: &str) -> Option<Date> {
    let mut parts = text.splitn(3, '-');
    let year: i16 = parts.next()?.parse().ok()?;
    let month: i8 = match parts.next() {
        None => 1,
        Some(quarter) if quarter.starts_with('Q') => match quarter {
            "Q1" => 1,
            "Q2" => 4,
            "Q3" => 7,
            "Q4" => 10,
            _ => return None,
        },
        Some(month) => month.parse().ok()?,
    };
    let day: i8 = match parts.next() {
        None => 1,
        Some(day) => day.parse().ok()?,
    };
    (1900..=2999).contains(&year).then_some(())?;
    Date::new(year, month, day).ok()
}

/// The days between which a row of the catalogue holds.
///
/// Rules of volume types state them; limits of instances are known from documents of certain
/// days, so theirs are the first and the last day on which they were read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Validity {
    /// First day; none for as far back as is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub from: Option<Date>,
    /// Last day; none where it still holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub to: Option<Date>,
}

impl Validity {
    /// Whether the row is known to hold on a day.
    pub fn holds(&self, at: Date) -> bool {
        self.from.is_none_or(|from| from <= at) && self.to.is_none_or(|to| at <= to)
    }

    /// Whether this row says more about a day than another one of the same name does.
    pub(super) fn is_nearer(&self, other: &Self, at: Date) -> bool {
        let begun = |row: &Self| row.from.is_none_or(|from| from <= at);
        match (begun(self), begun(other)) {
            (true, false) => true,
            (false, true) => false,
            // Of those that had begun the latest, of those that had not the first.
            (true, true) => self.from > other.from,
            (false, false) => self.from < other.from,
        }
    }
}

impl std::fmt::Display for Validity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.from, self.to) {
            (None, None) => f.pad("no days known"),
            (Some(from), None) => f.pad(&format!("since {from}")),
            (None, Some(to)) => f.pad(&format!("until {to}")),
            (Some(from), Some(to)) if from == to => f.pad(&format!("on {from}")),
            (Some(from), Some(to)) => f.pad(&format!("{from} to {to}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn a_day_ends_at_midnight_in_utc() {
        let midnight = 1_795_219_200_000_000_000;
        assert_eq!(day_of(midnight - 1), date(2026, 11, 20));
        assert_eq!(day_of(midnight), date(2026, 11, 21));
    }

    #[test]
    fn days_are_read_as_exactly_as_they_are_given() {
        let cases = [
            ("2023-05-11", Some(date(2023, 5, 11))),
            ("2026-10", Some(date(2026, 10, 1))),
            ("2024-Q4", Some(date(2024, 10, 1))),
            ("2017", Some(date(2017, 1, 1))),
            ("unknown", None),
            ("commit 05e75b14", None),
            ("2024-Q5", None),
            ("2024-13-01", None),
        ];
        for (text, expected) in cases {
            assert_eq!(AsOf::new(text).date(), expected, "{text}");
        }
    }

    #[test]
    fn the_period_that_holds_is_nearest() {
        let row = |from: Option<Date>, to: Option<Date>| Validity { from, to };
        let old = row(None, Some(date(2018, 12, 2)));
        let new = row(Some(date(2018, 12, 3)), None);
        assert!(old.is_nearer(&new, date(2018, 12, 2)));
        assert!(new.is_nearer(&old, date(2018, 12, 3)));
        let first = row(Some(date(2020, 12, 1)), Some(date(2025, 9, 25)));
        let second = row(Some(date(2025, 9, 26)), None);
        // Before both, the first is the better guess, and does not hold.
        assert!(first.is_nearer(&second, date(2018, 1, 1)));
        assert!(!first.holds(date(2018, 1, 1)));
        assert!(second.holds(date(2026, 1, 1)));
    }
}
