//! A device that has nothing where it is read.

use crate::check::Check;
use crate::subject;
use crate::thresholds::ZERO_BLOCKS;
use fathom_core::result::{Evidence, RunResult};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    codes: &["never_written"],
    needs: &[Evidence::Contents],
    purpose: "whether a device that is read was ever written (P17)",
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    // Probes may read what the run itself only writes.
    if !subject::jobs(result).any(|(_, job, _)| job.read.is_some()) {
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
            "{zero} of {sampled} blocks sampled all over it hold only zeros: a thin or trimmed \
             device answers those from its map"
        );
        caveats.push(
            Caveat::new("never_written", Level::Suspect, message)
                .remedy("write the device once from end to end before it is read")
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
        job.write = job.read.take();
        assert_eq!(found(&CHECK, &result), []);
    }
}
