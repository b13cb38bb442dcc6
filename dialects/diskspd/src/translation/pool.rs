//! Which threads of a pool use which targets, and with what shares.

use crate::profile::TimeSpan;
use std::collections::{BTreeMap, HashMap};

/// Threads that use the same targets with the same shares: how many, and the targets by their
/// place in the time span, each with its share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) threads: u32,
    pub(super) targets: Vec<(usize, u32)>,
}

/// Targets with their shares, by their place in the time span.
type Shares = Vec<(usize, u32)>;

/// The groups of a pool, that of the threads which nobody chose first.
pub(super) fn groups(span: &TimeSpan) -> Vec<Group> {
    // What all threads use, and what the chosen ones use in addition.
    let mut common = Shares::new();
    let mut chosen: BTreeMap<u32, Shares> = BTreeMap::new();
    for (index, target) in span.targets.iter().enumerate() {
        if target.thread_targets.is_empty() {
            common.push((index, target.weight));
        }
        for thread in &target.thread_targets {
            let its = chosen.entry(thread.thread).or_default();
            // The first mention counts.
            if its.last().is_none_or(|(last, _)| *last != index) {
                its.push((index, thread.weight.unwrap_or(target.weight)));
            }
        }
    }
    let others = span.threads.saturating_sub(chosen.len() as u32);
    let mut groups = Groups::default();
    groups.add(others, shares(span, common.clone()));
    for its in chosen.into_values() {
        let mut targets = [common.as_slice(), &its].concat();
        targets.sort_unstable();
        groups.add(1, shares(span, targets));
    }
    groups.list
}

/// Groups, each to be found by what it uses.
#[derive(Default)]
struct Groups {
    list: Vec<Group>,
    places: HashMap<Shares, usize>,
}

impl Groups {
    fn add(&mut self, threads: u32, targets: Shares) {
        if threads == 0 || targets.is_empty() {
            return;
        }
        if let Some(place) = self.places.get(&targets) {
            self.list[*place].threads += threads;
            return;
        }
        self.places.insert(targets.clone(), self.list.len());
        self.list.push(Group { threads, targets });
    }
}

/// Shares in their smallest numbers. Without a queue for all of its targets a thread has as many
/// requests at each.
fn shares(span: &TimeSpan, mut targets: Shares) -> Shares {
    if span.outstanding == 0 {
        for (_, share) in &mut targets {
            *share = 1;
        }
    }
    let common = targets
        .iter()
        .fold(0, |common, (_, share)| divisor(common, *share));
    for (_, share) in &mut targets {
        *share /= common.max(1);
    }
    targets
}

/// The greatest common divisor.
const fn divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{Target, ThreadTarget};

    fn target(weight: u32, chosen: &[(u32, Option<u32>)]) -> Target {
        let chosen = chosen.iter();
        let chosen = chosen.map(|&(thread, weight)| ThreadTarget { thread, weight });
        Target {
            weight,
            thread_targets: chosen.collect(),
            ..Target::default()
        }
    }

    #[test]
    fn threads_with_the_same_targets_are_one_group() {
        let span = TimeSpan {
            threads: 4,
            outstanding: 6,
            targets: vec![
                target(100, &[(0, Some(200)), (1, Some(50)), (2, None)]),
                target(100, &[]),
            ],
            ..TimeSpan::default()
        };
        let group = |threads, targets: &[(usize, u32)]| Group {
            threads,
            targets: targets.to_vec(),
        };
        let expected = [
            group(1, &[(1, 1)]),
            group(1, &[(0, 2), (1, 1)]),
            group(1, &[(0, 1), (1, 2)]),
            group(1, &[(0, 1), (1, 1)]),
        ];
        assert_eq!(groups(&span), expected);
        let alike = TimeSpan {
            targets: vec![target(7, &[]), target(7, &[])],
            ..span
        };
        assert_eq!(groups(&alike), [group(4, &[(0, 1), (1, 1)])]);
    }
}
