//! The percentile curve of a distribution, to the last nine that the sample supports.

use fathom_core::Histogram;
use fathom_core::summary::supports;

/// A point of the curve.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Point {
    /// In percent, as in `99.9`.
    pub(crate) percent: String,
    /// The same as a share of all values.
    pub(crate) quantile: f64,
    /// The value, nanoseconds.
    pub(crate) latency_ns: u64,
    /// Values above it.
    pub(crate) beyond: u64,
}

/// Hundredths of a percent below 90 %.
const BODY: [u64; 15] = [
    100, 200, 500, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 7500, 8000, 8500, 8750, 9000,
];

/// Points between two nines, in hundredths of the share that is beyond the first of them.
const TAIL: [u64; 10] = [80, 70, 60, 50, 40, 30, 25, 20, 15, 10];

/// Nines that a 64-bit count could support.
const NINES: u32 = 12;

/// The points that the sample supports, rising.
pub(crate) fn curve(histogram: &Histogram) -> Vec<Point> {
    let count = histogram.len();
    let point = |(percent, quantile): (String, f64)| {
        supports(count, quantile).then(|| {
            let latency_ns = histogram.quantile_ns(quantile);
            Point {
                percent,
                quantile,
                latency_ns,
                beyond: count.saturating_sub(histogram.count_up_to(latency_ns)),
            }
        })
    };
    grid().filter_map(point).collect()
}

/// All places of the curve: percent in words, and the share.
fn grid() -> impl Iterator<Item = (String, f64)> {
    let body = BODY.into_iter().map(|hundredths| {
        let percent = words(hundredths, 2);
        (percent, hundredths as f64 / 1e4)
    });
    let tail = (1..NINES).flat_map(|nines| {
        TAIL.into_iter().map(move |beyond| {
            // Beyond `nines` nines lies 10^-nines; a hundredth of it is the unit here.
            let digits = nines + 2;
            let whole = 10_u64.pow(digits);
            let percent = words(whole - beyond, digits - 2);
            (percent, 1.0 - beyond as f64 / whole as f64)
        })
    });
    body.chain(tail)
}

/// `number` with its last `decimals` digits behind the point, without zeros at the end.
fn words(number: u64, decimals: u32) -> String {
    let whole = 10_u64.pow(decimals);
    let text = format!(
        "{}.{:0width$}",
        number / whole,
        number % whole,
        width = decimals as usize
    );
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_has_every_nine() {
        let names: Vec<String> = grid().map(|(name, _)| name).take(36).collect();
        let expected = [
            "1", "2", "5", "10", "20", "30", "40", "50", "60", "70", "75", "80", "85", "87.5",
            "90", "92", "93", "94", "95", "96", "97", "97.5", "98", "98.5", "99", "99.2", "99.3",
            "99.4", "99.5", "99.6", "99.7", "99.75", "99.8", "99.85", "99.9", "99.92",
        ];
        assert_eq!(names, expected);
        assert!(grid().is_sorted_by(|a, b| a.1 < b.1));
    }

    #[test]
    fn the_curve_ends_where_ten_values_are_beyond() {
        let mut histogram = Histogram::new();
        (1..=1000).for_each(|value| histogram.record(value));
        let curve = curve(&histogram);
        let last = Point {
            percent: "99".to_owned(),
            quantile: 0.99,
            latency_ns: 990,
            beyond: 10,
        };
        assert_eq!((curve[0].latency_ns, curve[0].beyond), (10, 990));
        assert_eq!(curve.last(), Some(&last));
    }

    #[test]
    fn few_values_have_no_curve() {
        let mut histogram = Histogram::new();
        (1..20).for_each(|value| histogram.record(value));
        assert_eq!(curve(&histogram), []);
    }
}
