//! A row of the summary: one operation of one job, or one of its times.

use super::super::repeats;
use crate::figure::time;
use fathom_core::Op;
use fathom_core::result::{JobResult, LoadModel, OpResult, PhaseResult, ResultField, RunResult};
use fathom_core::summary::{LatencySummary, supports};

/// Stands for a percentile that the sample does not support.
pub(super) const UNSUPPORTED: &str = "--";

/// Which of the three times a row holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Timing {
    /// Issue to completion.
    Service,
    /// Intended start to completion.
    Response,
    /// Intended start to issue.
    Lag,
}

impl Timing {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Service => "service",
            Self::Response => "response",
            Self::Lag => "lag",
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct SummaryRow {
    pub(super) phase: String,
    pub(super) job: String,
    pub(super) op: &'static str,
    pub(super) model: LoadModel,
    pub(super) depth: u64,
    pub(super) iops: Option<f64>,
    pub(super) bytes_per_second: Option<f64>,
    pub(super) deviation_percent: Option<f64>,
    pub(super) over_repeats: bool,
    pub(super) failed: u64,
    pub(super) timing: Timing,
    pub(super) mean_ns: Option<f64>,
    pub(super) max_ns: Option<u64>,
    /// Whether that is the age of a request that had not ended.
    pub(super) is_max_a_bound: bool,
    pub(super) summary: Option<LatencySummary>,
}

impl SummaryRow {
    /// The cell of a percentile: its value, `--` when the sample is too small for it, empty
    /// when there is no distribution at all or an import does not say it.
    pub(super) fn percentile(&self, name: &str) -> String {
        let Some(summary) = &self.summary else {
            return String::new();
        };
        let share = name.parse().unwrap_or(0.0) / 100.0;
        match summary.percentile(name) {
            Some(value) => time(value as f64),
            None if supports(summary.count, share) => String::new(),
            None => UNSUPPORTED.to_owned(),
        }
    }

    fn of_summary(mut self, summary: Option<&LatencySummary>) -> Self {
        let summary = summary.filter(|summary| summary.count > 0);
        self.mean_ns = summary.map(|summary| summary.mean);
        self.max_ns = summary.map(|summary| summary.max);
        self.summary = summary.cloned();
        self
    }

    /// A row below this one, with the times of `timing` only.
    fn below(&self, timing: Timing) -> Self {
        Self {
            phase: String::new(),
            job: String::new(),
            op: "",
            iops: None,
            bytes_per_second: None,
            deviation_percent: None,
            timing,
            mean_ns: None,
            max_ns: None,
            is_max_a_bound: self.is_max_a_bound && timing != Timing::Lag,
            summary: None,
            ..self.clone()
        }
    }
}

/// All rows in the order of the phases; repeats of a phase follow on what they are together.
pub(super) fn rows(result: &RunResult) -> Vec<SummaryRow> {
    let mut rows = Vec::new();
    for (index, phase) in result.phases.iter().enumerate() {
        let first = result.phases[..index]
            .iter()
            .all(|other| other.name != phase.name);
        if !first {
            continue;
        }
        let same: Vec<&PhaseResult> = result
            .phases
            .iter()
            .filter(|other| other.name == phase.name)
            .collect();
        for (position, job) in phase.jobs.iter().enumerate() {
            for (op, result) in job.ops.present() {
                if same.len() == 1 {
                    push(&mut rows, job, op, result, &phase.name);
                } else {
                    push_repeats(&mut rows, &same, position, op);
                }
            }
        }
    }
    if !result.provenance.origin.knows(ResultField::ServiceNsMax) {
        for row in &mut rows {
            row.max_ns = None;
        }
    }
    rows
}

fn push_repeats(rows: &mut Vec<SummaryRow>, same: &[&PhaseResult], position: usize, op: Op) {
    let members = same.iter().filter_map(|phase| {
        let job = phase.jobs.get(position)?;
        Some((phase.repeat, job, job.ops.get(op)?))
    });
    let members: Vec<(u32, &JobResult, &OpResult)> = members.collect();
    let Some((_, job, first)) = members.first() else {
        return;
    };
    // One that was cut off before its measured time says nothing of the rate.
    let measured = members.iter().filter(|(_, job, _)| job.active_ns > 0);
    let together = repeats::together(&measured.map(|(_, _, op)| *op).collect::<Vec<_>>());
    let label = format!("{} ({} repeats)", same[0].name, members.len());
    let mut row = rate_row(job, op, first, &label);
    row.iops = Some(together.iops.mean);
    row.bytes_per_second = row.bytes_per_second.map(|_| together.bytes_per_second.mean);
    row.deviation_percent = repeats::deviation_percent(&together.iops);
    row.over_repeats = true;
    row.is_max_a_bound = members.iter().any(|(_, _, op)| op.is_max_a_bound());
    row.failed = members.iter().map(|(_, _, op)| op.errors).sum();
    if job.load_model == LoadModel::Open {
        rows.push(row.clone().of_summary(together.response.as_ref()));
        rows.push(
            row.below(Timing::Service)
                .of_summary(together.service.as_ref()),
        );
    } else {
        rows.push(row.of_summary(together.service.as_ref()));
    }
    for (repeat, job, result) in members {
        push(rows, job, op, result, &format!("  repeat {repeat}"));
    }
}

fn push(rows: &mut Vec<SummaryRow>, job: &JobResult, op: Op, result: &OpResult, label: &str) {
    let row = rate_row(job, op, result, label);
    if job.load_model != LoadModel::Open {
        rows.push(row.of_summary(Some(&result.service_ns)));
        return;
    }
    let mut lag = row.below(Timing::Lag);
    if result.response_ns.count > 0 {
        // Exact, because response is lag plus service for every single request.
        lag.mean_ns = Some((result.response_ns.mean - result.service_ns.mean).max(0.0));
        // The lag of a job is that of its operation where it has one.
        let is_only = job.ops.present().count() == 1;
        lag.max_ns = job.max_lag_ns.filter(|_| is_only);
        let replayed = job.replay_lag().filter(|_| is_only);
        lag.summary = replayed.map(|lag| lag.time_ns.clone());
    }
    let service = row.below(Timing::Service);
    rows.push(row.of_summary(Some(&result.response_ns)));
    rows.push(service.of_summary(Some(&result.service_ns)));
    rows.push(lag);
}

/// A row with its rates and without times.
fn rate_row(job: &JobResult, op: Op, result: &OpResult, label: &str) -> SummaryRow {
    SummaryRow {
        phase: label.to_owned(),
        job: job.name.clone(),
        op: op.name(),
        model: job.load_model,
        depth: job.queue_depth.min(job.queue_depth_possible),
        iops: Some(result.iops),
        bytes_per_second: (op != Op::Flush).then_some(result.bytes_per_second),
        deviation_percent: repeats::deviation_percent(&result.iops_by_interval),
        over_repeats: false,
        failed: result.errors,
        timing: if job.load_model == LoadModel::Open {
            Timing::Response
        } else {
            Timing::Service
        },
        mean_ns: None,
        max_ns: None,
        is_max_a_bound: result.is_max_a_bound(),
        summary: None,
    }
}
