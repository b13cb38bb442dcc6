//! Amounts in as many digits as are wanted, four by default, and a unit: the smallest in which the
//! whole part has no more of them.

use crate::fio::settings::DIGITS;

const THOUSANDS: [&str; 6] = ["", "k", "M", "G", "T", "P"];
const BINARY: [&str; 6] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
const DECIMAL: [&str; 6] = ["B", "kB", "MB", "GB", "TB", "PB"];

/// Digits of amounts: fio's `significant_figures`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Amounts {
    pub(super) digits: u32,
}

impl Default for Amounts {
    fn default() -> Self {
        Self { digits: DIGITS }
    }
}

impl Amounts {
    /// Those of the ends of latencies, whatever is wanted of others.
    pub(super) const LATENCIES: Self = Self { digits: 6 };

    /// A count, as in `30.5k`.
    pub(super) fn count(self, number: f64) -> String {
        self.scaled(number, 1000, &THOUSANDS)
    }

    /// Bytes in powers of 1024.
    pub(super) fn binary(self, bytes: f64) -> String {
        self.scaled(bytes, 1024, &BINARY)
    }

    /// Bytes in powers of 1000.
    pub(super) fn decimal(self, bytes: f64) -> String {
        self.scaled(bytes, 1000, &DECIMAL)
    }

    /// Bytes both ways, as in `119MiB/s (125MB/s)`.
    pub(super) fn both(self, bytes: f64, per: &str) -> String {
        format!("{}{per} ({}{per})", self.binary(bytes), self.decimal(bytes))
    }

    /// fio counts in whole numbers, and tells as many decimals as there is room for beside the
    /// point.
    fn scaled(self, number: f64, base: u64, units: &[&str; 6]) -> String {
        let whole = number as u64;
        let (mut rest, mut divisor, mut unit) = (whole, 1, 0);
        while length_of(rest) > self.digits && unit + 1 < units.len() {
            rest /= base;
            divisor *= base;
            unit += 1;
        }
        let decimals = if unit == 0 {
            0
        } else {
            self.digits.saturating_sub(length_of(rest) + 1) as usize
        };
        let shown = whole as f64 / divisor as f64;
        format!("{shown:.decimals$}{}", units[unit])
    }
}

/// Digits of a number.
const fn length_of(number: u64) -> u32 {
    match number.checked_ilog10() {
        Some(log) => log + 1,
        None => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What fio 3.33 prints of the same numbers.
    #[test]
    fn amounts_are_those_of_fio() {
        let four = Amounts::default();
        assert_eq!(four.count(4626.7), "4626");
        assert_eq!(four.count(30_512.0), "30.5k");
        assert_eq!(four.count(139_400.0), "139k");
        assert_eq!(four.count(2_019_649.0), "2020k");
        assert_eq!(four.both(124_999_000.0, "/s"), "119MiB/s (125MB/s)");
        assert_eq!(four.both(18_948_861.0, ""), "18.1MiB (18.9MB)");
        assert_eq!(four.both(1_048_576_000.0, "/s"), "1000MiB/s (1049MB/s)");
        assert_eq!(four.both(4_194_304_000.0, "/s"), "4000MiB/s (4194MB/s)");
        for (bytes, text) in [
            (0.0, "0B"),
            (512.0, "512B"),
            (4096.0, "4096B"),
            (10_000.0, "9.77KiB"),
            (65_536.0, "64.0KiB"),
            (102_400.0, "100KiB"),
            (1_048_576.0, "1024KiB"),
            (1_234_567.0, "1206KiB"),
            (1_500_000.0, "1465KiB"),
            (10_485_760.0, "10.0MiB"),
        ] {
            assert_eq!(four.binary(bytes), text);
        }
        assert_eq!(Amounts::LATENCIES.count(999_999.0), "999999");
        assert_eq!(Amounts::LATENCIES.count(7_765_821.0), "7765.8k");
        assert_eq!(Amounts::LATENCIES.count(41_484_240.0), "41484k");
    }

    #[test]
    fn the_digits_are_as_many_as_are_asked_for() {
        let with = |digits| Amounts { digits };
        let bytes = 3_145_728.0;
        assert_eq!(with(1).both(bytes, ""), "3MiB (3MB)");
        assert_eq!(with(2).both(bytes, ""), "3MiB (3MB)");
        assert_eq!(with(6).both(bytes, ""), "3072.0KiB (3145.7kB)");
        assert_eq!(with(10).both(bytes, ""), "3145728B (3145728B)");
    }
}
