//! Work that the software below the targets did on its own: RAID, file systems, discards.

use crate::check::{Check, Code, Effect, Entry, Example, Group, Look, Needs, thresholds};
use crate::fitness::Facts;
use crate::ledger::devices;
use crate::samples;
use crate::subject;
use fathom_core::figure::{count, percent};
use fathom_core::result::{
    Activity, DeviceLimits, DeviceUse, Evidence, PhaseResult, RunResult, TargetDevice,
};
use fathom_core::{Caveat, Level, Op};

thresholds! {
    /// Discards of others over our reads and writes: noted, suspect; as those before the run
    DISCARDS: (f64, f64) = (0.01, 0.05), Share, Decided "4.8, P73";
    /// Discards a second that are let pass: those of what a quiet system deletes
    DISCARDS_IOPS: f64 = 10.0, Iops, Decided "4.8, P73";
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether RAID, file system or discards kept the devices busy with themselves (P73)",
    needs: Needs::OurRun(&[]),
    codes: &[Entry {
        code: Code::Background,
        group: Group::Surroundings,
        effect: Effect::Machine,
        point: "P73",
        level: "suspect",
        when: "a software RAID was resyncing, rebuilding or checking, or btrfs balancing, \
               resizing or replacing, when the run began or while it ran",
        thresholds: &[],
        example: Example::Run(samples::reads, |r| {
            let background = Some("resync".into());
            samples::limits(
                r,
                DeviceLimits {
                    background,
                    ..DeviceLimits::default()
                },
            );
        }),
    }],
    run,
};

pub(crate) const DISCARDED: Check = Check {
    purpose: "whether somebody else discarded blocks during the run (P73)",
    needs: Needs::OurRun(&[Evidence::DeviceCounters]),
    codes: &[Entry {
        code: Code::Discards,
        group: Group::Surroundings,
        effect: Effect::Number,
        point: "P73",
        level: "suspect above {DISCARDS.1}; note, also on a file system mounted with `discard`",
        when: "the device counted over {DISCARDS_IOPS:word} discards a second and over \
               {DISCARDS.0} of its reads and writes, and the phase trims nothing",
        thresholds: &[row::DISCARDS, row::DISCARDS_IOPS],
        example: Example::Run(samples::reads, |r| {
            samples::counters(r).discards = samples::counters(r).reads / 10;
        }),
    }],
    run: discarded,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let mut before: Vec<Activity> = Vec::new();
    for device in devices(result) {
        let limits = device.limits.as_ref();
        let Some(what) = limits.and_then(|limits| limits.background.as_ref()) else {
            continue;
        };
        before.push(Activity {
            device: device.name.clone(),
            what: what.clone(),
        });
        let message = format!("its RAID was busy with itself when the run began: {what}");
        caveats.push(caveat(message).about(device.name.clone()));
    }
    for phase in &result.phases {
        let seen = phase.ledger.iter().flat_map(|ledger| &ledger.background);
        for activity in seen.filter(|one| !before.contains(one)) {
            let message = format!(
                "{} was busy with itself during the run: {}",
                activity.device, activity.what
            );
            caveats.push(caveat(message).about(subject::phase(result, phase)));
        }
    }
}

fn caveat(message: String) -> Caveat {
    Code::Background.caveat(Level::Suspect, message).remedy(
        "wait until it is done (md/sync_action is idle, `btrfs balance status` says none), and \
         measure again",
    )
}

fn discarded(result: &RunResult, caveats: &mut Vec<Caveat>) {
    // What a file system that discards at once does may be about files of ours.
    let mounts = &result.provenance.targets;
    let at_once = mounts
        .iter()
        .any(|target| discards_at_once(&target.mount_options));
    for phase in result.phases.iter().filter(|phase| !trims(phase)) {
        for device in devices(result).filter(|device| device.leaf) {
            let used = phase.devices.iter().find(|one| one.device == device.name);
            let found = used.and_then(|used| judge(device, used, (phase.measured_ns, at_once)));
            caveats.extend(found.map(|one| one.about(subject::phase(result, phase))));
        }
    }
}

fn discards_at_once(options: &str) -> bool {
    let mut options = options.split(',');
    options.any(|one| one == "discard" || one == "discard=async" || one == "discard=sync")
}

fn trims(phase: &PhaseResult) -> bool {
    phase.jobs.iter().any(|job| job.op(Op::Trim).is_some())
}

fn judge(
    device: &TargetDevice,
    used: &DeviceUse,
    (measured_ns, at_once): (u64, bool),
) -> Option<Caveat> {
    let ours = used.reads + used.writes;
    let share = used.discards as f64 / ours.max(1) as f64;
    let a_second = used.discards as f64 / (measured_ns.max(1) as f64 / 1e9);
    if a_second <= DISCARDS_IOPS || share <= DISCARDS.0 {
        return None;
    }
    let level = if share > DISCARDS.1 && !at_once {
        Level::Suspect
    } else {
        Level::Note
    };
    let message = format!(
        "{} counted {} discards beside {} reads and writes ({}); none were asked for",
        device.name,
        count(used.discards),
        count(ours),
        percent(share * 100.0)
    );
    let remedy = if at_once {
        "the file system discards what is deleted at once: delete nothing meanwhile, or mount \
         without `discard`"
    } else {
        "stop fstrim.timer for the run, and find out who discards (blktrace -a discard)"
    };
    Some(Code::Discards.caveat(level, message).remedy(remedy))
}

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: Entry {
        code: Code::Background,
        group: Group::Before,
        effect: Effect::Machine,
        point: "P73",
        level: "suspect",
        when: "an array of md is degraded, or checks or rebuilds itself",
        thresholds: &[],
        example: Example::Target(|| Facts {
            busy_arrays: vec![("md0".into(), "resync".into())],
            ..Facts::default()
        }),
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    for (name, state) in &facts.busy_arrays {
        let message = format!("the array is busy with itself or not whole: {state}");
        let remedy = "wait until it is done";
        let caveat = Code::Background
            .caveat(Level::Suspect, message)
            .remedy(remedy);
        found.push(caveat.about(name.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;
    use fathom_core::result::{DeviceLimits, Ledger};

    #[test]
    fn what_goes_on_is_told_once() {
        let mut result = fixture::random_read();
        assert_eq!(found(&CHECK, &result), []);
        result.provenance.targets[0].devices[0].limits = Some(Box::new(DeviceLimits {
            background: Some("resync".to_owned()),
            ..DeviceLimits::default()
        }));
        let activity = |device: &str, what: &str| Activity {
            device: device.to_owned(),
            what: what.to_owned(),
        };
        let ledger = Ledger {
            background: vec![activity("vda", "resync"), activity("md0", "check")],
            ..Ledger::default()
        };
        result.phases[0].ledger = Some(Box::new(ledger));
        let before = caveat("its RAID was busy with itself when the run began: resync".to_owned());
        let during = caveat("md0 was busy with itself during the run: check".to_owned());
        assert_eq!(
            found(&CHECK, &result),
            [before.about("vda"), during.about("measure")]
        );
    }

    /// 100,000 reads, and so many discards that nobody asked for, in a minute.
    fn with(discards: u64, options: &str) -> RunResult {
        let mut result = fixture::random_read();
        let device = &mut result.phases[0].devices[0];
        (device.reads, device.writes, device.discards) = (100_000, 0, discards);
        result.provenance.targets[0].mount_options = options.to_owned();
        result
    }

    #[test]
    fn discards_count_by_their_share() {
        let told = |discards, options| found(&DISCARDED, &with(discards, options));
        assert_eq!(told(0, "rw"), []);
        assert_eq!(told(1_000, "rw"), []);
        let mut idle = with(600, "rw");
        idle.phases[0].devices[0].reads = 100;
        assert_eq!(found(&DISCARDED, &idle), []);
        let expected = |level, counts: &str, remedy: &str| {
            let message = format!("vda counted {counts}; none were asked for");
            Code::Discards
                .caveat(level, message)
                .remedy(remedy)
                .about("measure")
        };
        let timer =
            "stop fstrim.timer for the run, and find out who discards (blktrace -a discard)";
        let mount = "the file system discards what is deleted at once: delete nothing meanwhile, \
                     or mount without `discard`";
        let few = "1,001 discards beside 100,000 reads and writes (1.0 %)";
        let many = "5,001 discards beside 100,000 reads and writes (5.0 %)";
        assert_eq!(told(1_001, "rw"), [expected(Level::Note, few, timer)]);
        assert_eq!(told(5_001, "rw"), [expected(Level::Suspect, many, timer)]);
        assert_eq!(
            told(5_001, "rw,relatime,discard"),
            [expected(Level::Note, many, mount)]
        );
    }
}
