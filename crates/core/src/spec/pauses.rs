//! Pauses of different lengths.

use crate::figure;
use crate::units::Percent;
use serde::{Deserialize, Serialize};

/// Some of the pauses of a closed load. `think` is the mean over all of them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PauseLength {
    /// Share of the pauses; shares are relative to their sum.
    pub share: Percent,
    /// Length of each of them, relative to the others.
    pub length: u32,
}

impl PauseLength {
    /// The lengths over their mean, each with its share, which add up to 1.
    pub fn factors(pauses: &[Self]) -> Vec<(f64, f64)> {
        let all: f64 = pauses.iter().map(|one| one.share.0).sum();
        let sum = pauses
            .iter()
            .map(|one| one.share.0 * f64::from(one.length))
            .sum::<f64>();
        let each = pauses.iter();
        each.map(|one| (one.share.0 / all, f64::from(one.length) * all / sum))
            .collect()
    }

    /// As in `, of 5.0 % to 380.0 % of that`; nothing where all are alike.
    pub fn spread(pauses: &[Self]) -> String {
        let factors = Self::factors(pauses).into_iter().map(|(_, factor)| factor);
        let range = factors.fold(None, |range, factor| {
            let (least, most) = range.unwrap_or((factor, factor));
            Some((factor.min(least), factor.max(most)))
        });
        range.map_or(String::new(), |(least, most)| {
            let (least, most) = (
                figure::percent(least * 100.0),
                figure::percent(most * 100.0),
            );
            format!(", of {least} to {most} of that")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_the_factors_is_one() {
        let pause = |share, length| PauseLength {
            share: Percent(share),
            length,
        };
        let factors = PauseLength::factors(&[pause(60.0, 1), pause(20.0, 5)]);
        assert_eq!(factors, [(0.75, 0.5), (0.25, 2.5)]);
        let spread = PauseLength::spread(&[pause(60.0, 1), pause(20.0, 5)]);
        assert_eq!(spread, ", of 50.0 % to 250.0 % of that");
        assert_eq!(PauseLength::spread(&[]), "");
    }
}
