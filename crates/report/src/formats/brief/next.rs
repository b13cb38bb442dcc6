//! The last lines: what is left out, and the commands that show it.

use crate::findings::counted;
use crate::page::wrap;
use crate::text_options::{Stored, TextOptions};
use fathom_core::result::RunResult;

/// Stands between commands.
const GAP: &str = " · ";
const GAP_COLUMNS: usize = 3;

pub(super) fn lines(result: &RunResult, options: TextOptions, width: usize) -> Vec<String> {
    let mut parts = vec![left_out(result)];
    parts.extend(commands(result, options));
    parts.retain(|part| !part.is_empty());
    packed(&parts, width)
}

/// The parts in as few lines as hold them, none of them torn but one that is too long by itself.
fn packed(parts: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let whole = parts.join(GAP);
    if whole.chars().count() <= width {
        return vec![whole];
    }
    for (index, part) in parts.iter().enumerate() {
        // What was left out has a line of its own, where the commands do not fit on the same line.
        let begins = index < 2;
        match lines.last_mut() {
            Some(line)
                if !begins
                    && line.chars().count() + GAP_COLUMNS + part.chars().count() <= width =>
            {
                line.push_str(GAP);
                line.push_str(part);
            }
            _ => lines.extend(wrap(part, width)),
        }
    }
    lines
}

fn left_out(result: &RunResult) -> String {
    let mut parts = Vec::new();
    if !result.caveats.is_empty() {
        parts.push(format!("in all {}", counted(&result.caveats)));
    }
    if let Some(coverage) = &result.coverage {
        let blind = coverage.of.saturating_sub(coverage.ran);
        if blind > 0 {
            parts.push(format!("{blind} of {} checks could not run", coverage.of));
        }
    }
    parts.join(", ")
}

fn commands(result: &RunResult, options: TextOptions) -> Vec<String> {
    let name = match options.stored {
        Stored::Nowhere => return vec!["all details: --full".to_owned()],
        Stored::Latest => "@latest",
        Stored::ById => result.run_id.as_str(),
    };
    let mut commands = vec![
        format!("fathom show {name} --full"),
        format!("fathom report {name} -o run.html"),
    ];
    let is_quick = result.provenance.workload.name == "quick";
    if is_quick && result.micro_probes.is_empty() {
        let place = result.provenance.place();
        let is_word = |sign: char| sign.is_ascii_alphanumeric() || "/._-".contains(sign);
        // What a shell would take apart is left to who pastes it.
        let place = match place.as_str() {
            word if !word.is_empty() && word.chars().all(is_word) => word,
            _ => "TARGET",
        };
        let probe = "30 s of flushes, zeros and repeated data";
        commands.push(format!("{probe}: fathom quick {place} --probe"));
    }
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_not_torn() {
        let parts = ["3 notes", "fathom show x", "fathom report x"].map(str::to_owned);
        assert_eq!(
            packed(&parts, 50),
            ["3 notes · fathom show x · fathom report x"]
        );
        assert_eq!(
            packed(&parts, 40),
            ["3 notes", "fathom show x · fathom report x"]
        );
        assert_eq!(
            packed(&parts, 20),
            ["3 notes", "fathom show x", "fathom report x"]
        );
    }
}
