//! What a suite is made of, before it runs.

use super::remaining::{all_ns, duration_ns};
use crate::table::Table;
use fathom_core::figure;
use fathom_core::spec::Workload;
use fathom_report::{suite_file, suite_names};
use fathom_session::campaign::Results;
use fathom_tools::suite::{Cell, Suite};
use serde::Serialize;

/// A suite in the list of all.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::commands) struct SuiteRow {
    pub(super) name: String,
    pub(super) description: String,
    /// Number of runs.
    pub(super) runs: usize,
}

/// The runs of a suite.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::commands) struct SuiteDocument<'a> {
    name: &'a str,
    description: &'a str,
    repetitions: u32,
    /// Time of all runs and repetitions, nanoseconds; at least, if a run ends by its amount.
    time_ns: u64,
    /// Whether no run ends by its amount.
    is_time_known: bool,
    /// In their order.
    runs: Vec<CellRow<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CellRow<'a> {
    /// Its label, which names its files.
    name: &'a str,
    /// What pages and progress lines call it.
    title: String,
    /// The end of its file's name in the results folder, after the number of the repetition.
    file: String,
    workload: &'a str,
    /// Time with warm-up, nanoseconds; null if the run ends by its amount.
    time_ns: Option<u64>,
}

/// A cell with its number and its title.
type Numbered<'a> = (usize, (&'a Cell, String));

impl<'a> SuiteDocument<'a> {
    pub(super) fn of(suite: &'a Suite, workloads: &[Workload], repetitions: u32) -> Self {
        let (time_ns, is_time_known) = all_ns(workloads, repetitions);
        let nothing = Results::default();
        let titles = suite_names(&super::report(suite, &nothing));
        let cells = suite.cells.iter().zip(titles).enumerate();
        let row = |((number, (cell, title)), workload): (Numbered<'a>, &Workload)| CellRow {
            name: &cell.label,
            title,
            file: suite_file(number, &cell.label),
            workload: &cell.workload,
            time_ns: duration_ns(workload),
        };
        Self {
            name: &suite.name,
            description: &suite.description,
            repetitions,
            time_ns,
            is_time_known,
            runs: cells.zip(workloads).map(row).collect(),
        }
    }

    pub(super) fn text(&self) -> String {
        let mut table = Table::new(&["RUN", "WORKLOAD", ">TIME", "FILE"]);
        for run in &self.runs {
            let time = run.time_ns;
            let time = time.map_or_else(|| "by amount".to_owned(), figure::duration);
            let (title, file) = (run.title.clone(), run.file.clone());
            table.row([title, run.workload.to_owned(), time, file]);
        }
        let all = match self.repetitions {
            1 => "all".to_owned(),
            many => format!("all, {many} repetitions"),
        };
        let runs = figure::plural(self.runs.len() as u64, "run");
        let sum = match (self.time_ns, self.is_time_known) {
            (0, false) => "by amount".to_owned(),
            (time, false) => format!("at least {}", figure::duration(time)),
            (time, true) => figure::duration(time),
        };
        table.row([all, runs, sum, String::new()]);
        format!("{table}files in the results folder begin with the repetition: pass01-FILE\n")
    }
}
