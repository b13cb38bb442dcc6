//! Times that run, in few characters and of steady width.

/// A length of time to the second, as `5s`, `1m05s`, `2h03m`.
pub(super) fn seconds(nanos: u64) -> String {
    let seconds = (nanos + 500_000_000) / 1_000_000_000;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match (hours, minutes) {
        (0, 0) => format!("{seconds}s"),
        (0, _) => format!("{minutes}m{:02}s", seconds % 60),
        _ => format!("{hours}h{minutes:02}m"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short() {
        let shown = |value: u64| seconds(value * 1_000_000_000);
        assert_eq!(
            [0, 59, 60, 65, 3599, 3600, 7400].map(shown),
            ["0s", "59s", "1m00s", "1m05s", "59m59s", "1h00m", "2h03m"]
        );
    }
}
