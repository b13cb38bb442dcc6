//! The end of a run as fio writes it: seconds since 1970, and words in UTC.

use fathom_core::result::RunResult;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// An instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct When {
    pub(super) seconds: u64,
    pub(super) milliseconds: u64,
}

impl When {
    /// The end of a run; 1970 when its start cannot be read.
    pub(super) fn end_of(result: &RunResult) -> Self {
        let start = result.provenance.started_at.parse::<Timestamp>();
        let start_ms = start.map_or(0, Timestamp::as_millisecond);
        let start_ms = u64::try_from(start_ms).unwrap_or(0);
        let milliseconds = start_ms + result.provenance.timings.total_ns / 1_000_000;
        Self {
            seconds: milliseconds / 1000,
            milliseconds,
        }
    }

    /// As in `Sat Nov 21 10:13:31 2026`.
    pub(super) fn words(self) -> String {
        let instant = i64::try_from(self.seconds).ok().map(Timestamp::from_second);
        let instant = instant.and_then(Result::ok).unwrap_or(Timestamp::MAX);
        let utc = instant.to_zoned(TimeZone::UTC);
        utc.strftime("%a %b %e %H:%M:%S %Y").to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_those_of_the_calendar() {
        let words = [1_795_256_011, 1_709_164_800].map(|seconds| {
            let milliseconds = seconds * 1000;
            let when = When {
                seconds,
                milliseconds,
            };
            when.words()
        });
        assert_eq!(
            words,
            ["Sat Nov 21 10:13:31 2026", "Thu Feb 29 00:00:00 2024"]
        );
    }
}
