//! The generated part of `docs/checks.md`.

mod tests;

use crate::bound::BOUND;
use crate::group::{Group, Topic};
use crate::threshold::Threshold;
use std::fmt::Write as _;

/// The list of all codes, then a section for each.
fn page() -> String {
    let mut text = "| code | level | when |\n| --- | --- | --- |\n".to_owned();
    for topic in Group::ALL.into_iter().flat_map(Group::topics) {
        let (entry, anchor) = (topic.entry, anchor(&topic));
        let code = entry.code.name();
        let (level, when) = (entry.level(), entry.when());
        writeln!(text, "| [`{code}`](#{anchor}) | {level} | {when} |").expect("a text takes all");
    }
    for group in Group::ALL {
        text += &section(group);
    }
    text += &bound();
    text
}

/// The heading of a code; those of `fathom check` are distinguished from the others of the same
/// name.
fn heading(topic: &Topic) -> String {
    let check = if topic.is_before() {
        " in `fathom check`"
    } else {
        ""
    };
    format!("`{}`{check}", topic.entry.code.name())
}

/// Where browsers find that heading.
fn anchor(topic: &Topic) -> String {
    heading(topic).replace('`', "").replace(' ', "-")
}

fn section(group: Group) -> String {
    let mut text = format!("\n## {}\n\n{}\n", group.title(), group.about());
    for topic in group.topics() {
        write!(text, "\n### {}\n\n", heading(&topic)).expect("a text takes all");
        let entry = topic.entry;
        let mut lines = Vec::new();
        if let Some(check) = topic.check {
            lines.push(format!("Asks: {}.", check.purpose));
        }
        lines.push(format!("Level: {}.", entry.level()));
        lines.push(format!("When: {}.", entry.when()));
        lines.extend(entry.thresholds.iter().map(threshold));
        if let Some(evidence) = topic.evidence() {
            lines.push(format!("Evidence: {evidence}."));
        }
        if let Some(example) = entry.example() {
            lines.push(format!("Says: “{}”", example.message));
            let remedy = match example.remedy.as_str() {
                "" => "none needed; it is information",
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
        "\n## Why it stopped there\n\nThe answer of `--find-limit` and `--cap`, which has no code \
         ([numbers.md](numbers.md) defines its terms). Its thresholds:\n\n"
            .to_owned();
    text += "| threshold | meaning | source |\n| ---: | --- | --- |\n";
    for one in BOUND {
        let (value, what) = (one.printed(), one.what.trim());
        writeln!(text, "| {value} | {what} | {} |", one.origin()).expect("a text takes all");
    }
    text
}
