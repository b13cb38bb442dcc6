//! Heat that slowed the device: by its own count, or by its thermometer and the load.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::traffic::devices;
use fathom_core::figure::{decimal, percent, plural};
use fathom_core::interval::Part;
use fathom_core::result::IntervalJob;
use fathom_core::result::{DeviceLimits, Evidence, Health, PhaseResult, RunResult};
use fathom_core::{Caveat, Level, Op};

thresholds! {
    /// Rise of the device's temperature from begin to end
    HEAT_MILLIDEGREES: i64 = 10_000, Millidegrees, Decided;
    /// Late over early rate below which heat slowed the device
    HEAT_SLOWER: f64 = 0.95, Share, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether heat slowed the device",
    needs: Needs::OurRun(&[Evidence::Heat]),
    codes: &[entry! { Thermal: Surroundings, Machine, "suspect",
        "the health log of an NVMe controller counted thermal throttling, or time above its \
         warning or critical temperature; without the log, the device was more than \
         {HEAT_MILLIDEGREES} hotter at the end and the last quarter was below {HEAT_SLOWER} of the \
         first",
        [row::HEAT_MILLIDEGREES, row::HEAT_SLOWER],
        Example::Run(samples::reads, |r| {
            let (begin, end) = (41_000, 68_000);
            samples::limits(
                r,
                DeviceLimits {
                    begin_millidegrees: Some(begin),
                    end_millidegrees: Some(end),
                    ..DeviceLimits::default()
                },
            );
            for interval in &mut samples::phase(r).intervals[30..] {
                let read = interval.jobs[0].ops[Op::Read].as_mut().expect("it reads");
                read.ios = read.ios / 10 * 8;
            }
        })
    }],
    run,
};

const REMEDY: &str = "cool the device, or state that the hot rate is the intended one";

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for device in devices(result).filter(|device| device.leaf) {
        let found = device.limits.as_ref().and_then(|limits| {
            match (limits.begin_health, limits.end_health) {
                (Some(begin), Some(end)) => counted(&begin, &end),
                _ => hotter(result, limits),
            }
        });
        let caveat = found.map(|message| Code::Thermal.caveat(Level::Suspect, message));
        caveats.extend(caveat.map(|one| one.remedy(REMEDY).about(device.name.clone())));
    }
}

/// What the controller counted between two looks, if any of it grew.
fn counted(begin: &Health, end: &Health) -> Option<String> {
    let grown = |of: fn(&Health) -> u32| u64::from(of(end).saturating_sub(of(begin)));
    let lightly = grown(|one| one.throttled_lightly);
    let heavily = grown(|one| one.throttled_heavily);
    let times = [(lightly, "light throttling"), (heavily, "heavy throttling")];
    let seconds = [
        (grown(|one| one.throttled_lightly_s), "light throttling"),
        (grown(|one| one.throttled_heavily_s), "heavy throttling"),
    ];
    let minutes = [
        (
            grown(|one| one.warning_minutes),
            "above its warning temperature",
        ),
        (
            grown(|one| one.critical_minutes),
            "above its critical temperature",
        ),
    ];
    let each = |all: [(u64, &'static str); 2], words: fn(u64) -> String| {
        let some = all.into_iter().filter(|(number, _)| *number > 0);
        some.map(move |(number, what)| format!("{} {what}", words(number)))
            .collect::<Vec<String>>()
    };
    let mut said = each(times, |number| plural(number, "time"));
    said.extend(each(seconds, |number| format!("{number} s")));
    said.extend(each(minutes, |number| format!("{number} min")));
    (!said.is_empty()).then(|| format!("SMART reports heat during the run: {}", said.join(", ")))
}

/// By the thermometer, where the load fell as well.
fn hotter(result: &RunResult, limits: &DeviceLimits) -> Option<String> {
    let risen = limits.end_millidegrees? - limits.begin_millidegrees?;
    let slower = result.phases.iter().filter_map(late_over_early);
    let slowest = slower.fold(f64::INFINITY, f64::min);
    (risen > HEAT_MILLIDEGREES && slowest < HEAT_SLOWER).then(|| {
        format!(
            "it became {} °C hotter and the load fell to {} of its start value",
            decimal(risen as f64 / 1000.0, 0),
            percent(slowest * 100.0)
        )
    })
}

/// Requests a second of the last quarter of the measured intervals over those of the first.
fn late_over_early(phase: &PhaseResult) -> Option<f64> {
    let measured = phase
        .intervals
        .iter()
        .filter(|one| one.part == Part::Measure);
    let rates: Vec<f64> = measured
        .map(|one| {
            let ios: u64 = one.jobs.iter().map(IntervalJob::ios).sum();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    fn with(limits: DeviceLimits) -> RunResult {
        let mut result = fixture::random_read();
        result.provenance.targets[0].devices[0].limits = Some(Box::new(limits));
        result
    }

    fn thermal(message: &str) -> Caveat {
        Code::Thermal
            .caveat(Level::Suspect, message)
            .remedy(REMEDY)
            .about("vda")
    }

    #[test]
    fn any_count_of_the_controller_is_told() {
        let begin = Health {
            kelvin: 320,
            throttled_lightly: 4,
            throttled_lightly_s: 90,
            warning_minutes: 7,
            ..Health::default()
        };
        let told = |end| {
            found(
                &CHECK,
                &with(DeviceLimits {
                    begin_health: Some(begin),
                    end_health: Some(end),
                    ..DeviceLimits::default()
                }),
            )
        };
        // Hotter alone is no doubt.
        let hot = Health {
            kelvin: 350,
            ..begin
        };
        assert_eq!(told(hot), []);
        let light = Health {
            throttled_lightly: 5,
            throttled_lightly_s: 93,
            ..begin
        };
        let message = "SMART reports heat during the run: 1 time light throttling, 3 s light \
                       throttling";
        assert_eq!(told(light), [thermal(message)]);
        let heavy = Health {
            throttled_heavily: 2,
            throttled_heavily_s: 1,
            warning_minutes: 8,
            critical_minutes: 2,
            ..begin
        };
        let message = "SMART reports heat during the run: 2 times heavy throttling, 1 s heavy \
                       throttling, 1 min above its warning temperature, 2 min above its critical \
                       temperature";
        assert_eq!(told(heavy), [thermal(message)]);
    }

    #[test]
    fn without_a_log_heat_alone_is_not_slowness() {
        let mut result = with(DeviceLimits {
            begin_millidegrees: Some(40_000),
            end_millidegrees: Some(60_000),
            ..DeviceLimits::default()
        });
        assert_eq!(found(&CHECK, &result), []);
        let count = result.phases[0].intervals.len();
        for interval in &mut result.phases[0].intervals[count / 2..] {
            let read = interval.jobs[0].ops[Op::Read].as_mut().unwrap();
            read.ios /= 2;
        }
        let message = "it became 20 °C hotter and the load fell to 50.0 % of its start value";
        assert_eq!(found(&CHECK, &result), [thermal(message)]);
    }
}
