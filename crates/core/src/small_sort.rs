//! Sorting of lists that a person reads: the standard library writes 4 KB of machine code for each
//! closure that compares, to be fast with millions. Here all lists share one copy.

use std::cmp::Ordering;

/// Stable sorting in little code, for lists of findings, rows and names.
pub trait SmallSort<T> {
    /// As [`slice::sort_by`].
    fn small_sort_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// As [`slice::sort_by_key`].
    fn small_sort_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
}

impl<T> SmallSort<T> for [T] {
    fn small_sort_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let order = order(self.len(), &mut |one, other| {
            compare(&self[one], &self[other])
        });
        arrange(order, &mut |one, other| self.swap(one, other));
    }

    fn small_sort_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.small_sort_by(|one, other| key(one).cmp(&key(other)));
    }
}

/// The places of a list, sorted.
fn order(length: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..length).collect();
    order.sort_by(|one, other| compare(*one, *other));
    order
}

/// Moves what is at `order[n]` to n, one cycle of the permutation after the other.
fn arrange(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut order[at], at);
            if from == start || from == at {
                break;
            }
            swap(at, from);
            at = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SmallSort;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_sorts_as_the_standard_library_does(list: Vec<(u8, u32)>) {
            let (mut own, mut expected) = (list.clone(), list);
            own.small_sort_by_key(|(key, _)| *key % 16);
            expected.sort_by_key(|(key, _)| *key % 16);
            prop_assert_eq!(&own, &expected);
            own.small_sort_by(|one, other| other.cmp(one));
            expected.sort_by(|one, other| other.cmp(one));
            prop_assert_eq!(own, expected);
        }
    }
}
