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

    /// Whether to look after `pairs` pairs.
    pub fn is_look(&self, pairs: usize) -> bool {
        self.looks.contains(&pairs)
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
    }
}
