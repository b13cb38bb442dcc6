//! Whether a running series has left its level: cumulated sums (E. S. Page, "Continuous inspection
//! schemes", Biometrika 1954).
//!
//! `S+ = max(0, S+ + z - k)` and `S- = max(0, S- - z - k)` of deviations `z` from the level, in
//! standard deviations; a sum above `h` is an alarm.

/// What each value may deviate before it counts, standard deviations.
pub const CUSUM_SLACK: f64 = 0.5;
/// Sum from which it is an alarm. With this and the slack a normal series raises a false one about
/// every 465 values.
pub const CUSUM_LIMIT: f64 = 5.0;

/// Where a series was seen to have left its level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alarm {
    /// Position of the value that raised it.
    pub at: usize,
    /// The sum then.
    pub sum: f64,
    /// Whether it went up.
    pub is_up: bool,
}

/// The first alarm of a series with a level and a deviation that are known, at a limit of the sum.
pub fn cusum(series: &[f64], level: f64, sigma: f64, limit: f64) -> Option<Alarm> {
    let (mut up, mut down) = (0.0_f64, 0.0_f64);
    for (at, value) in series.iter().enumerate() {
        let z = (value - level) / sigma;
        up = (up + z - CUSUM_SLACK).max(0.0);
        down = (down - z - CUSUM_SLACK).max(0.0);
        let sum = up.max(down);
        if sum > limit {
            let is_up = up >= down;
            return Some(Alarm { at, sum, is_up });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::noise;

    #[test]
    fn the_published_series_alarm_where_they_should() {
        let steps = |height: f64| {
            let series: Vec<f64> = [vec![0.0; 3], vec![height; 17]].concat();
            cusum(&series, 0.0, 1.0, 4.0).map(|alarm| (alarm.at, alarm.sum, alarm.is_up))
        };
        assert_eq!(steps(1.0), Some((11, 4.5, true)));
        assert_eq!(steps(2.0), Some((5, 4.5, true)));
        let c = [
            3010.0, 2995.0, 3002.0, 2989.0, 3007.0, 2998.0, 3004.0, 2991.0, 3001.0, 2999.0, 612.0,
            598.0, 603.0, 601.0, 595.0, 607.0, 600.0, 599.0, 604.0, 602.0,
        ];
        let found = cusum(&c, 3000.6, noise(&c), CUSUM_LIMIT).expect("an alarm");
        assert_eq!((found.at, found.is_up), (10, false));
    }

    #[test]
    fn a_level_that_is_kept_raises_none() {
        let kept: Vec<f64> = (0..100).map(|n| 100.0 + [-1.0, 1.0, 0.0][n % 3]).collect();
        assert_eq!(cusum(&kept, 100.0, 1.0, CUSUM_LIMIT), None);
        assert_eq!(cusum(&[], 100.0, 1.0, CUSUM_LIMIT), None);
    }
}
