//! Results in fio's layouts: for people, JSON, and one line a job.
#![expect(
    clippy::format_push_string,
    reason = "a report is written once; growing sentences read better than write! does"
)]

mod clients;
mod figures;
mod idleness;
mod json;
mod normal;
mod stage;
mod steady;
mod terse;
mod value;
mod when;

pub(super) use normal::heading;

use super::run::{FioJob, FioRun};
use super::settings::{PERCENTILE_DECIMALS, PERCENTILES, Unified, Untold};
use super::terse::TerseVersion;
use super::units::FioUnits;
use fathom_core::result::RunResult;
use fathom_tools::servers::ServerPlace;

/// A layout of fio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FioStyle {
    /// For people.
    Normal,
    /// The layout of `--output-format=json`.
    Json,
    /// JSON with all buckets of the histograms.
    JsonPlus,
    /// One line a job.
    Terse(TerseVersion),
}

/// How much is reported of the time that the processors had no work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idleness {
    /// The mean of all.
    System,
    /// And that of each.
    EachProcessor,
}

/// The rows of a report, and what is around them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FioLayout {
    /// Options that hold for all jobs, as given.
    pub global_options: Vec<(String, String)>,
    /// One row for each job or group.
    pub rows: Vec<FioJob>,
    /// Whether block devices are reported.
    pub disk_util: bool,
    /// What is reported of the processors' idle time.
    pub idleness: Option<Idleness>,
    /// The servers through which hosts are reached, by rank, where each host is reported separately
    /// as fio's clients are; empty where they are reached otherwise.
    pub clients: Option<Vec<ServerPlace>>,
    /// The number of the process that ran the jobs; 0 where it is not known.
    pub process: u32,
    /// Whether the run goes on, so that nothing can be said of how far it is to be trusted.
    pub is_interim: bool,
}

/// The version of fio whose layouts and options these are.
pub(super) const VERSION: &str = "fio-3.33";

/// The version that is in reports: that of fio, and Fathom's own.
pub(super) fn version_of(own: &str) -> String {
    format!("{VERSION}-fathom-{own}")
}

impl FioLayout {
    /// That of an input of fio.
    pub fn asked(run: &FioRun) -> Self {
        Self {
            global_options: run.global_options.clone(),
            rows: run.jobs.clone(),
            disk_util: run.disk_util,
            idleness: None,
            clients: None,
            process: 0,
            is_interim: false,
        }
    }

    /// A row for each job of a run that did not come from fio; each phase is a group.
    pub fn of(result: &RunResult) -> Self {
        let phases = result.phases.iter().filter(|phase| phase.repeat == 1);
        let rows = phases.enumerate().flat_map(|(group, phase)| {
            phase.jobs.iter().map(move |job| FioJob {
                name: job.name.clone(),
                group: group as u32,
                phase: phase.name.clone(),
                members: vec![job.name.clone()],
                clones: job.threads,
                description: None,
                options: vec![("name".to_owned(), job.name.clone())],
                percentiles: PERCENTILES.to_vec(),
                percentile_decimals: PERCENTILE_DECIMALS,
                completion_percentiles: true,
                total_percentiles: false,
                submission_percentiles: false,
                units: FioUnits::default(),
                unified: Unified::None,
                untold: Untold::default(),
                goes_on_with: None,
                counts_flushes: true,
                steady: None,
                depth: (job.queue_depth / u64::from(job.threads.max(1))) as u32,
            })
        });
        Self {
            global_options: Vec::new(),
            rows: rows.collect(),
            disk_util: true,
            idleness: None,
            clients: None,
            process: 0,
            is_interim: false,
        }
    }
}

/// Whether any row of a report has an error with which its job does not go on, which is when fio
/// fails.
pub(super) fn is_failed(result: &RunResult, layout: &FioLayout) -> bool {
    let rows = figures::figures(result, layout);
    rows.iter().any(|row| row.is_failed)
}

/// A result, and which parts of it are reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct FioPart<'a> {
    /// The result to lay out.
    pub(super) result: &'a RunResult,
    /// Its rows, and what is around them.
    pub(super) layout: &'a FioLayout,
}

/// Writes a result in a layout of fio.
pub fn write_fio(result: &RunResult, layout: &FioLayout, style: FioStyle) -> String {
    write_fio_parts(&[FioPart { result, layout }], style)
}

/// Writes the results of clients with jobs of their own in one layout of fio; nothing of none.
pub(super) fn write_fio_parts(parts: &[FioPart<'_>], style: FioStyle) -> String {
    let Some(first) = parts.first().copied() else {
        return String::new();
    };
    match style {
        FioStyle::Normal => normal::report(first, parts),
        FioStyle::Json => json::render(first, parts, false),
        FioStyle::JsonPlus => json::render(first, parts, true),
        FioStyle::Terse(version) => terse::render(first, parts, version),
    }
}
