//! Markdown for tickets and wikis: the verdict and the table at once, the rest folded away.

use super::text::{headline_entries, origin_entries, setup_entries, summary_table};
use crate::findings::{Finding, counted, findings};
use crate::first_line::first_line;
use crate::markdown::{code, escape, table};
use crate::page::Entry;
use fathom_core::result::RunResult;

pub(crate) fn render(result: &RunResult) -> String {
    let mut text = String::new();
    for (index, entry) in headline_entries(result).iter().enumerate() {
        if index == 0 {
            text += &format!("**{}**\n", escape(&first_line(result)));
        } else {
            text += &format!("<br>{}\n", escape(&entry.text));
        }
    }
    for requirement in &result.requirements {
        let (asked, found) = (code(&requirement.text), escape(&requirement.words()));
        text += &format!("\n* {asked} {found}\n");
    }
    text += &format!("\n{}\n", escape(&result.provenance.origin.words()));
    if let Some((summary, notes)) = summary_table(result) {
        text.push('\n');
        table(&summary, &mut text);
        for note in notes {
            text += &format!("\n<sub>{}</sub>\n", escape(&note));
        }
    }
    let findings = findings(&result.caveats);
    if !findings.is_empty() {
        let title = counted(&result.caveats);
        let lines: String = findings.iter().map(finding).collect();
        text += &folded(&title, &lines);
    }
    let mut entries = setup_entries(result);
    entries.extend(origin_entries(result));
    text + &folded("Set-up and origin", &self::entries(&entries))
}

fn finding(finding: &Finding<'_>) -> String {
    let mut text = String::new();
    for sentence in &finding.sentences {
        let place = match sentence.subjects.as_slice() {
            [] => String::new(),
            subjects => format!("{}: ", subjects.join(", ")),
        };
        text += &format!(
            "- {} {} {}{}",
            finding.word(),
            code(&finding.code.to_string()),
            escape(&place),
            escape(sentence.message)
        );
        if !sentence.remedy.is_empty() {
            text += &format!("; try: {}", escape(sentence.remedy));
        }
        text.push('\n');
    }
    text
}

fn entries(entries: &[Entry]) -> String {
    let mut text = String::from("| | |\n| --- | --- |\n");
    for entry in entries {
        text += &format!("| {} | {} |\n", escape(&entry.label), escape(&entry.text));
    }
    text
}

fn folded(title: &str, content: &str) -> String {
    format!("\n<details><summary>{title}</summary>\n\n{content}\n</details>\n")
}
