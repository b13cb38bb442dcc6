//! Discards of others.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use crate::traffic::devices;
use fathom_core::figure::{count, percent};
use fathom_core::result::{DeviceUse, Evidence, PhaseResult, RunResult, TargetDevice};
use fathom_core::{Caveat, Level, Op};

thresholds! {
    /// Discards of others over our reads and writes: noted, suspect; as those before the run
    DISCARDS: (f64, f64) = (0.01, 0.05), Share, Decided;
    /// Discards a second that are let pass: those of what a quiet system deletes
    DISCARDS_IOPS: f64 = 10.0, Iops, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether other programs discarded blocks during the run",
    needs: Needs::OurRun(&[Evidence::DeviceCounters]),
    codes: &[entry! { Discards: Surroundings, Number,
        "suspect above {DISCARDS.1}; note, also on a file system mounted with `discard`",
        "the device counted more than {DISCARDS_IOPS:word} discards per second and more than \
         {DISCARDS.0} of its reads and writes, but the phase trims nothing",
        [row::DISCARDS, row::DISCARDS_IOPS],
        Example::Run(samples::reads, |r| {
            samples::counters(r).discards = samples::counters(r).reads / 10;
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
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
    phase.jobs.iter().any(|job| job.ops.get(Op::Trim).is_some())
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
        "{} counted {} discards in addition to {} reads and writes ({}), but the load has no trims",
        device.name,
        count(used.discards),
        count(ours),
        percent(share * 100.0)
    );
    let remedy = if at_once {
        "the file system discards deleted blocks at once. Delete nothing during the run, or mount \
         without `discard`"
    } else {
        "stop fstrim.timer during the run, and find the source of the discards (blktrace -a \
         discard)"
    };
    Some(Code::Discards.caveat(level, message).remedy(remedy))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

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
        let told = |discards, options| found(&CHECK, &with(discards, options));
        assert_eq!(told(0, "rw"), []);
        assert_eq!(told(1_000, "rw"), []);
        let mut idle = with(600, "rw");
        idle.phases[0].devices[0].reads = 100;
        assert_eq!(found(&CHECK, &idle), []);
        let expected = |level, counts: &str, remedy: &str| {
            let message = format!("vda counted {counts}, but the load has no trims");
            Code::Discards
                .caveat(level, message)
                .remedy(remedy)
                .about("measure")
        };
        let timer = "stop fstrim.timer during the run, and find the source of the discards \
                     (blktrace -a discard)";
        let mount = "the file system discards deleted blocks at once. Delete nothing during the \
                     run, or mount without `discard`";
        let few = "1,001 discards in addition to 100,000 reads and writes (1.0 %)";
        let many = "5,001 discards in addition to 100,000 reads and writes (5.0 %)";
        assert_eq!(told(1_001, "rw"), [expected(Level::Note, few, timer)]);
        assert_eq!(told(5_001, "rw"), [expected(Level::Suspect, many, timer)]);
        assert_eq!(
            told(5_001, "rw,relatime,discard"),
            [expected(Level::Note, many, mount)]
        );
    }
}
