//! How numbers are written for people: as many digits as are worth reading, always with a unit.
//!
//! Rates of bytes and capacities are decimal (MB/s, GB), sizes of requests and files binary
//! (KiB, GiB), thousands are separated by commas. Machines read the JSON form instead.

/// A whole number with commas: `1,234,567`.
pub fn count(number: u64) -> String {
    group(&number.to_string())
}

/// A number with a fixed number of decimals and commas before them: `1,234.50`.
pub fn decimal(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    let (sign, digits) = match text.strip_prefix('-') {
        // A zero has no sign: that of an empty sum is one below nothing.
        Some(zero) if zero.bytes().all(|digit| matches!(digit, b'0' | b'.')) => ("", zero),
        Some(digits) => ("-", digits),
        None => ("", text.as_str()),
    };
    match digits.split_once('.') {
        Some((whole, fraction)) => format!("{sign}{}.{fraction}", group(whole)),
        None => format!("{sign}{}", group(digits)),
    }
}

/// A number with three significant digits at least, and no decimals that are not among them.
pub fn significant(number: f64) -> String {
    decimal(number, usize::try_from(2 - exponent(number)).unwrap_or(0))
}

/// Requests a second: `3.42`, `998.6`, `67,512`, `1.36 M`.
pub fn iops(per_second: f64) -> String {
    match per_second {
        none if !none.is_finite() => "unknown".to_owned(),
        slow if slow < 9.995 => decimal(slow, 2),
        middling if middling < 999.95 => decimal(middling, 1),
        fast if fast < 999_999.5 => decimal(fast, 0),
        millions => format!("{} M", significant(millions / 1e6)),
    }
}

/// Bytes a second as a number of MB/s (millions): `0.0041`, `3.42`, `276.5`, `2,430`.
pub fn megabytes(bytes_per_second: f64) -> String {
    rate(bytes_per_second / 1e6)
}

/// Bytes a second as a number of MiB/s (1,048,576): same form as [`megabytes`].
pub fn mebibytes(bytes_per_second: f64) -> String {
    rate(bytes_per_second / 1_048_576.0)
}

fn rate(number: f64) -> String {
    match number {
        none if !none.is_finite() => "unknown".to_owned(),
        0.0 => "0".to_owned(),
        tiny if tiny < 0.01 => significant(tiny),
        small if small < 9.995 => decimal(small, 2),
        middling if middling < 999.95 => decimal(middling, 1),
        large => decimal(large, 0),
    }
}

/// A length of time with three significant digits and its unit: `850 ns`, `34.2 µs`, `1.35 ms`,
/// `2.50 s`.
pub fn time(nanoseconds: f64) -> String {
    if nanoseconds < 0.000_5 {
        return "0 ns".to_owned();
    }
    let (factor, unit) = match exponent(nanoseconds) {
        ..3 => (1.0, "ns"),
        3..6 => (1e3, "µs"),
        6..9 => (1e6, "ms"),
        _ => (1e9, "s"),
    };
    format!("{} {unit}", significant(nanoseconds / factor))
}

/// The longest time of requests: `> 8.10 s` where a request that had not ended was that old.
pub fn longest(nanoseconds: u64, is_bound: bool) -> String {
    let beyond = if is_bound { "> " } else { "" };
    format!("{beyond}{}", time(nanoseconds as f64))
}

/// How long something took, for reading rather than comparing: `0 s`, `250 ms`, `60.0 s`,
/// `2 min 05 s`, `1 h 05 min`.
pub fn duration(nanoseconds: u64) -> String {
    // Half of the unit cannot be added to a time near the end of its range.
    let rounded = |unit: u64| nanoseconds / unit + u64::from(nanoseconds % unit >= unit / 2);
    let tenths = rounded(100_000_000);
    let seconds = rounded(1_000_000_000);
    match () {
        () if nanoseconds == 0 => "0 s".to_owned(),
        () if tenths < 10 => time(nanoseconds as f64),
        () if seconds < 100 => decimal(tenths as f64 / 10.0, 1) + " s",
        () if seconds < 3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        () => format!("{} h {:02} min", seconds / 3600, seconds % 3600 / 60),
    }
}

/// A size in binary units, exact when it is a whole number of one of them: `4 KiB`, `1.37 GiB`.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let mut index = 0;
    let mut factor = 1_u64;
    while index + 1 < UNITS.len() && bytes / factor >= 1024 {
        index += 1;
        factor <<= 10;
    }
    let number = if bytes.is_multiple_of(factor) {
        count(bytes / factor)
    } else {
        significant(bytes as f64 / factor as f64)
    };
    format!("{number} {}", UNITS[index])
}

/// A capacity or a volume of data in decimal units: `512 B`, `81.3 GB`, `2.00 TB`.
pub fn volume(bytes: u64) -> String {
    let bytes_f64 = bytes as f64;
    let (factor, unit) = match exponent(bytes_f64) {
        ..3 => return format!("{bytes} B"),
        3..6 => (1e3, "kB"),
        6..9 => (1e6, "MB"),
        9..12 => (1e9, "GB"),
        12..15 => (1e12, "TB"),
        _ => (1e15, "PB"),
    };
    format!("{} {unit}", significant(bytes_f64 / factor))
}

/// A share that is already in percent: `0 %`, `0.03 %`, `1.2 %`, `29.7 %`.
pub fn percent(number: f64) -> String {
    match number.abs() {
        0.0 => "0 %".to_owned(),
        tiny if tiny < 0.005 => "<0.01 %".to_owned(),
        small if small < 0.095 => decimal(number, 2) + " %",
        _ => decimal(number, 1) + " %",
    }
}

/// A mean number of outstanding requests: `0.97`, `31.9`.
pub fn outstanding(mean: f64) -> String {
    decimal(mean, if mean < 9.995 { 2 } else { 1 })
}

/// `1 request`, `2 requests`: a count with its noun.
pub fn plural(number: u64, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", count(number))
}

/// The power of ten of the first digit after rounding to three significant ones; 0 for zero.
fn exponent(number: f64) -> i32 {
    format!("{number:.2e}")
        .rsplit_once('e')
        .and_then(|(_, exponent)| exponent.parse().ok())
        .unwrap_or(0)
}

fn group(digits: &str) -> String {
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_a_second() {
        let cases = [
            (0.0, "0.00"),
            (3.4159, "3.42"),
            (9.996, "10.0"),
            (998.63, "998.6"),
            (999.96, "1,000"),
            (67_512.4, "67,512"),
            (999_999.7, "1.00 M"),
            (1_360_400.0, "1.36 M"),
            (13_500_000.0, "13.5 M"),
            (123_456_789.0, "123 M"),
        ];
        for (number, text) in cases {
            assert_eq!(iops(number), text, "{number}");
        }
    }

    #[test]
    fn bytes_a_second() {
        let cases = [
            (0.0, "0"),
            (4_096.0, "0.00410"),
            (3_420_000.0, "3.42"),
            (276_529_152.0, "276.5"),
            (2_430_400_000.0, "2,430"),
        ];
        for (number, text) in cases {
            assert_eq!(megabytes(number), text, "{number}");
        }
        assert_eq!(megabytes(131_072_000.0), "131.1");
        assert_eq!(mebibytes(131_072_000.0), "125.0");
    }

    #[test]
    fn times_choose_their_unit_after_rounding() {
        let cases = [
            (0.0, "0 ns"),
            (0.5, "0.500 ns"),
            (34.0, "34.0 ns"),
            (850.0, "850 ns"),
            (999.4, "999 ns"),
            (999.6, "1.00 µs"),
            (34_249.0, "34.2 µs"),
            (999_499.0, "999 µs"),
            (999_500.0, "1.00 ms"),
            (1_350_000.0, "1.35 ms"),
            (2_499_999_999.0, "2.50 s"),
            (75_000_000_000.0, "75.0 s"),
            (4_398_000_000_000.0, "4,398 s"),
        ];
        for (number, text) in cases {
            assert_eq!(time(number), text, "{number}");
        }
    }

    #[test]
    fn durations_read_like_a_clock() {
        let cases = [
            (0, "0 s"),
            (250_000_000, "250 ms"),
            (60_000_000_000, "60.0 s"),
            (59_960_000_000, "60.0 s"),
            (125_000_000_000, "2 min 05 s"),
            (3_599_600_000_000, "1 h 00 min"),
            (3_900_000_000_000, "1 h 05 min"),
            (u64::MAX, "5124095 h 34 min"),
        ];
        for (number, text) in cases {
            assert_eq!(duration(number), text, "{number}");
        }
    }

    #[test]
    fn sizes_are_binary_and_volumes_decimal() {
        let cases = [
            (0, "0 B", "0 B"),
            (512, "512 B", "512 B"),
            (4_096, "4 KiB", "4.10 kB"),
            (1_048_576, "1 MiB", "1.05 MB"),
            (1_471_026_176, "1.37 GiB", "1.47 GB"),
            (256_060_514_304, "238 GiB", "256 GB"),
            (2_000_398_934_016, "1.82 TiB", "2.00 TB"),
        ];
        for (bytes, binary, decimal) in cases {
            assert_eq!(size(bytes), binary, "{bytes}");
            assert_eq!(volume(bytes), decimal, "{bytes}");
        }
    }

    #[test]
    fn shares_and_counts() {
        let cases = [
            (0.0, "0 %"),
            (0.001, "<0.01 %"),
            (0.034, "0.03 %"),
            (1.24, "1.2 %"),
            (29.68, "29.7 %"),
            (100.0, "100.0 %"),
        ];
        for (number, text) in cases {
            assert_eq!(percent(number), text, "{number}");
        }
        assert_eq!(decimal(-1_234.5, 1), "-1,234.5");
        let nothing: [f64; 0] = [];
        let empty: f64 = nothing.iter().sum();
        assert_eq!([empty, -0.04].map(|zero| decimal(zero, 1)), ["0.0", "0.0"]);
        assert_eq!(iops(empty), "0.00");
        assert_eq!(
            (outstanding(0.967), outstanding(31.87)),
            ("0.97".into(), "31.9".into())
        );
        assert_eq!(plural(1, "request"), "1 request");
        assert_eq!(plural(1_000, "request"), "1,000 requests");
    }
}
