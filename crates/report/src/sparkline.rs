//! A series as one line of bars.

const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// `series` as bars from zero to its largest value, in `columns` characters at most: longer
/// series are averaged into as many groups. A value of zero is a dot.
///
/// The bars start at zero, not at the smallest value: a steady series has to look steady.
pub fn sparkline(series: &[f64], columns: usize) -> String {
    let groups = series.len().min(columns);
    let values: Vec<f64> = (0..groups)
        .map(|group| {
            let start = group * series.len() / groups;
            let members = &series[start..(group + 1) * series.len() / groups];
            members.iter().sum::<f64>() / members.len() as f64
        })
        .collect();
    let largest = values.iter().copied().fold(0.0, f64::max);
    values.iter().map(|value| bar(*value, largest)).collect()
}

fn bar(value: f64, largest: f64) -> char {
    if value <= 0.0 || largest <= 0.0 {
        return '·';
    }
    let eighths = (value / largest * BARS.len() as f64).ceil() as usize;
    BARS[eighths.clamp(1, BARS.len()) - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_start_at_zero() {
        let cases: [(&[f64], usize, &str); 5] = [
            (&[], 60, ""),
            (&[0.0, 0.0], 60, "··"),
            (&[100.0, 99.0, 101.0], 60, "███"),
            (&[0.0, 1.0, 4.0, 8.0], 60, "·▁▄█"),
            (&[1.0, 1.0, 8.0, 8.0], 2, "▁█"),
        ];
        for (series, columns, bars) in cases {
            assert_eq!(sparkline(series, columns), bars);
        }
    }

    #[test]
    fn long_series_are_averaged() {
        let series: Vec<f64> = (0..600).map(|index| f64::from(index / 300)).collect();
        let bars = sparkline(&series, 60);
        assert_eq!(bars, "·".repeat(30) + &"█".repeat(30));
    }
}
