//! One screen: what was asked with its verdict first, then what to know about it.

use super::{changes, number, place};
use crate::format::TextOptions;
use crate::page::wrap;
use crate::paint::{Style, paint};
use crate::table::{Align, Table};
use fathom_core::State;
use fathom_core::figure::{percent, plural};
use fathom_verdict::compare::{Comparison, Contrast, Design, FactorRole, Row, Side, Verdict};

/// Lines and columns of the screen.
const LINES: usize = 23;
const COLUMNS: std::ops::RangeInclusive<usize> = 60..=80;
/// Lines of what the gate says.
const GATE_LINES: usize = 3;
/// Rows of all tables together.
const ROWS: usize = 13;

pub(super) fn render(comparison: &Comparison, options: TextOptions) -> String {
    let width = options.width.clamp(*COLUMNS.start(), *COLUMNS.end());
    let mut lines: Vec<String> = comparison.sides.iter().map(side).collect();
    if let Some(gate) = &comparison.gate {
        let words = wrap(&gate.words(), width).into_iter().take(GATE_LINES);
        let style = super::text::gate_style(gate);
        lines.extend(words.map(|line| paint(options.color, style, &line)));
    }
    let room = ROWS / comparison.contrasts.len().max(1);
    for contrast in &comparison.contrasts {
        let (style, words) = headline(comparison, contrast);
        let words = wrap(&words, width).into_iter();
        lines.extend(words.map(|line| paint(options.color, style, &line)));
        let rows = shown(contrast, room.max(2));
        lines.extend(table(comparison, contrast, &rows).lines(width, options.color));
        let left_out = contrast.rows.len() - rows.len();
        if left_out > 0 {
            lines.push(format!(
                "and {} not asked for",
                plural(left_out as u64, "number")
            ));
        }
    }
    let mut last = vec!["all numbers and all that differs: --full".to_owned()];
    for contrast in &comparison.contrasts {
        for text in beside(contrast).into_iter().rev() {
            let text = wrap(&text, width);
            if lines.len() + last.len() + text.len() <= LINES {
                last.splice(0..0, text);
            }
        }
    }
    lines.extend(last);
    let lines = lines.iter().map(|line| line.trim_end());
    lines.fold(String::new(), |text, line| text + line + "\n")
}

fn side(side: &Side) -> String {
    let worst = side.runs.iter().map(|run| run.state).max();
    let worst = worst.unwrap_or(State::Invalid).word();
    match &side.runs[..] {
        [run] => format!("{}  {}: {}, {worst}", side.label, side.name, run.run_id),
        runs => {
            let runs = plural(runs.len() as u64, "run");
            format!("{}  {}: {runs}, {worst}", side.label, side.name)
        }
    }
}

/// The verdict of the question, or how the questions were answered.
fn headline(comparison: &Comparison, contrast: &Contrast) -> (Style, String) {
    let several = comparison.contrasts.len() > 1;
    let label = if several {
        format!("{}: ", contrast.label)
    } else {
        String::new()
    };
    if contrast.refusal.is_some() {
        let why = blocking(contrast);
        let words = Verdict::NotComparable.words();
        return (Style::Bad, format!("{label}{words}: {why}"));
    }
    let asked: Vec<&Row> = contrast.rows.iter().filter(|row| row.declared).collect();
    if let [only] = asked[..] {
        let words = format!("{label}{}: {}", only.verdict.words(), only.sentence);
        return (super::text::style(only.verdict), words);
    }
    let mut counts: Vec<(Verdict, usize)> = Vec::new();
    for row in &asked {
        match counts
            .iter_mut()
            .find(|(verdict, _)| *verdict == row.verdict)
        {
            Some((_, count)) => *count += 1,
            None => counts.push((row.verdict, 1)),
        }
    }
    let words = counts
        .iter()
        .map(|(verdict, count)| format!("{} {count} of {}", verdict.words(), asked.len()));
    let style = match counts[..] {
        [(verdict, _)] => super::text::style(verdict),
        _ => Style::Strong,
    };
    let words = words.collect::<Vec<_>>().join(", ");
    let words = if words.is_empty() {
        "the runs have no number in common".to_owned()
    } else {
        words
    };
    (style, label + &words)
}

/// What stands in the way, by name.
fn blocking(contrast: &Contrast) -> String {
    let mut names: Vec<&str> = Vec::new();
    for factor in &contrast.factors {
        if factor.role == FactorRole::Blocks && !names.contains(&factor.name) {
            names.push(factor.name);
        }
    }
    if names.is_empty() {
        "a run is doubtful; the figures all the same".to_owned()
    } else {
        format!("{} differs; the figures all the same", names.join(", "))
    }
}

/// What was asked, and of what was not the tails, as far as there is room.
fn shown(contrast: &Contrast, room: usize) -> Vec<&Row> {
    let is_tail = |row: &&Row| !row.declared && row.metric.name() == "p99";
    let asked = contrast.rows.iter().filter(|row| row.declared);
    let count = asked.clone().count();
    let mut tails = contrast.rows.iter().filter(is_tail).count();
    if count + tails > room {
        tails = 0;
    }
    let rows = contrast.rows.iter();
    let rows = rows.filter(|row| row.declared || (tails > 0 && is_tail(row)));
    rows.take(room).collect()
}

fn table(comparison: &Comparison, contrast: &Contrast, rows: &[&Row]) -> Table {
    let label = &contrast.label;
    let confidence = percent((1.0 - comparison.limits.alpha) * 100.0);
    let mut table = Table::default();
    table.column("", Align::Left);
    table.column("", Align::Left);
    table.column("A", Align::Right);
    table.column(label.clone(), Align::Right);
    table.column(format!("{label}/A"), Align::Right);
    table.spare_column(format!("{confidence} interval"), Align::Right, 1);
    table.column("", Align::Left);
    let mut last = String::new();
    for row in rows {
        let place = place(row);
        let shown = if place == last { "" } else { place.as_str() };
        let (change, interval) = changes(row);
        table.row(vec![
            shown.to_owned(),
            number(row),
            row.metric.figure(row.base),
            row.metric.figure(row.other),
            change,
            interval,
            verdict(row, contrast),
        ]);
        last = place;
    }
    table
}

fn verdict(row: &Row, contrast: &Contrast) -> String {
    match (contrast.refusal.is_some(), row.declared) {
        (true, _) => String::new(),
        (_, true) => row.verdict.words().to_owned(),
        (_, false) => format!("· {}", row.verdict.words().to_lowercase()),
    }
}

/// What would decide it, and what differs.
fn beside(contrast: &Contrast) -> Vec<String> {
    let mut texts = Vec::new();
    let open = |row: &&Row| {
        row.declared && matches!(row.verdict, Verdict::Inconclusive | Verdict::CannotTell)
    };
    let more = contrast.rows.iter().filter(open);
    if let Some(more) = more.filter_map(|row| row.more_runs).max() {
        texts.push(match contrast.design {
            Design::OneEach => format!(
                "undecided as yet: at least {} of each side, made in turn (fathom ab), would \
                 decide",
                plural(more, "run")
            ),
            _ => format!(
                "undecided as yet: about {} of each side would decide",
                plural(more, "more run")
            ),
        });
    }
    if contrast.refusal.is_some() {
        texts.push(
            "try: --factor NAME for what is under test, or --force to compare all the same"
                .to_owned(),
        );
    }
    for factor in &contrast.factors {
        if factor.role != FactorRole::Noted {
            texts.push(format!(
                "differs: {}",
                super::text::factor_words(factor, &contrast.label)
            ));
        }
    }
    texts.extend(
        contrast
            .remarks
            .iter()
            .map(|remark| format!("note: {remark}")),
    );
    texts
}
