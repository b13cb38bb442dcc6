//! A loop device that reads its backing file by way of the page cache.

use crate::check::Check;
use crate::ledger::Ledger;
use crate::subject;
use crate::thresholds::READ_BY_DEVICE;
use fathom_core::figure::{percent, volume};
use fathom_core::result::{Evidence, RunResult};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    codes: &["loop_cached"],
    needs: &[Evidence::BackingFiles],
    purpose: "whether a loop device read its backing file from the disk",
    run,
};

/// The loop device itself stands for its target in all other checks: what its backing file does
/// is our own I/O and nobody else's. But what it reads from memory is no disk's.
fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        let backing = phase.ledger.as_ref().and_then(|one| one.backing);
        let (Some(ledger), Some(backing)) = (Ledger::of(result, phase), backing) else {
            continue;
        };
        let passed = ledger.read.device.bytes;
        let share = backing.read_bytes as f64 / passed.max(1) as f64;
        if !ledger.is_comparable(&ledger.read) || passed == 0 || share >= READ_BY_DEVICE {
            continue;
        }
        let message = format!(
            "{} of what {} read came from the page cache of its backing file: the disks below \
             read {} of {}",
            percent((1.0 - share) * 100.0),
            ledger.devices(),
            volume(backing.read_bytes),
            volume(passed)
        );
        caveats.push(
            Caveat::new("loop_cached", Level::Qualified, message)
                .remedy("set it up with `losetup --direct-io=on`, if the disk is meant")
                .about(subject::phase(result, phase)),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;
    use fathom_core::result::{Ledger, Tally};

    fn with_backing(share: f64) -> RunResult {
        let mut result = fixture::random_read();
        let read_bytes = result.phases[0].devices[0].read_bytes;
        let backing = Tally {
            read_bytes: (read_bytes as f64 * share) as u64,
            ..Tally::default()
        };
        result.phases[0].ledger = Some(Box::new(Ledger {
            backing: Some(backing),
            ..Ledger::default()
        }));
        result
    }

    #[test]
    fn a_warm_backing_file_qualifies() {
        assert_eq!(found(&CHECK, &fixture::random_read()), []);
        assert_eq!(found(&CHECK, &with_backing(0.951)), []);
        let message = "90.0 % of what vda read came from the page cache of its backing file: the \
                       disks below read 1.66 GB of 16.6 GB";
        let expected = Caveat::new("loop_cached", Level::Qualified, message)
            .remedy("set it up with `losetup --direct-io=on`, if the disk is meant")
            .about("measure");
        assert_eq!(found(&CHECK, &with_backing(0.1)), [expected]);
    }
}
