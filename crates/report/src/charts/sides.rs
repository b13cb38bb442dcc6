//! Runs that are one series of a chart, as those of a tag: their median, and the range from the
//! lowest to the highest run.

use super::clock::Level;
use fathom_core::result::RunResult;
use fathom_verdict::stats::median;

/// The runs of a series, with its name.
#[derive(Clone, Debug)]
pub(crate) struct Runs<'a> {
    pub(crate) label: &'a str,
    /// At least one.
    pub(crate) runs: Vec<&'a RunResult>,
}

/// A value of several runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    pub(crate) middle: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl<'a> Runs<'a> {
    /// One run by itself.
    pub(crate) fn of_one(label: &'a str, run: &'a RunResult) -> Self {
        Self {
            label,
            runs: vec![run],
        }
    }
}

/// All runs of all series.
pub(crate) fn all<'a>(sides: &[Runs<'a>]) -> impl Iterator<Item = &'a RunResult> {
    sides.iter().flat_map(|side| side.runs.iter().copied())
}

/// What a series is: a run, or where one has several of them a side.
pub(crate) fn word(sides: &[Runs<'_>]) -> &'static str {
    if sides.iter().all(|side| side.runs.len() == 1) {
        "run"
    } else {
        "side"
    }
}

/// What the lines and the bars of several runs are; empty where each series is one run.
pub(crate) fn range_note(sides: &[Runs<'_>], range: &str) -> String {
    if sides.iter().all(|side| side.runs.len() == 1) {
        return String::new();
    }
    format!("Of several runs: their median; {range} from the lowest to the highest run.")
}

impl Range {
    /// Of the known values; NaN without one.
    pub(crate) fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut known: Vec<f64> = values.filter(|value| value.is_finite()).collect();
        known.sort_by(f64::total_cmp);
        let (Some(low), Some(high)) = (known.first(), known.last()) else {
            return Self {
                middle: f64::NAN,
                low: f64::NAN,
                high: f64::NAN,
            };
        };
        Self {
            middle: median(&known),
            low: *low,
            high: *high,
        }
    }
}

/// The level of several runs over the same points; that of one run is unchanged.
pub(crate) fn level(mut levels: Vec<Level>) -> Level {
    if levels.len() == 1 {
        return levels.remove(0);
    }
    let points = levels.iter().map(|level| level.value.len()).max();
    let at = |index: usize| {
        let values = levels.iter().map(|level| level.value.get(index));
        Range::of(values.flatten().copied())
    };
    let ranges: Vec<Range> = (0..points.unwrap_or(0)).map(at).collect();
    Level {
        value: ranges.iter().map(|one| one.middle).collect(),
        low: ranges.iter().map(|one| one.low).collect(),
        high: ranges.iter().map(|one| one.high).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_runs_are_their_median_and_range() {
        let of = |value: &[f64]| Level {
            value: value.to_vec(),
            low: Vec::new(),
            high: Vec::new(),
        };
        let all = level(vec![
            of(&[1.0, 5.0, 3.0]),
            of(&[2.0, f64::NAN]),
            of(&[9.0, 7.0]),
        ]);
        assert_eq!(all.value, [2.0, 6.0, 3.0]);
        assert_eq!(all.low, [1.0, 5.0, 3.0]);
        assert_eq!(all.high, [9.0, 7.0, 3.0]);
        let one = of(&[1.0, 2.0]);
        assert_eq!(level(vec![one.clone()]), one);
    }
}
