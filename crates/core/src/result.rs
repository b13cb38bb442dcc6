//! The result document: what was asked, what happened, what is questionable.
//!
//! Rule for versions: a reader accepts its own version and all older ones; new fields are
//! optional and old ones keep their meaning. A change that breaks this raises
//! [`SCHEMA_VERSION`]. Field names are an interface that scripts rely on.

pub mod blame;
mod bound;
mod calls;
mod cliff;
mod cluster;
mod device;
mod encoded;
mod field;
mod late;
mod latency;
mod lateness;
mod layout;
mod ledger;
mod machine;
pub mod metric;
mod micro;
mod named;
mod origin;
mod pace;
mod pauses;
mod phase;
mod provenance;
mod ramp;
mod rates;
mod replayed;
mod requirement;
mod run_id;
mod share;
mod slow_events;
mod verified;

pub use bound::{
    Bound, BoundKind, BucketReport, Culprit, FallReport, KnownFall, Mechanism, Probe, ProbeKind,
};
pub use calls::CallCounts;
pub use cliff::{Cliff, CliffReport};
pub use cluster::{
    ClusterMember, ClusterPhase, ClusterReport, CountedTo, HostIntervals, MemberPhase, MemberState,
};
pub use device::{DeviceUse, ProcessUse, ProcessorUse};
pub use encoded::EncodedHistogram;
pub use field::{ResultField, Unknown};
pub use late::{LateRequests, StuckThreads};
pub use latency::{ErrorTally, OpResult, ServiceResult, SlowRequest, SplitResult, TargetLatency};
pub use lateness::Lateness;
pub use layout::{DeviceLimits, Extents, Health, HeldContent, Link, TargetLayout};
pub use ledger::{
    Activity, Blind, CacheUse, CountedIo, Coverage, Evidence, GeneratorHealth, Hiccups, IdleUse,
    Ledger, LimitSpan, Missing, NetworkUse, Paging, Pause, Wait,
};
pub use machine::{CpuShares, Gauge, GroupUse, MachineInterval};
pub use micro::{MicroProbe, ProbeRound};
pub use origin::{Origin, Origins};
pub use pace::Pace;
pub use phase::{
    Edges, EndReason, IntervalJob, IntervalOp, IntervalResult, JobResult, LoadModel, PhaseResult,
    SteadyLimit, SteadyMiss, SteadyReport, ThreadUse, WorkerResult,
};
pub use provenance::{
    EngineInfo, HostInfo, NetworkLink, Provenance, TargetDevice, TargetInfo, Timings,
};
pub use ramp::{RampAxis, RampLaw, RampReport, RampStep, RateAnswer, StepPurpose};
pub use replayed::{REPLAY_LATE_NS, ReplayLag, Replayed};
pub use requirement::{RequirementCheck, RequirementOutcome, RequirementReport};
pub use run_id::run_id;
pub use share::{ShareInterval, ShareIntervalOp, TargetShare, WorkerOp, WorkerShare};
pub use slow_events::{SlowEvent, slow_events};
pub use verified::{ReadBackResult, Verified, WrongBlocks};

use crate::caveat::{Caveat, State};
use serde::{Deserialize, Serialize};

/// Version of the document written by this program.
pub const SCHEMA_VERSION: u32 = 1;

/// The result of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunResult {
    /// [`SCHEMA_VERSION`] of the writer.
    pub schema_version: u32,
    /// Name of the run: sortable by time, unique.
    pub run_id: String,
    /// How far the numbers may be trusted.
    pub state: State,
    /// Why not further.
    pub caveats: Vec<Caveat>,
    /// Which checks could run; absent before any has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<Coverage>,
    /// How the run came about.
    pub provenance: Provenance,
    /// One entry for each phase that ran, repeats included.
    pub phases: Vec<PhaseResult>,
    /// What the phases say together, if they are the steps of a ramp.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ramp: Option<RampReport>,
    /// Short runs in addition to the phases, to find out what limited them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub probes: Vec<Probe>,
    /// What the storage was asked by writes of our own, with `--probe`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub micro_probes: Vec<MicroProbe>,
    /// How much the storage takes fast, with `--cliff`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cliff: Option<Box<CliffReport>>,
    /// What was required of it, and what it showed, with `--require`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<RequirementReport>,
    /// The members, if it was measured from many hosts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<Box<ClusterReport>>,
}

/// Why a stored result could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ResultError {
    /// Not JSON, or not of this form.
    #[error("not a result of fathom: {}", begin(&.0.to_string()))]
    Malformed(#[from] serde_json::Error),
    /// Written by a newer program.
    #[error(
        "the result has schema version {found}, this program reads up to {SCHEMA_VERSION}; use \
         the fathom that wrote it, or a newer one"
    )]
    TooNew {
        /// Version in the document.
        found: u32,
    },
}

/// The first and the last part of a message that quotes a value of any length.
fn begin(message: &str) -> String {
    const HALF: usize = 200;
    let letters = message.char_indices();
    let end = letters.clone().nth(HALF).map(|(at, _)| at);
    let rest = letters.rev().nth(HALF).map(|(at, _)| at);
    match (end, rest) {
        (Some(end), Some(rest)) if end < rest => {
            format!("{} … {}", &message[..end], &message[rest..])
        }
        _ => message.to_owned(),
    }
}

impl RunResult {
    /// The result of phases that nobody has judged: it is invalid until somebody does.
    pub const fn unjudged(
        run_id: String,
        provenance: Provenance,
        phases: Vec<PhaseResult>,
    ) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            run_id,
            state: State::Invalid,
            caveats: Vec::new(),
            coverage: None,
            provenance,
            phases,
            ramp: None,
            probes: Vec::new(),
            micro_probes: Vec::new(),
            cliff: None,
            requirements: Vec::new(),
            cluster: None,
        }
    }

    /// Reads a result document of this or an older version.
    pub fn from_json(text: &str) -> Result<Self, ResultError> {
        #[derive(Deserialize)]
        struct Version {
            schema_version: u32,
        }
        let Version { schema_version } = serde_json::from_str(text)?;
        if schema_version > SCHEMA_VERSION {
            return Err(ResultError::TooNew {
                found: schema_version,
            });
        }
        Ok(serde_json::from_str(text)?)
    }

    /// Name of the workload, by which runs of the same work are found. Empty for an import: its
    /// name is that of a file, which says nothing about the load.
    pub fn work(&self) -> &str {
        if self.provenance.origin.is_imported() {
            return "";
        }
        &self.provenance.workload.name
    }

    /// What a job was asked to do, if the workload in the provenance names it.
    pub fn job_spec(&self, phase: &str, job: &str) -> Option<&crate::spec::Job> {
        let phases = &self.provenance.workload.phases;
        let jobs = &phases.iter().find(|spec| spec.name == phase)?.jobs;
        jobs.iter().find(|spec| spec.name == job)
    }

    /// The jobs of a phase of this result, each with what it was asked to do. Results have their
    /// jobs in the order of the workload, so that those of a large phase are found at once.
    pub fn job_specs<'a>(
        &'a self,
        phase: &'a PhaseResult,
    ) -> impl Iterator<Item = (&'a JobResult, Option<&'a crate::spec::Job>)> {
        let phases = &self.provenance.workload.phases;
        let specs = phases.iter().find(|spec| spec.name == phase.name);
        let specs = specs.map_or(&[][..], |spec| &spec.jobs);
        phase.jobs.iter().enumerate().map(move |(place, job)| {
            let here = specs.get(place).filter(|spec| spec.name == job.name);
            let spec = here.or_else(|| specs.iter().find(|spec| spec.name == job.name));
            (job, spec)
        })
    }

    /// The jobs of a phase that use a target through the page cache.
    pub fn buffered_jobs<'a>(&'a self, phase: &'a PhaseResult, target: &str) -> Vec<&'a str> {
        let jobs = self.job_specs(phase);
        let buffered = jobs.filter(|(job, spec)| {
            spec.is_some_and(|spec| !spec.durability.direct)
                && job.targets.iter().any(|path| path == target)
        });
        buffered.map(|(job, _)| job.name.as_str()).collect()
    }

    /// The document as indented JSON with a newline at the end.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("all keys are strings");
        text.push('\n');
        text
    }
}
