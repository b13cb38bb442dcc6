//! What the block devices counted themselves, and how it compares with what Fathom counted.

use crate::figure::{count, decimal, outstanding, volume};
use crate::page::Page;
use fathom_core::Op;
use fathom_core::result::{DeviceUse, PhaseResult, RunResult};

pub(super) fn write(page: &mut Page, result: &RunResult, phase: &PhaseResult) {
    if phase.devices.is_empty() && result.provenance.rebuilt {
        page.entry("device", "not known");
        return;
    }
    if phase.devices.is_empty() && result.cluster.is_some() {
        page.entry("device", "counted by each host itself, not added up");
        return;
    }
    if phase.devices.is_empty() {
        page.entry("device", "no block device is known below the targets");
        return;
    }
    for device in &phase.devices {
        page.entry("device", &counted(device, phase.measured_ns));
    }
    if let Some(text) = comparison(result, phase) {
        page.entry("", &text);
    }
}

fn counted(device: &DeviceUse, measured_ns: u64) -> String {
    let mut parts = Vec::new();
    let directions = [
        (
            "reads",
            device.reads,
            device.read_bytes,
            device.reads_merged,
        ),
        (
            "writes",
            device.writes,
            device.write_bytes,
            device.writes_merged,
        ),
    ];
    for (name, ios, bytes, merged) in directions {
        if ios == 0 {
            continue;
        }
        let mut text = format!("{} {name}, {}", count(ios), volume(bytes));
        if merged > 0 {
            text += &format!(" ({} merged)", count(merged));
        }
        parts.push(text);
    }
    for (name, ios) in [("discards", device.discards), ("flushes", device.flushes)] {
        if ios > 0 {
            parts.push(format!("{} {name}", count(ios)));
        }
    }
    if parts.is_empty() {
        return format!("{} counted nothing", device.device);
    }
    let queue = device.queue_ns as f64 / measured_ns.max(1) as f64;
    parts.push(format!("mean queue {}", outstanding(queue)));
    format!("{} counted {}", device.device, parts.join("; "))
}

/// Bytes and requests of the leaf devices together, as multiples of ours.
fn comparison(result: &RunResult, phase: &PhaseResult) -> Option<String> {
    let mut parts = Vec::new();
    for (op, word) in [(Op::Read, "reads"), (Op::Write, "writes")] {
        let (mut ours_ios, mut ours_bytes) = (0, 0);
        for one in phase.jobs.iter().filter_map(|job| job.ops.get(op)) {
            ours_ios += one.ios;
            ours_bytes += one.bytes;
        }
        if ours_bytes == 0 {
            continue;
        }
        let (mut ios, mut bytes) = (0, 0);
        for device in leaves(result, phase) {
            let (device_ios, device_bytes) = match op {
                Op::Read => (device.reads, device.read_bytes),
                _ => (device.writes, device.write_bytes),
            };
            ios += device_ios;
            bytes += device_bytes;
        }
        parts.push(format!(
            "compared with fathom's {word}: {} × the bytes, {} × the requests",
            decimal(bytes as f64 / ours_bytes as f64, 3),
            decimal(ios as f64 / ours_ios as f64, 3)
        ));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// The devices with nothing below them; counting those above as well would count twice.
fn leaves<'a>(
    result: &'a RunResult,
    phase: &'a PhaseResult,
) -> impl Iterator<Item = &'a DeviceUse> {
    let below = result.provenance.targets.iter();
    let known: Vec<_> = below.flat_map(|target| &target.devices).collect();
    phase.devices.iter().filter(move |device| {
        let known = known.iter().find(|known| known.name == device.device);
        known.is_none_or(|known| known.leaf)
    })
}
