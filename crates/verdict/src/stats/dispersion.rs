//! How regular counts are: a shaper's are more regular than chance.

use statrs::distribution::{ChiSquared, ContinuousCDF as _};

/// The index of dispersion of counts, and where chance would put it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dispersion {
    /// Variance over mean; 1 for arrivals by chance (Poisson).
    pub index: f64,
    /// The band in which the index of Poisson counts lies 99 times of 100.
    pub band: (f64, f64),
}

impl Dispersion {
    /// Whether the counts are more regular than chance.
    pub fn is_regular(&self) -> bool {
        self.index < self.band.0
    }
}

/// The dispersion of counts in equal intervals; none with fewer than ten or without any.
pub fn dispersion(counts: &[f64]) -> Option<Dispersion> {
    let count = counts.len() as f64;
    let mean = counts.iter().sum::<f64>() / count;
    if counts.len() < 10 || mean <= 0.0 {
        return None;
    }
    let squares: f64 = counts.iter().map(|value| (value - mean).powi(2)).sum();
    Some(Dispersion {
        index: squares / (count - 1.0) / mean,
        band: poisson_band(counts.len())?,
    })
}

/// (n - 1) times the index is chi-squared with n - 1 degrees of freedom.
fn poisson_band(n: usize) -> Option<(f64, f64)> {
    let freedom = n as f64 - 1.0;
    let chi = ChiSquared::new(freedom).ok()?;
    Some((
        chi.inverse_cdf(0.005) / freedom,
        chi.inverse_cdf(0.995) / freedom,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_band_of_chance_is_the_published_one() {
        for (n, low, high) in [(30, 0.451, 1.806), (60, 0.589, 1.538), (120, 0.697, 1.366)] {
            let band = poisson_band(n).expect("enough counts");
            // The published band has the scatter of a simulation.
            assert!((band.0 - low).abs() < 2e-3, "{n}: {band:?}");
            assert!((band.1 - high).abs() < 2e-3, "{n}: {band:?}");
        }
    }

    #[test]
    fn a_metronome_is_regular_and_bursts_are_not() {
        let regular: Vec<f64> = (0..30).map(|n| 1953.0 + f64::from(n % 3)).collect();
        assert!(dispersion(&regular).expect("counts").is_regular());
        let bursts: Vec<f64> = (0..30).map(|n| 1953.0 + 200.0 * f64::from(n % 3)).collect();
        assert!(!dispersion(&bursts).expect("counts").is_regular());
        assert_eq!(dispersion(&regular[..5]), None);
    }
}
