//! What the page says without a script: texts and tables, for the template.

use super::NamedRun;
use super::assets::{LIBRARY, SCRIPT, STYLE, content_policy};
use super::data::{self, Data, Section};
use crate::charts::Chart;
use crate::charts::clock::FINEST;
use crate::compare::tables;
use crate::figure::plural;
use crate::findings::{Finding, findings};
use crate::formats::markdown::origin_words;
use crate::formats::text;
use crate::page::Entry;
use crate::table::{Align, Table};
use askama::Template;
use fathom_core::result::{PhaseResult, RunResult, StepPurpose};
use fathom_core::{Level, State};
use fathom_verdict::compare::{CompareOptions, Contrast, compare};

/// The whole page.
#[derive(Template)]
#[template(path = "report.html")]
pub(crate) struct PageView<'a> {
    title: String,
    policy: String,
    style: &'static str,
    library: &'static str,
    script: &'static str,
    comparison: Option<SectionView>,
    contrasts: Vec<ContrastView>,
    runs: Vec<RunView<'a>>,
    data: String,
}

/// One run.
struct RunView<'a> {
    id: String,
    label: &'a str,
    name: &'a str,
    run_id: &'a str,
    started_at: &'a str,
    host: &'a str,
    version: &'a str,
    state: &'static str,
    state_class: String,
    /// What is to be said plainly of a run that was not measured.
    origin: Option<String>,
    reasons: Vec<String>,
    findings: Vec<Finding<'a>>,
    counted: String,
    table: Option<TableView>,
    setup: Vec<Entry>,
    bounds: Vec<Entry>,
    probes: Vec<ProbesView>,
    provenance: Vec<Entry>,
    sections: Vec<SectionView>,
}

/// A run against the first.
struct ContrastView {
    heading: String,
    refusal: Option<String>,
    verdicts: Vec<(&'static str, String)>,
    table: TableView,
    remarks: Vec<String>,
}

/// The table that people look at.
struct TableView {
    caption: Option<String>,
    headers: Vec<(String, &'static str)>,
    rows: Vec<Vec<(String, &'static str)>>,
    notes: Vec<String>,
}

/// Short runs beside those that were asked for.
struct ProbesView {
    heading: &'static str,
    table: TableView,
    entries: Vec<Entry>,
}

/// Charts under a heading.
struct SectionView {
    id: String,
    heading: String,
    entries: Vec<Entry>,
    evidence: Vec<Entry>,
    charts: Vec<ChartView>,
}

/// A place for a chart.
struct ChartView {
    id: String,
    title: String,
    note: String,
}

impl<'a> PageView<'a> {
    /// The page of runs, and its data.
    pub(crate) fn of(runs: &[NamedRun<'a>]) -> (Self, Data) {
        let mut data = Data::default();
        let several = runs.len() > 1;
        let comparison = several
            .then(|| {
                let named: Vec<_> = runs.iter().map(|run| (run.label, run.result)).collect();
                let worst = runs.iter().map(|run| run.result.state).max();
                let worst = worst.unwrap_or(State::Invalid).word();
                let number = plural(runs.len() as u64, "run");
                let caption = format!("{number} compared, the worst {worst}");
                data::overview("compared", &named, caption)
            })
            .flatten()
            .map(|section| SectionView::of(section, "Side by side", &mut data));
        let points = FINEST / runs.len().max(1);
        let views = runs.iter().enumerate().map(|(index, run)| {
            let id = format!("r{}", index + 1);
            let label = if several {
                run.label
            } else {
                &run.result.run_id
            };
            let run = NamedRun { label, ..*run };
            RunView::of(&id, run, points, &mut data)
        });
        let views: Vec<_> = views.collect();
        let title = match runs {
            [one] => format!(
                "{} – {}",
                one.result.provenance.workload.name, one.result.run_id
            ),
            several => plural(several.len() as u64, "run"),
        };
        let page = Self {
            title,
            policy: content_policy(),
            style: STYLE.text,
            library: LIBRARY.text,
            script: SCRIPT.text,
            comparison,
            contrasts: if several { contrasts(runs) } else { Vec::new() },
            runs: views,
            data: String::new(),
        };
        (page, data)
    }

    /// Puts the data in, so that no text of theirs can end its element.
    #[must_use]
    pub(crate) fn with_data(mut self, data: &Data) -> Self {
        let json = serde_json::to_string(data).expect("all keys are strings");
        self.data = json.replace('<', "\\u003c");
        self
    }
}

/// Every other run against the first.
fn contrasts(runs: &[NamedRun<'_>]) -> Vec<ContrastView> {
    let sides = runs.iter().map(|run| {
        let results = vec![run.result.clone()];
        (run.label.to_owned(), results)
    });
    let sides: Vec<_> = sides.collect();
    let comparison = compare(&sides, &CompareOptions::default());
    let base = runs[0].label;
    let others = comparison.contrasts.iter().zip(&runs[1..]);
    let view = |(contrast, other): (&Contrast, &NamedRun<'_>)| ContrastView {
        heading: format!("{} against {base}", other.label),
        refusal: contrast.refusal.clone(),
        verdicts: tables::verdicts(contrast),
        table: TableView::of(&tables::table(contrast, base, other.label), Vec::new()),
        remarks: tables::remarks(contrast, base, other.label),
    };
    others.map(view).collect()
}

impl<'a> RunView<'a> {
    fn of(id: &str, run: NamedRun<'a>, points: usize, data: &mut Data) -> Self {
        let result = run.result;
        let provenance = &result.provenance;
        let headline = text::headline_entries(result);
        let findings = findings(&result.caveats);
        // Of a ramp the curve is the result; its steps in detail would bury it.
        let (found, table) = match &result.ramp {
            Some(ramp) => (text::ramp_entries(ramp), Some(text::ramp_table(ramp))),
            None => (Vec::new(), text::summary_table(result)),
        };
        let reasons = headline.into_iter().chain(found);
        Self {
            id: id.to_owned(),
            label: run.label,
            name: &provenance.workload.name,
            run_id: &result.run_id,
            started_at: or_unknown(&provenance.started_at),
            host: or_unknown(&provenance.host.hostname),
            version: &provenance.version,
            state: result.state.word(),
            state_class: class(result.state),
            origin: origin_words(&provenance.origin),
            reasons: reasons.map(|entry| entry.text).collect(),
            counted: counted(&findings),
            findings,
            table: table.map(|(table, notes)| TableView::of(&table, notes)),
            setup: text::setup_entries(result),
            bounds: text::bound_entries(result),
            probes: text::probe_blocks(result)
                .into_iter()
                .map(ProbesView::of)
                .collect(),
            provenance: text::origin_entries(result),
            sections: sections(id, result, points, data),
        }
    }
}

/// A word of an import, whose source may not say it.
const fn or_unknown(word: &str) -> &str {
    if word.is_empty() { "unknown" } else { word }
}

fn sections(id: &str, result: &RunResult, points: usize, data: &mut Data) -> Vec<SectionView> {
    let mut views = Vec::new();
    let name = result.provenance.workload.name.as_str();
    let overview = data::overview(
        &format!("{id}-all"),
        &[(name, result)],
        data::caption(result, None),
    );
    if let Some(overview) = overview {
        let heading = if result.ramp.is_some() {
            "The curve"
        } else {
            "All phases"
        };
        views.push(SectionView::of(overview, heading, data));
    }
    for (index, phase) in result.phases.iter().enumerate() {
        if is_left_out(result, phase) {
            continue;
        }
        let id = format!("{id}-p{}", index + 1);
        let caption = data::caption(result, Some(phase));
        let section = data::phase(&id, result, phase, points, caption);
        let mut view = SectionView::of(section, &heading(result, phase), data);
        if result.phases.len() > 1 {
            view.entries = text::load_entries(result, phase);
        }
        view.evidence = text::evidence_entries(result, phase);
        views.push(view);
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

/// `2 caveats and 1 note`.
fn counted(findings: &[Finding<'_>]) -> String {
    let count = |notes: bool| {
        let own = findings
            .iter()
            .filter(|one| (one.level == Level::Note) == notes);
        own.map(Finding::count).sum::<u64>()
    };
    let counts = [(count(false), "caveat"), (count(true), "note")];
    let words = counts.into_iter().filter(|(count, _)| *count > 0);
    let words: Vec<String> = words.map(|(count, noun)| plural(count, noun)).collect();
    words.join(" and ")
}

fn heading(result: &RunResult, phase: &PhaseResult) -> String {
    if result.phases.len() == 1 {
        "Course of the run".to_owned()
    } else {
        text::phase_label(result, phase)
    }
}

impl SectionView {
    /// The texts of a section, which goes to the data.
    fn of(section: Section, heading: &str, data: &mut Data) -> Self {
        let view = |chart: &Chart| ChartView {
            id: chart.id.clone(),
            title: chart.title.clone(),
            note: chart.note.clone(),
        };
        let view = Self {
            id: section.id.clone(),
            heading: heading.to_owned(),
            entries: Vec::new(),
            evidence: Vec::new(),
            charts: section.charts.iter().map(view).collect(),
        };
        data.sections.push(section);
        view
    }
}

impl ProbesView {
    fn of(block: text::Block) -> Self {
        Self {
            heading: block.heading,
            table: TableView::of(&block.table, Vec::new()),
            entries: block.entries,
        }
    }
}

impl TableView {
    fn of(table: &Table, notes: Vec<String>) -> Self {
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

fn class(state: State) -> String {
    state.word().to_lowercase()
}
