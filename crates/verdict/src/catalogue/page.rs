//! The generated part of `docs/checks.md`.

use super::{GROUPS, Group, Topic};
use crate::threshold::{BOUND, Threshold};
use crate::thresholds::THRESHOLDS;
use std::fmt::Write as _;

/// The list of all codes, then a section for each.
pub(super) fn page() -> String {
    let mut text = "| code | methodology | level | when |\n| --- | --- | --- | --- |\n".to_owned();
    for group in &GROUPS {
        for topic in group.topics() {
            let entry = topic.entry;
            let anchor = anchor(&topic);
            writeln!(
                text,
                "| [`{}`](#{anchor}) | {} | {} | {} |",
                entry.code, entry.point, entry.level, entry.when
            )
            .expect("a text takes all");
        }
    }
    for group in &GROUPS {
        text += &section(group);
    }
    text += &bound();
    text
}

/// The heading of a code; those of `fathom check` are told from the others of the same name.
fn heading(topic: &Topic) -> String {
    let check = if topic.before {
        " in `fathom check`"
    } else {
        ""
    };
    format!("`{}`{check}", topic.entry.code)
}

/// Where browsers find that heading.
fn anchor(topic: &Topic) -> String {
    heading(topic).replace('`', "").replace(' ', "-")
}

fn section(group: &Group) -> String {
    let mut text = format!("\n## {}\n\n{}\n", group.title, group.about);
    for topic in group.topics() {
        write!(text, "\n### {}\n\n", heading(&topic)).expect("a text takes all");
        let entry = topic.entry;
        let mut lines = Vec::new();
        if let Some(check) = topic.check {
            lines.push(format!("Asks: {}.", check.purpose));
        }
        let point = if entry.point.is_empty() {
            "ours, no number in the methodology"
        } else {
            entry.point
        };
        lines.push(format!("Number: {point}. Level: {}.", entry.level));
        lines.push(format!("When: {}.", entry.when));
        lines.extend(topic.thresholds.iter().map(|one| threshold(one)));
        if let Some(evidence) = topic.evidence() {
            lines.push(format!("Evidence: {evidence}."));
        }
        for example in &topic.examples {
            lines.push(format!("Says: “{}”", example.message));
            let remedy = match example.remedy.as_str() {
                "" => "none is needed; it says what is so",
                remedy => remedy,
            };
            lines.push(format!("Remedy: {remedy}."));
        }
        for line in lines {
            writeln!(text, "- {line}").expect("a text takes all");
        }
    }
    text
}

fn threshold(one: &Threshold) -> String {
    format!(
        "Threshold **{}**: {} ({}).",
        one.printed(),
        one.what.trim(),
        one.origin()
    )
}

/// The numbers that no code rests on but the explanation of where a load stopped.
fn bound() -> String {
    let mut text =
        "\n## Why it stopped there\n\nNo code, but the answer of `--explain` and `--cap` \
                    (methodology 3.6, 5.2, 5.5, 5.7; [numbers.md](numbers.md) defines its words). \
                    Its thresholds:\n\n"
            .to_owned();
    text += "| threshold | what it is | from |\n| ---: | --- | --- |\n";
    for one in THRESHOLDS.iter().filter(|one| one.codes.contains(&BOUND)) {
        let (value, what) = (one.printed(), one.what.trim());
        writeln!(text, "| {value} | {what} | {} |", one.origin()).expect("a text takes all");
    }
    text
}
