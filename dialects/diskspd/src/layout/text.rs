//! The text report, section by section and column by column as DISKSPD 2.2 prints it.

mod chart;
mod input;
pub(super) mod system;
pub(super) mod tables;

use super::figures::Figures;
use crate::Profile;
use fathom_core::result::{Origin, RunResult};
use fathom_tools::left_out;

/// Line below titles of results.
const ASTERISKS: usize = 79;

/// What DISKSPD says when it was stopped in the warm-up.
pub(super) const UNMEASURED: &str =
    "The test was interrupted before the measurements began. No results are displayed.";

/// Where DISKSPD has a word and the source of an import says nothing.
const UNKNOWN: &str = "unknown";

/// The report of a run that was asked for as `profile`, by the words `command_line`.
pub fn text(result: &RunResult, profile: &Profile, command_line: &[String]) -> String {
    let mut text = input::input(profile, command_line, &result.provenance.origin);
    let first = result.phases.first();
    system::system(result, first, &mut text);
    if result.phases.is_empty() {
        text += &format!("\n{UNMEASURED}\n");
    }
    let mut figures = Vec::new();
    for (index, (span, phase)) in profile.spans.iter().zip(&result.phases).enumerate() {
        let span_figures = Figures::of(result, span, phase);
        text += &format!("\nResults for timespan {}:\n", index + 1);
        text += &"*".repeat(ASTERISKS);
        text += "\n\n";
        // An import may leave the time out.
        if phase.measured_ns == 0 && !result.provenance.origin.is_imported() {
            text += &format!("{UNMEASURED}\n");
        } else {
            tables::results(&span_figures, &mut text);
        }
        figures.push(span_figures);
    }
    if figures.len() > 1 {
        tables::totals(&figures, &mut text);
    }
    text
}

/// The part of the report that says what was asked for.
pub fn input_text(profile: &Profile, command_line: &[String]) -> String {
    input::input(profile, command_line, &Origin::Measured)
}

/// What DISKSPD's own report has no place for.
pub fn remarks(result: &RunResult, profile: &Profile) -> Vec<String> {
    let figures = profile.spans.iter().zip(&result.phases);
    let figures = figures.map(|(span, phase)| Figures::of(result, span, phase));
    let figures: Vec<Figures<'_>> = figures.collect();
    let latency = figures.iter().any(|figures| figures.span.measure_latency);
    let mut remarks = Vec::new();
    if latency {
        remarks.extend(super::unsupported_percentiles(result));
    }
    if figures.iter().any(Figures::is_coarse) {
        remarks.push(
            "a line of the tables covers all threads or targets of its job, because they were not \
             distinguished"
                .to_owned(),
        );
    }
    let unseen = |figures: &Figures<'_>| {
        figures.knows_processors() && figures.phase.process.processors.is_empty()
    };
    if figures.iter().any(unseen) {
        let remark = "the CPUs were not sampled individually; their usage prints as 0";
        remarks.push(remark.to_owned());
    }
    remarks.extend(left_out::operations(result));
    let unknown = result.provenance.origin.unknown();
    if let Some(unknown) = unknown.filter(|unknown| !unknown.is_empty()) {
        remarks.push(format!("unknown for this import: {unknown}"));
    }
    remarks
}
