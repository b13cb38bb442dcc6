//! The files of `verify_state_save`: what a later job has to know of the writes of this run.

use super::job::{Built, state_file_name};
use super::phases::Group;
use super::source::{Findings, Wrong};
use super::verify_state::{Pass, VerifyState, WriteOrder};
use crate::translation::Standing;
use fathom_core::Op;
use fathom_core::result::{EndReason, PhaseResult, RunResult};
use fathom_core::spec::{Job, Phase};

/// The state of one clone that is written after the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FioState {
    /// File.
    pub path: String,
    /// Whether the input asks for it; else it is written where the run ended early.
    pub is_asked: bool,
    /// Phase of the workload, and its number.
    phase: (String, u32),
    /// Job of that phase.
    job: String,
    /// Clones whose writes that job has counted together.
    clones: u64,
    /// After how many writes there was a flush, 0 for never, where only what it covers is kept.
    synced_every: Option<u64>,
    /// What is known beforehand.
    state: VerifyState,
    pass: Pass,
}

impl FioState {
    /// The bytes of the file after a run; none where there is nothing to keep.
    pub fn bytes(&self, result: &RunResult) -> Option<Vec<u8>> {
        let phase = result.phases.iter().rfind(|one| one.name == self.phase.0)?;
        let number = phase.jobs.iter().position(|job| job.name == self.job)? as u32;
        let is_early = matches!(phase.ended_by, EndReason::Interrupted | EndReason::Errors);
        if !self.is_asked && !is_early {
            return None;
        }
        let of_clone = |op| done(phase, number, op) / self.clones.max(1);
        let (mut writes, mut requests) = (of_clone(Op::Write), 0);
        if self.pass.mixed {
            requests = writes + of_clone(Op::Read);
        }
        if let Some(every) = self.synced_every {
            let covered = of_clone(Op::Flush) * every;
            if covered < writes {
                // No more of its first requests were writes.
                (writes, requests) = (covered, requests.min(covered));
            }
        }
        let is_all = writes >= self.pass.requests && !self.pass.mixed;
        let (order, last) = match (self.pass.line, self.pass.block) {
            _ if is_all => (WriteOrder::Open, self.state.last.clone()),
            (Some(begin), Some(block)) if !self.pass.random && !self.pass.mixed => {
                let last = writes.checked_sub(1).map(|last| (0, begin + last * block));
                (WriteOrder::Open, last.into_iter().collect())
            }
            (_, block) => {
                let made = WriteOrder::Made {
                    seed: result.provenance.seed,
                    job: (self.phase.1, number),
                    block: block.unwrap_or(0),
                    requests,
                };
                (made, Vec::new())
            }
        };
        let state = VerifyState {
            writes,
            order,
            last,
            ..self.state.clone()
        };
        Some(state.to_bytes())
    }
}

/// Requests of a job in all parts of a phase.
fn done(phase: &PhaseResult, job: u32, op: Op) -> u64 {
    let entries = phase.intervals.iter().flat_map(|interval| &interval.jobs);
    let its = entries.filter(|entry| entry.job == job);
    its.filter_map(|entry| entry.ops[op].as_ref())
        .map(|one| one.ios)
        .sum()
}

/// The states of all sections.
pub(super) fn states(groups: &[Group], phases: &[Phase], findings: &mut Findings) -> Vec<FioState> {
    let mut all = Vec::new();
    for (number, (group, phase)) in (0..).zip(groups.iter().zip(phases)) {
        let mut jobs = phase.jobs.iter();
        for built in group {
            let its: Vec<&Job> = jobs.by_ref().take(built.jobs.len()).collect();
            of_section(built, &its, (&phase.name, number), &mut all, findings);
        }
    }
    all
}

fn of_section(
    built: &Built,
    jobs: &[&Job],
    phase: (&str, u32),
    all: &mut Vec<FioState>,
    findings: &mut Findings,
) {
    let settings = &built.settings;
    let Some(first) = jobs
        .first()
        .filter(|job| job.writes() && job.verify.stamps())
    else {
        return;
    };
    let is_asked = settings.saves_state == Some(true);
    let size = first.kinds.first().map(|kind| kind.block_size);
    let alike = |kind: &fathom_core::spec::IoKind| {
        matches!(kind.op, Op::Read | Op::Write) && Some(kind.block_size) == size
    };
    let Some(pass) = built.pass.filter(|_| first.kinds.iter().all(alike)) else {
        if let (Some(word), true) = (settings.word("verify_state_save"), is_asked) {
            let message = "which blocks a load has written that mixes sizes is not told by their \
                           number: there is no such file";
            findings.note(Standing::Ignored, &word.what(), message);
        }
        return;
    };
    if settings.saves_state == Some(false) {
        return;
    }
    let files = first.targets.len().max(1) as u64;
    let block = pass.block.unwrap_or(1);
    let last = (pass.requests / files).saturating_sub(1) * block;
    for clone in 0..settings.clones {
        let job = jobs[clone as usize % jobs.len()];
        let index = settings.first_clone + clone;
        all.push(FioState {
            path: state_file_name(&built.name, index),
            is_asked,
            phase: (phase.0.to_owned(), phase.1),
            job: job.name.clone(),
            clones: job.threads.into(),
            synced_every: settings
                .only_synced
                .then_some(settings.fsync.max(settings.fdatasync)),
            state: VerifyState {
                writes: 0,
                depth: 1,
                files: files as u32,
                index,
                name: built.name.clone(),
                order: WriteOrder::Open,
                last: (0..files)
                    .map(|file| (file, first.offset.0 + last))
                    .collect(),
            },
            pass,
        });
    }
}

/// Refuses states of another job than the one that reads with them: it draws other places.
pub(super) fn check_places(groups: &[Group], phases: &[Phase], findings: &mut Findings) {
    for (number, (group, _)) in (0_u32..).zip(groups.iter().zip(phases)) {
        let mut before = 0;
        for built in group {
            let (first, jobs) = (before, built.jobs.len() as u32);
            before += jobs;
            for (clone, state) in (0..).zip(&built.settings.states) {
                let WriteOrder::Made { job, .. } = state.order else {
                    continue;
                };
                let here = (number, first + clone % jobs.max(1));
                let word = built.settings.word("verify_state_load");
                if let (Some(word), true) = (word, job != here) {
                    let message = "the state is of another job of its job file, whose requests go \
                                   elsewhere";
                    let remedy = "the job at the same place between the same stonewalls";
                    findings.error(&word.place, Wrong::new(message, remedy));
                }
            }
        }
    }
}
