//! For people: the verdicts first, then the numbers, then what to know about them.

use super::{change, changes, number, place, probability};
use crate::format::TextOptions;
use crate::page::Page;
use crate::paint::Style;
use crate::table::{Align, Table};
use fathom_core::State;
use fathom_core::figure::{percent, plural, time};
use fathom_verdict::compare::{
    Comparison, Contrast, Factor, FactorRole, GateOutcome, GateReport, Mixed, Row, Side, Verdict,
};

pub(super) fn render(comparison: &Comparison, options: TextOptions) -> String {
    let mut page = Page::new(options);
    for side in &comparison.sides {
        page.entry(&side.label, &side_words(side));
    }
    if let Some(gate) = &comparison.gate {
        page.styled_entry("gate", gate_style(gate), &gate.words());
    }
    for contrast in &comparison.contrasts {
        page.blank();
        if comparison.contrasts.len() > 1 {
            page.heading(&format!("{} against A", contrast.label));
        }
        match &contrast.refusal {
            Some(refusal) => {
                refused(&mut page, refusal);
                if !contrast.rows.is_empty() {
                    page.blank();
                    page.table(&table(comparison, contrast));
                }
            }
            None => compared(&mut page, comparison, contrast),
        }
    }
    page.finish()
}

fn side_words(side: &Side) -> String {
    let worst = side
        .runs
        .iter()
        .map(|run| run.state)
        .max()
        .unwrap_or(State::Invalid);
    let runs = match &side.runs[..] {
        [run] => run.run_id.clone(),
        runs => plural(runs.len() as u64, "run"),
    };
    format!("{}: {runs}, {}", side.name, worst.word())
}

fn refused(page: &mut Page, refusal: &str) {
    page.styled_entry(Verdict::NotComparable.words(), Style::Bad, refusal);
    page.entry(
        "try",
        "--factor NAME for what is under test and may differ, or --force to compare all the same",
    );
}

pub(super) const fn style(verdict: Verdict) -> Style {
    match verdict {
        Verdict::Faster | Verdict::Equivalent => Style::Good,
        Verdict::Slower | Verdict::NotComparable => Style::Bad,
        Verdict::NoEvidence | Verdict::Inconclusive | Verdict::CannotTell => Style::Warning,
    }
}

pub(super) const fn gate_style(gate: &GateReport) -> Style {
    match gate.outcome {
        GateOutcome::Pass => Style::Good,
        GateOutcome::Regression => Style::Bad,
        GateOutcome::Undecided(_) => Style::Warning,
    }
}

fn compared(page: &mut Page, comparison: &Comparison, contrast: &Contrast) {
    for row in contrast.rows.iter().filter(|row| row.declared) {
        let words = format!("{} {}: {}", place(row), number(row), row.sentence);
        page.styled_entry(row.verdict.words(), style(row.verdict), &words);
    }
    if contrast.rows.is_empty() {
        page.entry("", "The runs have no number in common.");
    }
    if contrast.state > State::Valid {
        let state = Style::of_state(contrast.state);
        page.styled_entry(contrast.state.word(), state, &why(contrast));
    }
    page.blank();
    page.table(&table(comparison, contrast));
    if contrast.rows.iter().any(|row| !row.declared) {
        page.footnote(
            "· exploratory: not asked for, and not corrected for the number of questions",
        );
    }
    if comparison.questions > 1 {
        let questions = plural(comparison.questions as u64, "question");
        page.footnote(&format!("p corrected for {questions} (Holm)"));
    }
    if !contrast.mixed.is_empty() {
        page.blank();
    }
    for mixed in &contrast.mixed {
        decomposition(page, mixed);
    }
    page.blank();
    for remark in &contrast.remarks {
        page.entry("note", remark);
    }
    for factor in &contrast.factors {
        page.entry("differs", &factor_words(factor, &contrast.label));
    }
    for place in &contrast.unmatched {
        page.entry("unmatched", place);
    }
}

/// Why a comparison is not better than its state.
fn why(contrast: &Contrast) -> String {
    use fathom_verdict::compare::Design;
    if contrast.forced {
        "forced: more differs than the result".to_owned()
    } else if contrast.state == State::Qualified {
        "both sides have the same qualifiers".to_owned()
    } else if contrast.design == Design::OneEach {
        "one run each".to_owned()
    } else {
        "a run is doubtful".to_owned()
    }
}

fn table(comparison: &Comparison, contrast: &Contrast) -> Table {
    let mut table = Table::default();
    let label = &contrast.label;
    let confidence = percent((1.0 - comparison.limits.alpha) * 100.0);
    table.column("", Align::Left);
    table.column("number", Align::Left);
    table.column("A", Align::Right);
    table.column(label.clone(), Align::Right);
    table.column(format!("{label}/A"), Align::Right);
    table.column(format!("{confidence} interval"), Align::Right);
    table.spare_column("p", Align::Right, 1);
    table.column("verdict", Align::Left);
    let mut last = String::new();
    for row in &contrast.rows {
        let place = place(row);
        let shown = if place == last {
            String::new()
        } else {
            place.clone()
        };
        last = place;
        table.row(cells(row, shown));
    }
    table
}

fn cells(row: &Row, place: String) -> Vec<String> {
    let (change, interval) = changes(row);
    let verdict = if row.declared {
        row.verdict.words().to_owned()
    } else {
        format!("· {}", row.verdict.words().to_lowercase())
    };
    vec![
        place,
        number(row),
        row.metric.figure(row.base),
        row.metric.figure(row.other),
        change,
        interval,
        row.p_adjusted.map_or_else(String::new, probability),
        verdict,
    ]
}

/// Which half of a mixed load made the change.
fn decomposition(page: &mut Page, mixed: &Mixed) {
    let [read_a, read_b] = mixed.read_ns.map(time);
    let [write_a, write_b] = mixed.write_ns.map(time);
    let words = format!(
        "{}/{}: {} reads. Reads {read_a} → {read_b} alone would give {}, writes {write_a} → \
         {write_b} alone {}; measured {}. With writes that take no time and reads as before it \
         would be {}.",
        mixed.phase,
        mixed.job,
        percent(mixed.read_share * 100.0),
        change(mixed.by_reads),
        change(mixed.by_writes),
        change(mixed.measured),
        change(mixed.most_by_writes),
    );
    page.entry("mix", &words);
}

pub(super) fn factor_words(factor: &Factor, label: &str) -> String {
    let role = match factor.role {
        FactorRole::Expected => " (under test)",
        FactorRole::Blocks => " (forced)",
        FactorRole::Noted => "",
    };
    let place = if factor.place.is_empty() {
        String::new()
    } else {
        format!(" of {}", factor.place)
    };
    let value = |value: &str| match value {
        "" => "unknown".to_owned(),
        value => value.to_owned(),
    };
    let (base, other) = (value(&factor.base), value(&factor.other));
    format!(
        "{}{place}{role}: {base} in A, {other} in {label}",
        factor.name
    )
}
