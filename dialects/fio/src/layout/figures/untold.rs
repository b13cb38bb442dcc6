//! What a row leaves out, as if it had not been measured.

use super::{Figures, Latency};
use fathom_core::summary::Spread;

impl Figures<'_> {
    pub(super) fn without_untold(mut self) -> Self {
        let untold = self.row.untold;
        for (_, direction) in &mut self.directions {
            if untold.total {
                direction.total = Latency::default();
            }
            if untold.completion {
                direction.latency = Latency::default();
            }
            if untold.submission {
                direction.submission = Latency::default();
            }
            if untold.bandwidth {
                direction.bw = Spread::default();
            }
            if untold.iops {
                direction.iops_samples = Spread::default();
            }
        }
        if untold.completion {
            self.sync = Latency::default();
            self.all = Latency::default();
        }
        self
    }
}
