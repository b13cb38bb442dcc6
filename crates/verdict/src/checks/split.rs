//! Requests that the kernel cut into smaller ones.

use crate::check::Check;
use crate::ledger::{Direction, Ledger};
use crate::subject;
use crate::thresholds::WHOLE;
use fathom_core::figure::decimal;
use fathom_core::result::{Evidence, RunResult};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    codes: &["split"],
    needs: &[Evidence::DeviceCounters],
    purpose: "whether a request of ours is one of the device (P06)",
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        let ledger = Ledger::of(result, phase);
        let Some(ledger) = ledger.filter(|ledger| ledger.direct && ledger.counts_once()) else {
            continue;
        };
        let writes = ledger.writes_with_bytes();
        for (direction, word) in [(&ledger.read, "read"), (&writes, "write")] {
            if !ledger.is_comparable(direction) || !is_split(direction) {
                continue;
            }
            let message = format!(
                "each {word} became {} requests of {}: IOPS and times are not the device's own",
                decimal(direction.request_ratio(), 2),
                ledger.devices()
            );
            caveats.push(
                Caveat::new("split", Level::Note, message)
                    .remedy("a block size of at most the device's queue/max_sectors_kb")
                    .about(subject::phase(result, phase)),
            );
        }
    }
}

/// More requests but not more bytes: with more of both, somebody else is at work, as the journal of
/// a file system that is synced. Requests of others have at least a sector each.
fn is_split(direction: &Direction) -> bool {
    let (device, tool) = (&direction.device, &direction.tool);
    let more_requests = (device.ios + device.merged).saturating_sub(tool.ios);
    let more_bytes = device.bytes.saturating_sub(tool.bytes);
    direction.request_ratio() > WHOLE
        && direction.byte_ratio() <= WHOLE
        && more_bytes < more_requests * 512
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    #[test]
    fn four_for_one() {
        let mut result = fixture::random_read();
        let reads = result.phases[0].devices[0].reads;
        result.phases[0].devices[0].reads = reads * 4;
        let expected = Caveat::new(
            "split",
            Level::Note,
            "each read became 4.00 requests of vda: IOPS and times are not the device's own",
        )
        .remedy("a block size of at most the device's queue/max_sectors_kb")
        .about("measure");
        assert_eq!(found(&CHECK, &result), [expected]);
        result.phases[0].devices[0].reads = reads + reads / 20;
        assert_eq!(found(&CHECK, &result), []);
    }

    /// Beside 16 KiB that are flushed, a journal writes 4 KiB now and then.
    #[test]
    fn a_journal_is_no_split() {
        let mut result = fixture::random_read();
        let device = &mut result.phases[0].devices[0];
        let more = device.reads / 10;
        device.reads += more;
        device.read_bytes += more * 512;
        assert_eq!(found(&CHECK, &result), []);
        result.phases[0].devices[0].read_bytes -= 512;
        assert_eq!(found(&CHECK, &result).len(), 1);
    }
}
