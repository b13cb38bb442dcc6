//! The first screen: the answer of a run in at most 24 lines of 80 columns.
//!
//! What was measured and how far it can be trusted, the answer in words where the command asked a
//! question, one row for each phase or operation, what the figures mean for this kind of target,
//! the worst findings with what they do to the number, and what to do next. Everything else is in
//! the text format.

mod answer;
mod blamed;
mod class_words;
mod cloud_words;
mod doubts;
mod headline;
mod lines;
mod next;
mod rows;
mod shape;
mod steps;

pub use blamed::blame_of_phases;

use crate::paint::Style;
use crate::text_options::TextOptions;
use doubts::Doubts;
use fathom_core::result::{ReplayLag, Replayed, RequirementOutcome, RunResult};
use lines::BriefLines;

/// What fits on a terminal of 24 rows, whose last one the shell needs.
const ROWS: usize = 23;
/// Wider than this nobody reads; below 60 tables lose some of their percentiles.
const COLUMNS: std::ops::RangeInclusive<usize> = 40..=80;
/// Rows of a table, which leave space for a finding.
const TABLE_ROWS: usize = 11;

/// Late requests of a replay, 0 to 1.
fn late_share(replayed: &Replayed) -> f64 {
    replayed.lag.as_ref().map_or(0.0, ReplayLag::late_share)
}

pub(crate) fn render(result: &RunResult, options: TextOptions) -> String {
    let width = options.width.clamp(*COLUMNS.start(), *COLUMNS.end());
    let mut lines = BriefLines::new(width, options.color);
    let doubts = Doubts::of(result);
    let table = match &result.ramp {
        Some(ramp) => Some(steps::table(ramp, TABLE_ROWS)),
        None => rows::table(result, &doubts, TABLE_ROWS),
    };
    let doubted = table.as_ref().and_then(|table| table.doubted);
    headline::write(&mut lines, result, doubted);
    answer::write(&mut lines, result);
    if let Some(table) = &table {
        lines.table(&table.table);
        for note in &table.notes {
            lines.hang("", note, 2);
        }
    }
    for requirement in &result.requirements {
        let style = match requirement.outcome {
            RequirementOutcome::Met => Style::Good,
            RequirementOutcome::Undecided => Style::Warning,
            RequirementOutcome::Missed => Style::Bad,
        };
        let words = format!("{} {}", requirement.text, requirement.words());
        lines.hang_in(style, "require", &words, 2);
    }
    if let Some(members) = super::text::members_in_a_line(result) {
        lines.hang("", &members, 2);
    }
    let jobs = result.phases.iter().flat_map(|phase| &phase.jobs);
    let replays = jobs.filter_map(|job| job.replay.as_deref());
    let latest = replays.max_by(|one, two| late_share(one).total_cmp(&late_share(two)));
    if let Some(replayed) = latest {
        lines.hang("replay", &super::text::replayed(replayed), 2);
    }
    blamed::write(&mut lines, result);
    class_words::write(&mut lines, result);
    let after = next::lines(result, options, width);
    let room = ROWS.saturating_sub(lines.count() + after.len());
    doubts.write(&mut lines, room);
    for line in after {
        lines.faint(&line);
    }
    lines.finish()
}
