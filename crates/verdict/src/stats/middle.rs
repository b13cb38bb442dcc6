//! The middle of short rounds that were made to ask something.

use super::{RankInterval, median, quantile_ranks};
use fathom_core::result::{MicroProbe, ProbeRound};

/// A number of a round, if it has it.
pub type OfRound = fn(&ProbeRound) -> Option<f64>;

/// The middle of the rounds, and between which it lies with 95 % confidence, by ranks: one round of
/// nine, two of twelve may have been disturbed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Middle {
    /// The median.
    pub estimate: f64,
    /// Least that it can be.
    pub low: f64,
    /// Most that it can be.
    pub high: f64,
}

impl Middle {
    /// Of these values; `None` where they are too few (below six) to say anything.
    pub fn of(mut values: Vec<f64>) -> Option<Self> {
        let RankInterval { low, high } = quantile_ranks(values.len() as u64, 0.5);
        values.sort_by(f64::total_cmp);
        let at = |rank: u64| values[rank as usize - 1];
        Some(Self {
            estimate: median(&values),
            low: at(low?),
            high: at(high?),
        })
    }

    /// A number over all rounds of a question; `None` where there are too few to say anything.
    pub fn of_rounds(probe: &MicroProbe, of: OfRound) -> Option<Self> {
        Self::of(probe.rounds.iter().filter_map(of).collect())
    }

    /// A number over one of another question, from rounds of the same number, which are
    /// neighbours in time; `None` where there are too few to say anything.
    pub fn of_ratios(
        (probe, of): (&MicroProbe, OfRound),
        (base, base_of): (&MicroProbe, OfRound),
    ) -> Option<Self> {
        let ratios = probe.rounds.iter().filter_map(|round| {
            let mut others = base.rounds.iter();
            let beside = others.find(|one| one.number == round.number)?;
            let ratio = of(round)? / base_of(beside)?;
            (ratio > 0.0 && ratio.is_finite()).then_some(ratio)
        });
        Self::of(ratios.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_nine_and_two_of_twelve_may_be_disturbed() {
        let of = |count: u32, disturbed: u32| {
            let values = (0..count).map(|index| if index < disturbed { 0.0 } else { 1.0 });
            Middle::of(values.collect()).map(|middle| (middle.low, middle.high))
        };
        assert_eq!(of(5, 0), None);
        assert_eq!(of(6, 0), Some((1.0, 1.0)));
        assert_eq!(of(8, 1), Some((0.0, 1.0)));
        assert_eq!(of(9, 1), Some((1.0, 1.0)));
        assert_eq!(of(9, 2), Some((0.0, 1.0)));
        assert_eq!(of(12, 2), Some((1.0, 1.0)));
    }
}
