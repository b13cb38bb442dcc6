//! The machine under the load: devices, processors, levels such as burst credits.

use super::Unit;
use super::clock::{Clock, Reduce, Slice};
use super::course::{Strip, StripLine, TimeAxis, TimeStrips};
use fathom_core::SmallSort as _;
use fathom_core::interval::Part;
use fathom_core::result::{CpuShares, DeviceUse, MachineInterval, PhaseResult, RunResult};

/// Devices that have lines.
const DEVICES: usize = 8;

/// The axis of the machine's samples, with at most `points` in a grain.
pub(crate) fn clock(phase: &PhaseResult, points: usize) -> Clock {
    let slice = |interval: &MachineInterval| Slice {
        start_ns: interval.start_ns,
        length_ns: interval.length_ns,
        part: part(phase, interval),
        phase: 0,
    };
    Clock::new(whole(&phase.machine).iter().map(slice).collect(), points)
}

/// A last sample is cut short by the end of the phase: a rate over so little of an interval would
/// be drawn as large as the others, and means nothing.
fn whole(samples: &[MachineInterval]) -> &[MachineInterval] {
    match samples.split_last() {
        Some((last, rest)) if rest.iter().any(|one| one.length_ns / 10 > last.length_ns) => rest,
        _ => samples,
    }
}

/// The part in which the middle of a sample lies.
fn part(phase: &PhaseResult, interval: &MachineInterval) -> Part {
    let middle = interval.start_ns + interval.length_ns / 2;
    match middle {
        early if early < phase.warm_up_ns => Part::WarmUp,
        within if within < phase.warm_up_ns + phase.measured_ns => Part::Measure,
        _ => Part::CoolDown,
    }
}

/// The devices to draw: those with nothing below them first, and how many were left out.
pub(crate) fn devices(result: &RunResult, phase: &PhaseResult) -> (Vec<String>, usize) {
    let mut names: Vec<&str> = Vec::new();
    for device in phase.machine.iter().flat_map(|one| &one.devices) {
        if !names.contains(&device.device.as_str()) {
            names.push(&device.device);
        }
    }
    let known = || {
        result
            .provenance
            .targets
            .iter()
            .flat_map(|target| &target.devices)
    };
    let is_leaf = |name: &str| {
        known()
            .find(|one| one.name == name)
            .is_none_or(|one| one.leaf)
    };
    names.small_sort_by_key(|name| !is_leaf(name));
    let left = names.len().saturating_sub(DEVICES);
    let shown = names.into_iter().take(DEVICES).map(str::to_owned);
    (shown.collect(), left)
}

/// What the devices did: requests, bytes and requests in flight.
pub(crate) fn device_courses(
    phase: &PhaseResult,
    clock: &Clock,
    names: &[String],
) -> [TimeStrips; 3] {
    let seconds = |interval: &MachineInterval| interval.length_ns.max(1) as f64 / 1e9;
    let strip = |label: &str, unit, role: &str, amount: fn(&DeviceUse) -> u64| {
        let line = |name: &String| {
            let value = |interval: &MachineInterval| {
                let device = interval.devices.iter().find(|one| one.device == *name);
                device.map_or(f64::NAN, |one| amount(one) as f64 / seconds(interval))
            };
            let values: Vec<f64> = phase.machine.iter().map(value).collect();
            let moved = values.iter().any(|value| *value > 0.0);
            moved.then(|| StripLine {
                label: format!("{name} {label}"),
                role: role.to_owned(),
                level: clock.level(&values, Reduce::Mean),
            })
        };
        Strip::new(label, unit, names.iter().filter_map(line).collect())
    };
    let queue = |name: &String| {
        let value = |interval: &MachineInterval| {
            let device = interval.devices.iter().find(|one| one.device == *name);
            let length = interval.length_ns.max(1) as f64;
            device.map_or(f64::NAN, |one| one.queue_ns as f64 / length)
        };
        let values: Vec<f64> = phase.machine.iter().map(value).collect();
        StripLine {
            label: format!("{name} in flight"),
            role: "queue".to_owned(),
            level: clock.level(&values, Reduce::Mean),
        }
    };
    let queue = Strip::new(
        "in flight",
        Unit::Requests,
        names.iter().map(queue).collect(),
    );
    [
        course(
            phase,
            clock,
            vec![
                strip("reads", Unit::Iops, "read", |one| one.reads),
                strip("writes", Unit::Iops, "write", |one| one.writes),
                strip("flushes", Unit::Iops, "flush", |one| one.flushes),
                strip("discards", Unit::Iops, "trim", |one| one.discards),
            ],
        ),
        course(
            phase,
            clock,
            vec![
                strip("reads", Unit::BytesPerSecond, "read", |one| one.read_bytes),
                strip("writes", Unit::BytesPerSecond, "write", |one| {
                    one.write_bytes
                }),
            ],
        ),
        course(phase, clock, vec![queue]),
    ]
}

/// The processors: shares of all of them together, and what the tool itself used.
pub(crate) fn processors(phase: &PhaseResult, clock: &Clock) -> TimeStrips {
    type Share = (&'static str, fn(&CpuShares) -> f64);
    let shares: [Share; 4] = [
        ("user", |cpu| cpu.user_percent),
        ("system", |cpu| cpu.system_percent),
        ("iowait", |cpu| cpu.iowait_percent),
        ("steal", |cpu| cpu.steal_percent),
    ];
    let line = |(name, share): &Share| {
        let value = |one: &MachineInterval| one.cpu.as_ref().map_or(f64::NAN, share);
        let values: Vec<f64> = phase.machine.iter().map(value).collect();
        let known = values.iter().any(|value| value.is_finite());
        known.then(|| StripLine {
            label: (*name).to_owned(),
            role: (*name).to_owned(),
            level: clock.level(&values, Reduce::Mean),
        })
    };
    let all = Strip {
        stacked: true,
        ..Strip::new(
            "all processors",
            Unit::Percent,
            shares.iter().filter_map(line).collect(),
        )
    };
    let own: Share = ("own", |cpu| cpu.own_percent);
    let own = Strip::new(
        "fathom's own",
        Unit::Percent,
        line(&own).into_iter().collect(),
    );
    course(phase, clock, vec![all, own])
}

/// Levels such as burst credits: one strip for each unit.
pub(crate) fn gauges(phase: &PhaseResult, clock: &Clock) -> TimeStrips {
    let mut names: Vec<(&str, &str)> = Vec::new();
    for gauge in phase.machine.iter().flat_map(|one| &one.gauges) {
        let name = (gauge.unit.as_str(), gauge.name.as_str());
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut strips: Vec<Strip> = Vec::new();
    for (unit, name) in names {
        let value = |one: &MachineInterval| {
            let gauge = one.gauges.iter().find(|gauge| gauge.name == name);
            gauge.map_or(f64::NAN, |gauge| gauge.value)
        };
        let values: Vec<f64> = phase.machine.iter().map(value).collect();
        let line = StripLine {
            label: name.to_owned(),
            role: "gauge".to_owned(),
            level: clock.level(&values, Reduce::Mean),
        };
        match strips.iter_mut().find(|strip| strip.unit_words == unit) {
            Some(strip) => strip.lines.push(line),
            None => strips.push(Strip {
                unit_words: unit.to_owned(),
                ..Strip::new(name, Unit::Other, vec![line])
            }),
        }
    }
    course(phase, clock, strips)
}

fn course(phase: &PhaseResult, clock: &Clock, strips: Vec<Strip>) -> TimeStrips {
    let filled = strips.into_iter().filter(|strip| !strip.lines.is_empty());
    TimeStrips {
        axis: TimeAxis::of(phase, clock),
        strips: filled.collect(),
    }
}
