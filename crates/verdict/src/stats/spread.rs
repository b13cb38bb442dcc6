//! Order statistics of short series.

/// The median of `values`, the mean of the middle two when their number is even; 0 without any.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        n if n % 2 == 1 => sorted[n / 2],
        n => f64::midpoint(sorted[n / 2 - 1], sorted[n / 2]),
    }
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_middle_is_found() {
        let cases: [(&[f64], f64); 3] = [
            (&[], 0.0),
            (&[3.0, 1.0, 2.0], 2.0),
            (&[4.0, 1.0, 3.0, 2.0], 2.5),
        ];
        for (values, expected) in cases {
            assert_eq!(median(values).to_bits(), expected.to_bits());
        }
    }
}
