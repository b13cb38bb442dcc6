//! What the machine did under the load: one row for each block device, the processors together, and
//! each level of a model, in each interval in which they were looked at.

use super::{Sheet, cell, place};
use fathom_core::result::{CpuShares, DeviceUse, Gauge, MachineInterval, RunResult};

const FIGURES: [&str; 24] = [
    "start_ns",
    "length_ns",
    "kind",
    "name",
    "reads",
    "read_bytes",
    "reads_merged",
    "writes",
    "write_bytes",
    "writes_merged",
    "discards",
    "flushes",
    "busy_ns",
    "queue_ns",
    "reads_per_second",
    "writes_per_second",
    "user_percent",
    "system_percent",
    "iowait_percent",
    "steal_percent",
    "own_percent",
    "level",
    "full",
    "unit",
];

/// Columns of when and what, which every row has.
const WHEN: usize = 4;
/// Columns of a device, after those.
const DEVICE: usize = 12;
/// Columns of the processors, after those.
const PROCESSORS: usize = 5;

pub(crate) fn render(result: &RunResult) -> String {
    let mut header: Vec<String> = place::OF_PHASE.map(str::to_owned).into();
    header.extend(FIGURES.map(str::to_owned));
    let mut rows = Sheet::new(header);
    for phase in &result.phases {
        for interval in &phase.machine {
            let devices = interval.devices.iter().map(|one| device(interval, one));
            let processors = interval.cpu.iter().map(|shares| cpu(interval, shares));
            let levels = interval.gauges.iter().map(|gauge| level(interval, gauge));
            for cells in devices.chain(processors).chain(levels) {
                rows.push(place::of_phase(result, phase).into_iter().chain(cells));
            }
        }
    }
    rows.finish()
}

/// A row with its figures at their place, `before` columns after those of when and what.
fn row(
    interval: &MachineInterval,
    kind: &str,
    name: &str,
    before: usize,
    figures: Vec<String>,
) -> Vec<String> {
    let mut row = vec![
        interval.start_ns.to_string(),
        interval.length_ns.to_string(),
        kind.to_owned(),
        name.to_owned(),
    ];
    row.resize(WHEN + before, String::new());
    row.extend(figures);
    row.resize(FIGURES.len(), String::new());
    row
}

fn device(interval: &MachineInterval, device: &DeviceUse) -> Vec<String> {
    let counted = [
        device.reads,
        device.read_bytes,
        device.reads_merged,
        device.writes,
        device.write_bytes,
        device.writes_merged,
        device.discards,
        device.flushes,
        device.busy_ns,
        device.queue_ns,
    ];
    let seconds = interval.length_ns as f64 / 1e9;
    let rate = |number: u64| cell((seconds > 0.0).then(|| number as f64 / seconds));
    let counted = counted.into_iter().map(|number| number.to_string());
    let figures = counted.chain([rate(device.reads), rate(device.writes)]);
    row(interval, "device", &device.device, 0, figures.collect())
}

fn cpu(interval: &MachineInterval, shares: &CpuShares) -> Vec<String> {
    let figures = [
        shares.user_percent,
        shares.system_percent,
        shares.iowait_percent,
        shares.steal_percent,
        shares.own_percent,
    ];
    let figures = figures.map(|percent| percent.to_string());
    row(interval, "processors", "all", DEVICE, figures.into())
}

fn level(interval: &MachineInterval, gauge: &Gauge) -> Vec<String> {
    let figures = vec![
        gauge.value.to_string(),
        cell(gauge.full),
        gauge.unit.clone(),
    ];
    row(interval, "level", &gauge.name, DEVICE + PROCESSORS, figures)
}
