//! What a report in fio's layout needs to know beyond the result.

use fathom_core::result::RunResult;
use fathom_core::spec::Steering;
use fathom_tools::fio::FioSteady;

/// A layout of fio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FioStyle {
    /// For people.
    Normal,
    /// JSON.
    Json,
    /// JSON with all buckets of the histograms.
    JsonPlus,
    /// One line a job.
    Terse(TerseVersion),
}

/// A version of the terse form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TerseVersion {
    /// Without the version of fio and without devices; the text about a job is on a line of its
    /// own.
    V2,
    /// fio's own choice: reads and writes.
    #[default]
    V3,
    /// And trims.
    V4,
    /// And the spread of requests a second.
    V5,
}

/// Which directions are added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FioDirections {
    /// Each has its own numbers.
    #[default]
    Apart,
    /// One set over all of them.
    Mixed,
    /// Both.
    Both,
}

/// The rows of a report, and what is around them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FioLayout {
    /// Options that hold for all jobs, as given.
    pub global_options: Vec<(String, String)>,
    /// The rows.
    pub rows: Vec<FioRow>,
    /// Whether block devices are reported.
    pub disk_util: bool,
}

/// One entry of `jobs`: a clone, or several that report together.
#[derive(Clone, Debug, PartialEq)]
pub struct FioRow {
    /// Name of the job.
    pub name: String,
    /// Number of its group.
    pub group: u32,
    /// Phase of the result.
    pub phase: String,
    /// Jobs of that phase that are added up.
    pub members: Vec<String>,
    /// Clones that are added up.
    pub clones: u32,
    /// A text about it.
    pub description: Option<String>,
    /// Its own options, as given.
    pub options: Vec<(String, String)>,
    /// Percentiles to tell, in percent.
    pub percentiles: Vec<f64>,
    /// Whether they are told of completion times.
    pub completion_percentiles: bool,
    /// Whether they are told of total times.
    pub total_percentiles: bool,
    /// Which directions are added up.
    pub directions: FioDirections,
    /// Outstanding requests of a clone.
    pub depth: u32,
    /// How that depth is steered, if it is.
    pub steering: Option<Steering>,
    /// What ends the job when it is steady, if anything does.
    pub steady: Option<FioSteady>,
}

/// fio's own percentiles.
pub(crate) const PERCENTILES: [f64; 17] = [
    1.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.95,
    99.99,
];

impl FioLayout {
    /// A row for each job of a run that did not come from fio; each phase is a group.
    pub fn of(result: &RunResult) -> Self {
        let phases = result.phases.iter().filter(|phase| phase.repeat == 1);
        let rows = phases.enumerate().flat_map(|(group, phase)| {
            phase.jobs.iter().map(move |job| FioRow {
                name: job.name.clone(),
                group: group as u32,
                phase: phase.name.clone(),
                members: vec![job.name.clone()],
                clones: job.threads,
                description: None,
                options: Vec::new(),
                percentiles: PERCENTILES.to_vec(),
                completion_percentiles: true,
                total_percentiles: false,
                directions: FioDirections::Apart,
                steering: None,
                steady: None,
                depth: (job.queue_depth / u64::from(job.threads.max(1))) as u32,
            })
        });
        Self {
            global_options: Vec::new(),
            rows: rows.collect(),
            disk_util: true,
        }
    }
}

/// Writes a result in a layout of fio.
pub fn write_fio(result: &RunResult, layout: &FioLayout, style: FioStyle) -> String {
    match style {
        FioStyle::Normal => super::fio_normal::render(result, layout),
        FioStyle::Json => super::fio_json::render(result, layout, false),
        FioStyle::JsonPlus => super::fio_json::render(result, layout, true),
        FioStyle::Terse(version) => super::fio_terse::render(result, layout, version),
    }
}
