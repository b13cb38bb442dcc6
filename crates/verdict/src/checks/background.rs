//! Work that the software below the targets did on its own: RAID, file systems.

use crate::check::{Check, Code, Example, Look, Needs, entry};
use crate::fitness::Facts;
use crate::samples;
use crate::subject;
use crate::traffic::devices;
use fathom_core::result::{Activity, DeviceLimits, RunResult};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether RAID, the file system or discards kept the devices busy",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { Background: Surroundings, Machine, "suspect",
        "a software RAID resynced, rebuilt or checked, or btrfs balanced, resized or replaced, \
         at the start of the run or during it",
        [],
        Example::Run(samples::reads, |r| {
            let background = Some("resync".into());
            samples::limits(
                r,
                DeviceLimits {
                    background,
                    ..DeviceLimits::default()
                },
            );
        })
    }],
    run,
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
        let message = format!("its RAID did background work at the start of the run: {what}");
        caveats.push(caveat(message).about(device.name.clone()));
    }
    for phase in &result.phases {
        let seen = phase.ledger.iter().flat_map(|ledger| &ledger.background);
        for activity in seen.filter(|one| !before.contains(one)) {
            let message = format!(
                "{} did background work during the run: {}",
                activity.device, activity.what
            );
            caveats.push(caveat(message).about(subject::phase(result, phase)));
        }
    }
}

fn caveat(message: String) -> Caveat {
    Code::Background.caveat(Level::Suspect, message).remedy(
        "wait until the work has finished (md/sync_action is idle, `btrfs balance status` shows \
         none), then measure again",
    )
}

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: entry! { Background: Before, Machine, "suspect",
        "an md array is degraded, or checks or rebuilds itself",
        [],
        Example::Target(|| Facts {
            busy_arrays: vec![("md0".into(), "resync".into())],
            ..Facts::default()
        })
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    for (name, state) in &facts.busy_arrays {
        let message = format!("the array does background work or is degraded: {state}");
        let remedy = "wait until the work has finished";
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
    use fathom_core::result::Ledger;

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
        let before =
            caveat("its RAID did background work at the start of the run: resync".to_owned());
        let during = caveat("md0 did background work during the run: check".to_owned());
        assert_eq!(
            found(&CHECK, &result),
            [before.about("vda"), during.about("measure")]
        );
    }
}
