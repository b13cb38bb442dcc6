//! The body of a mail: what a phone shows without opening an attachment. All of its look is in its
//! elements, as programs for mail drop style sheets.

use super::finding_view::{self, FindingView, SentenceView};
use super::tiles;
use crate::first_line::{answer, trust};
use crate::formats::text;
use crate::table::Table;
use askama::Template;
use fathom_core::State;
use fathom_core::result::RunResult;

/// Rows of the table.
const ROWS: usize = 12;
/// Columns of a ramp's table that fit a phone, with the first.
const RAMP_COLUMNS: [&str; 3] = ["IOPS", "p99", "met"];

#[derive(Template)]
#[template(path = "mail.html")]
struct View {
    answer: String,
    state: &'static str,
    /// White letters are readable on it.
    colour: &'static str,
    ran: String,
    requirements: Vec<(&'static str, String)>,
    heads: Vec<String>,
    rows: Vec<Vec<String>>,
    left_out: usize,
    reason: SentenceView,
    worst: Vec<FindingView>,
    /// Empty without findings.
    counted: String,
    stamp: String,
}

/// A result as the HTML body of a mail.
///
/// # Panics
///
/// Never: the template writes to memory.
pub fn mail_html(result: &RunResult) -> String {
    let provenance = &result.provenance;
    let findings = finding_view::all(result);
    let (heads, mut rows) = figures(result);
    let left_out = rows.len().saturating_sub(ROWS);
    rows.truncate(ROWS);
    let requirements = result.requirements.iter();
    let ran = [
        provenance.workload.name.clone(),
        provenance.origin.words(),
        provenance.place(),
    ];
    let view = View {
        answer: answer(result),
        state: trust(result),
        colour: colour(result.state),
        ran: said(&ran),
        requirements: requirements
            .map(|one| (one.outcome.word(), format!("{}: {}", one.text, one.found())))
            .collect(),
        heads,
        rows,
        left_out,
        reason: findings.reason,
        worst: findings.worst,
        counted: if result.caveats.is_empty() {
            String::new()
        } else {
            findings.counted + "."
        },
        stamp: said(&[
            provenance.host.hostname.clone(),
            provenance.started_at.clone(),
            result.run_id.clone(),
        ]),
    };
    view.render().expect("a template of ours writes to memory")
}

/// What is known, between points.
fn said(parts: &[String]) -> String {
    let known = parts.iter().filter(|part| !part.is_empty());
    known.cloned().collect::<Vec<_>>().join(" · ")
}

/// Few columns: the steps of a ramp, a row for each phase, or the figures of the only one.
fn figures(result: &RunResult) -> (Vec<String>, Vec<Vec<String>>) {
    if let Some(ramp) = &result.ramp {
        return columns(&text::ramp_table(ramp).0);
    }
    let heads = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    if let Some(bars) = tiles::bar_table(result) {
        let rows = bars.rows.into_iter();
        let rows = rows.map(|row| {
            let phase = format!("{} {}", row.phase, row.op);
            vec![phase, row.rate, row.p50, row.p99]
        });
        return (heads(&["phase", "rate", "p50", "p99"]), rows.collect());
    }
    let tiles = tiles::tiles(result);
    let rows = tiles.iter().flat_map(|tile| {
        let parts = tile.parts.iter();
        parts.map(|part| vec![format!("{} {}", part.op, tile.label), part.value.clone()])
    });
    (heads(&["", "value"]), rows.collect())
}

/// The columns of a ramp's table that fit.
fn columns(table: &Table) -> (Vec<String>, Vec<Vec<String>>) {
    let heads = table.headers().enumerate();
    let wanted: Vec<usize> = heads
        .filter(|(index, (name, _))| *index == 0 || RAMP_COLUMNS.contains(name))
        .map(|(index, _)| index)
        .collect();
    let names: Vec<&str> = table.headers().map(|(name, _)| name).collect();
    let heads = wanted.iter().map(|index| names[*index].to_owned());
    let rows = table.rows().iter().map(|row| {
        let cell = |index: &usize| row.get(*index).cloned().unwrap_or_default();
        wanted.iter().map(cell).collect()
    });
    (heads.collect(), rows.collect())
}

const fn colour(state: State) -> &'static str {
    match state {
        State::Valid => "#1c6b34",
        State::Qualified => "#7a5600",
        State::Suspect => "#a03c00",
        State::Invalid => "#a3161f",
    }
}
