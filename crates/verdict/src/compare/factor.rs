//! What differs between two runs beside the result.

use super::shape;
use crate::checks::Code;
use fathom_core::CodeWord;
use fathom_core::caveat::{Level, State};
use fathom_core::result::{EndReason, Origin, PhaseResult, RunResult, TargetInfo};
use serde::Serialize;
use std::collections::BTreeSet;

/// What a difference means for a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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

/// All differences that are looked for: name, whether it forbids a comparison, what it is.
pub const FACTORS: [(&str, bool, &str); 25] = [
    (
        "state",
        true,
        "how far the results may be trusted, and their qualifiers",
    ),
    ("origin", true, "measured, simulated or imported"),
    ("profile", true, "name of the workload"),
    ("engine", true, "how requests reach the storage"),
    ("host", true, "machine"),
    ("device", true, "block devices below the targets"),
    (
        "target",
        true,
        "kind of target, file system, direct or buffered",
    ),
    ("target-size", true, "usable size of the targets"),
    (
        "load-model",
        true,
        "closed, open or in bursts, and its rate",
    ),
    (
        "mix",
        true,
        "operations, their sizes, random shares and weights",
    ),
    ("span", true, "size, offset and window of what is used"),
    ("access", true, "how places are chosen"),
    ("threads", true, "threads of a job"),
    ("queue-depth", true, "outstanding requests of a thread"),
    ("durability", true, "direct, write-through, flushes"),
    ("data", true, "what writes carry"),
    ("verify", true, "self-describing blocks and their checks"),
    (
        "stop",
        true,
        "bytes or requests after which a job has enough",
    ),
    ("end", true, "why the measured time ended"),
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
    ("engine-flags", false, "features of the engine in use"),
    ("scheduler", false, "I/O scheduler of the devices"),
];

/// Where two runs differ, in the order of [`FACTORS`].
pub fn differences(base: &RunResult, other: &RunResult) -> Vec<Factor> {
    let mut found = Found(Vec::new());
    let whole = [base, other].map(whole);
    for (one, two) in whole[0].iter().zip(&whole[1]) {
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
    found.0.sort_by_key(|factor| place(factor.name));
    found.0.dedup();
    found.0
}

struct Found(Vec<Factor>);

impl Found {
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
        ("profile", provenance.workload.name.clone()),
        ("engine", provenance.engine.name.clone()),
        ("host", host.hostname.clone()),
        ("device", targets(devices)),
        ("target", targets(kind)),
        (
            "target-size",
            targets(|target| fathom_core::figure::size(target.size_bytes)),
        ),
        ("kernel", host.kernel.clone()),
        ("version", provenance.version.clone()),
        ("engine-flags", provenance.engine.flags.join(", ")),
        ("scheduler", targets(schedulers)),
    ]
}

/// The state as far as it decides what a result may be compared with: the qualifiers of a
/// qualified one, the doubts of a worse one.
pub(super) fn qualifiers(run: &RunResult) -> String {
    let level = match run.state {
        State::Valid => return "VALID".to_owned(),
        State::Qualified => Level::Qualified,
        State::Suspect => Level::Suspect,
        State::Invalid => Level::Invalid,
    };
    let caveats = run.caveats.iter().filter(|caveat| caveat.level == level);
    let mut codes: Vec<&str> = caveats.map(|caveat| caveat.code.as_str()).collect();
    codes.sort_unstable();
    codes.dedup();
    format!("{} ({})", run.state.word(), codes.join(", "))
}

/// Qualifiers that come from how an engine hands over requests, and not from the storage or the
/// load: the time from a completion to the next submission.
const OF_ENGINE: [Code; 1] = [Code::SubmissionGaps];

/// Codes of the qualifiers that do not come from an engine.
fn qualified_otherwise(run: &RunResult) -> BTreeSet<&CodeWord> {
    let caveats = run.caveats.iter();
    let qualifiers = caveats.filter(|caveat| caveat.level == Level::Qualified);
    let others = qualifiers.filter(|caveat| !OF_ENGINE.iter().any(|code| code.is(caveat)));
    others.map(|caveat| &caveat.code).collect()
}

/// Whether the states of runs differ in nothing but what follows from their engines: none is
/// worse than qualified, and all other qualifiers are the same.
pub(super) fn states_follow_engine<'a>(mut runs: impl Iterator<Item = &'a RunResult>) -> bool {
    let Some(first) = runs.next() else {
        return false;
    };
    let expected = qualified_otherwise(first);
    first.state <= State::Qualified
        && runs.all(|run| run.state <= State::Qualified && qualified_otherwise(run) == expected)
}

fn devices(target: &TargetInfo) -> String {
    let words = target.devices.iter().map(|device| {
        let model = if device.model.is_empty() {
            String::new()
        } else {
            format!(" {}", device.model)
        };
        let volume = fathom_core::figure::volume(device.size_bytes);
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

fn schedulers(target: &TargetInfo) -> String {
    let devices = target
        .devices
        .iter()
        .map(|device| device.scheduler.as_str());
    devices.collect::<Vec<_>>().join(", ")
}

/// How the measured times of a phase relate.
fn phases(found: &mut Found, base: &PhaseResult, other: &PhaseResult) {
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
            let [one, two] = [one, two].map(fathom_core::figure::duration);
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
        EndReason::TooSlow => "too slow",
        EndReason::DepthFound => "at a depth found",
        EndReason::NoDepth => "no depth found",
        EndReason::Interrupted => "interrupted",
        EndReason::Errors => "by errors",
        EndReason::Overloaded => "overloaded",
    }
}

fn shapes(
    found: &mut Found,
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
