//! When a sequence of pairs may be looked at. Who looks after every pair until it is significant
//! will see a difference between equal things sooner or later.

use super::verdict::Limits;
use crate::stats::LOOKS;

/// The looks at a sequence of pairs; what may be seen by chance is shared out evenly among them.
#[derive(Clone, Debug, PartialEq)]
pub struct Sequence {
    /// Numbers of pairs at which to look, rising.
    pub looks: Vec<usize>,
}

impl Sequence {
    /// The looks up to `pairs_max`, which is the last of them.
    pub fn up_to(pairs_max: usize) -> Self {
        let mut looks: Vec<usize> = LOOKS.into_iter().filter(|look| *look < pairs_max).collect();
        looks.push(pairs_max);
        Self { looks }
    }

    /// The limits of each look: alpha is divided by their number (Bonferroni, which needs no
    /// independence).
    pub fn limits(&self, limits: Limits) -> Limits {
        Limits {
            alpha: limits.alpha / self.looks.len() as f64,
            ..limits
        }
    }

    /// Whether to look after so many pairs.
    pub fn is_look(&self, pairs: usize) -> bool {
        self.looks.contains(&pairs)
    }

    /// The fewest pairs with which a look can see anything: `2 / 2^n` has to be below its alpha.
    pub fn least_pairs(alpha: f64) -> usize {
        (1..64).find(|n| 2.0 / 2_f64.powi(*n) < alpha).unwrap_or(64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alpha_is_shared_out() {
        let sequence = Sequence::up_to(24);
        assert_eq!(sequence.looks, [8, 12, 16, 24]);
        let limits = sequence.limits(Limits::default());
        assert_eq!(limits.alpha.to_bits(), 0.0125_f64.to_bits());
        assert_eq!(Sequence::up_to(6).looks, [6]);
        assert_eq!(Sequence::up_to(10).looks, [8, 10]);
        assert_eq!([0.05, 0.0125].map(Sequence::least_pairs), [6, 8]);
    }
}
