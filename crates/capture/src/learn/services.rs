//! Service times of requests that are alike, to draw others from.

use super::demerit::quantiles;
use fathom_core::{Histogram, Op};
use std::collections::BTreeMap;

/// Service times by operation and by powers of two of the size.
#[derive(Clone, Debug, Default)]
pub struct Services {
    all: BTreeMap<(Op, u32), Histogram>,
}

impl Services {
    /// Adds a request.
    pub fn add(&mut self, op: Op, bytes: u64, service_ns: u64) {
        let histogram = self.all.entry(key(op, bytes)).or_default();
        histogram.record(service_ns);
    }

    /// Whether no service time is known.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The values in the middle of a thousand equal shares, rising, by operation and power of two.
    pub fn quantiles(&self) -> BTreeMap<(Op, u32), Vec<u64>> {
        let all = self.all.iter();
        all.map(|(key, histogram)| (*key, quantiles(histogram)))
            .collect()
    }

    /// The key of a request.
    pub fn key(op: Op, bytes: u64) -> (Op, u32) {
        key(op, bytes)
    }
}

const fn key(op: Op, bytes: u64) -> (Op, u32) {
    (op, if bytes == 0 { 0 } else { bytes.ilog2() })
}
