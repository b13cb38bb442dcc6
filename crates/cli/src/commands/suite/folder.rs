//! The folder of a suite: what is to be run, and what has been.

use crate::args::{Formats as _, SuiteFormat};
use crate::commands::results::SUITE_PLAN as PLAN;
use crate::error::{Problem, system_words};
use crate::exit::Exit;
use fathom_core::result::RunResult;
use fathom_device::{Door, Existing};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The file of the report of the whole in a format.
pub(super) const fn report(format: SuiteFormat) -> &'static str {
    match format {
        SuiteFormat::Text => "report.txt",
        SuiteFormat::Html => "report.html",
        SuiteFormat::Markdown => "report.md",
        SuiteFormat::Junit => "report.junit.xml",
    }
}

/// The plan of a suite. It is saved with the results, so that a suite that is taken up again is the
/// same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Plan {
    /// Name of the suite.
    pub(super) suite: String,
    /// Label and whole workload of each cell.
    pub(super) cells: Vec<PlannedCell>,
    /// Paths measured.
    pub(super) targets: Vec<String>,
    /// Who measures, in words: hosts, how many members of each, and how they share targets; nothing
    /// where this machine does alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) members: Vec<String>,
    /// Passes over all cells; more may come where the suite goes in rounds.
    pub(super) passes: u32,
    /// Whether each pass has an order of its own.
    pub(super) shuffled: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PlannedCell {
    pub(super) label: String,
    pub(super) workload: String,
}

/// A folder that holds one suite.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Opens a folder for a plan: a new one, or one of the same plan.
    pub(super) fn open(path: &Path, plan: &Plan) -> Result<Self, Problem> {
        let cannot = |because: String| {
            let thing = format!("cannot keep the suite in {}", path.display());
            Problem::new(Exit::Environment, thing).because(because)
        };
        let made = Door::default().make_folder(path);
        made.map_err(|error| cannot(error.cause()).remedy("another folder with --into"))?;
        let folder = Self {
            path: path.to_owned(),
        };
        let place = path.join(PLAN);
        match fathom_device::input::read_text(&place) {
            Ok(text) => {
                let kept: Plan = serde_json::from_str(&text).map_err(|error| {
                    cannot(format!("{PLAN} in it is damaged: {error}"))
                        .remedy("another folder with --into")
                })?;
                if kept != *plan {
                    return Err(cannot(difference(&kept, plan)).remedy(
                        "the same suite, targets and options to go on, or another folder with \
                         --into",
                    ));
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                folder.refuse_foreign()?;
                let text = serde_json::to_string_pretty(plan).expect("all keys are strings");
                folder.write(PLAN, &(text + "\n"))?;
            }
            Err(error) => return Err(cannot(system_words(&error))),
        }
        Ok(folder)
    }

    /// Files of these names in a folder that holds no suite are somebody's.
    fn refuse_foreign(&self) -> Result<(), Problem> {
        let mut reports = SuiteFormat::ALL.iter().map(|&(_, format)| report(format));
        let theirs = reports.find(|name| self.path.join(name).exists());
        theirs.map_or(Ok(()), |name| {
            let thing = format!("cannot keep the suite in {}", self.path.display());
            Err(Problem::new(Exit::Environment, thing)
                .because(format!("it holds a {name}, and no suite"))
                .remedy("another folder with --into"))
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Where the result of a cell in a pass is kept.
    pub(super) fn place(&self, pass: u32, cell: usize, label: &str) -> PathBuf {
        let file = fathom_report::suite_file(cell, label);
        self.path.join(format!("pass{pass:02}-{file}"))
    }

    /// The result that a run has left at its place, if it is there.
    pub(super) fn result(place: &Path) -> Result<Option<RunResult>, Problem> {
        let text = match fathom_device::input::read_text(place) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(unreadable(place, system_words(&error))),
        };
        let result = RunResult::from_json(&text);
        result
            .map(Some)
            .map_err(|error| unreadable(place, error.to_string()))
    }

    /// Writes a file whole or not at all.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), Problem> {
        let place = self.path.join(name);
        let written = Door::default().write(&place, text.as_bytes(), Existing::Replaced);
        written.map_err(|error| {
            let thing = format!("cannot write {}", place.display());
            Problem::of_door(thing, &error, None).otherwise("another file")
        })
    }

    pub(super) fn keep(&self, place: &Path, result: &RunResult) -> Result<(), Problem> {
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        self.write(&name, &result.to_json())
    }
}

fn unreadable(place: &Path, because: String) -> Problem {
    Problem::new(
        Exit::Environment,
        format!("cannot read the result {}", place.display()),
    )
    .because(because)
    .remedy("remove the file: its run is then made again")
}

fn difference(kept: &Plan, plan: &Plan) -> String {
    if kept.suite != plan.suite {
        format!("it holds the suite `{}`", kept.suite)
    } else if kept.targets.is_empty() && !plan.targets.is_empty() {
        "it was begun on scratch files in the current directory".to_owned()
    } else if kept.targets != plan.targets {
        format!("it was begun on {}", kept.targets.join(", "))
    } else if kept.members != plan.members {
        match kept.members.as_slice() {
            [] => "it was begun by this machine alone".to_owned(),
            members => format!("it was begun with {}", members.join(" ")),
        }
    } else if (kept.passes, kept.shuffled) != (plan.passes, plan.shuffled) {
        "it was begun with another number of passes, or in another order".to_owned()
    } else {
        let changed = kept.cells.iter().zip(&plan.cells).find(|(a, b)| a != b);
        let label = changed.map_or("a run", |(cell, _)| cell.label.as_str());
        format!("it was begun with other workloads or options: {label} differs")
    }
}
