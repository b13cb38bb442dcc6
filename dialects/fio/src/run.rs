//! What a report in fio's layout needs to know beyond the result.

use super::job::Built;
use super::logs::{FioLog, FioRecording};
use super::phases::Group;
use super::settings::{Limit, Settings, Unified, Untold};
use super::source::{Findings, Wrong};
use super::units::FioUnits;
use fathom_core::spec::{Phase, SteadyMetric};
use fathom_core::{ErrorNumbers, Nanos, Tolerated};
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::translation::Translation;
use std::collections::HashMap;

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
    /// The sections, as they are announced.
    pub sections: Vec<FioSection>,
    /// The logs of requests that are written meanwhile.
    pub logs: Vec<FioLog>,
    /// The traces that are recorded meanwhile.
    pub recordings: Vec<FioRecording>,
    /// Whether the report shows the block devices.
    pub disk_util: bool,
}

/// A section, as fio announces it before it is run.
#[derive(Clone, Debug, PartialEq)]
pub struct FioSection {
    /// As the job file has it.
    pub name: String,
    /// Number of its group.
    pub group: u32,
    /// How often it is run at once.
    pub clones: u64,
    /// Whether its clones are to be threads, and not processes.
    pub has_threads: bool,
    /// The word for its directions and their order.
    pub pattern: &'static str,
    /// Least and most bytes of a read, a write and a trim.
    pub blocks: [(u64, u64); 3],
    /// Whether the first two of these are of requests in order and at random.
    pub by_order: bool,
    /// The engine, as it was named.
    pub engine: String,
    /// Requests in flight, as they were asked for.
    pub depth: u64,
    /// Whether there is one in flight, whatever was asked for.
    pub is_synchronous: bool,
    /// Units of amounts.
    pub units: FioUnits,
}

/// A row of fio's report: a clone, or a group whose clones report together.
#[derive(Clone, Debug, PartialEq)]
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
    /// Decimals with which they are named to people.
    pub percentile_decimals: usize,
    /// Whether they are reported for the time from submission to completion.
    pub completion_percentiles: bool,
    /// Whether they are reported for the whole time.
    pub total_percentiles: bool,
    /// Whether they are reported for the time before submission.
    pub submission_percentiles: bool,
    /// Which directions are added up.
    pub unified: Unified,
    /// What is left out.
    pub untold: Untold,
    /// The errors that are not the end of the job, where all are counted.
    pub goes_on_with: Option<Tolerated>,
    /// Whether there are flushes that fio counts; those in the end it does not.
    pub counts_flushes: bool,
    /// Outstanding requests of a clone.
    pub depth: u32,
    /// What ends the job when it is steady, if anything does.
    pub steady: Option<FioSteady>,
    /// Units of amounts.
    pub units: FioUnits,
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
    /// The largest slope or deviation that counts as steady.
    pub limit: Limit,
    /// Length of the window.
    pub seconds: u64,
}

/// The number that fio has for the group of each section, in their order.
fn numbered(groups: &[Group]) -> impl Iterator<Item = (usize, u32, &Built)> {
    let mut number = 0_u32;
    let mut is_first = true;
    let sections = groups.iter().enumerate().flat_map(|(place, group)| {
        let sections = group.iter().enumerate();
        sections.map(move |(index, built)| (place, index, built))
    });
    sections.map(move |(place, index, built)| {
        // fio begins a group of reports with each stonewall, too, but not where one waits for
        // another.
        let settings = &built.settings;
        let waits = settings.wait_for.is_some() && !settings.stonewall;
        if !is_first && (settings.new_group || index == 0 && !waits) {
            number += 1;
        }
        is_first = false;
        (place, number, built)
    })
}

/// Refuses clones that report together and are to tell percentiles of different times.
pub(super) fn check_together(groups: &[Group], findings: &mut Findings) {
    let mut before: HashMap<u32, &Built> = HashMap::new();
    for (_, number, built) in numbered(groups) {
        let first = *before.entry(number).or_insert(built);
        let is_total = |built: &Built| built.settings.wanted.total_percentiles;
        if !built.settings.group_reporting || is_total(first) == is_total(built) {
            continue;
        }
        let word = [built, first].map(|built| built.settings.word("lat_percentiles"));
        if let Some(word) = word.into_iter().flatten().next() {
            let message = "jobs that report together tell percentiles of different times";
            let remedy = "one lat_percentiles for the group, or new_group";
            findings.error(&word.place, Wrong::new(message, remedy));
        }
    }
}

/// The rows for phases made of groups of sections.
pub(super) fn rows(groups: &[Group], phases: &[Phase]) -> Vec<FioJob> {
    let mut rows: Vec<FioJob> = Vec::new();
    let names = |phase: &Phase| {
        let names: Vec<String> = phase.jobs.iter().map(|job| job.name.clone()).collect();
        names.into_iter()
    };
    let mut names: Vec<_> = phases.iter().map(names).collect();
    for (place, number, built) in numbered(groups) {
        let (Some(phase), Some(names)) = (phases.get(place), names.get_mut(place)) else {
            continue;
        };
        let members: Vec<String> = names.by_ref().take(built.jobs.len()).collect();
        add(&mut rows, built, number, &phase.name, &members);
    }
    rows
}

/// The sections in their order.
pub(super) fn sections(groups: &[Group]) -> Vec<FioSection> {
    numbered(groups)
        .map(|(_, group, built)| {
            let settings = &built.settings;
            let engine = settings.word("ioengine");
            FioSection {
                name: built.name.clone(),
                group,
                clones: settings.clones,
                has_threads: settings.threads,
                pattern: settings.pattern.word(),
                blocks: settings.block_limits(),
                by_order: settings.block_by_order,
                engine: engine.map_or("psync", |word| word.text()).trim().to_owned(),
                depth: settings.depth,
                is_synchronous: settings.engine.synchronous,
                units: settings.wanted.units,
            }
        })
        .collect()
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
            // fio tells those of the last section, and its percentiles.
            last.options = options(built);
            let wanted = &settings.wanted;
            last.percentiles.clone_from(&wanted.percentiles);
            last.percentile_decimals = wanted.percentile_decimals;
            last.completion_percentiles = wanted.completion_percentiles;
            last.total_percentiles = wanted.total_percentiles;
            last.submission_percentiles = wanted.submission_percentiles;
            last.untold = wanted.untold;
            return;
        }
        rows.push(row(built, group, phase, members.to_vec(), clones));
        return;
    }
    for members in members.chunks(built.parts) {
        rows.push(row(built, group, phase, members.to_vec(), 1));
    }
}

/// The options of a section itself, without flags, which fio leaves out.
fn options(built: &Built) -> Vec<(String, String)> {
    let own = built.settings.given.iter().skip(built.inherited);
    own.filter(|word| word.value.is_some())
        .map(|word| (word.name.to_owned(), word.text().to_owned()))
        .collect()
}

/// The errors with which a section goes on; none where any error ends it.
fn goes_on_with(settings: &Settings) -> Option<Tolerated> {
    if !settings.wishes.stop_on_error {
        return Some(Tolerated {
            reads: ErrorNumbers::All,
            writes: ErrorNumbers::All,
            checks: ErrorNumbers::All,
        });
    }
    let tolerated = settings.goes_on_with.clone().and(settings.ignores.clone());
    (tolerated != Tolerated::default()).then_some(tolerated)
}

fn row(built: &Built, group: u32, phase: &str, members: Vec<String>, clones: u32) -> FioJob {
    let settings = &built.settings;
    FioJob {
        name: built.name.clone(),
        group,
        phase: phase.to_owned(),
        members,
        clones,
        description: settings.description.clone(),
        options: options(built),
        percentiles: settings.wanted.percentiles.clone(),
        percentile_decimals: settings.wanted.percentile_decimals,
        completion_percentiles: settings.wanted.completion_percentiles,
        total_percentiles: settings.wanted.total_percentiles,
        submission_percentiles: settings.wanted.submission_percentiles,
        units: settings.wanted.units,
        unified: settings.wanted.unified,
        untold: settings.wanted.untold,
        goes_on_with: goes_on_with(settings),
        counts_flushes: !settings.syncs_at_end || settings.fsync > 0 || settings.fdatasync > 0,
        depth: settings.depth as u32,
        steady: settings.steady.map(|criterion| FioSteady {
            begin: settings.ramp,
            metric: criterion.metric,
            slope: criterion.slope,
            limit: criterion.limit,
            seconds: settings.steady_time.0 / 1_000_000_000,
        }),
    }
}
