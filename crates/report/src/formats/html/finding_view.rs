//! Findings on a page: the one that decides in the verdict, the next worst next to the first chart,
//! all others in folds by their code. Nothing is said twice.

use crate::findings::{Finding, Sentence, counted, worst_first};
use crate::formats::text;
use askama::Template;
use fathom_core::Level;
use fathom_core::result::RunResult;

/// Findings that are said before anything else, the one of the verdict with them.
const WORST: usize = 3;
/// Places that are named; more are counted.
const PLACES: usize = 3;

/// What is said of a result.
#[derive(Debug)]
pub(super) struct Findings {
    pub(super) reason: SentenceView,
    pub(super) worst: Vec<FindingView>,
    pub(super) worst_heading: &'static str,
    pub(super) folds: Vec<FindingView>,
    /// `2 warnings and 1 note`.
    pub(super) counted: String,
}

/// What was found under one code.
#[derive(Debug)]
pub(super) struct FindingView {
    pub(super) code: String,
    pub(super) word: &'static str,
    pub(super) count: u64,
    pub(super) sentences: Vec<SentenceView>,
}

/// A sentence, where it holds, and what to do.
#[derive(Debug, Template)]
#[template(path = "sentence.html")]
pub(super) struct SentenceView {
    pub(super) place: String,
    pub(super) message: String,
    pub(super) remedy: String,
}

pub(super) fn all(result: &RunResult) -> Findings {
    let findings = worst_first(&result.caveats);
    let is_doubt = |finding: &&Finding<'_>| finding.level != Level::Note;
    let worst: Vec<&Finding<'_>> = findings.iter().filter(is_doubt).take(WORST).collect();
    let reason = match worst
        .first()
        .and_then(|first| Some((first, first.sentences.first()?)))
    {
        Some((first, sentence)) => {
            let mut reason = SentenceView::of(sentence);
            reason.message += &format!(" [{}]", first.code);
            reason
        }
        None => SentenceView {
            place: String::new(),
            message: headline(result),
            remedy: String::new(),
        },
    };
    let shown = |finding: &Finding<'_>| {
        let same = |one: &&&Finding<'_>| std::ptr::eq(**one, finding);
        worst.iter().any(|one| same(&one))
    };
    let folds = findings.iter().map(|finding| {
        let said = usize::from(shown(finding));
        FindingView::of(
            finding,
            &finding.sentences[said.min(finding.sentences.len())..],
        )
    });
    let folds = folds.filter(|fold| !fold.sentences.is_empty()).collect();
    let next = worst.iter().skip(1);
    let next = next.map(|finding| {
        FindingView::of(
            finding,
            &finding.sentences[..1.min(finding.sentences.len())],
        )
    });
    Findings {
        reason,
        worst: next.collect(),
        worst_heading: "Other warnings",
        folds,
        counted: format!("All findings: {}", counted(&result.caveats)),
    }
}

/// What decided the state by the text format, without the name that stands above it.
fn headline(result: &RunResult) -> String {
    let provenance = &result.provenance;
    let (origin, name) = (provenance.origin.word(), &provenance.workload.name);
    let name = format!("{origin}: {name}: ");
    let entries = text::headline_entries(result);
    let first = entries
        .into_iter()
        .nth(1)
        .map(|entry| entry.text)
        .unwrap_or_default();
    first.strip_prefix(&name).unwrap_or(&first).to_owned()
}

impl FindingView {
    fn of(finding: &Finding<'_>, sentences: &[Sentence<'_>]) -> Self {
        let count = |one: &Sentence<'_>| one.subjects.len().max(1) as u64;
        Self {
            code: finding.code.to_string(),
            word: finding.word(),
            count: sentences.iter().map(count).sum(),
            sentences: sentences.iter().map(SentenceView::of).collect(),
        }
    }
}

impl SentenceView {
    fn of(sentence: &Sentence<'_>) -> Self {
        let named = sentence.subjects.iter().take(PLACES).copied();
        let mut place = named.collect::<Vec<_>>().join(", ");
        let more = sentence.subjects.len().saturating_sub(PLACES);
        if more > 0 {
            place += &format!(" and {more} more");
        }
        Self {
            place,
            message: sentence.message.to_owned(),
            remedy: sentence.remedy.to_owned(),
        }
    }
}
