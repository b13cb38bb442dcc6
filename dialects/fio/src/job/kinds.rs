//! What the requests of a job are: a weighted list.

use super::Maker;
use crate::values::Range;
use fathom_core::spec::IoKind;
use fathom_core::{Bytes, Op, Percent};

/// Most sizes that a range is drawn in.
const MOST_STEPS: u64 = 64;

const OPS: [Op; 3] = [Op::Read, Op::Write, Op::Trim];

impl Maker<'_> {
    /// The directions that the job has, with their shares of the requests in percent.
    pub(super) fn directions(&self) -> Vec<(usize, f64)> {
        let settings = self.settings;
        let pattern = settings.pattern;
        if pattern.trims_first() {
            return vec![(2, 50.0), (1, 50.0)];
        }
        let (read, write) = match (pattern.reads(), pattern.writes()) {
            (true, true) => (settings.read_share, 100.0 - settings.read_share),
            (true, false) => (100.0, 0.0),
            (false, writes) => (0.0, if writes { 100.0 } else { 0.0 }),
        };
        let trim = if pattern.trims() { 100.0 } else { 0.0 };
        [(0, read), (1, write), (2, trim)]
            .into_iter()
            .filter(|(_, share)| *share > 0.0)
            .collect()
    }

    /// Sizes of a direction with their weights, which add up to one.
    pub(super) fn sizes(&self, direction: usize) -> Vec<(u64, f64)> {
        let settings = self.settings;
        // A write that follows a trim is as long as that.
        let direction = if settings.pattern.trims_first() {
            2
        } else {
            direction
        };
        let split = &settings.block_split[direction];
        let mut sizes = if !split.is_empty() {
            let given: f64 = split.iter().filter_map(|(_, share)| *share).sum();
            let open = split.iter().filter(|(_, share)| share.is_none()).count();
            let rest = (100.0 - given).max(0.0) / open.max(1) as f64;
            split
                .iter()
                .map(|(size, share)| (*size, share.unwrap_or(rest)))
                .collect()
        } else if let Some(range) = settings.block_range[direction] {
            steps(range)
        } else {
            vec![(settings.block[direction], 1.0)]
        };
        sizes.retain(|(_, weight)| *weight > 0.0);
        let total: f64 = sizes.iter().map(|(_, weight)| weight).sum();
        for (_, weight) in &mut sizes {
            *weight /= total;
        }
        sizes
    }

    /// The smallest block of all directions.
    pub(super) fn smallest_block(&self) -> u64 {
        let sizes = |direction| self.sizes(direction).into_iter().map(|(size, _)| size);
        self.directions()
            .into_iter()
            .flat_map(|(direction, _)| sizes(direction))
            .min()
            .unwrap_or(self.settings.block[0])
    }

    /// The largest block of all directions.
    pub(super) fn largest_block(&self) -> u64 {
        let sizes = |direction| self.sizes(direction).into_iter().map(|(size, _)| size);
        let directions = self.directions().into_iter();
        let all = directions.flat_map(|(direction, _)| sizes(direction));
        all.max().unwrap_or(self.settings.block[0])
    }

    /// Whether all requests are of one size.
    pub(super) fn has_one_block(&self) -> bool {
        let directions = self.directions().into_iter();
        let mut sizes = directions.flat_map(|(direction, _)| self.sizes(direction));
        let first = sizes.next().map(|(size, _)| size);
        sizes.all(|(size, _)| Some(size) == first)
    }

    /// Share of the requests of a direction that go to a random place.
    fn random(&self, direction: usize) -> f64 {
        let settings = self.settings;
        if !settings.pattern.random {
            return 0.0;
        }
        // A number after the colon draws a new place only after this number of requests.
        let run = settings.pattern_step.unwrap_or(1).max(1);
        settings.random_share[direction] / run as f64
    }

    /// The weighted list.
    pub(super) fn kinds(&self) -> Vec<IoKind> {
        let mut kinds = Vec::new();
        for (direction, share) in self.directions() {
            let random = self.random(direction);
            if self.settings.block_by_order && self.settings.pattern.random {
                // The sizes of reads are those of sequential, of writes those of random requests.
                self.add(
                    &mut kinds,
                    direction,
                    0,
                    0.0,
                    share * (100.0 - random) / 100.0,
                );
                self.add(&mut kinds, direction, 1, 100.0, share * random / 100.0);
            } else {
                self.add(&mut kinds, direction, direction, random, share);
            }
        }
        kinds
    }

    fn add(
        &self,
        kinds: &mut Vec<IoKind>,
        direction: usize,
        sizes: usize,
        random: f64,
        share: f64,
    ) {
        let sizes = self.sizes(sizes);
        let smallest = sizes.iter().map(|(size, _)| *size).min().unwrap_or(512);
        let aligned_as = if self.settings.pattern.trims_first() {
            2
        } else {
            direction
        };
        let align = self.settings.align[aligned_as].unwrap_or(smallest);
        for (size, weight) in sizes {
            let weight = round(weight * share);
            kinds.extend((weight > 0.0).then(|| IoKind {
                op: OPS[direction],
                block_size: Bytes(size),
                random: Percent(random),
                align: Bytes(align),
                weight,
            }));
        }
    }
}

/// Without the noise of the last digits, so that 70 percent are 70.
pub(super) fn round(weight: f64) -> f64 {
    (weight * 1e9).round() / 1e9
}

/// All multiples of the smaller end, each with the same weight; what is left of the range goes to
/// the larger end.
fn steps(range: Range) -> Vec<(u64, f64)> {
    let Range { low, high } = range;
    let count = high / low;
    if count > MOST_STEPS {
        let step = |index: u64| low * (1 + index * (count - 1) / (MOST_STEPS - 1));
        return (0..MOST_STEPS).map(|index| (step(index), 1.0)).collect();
    }
    let mut sizes: Vec<(u64, f64)> = (1..=count).map(|index| (index * low, 1.0)).collect();
    let rest = high - count * low;
    if rest > 0 {
        sizes.push((high, rest as f64 / low as f64));
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// fio 3.33 with `bsrange=4k-18k` drew 1393, 1339, 1329, 1289 and 705 of 6055.
    #[test]
    fn a_range_is_drawn_in_steps_of_its_smaller_end() {
        let range = |low, high| Range { low, high };
        assert_eq!(
            steps(range(4096, 18432)),
            [
                (4096, 1.0),
                (8192, 1.0),
                (12288, 1.0),
                (16384, 1.0),
                (18432, 0.5)
            ]
        );
        let many = steps(range(512, 1 << 20));
        assert_eq!(many.len(), 64);
        assert_eq!((many[0].0, many[63].0), (512, 1 << 20));
    }
}
