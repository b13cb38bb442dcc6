//! What went on around the run: heat, background work of the devices, limits of the control
//! group, a clock that was set.

use crate::check::Check;
use crate::ledger::devices;
use crate::subject;
use crate::thresholds::{CLOCK_STEP_NS, HEAT_MILLIDEGREES, HEAT_SLOWER};
use fathom_core::figure::{decimal, percent, time};
use fathom_core::interval::Part;
use fathom_core::result::{Evidence, PhaseResult, RunResult};
use fathom_core::{Caveat, Level};

pub(crate) const HEAT: Check = Check {
    codes: &["thermal"],
    needs: &[Evidence::Heat],
    purpose: "whether heat slowed the device (P72)",
    run: heat,
};

pub(crate) const BACKGROUND: Check = Check {
    codes: &["background"],
    needs: &[],
    purpose: "whether a RAID was busy with itself (P73)",
    run: background,
};

pub(crate) const LIMITED: Check = Check {
    codes: &["io_limited"],
    needs: &[Evidence::IoLimits],
    purpose: "whether the control group limits its I/O (P74)",
    run: limited,
};

pub(crate) const CLOCK: Check = Check {
    codes: &["clock_step"],
    needs: &[Evidence::WallClock],
    purpose: "whether the clock of the wall was set during the run (P75)",
    run: clock,
};

fn heat(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for device in devices(result).filter(|device| device.leaf) {
        let Some(limits) = &device.limits else {
            continue;
        };
        let (Some(begin), Some(end)) = (limits.begin_millidegrees, limits.end_millidegrees) else {
            continue;
        };
        let slower = result.phases.iter().filter_map(late_over_early);
        let slowest = slower.fold(f64::INFINITY, f64::min);
        if end - begin > HEAT_MILLIDEGREES && slowest < HEAT_SLOWER {
            let message = format!(
                "it grew {} °C hotter and the load fell to {} of its begin",
                decimal((end - begin) as f64 / 1000.0, 0),
                percent(slowest * 100.0)
            );
            caveats.push(
                Caveat::new("thermal", Level::Suspect, message)
                    .remedy("cool the device, or say that the hot rate is the one that is meant")
                    .about(device.name.clone()),
            );
        }
    }
}

/// Requests a second of the last quarter of the measured intervals over those of the first.
fn late_over_early(phase: &PhaseResult) -> Option<f64> {
    let measured = phase
        .intervals
        .iter()
        .filter(|one| one.part == Part::Measure);
    let rates: Vec<f64> = measured
        .map(|one| {
            let ios: u64 = one
                .jobs
                .iter()
                .flat_map(|job| fathom_core::Op::ALL.map(|op| job.op(op).map_or(0, |one| one.ios)))
                .sum();
            ios as f64 / one.length_ns.max(1) as f64
        })
        .collect();
    let quarter = rates.len() / 4;
    if quarter == 0 {
        return None;
    }
    let sum = |part: &[f64]| part.iter().sum::<f64>();
    Some(sum(&rates[rates.len() - quarter..]) / sum(&rates[..quarter]))
}

fn background(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for device in devices(result) {
        let limits = device.limits.as_ref();
        let Some(activity) = limits.and_then(|limits| limits.background.as_ref()) else {
            continue;
        };
        let message = format!("its RAID was busy with itself when the run began: {activity}");
        caveats.push(
            Caveat::new("background", Level::Suspect, message)
                .remedy("wait until md/sync_action of the device is idle")
                .about(device.name.clone()),
        );
    }
}

fn limited(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let limits = &result.provenance.io_limits;
    if limits.is_empty() || !subject::touches_storage(result) {
        return;
    }
    let message = format!(
        "the control group of this process limits its I/O: {}",
        limits.join("; ")
    );
    caveats.push(
        Caveat::new("io_limited", Level::Qualified, message)
            .remedy("run outside the group, or say that its limit is what is meant"),
    );
}

fn clock(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        let health = phase.ledger.as_ref().map(|ledger| &ledger.generator);
        let Some(step) = health.and_then(|health| health.clock_step_ns) else {
            continue;
        };
        if step.unsigned_abs() > CLOCK_STEP_NS {
            let message = format!(
                "the clock of the wall was set by {} during the run; times here come from \
                 another clock, stamps in other logs may not fit them",
                time(step.unsigned_abs() as f64)
            );
            caveats.push(
                Caveat::new("clock_step", Level::Note, message)
                    .about(subject::phase(result, phase)),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;
    use fathom_core::result::{DeviceLimits, Ledger};

    fn codes(check: &Check, result: &RunResult) -> Vec<(String, Level)> {
        let found = found(check, result).into_iter();
        found.map(|one| (one.code, one.level)).collect()
    }

    #[test]
    fn limits_and_background_and_clock_are_told() {
        let mut result = fixture::random_read();
        for check in [&HEAT, &BACKGROUND, &LIMITED, &CLOCK] {
            assert_eq!(codes(check, &result), []);
        }
        result.provenance.io_limits = vec!["io.max 8:0 riops=100".to_owned()];
        let limits = DeviceLimits {
            background: Some("resync".to_owned()),
            ..DeviceLimits::default()
        };
        result.provenance.targets[0].devices[0].limits = Some(Box::new(limits));
        let mut ledger = Ledger::default();
        ledger.generator.clock_step_ns = Some(-10_000_001);
        result.phases[0].ledger = Some(Box::new(ledger));
        let one = |code: &str, level| vec![(code.to_owned(), level)];
        assert_eq!(
            codes(&BACKGROUND, &result),
            one("background", Level::Suspect)
        );
        assert_eq!(
            codes(&LIMITED, &result),
            one("io_limited", Level::Qualified)
        );
        assert_eq!(codes(&CLOCK, &result), one("clock_step", Level::Note));
    }

    #[test]
    fn heat_alone_is_not_slowness() {
        let mut result = fixture::random_read();
        let limits = DeviceLimits {
            begin_millidegrees: Some(40_000),
            end_millidegrees: Some(60_000),
            ..DeviceLimits::default()
        };
        result.provenance.targets[0].devices[0].limits = Some(Box::new(limits));
        assert_eq!(codes(&HEAT, &result), []);
        let count = result.phases[0].intervals.len();
        for interval in &mut result.phases[0].intervals[count / 2..] {
            let read = interval.jobs[0].read.as_mut().unwrap();
            read.ios /= 2;
        }
        assert_eq!(
            codes(&HEAT, &result),
            [("thermal".to_owned(), Level::Suspect)]
        );
    }
}
