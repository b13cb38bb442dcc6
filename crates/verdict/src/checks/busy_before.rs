//! What others did on the devices before the run.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::traffic::devices;
use fathom_core::figure::{iops, percent};
use fathom_core::result::{DeviceLimits, Evidence, RunResult, TargetDevice};
use fathom_core::{Caveat, Level};

thresholds! {
    /// Requests of others before the run over ours: noted
    IDLE_SHARE: f64 = 0.01, Share, Decided;
    /// Requests of others before the run over ours: suspect, as all that could change the number so
    IDLE_SUSPECT: f64 = 0.05, Share, Decided;
    /// Requests a second of others that move the arm of a disk whatever we do
    IDLE_DISK_IOPS: f64 = 50.0, Iops, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether other programs used the devices before the run",
    needs: Needs::OurRun(&[Evidence::IdleBaseline]),
    codes: &[
        entry! { BusyBefore: Surroundings, Number, "suspect; note from {IDLE_SHARE}",
            "before the run, other programs made more than {IDLE_SUSPECT} of our requests on the \
             device, or more than {IDLE_DISK_IOPS:bare} IOPS on a rotating disk (`--probe`)",
            [row::IDLE_SHARE, row::IDLE_SUSPECT, row::IDLE_DISK_IOPS],
            Example::Run(samples::reads, |r| {
                let idle_iops = Some(5_200.0);
                samples::limits(
                    r,
                    DeviceLimits {
                        idle_iops,
                        ..DeviceLimits::default()
                    },
                );
            })
        },
    ],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for device in devices(result).filter(|device| device.leaf) {
        caveats.extend(judge(result, device));
    }
}

fn judge(result: &RunResult, device: &TargetDevice) -> Option<Caveat> {
    let theirs = device.limits.as_ref()?.idle_iops?;
    let rates = result.phases.iter().filter_map(|phase| {
        let counted = phase.devices.iter().find(|one| one.device == device.name)?;
        let seconds = phase.measured_ns as f64 / 1e9;
        (seconds > 0.0).then(|| (counted.reads + counted.writes) as f64 / seconds)
    });
    // Where our phases differ, the one that the others weigh most in.
    let ours = rates.reduce(f64::min)?;
    let share = theirs / ours.max(f64::MIN_POSITIVE);
    let disturbs = device.rotational && theirs > IDLE_DISK_IOPS;
    if share <= IDLE_SHARE && !disturbs {
        return None;
    }
    let level = if share > IDLE_SUSPECT || disturbs {
        Level::Suspect
    } else {
        Level::Note
    };
    let message = format!(
        "before the run, other programs made {} IOPS on it. This is {} of the rate of the run",
        iops(theirs),
        percent(share * 100.0)
    );
    Some(
        Code::BusyBefore
            .caveat(level, message)
            .remedy("find the other programs (iotop, pidstat -d), stop them, and measure again")
            .about(device.name.clone()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;
    use fathom_core::result::DeviceLimits;

    /// 1000 IOPS of ours, and so many of others before.
    fn with(theirs: f64, rotational: bool) -> RunResult {
        let mut result = fixture::random_read();
        let seconds = result.phases[0].measured_ns / 1_000_000_000;
        result.phases[0].devices[0].reads = 1000 * seconds;
        let device = &mut result.provenance.targets[0].devices[0];
        device.rotational = rotational;
        device.limits = Some(Box::new(DeviceLimits {
            idle_iops: Some(theirs),
            ..DeviceLimits::default()
        }));
        result
    }

    #[test]
    fn others_before_the_run_are_told_by_their_share() {
        let caveat = |level, message: &str| {
            Code::BusyBefore
                .caveat(level, message)
                .remedy("find the other programs (iotop, pidstat -d), stop them, and measure again")
                .about("vda")
        };
        assert_eq!(found(&CHECK, &fixture::random_read()), []);
        assert_eq!(found(&CHECK, &with(10.0, false)), []);
        let message = "before the run, other programs made 10.1 IOPS on it. This is 1.0 % of \
                       the rate of the run";
        assert_eq!(
            found(&CHECK, &with(10.1, false)),
            [caveat(Level::Note, message)]
        );
        let message = "before the run, other programs made 50.0 IOPS on it. This is 5.0 % of \
                       the rate of the run";
        assert_eq!(
            found(&CHECK, &with(50.0, true)),
            [caveat(Level::Note, message)]
        );
        let message = "before the run, other programs made 50.1 IOPS on it. This is 5.0 % of \
                       the rate of the run";
        let suspect = [caveat(Level::Suspect, message)];
        assert_eq!(found(&CHECK, &with(50.1, true)), suspect);
        assert_eq!(found(&CHECK, &with(50.1, false)), suspect);
    }
}
