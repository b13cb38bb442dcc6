//! Writes of what the target already holds.

use crate::check::{Check, Code, Example, Needs, entry};
use crate::samples;
use fathom_core::result::{HeldContent, RunResult, TargetLayout};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether a written target already held the same content",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { ContentHeld: Data, Number, "qualified",
        "a block of a target, sampled before the first write, holds content that the run writes: \
         same salt, or same pattern at the same offset",
        [],
        Example::Run(samples::writes, |r| samples::layout(r, held(64, 61)))
    }],
    run,
};

fn held(sampled: u32, held: u32) -> TargetLayout {
    TargetLayout {
        held: Some(HeldContent { sampled, held }),
        ..TargetLayout::default()
    }
}

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for target in &result.provenance.targets {
        let layout = target.layout.as_ref();
        let Some(found) = layout.and_then(|layout| layout.held) else {
            continue;
        };
        if found.held == 0 {
            continue;
        }
        let message = format!(
            "before the run, {} of {} sampled blocks already held the data to be written. Storage \
             that deduplicates or compares can acknowledge such writes without storing anything",
            found.held, found.sampled
        );
        caveats.push(
            Code::ContentHeld
                .caveat(Level::Qualified, message)
                .remedy(
                    "use random data (`fill = \"random\"`) without `salt`, so that each run writes \
                     new content",
                )
                .about(target.path.clone()),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;

    #[test]
    fn content_that_is_there_is_told() {
        let found_with = |layout| {
            let mut result = samples::writes();
            samples::layout(&mut result, layout);
            (found(&CHECK, &result), result)
        };
        assert_eq!(found_with(held(64, 0)).0, []);
        assert_eq!(found_with(TargetLayout::default()).0, []);
        let (caveats, result) = found_with(held(64, 1));
        let expected = Code::ContentHeld
            .caveat(
                Level::Qualified,
                "before the run, 1 of 64 sampled blocks already held the data to be written. \
                 Storage that deduplicates or compares can acknowledge such writes without storing \
                 anything",
            )
            .remedy(
                "use random data (`fill = \"random\"`) without `salt`, so that each run writes \
                     new content",
            )
            .about(result.provenance.targets[0].path.clone());
        assert_eq!(caveats, [expected]);
    }
}
