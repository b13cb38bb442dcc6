//! Axes: their range, their round values, and where a number lies on them.

use fathom_core::figure;

/// How numbers are spread over an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// From zero, evenly.
    Linear,
    /// From a round value below all, evenly: for differences that are small compared with the
    /// values.
    Near,
    /// By powers of ten.
    Log,
}

/// One axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it measures, with its unit.
    pub title: String,
    /// How numbers are spread.
    pub scale: Scale,
}

/// An axis with its range.
#[derive(Clone, Debug)]
pub(crate) struct Ruler {
    scale: Scale,
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Round values, each with its words.
    pub(crate) ticks: Vec<(f64, String)>,
}

/// Fewer round values than this do not tell a logarithmic axis from another.
const LEAST_TICKS: usize = 3;

impl Axis {
    /// An axis.
    pub fn new(title: impl Into<String>, scale: Scale) -> Self {
        Self {
            title: title.into(),
            scale,
        }
    }
}

impl Ruler {
    /// The range for numbers that are to be drawn, with about this number of round values.
    pub(crate) fn over(scale: Scale, numbers: impl Iterator<Item = f64>, ticks: usize) -> Self {
        let drawn = numbers.filter(|number| is_drawn(scale, *number));
        let (low, high) = drawn.fold((f64::INFINITY, 0.0_f64), |(low, high), number| {
            (low.min(number), high.max(number))
        });
        match scale {
            Scale::Linear => even(scale, 0.0, high, ticks),
            Scale::Near => even(scale, low.min(high), high, ticks),
            Scale::Log => logarithmic(low, high, ticks),
        }
    }
}

/// Whether a number has a place on an axis.
fn is_drawn(scale: Scale, number: f64) -> bool {
    match scale {
        Scale::Linear | Scale::Near => number.is_finite() && number >= 0.0,
        Scale::Log => number.is_finite() && number > 0.0,
    }
}

/// From a round value at or below `low` to one at or above `high`, in steps of 1, 2 or 5.
fn even(scale: Scale, low: f64, high: f64, most: usize) -> Ruler {
    let high = if high > low { high } else { low + 1.0 };
    let span = high - low;
    let most = most.saturating_sub(2).max(2) as f64;
    let power = 10_f64.powf((span / most).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|step| span / step <= most)
        .unwrap_or(power * 10.0);
    let first = (low / step + 1e-9).floor();
    let count = (high / step - first - 1e-9).ceil().max(1.0);
    let ticks = (0..=count as u32).map(|index| (first + f64::from(index)) * step);
    Ruler {
        scale,
        low: first * step,
        high: (first + count) * step,
        ticks: ticks.map(|value| (value, words(value))).collect(),
    }
}

/// From a round value below all to one above: 1, 2 and 5 of each power of ten, or fewer.
fn logarithmic(low: f64, high: f64, most: usize) -> Ruler {
    let (low, high) = if high > 0.0 { (low, high) } else { (1.0, 10.0) };
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let all = |factors: &'static [f64], step: usize| {
        let powers = (first..=last).step_by(step).map(|power| 10_f64.powi(power));
        powers.flat_map(move |power| factors.iter().map(move |factor| factor * power))
    };
    let fine: Vec<f64> = all(&[1.0, 2.0, 5.0], 1).collect();
    let below = |value: &&f64| **value <= low * (1.0 + 1e-9);
    let above = |value: &&f64| **value >= high * (1.0 - 1e-9);
    let low = fine.iter().rev().find(below).copied().unwrap_or(low);
    let high = fine
        .iter()
        .find(above)
        .copied()
        .unwrap_or(high)
        .max(low * 10.0);
    let inside = |value: &f64| (low * 0.999..=high * 1.001).contains(value);
    let tries: [(&[f64], usize); 4] =
        [(&[1.0, 2.0, 5.0], 1), (&[1.0], 1), (&[1.0], 2), (&[1.0], 3)];
    let tries = tries.map(|(factors, step)| all(factors, step).filter(inside).collect::<Vec<_>>());
    let fits = |ticks: &&Vec<f64>| (LEAST_TICKS..=most).contains(&ticks.len());
    let ticks = tries.iter().find(fits).unwrap_or(&tries[0]);
    Ruler {
        scale: Scale::Log,
        low,
        high,
        ticks: ticks.iter().map(|value| (*value, words(*value))).collect(),
    }
}

fn words(value: f64) -> String {
    match value {
        whole if whole >= 10.0 || whole.fract() == 0.0 => figure::decimal(whole, 0),
        small => format!("{}", (small * 1e6).round() / 1e6),
    }
}

impl Ruler {
    /// Where a number lies, 0 to 1; none where it has no place.
    pub(crate) fn share(&self, number: f64) -> Option<f64> {
        if !is_drawn(self.scale, number) {
            return None;
        }
        Some(match self.scale {
            Scale::Linear | Scale::Near => (number - self.low) / (self.high - self.low),
            Scale::Log => (number / self.low).log10() / (self.high / self.low).log10(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(scale: Scale, numbers: &[f64]) -> Vec<String> {
        let ruler = Ruler::over(scale, numbers.iter().copied(), 9);
        ruler.ticks.into_iter().map(|(_, words)| words).collect()
    }

    #[test]
    fn ticks_are_round() {
        let linear = |high| ticks(Scale::Linear, &[high]);
        assert_eq!(linear(14_000.0).last().unwrap(), "14,000");
        assert_eq!(linear(42_000.0).last().unwrap(), "50,000");
        assert_eq!(linear(0.0), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        let near = ticks(Scale::Near, &[960.0, 1_040.0]);
        assert_eq!(near, ["960", "980", "1,000", "1,020", "1,040"]);
        assert_eq!(
            ticks(Scale::Log, &[120.0, 900.0]),
            ["100", "200", "500", "1,000"]
        );
        let wide = ticks(Scale::Log, &[1.0, 65_536.0, f64::NAN, -1.0]);
        assert_eq!(wide, ["1", "10", "100", "1,000", "10,000", "100,000"]);
    }

    #[test]
    fn numbers_have_their_places() {
        let ruler = Ruler::over(Scale::Log, [1.0, 100.0].into_iter(), 9);
        let tenth = |share: Option<f64>| share.map(|share| (share * 10.0).round() as i32);
        assert_eq!(
            [1.0, 10.0, 100.0].map(|at| tenth(ruler.share(at))),
            [Some(0), Some(5), Some(10)]
        );
        assert_eq!(ruler.share(0.0), None);
    }
}
