//! One screen: what was asked with its verdict first, then what to know about it.

use super::joined::{self, Joined};
use super::{changes, number, place, ratio_note, tables};
use crate::page::wrap;
use crate::paint::{Style, paint};
use crate::table::{Align, Table};
use crate::text_options::TextOptions;
use fathom_core::figure::{percent, plural};
use fathom_core::foreign::visible;
use fathom_verdict::compare::{
    Comparison, Contrast, Design, Factor, FactorRole, NumberContrast, Side, Verdict,
};

/// Lines and columns of the screen.
const LINES: usize = 23;
const COLUMNS: std::ops::RangeInclusive<usize> = 40..=80;
/// Letters of a name next to figures.
const NAME_COLUMNS: usize = 24;
const HEADLINE_LINES: usize = 4;
/// Lines of what the gate says.
const GATE_LINES: usize = 3;
/// Rows of the table that always have room.
const LEAST_ROWS: usize = 4;
/// Numbers that were asked for and stand in the headline.
const IN_HEADLINE: usize = 4;
/// Rows of the table.
const ROWS: usize = 13;

pub(super) fn render(comparison: &Comparison, options: TextOptions) -> String {
    let width = options.width.clamp(*COLUMNS.start(), *COLUMNS.end());
    let mut lines: Vec<String> = Vec::new();
    let (style, words) = first_line(comparison);
    let words = wrap(&words, width).into_iter().take(HEADLINE_LINES);
    lines.extend(words.map(|line| paint(options.color, style, &line)));
    if let Some(gate) = &comparison.gate {
        let words = wrap(&gate.words(), width).into_iter().take(GATE_LINES);
        let style = super::text::gate_style(gate);
        lines.extend(words.map(|line| paint(options.color, style, &line)));
    }
    let left_out = if let [contrast] = &comparison.contrasts[..] {
        lines.extend(comparison.sides.iter().flat_map(|one| side(one, width)));
        // The heads, the line on B/A and the last line of the screen take room too.
        let room = LINES.saturating_sub(lines.len() + 3);
        let rows = shown(contrast, ROWS.min(room.max(LEAST_ROWS)));
        if !rows.is_empty() {
            lines.extend(table(comparison, contrast, &rows).lines(width, options.color));
            lines.extend(
                ratio_note(contrast)
                    .iter()
                    .flat_map(|note| wrap(note, width)),
            );
        }
        contrast.rows.len() - rows.len()
    } else {
        let room = LINES - 1 - lines.len();
        sides_beside(comparison, room, width, options.color, &mut lines)
    };
    let several = comparison.contrasts.len() > 1;
    let left_out = match (left_out as u64, several) {
        (0, _) => String::new(),
        (more, true) => format!("{} · ", plural(more, "more number")),
        (more, false) => format!("{} not requested · ", plural(more, "number")),
    };
    let mut last = vec![format!("{left_out}all differences: --full")];
    for text in cautions(comparison).iter().rev() {
        let lines_of_it = wrap(text, width);
        if lines.len() + last.len() + lines_of_it.len() <= LINES {
            last.splice(0..0, lines_of_it);
        }
    }
    lines.extend(last);
    let lines = lines.iter().map(|line| line.trim_end());
    lines.fold(String::new(), |text, line| text + line + "\n")
}

/// The answer in one sentence, behind what has to be known before it: the first line of every
/// format.
pub(crate) fn first_line(comparison: &Comparison) -> (Style, String) {
    let (style, words) = match &comparison.contrasts[..] {
        [contrast] => headline(contrast),
        contrasts => together(contrasts),
    };
    (style, comparison.first_line(&words))
}

/// What a side is, under its letter, whole: its state is the last word of it.
fn side(side: &Side, width: usize) -> Vec<String> {
    let indent = side.label.chars().count() + 2;
    let lines = wrap(&tables::side(side), width - indent);
    lines
        .into_iter()
        .enumerate()
        .map(|(index, line)| match index {
            0 => format!("{}  {line}", side.label),
            _ => " ".repeat(indent) + &line,
        })
        .collect()
}

/// The same in one line: a name that is too long for it is cut and marked.
fn side_in_a_line(side: &Side, width: usize) -> String {
    let facts = tables::facts(side);
    let taken = side.label.chars().count() + 2 + 2 + facts.chars().count();
    let name = shortened(&side.name, width.saturating_sub(taken).max(NAME_COLUMNS));
    format!("{}  {name}: {facts}", side.label)
}

/// The verdict of the question, or how the questions were answered.
pub(crate) fn headline(contrast: &Contrast) -> (Style, String) {
    if contrast.refusal.is_some() {
        let why = blocking(contrast);
        let words = Verdict::NotComparable.words();
        return (Style::Bad, format!("{words}: {why}"));
    }
    let asked: Vec<&NumberContrast> = contrast.rows.iter().filter(|row| row.declared).collect();
    if let [only] = asked[..] {
        let words = format!("{}: {}", only.verdict.words(), only.sentence);
        return (super::text::style(only.verdict), words);
    }
    let counts = counted(&asked);
    let words = counts
        .iter()
        .map(|(verdict, count)| format!("{} {count} of {}", verdict.words(), asked.len()));
    let style = match counts[..] {
        [(verdict, _)] => super::text::style(verdict),
        _ => Style::Strong,
    };
    let mut words = words.collect::<Vec<_>>().join(", ");
    if words.is_empty() {
        "the runs have no common metric".clone_into(&mut words);
    } else if asked.len() <= IN_HEADLINE {
        let numbers = asked.iter().map(|row| {
            let (change, _) = changes(row);
            format!("{} {change}", number(row))
        });
        let numbers: Vec<String> = numbers.collect();
        words = format!("{words}: {}", numbers.join(", "));
    }
    (style, words)
}

/// How often each verdict was passed.
fn counted(asked: &[&NumberContrast]) -> Vec<(Verdict, usize)> {
    let mut counts: Vec<(Verdict, usize)> = Vec::new();
    for row in asked {
        let known = counts
            .iter_mut()
            .find(|(verdict, _)| *verdict == row.verdict);
        match known {
            Some((_, count)) => *count += 1,
            None => counts.push((row.verdict, 1)),
        }
    }
    counts
}

/// Each side's verdict in a few words, where there are several.
fn together(contrasts: &[Contrast]) -> (Style, String) {
    let one = |contrast: &Contrast| {
        let label = &contrast.label;
        if contrast.refusal.is_some() {
            return format!("{label} {}", Verdict::NotComparable.words());
        }
        let asked: Vec<&NumberContrast> = contrast.rows.iter().filter(|row| row.declared).collect();
        match (&asked[..], &counted(&asked)[..]) {
            ([], _) => format!("{label} has no common metric"),
            ([only], _) => format!("{label} {} {}", only.verdict.words(), changes(only).0),
            (_, [(verdict, _)]) => format!("{label} {}", verdict.words()),
            (_, counts) => {
                let words = counts.iter();
                let words = words.map(|(verdict, count)| format!("{count} {}", verdict.words()));
                format!("{label} {}", words.collect::<Vec<_>>().join(" and "))
            }
        }
    };
    let words: Vec<String> = contrasts.iter().map(one).collect();
    (Style::Strong, format!("against A: {}", words.join(" · ")))
}

/// The sides, and under each number what each of them has of it, as far as there is room; tells
/// how many numbers there was none for.
fn sides_beside(
    comparison: &Comparison,
    room: usize,
    width: usize,
    color: bool,
    lines: &mut Vec<String>,
) -> usize {
    let first = lines.len();
    // The number of sides that have their names next to their figures.
    let is_long = 2 * comparison.sides.len() + 4 > room;
    if !is_long {
        for one in &comparison.sides {
            lines.push(side_in_a_line(one, width));
        }
    }
    let all = joined::joined(comparison);
    let mut numbers: Vec<&Joined<'_>> = all.iter().filter(|one| one.is_declared()).collect();
    let tails = all.iter();
    numbers.extend(tails.filter(|one| !one.is_declared() && one.first.metric.name() == "p99"));
    // A line for the number and one for each side; the heads take one too.
    let each = 1 + comparison.sides.len();
    let left = room.saturating_sub(lines.len() - first + 1);
    numbers.truncate((left / each).max(1));
    let table = beside_table(comparison, &numbers, is_long);
    let mut found = table.lines(width, color).into_iter();
    lines.extend(found.next());
    for one in &numbers {
        let words = format!("{} {}", place(one.first), number(one.first));
        lines.push(paint(color, Style::Strong, &words));
        lines.extend(found.by_ref().take(comparison.sides.len()));
    }
    if lines.len() > first + room {
        lines.truncate(first + room - 1);
        lines.push("…".to_owned());
    }
    all.len() - numbers.len()
}

fn beside_table(comparison: &Comparison, numbers: &[&Joined<'_>], named: bool) -> Table {
    let confidence = percent((1.0 - comparison.limits.alpha) * 100.0);
    let mut table = Table::default();
    table.column("", Align::Left);
    table.label_column("");
    table.column("", Align::Right);
    table.column("to A", Align::Right);
    table.spare_column(format!("{confidence} interval"), Align::Right, 1);
    table.column("", Align::Left);
    for one in numbers {
        for (index, side) in comparison.sides.iter().enumerate() {
            let name = if named {
                format!("{}  {}", side.label, shortened(&side.name, NAME_COLUMNS))
            } else {
                side.label.clone()
            };
            let mut cells = vec![String::new(), name];
            let row = index.checked_sub(1).map(|index| one.others[index]);
            match row {
                None => cells.push(one.first.metric.figure(one.first.base)),
                Some(None) => cells.push("--".to_owned()),
                Some(Some(row)) => {
                    let (change, interval) = changes(row);
                    let figure = row.metric.figure(row.other);
                    cells.extend([figure, change, interval, joined::verdict(row)]);
                }
            }
            table.row(cells);
        }
    }
    table
}

/// What prevents the comparison, by name.
fn blocking(contrast: &Contrast) -> String {
    let mut names: Vec<&str> = Vec::new();
    for factor in &contrast.factors {
        if factor.role == FactorRole::Blocks && !names.contains(&factor.name) {
            names.push(factor.name);
        }
    }
    if names.is_empty() {
        "a run is SUSPECT or INVALID. The numbers are shown anyway".to_owned()
    } else {
        let differ = if names.len() == 1 {
            "differs"
        } else {
            "differ"
        };
        format!(
            "{} {differ}. The numbers are shown anyway",
            names.join(", ")
        )
    }
}

/// What was asked, and of what was not the tails, as far as there is room.
fn shown(contrast: &Contrast, room: usize) -> Vec<&NumberContrast> {
    let is_tail = |row: &&NumberContrast| !row.declared && row.metric.name() == "p99";
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

/// How sure the intervals of rows are: as much as was asked for, and more where few runs leave only
/// steps to choose from.
pub(crate) fn confidence<'a>(
    comparison: &Comparison,
    rows: impl Iterator<Item = &'a NumberContrast>,
) -> String {
    let mut known = rows.filter_map(|row| Some(row.ratio?.confidence));
    let asked = 1.0 - comparison.limits.alpha;
    let first = known.next().unwrap_or(asked);
    let is_same = known.all(|other| (other - first).abs() < 1e-9);
    percent(if is_same { first } else { asked } * 100.0)
}

fn table(comparison: &Comparison, contrast: &Contrast, rows: &[&NumberContrast]) -> Table {
    let label = &contrast.label;
    let confidence = confidence(comparison, rows.iter().copied());
    let mut table = Table::default();
    table.label_column("");
    table.column("", Align::Left);
    table.column("A", Align::Right);
    table.column(label.clone(), Align::Right);
    table.column(format!("{label}/A"), Align::Right);
    let has_interval = rows.iter().any(|row| row.ratio.is_some());
    if has_interval {
        table.spare_column(format!("{confidence} interval"), Align::Right, 2);
    }
    // The headline has it too.
    table.spare_column("", Align::Left, 1);
    let mut last = String::new();
    for row in rows {
        let place = place(row);
        let shown = if place == last { "" } else { place.as_str() };
        let (change, interval) = changes(row);
        let mut cells = vec![
            shown.to_owned(),
            number(row),
            bare(&row.metric.figure(row.base)),
            bare(&row.metric.figure(row.other)),
            change,
        ];
        cells.extend(has_interval.then_some(interval));
        cells.push(verdict(row, contrast));
        table.row(cells);
        last = place;
    }
    table
}

/// A name as far as it fits: the end of a path is its more useful part.
fn shortened(name: &str, columns: usize) -> String {
    let name = visible(name);
    let letters = name.chars().count();
    if letters <= columns {
        return name.into_owned();
    }
    let end = name.chars().skip(letters + 1 - columns);
    format!("…{}", end.collect::<String>())
}

/// A number whose unit its row names.
fn bare(figure: &str) -> String {
    figure.trim_end_matches(" IOPS").to_owned()
}

fn verdict(row: &NumberContrast, contrast: &Contrast) -> String {
    if contrast.refusal.is_some() {
        String::new()
    } else {
        joined::verdict(row)
    }
}

/// What would decide it, what differs and what to know, of each side once.
pub(crate) fn cautions(comparison: &Comparison) -> Vec<String> {
    let texts = comparison.contrasts.iter().flat_map(|contrast| {
        let texts = beside(contrast).into_iter();
        texts.map(|text| (contrast.label.clone(), text))
    });
    if comparison.contrasts.len() > 1 {
        joined::together(texts)
    } else {
        texts.map(|(_, text)| text).collect()
    }
}

/// The same of one side.
fn beside(contrast: &Contrast) -> Vec<String> {
    let mut texts = Vec::new();
    let open = |row: &&NumberContrast| {
        row.declared && matches!(row.verdict, Verdict::Inconclusive | Verdict::CannotTell)
    };
    let silent = |row: &&NumberContrast| row.verdict == Verdict::CannotTell;
    if let Some(row) = contrast.rows.iter().filter(open).find(silent) {
        texts.push(format!("cannot tell: {}", row.sentence));
    }
    let more = contrast.rows.iter().filter(open).filter(|row| !silent(row));
    if let Some(more) = more.filter_map(|row| row.more_runs).max() {
        texts.push(match contrast.design {
            Design::OneEach => format!(
                "undecided: at least {} of each side, alternating (fathom ab), are needed",
                plural(more, "run")
            ),
            Design::Pairs => format!("undecided: about {} are needed", plural(more, "more pair")),
            Design::Sets | Design::Blocks => format!(
                "undecided: this needs about {} of each side",
                plural(more, "more run")
            ),
        });
    }
    if contrast.refusal.is_some() {
        let is_other =
            |factor: &Factor| factor.role == FactorRole::Blocks && factor.name != "state";
        texts.push(if contrast.factors.iter().any(is_other) {
            "try: --factor NAME for the setting under test, or --force to compare anyway".to_owned()
        } else {
            "try: runs without these warnings (fathom help CODE explains them), or --force to \
             compare anyway"
                .to_owned()
        });
    }
    for factor in &contrast.factors {
        if factor.role != FactorRole::Noted {
            texts.push(format!(
                "differs: {}",
                super::text::factor_words(factor, contrast)
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
