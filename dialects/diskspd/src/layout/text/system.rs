//! The machine.

use super::UNKNOWN;
use crate::processor_group::GROUP;
use fathom_core::result::{PhaseResult, ProcessorUse, ResultField, RunResult};
use std::collections::BTreeSet;

pub(super) fn system(result: &RunResult, phase: Option<&PhaseResult>, text: &mut String) {
    let host = &result.provenance.host;
    *text += "System information:\n\n";
    let origin = &result.provenance.origin;
    let name = match host.hostname.as_str() {
        "" if origin.is_imported() => UNKNOWN,
        name => name,
    };
    *text += &format!("\tcomputer name: {name}\n");
    let started = if origin.knows(ResultField::StartedAt) {
        format!("{} UTC", start(&result.provenance.started_at))
    } else {
        UNKNOWN.to_owned()
    };
    *text += &format!("\tstart time: {started}\n");
    *text += "\n";
    let processors = phase.map_or(&[][..], |phase| &phase.process.processors);
    let count = |of: fn(&ProcessorUse) -> u32, unknown: u32| {
        let different: BTreeSet<u32> = processors.iter().map(of).collect();
        if different.is_empty() {
            unknown
        } else {
            different.len() as u32
        }
    };
    let cpus = host.cpus.max(processors.len() as u32);
    if origin.is_imported() && cpus == 0 {
        for label in ["cpu", "core", "group", "node", "socket"] {
            *text += &format!("\t{label} count:\t\t{UNKNOWN}\n");
        }
        *text += &format!("\theterogeneous cores:\t{UNKNOWN}\n");
        *text += &format!("\n\tactive power scheme:\t{UNKNOWN}\n");
        return;
    }
    for (label, number) in [
        ("cpu", cpus),
        ("core", count(|one| one.core, cpus)),
        ("group", cpus.div_ceil(GROUP).max(1)),
        ("node", count(|one| one.node, 1)),
        ("socket", count(|one| one.socket, 1)),
    ] {
        *text += &format!("\t{label} count:\t\t{number}\n");
    }
    *text += "\theterogeneous cores:\tn\n";
    // Linux has none; readers want the line.
    *text += "\n\tactive power scheme:\t\n";
}

/// An instant as DISKSPD writes it: `2026/06/22 22:16:45`.
pub(in crate::layout) fn start(rfc3339: &str) -> String {
    let seconds = rfc3339.split(['.', 'Z', '+']).next().unwrap_or(rfc3339);
    seconds.replace('-', "/").replace('T', " ")
}
