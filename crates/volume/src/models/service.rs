//! How long a device takes for a request, once it is its turn.

use rand_distr::{Distribution as _, Exp1, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The law of service times.
#[derive(Clone, Debug, PartialEq)]
pub enum ServiceLaw {
    /// Always the same, nanoseconds.
    Constant(f64),
    /// Exponential with this mean, nanoseconds.
    Exponential(f64),
    /// Log-normal: median in nanoseconds, sigma of the logarithm.
    LogNormal(f64, f64),
    /// One of several laws, each with its weight.
    Mix(Vec<(f64, Self)>),
}

impl ServiceLaw {
    /// A service time in nanoseconds.
    pub fn draw(&self, random: &mut Xoshiro256PlusPlus) -> f64 {
        match self {
            Self::Constant(nanoseconds) => *nanoseconds,
            Self::Exponential(mean) => {
                let drawn: f64 = Exp1.sample(random);
                mean * drawn
            }
            Self::LogNormal(median, sigma) => {
                let drawn: f64 = StandardNormal.sample(random);
                median * (sigma * drawn).exp()
            }
            Self::Mix(laws) => {
                let sum: f64 = laws.iter().map(|(weight, _)| weight).sum();
                let mut left = unit(random) * sum;
                let chosen = laws.iter().find(|(weight, _)| {
                    left -= weight;
                    left < 0.0
                });
                chosen
                    .or(laws.last())
                    .map_or(0.0, |(_, law)| law.draw(random))
            }
        }
    }

    /// The mean in nanoseconds.
    pub fn mean(&self) -> f64 {
        match self {
            Self::Constant(nanoseconds) => *nanoseconds,
            Self::Exponential(mean) => *mean,
            Self::LogNormal(median, sigma) => median * (sigma * sigma / 2.0).exp(),
            Self::Mix(laws) => {
                let sum: f64 = laws.iter().map(|(weight, _)| weight).sum();
                laws.iter()
                    .map(|(weight, law)| weight / sum * law.mean())
                    .sum()
            }
        }
    }
}

/// A number from 0 up to 1.
fn unit(random: &mut Xoshiro256PlusPlus) -> f64 {
    rand_distr::StandardUniform.sample(random)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::SeedableRng as _;

    #[test]
    fn drawn_times_have_the_mean_of_their_law() {
        let laws = [
            ServiceLaw::Constant(1e5),
            ServiceLaw::Exponential(1e5),
            ServiceLaw::LogNormal(1e5, 0.5),
            ServiceLaw::Mix(vec![
                (9.0, ServiceLaw::Constant(1e5)),
                (1.0, ServiceLaw::Exponential(1e6)),
            ]),
        ];
        for law in laws {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
            let mean = (0..100_000).map(|_| law.draw(&mut random)).sum::<f64>() / 1e5;
            assert!((mean / law.mean() - 1.0).abs() < 0.02, "{law:?}: {mean}");
        }
    }
}
