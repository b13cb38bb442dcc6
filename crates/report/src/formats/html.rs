//! One file for a browser: verdict, tables, charts and origin of one run or of several.
//!
//! Nothing is fetched: style, script and drawings are in the file, and its content policy names
//! style and script by their hashes. Without the script all is there but what the pointer says.

mod beside;
pub(crate) mod chart_view;
mod finding_view;
mod mail;
mod sections;
mod tiles;
pub(crate) mod view;

pub use mail::mail_html;

use askama::Template as _;
use fathom_core::result::RunResult;
use view::PageView;

/// A run and its name among others.
#[derive(Clone, Copy, Debug)]
pub struct NamedRun<'a> {
    /// As short as it can be and still tell the run from the others; one run alone goes by its id.
    pub label: &'a str,
    /// The run to show.
    pub result: &'a RunResult,
}

/// Runs that are compared as one, as those of a tag.
#[derive(Clone, Debug)]
pub struct NamedSide<'a> {
    /// What they have in common, among the other sides.
    pub name: &'a str,
    /// At least one.
    pub runs: Vec<NamedRun<'a>>,
}

/// The page of one run.
pub(crate) fn render(result: &RunResult) -> String {
    report(&[NamedRun {
        label: &result.run_id,
        result,
    }])
}

/// The page of one or more runs; of several with charts that compare them, each with the first.
pub fn report(runs: &[NamedRun<'_>]) -> String {
    report_of_sides(&runs.iter().map(NamedSide::of_one).collect::<Vec<_>>())
}

impl<'a> NamedSide<'a> {
    fn of_one(run: &NamedRun<'a>) -> Self {
        Self {
            name: run.label,
            runs: vec![*run],
        }
    }
}

/// The page of sides, each of one or more runs, compared as `fathom compare` does it.
///
/// # Panics
///
/// Never: the template writes to memory.
pub fn report_of_sides(sides: &[NamedSide<'_>]) -> String {
    PageView::of(sides)
        .render()
        .expect("a template of ours writes to memory")
}
