//! Amounts in as many digits as are wanted, four by default, and a unit: the smallest in which the
//! whole part has no more of them.

use crate::FioUnits;

const THOUSANDS: [&str; 6] = ["", "k", "M", "G", "T", "P"];
const BINARY: [&str; 6] = ["", "Ki", "Mi", "Gi", "Ti", "Pi"];

impl FioUnits {
    /// Those of the ends of latencies, whatever is wanted of others.
    pub(super) const LATENCIES: Self = Self {
        digits: 6,
        decimal: true,
        bits: false,
    };

    /// A count, as in `30.5k`.
    pub(super) fn count(self, number: f64) -> String {
        self.scaled(number, true)
    }

    /// Bytes in the powers that come first, as in `119MiB`.
    pub(super) fn bytes(self, bytes: f64) -> String {
        self.scaled(bytes, self.decimal) + "B"
    }

    /// The same, and in the others, as in `18.1MiB (18.9MB)`.
    pub(super) fn bytes_both(self, bytes: f64) -> String {
        let others = self.scaled(bytes, !self.decimal);
        format!("{} ({others}B)", self.bytes(bytes))
    }

    /// A rate in the powers that come first, and in the others, as in `119MiB/s` and `125MB/s`.
    pub(super) fn rates(self, bytes_per_second: f64) -> [String; 2] {
        let whole = bytes_per_second.trunc();
        let (number, unit) = if self.bits {
            (whole * 8.0, "bit/s")
        } else {
            (whole, "B/s")
        };
        [self.decimal, !self.decimal].map(|decimal| self.scaled(number, decimal) + unit)
    }

    /// Both of them, as in `119MiB/s (125MB/s)`.
    pub(super) fn rate_both(self, bytes_per_second: f64) -> String {
        let [first, other] = self.rates(bytes_per_second);
        format!("{first} ({other})")
    }

    /// fio counts in whole numbers, and prints as many decimals as fit after the point.
    fn scaled(self, number: f64, decimal: bool) -> String {
        let (base, units) = if decimal {
            (1000, &THOUSANDS)
        } else {
            (1024, &BINARY)
        };
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
        let four = FioUnits::default();
        assert_eq!(four.count(4626.7), "4626");
        assert_eq!(four.count(30_512.0), "30.5k");
        assert_eq!(four.count(139_400.0), "139k");
        assert_eq!(four.count(2_019_649.0), "2020k");
        assert_eq!(four.rate_both(124_999_000.0), "119MiB/s (125MB/s)");
        assert_eq!(four.bytes_both(18_948_861.0), "18.1MiB (18.9MB)");
        assert_eq!(four.rate_both(1_048_576_000.0), "1000MiB/s (1049MB/s)");
        assert_eq!(four.rate_both(4_194_304_000.0), "4000MiB/s (4194MB/s)");
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
            assert_eq!(four.bytes(bytes), text);
        }
        assert_eq!(FioUnits::LATENCIES.count(999_999.0), "999999");
        assert_eq!(FioUnits::LATENCIES.count(7_765_821.0), "7765.8k");
        assert_eq!(FioUnits::LATENCIES.count(41_484_240.0), "41484k");
    }

    #[test]
    fn the_digits_are_as_many_as_are_asked_for() {
        let with = |digits| FioUnits {
            digits,
            ..FioUnits::default()
        };
        let bytes = 3_145_728.0;
        assert_eq!(with(1).bytes_both(bytes), "3MiB (3MB)");
        assert_eq!(with(2).bytes_both(bytes), "3MiB (3MB)");
        assert_eq!(with(6).bytes_both(bytes), "3072.0KiB (3145.7kB)");
        assert_eq!(with(10).bytes_both(bytes), "3145728B (3145728B)");
    }

    /// As fio 3.33 has 4 KiB reads at 142,400 a second.
    #[test]
    fn rates_are_in_the_units_that_are_asked_for() {
        let in_units = |decimal, bits| {
            let units = FioUnits {
                decimal,
                bits,
                ..FioUnits::default()
            };
            units.rate_both(583_270_400.0)
        };
        assert_eq!(in_units(false, false), "556MiB/s (583MB/s)");
        assert_eq!(in_units(true, false), "583MB/s (556MiB/s)");
        assert_eq!(in_units(false, true), "4450Mibit/s (4666Mbit/s)");
        assert_eq!(in_units(true, true), "4666Mbit/s (4450Mibit/s)");
        let decimal = FioUnits {
            decimal: true,
            ..FioUnits::default()
        };
        assert_eq!(decimal.bytes(65_536.0), "65.5kB");
        assert_eq!(decimal.bytes_both(328_000_000.0), "328MB (313MiB)");
        assert_eq!(decimal.bytes(512.0), "512B");
    }
}
