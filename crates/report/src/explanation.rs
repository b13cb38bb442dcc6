//! Explanations to bytes: the formats in which an [`Explanation`] leaves Fathom.
//!
//! A paste is text of others: it goes through the same doors as all foreign text.

mod json;

use crate::format_of::FormatOf;
use crate::page::Entry;
use crate::sections::{Section, as_html, as_markdown, as_text, entry};
use fathom_core::figure;
use fathom_core::rows;
use fathom_explain::against::Contrast;
use fathom_explain::explanation::Explanation;
use fathom_explain::finding::Finding;

pub use json::ExplanationDocument;

/// How an explanation is written for people or programs.
pub type ExplanationFormat = FormatOf<Explanation>;

/// All formats, the one for people first.
pub static EXPLANATION_FORMATS: &[ExplanationFormat] = rows! { ExplanationFormat;
    new("brief", "for people: the answer and the finding behind it, on one screen",
        |explanation, options| as_text(&sections(explanation, false), options));
    new("text", "for people: all findings with their commands, and how to read the numbers",
        |explanation, options| as_text(&sections(explanation, true), options));
    new("json", "for programs: everything, with a version",
        |explanation, _| json::render(explanation));
    new("markdown", "for the ticket that the output was pasted into",
        |explanation, _| as_markdown(&sections(explanation, true)));
    new("html", "for a browser: one page without scripts",
        |explanation, _| as_html("Explanation", &sections(explanation, true)));
};

/// Findings and notes on one screen.
const BRIEF_FINDINGS: usize = 3;
const BRIEF_NOTES: usize = 2;
const BRIEF_RESULTS: usize = 4;

/// All that is said, in its order; the first entry is the answer.
fn sections(explanation: &Explanation, is_full: bool) -> Vec<Section> {
    if let Some(contrast) = &explanation.contrast {
        return contrasted(contrast, is_full);
    }
    let answer = &explanation.answer;
    let mut first = vec![entry("", &answer.headline)];
    let most = if is_full { usize::MAX } else { BRIEF_RESULTS };
    let many = answer.measured.len() > 1;
    for (index, measured) in answer.measured.iter().enumerate().take(most) {
        let title = &explanation.reading.evidence[index].title;
        let name = if many && !title.is_empty() {
            format!("{title}: ")
        } else {
            String::new()
        };
        first.push(entry("measured", name + measured));
    }
    for (index, good) in answer.good.iter().take(most) {
        let title = explanation
            .reading
            .evidence
            .get(*index)
            .map_or("", |one| one.title.as_str());
        let name = if many && !title.is_empty() {
            format!("{title}: ")
        } else {
            String::new()
        };
        first.push(entry("how good", name + good));
    }
    for (_, held) in answer.held.iter().take(most) {
        first.push(entry("required", &held.sentence));
    }
    let left = answer.measured.len().saturating_sub(most);
    if left > 0 {
        first.push(entry(
            "",
            format!("{} more with --full", figure::plural(left as u64, "result")),
        ));
    }
    let mut sections = vec![Section::new("", first)];
    for (index, finding) in answer.findings.iter().enumerate() {
        if is_full || index == 0 {
            sections.push(whole(finding));
        }
    }
    if !is_full && answer.findings.len() > 1 {
        let others = &answer.findings[1..];
        sections.push(list("Also", others, BRIEF_FINDINGS));
    }
    if is_full {
        sections.extend(answer.notes.iter().map(whole));
    } else if !answer.notes.is_empty() {
        sections.push(list("How to read it", &answer.notes, BRIEF_NOTES));
    }
    sections.push(Section::new("", recognised(explanation, most)));
    sections
}

/// Differences on one screen.
const BRIEF_DIFFERENCES: usize = 4;

/// Two loads side by side.
fn contrasted(contrast: &Contrast, is_full: bool) -> Vec<Section> {
    let mut first = vec![entry("", &contrast.headline)];
    for (label, measured) in ["first", "second"].iter().zip(&contrast.measured) {
        if !measured.is_empty() {
            first.push(entry(label, measured));
        }
    }
    let mut sections = vec![Section::new("", first)];
    let most = if is_full {
        usize::MAX
    } else {
        BRIEF_DIFFERENCES
    };
    let shown = contrast.differences.iter().take(most).map(|one| {
        let text = format!(
            "{} against {}: {} ({})",
            one.first,
            one.second,
            one.explains.word(),
            one.effect
        );
        entry(one.code, text)
    });
    let mut entries: Vec<Entry> = shown.collect();
    let left = contrast.differences.len().saturating_sub(most);
    if left > 0 {
        entries.push(entry("", format!("{left} more with --full")));
    }
    for (label, codes) in [("equal", &contrast.equal), ("not shown", &contrast.unknown)] {
        if !codes.is_empty() {
            entries.push(entry(label, codes.join(", ").replace('_', " ")));
        }
    }
    sections.push(Section::new("Differences, by their effect", entries));
    let mut entries = Vec::new();
    for pair in [&contrast.experiment, &contrast.fathom]
        .into_iter()
        .flatten()
    {
        entries.push(entry("decide", &pair[0]));
        entries.push(entry("against", &pair[1]));
    }
    if !entries.is_empty() {
        sections.push(Section::new("The experiment that decides", entries));
    }
    sections
}

/// A finding with all that is known of it.
fn whole(finding: &Finding) -> Section {
    let mut entries = vec![entry(finding.certainty.word(), &finding.headline)];
    if finding.sentence != finding.headline {
        entries.push(entry(
            "because",
            format!("{}{}", finding.sentence, lines(finding)),
        ));
    }
    for (label, text) in [("try", &finding.remedy), ("decide", &finding.decide)] {
        if !text.is_empty() {
            entries.push(entry(label, text));
        }
    }
    if !finding.fathom.is_empty() {
        let label = if finding.decide.is_empty() {
            "decide"
        } else {
            "or"
        };
        entries.push(entry(label, &finding.fathom));
    }
    Section::new(finding.code, entries)
}

/// Where it is shown.
fn lines(finding: &Finding) -> String {
    let mut lines: Vec<usize> = finding
        .lines
        .iter()
        .copied()
        .filter(|line| *line > 0)
        .collect();
    lines.sort_unstable();
    lines.dedup();
    match lines.as_slice() {
        [] => String::new(),
        [one] => format!(" (line {one})"),
        [first, .., last] if lines.len() > 4 => format!(" (lines {first} to {last})"),
        some => {
            let some: Vec<String> = some.iter().map(ToString::to_string).collect();
            format!(" (lines {})", some.join(", "))
        }
    }
}

fn list(heading: &str, findings: &[Finding], most: usize) -> Section {
    let shown = findings.iter().take(most);
    let mut entries: Vec<Entry> = shown
        .map(|finding| entry(finding.code, &finding.headline))
        .collect();
    let left = findings.len().saturating_sub(most);
    if left > 0 {
        entries.push(entry("", format!("{left} more with --full")));
    }
    Section::new(heading, entries)
}

/// What was recognised, and what was ignored.
fn recognised(explanation: &Explanation, most: usize) -> Vec<Entry> {
    let reading = &explanation.reading;
    let mut entries: Vec<Entry> = reading
        .recognised
        .iter()
        .take(most)
        .map(|(name, (first, last))| {
            let range = if first == last {
                format!("line {first}")
            } else {
                format!("lines {first} to {last}")
            };
            entry("recognised", format!("{name} ({range})"))
        })
        .collect();
    let left = reading.recognised.len().saturating_sub(most);
    if left > 0 {
        entries.push(entry("", format!("{left} more with --full")));
    }
    if reading.ignored > 0 {
        entries.push(entry(
            "ignored",
            figure::plural(reading.ignored as u64, "other line"),
        ));
    }
    entries
}
