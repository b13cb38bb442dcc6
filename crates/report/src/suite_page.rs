//! A suite as one file for a browser: what decided it, a heat map for each question along two axes
//! or more, lines along the axis of block sizes, and a row for each run.

use crate::assets::{SCRIPT, STYLE, content_policy};
use crate::charts::steps::{StepLine, Steps};
use crate::charts::{Body, Chart, Unit};
use crate::drawing::{log_place, words};
use crate::formats::html::chart_view::ChartView;
use crate::formats::html::view::TableView;
use crate::page::{Entry, Page};
use crate::suite::{Figures, SuiteCell, SuiteReport, axis_words, figures, headline, rows};
use crate::text_options::TextOptions;
use askama::Template;
use fathom_core::State;

/// Reasons that are said at the top.
const REASONS: usize = 3;
/// Shades of a heat map.
const SHADES: usize = 6;
/// Values along an axis that make a line.
const LEAST_STEPS: usize = 3;

#[derive(Template)]
#[template(path = "suite.html")]
struct View<'a> {
    policy: String,
    style: &'a str,
    script: &'a str,
    name: &'a str,
    state: &'static str,
    state_class: String,
    sentence: String,
    reasons: Vec<Entry>,
    more: Vec<Entry>,
    stamp: String,
    maps: Vec<HeatTable>,
    charts: Vec<ChartView>,
    table: TableView,
}

/// Figures in cells that are the darker the higher.
struct HeatTable {
    title: String,
    corner: String,
    columns: Vec<String>,
    rows: Vec<HeatRow>,
}

struct HeatRow {
    name: String,
    cells: Vec<HeatCell>,
}

struct HeatCell {
    words: String,
    class: String,
}

/// A figure that has a map and a chart.
type Measure = (&'static str, Unit, fn(&Figures) -> f64);

const MEASURES: [Measure; 3] = [
    ("IOPS", Unit::Iops, |one| one.iops),
    ("Throughput", Unit::BytesPerSecond, |one| {
        one.bytes_per_second
    }),
    ("Mean latency", Unit::Ns, |one| one.mean_ns),
];

/// The page of a suite, as far as it got.
///
/// # Panics
///
/// Never: the template writes to memory.
pub fn suite_page(suite: &SuiteReport<'_>) -> String {
    let mut page = Page::new(TextOptions::default());
    headline(&mut page, suite);
    let mut entries = page.into_entries().into_iter();
    let sentence = entries.next().map(|entry| entry.text).unwrap_or_default();
    let mut reasons: Vec<Entry> = entries.filter(|entry| !entry.text.is_empty()).collect();
    let more = reasons.split_off(reasons.len().min(REASONS));
    let results = || suite.cells.iter().flat_map(|cell| &cell.results);
    let state = results().map(|result| result.state).max();
    let state = state.unwrap_or(State::Invalid);
    let stamp = results().next().map(|first| {
        let provenance = &first.provenance;
        let parts = [provenance.host.hostname.as_str(), &provenance.started_at];
        format!("{} · fathom {}", parts.join(" · "), provenance.version)
    });
    let mut groups: Vec<usize> = suite.cells.iter().map(|cell| cell.group).collect();
    groups.dedup();
    let mut maps = Vec::new();
    let mut charts = Vec::new();
    for group in &groups {
        let own = suite.cells.iter().filter(|cell| cell.group == *group);
        let cells: Vec<&SuiteCell<'_>> = own.collect();
        for measure in &MEASURES {
            maps.extend(map(measure, &cells));
            charts.extend(chart(measure, &cells));
        }
    }
    View {
        policy: content_policy(),
        style: STYLE.text,
        script: SCRIPT.text,
        name: suite.name,
        state: state.word(),
        state_class: state.word().to_lowercase(),
        sentence,
        reasons,
        more,
        stamp: stamp.unwrap_or_default(),
        maps,
        charts: ChartView::all("suite", &charts),
        table: TableView::of("All runs", &rows(suite), Vec::new()),
    }
    .render()
    .expect("a template of ours writes to memory")
}

/// Names in the order in which they first come.
fn distinct(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}

/// The place on all axes but one, in words.
fn elsewhere(cell: &SuiteCell<'_>, but: usize) -> String {
    let others = cell
        .place
        .iter()
        .enumerate()
        .filter(|(index, _)| *index != but);
    let words = others.map(|(_, (axis, value))| axis_words(axis, value));
    words.collect::<Vec<_>>().join(", ")
}

/// The last axis down, the others across; none with a single axis.
fn map((title, unit, of): &Measure, cells: &[&SuiteCell<'_>]) -> Option<HeatTable> {
    let first = cells.first()?;
    let last = first.place.len().checked_sub(1).filter(|last| *last > 0)?;
    let down = distinct(cells.iter().map(|cell| cell.place[last].1.clone()));
    let columns = distinct(cells.iter().map(|cell| elsewhere(cell, last)));
    let value = |row: &str, column: &str| {
        let here = cells.iter().find(|cell| {
            cell.place[last].1 == row && elsewhere(cell, last) == column && !cell.results.is_empty()
        });
        here.map(|cell| of(&figures(&cell.results, 0, None)))
    };
    let known = down
        .iter()
        .flat_map(|row| columns.iter().filter_map(|column| value(row, column)));
    let known: Vec<f64> = known.filter(|value| *value > 0.0).collect();
    let low = known.iter().copied().fold(f64::INFINITY, f64::min);
    let high = known.iter().copied().fold(0.0, f64::max);
    let shade = |value: f64| {
        if high <= low || value <= 0.0 {
            return 0;
        }
        ((log_place(value, low, high) * SHADES as f64) as usize).min(SHADES - 1)
    };
    let cell = |row: &str, column: &str| match value(row, column) {
        Some(value) => HeatCell {
            words: words(*unit, "", value),
            class: format!("c-h{}", shade(value)),
        },
        None => HeatCell {
            words: "--".to_owned(),
            class: String::new(),
        },
    };
    let rows = down.iter().map(|row| HeatRow {
        name: row.clone(),
        cells: columns.iter().map(|column| cell(row, column)).collect(),
    });
    Some(HeatTable {
        title: (*title).to_owned(),
        corner: first.place[last].0.replace('_', " "),
        rows: rows.collect(),
        columns,
    })
}

/// Lines along the block sizes, or the last axis that has values enough for a line.
fn chart((title, unit, of): &Measure, cells: &[&SuiteCell<'_>]) -> Option<Chart> {
    let first = cells.first()?;
    let values = |axis: usize| distinct(cells.iter().map(|cell| cell.place[axis].1.clone()));
    let axes = first.place.iter().enumerate();
    let long = axes.filter(|(index, _)| values(*index).len() >= LEAST_STEPS);
    let long: Vec<(usize, &str)> = long
        .map(|(index, (name, _))| (index, name.as_str()))
        .collect();
    let by_size = long.iter().find(|(_, name)| *name == "block_size");
    let (axis, name) = *by_size.or(long.last())?;
    let steps = values(axis);
    let names = distinct(cells.iter().map(|cell| elsewhere(cell, axis)));
    let line = |name: &String| StepLine {
        label: name.clone(),
        values: steps
            .iter()
            .map(|step| {
                let here = cells
                    .iter()
                    .find(|cell| cell.place[axis].1 == *step && elsewhere(cell, axis) == *name);
                let here = here.filter(|cell| !cell.results.is_empty());
                here.map_or(f64::NAN, |cell| of(&figures(&cell.results, 0, None)))
            })
            .collect(),
    };
    let words = name.replace('_', " ");
    Some(Chart {
        title: format!("{title} by {words}"),
        note: "Means over the repetitions.".to_owned(),
        body: Body::Steps(Steps {
            unit: *unit,
            knob: words,
            lines: names.iter().map(line).collect(),
            names: steps,
        }),
    })
}
