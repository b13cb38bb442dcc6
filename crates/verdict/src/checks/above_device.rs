//! Latency that is not the device's.

use crate::check::Check;
use crate::ledger::Ledger;
use crate::subject;
use crate::thresholds::{ABOVE, ABOVE_ALIKE, ABOVE_LEAST_NS, ABOVE_REQUESTS};
use fathom_core::figure::{percent, time};
use fathom_core::result::{Evidence, PhaseResult, RunResult};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    codes: &["above_device"],
    needs: &[Evidence::DeviceCounters],
    purpose: "how much of the latency is above the block layer",
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        let ledger = Ledger::of(result, phase);
        let Some(ledger) = ledger.filter(|one| one.direct && one.counts_once()) else {
            continue;
        };
        let Some((ours, theirs)) = times(phase, &ledger) else {
            continue;
        };
        let share = (ours - theirs) / ours;
        if ours <= ABOVE_LEAST_NS || share <= ABOVE {
            continue;
        }
        let message = format!(
            "{} of the mean service time of {} is above the block layer: the device itself took {}",
            percent(share * 100.0),
            time(ours),
            time(theirs)
        );
        caveats.push(
            Caveat::new("above_device", Level::Note, message)
                .remedy("look at what lies between: file system, encryption, RAID, the processor")
                .about(subject::phase(result, phase)),
        );
    }
}

/// Mean time of a request, ours and the device's; none where one of ours is not one of theirs.
fn times(phase: &PhaseResult, ledger: &Ledger) -> Option<(f64, f64)> {
    let ours = ledger.read.tool.ios + ledger.write.tool.ios;
    let device = phase
        .devices
        .iter()
        .find(|one| ledger.leaves.contains(&one.device))?;
    let theirs = device.reads + device.writes;
    let alike = ours.abs_diff(theirs) as f64 <= ours as f64 * ABOVE_ALIKE;
    if ours < ABOVE_REQUESTS || !alike || device.queue_ns == 0 {
        return None;
    }
    let ops = phase
        .jobs
        .iter()
        .flat_map(fathom_core::result::JobResult::ops);
    let sum: f64 = ops
        .filter(|(op, _)| matches!(op, fathom_core::Op::Read | fathom_core::Op::Write))
        .map(|(_, one)| one.service_ns.mean * one.ios as f64)
        .sum();
    Some((sum / ours as f64, device.queue_ns as f64 / theirs as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    #[test]
    fn what_the_device_did_not_take_is_above_it() {
        let mut result = fixture::random_read();
        assert_eq!(found(&CHECK, &result), []);
        result.phases[0].devices[0].queue_ns /= 2;
        let found: Vec<Level> = found(&CHECK, &result).iter().map(|one| one.level).collect();
        assert_eq!(found, [Level::Note]);
    }
}
