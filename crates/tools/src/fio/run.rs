//! What a report in fio's layout needs to know beyond the result.

use super::after::FioAfter;
use super::job::Built;
use super::logs::{FioLog, FioRecording};
use super::phases::Group;
use super::settings::{Limit, Unified};
use super::start::FioStart;
use crate::diagnostic::Diagnostic;
use crate::translation::Translation;
use fathom_core::spec::{Pacing, Phase, SteadyMetric, Steering};
use fathom_core::{Nanos, Op, Tolerated};

/// An input of fio in Fathom's terms.
#[derive(Clone, Debug, PartialEq)]
pub struct FioRun {
    /// The workload, the notes and the wishes.
    pub translation: Translation,
    /// What was hardly meant.
    pub warnings: Vec<Diagnostic>,
    /// Options of `[global]` sections as given.
    pub global_options: Vec<(String, String)>,
    /// The rows of fio's report.
    pub jobs: Vec<FioJob>,
    /// The sections, as they are told before they begin.
    pub starts: Vec<FioStart>,
    /// The logs of requests that are written meanwhile.
    pub logs: Vec<FioLog>,
    /// The traces that are recorded meanwhile.
    pub recordings: Vec<FioRecording>,
    /// Files that are written when the run is over.
    pub afterwards: Vec<FioAfter>,
    /// Whether the report shows the block devices.
    pub disk_util: bool,
}

/// A row of fio's report: a clone, or a group whose clones report together.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "a list of independent options, each yes or no"
)]
pub struct FioJob {
    /// Name of the section.
    pub name: String,
    /// Number of its group.
    pub group: u32,
    /// Phase of the workload that holds the jobs.
    pub phase: String,
    /// Jobs of that phase that are added up.
    pub members: Vec<String>,
    /// Clones that are added up.
    pub clones: u32,
    /// Text of `description`.
    pub description: Option<String>,
    /// The section's own options as given.
    pub options: Vec<(String, String)>,
    /// Percentiles to tell, in percent.
    pub percentiles: Vec<f64>,
    /// Whether they are told of the time from submission to completion.
    pub completion_percentiles: bool,
    /// Whether they are told of the whole time.
    pub total_percentiles: bool,
    /// Whether they are told of the time before submission.
    pub submission_percentiles: bool,
    /// Whether blocks that are found wrong are written to files.
    pub dumps: bool,
    /// Which directions are added up.
    pub unified: Unified,
    /// Whether errors are counted, and not the end of the job.
    pub counts_errors: bool,
    /// Whether there are flushes that fio counts; those in the end it does not.
    pub counts_flushes: bool,
    /// The direction in which fio counts what is asked of whole files; without it, looking counts
    /// as reading and all else as writing.
    pub files_as: Option<Op>,
    /// Outstanding requests of a clone.
    pub depth: u32,
    /// How that depth is steered, if it is.
    pub steering: Option<Steering>,
    /// What ends the job when it is steady, if anything does.
    pub steady: Option<FioSteady>,
    /// Digits of amounts.
    pub digits: u32,
}

/// A criterion of a steady state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FioSteady {
    /// Begin of what is reported: the end of `ramp_time`.
    pub begin: Nanos,
    /// What is followed.
    pub metric: SteadyMetric,
    /// Whether its slope is limited, and not its deviation from the mean.
    pub slope: bool,
    /// The limit.
    pub limit: Limit,
    /// Length of the window.
    pub seconds: u64,
}

/// The sections, and the rows, for phases made of groups of sections.
pub(super) fn rows(groups: &[Group], phases: &[Phase]) -> (Vec<FioStart>, Vec<FioJob>) {
    let mut starts = Vec::new();
    let mut rows: Vec<FioJob> = Vec::new();
    let mut number = 0_u32;
    let mut is_first = true;
    for (group, phase) in groups.iter().zip(phases) {
        let mut names = phase.jobs.iter().map(|job| job.name.clone());
        for (index, built) in group.iter().enumerate() {
            // fio begins a group of reports with each stonewall, too.
            if !is_first && (built.settings.new_group || index == 0) {
                number += 1;
            }
            is_first = false;
            let members: Vec<String> = names.by_ref().take(built.jobs.len()).collect();
            starts.push(FioStart::of(built, number));
            add(&mut rows, built, number, &phase.name, &members);
        }
    }
    (starts, rows)
}

fn add(rows: &mut Vec<FioJob>, built: &Built, group: u32, phase: &str, members: &[String]) {
    let settings = &built.settings;
    let clones = settings.clones as u32;
    if settings.group_reporting {
        if let Some(last) = rows
            .last_mut()
            .filter(|row| row.group == group && row.phase == phase)
        {
            last.members.extend_from_slice(members);
            last.clones += clones;
            return;
        }
        rows.push(row(built, group, phase, members.to_vec(), clones));
        return;
    }
    // Files are dealt with by one job of all clones.
    let each = if settings.engine.asks.is_some() {
        clones
    } else {
        1
    };
    for members in members.chunks(built.parts) {
        rows.push(row(built, group, phase, members.to_vec(), each));
    }
}

fn row(built: &Built, group: u32, phase: &str, members: Vec<String>, clones: u32) -> FioJob {
    let settings = &built.settings;
    let own = settings.given.iter().skip(built.inherited);
    // fio leaves out flags.
    let options = own.filter(|word| word.value.is_some());
    FioJob {
        name: built.name.clone(),
        group,
        phase: phase.to_owned(),
        members,
        clones,
        description: settings.description.clone(),
        options: options
            .map(|word| (word.option.name.to_owned(), word.text().to_owned()))
            .collect(),
        percentiles: settings.wanted.percentiles.clone(),
        completion_percentiles: settings.wanted.completion_percentiles,
        total_percentiles: settings.wanted.total_percentiles,
        submission_percentiles: settings.wanted.submission_percentiles,
        dumps: settings.dumps,
        digits: settings.wanted.digits,
        unified: settings.wanted.unified,
        counts_errors: !settings.wishes.stop_on_error
            || settings.goes_on_with != Tolerated::default()
            || settings.ignores != Tolerated::default(),
        counts_flushes: !settings.syncs_at_end || settings.fsync > 0 || settings.fdatasync > 0,
        files_as: settings.engine.asks.map(|_| {
            if settings.pattern.reads() {
                Op::Read
            } else {
                Op::Write
            }
        }),
        depth: built.jobs.first().map_or(1, |job| job.queue_depth),
        steering: built.jobs.first().and_then(|job| match job.pacing {
            Pacing::Steered(steering) => Some(steering),
            _ => None,
        }),
        steady: settings.steady.map(|criterion| FioSteady {
            begin: settings.ramp,
            metric: criterion.metric,
            slope: criterion.slope,
            limit: criterion.limit,
            seconds: settings.steady_time.0 / 1_000_000_000,
        }),
    }
}
