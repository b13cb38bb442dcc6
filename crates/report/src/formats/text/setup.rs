//! What was measured on what: targets, the devices below them, the engine, the load.

use super::load_words;
use crate::figure::{duration, plural, size, volume};
use crate::page::Page;
use fathom_core::result::{
    EndReason, EngineInfo, PhaseResult, RunResult, TargetDevice, TargetInfo,
};
use std::collections::BTreeSet;

/// Targets and devices that are listed; the others are counted.
const LISTED: usize = 4;

/// A shorter cool-down is only the wait for the last requests.
const NOTABLE_NS: u64 = 100_000_000;

pub(super) fn write(page: &mut Page, result: &RunResult) {
    let provenance = &result.provenance;
    let targets = provenance.targets.iter();
    list(page, "target", targets.map(|one| target(result, one)));
    let mut devices: Vec<&TargetDevice> = Vec::new();
    for device in provenance.targets.iter().flat_map(|target| &target.devices) {
        if devices.iter().all(|other| other.name != device.name) {
            devices.push(device);
        }
    }
    list(page, "device", devices.into_iter().map(device));
    page.entry("engine", &engine(&provenance.engine));
    match result.phases.as_slice() {
        [] => page.entry("load", "no phase has run"),
        [phase] => load(page, result, phase),
        phases => {
            let measured = phases.iter().map(|phase| phase.measured_ns).sum();
            let text = format!(
                "{}, {} measured in all",
                plural(phases.len() as u64, "phase"),
                duration(measured)
            );
            page.entry("load", &text);
        }
    }
}

/// The load of one phase and its length.
pub(super) fn load(page: &mut Page, result: &RunResult, phase: &PhaseResult) {
    for (job, spec) in result.job_specs(phase) {
        let prefix = super::job_prefix(phase, &job.name);
        page.entry("load", &(prefix + &load_words::job(job, spec)));
    }
    page.entry("time", &time(phase));
}

fn list(page: &mut Page, label: &str, texts: impl Iterator<Item = String>) {
    let texts: Vec<String> = texts.collect();
    for (index, text) in texts.iter().take(LISTED).enumerate() {
        page.entry(if index == 0 { label } else { "" }, text);
    }
    if texts.len() > LISTED {
        page.entry("", &format!("and {} more", texts.len() - LISTED));
    }
}

fn target(result: &RunResult, target: &TargetInfo) -> String {
    if target.kind == "none" {
        let space = size(target.size_bytes);
        return format!("{}: {space}, no file or device", target.path);
    }
    let mut text = format!("{}: {}", target.path, target.kind);
    if target.size_bytes > 0 {
        text += &format!(" of {}", size(target.size_bytes));
    }
    if target.made_by_fathom {
        text += " created by fathom";
    }
    if !target.file_system.is_empty() {
        text += &format!(", {} on {}", target.file_system, target.mount_point);
        if !target.mount_source.is_empty() {
            text += &format!(" from {}", target.mount_source);
        }
        if !target.upper_file_system.is_empty() {
            text += &format!(" over {}", target.upper_file_system);
        }
    }
    if !target.allow_list.is_empty() {
        text += &format!(", limited by {}", target.allow_list);
    }
    if !target.direct {
        return text + ", through the page cache";
    }
    let phases = result.phases.iter();
    let buffered = phases.flat_map(|phase| result.buffered_jobs(phase, &target.path));
    let buffered: Vec<&str> = buffered.collect::<BTreeSet<_>>().into_iter().collect();
    match buffered.as_slice() {
        [] => text + ", direct I/O",
        jobs => {
            text + &format!(
                ", direct I/O, but {} through the page cache",
                jobs.join(", ")
            )
        }
    }
}

fn device(device: &TargetDevice) -> String {
    let mut parts = vec![device.kind.clone(), device.model.clone()];
    if device.size_bytes > 0 {
        parts.push(volume(device.size_bytes));
    }
    if !device.transport.is_empty() && device.transport != "pcie" {
        parts.push(format!("over {}", device.transport));
    }
    if device.rotational {
        // The flag, not the fact: many virtual disks carry it without a platter.
        parts.push("rotational".to_owned());
    }
    if !device.scheduler.is_empty() {
        parts.push(format!("scheduler {}", device.scheduler));
    }
    if device.queue_requests > 0 {
        parts.push(format!("queue of {}", device.queue_requests));
    }
    if !device.write_cache.is_empty() {
        parts.push(format!("cache {}", device.write_cache));
    }
    parts.retain(|part| !part.is_empty());
    format!("{}: {}", device.name, parts.join(", "))
}

fn engine(engine: &EngineInfo) -> String {
    // A reason may begin with the name, as in `libaio, because …`.
    let mut text = match engine.reason.as_str() {
        "" => engine.name.clone(),
        reason if reason.starts_with(&engine.name) => reason.to_owned(),
        reason => format!("{}: {reason}", engine.name),
    };
    if !engine.flags.is_empty() {
        text += &format!("; {}", engine.flags.join(", "));
    }
    text
}

fn time(phase: &PhaseResult) -> String {
    let mut text = format!("{} measured", duration(phase.measured_ns));
    if phase.warm_up_ns > 0 {
        text += &format!(" after {} of warm-up", duration(phase.warm_up_ns));
    }
    if phase.cool_down_ns >= NOTABLE_NS {
        text += &format!(", {} of cool-down", duration(phase.cool_down_ns));
    }
    text + "; " + ended_by(phase.ended_by)
}

const fn ended_by(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Duration => "ended by time",
        EndReason::Amount => "ended when complete",
        EndReason::Steady => "ended when steady",
        EndReason::NotSteady => "ended without becoming steady",
        EndReason::Interrupted => "ended early",
        EndReason::Errors => "ended by errors",
        EndReason::Overloaded => "ended because the load fell behind its schedule",
    }
}
