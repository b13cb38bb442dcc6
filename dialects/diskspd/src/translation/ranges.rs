//! Distributions of DISKSPD as shares of the used part.

use crate::profile::Ranges;
use fathom_core::Percent;
use fathom_core::spec::{Distribution, HotRange};

/// The distribution over a part of `length` bytes.
pub(super) fn distribution(ranges: &Ranges, length: u64) -> Distribution {
    let ranges = match ranges {
        Ranges::Uniform => return Distribution::Uniform,
        Ranges::Percent(list) => without_rest(list)
            .iter()
            .map(|(ios, of)| HotRange {
                ios: Percent(f64::from(*ios)),
                of: Percent(*of as f64),
            })
            .collect(),
        Ranges::Absolute(list) => effective(list, length),
    };
    Distribution::Hot { ranges }
}

/// The ranges without one at the end that gets nothing: so does what no range has.
fn without_rest(list: &[(u32, u64)]) -> &[(u32, u64)] {
    let all = |list: &[(u32, u64)]| list.iter().map(|(ios, _)| ios).sum::<u32>() == 100;
    match list {
        [before @ .., (0, _)] if all(before) => before,
        list => list,
    }
}

/// Absolute ranges cut to the length; what is left of the shares is scaled to all requests.
fn effective(list: &[(u32, u64)], length: u64) -> Vec<HotRange> {
    let mut start = 0_u64;
    let mut cut = Vec::new();
    for (ios, size) in list {
        // Without a size a range goes to the end.
        let size = if *size == 0 { length } else { *size };
        let size = size.min(length - start);
        if size == 0 {
            break;
        }
        cut.push((f64::from(*ios), size));
        start += size;
    }
    let sum: f64 = cut.iter().map(|(ios, _)| ios).sum();
    // With nothing of the target left, the rest of the requests has no place of its own.
    let factor = if start == length && sum > 0.0 {
        100.0 / sum
    } else {
        1.0
    };
    cut.into_iter()
        .map(|(ios, size)| HotRange {
            ios: Percent(ios * factor),
            of: Percent(size as f64 / length as f64 * 100.0),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(list: &[(u32, u64)], length: u64) -> Vec<(f64, f64)> {
        let ranges = effective(list, length);
        ranges
            .iter()
            .map(|range| (range.ios.0, range.of.0))
            .collect()
    }

    #[test]
    fn absolute_ranges_become_shares_of_the_target() {
        let list = [(90, 10), (0, 10), (5, 20)];
        assert_eq!(found(&list, 100), [(90.0, 10.0), (0.0, 10.0), (5.0, 20.0)]);
    }

    #[test]
    fn a_small_target_cuts_the_table_and_scales_the_shares() {
        let list = [(90, 10), (0, 10), (5, 20)];
        assert_eq!(found(&list, 8), [(100.0, 100.0)]);
        assert_eq!(
            found(&[(60, 10), (20, 10)], 20),
            [(75.0, 50.0), (25.0, 50.0)]
        );
    }
}
