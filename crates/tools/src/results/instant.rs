//! Instants as other programs write them.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// Nanoseconds since 1970 of `2026/06/22 22:16:45 UTC`.
pub fn of_diskspd(text: &str) -> Option<u64> {
    let text = text.trim().strip_suffix("UTC")?.trim_end();
    let time = DateTime::strptime("%Y/%m/%d %H:%M:%S", text).ok()?;
    let instant = time.to_zoned(TimeZone::UTC).ok()?.timestamp();
    u64::try_from(instant.as_nanosecond()).ok()
}

/// Nanoseconds since 1970 of `2026-06-22T22:16:45.123Z`.
pub fn of_rfc3339(text: &str) -> Option<u64> {
    let instant: Timestamp = text.parse().ok()?;
    u64::try_from(instant.as_nanosecond()).ok()
}

/// Nanoseconds since 1970 of `2026-06-22 22:16:45:123`, which has no zone and is taken for UTC.
pub fn of_iometer(text: &str) -> Option<u64> {
    let (second, fraction) = text.trim().rsplit_once(':')?;
    let time = DateTime::strptime("%Y-%m-%d %H:%M:%S", second).ok()?;
    let instant = time.to_zoned(TimeZone::UTC).ok()?.timestamp();
    let milliseconds: u64 = fraction.parse().ok().filter(|found| *found < 1000)?;
    let seconds = u64::try_from(instant.as_nanosecond()).ok()?;
    seconds.checked_add(milliseconds * 1_000_000)
}

/// Nanoseconds since 1970 of milliseconds since 1970, if they are an instant at all.
pub fn of_milliseconds(milliseconds: u64) -> Option<u64> {
    let instant = Timestamp::from_millisecond(i64::try_from(milliseconds).ok()?).ok()?;
    u64::try_from(instant.as_nanosecond()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_read_and_others_refused() {
        let expected = Some(1_782_166_605_000_000_000);
        assert_eq!(of_diskspd("2026/06/22 22:16:45 UTC"), expected);
        assert_eq!(of_milliseconds(1_782_166_605_000), expected);
        assert_eq!(of_rfc3339("2026-06-22T22:16:45Z"), expected);
        let with_fraction = expected.map(|instant| instant + 123_000_000);
        assert_eq!(of_iometer("2026-06-22 22:16:45:123"), with_fraction);
        assert_eq!(
            ["", "12:00:00:0", "2026-06-22 22:16:45:1234"].map(of_iometer),
            [None; 3]
        );
        let none = ["", "UTC", "2026/13/22 22:16:45 UTC", "2026/06/22 22:16:45"].map(of_diskspd);
        assert_eq!(none, [None; 4]);
        assert_eq!(of_milliseconds(u64::MAX), None);
    }
}
