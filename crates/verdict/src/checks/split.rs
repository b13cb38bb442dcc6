//! Requests that the kernel cut into smaller ones.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use crate::traffic::{Direction, Traffic};
use fathom_core::figure::decimal;
use fathom_core::result::{Evidence, RunResult};
use fathom_core::{Caveat, Level};

thresholds! {
    /// Requests of the device for each of ours that are let pass
    WHOLE: f64 = 1.05, Times, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether one request of fathom is one request of the device",
    needs: Needs::OurRun(&[Evidence::DeviceCounters]),
    codes: &[entry! { Split: Account, Number, "note",
        "direct I/O, and the device made more than {WHOLE:bare} requests per request of fathom",
        [row::WHOLE],
        Example::Run(samples::scan, |r| samples::counters(r).reads *= 4)
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        let traffic = Traffic::of(result, phase);
        let Some(traffic) = traffic.filter(|traffic| traffic.direct && traffic.counts_once())
        else {
            continue;
        };
        let writes = traffic.writes_with_bytes();
        for (direction, word) in [(&traffic.read, "read"), (&writes, "write")] {
            if !traffic.is_comparable(direction) || !is_split(direction) {
                continue;
            }
            let message = format!(
                "each {word} became {} requests of {}. IOPS and times are not those of the device",
                // As the device saw them: without the pieces that were put together again.
                decimal(
                    direction.device.ios as f64 / direction.tool.ios.max(1) as f64,
                    2
                ),
                traffic.devices()
            );
            caveats.push(
                Code::Split
                    .caveat(Level::Note, message)
                    .remedy("use a block size of at most the device's queue/max_sectors_kb")
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
        && device.ios > tool.ios
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
        let expected = Code::Split
            .caveat(
                Level::Note,
                "each read became 4.00 requests of vda. IOPS and times are not those of the device",
            )
            .remedy("use a block size of at most the device's queue/max_sectors_kb")
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
