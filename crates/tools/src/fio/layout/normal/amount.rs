//! Amounts in three digits and a unit.

/// A count, in thousands from ten thousand on.
pub(super) fn count(number: f64) -> String {
    if number < 10_000.0 {
        return format!("{number:.0}");
    }
    scaled(number, 1000.0, &["", "k", "M", "G"])
}

/// Bytes in powers of 1024.
pub(super) fn binary(bytes: f64) -> String {
    scaled(bytes, 1024.0, &["B", "KiB", "MiB", "GiB", "TiB", "PiB"])
}

/// Bytes in powers of 1000.
pub(super) fn decimal(bytes: f64) -> String {
    scaled(bytes, 1000.0, &["B", "kB", "MB", "GB", "TB", "PB"])
}

/// Bytes both ways, as in `119MiB/s (125MB/s)`.
pub(super) fn both(bytes: f64, per: &str) -> String {
    format!("{}{per} ({}{per})", binary(bytes), decimal(bytes))
}

fn scaled(mut number: f64, base: f64, units: &[&str]) -> String {
    let mut unit = 0;
    while number >= base && unit + 1 < units.len() {
        number /= base;
        unit += 1;
    }
    let decimals = match number {
        _ if unit == 0 => 0,
        n if n < 9.995 => 2,
        n if n < 99.95 => 1,
        _ => 0,
    };
    format!("{number:.decimals$}{}", units[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_are_enough() {
        assert_eq!(count(4626.2), "4626");
        assert_eq!(count(30_512.0), "30.5k");
        assert_eq!(count(2_019_649.0), "2.02M");
        assert_eq!(both(124_999_000.0, "/s"), "119MiB/s (125MB/s)");
        assert_eq!(both(18_948_861.0, ""), "18.1MiB (18.9MB)");
        assert_eq!(binary(512.0), "512B");
    }
}
