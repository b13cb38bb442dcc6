//! The first lines: the state, and what decided it.

use crate::findings::{counted, says_elsewhere};
use crate::first_line::answer;
use crate::page::Page;
use crate::paint::Style;
use crate::text_options::TextOptions;
use fathom_core::SmallSort as _;
use fathom_core::result::RunResult;
use fathom_core::{Caveat, Level, State};

/// Reasons that are said in the headline.
const REASONS: usize = 2;

pub(crate) fn write(page: &mut Page, result: &RunResult) {
    let style = Style::of_state(result.state);
    page.styled_entry(result.state.word(), style, &answer(result));
    let provenance = &result.provenance;
    let mut parts = vec![format!(
        "{}: {}",
        provenance.origin.word(),
        provenance.workload.name
    )];
    parts.extend(without_reason(result).map(str::to_owned));
    if !result.caveats.is_empty() {
        parts.push(format!("{} below", counted(&result.caveats)));
    }
    page.entry("", &parts.join("; "));
    reasons(page, result, "", "");
}

/// The state of a result, what decided it and what to do about it, in a few lines, for a layout
/// that has no place for it.
pub fn verdict(result: &RunResult) -> String {
    let mut page = Page::new(TextOptions::default());
    let (word, name) = (result.state.word(), &result.provenance.workload.name);
    if let Some(words) = without_reason(result) {
        let style = Style::of_state(result.state);
        page.styled_entry(word, style, &format!("{name}: {words}"));
    }
    reasons(&mut page, result, word, &format!("{name}: "));
    for caveat in deciding(result).iter().take(REASONS) {
        if !caveat.remedy.is_empty() {
            page.entry("", &format!("try: {}", caveat.remedy));
        }
    }
    page.finish()
}

/// What is to be said of a state that no caveat decided.
fn without_reason(result: &RunResult) -> Option<&'static str> {
    match (result.state, deciding(result).is_empty()) {
        (State::Valid, _) => Some("all checks that could run have passed"),
        (_, true) => Some("this result has not been checked"),
        (_, false) => None,
    }
}

/// What decided the state, after a label and what comes before the first sentence.
fn reasons(page: &mut Page, result: &RunResult, word: &str, before: &str) {
    if without_reason(result).is_some() {
        return;
    }
    let style = Style::of_state(result.state);
    for (index, caveat) in deciding(result).iter().take(REASONS).enumerate() {
        if index == 0 {
            page.styled_entry(word, style, &format!("{before}{}", reason(caveat)));
        } else {
            page.entry("", &format!("and: {}", reason(caveat)));
        }
    }
}

/// The caveats of the worst level, one for each code; before them those by which the number is not
/// the storage's, whatever their level.
fn deciding(result: &RunResult) -> Vec<&Caveat> {
    let mut deciding: Vec<&Caveat> = Vec::new();
    for caveat in &result.caveats {
        let is_worst = caveat.level.state() == result.state || says_elsewhere(&caveat.code);
        let decides = caveat.level != Level::Note && is_worst;
        if decides && deciding.iter().all(|other| other.code != caveat.code) {
            deciding.push(caveat);
        }
    }
    deciding.small_sort_by_key(|caveat| !says_elsewhere(&caveat.code));
    deciding
}

fn reason(caveat: &Caveat) -> String {
    let place = if caveat.subject.is_empty() {
        String::new()
    } else {
        format!("{}: ", caveat.subject)
    };
    format!("{place}{} [{}]", caveat.message, caveat.code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_verdict::Code;

    /// Nothing matters beside a target whose bytes never reached a disk.
    #[test]
    fn what_says_that_it_was_not_the_storage_comes_first() {
        let mut result = fathom_core::fixture::random_read();
        result.state = State::Suspect;
        let caveat = |code: Code, level| Caveat::new(code, level, "seen");
        result.caveats = vec![
            caveat(Code::Thermal, Level::Suspect),
            caveat(Code::Trend, Level::Qualified),
            caveat(Code::MemoryTarget, Level::Qualified),
        ];
        let codes = deciding(&result).into_iter().map(|one| one.code.as_str());
        let expected = [Code::MemoryTarget, Code::Thermal].map(Code::name);
        assert_eq!(codes.collect::<Vec<_>>(), expected);
    }
}
