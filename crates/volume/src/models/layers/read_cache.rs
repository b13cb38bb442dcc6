//! A cache of reads over a volume: hits never come to it.

use super::{Layer, own};
use crate::model::{Admission, Counters, IoShape, VolumeModel};
use fathom_core::{Nanos, Op};

/// A cache in which a share of the reads hits, evenly spread.
#[derive(Clone, Debug)]
pub struct ReadCache {
    hits: f64,
    hit: Nanos,
    due: f64,
    spared_bytes: u64,
}

impl ReadCache {
    /// A share of hits, 0 to 1, that take `hit` each.
    pub fn new(hits: f64, hit: Nanos) -> Self {
        Self {
            hits: hits.clamp(0.0, 1.0),
            hit,
            due: 0.0,
            spared_bytes: 0,
        }
    }
}

impl Layer for ReadCache {
    fn admit(&mut self, io: IoShape, at: Nanos, below: &mut dyn VolumeModel) -> Admission {
        if io.op == Op::Read {
            self.due += self.hits;
            if self.due >= 1.0 - 1e-9 {
                self.due -= 1.0;
                self.spared_bytes += u64::from(io.bytes);
                return own(at + self.hit);
            }
        }
        below.admit(io, at)
    }

    fn counted(&mut self, _at: Nanos, below: Option<Counters>) -> Option<Counters> {
        below.map(|counters| Counters {
            spared_read_bytes: counters.spared_read_bytes + self.spared_bytes,
            ..counters
        })
    }

    fn boxed(&self) -> Box<dyn Layer> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{device, read, write};
    use super::*;

    #[test]
    fn a_quarter_of_the_reads_hits() {
        let mut below = device(1000);
        let mut cache = ReadCache::new(0.25, Nanos(10));
        let mut took = |io| cache.admit(io, Nanos(0), &mut below).done.0;
        let reads: Vec<u64> = (0..8).map(|_| took(read(1))).collect();
        assert_eq!(reads, [1000, 1000, 1000, 10, 1000, 1000, 1000, 10]);
        assert_eq!(took(write(1)), 1000);
    }
}
