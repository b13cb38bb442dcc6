//! A result under construction, with all that no source says left empty.

use crate::own_names::{OwnNames, in_parentheses};
use crate::plain_job;
use fathom_core::Caveat;
use fathom_core::result::{
    EngineInfo, HostInfo, JobResult, LoadModel, Origin, PhaseResult, Provenance, ResultField,
    RunResult, TargetInfo, Timings, Unknown, run_id,
};
use fathom_core::spec::{Job, Phase};
use fathom_core::units::Nanos;
use fathom_core::units::rfc3339;
use std::collections::{HashMap, HashSet};

/// Fields about which no source says anything.
const NEVER: [ResultField; 9] = [
    ResultField::Devices,
    ResultField::EndedBy,
    ResultField::Kernel,
    ResultField::MemoryBytes,
    ResultField::QueueDepthHeld,
    ResultField::ResponseNs,
    ResultField::Seed,
    ResultField::Submitted,
    ResultField::Timings,
];

/// What a source says of a run.
#[derive(Debug)]
pub struct Draft {
    /// The program that wrote it, with its version if it says one.
    pub tool: String,
    /// Name of the format.
    pub format: &'static str,
    /// Name of the workload.
    pub name: String,
    /// Start in nanoseconds since 1970.
    pub started_ns: Option<u64>,
    /// Words with which the program was called; empty if the source has none.
    pub command_line: Vec<String>,
    /// Name of the measured host; empty if the source has none.
    pub host_name: String,
    /// I/O engine, in the words of the program.
    pub engine: String,
    /// Length of the intervals that deviations are over.
    pub interval: Nanos,
    /// What makes the numbers questionable.
    pub caveats: Vec<Caveat>,
    /// Sizes of targets in bytes, where they are known.
    pub sizes: HashMap<String, u64>,
    phases: Vec<PhaseResult>,
    /// Those of the phases.
    names: OwnNames,
    specs: Vec<Phase>,
    unknown: Unknown,
}

impl Draft {
    /// Starts a result without phases. `file` gives the workload its name.
    pub fn new(tool: String, format: &'static str, file: &str) -> Self {
        Self {
            tool,
            format,
            name: stem(file),
            started_ns: None,
            command_line: Vec::new(),
            host_name: String::new(),
            engine: String::new(),
            interval: Nanos::from_secs(1),
            caveats: Vec::new(),
            sizes: HashMap::new(),
            phases: Vec::new(),
            names: OwnNames::default(),
            specs: Vec::new(),
            unknown: NEVER.into(),
        }
    }

    /// Lists fields that the source says nothing about.
    pub fn unknown<const N: usize>(&mut self, fields: [ResultField; N]) {
        self.unknown.extend(fields);
    }

    /// Adds a phase, under a name that is not taken yet.
    pub fn phase(&mut self, mut phase: PhaseResult, mut spec: Phase) {
        phase.name = self.names.own(&phase.name, in_parentheses);
        spec.name.clone_from(&phase.name);
        self.phases.push(phase);
        self.specs.push(spec);
    }

    /// The result. `content` is what it was read from, which makes its name unique.
    pub fn finish<'a>(mut self, content: impl Iterator<Item = &'a str>) -> RunResult {
        if self.started_ns.is_none() {
            self.unknown([ResultField::StartedAt]);
        }
        let mut targets: Vec<TargetInfo> = Vec::new();
        let mut named: HashSet<&str> = HashSet::new();
        for path in self.specs.iter().flat_map(|spec| &spec.jobs) {
            for target in &path.targets {
                if named.insert(target) {
                    targets.push(TargetInfo {
                        path: target.clone(),
                        direct: path.durability.direct,
                        size_bytes: self.sizes.get(target).copied().unwrap_or_default(),
                        ..TargetInfo::default()
                    });
                }
            }
        }
        let mut workload = plain_job::workload(&self.name, String::new(), self.specs);
        workload.interval = self.interval;
        workload.seed = Some(0);
        let provenance = Provenance {
            origin: Origin::Imported {
                tool: self.tool,
                format: self.format.to_owned(),
                unknown: self.unknown,
            },
            rebuilt: false,
            declared: Vec::new(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command_line: self.command_line,
            started_at: self.started_ns.map(rfc3339).unwrap_or_default(),
            workload,
            seed: 0,
            host: HostInfo {
                hostname: self.host_name,
                ..HostInfo::default()
            },
            engine: EngineInfo {
                name: self.engine,
                ..EngineInfo::default()
            },
            targets,
            timings: Timings::default(),
            io_limits: Vec::new(),
            missing: Vec::new(),
        };
        RunResult {
            caveats: self.caveats,
            ..RunResult::unjudged(
                run_id(self.started_ns.unwrap_or(0), digest(content)),
                provenance,
                self.phases,
            )
        }
    }
}

/// A job that did nothing, in the terms of `spec`.
pub fn job(spec: &Job) -> JobResult {
    let depth = u64::from(spec.threads) * u64::from(spec.queue_depth);
    JobResult {
        name: spec.name.clone(),
        load_model: LoadModel::Closed,
        targets: spec.targets.clone(),
        threads: spec.threads,
        queue_depth: depth,
        queue_depth_possible: depth,
        ..JobResult::default()
    }
}

/// A job about which the source says no more than that it is there.
pub fn unknown_load(name: &str) -> Job {
    Job {
        threads: 0,
        queue_depth: 0,
        ..plain_job::job(name)
    }
}

/// The name of a file without its folder and its last ending.
fn stem(file: &str) -> String {
    let name = file.rsplit('/').next().unwrap_or(file);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
        _ => name.to_owned(),
    }
}

/// FNV-1a over all texts: the same files give the same name of a run.
fn digest<'a>(content: impl Iterator<Item = &'a str>) -> u64 {
    const PRIME: u64 = 0x0000_0100_0000_01B3;
    let bytes = content.flat_map(str::bytes);
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(PRIME)
    })
}
