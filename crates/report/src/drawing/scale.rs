//! Axes of values: round places on them, and their numbers in words.

use crate::charts::Unit;
use crate::figure;
use crate::picture::Scale;
use crate::picture::axis::Ruler;

/// Units of time: nanoseconds in each, and its name.
const TIMES: [(f64, &str); 4] = [(1.0, "ns"), (1e3, "µs"), (1e6, "ms"), (1e9, "s")];

/// Above the largest value: a line on the very edge would lie half outside.
const ROOM: f64 = 1.03;

/// An axis of values in a unit.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    ruler: Ruler,
    pub(super) unit: Unit,
    factor: f64,
    is_log: bool,
}

impl Axis {
    /// For values that are to be drawn, with about this number of round ones, and a little space
    /// above.
    pub(super) fn over(
        unit: Unit,
        is_log: bool,
        values: impl Iterator<Item = f64>,
        ticks: usize,
    ) -> Self {
        let factor = factor(unit);
        let scale = if is_log { Scale::Log } else { Scale::Linear };
        Self {
            ruler: Ruler::over(scale, values.map(|value| value / factor * ROOM), ticks),
            unit,
            factor,
            is_log,
        }
    }

    /// For numbers whose unit is in the title.
    pub(super) fn plain(scale: Scale, values: impl Iterator<Item = f64>, ticks: usize) -> Self {
        Self {
            ruler: Ruler::over(scale, values, ticks),
            unit: Unit::Other,
            factor: 1.0,
            is_log: scale == Scale::Log,
        }
    }

    /// Another unit on the same scale: `each` of it for one of this.
    pub(super) fn beside(&self, unit: Unit, each: f64, ticks: usize) -> Vec<(f64, String)> {
        let per_own = self.factor * each / factor(unit);
        let [low, top] = [self.ruler.low, self.ruler.high].map(|end| end * per_own);
        let scale = if self.is_log {
            Ruler::over(Scale::Log, [low, top].into_iter(), ticks)
        } else {
            Ruler::over(Scale::Linear, std::iter::once(top), ticks)
        };
        let tick = |(value, _): &(f64, String)| {
            let share = self.ruler.share(value / per_own)?;
            (-0.000_001..=1.000_001)
                .contains(&share)
                .then(|| (share, of_tick(unit, *value)))
        };
        scale.ticks.iter().filter_map(tick).collect()
    }

    /// Where a value lies, 0 to 1.
    pub(super) fn share(&self, value: f64) -> Option<f64> {
        self.ruler.share(value / self.factor)
    }

    /// Round values: place and words.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let ticks = self.ruler.ticks.iter();
        let tick = |(value, _): &(f64, String)| {
            Some((self.ruler.share(*value)?, of_tick(self.unit, *value)))
        };
        ticks.filter_map(tick).collect()
    }

    pub(super) const fn is_log(&self) -> bool {
        self.is_log
    }
}

/// Where a value lies between two on a logarithmic axis, 0 to 1.
pub(crate) fn log_place(value: f64, low: f64, high: f64) -> f64 {
    ((value / low).ln() / (high / low).ln()).clamp(0.0, 1.0)
}

const fn factor(unit: Unit) -> f64 {
    match unit {
        Unit::BytesPerSecond => 1e6,
        _ => 1.0,
    }
}

/// The name of a unit on an axis.
pub(super) const fn name(unit: Unit) -> &'static str {
    match unit {
        Unit::Iops => "IOPS",
        Unit::BytesPerSecond => "MB/s",
        Unit::Requests => "requests",
        Unit::Percent => "%",
        Unit::Ns | Unit::Other => "",
    }
}

/// A value in words, with its unit; a dash for none.
pub(crate) fn words(unit: Unit, unit_words: &str, value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    match unit {
        Unit::Iops => figure::iops(value),
        Unit::BytesPerSecond => format!("{} MB/s", figure::megabytes(value)),
        Unit::Ns => figure::time(value),
        Unit::Requests => figure::outstanding(value),
        Unit::Percent => figure::percent(value),
        Unit::Other => format!("{} {unit_words}", short(value)).trim().to_owned(),
    }
}

/// A value, and from where to where the values that it stands for go, where they differ.
pub(crate) fn ranged(unit: Unit, unit_words: &str, value: f64, (low, high): (f64, f64)) -> String {
    let say = |value: f64| words(unit, unit_words, value);
    if low.is_finite() && low < high {
        format!("{} ({} … {})", say(value), say(low), say(high))
    } else {
        say(value)
    }
}

/// A round value of an axis, no longer than it has to be.
fn of_tick(unit: Unit, value: f64) -> String {
    if unit != Unit::Ns || value <= 0.0 {
        return short(value);
    }
    let times = TIMES.iter().rev();
    let (factor, name) = times
        .into_iter()
        .find(|(factor, _)| value >= factor * 0.999)
        .unwrap_or(&TIMES[0]);
    format!("{} {name}", short(value / factor))
}

fn short(value: f64) -> String {
    let trimmed = |value: f64| format!("{}", (value * 1e6).round() / 1e6);
    match value.abs() {
        size if size >= 1e9 => format!("{} G", trimmed(value / 1e9)),
        size if size >= 1e6 => format!("{} M", trimmed(value / 1e6)),
        size if size >= 1e3 => figure::decimal(value, 0),
        _ => trimmed(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(unit: Unit, is_log: bool, values: &[f64]) -> Vec<String> {
        let axis = Axis::over(unit, is_log, values.iter().copied(), 6);
        axis.ticks().into_iter().map(|(_, words)| words).collect()
    }

    #[test]
    fn the_scale_beside_has_the_places_of_its_own_values() {
        let places = |is_log: bool, low: f64| {
            let axis = Axis::over(Unit::Iops, is_log, [low, 320_000.0].into_iter(), 6);
            let beside = axis.beside(Unit::BytesPerSecond, 4096.0, 6);
            assert!(beside.len() >= 3, "{beside:?}");
            for (place, words) in beside {
                let bytes: f64 = words.replace(',', "").parse::<f64>().expect("a number") * 1e6;
                let own = axis.share(bytes / 4096.0).expect("on the axis");
                assert!((own - place).abs() < 1e-6, "{words}: {place}, not {own}");
            }
        };
        places(false, 0.0);
        places(true, 5_000.0);
    }

    #[test]
    fn a_logarithmic_axis_names_three_values_at_least() {
        let cases: [(&[f64], &[&str]); 4] = [
            (&[210e3, 230e3], &["200 µs", "500 µs", "1 ms", "2 ms"]),
            (
                &[90e3, 4e6],
                &[
                    "50 µs", "100 µs", "200 µs", "500 µs", "1 ms", "2 ms", "5 ms",
                ],
            ),
            (&[90e3, 400e6], &["100 µs", "1 ms", "10 ms", "100 ms"]),
            (
                &[1.0, 1e10],
                &["1 ns", "100 ns", "10 µs", "1 ms", "100 ms", "10 s"],
            ),
        ];
        for (values, expected) in cases {
            assert_eq!(ticks(Unit::Ns, true, values), expected);
        }
    }

    #[test]
    fn two_scales_lie_over_each_other() {
        let axis = Axis::over(Unit::Iops, false, [67_500.0].into_iter(), 6);
        assert_eq!(axis.ticks().last().unwrap(), &(1.0, "80,000".to_owned()));
        let beside = axis.beside(Unit::BytesPerSecond, 4096.0, 6);
        let words: Vec<&str> = beside.iter().map(|(_, words)| words.as_str()).collect();
        assert_eq!(words, ["0", "100", "200", "300"]);
        let share = 100e6 / (80_000.0 * 4096.0);
        assert!((beside[1].0 - share).abs() < 1e-9);
    }
}
