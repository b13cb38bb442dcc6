//! What differs between two runs apart from the result.

use super::shape;
use fathom_core::SmallSort as _;
use fathom_core::caveat::State;
use fathom_core::figure;
use fathom_core::result::{
    EndReason, HostInfo, Origin, PhaseResult, RunResult, TargetDevice, TargetInfo,
};
use serde::Serialize;
use std::collections::BTreeSet;

/// What a difference means for a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FactorRole {
    /// It forbids the comparison.
    Blocks,
    /// It is what the comparison is about.
    Expected,
    /// Worth knowing.
    Noted,
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Factor {
    /// One of [`FACTORS`].
    pub name: &'static str,
    /// The phase or `phase/job` it is about; empty for the whole run.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// What the base has.
    pub base: String,
    /// What the other has.
    pub other: String,
    /// What it means.
    pub role: FactorRole,
}

impl Factor {
    /// What differs, as in `kernel` or `mix of main/oltp`.
    pub fn subject(&self) -> String {
        if self.place.is_empty() {
            self.name.to_owned()
        } else {
            format!("{} of {}", self.name, self.place)
        }
    }

    /// What the base and the other have, in words.
    pub fn values(&self) -> [&str; 2] {
        [&self.base, &self.other].map(|value| match value.as_str() {
            "" => "unknown",
            known => known,
        })
    }
}

/// All differences that are looked for: name, whether it forbids a comparison, description.
pub const FACTORS: [(&str, bool, &str); 37] = [
    (
        "state",
        true,
        "how far the results can be trusted, and their qualifiers",
    ),
    ("origin", true, "measured, simulated or imported"),
    ("profile", true, "name of the workload"),
    ("declared", true, "settings declared with --declare"),
    ("engine", true, "I/O engine"),
    ("host", true, "machine"),
    ("device", true, "block devices below the targets"),
    (
        "target",
        true,
        "kind of target, file system, direct or buffered",
    ),
    ("target-size", true, "usable size of the targets"),
    ("load-model", true, "closed, open or bursts, and the rate"),
    (
        "mix",
        true,
        "operations, their sizes, random shares and weights",
    ),
    ("span", true, "size, offset and window of the used part"),
    ("access", true, "distribution of offsets"),
    ("threads", true, "threads per job"),
    ("queue-depth", true, "queue depth per thread"),
    ("durability", true, "direct, write-through, flushes"),
    ("data", true, "content of writes"),
    ("verify", true, "stamps and checks of blocks"),
    ("stop", true, "bytes or requests after which a job stops"),
    ("end", true, "reason for the end of the measured time"),
    (
        "duration",
        true,
        "measured time, if one is over twice the other",
    ),
    (
        "warm-up",
        true,
        "load before the measured time, if one is over twice the other",
    ),
    ("kernel", false, "release of the kernel"),
    ("version", false, "version of fathom"),
    ("engine-flags", false, "features of the engine"),
    ("scheduler", false, "I/O scheduler of the devices"),
    ("mount-options", false, "mount options of the targets"),
    ("write-cache", false, "write cache of the devices"),
    (
        "machine",
        false,
        "product name of the machine, or type of the instance",
    ),
    ("processors", false, "model and number of processors"),
    ("memory", false, "size of memory"),
    ("io-limits", false, "I/O limits of the control group"),
    (
        "mount-source",
        false,
        "what is mounted, and the file system that keeps what is written",
    ),
    (
        "queue",
        false,
        "requests in the queue, blocks, rotation and read-ahead of the devices",
    ),
    ("link", false, "transport and link of the devices"),
    ("clock", false, "clock of the run and of the kernel"),
    ("network", false, "network links of the machine"),
];

/// Factors that earlier results do not have: where one is unknown, nothing is noted.
const NEWER: [&str; 5] = ["mount-source", "queue", "link", "clock", "network"];

/// Where two runs differ, in the order of [`FACTORS`].
pub fn differences(base: &RunResult, other: &RunResult) -> Vec<Factor> {
    let mut found = FactorList(Vec::new());
    let whole = [base, other].map(whole);
    for (one, two) in whole[0].iter().zip(&whole[1]) {
        // An import has no profile, and its origin is named.
        let may_lack = one.0 == "profile" || NEWER.contains(&one.0);
        if may_lack && (one.1.is_empty() || two.1.is_empty()) {
            continue;
        }
        found.note(one.0, "", one.1.clone(), two.1.clone());
    }
    for phase in &base.phases {
        let same = |one: &&PhaseResult| one.name == phase.name && one.repeat == phase.repeat;
        if let Some(twin) = other.phases.iter().find(same) {
            phases(&mut found, phase, twin);
            shapes(&mut found, (base, phase), (other, twin));
        }
    }
    let place = |name: &str| FACTORS.iter().position(|(factor, ..)| *factor == name);
    found.0.small_sort_by_key(|factor| place(factor.name));
    found.0.dedup();
    found.0
}

struct FactorList(Vec<Factor>);

impl FactorList {
    fn note(&mut self, name: &'static str, place: &str, base: String, other: String) {
        if base == other {
            return;
        }
        let blocks = FACTORS
            .iter()
            .any(|(factor, blocks, _)| *factor == name && *blocks);
        self.0.push(Factor {
            name,
            place: place.to_owned(),
            base,
            other,
            role: if blocks {
                FactorRole::Blocks
            } else {
                FactorRole::Noted
            },
        });
    }
}

/// What is true of the whole run, in words.
fn whole(run: &RunResult) -> Vec<(&'static str, String)> {
    let provenance = &run.provenance;
    let host = &provenance.host;
    let origin = match &provenance.origin {
        Origin::Measured => "measured".to_owned(),
        Origin::Simulated { model } => format!("simulated {model}"),
        Origin::Imported { tool, .. } => format!("imported from {tool}"),
    };
    let targets = |words: fn(&TargetInfo) -> String| {
        let mut words: Vec<String> = provenance.targets.iter().map(words).collect();
        words.dedup();
        words.join(", ")
    };
    vec![
        ("state", qualifiers(run)),
        ("origin", origin),
        ("profile", run.work().to_owned()),
        ("declared", provenance.declared.join(", ")),
        ("engine", provenance.engine.name.clone()),
        ("host", host.hostname.clone()),
        ("device", targets(devices)),
        ("target", targets(kind)),
        (
            "target-size",
            targets(|target| figure::size(target.size_bytes)),
        ),
        ("kernel", host.kernel.clone()),
        ("version", provenance.version.clone()),
        ("engine-flags", provenance.engine.flags.join(", ")),
        (
            "scheduler",
            targets(|target| of_devices(target, |one| &one.scheduler)),
        ),
        (
            "mount-options",
            targets(|target| target.mount_options.clone()),
        ),
        (
            "write-cache",
            targets(|target| of_devices(target, |one| &one.write_cache)),
        ),
        ("machine", machine(host)),
        ("processors", format!("{} × {}", host.cpus, host.cpu_model)),
        ("memory", memory(host)),
        ("io-limits", provenance.io_limits.join(", ")),
        ("mount-source", targets(source)),
        ("queue", targets(queues)),
        ("link", targets(links)),
        ("clock", clock(run)),
        ("network", network(host)),
    ]
}

/// The state as far as it decides what a result may be compared with, as in `SUSPECT (steal)`.
pub fn qualifiers(run: &RunResult) -> String {
    match deciding(run) {
        none if none.is_empty() => run.state.word().to_owned(),
        codes => format!("{} ({})", run.state.word(), codes.join(", ")),
    }
}

/// The codes that decide the state of a run: the qualifiers of a qualified one, the findings of a
/// worse one; sorted. A state without findings is its own reason.
pub(super) fn deciding(run: &RunResult) -> Vec<String> {
    if run.state == State::Valid {
        return Vec::new();
    }
    let caveats = run.caveats.iter();
    let caveats = caveats.filter(|caveat| caveat.level.state() == run.state);
    let codes: BTreeSet<&str> = caveats.map(|caveat| caveat.code.as_str()).collect();
    if codes.is_empty() {
        return vec!["without a finding".to_owned()];
    }
    codes.into_iter().map(str::to_owned).collect()
}

fn devices(target: &TargetInfo) -> String {
    let words = target.devices.iter().map(|device| {
        let model = if device.model.is_empty() {
            String::new()
        } else {
            format!(" {}", device.model)
        };
        let volume = figure::volume(device.size_bytes);
        format!("{}{model} of {volume}", device.name)
    });
    words.collect::<Vec<_>>().join(" on ")
}

fn kind(target: &TargetInfo) -> String {
    let system = if target.file_system.is_empty() {
        String::new()
    } else {
        format!(" on {} {}", target.file_system, target.mount_point)
    };
    let direct = if target.direct { "direct" } else { "buffered" };
    format!("{direct} {}{system}", target.kind)
}

fn machine(host: &HostInfo) -> String {
    let emulator = host.emulator.iter().map(String::as_str);
    let parts = emulator.chain([host.machine.as_str()]);
    joined(parts.map(str::to_owned), ", ")
}

/// All memory, and the limit of the control group.
fn memory(host: &HostInfo) -> String {
    let all = figure::size(host.memory_bytes);
    match host.memory_limit_bytes {
        Some(limit) => format!("{all}, of which {}", figure::size(limit)),
        None => all,
    }
}

fn source(target: &TargetInfo) -> String {
    let parts = [&target.mount_source, &target.upper_file_system];
    joined(parts.into_iter().cloned(), " over ")
}

fn queues(target: &TargetInfo) -> String {
    let words = target.devices.iter().map(|device| {
        let turns = if device.rotational { ", rotates" } else { "" };
        let ahead = device.limits.as_ref().and_then(|one| one.read_ahead_bytes);
        let ahead = ahead.map_or_else(String::new, |ahead| {
            format!(", read-ahead {}", figure::size(ahead))
        });
        let (name, requests) = (&device.name, device.queue_requests);
        let block = figure::size(device.logical_block_bytes);
        format!("{name}: {requests} requests, blocks of {block}{turns}{ahead}")
    });
    joined(words, " on ")
}

fn links(target: &TargetInfo) -> String {
    let words = target.devices.iter().map(|device| {
        let link = device.limits.as_ref().and_then(|one| one.link.as_ref());
        let link = link.map_or_else(String::new, |link| {
            format!("{} lanes of {} GT/s", link.lanes, link.gigatransfers)
        });
        joined([device.transport.clone(), link].into_iter(), " ")
    });
    joined(words, ", ")
}

fn clock(run: &RunResult) -> String {
    let provenance = &run.provenance;
    let clocks = [&provenance.engine.clock, &provenance.host.clock_source];
    joined(clocks.into_iter().cloned(), ", kernel ")
}

fn network(host: &HostInfo) -> String {
    let links = host.links.iter().map(|link| {
        let gigabits = figure::significant(link.bits_per_second as f64 / 1e9);
        format!("{} {gigabits} Gbit/s", link.name)
    });
    joined(links, ", ")
}

/// Those that are known.
fn joined(parts: impl Iterator<Item = String>, between: &str) -> String {
    let known = parts.filter(|part| !part.is_empty());
    known.collect::<Vec<_>>().join(between)
}

/// A text of each device below a target.
fn of_devices(target: &TargetInfo, text: fn(&TargetDevice) -> &str) -> String {
    let devices = target.devices.iter().map(text);
    devices.collect::<Vec<_>>().join(", ")
}

/// How the measured times of a phase relate.
fn phases(found: &mut FactorList, base: &PhaseResult, other: &PhaseResult) {
    let end = |phase: &PhaseResult| end_words(phase.ended_by).to_owned();
    found.note("end", &base.name, end(base), end(other));
    // How long a given amount takes is a result, not a condition.
    let times = [
        (
            "duration",
            [base.measured_ns, other.measured_ns],
            base.ended_by == EndReason::Duration,
        ),
        ("warm-up", [base.warm_up_ns, other.warm_up_ns], true),
    ];
    for (name, [one, two], given) in times {
        if given && one.max(two) > 2 * one.min(two) {
            let [one, two] = [one, two].map(figure::duration);
            found.note(name, &base.name, one, two);
        }
    }
}

const fn end_words(reason: EndReason) -> &'static str {
    match reason {
        EndReason::Duration => "by its time",
        EndReason::Amount => "by its amount",
        EndReason::Steady => "when steady",
        EndReason::NotSteady => "not steady",
        EndReason::Interrupted => "interrupted",
        EndReason::Errors => "by errors",
        EndReason::Overloaded => "overloaded",
    }
}

fn shapes(
    found: &mut FactorList,
    (base, phase): (&RunResult, &PhaseResult),
    (other, twin): (&RunResult, &PhaseResult),
) {
    for job in &phase.jobs {
        let Some(same) = twin.jobs.iter().find(|one| one.name == job.name) else {
            continue;
        };
        let place = format!("{}/{}", phase.name, job.name);
        let specs = [base, other].map(|run| run.job_spec(&phase.name, &job.name));
        let [one, two] = match specs {
            [Some(one), Some(two)] => [shape::of_spec(one), shape::of_spec(two)],
            // Of an imported result not all may be known; what the result says must do.
            _ => [shape::of_result(job), shape::of_result(same)],
        };
        for ((name, one), (_, two)) in one.into_iter().zip(two) {
            found.note(name, &place, one, two);
        }
    }
}
