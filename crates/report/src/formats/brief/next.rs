//! The last lines: what is left out, and the commands that show it.

use super::doubts::Doubts;
use crate::figure::plural;
use crate::format::{Stored, TextOptions};
use fathom_core::result::RunResult;

pub(super) fn lines(
    result: &RunResult,
    doubts: &Doubts<'_>,
    options: TextOptions,
    width: usize,
) -> Vec<String> {
    let left_out = left_out(result, doubts);
    let commands = commands(result, options);
    let line = [left_out.as_str(), &commands];
    let line: Vec<&str> = line.into_iter().filter(|part| !part.is_empty()).collect();
    let one = line.join(" · ");
    if one.chars().count() <= width {
        return vec![one];
    }
    line.into_iter().map(str::to_owned).collect()
}

fn left_out(result: &RunResult, doubts: &Doubts<'_>) -> String {
    let mut parts = Vec::new();
    if doubts.unnumbered() > 0 {
        parts.push(plural(doubts.unnumbered() as u64, "more doubt"));
    }
    if doubts.notes() > 0 {
        parts.push(plural(doubts.notes() as u64, "note"));
    }
    if let Some(coverage) = &result.coverage {
        let blind = coverage.of.saturating_sub(coverage.ran);
        if blind > 0 {
            parts.push(format!("{blind} of {} checks could not run", coverage.of));
        }
    }
    parts.join(", ")
}

fn commands(result: &RunResult, options: TextOptions) -> String {
    let name = match options.stored {
        Stored::Nowhere => return "all of it: --full".to_owned(),
        Stored::Latest => "@latest",
        Stored::ById => result.run_id.as_str(),
    };
    let mut commands = format!("fathom show {name} · fathom report {name} -o run.html");
    let is_quick = result.provenance.workload.name == "quick";
    if is_quick && result.micro_probes.is_empty() {
        commands += " · fathom quick --probe";
    }
    commands
}
