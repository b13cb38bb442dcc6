//! Groups of processors, as Windows has them: here they are cut by number, 64 each.

use fathom_core::result::ProcessorUse;
use std::collections::BTreeSet;

/// Processors in a group.
pub(super) const GROUP: u32 = 64;

/// The number of a processor in a group; none where no group has it. Group 0 goes without saying:
/// its processors are those of a machine without groups.
pub(super) fn number(group: u16, processor: u8) -> Option<u32> {
    let processor = u32::from(processor);
    match group {
        0 => Some(processor),
        _ => (processor < GROUP).then(|| u32::from(group) * GROUP + processor),
    }
}

/// The group and the processor in it that a number is, without a group as far as that can be said.
pub(super) fn of(number: u32) -> Option<(u16, u8)> {
    if let Ok(processor) = u8::try_from(number) {
        return Some((0, processor));
    }
    let group = u16::try_from(number / GROUP).ok()?;
    Some((group, (number % GROUP) as u8))
}

/// The number of the core of each processor within its group, without gaps.
pub(super) fn cores(all: &[ProcessorUse]) -> Vec<u32> {
    let group = |one: &ProcessorUse| one.number / GROUP;
    let cores: BTreeSet<(u32, u32)> = all.iter().map(|one| (group(one), one.core)).collect();
    let number = |one: &ProcessorUse| cores.range((group(one), 0)..(group(one), one.core)).count();
    all.iter().map(|one| number(one) as u32).collect()
}

/// A list as the command line has it, a group before the first of its processors.
pub(super) fn words(list: &[(u16, u8)]) -> String {
    let mut words = Vec::new();
    let mut current = 0;
    for (group, processor) in list {
        if *group != current {
            current = *group;
            words.push(format!("g{group}"));
        }
        words.push(processor.to_string());
    }
    words.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_a_processor_of_a_group_and_back() {
        let cases = [
            ((0, 0), Some(0)),
            ((0, 200), Some(200)),
            ((1, 0), Some(64)),
            ((2, 63), Some(191)),
            ((1, 64), None),
            ((4, 0), Some(256)),
        ];
        for ((group, processor), expected) in cases {
            assert_eq!(number(group, processor), expected, "{group},{processor}");
        }
        assert_eq!(
            [of(200), of(256), of(319)],
            [Some((0, 200)), Some((4, 0)), Some((4, 63))]
        );
        assert_eq!(of(u32::MAX), None);
        assert_eq!(words(&[(0, 1), (4, 0), (4, 3), (0, 2)]), "1,g4,0,3,g0,2");
    }
}
