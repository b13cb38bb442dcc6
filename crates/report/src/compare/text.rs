//! For people: the verdicts first, then the numbers, then what to know about them.

use super::{change, changes, joined, number, place, probability, ratio_note, tables};
use crate::page::Page;
use crate::paint::Style;
use crate::table::{Align, Table};
use crate::text_options::TextOptions;
use fathom_core::State;
use fathom_core::figure::{percent, plural, time};
use fathom_verdict::compare::{
    Comparison, Contrast, Factor, FactorRole, GateOutcome, GateReport, Mixed, NumberContrast,
    Verdict,
};

pub(super) fn render(comparison: &Comparison, options: TextOptions) -> String {
    let mut page = Page::new(options);
    if let Some(warning) = comparison.warning() {
        page.entry("warning", &warning);
    }
    for side in &comparison.sides {
        page.entry(&side.label, &tables::side(side));
    }
    if let Some(gate) = &comparison.gate {
        page.styled_entry("gate", gate_style(gate), &gate.words());
    }
    page.blank();
    if let [contrast] = &comparison.contrasts[..] {
        answered(&mut page, contrast, "");
        numbers(&mut page, comparison, &table(comparison, contrast));
        if let Some(note) = ratio_note(contrast) {
            page.footnote(&note);
        }
    } else {
        for contrast in &comparison.contrasts {
            answered(&mut page, contrast, &format!("{}: ", contrast.label));
        }
        numbers(&mut page, comparison, &joined::table(comparison));
    }
    know(&mut page, comparison);
    page.finish()
}

/// The verdicts of a side, or why there are none.
fn answered(page: &mut Page, contrast: &Contrast, side: &str) {
    if let Some(refusal) = &contrast.refusal {
        return refused(page, &format!("{side}{refusal}"));
    }
    for row in contrast.rows.iter().filter(|row| row.declared) {
        let words = format!("{side}{} {}: {}", place(row), number(row), row.sentence);
        page.styled_entry(row.verdict.words(), style(row.verdict), &words);
    }
    if contrast.rows.is_empty() {
        page.entry("", &format!("{side}The runs have no common metric."));
    }
    if contrast.state > State::Valid {
        let state = Style::of_state(contrast.state);
        let words = format!("{side}{}", why(contrast));
        page.styled_entry(contrast.state.word(), state, &words);
    }
}

/// The table, and how far its p are corrected.
fn numbers(page: &mut Page, comparison: &Comparison, table: &Table) {
    if table.rows().is_empty() {
        return;
    }
    page.blank();
    page.table(table);
    let judged = comparison.contrasts.iter();
    let judged = judged.filter(|contrast| contrast.refusal.is_none());
    let mut rows = judged.flat_map(|contrast| &contrast.rows);
    if rows.any(|row| !row.declared) {
        page.footnote(
            "· exploratory: not the decision metric, and not corrected for the number of tests",
        );
    }
    if comparison.questions > 1 {
        let questions = plural(comparison.questions as u64, "question");
        page.footnote(&format!("p corrected for {questions} (Holm)"));
    }
}

/// What to know about the sides that are compared.
fn know(page: &mut Page, comparison: &Comparison) {
    let several = comparison.contrasts.len() > 1;
    let contrasts = comparison.contrasts.iter();
    let compared: Vec<&Contrast> = contrasts.filter(|one| one.refusal.is_none()).collect();
    let mixed = compared.iter().flat_map(|contrast| &contrast.mixed);
    for (index, mixed) in mixed.enumerate() {
        if index == 0 {
            page.blank();
        }
        decomposition(page, mixed);
    }
    if !compared.is_empty() {
        page.blank();
    }
    let said = |texts: fn(&Contrast) -> &[String]| {
        let labelled = compared.iter().flat_map(|contrast| {
            let texts = texts(contrast).iter();
            texts.map(|text| (contrast.label.clone(), text.clone()))
        });
        if several {
            joined::together(labelled)
        } else {
            labelled.map(|(_, text)| text).collect()
        }
    };
    for remark in said(|contrast| &contrast.remarks) {
        page.entry("note", &remark);
    }
    for contrast in &compared {
        for factor in &contrast.factors {
            page.entry("differs", &factor_words(factor, contrast));
        }
    }
    for place in said(|contrast| &contrast.unmatched) {
        page.entry("unmatched", &place);
    }
}

fn refused(page: &mut Page, refusal: &str) {
    page.styled_entry(Verdict::NotComparable.words(), Style::Bad, refusal);
    page.entry(
        "try",
        "--factor NAME for a setting under test that may differ, or --force to compare anyway",
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

/// Why a comparison is not better than its state.
fn why(contrast: &Contrast) -> String {
    use fathom_verdict::compare::Design;
    if contrast.forced {
        "forced: the setups differ".to_owned()
    } else if contrast.state == State::Qualified {
        "both sides have the same qualifiers".to_owned()
    } else if contrast.design == Design::OneEach {
        "one run each".to_owned()
    } else {
        "a run is SUSPECT or INVALID".to_owned()
    }
}

fn table(comparison: &Comparison, contrast: &Contrast) -> Table {
    let mut table = Table::default();
    let label = &contrast.label;
    let confidence = super::brief::confidence(comparison, contrast.rows.iter());
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

fn cells(row: &NumberContrast, place: String) -> Vec<String> {
    let (change, interval) = changes(row);
    vec![
        place,
        number(row),
        row.metric.figure(row.base),
        row.metric.figure(row.other),
        change,
        interval,
        row.p_adjusted.map_or_else(String::new, probability),
        joined::verdict(row),
    ]
}

/// Which half of a mixed load made the change.
fn decomposition(page: &mut Page, mixed: &Mixed) {
    let [read_a, read_b] = mixed.read_ns.map(time);
    let [write_a, write_b] = mixed.write_ns.map(time);
    let words = format!(
        "{}/{}: {} reads. Reads {read_a} → {read_b} alone would give {}, writes {write_a} → \
         {write_b} alone {}; measured {}. With writes that take no time and unchanged reads it \
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

pub(super) fn factor_words(factor: &Factor, contrast: &Contrast) -> String {
    let label = &contrast.label;
    let role = match factor.role {
        FactorRole::Expected => " (under test)",
        FactorRole::Blocks if contrast.forced => " (forced)",
        FactorRole::Blocks => " (prevents a comparison)",
        FactorRole::Noted => "",
    };
    let [base, other] = factor.values();
    format!(
        "{}{role}: {base} in A, {other} in {label}",
        factor.subject()
    )
}
