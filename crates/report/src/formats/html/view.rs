//! What a page of runs says: texts, tables and drawings, for the template.

use super::beside::BesideView;
use super::chart_view::ChartView;
use super::finding_view::{self, FindingView, SentenceView};
use super::sections;
use super::tiles::{self, BarTable, Tile};
use super::{NamedRun, NamedSide};
use crate::assets::{SCRIPT, STYLE, content_policy};
use crate::charts::clock::MOST;
use crate::charts::hero;
use crate::charts::sides::Runs;
use crate::compare::{brief, tables};
use crate::figure::plural;
use crate::first_line::{answer, courses, first_line};
use crate::formats::text;
use crate::page::Entry;
use crate::table::{Align, Table};
use askama::Template;
use fathom_core::State;
use fathom_core::result::{PhaseResult, RunResult, StepPurpose};
use fathom_verdict::compare::{CompareOptions, Comparison, Contrast, Side, compare};

/// Sentences of a ramp's answer.
const ANSWERS: usize = 3;

/// The whole page.
#[derive(Template)]
#[template(path = "report.html")]
pub(crate) struct PageView<'a> {
    /// The answer.
    title: String,
    /// The state of the comparison of several runs.
    state: Option<&'static str>,
    /// Stands on saved pictures: what, of which run, how far it may be trusted.
    caption: String,
    policy: String,
    style: &'static str,
    script: &'static str,
    overlaid: Vec<ChartView>,
    /// Why runs are not drawn over each other; empty where they are.
    overlaid_note: String,
    /// Of several runs their numbers.
    beside: Option<BesideView>,
    contrasts: Vec<ContrastView>,
    runs: Vec<RunView<'a>>,
}

/// One run.
#[derive(Template)]
#[template(path = "run.html")]
struct RunView<'a> {
    id: String,
    is_alone: bool,
    /// Its name among others; empty for one alone.
    label: &'a str,
    name: &'a str,
    run_id: &'a str,
    started_at: &'a str,
    host: &'a str,
    version: &'a str,
    state: &'static str,
    state_class: String,
    /// Where its numbers come from, and whether that is a warning.
    origin: String,
    is_measured: bool,
    /// The path, and the disk below it.
    place: String,
    disk: String,
    /// The first line of every format.
    answer: String,
    answers: Vec<String>,
    reason: SentenceView,
    tiles: Vec<Tile>,
    bars: Option<BarTable>,
    hero: Option<ChartView>,
    worst: Vec<FindingView>,
    worst_heading: &'static str,
    folds: Vec<FindingView>,
    counted: String,
    requirements: Vec<(&'static str, String)>,
    table: Option<TableView>,
    setup: Entries,
    bounds: Entries,
    probes: Vec<ProbesView>,
    provenance: Entries,
    sections: Vec<SectionView>,
}

/// A run against the first.
struct ContrastView {
    heading: String,
    refusal: Option<String>,
    verdicts: Vec<(&'static str, String)>,
    remarks: Vec<String>,
}

/// The table that people look at.
#[derive(Template)]
#[template(path = "table.html")]
pub(crate) struct TableView {
    pub(crate) name: String,
    pub(crate) caption: Option<String>,
    pub(crate) headers: Vec<(String, &'static str)>,
    pub(crate) rows: Vec<Vec<(String, &'static str)>>,
    pub(crate) notes: Vec<String>,
}

/// Short runs in addition to those that were asked for.
struct ProbesView {
    table: TableView,
    entries: Entries,
}

/// Labels and their texts.
#[derive(Template)]
#[template(path = "entries.html")]
struct Entries(Vec<Entry>);

/// Charts under a heading.
#[derive(Template)]
#[template(path = "section.html")]
struct SectionView {
    id: String,
    heading: String,
    is_open: bool,
    entries: Entries,
    evidence: Entries,
    charts: Vec<ChartView>,
    beside: Vec<ChartView>,
    /// Tables of hosts and members, where many measured.
    members: Vec<ProbesView>,
}

impl<'a> PageView<'a> {
    /// The page of runs.
    pub(crate) fn of(sides: &[NamedSide<'a>]) -> Self {
        let runs: Vec<NamedRun<'a>> = sides.iter().flat_map(|side| side.runs.clone()).collect();
        let several = runs.len() > 1;
        let series: Vec<Runs<'_>> = series(sides);
        let overlaid = if several {
            sections::overview(&series)
        } else {
            Vec::new()
        };
        let worst = runs.iter().map(|run| run.result.state).max();
        let worst = worst.unwrap_or(State::Invalid).word();
        let points = MOST / runs.len().max(1);
        let views = runs.iter().enumerate().map(|(index, run)| {
            let id = format!("r{}", index + 1);
            RunView::of(&id, *run, !several, points.max(60))
        });
        let mut state = None;
        let mut title = runs.first().map(|one| first_line(one.result));
        let mut caption = runs.first().map(|one| self::caption(one.result));
        let mut beside = None;
        let mut contrasts = Vec::new();
        if several {
            let number = plural(runs.len() as u64, "run");
            caption = Some(format!("{number} compared, the worst {worst}"));
            let comparison = compared(sides);
            title = Some(brief::first_line(&comparison).1);
            // Of runs that are not comparable the title says so, whatever their states.
            let is_made = comparison.contrasts.iter().all(|one| one.refusal.is_none());
            let states = comparison.contrasts.iter().map(|contrast| contrast.state);
            state = states.max().filter(|_| is_made).map(State::word);
            let names = side_names(sides, &comparison);
            contrasts = contrast_views(&comparison, &names);
            beside = Some(BesideView::of(&comparison, &names));
        }
        Self {
            title: title.unwrap_or_default(),
            state,
            caption: caption.unwrap_or_default(),
            policy: content_policy(),
            style: STYLE.text,
            script: SCRIPT.text,
            overlaid: ChartView::all("compared", &overlaid),
            overlaid_note: hero::why_not_overlaid(series.len()),
            beside,
            contrasts,
            runs: views.collect(),
        }
    }
}

/// The series of charts: a side each. Runs of one side only are series by themselves.
fn series<'a>(sides: &[NamedSide<'a>]) -> Vec<Runs<'a>> {
    if let [only] = sides {
        let runs = only.runs.iter();
        return runs
            .map(|run| Runs::of_one(run.label, run.result))
            .collect();
    }
    let runs = |side: &NamedSide<'a>| side.runs.iter().map(|run| run.result).collect();
    let series = sides.iter().map(|side| Runs {
        label: side.name,
        runs: runs(side),
    });
    series.collect()
}

/// What stands on saved pictures.
fn caption(result: &RunResult) -> String {
    let provenance = &result.provenance;
    let mut parts = vec![provenance.workload.name.as_str(), result.state.word()];
    if !provenance.origin.is_measured() {
        parts.push(provenance.origin.word());
    }
    parts.push(&result.run_id);
    parts.join(" · ")
}

/// The sides as `fathom compare` has them without options; runs of one side only each against the
/// first.
fn compared(sides: &[NamedSide<'_>]) -> Comparison {
    let side = |side: &NamedSide<'_>| {
        let results = side.runs.iter().map(|run| run.result.clone());
        (side.name.to_owned(), results.collect())
    };
    let sides: Vec<_> = sides.iter().map(side).collect();
    compare(&sides, &CompareOptions::default())
}

/// `A: before`, `B: after, 3 runs`.
fn side_names(sides: &[NamedSide<'_>], comparison: &Comparison) -> Vec<String> {
    let sides = sides.iter().zip(&comparison.sides);
    let name = |(side, compared): (&NamedSide<'_>, &Side)| match side.runs.len() {
        1 => format!("{}: {}", compared.label, side.name),
        count => {
            let count = plural(count as u64, "run");
            format!("{}: {}, {count}", compared.label, side.name)
        }
    };
    sides.map(name).collect()
}

/// The verdicts and remarks on each side against the first.
fn contrast_views(comparison: &Comparison, names: &[String]) -> Vec<ContrastView> {
    let Some((base, others)) = names.split_first() else {
        return Vec::new();
    };
    let view = |(contrast, other): (&Contrast, &String)| ContrastView {
        heading: format!("{other} against {base}"),
        refusal: contrast.refusal.clone(),
        verdicts: tables::verdicts(contrast),
        remarks: tables::noted(contrast),
    };
    comparison.contrasts.iter().zip(others).map(view).collect()
}

impl<'a> RunView<'a> {
    fn of(id: &str, run: NamedRun<'a>, is_alone: bool, points: usize) -> Self {
        let result = run.result;
        let provenance = &result.provenance;
        let findings = finding_view::all(result);
        // Of a ramp the curve is the result; its steps in detail would bury it.
        let (answers, table) = match &result.ramp {
            Some(ramp) => (text::ramp_entries(ramp), Some(text::ramp_table(ramp))),
            None => (Vec::new(), text::summary_table(result)),
        };
        // The first line has the answer itself.
        let answers = answers.into_iter().filter(|entry| entry.label != "answer");
        let answers = answers.map(|entry| entry.text);
        let answers = answers.chain(courses(result).into_iter().skip(1).map(|one| one.words));
        let requirements = result.requirements.iter();
        let hero = hero::of_run(result);
        Self {
            id: id.to_owned(),
            is_alone,
            label: if is_alone { "" } else { run.label },
            name: &provenance.workload.name,
            run_id: &result.run_id,
            started_at: or_unknown(&provenance.started_at),
            host: or_unknown(&provenance.host.hostname),
            version: &provenance.version,
            state: result.state.word(),
            state_class: result.state.word().to_lowercase(),
            origin: provenance.origin.words(),
            is_measured: provenance.origin.is_measured(),
            place: place_beside(&provenance.disk(), provenance.place()),
            disk: provenance.disk(),
            answer: answer(result),
            answers: answers.take(ANSWERS).collect(),
            reason: findings.reason,
            tiles: tiles::tiles(result),
            bars: tiles::bar_table(result),
            hero: hero.map(|chart| ChartView::of(&format!("{id}-hero"), &chart)),
            worst_heading: findings.worst_heading,
            worst: findings.worst,
            folds: findings.folds,
            counted: findings.counted,
            requirements: requirements
                .map(|one| (one.outcome.word(), format!("{}: {}", one.text, one.found())))
                .collect(),
            table: table.map(|(table, notes)| TableView::of("Results", &table, notes)),
            setup: Entries(text::setup_entries(result)),
            bounds: Entries(text::bound_entries(result)),
            probes: text::probe_blocks(result)
                .into_iter()
                .map(ProbesView::of)
                .collect(),
            provenance: Entries(text::origin_entries(result)),
            sections: section_views(id, result, points),
        }
    }
}

/// The place, unless the name of the disk begins with it, as that of a simulated volume.
fn place_beside(disk: &str, place: String) -> String {
    if disk.starts_with(&place) {
        String::new()
    } else {
        place
    }
}

/// A word of an import, whose source may not say it.
const fn or_unknown(word: &str) -> &str {
    if word.is_empty() { "unknown" } else { word }
}

fn section_views(id: &str, result: &RunResult, points: usize) -> Vec<SectionView> {
    let mut views = Vec::new();
    let name = result.provenance.workload.name.as_str();
    let overview = sections::overview(&[Runs::of_one(name, result)]);
    let is_alone = result.phases.len() == 1;
    if !overview.is_empty() {
        let id = format!("{id}-all");
        views.push(SectionView {
            charts: ChartView::all(&id, &overview),
            id,
            heading: "All phases side by side".to_owned(),
            is_open: false,
            entries: Entries(Vec::new()),
            evidence: Entries(Vec::new()),
            beside: Vec::new(),
            members: Vec::new(),
        });
    }
    for (index, phase) in result.phases.iter().enumerate() {
        if is_left_out(result, phase) {
            continue;
        }
        let id = format!("{id}-p{}", index + 1);
        let [load, beside] = sections::phase(result, phase, points);
        let entries = if is_alone {
            Vec::new()
        } else {
            text::load_entries(result, phase)
        };
        views.push(SectionView {
            charts: ChartView::all(&id, &load),
            beside: ChartView::all(&format!("{id}-m"), &beside),
            id,
            heading: heading(result, phase),
            is_open: is_alone,
            entries: Entries(entries),
            evidence: Entries(text::evidence_entries(result, phase)),
            members: text::member_blocks(result, index)
                .into_iter()
                .map(ProbesView::of)
                .collect(),
        });
    }
    views
}

/// Steps of a ramp that only searched, and those that fell behind: their times say no more than
/// how long they were watched.
fn is_left_out(result: &RunResult, phase: &PhaseResult) -> bool {
    let steps = result.ramp.iter().flat_map(|ramp| &ramp.steps);
    let mut of_phase = steps.filter(|step| step.phase == phase.name);
    of_phase.any(|step| step.overloaded || step.purpose == StepPurpose::Search)
}

fn heading(result: &RunResult, phase: &PhaseResult) -> String {
    if result.phases.len() == 1 {
        "Time series of the run".to_owned()
    } else {
        text::phase_label(result, phase)
    }
}

impl ProbesView {
    fn of(block: text::Block) -> Self {
        let mut table = TableView::of(block.heading, &block.table, Vec::new());
        table.caption = Some(match table.caption {
            Some(caption) => format!("{}: {caption}", block.heading),
            None => block.heading.to_owned(),
        });
        Self {
            table,
            entries: Entries(block.entries),
        }
    }
}

impl TableView {
    pub(crate) fn of(name: &str, table: &Table, notes: Vec<String>) -> Self {
        let classes: Vec<&'static str> =
            table.headers().map(|(_, align)| class_of(align)).collect();
        let headers = table
            .headers()
            .map(|(name, align)| (name.to_owned(), class_of(align)));
        let row = |row: &Vec<String>| {
            let cells = row.iter().cloned();
            cells.zip(classes.iter().copied()).collect()
        };
        Self {
            name: name.to_owned(),
            caption: table.caption_text().map(str::to_owned),
            headers: headers.collect(),
            rows: table.rows().iter().map(row).collect(),
            notes,
        }
    }
}

const fn class_of(align: Align) -> &'static str {
    match align {
        Align::Left => "words",
        Align::Right => "number",
    }
}
