//! Which threads of a pool use which targets, and with what shares.

use crate::diskspd::profile::{Target, TimeSpan};
use std::collections::BTreeSet;

/// Threads that use the same targets with the same shares: how many, and the targets by their
/// place in the time span, each with its share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) threads: u32,
    pub(super) targets: Vec<(usize, u32)>,
}

/// The groups of a pool, that of the threads which nobody chose first.
pub(super) fn groups(span: &TimeSpan) -> Vec<Group> {
    let chosen = span
        .targets
        .iter()
        .flat_map(|target| &target.thread_targets);
    let chosen: BTreeSet<u32> = chosen.map(|chosen| chosen.thread).collect();
    let others = span.threads.saturating_sub(chosen.len() as u32);
    let mut groups = Vec::new();
    add(&mut groups, others, targets_of(span, None));
    for thread in chosen {
        add(&mut groups, 1, targets_of(span, Some(thread)));
    }
    groups
}

fn add(groups: &mut Vec<Group>, threads: u32, targets: Vec<(usize, u32)>) {
    if threads == 0 || targets.is_empty() {
        return;
    }
    match groups.iter_mut().find(|group| group.targets == targets) {
        Some(group) => group.threads += threads,
        None => groups.push(Group { threads, targets }),
    }
}

/// What a thread uses; none for one that no target has chosen.
fn targets_of(span: &TimeSpan, thread: Option<u32>) -> Vec<(usize, u32)> {
    // Without a queue for all of its targets a thread has as many requests at each.
    let is_shared = span.outstanding > 0;
    let share = |target: &Target| {
        if target.thread_targets.is_empty() {
            return Some(target.weight);
        }
        let mut chosen = target.thread_targets.iter();
        let chosen = chosen.find(|chosen| Some(chosen.thread) == thread)?;
        Some(chosen.weight.unwrap_or(target.weight))
    };
    let targets = span.targets.iter().enumerate();
    let shares = targets.filter_map(|(index, target)| {
        let share = share(target)?;
        Some((index, if is_shared { share } else { 1 }))
    });
    let shares: Vec<(usize, u32)> = shares.collect();
    let common = shares
        .iter()
        .fold(0, |common, (_, share)| divisor(common, *share));
    shares
        .into_iter()
        .map(|(index, share)| (index, share / common.max(1)))
        .collect()
}

/// The greatest common divisor.
const fn divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diskspd::profile::ThreadTarget;

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
