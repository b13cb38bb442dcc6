//! A histogram inside the result document.

use crate::histogram::{Histogram, HistogramError};
use serde::{Deserialize, Serialize};

/// HdrHistogram's compressed V2 form in base64, as HdrHistogram's own tools print it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct EncodedHistogram(pub String);

impl EncodedHistogram {
    /// Encodes all buckets, losing none.
    pub fn of(histogram: &Histogram) -> Self {
        use base64::Engine as _;
        Self(base64::engine::general_purpose::STANDARD.encode(histogram.to_v2()))
    }

    /// Decodes the buckets.
    pub fn decode(&self) -> Result<Histogram, HistogramError> {
        use base64::Engine as _;
        let bytes = base64::engine::general_purpose::STANDARD
            .decode(&self.0)
            .map_err(|error| HistogramError::damaged(&error))?;
        Histogram::from_v2(&bytes)
    }
}
