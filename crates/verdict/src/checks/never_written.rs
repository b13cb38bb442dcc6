//! A device that has nothing where it is read.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use fathom_core::result::{Evidence, RunResult, TargetLayout};
use fathom_core::{Caveat, Level, Op};

thresholds! {
    /// Share of sampled blocks that are zeros from which a device was never written
    ZERO_BLOCKS: f64 = 0.90, Share, Decided;
    /// Blocks all over a device that are sampled
    SAMPLED_BLOCKS: u64 = 64, Count, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether a device that is read was ever written",
    needs: Needs::OurRun(&[Evidence::Contents]),
    codes: &[entry! { NeverWritten: File, Number, "suspect",
        "{ZERO_BLOCKS} or more of {SAMPLED_BLOCKS} sampled blocks of a device that is read are \
         zeros",
        [row::ZERO_BLOCKS, row::SAMPLED_BLOCKS],
        Example::Run(samples::reads, |r| {
            let (blocks_sampled, blocks_zero) = (Some(64), Some(61));
            r.provenance.targets[0].kind = "block device".into();
            samples::layout(
                r,
                TargetLayout {
                    blocks_sampled,
                    blocks_zero,
                    ..TargetLayout::default()
                },
            );
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    // Probes may read what the run itself only writes.
    if !subject::jobs(result).any(|(_, job, _)| job.ops[Op::Read].is_some()) {
        return;
    }
    for target in &result.provenance.targets {
        let Some(layout) = target.layout.as_ref().filter(|_| target.kind != "file") else {
            continue;
        };
        let (Some(sampled), Some(zero)) = (layout.blocks_sampled, layout.blocks_zero) else {
            continue;
        };
        if sampled == 0 || f64::from(zero) < ZERO_BLOCKS * f64::from(sampled) {
            continue;
        }
        let message = format!(
            "{zero} of {sampled} blocks sampled across it hold only zeros. A thin or trimmed \
             device serves those from its map"
        );
        caveats.push(
            Code::NeverWritten
                .caveat(Level::Suspect, message)
                .remedy("write the whole device once before reading it")
                .about(target.path.clone()),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;
    use fathom_core::result::TargetLayout;

    #[test]
    fn zeros_nearly_everywhere_are_suspect() {
        for (zero, expected) in [(57, 0), (58, 1)] {
            let mut result = fixture::random_read();
            let layout = TargetLayout {
                blocks_sampled: Some(64),
                blocks_zero: Some(zero),
                ..TargetLayout::default()
            };
            result.provenance.targets[0].kind = "block device".to_owned();
            result.provenance.targets[0].layout = Some(Box::new(layout));
            assert_eq!(found(&CHECK, &result).len(), expected);
        }
    }

    #[test]
    fn what_is_only_written_need_not_be_there_before() {
        let mut result = fixture::random_read();
        let layout = TargetLayout {
            blocks_sampled: Some(64),
            blocks_zero: Some(64),
            ..TargetLayout::default()
        };
        result.provenance.targets[0].kind = "block device".to_owned();
        result.provenance.targets[0].layout = Some(Box::new(layout));
        assert_eq!(found(&CHECK, &result).len(), 1);
        let job = &mut result.phases[0].jobs[0];
        job.ops[Op::Write] = job.ops[Op::Read].take();
        assert_eq!(found(&CHECK, &result), []);
    }
}
