//! Lists of processors: as ranges, for a few letters can name tens of thousands.

use std::sync::Arc;

/// The highest number of a processor.
const LAST: u32 = 65_535;

/// Processors by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Processors {
    /// First and last of each range.
    ranges: Vec<(u32, u32)>,
}

impl Processors {
    /// Reads a list as `0-3,8`, with commas or colons; none of what is no such list.
    pub(super) fn of(text: &str) -> Option<Arc<Self>> {
        let mut ranges = Vec::new();
        for part in text.split([',', ':']) {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let first: u32 = first.trim().parse().ok()?;
            let last: u32 = last.trim().parse().ok()?;
            if last < first || last > LAST {
                return None;
            }
            ranges.push((first, last));
        }
        Some(Arc::new(Self { ranges }))
    }

    /// Those whose bit is set.
    pub(super) fn of_mask(mask: u64) -> Arc<Self> {
        let named = (0..64).filter(|bit| mask >> bit & 1 == 1);
        Arc::new(Self {
            ranges: named.map(|bit| (bit, bit)).collect(),
        })
    }

    /// All of several lists, a list that is there several times once.
    pub(super) fn together(mut lists: Vec<Arc<Self>>) -> Arc<Self> {
        lists.dedup_by(|one, other| Arc::ptr_eq(one, other));
        let mut ranges: Vec<(u32, u32)> = lists
            .iter()
            .flat_map(|list| list.ranges.iter().copied())
            .collect();
        ranges.sort_unstable();
        ranges.dedup_by(|next, kept| {
            let joins = next.0 <= kept.1.saturating_add(1);
            if joins {
                kept.1 = kept.1.max(next.1);
            }
            joins
        });
        Arc::new(Self { ranges })
    }

    /// The number of each.
    pub(super) fn list(&self) -> Vec<u32> {
        self.ranges
            .iter()
            .flat_map(|(first, last)| *first..=*last)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_put_together_in_order() {
        let lists = ["0-3,8", "2-5", "7:9", "0-3,8"].map(|text| Processors::of(text).expect(text));
        let all = Processors::together(lists.to_vec());
        assert_eq!(all.ranges, [(0, 5), (7, 9)]);
        assert_eq!(all.list(), [0, 1, 2, 3, 4, 5, 7, 8, 9]);
        assert_eq!(Processors::of_mask(0b1011).list(), [0, 1, 3]);
        for wrong in ["", "3-1", "0-65536", "a"] {
            assert_eq!(Processors::of(wrong), None, "{wrong}");
        }
    }
}
