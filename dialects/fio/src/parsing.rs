//! What `--parse-only` answers where no job is given, and with `--debug=parse`.

use super::command_line::CommandLine;
use super::lexer::{self, Entry};
use super::options::find;
use super::reading::apply;
use super::settings::{Criterion, Limit, Settings};
use super::source::{Findings, Source};
use fathom_core::spec::SteadyMetric;
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::dialects::Surroundings;
use std::fmt::Write as _;

/// Reads the options of a command line that gives no job.
///
/// # Errors
///
/// All that is wrong with them.
pub(super) fn read_defaults(line: &CommandLine) -> Result<(), Vec<Diagnostic>> {
    let mut findings = Findings::default();
    apply(
        &mut Settings::of_fio(),
        line.defaults.clone(),
        &mut findings,
    );
    if findings.is_clean() {
        Ok(())
    } else {
        Err(findings.into_errors())
    }
}

/// Each option of an input that was read without errors, and what the steady state is held to, in
/// fio's words without the number of its process.
pub(super) fn told(
    line: &CommandLine,
    files: &[(String, String)],
    surroundings: &dyn Surroundings,
) -> String {
    let mut text = "fio: set debug option parse\n".to_owned();
    let mut findings = Findings::default();
    let mut sections = line.jobs.clone();
    for (file, content) in files {
        let source = Source::new(file, content);
        sections.extend(lexer::sections(&source, surroundings, &mut findings));
    }
    let of_sections = sections.iter().flat_map(|section| &section.entries);
    for entry in line.defaults.iter().chain(of_sections) {
        option(&mut text, entry);
    }
    text
}

fn option(text: &mut String, entry: &Entry) {
    let found = find(&entry.key).and_then(|option| option.names().next());
    let name = found.unwrap_or(&entry.key);
    let value = entry.value.as_deref().unwrap_or("(null)");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "parse    handle_option={name}, ptr={value}");
    let mut settings = Settings::of_fio();
    let mut findings = Findings::default();
    apply(&mut settings, vec![entry.clone()], &mut findings);
    if let Some(criterion) = settings.steady {
        let _ = writeln!(text, "parse    {}", threshold(&criterion));
    }
}

fn threshold(criterion: &Criterion) -> String {
    match (criterion.limit, criterion.metric) {
        (Limit::Percent(share), _) => format!("set steady state threshold to {share:.6}%"),
        (Limit::Most(most), SteadyMetric::Iops) => {
            format!("set steady state IOPS threshold to {most:.6}")
        }
        (Limit::Most(most), _) => format!("set steady state BW threshold to {most:.0}"),
    }
}
