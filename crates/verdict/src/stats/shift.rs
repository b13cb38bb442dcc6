//! What a comparison of two sets of runs finds.

use serde::Serialize;

/// A shift with its interval and the probability of seeing it by chance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Shift {
    /// How far the second is above the first, in the unit of the values.
    pub estimate: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// Confidence of the interval, 0 to 1: what its order statistics really have.
    pub confidence: f64,
    /// Two-sided probability of at least such a shift where there is none.
    pub p: f64,
}

impl Shift {
    /// Whether the interval has a confidence of `1 - alpha`. Few runs cannot give it.
    pub fn reaches(&self, alpha: f64) -> bool {
        // A hair of tolerance: `1 - 0.05` is no binary fraction.
        self.confidence >= 1.0 - alpha - 1e-9
    }

    /// The shift of logarithms as a ratio: estimate and both ends raised, the rest kept.
    #[must_use]
    pub fn exp(self) -> Self {
        Self {
            estimate: self.estimate.exp(),
            low: self.low.exp(),
            high: self.high.exp(),
            ..self
        }
    }
}
