//! What a member says of itself at its end: its result without what takes room. What happened in
//! its intervals the coordinator knows already.

use fathom_cluster::limits;
use fathom_core::Op;
use fathom_core::result::{
    EngineInfo, HostInfo, JobResult, PhaseResult, RunResult, TargetInfo, Timings,
};
use serde::{Deserialize, Serialize};

/// A member's result in brief.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Brief {
    pub(super) host: HostInfo,
    pub(super) engine: EngineInfo,
    pub(super) targets: Vec<TargetInfo>,
    pub(super) timings: Timings,
    pub(super) phases: Vec<PhaseResult>,
}

impl Brief {
    /// The longest that is taken. With `apart` the phases are whole enough to be a result by
    /// themselves: without what was done in each interval where that would be too long, and without
    /// distributions where those would be.
    pub(super) fn fitting(result: &RunResult, apart: bool) -> Vec<u8> {
        let forms: [PhaseFilter; 3] = [whole_phase, without_intervals, phase];
        let forms = if apart { &forms[..] } else { &forms[2..] };
        let told = forms.iter().map(|form| Self::of(result, *form).to_bytes());
        let mut last = Vec::new();
        for bytes in told {
            last = bytes;
            if last.len() <= limits::BRIEFS_BYTES {
                break;
            }
        }
        last
    }

    fn of(result: &RunResult, phase: PhaseFilter) -> Self {
        let from = &result.provenance;
        let mut targets = from.targets.clone();
        for target in &mut targets {
            target.layout = None;
        }
        Self {
            host: from.host.clone(),
            engine: from.engine.clone(),
            targets,
            timings: from.timings.clone(),
            phases: result.phases.iter().map(phase).collect(),
        }
    }

    fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a result is plain data")
    }

    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        // As text, as stored results are: reading them in two ways doubles the code for it.
        serde_json::from_str(str::from_utf8(bytes).ok()?).ok()
    }
}

fn phase(whole: &PhaseResult) -> PhaseResult {
    PhaseResult {
        intervals: Vec::new(),
        machine: Vec::new(),
        devices: Vec::new(),
        ledger: None,
        bound: None,
        jobs: whole.jobs.iter().map(job).collect(),
        ..whole.clone()
    }
}

/// How much of a phase is reported.
type PhaseFilter = fn(&PhaseResult) -> PhaseResult;

/// A phase with its distributions.
fn without_intervals(whole: &PhaseResult) -> PhaseResult {
    PhaseResult {
        intervals: Vec::new(),
        ..whole_phase(whole)
    }
}

/// A phase with its distributions, and with what was done in each interval.
fn whole_phase(whole: &PhaseResult) -> PhaseResult {
    let mut intervals = whole.intervals.clone();
    for entry in intervals.iter_mut().flat_map(|one| &mut one.jobs) {
        for op in Op::ALL {
            if let Some(done) = &mut entry.ops[op] {
                done.service_histogram = None;
                done.response_histogram = None;
            }
        }
    }
    PhaseResult {
        intervals,
        devices: whole.devices.clone(),
        jobs: whole.jobs.clone(),
        ..phase(whole)
    }
}

fn job(whole: &JobResult) -> JobResult {
    let mut brief = JobResult {
        workers: Vec::new(),
        ..whole.clone()
    };
    for op in Op::ALL {
        if let Some(done) = &mut brief.ops[op] {
            done.service_histogram = None;
            done.response_histogram = None;
            done.slowest = Vec::new();
        }
    }
    brief
}
