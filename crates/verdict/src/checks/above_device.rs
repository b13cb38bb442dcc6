//! Latency that is not the device's.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use crate::traffic::Traffic;
use fathom_core::figure::{percent, time};
use fathom_core::result::{Evidence, PhaseResult, RunResult};
use fathom_core::{Caveat, Level};

thresholds! {
    /// Share of the service time above the block layer that is let pass
    ABOVE: f64 = 0.30, Share, Decided;
    /// Mean service time below which it is not taken apart
    ABOVE_LEAST_NS: f64 = 50_000.0, Nanoseconds, Decided;
    /// Requests that make the mean of the kernel good, which sums milliseconds
    ABOVE_REQUESTS: u64 = 1_000, Count, Decided;
    /// Share by which the requests of the device may differ in number from ours, to be the same
    ABOVE_ALIKE: f64 = 0.05, Share, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "how much latency is added above the block layer",
    needs: Needs::OurRun(&[Evidence::DeviceCounters]),
    codes: &[entry! { AboveDevice: Generator, Number, "note",
        "if the mean service time exceeds {ABOVE_LEAST_NS}, and more than {ABOVE} of it is spent \
         outside the device",
        [row::ABOVE, row::ABOVE_LEAST_NS, row::ABOVE_REQUESTS, row::ABOVE_ALIKE],
        Example::Run(samples::reads, |r| samples::counters(r).queue_ns /= 2)
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        let traffic = Traffic::of(result, phase);
        let Some(traffic) = traffic.filter(|one| one.direct && one.counts_once()) else {
            continue;
        };
        let Some((ours, theirs)) = times(phase, &traffic) else {
            continue;
        };
        let share = (ours - theirs) / ours;
        if ours <= ABOVE_LEAST_NS || share <= ABOVE {
            continue;
        }
        let message = format!(
            "{} of the mean service time of {} is spent above the block layer. The device itself \
             took {}",
            percent(share * 100.0),
            time(ours),
            time(theirs)
        );
        caveats.push(
            Code::AboveDevice
                .caveat(Level::Note, message)
                .remedy("check the layers in between: file system, encryption, RAID, CPU")
                .about(subject::phase(result, phase)),
        );
    }
}

/// Mean time of a request, ours and the device's; none where one of ours is not one of theirs.
fn times(phase: &PhaseResult, traffic: &Traffic) -> Option<(f64, f64)> {
    let ours = traffic.read.tool.ios + traffic.write.tool.ios;
    let device = phase
        .devices
        .iter()
        .find(|one| traffic.leaves.contains(&one.device))?;
    let theirs = device.reads + device.writes;
    let alike = ours.abs_diff(theirs) as f64 <= ours as f64 * ABOVE_ALIKE;
    if ours < ABOVE_REQUESTS || !alike || device.queue_ns == 0 {
        return None;
    }
    let ops = phase.jobs.iter().flat_map(|job| job.ops.present());
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
