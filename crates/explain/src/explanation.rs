//! A paste with all that is known of it.

use crate::against::{Contrast, contrast};
use crate::answer::Answer;
use crate::evidence::Evidence;
use crate::finding::Certainty;
use crate::good;
use crate::reading::{Importer, Reading};
use fathom_verdict::Application;

/// All that is known of a paste.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explanation {
    /// What was read.
    pub reading: Reading,
    /// The answer to it.
    pub answer: Answer,
    /// Names of the sources, and the lines of each; lines of the paste count through all of them.
    pub sources: Vec<String>,
    /// How it differs from another paste.
    pub contrast: Option<Contrast>,
}

/// The format of an output of DISKSPD, of which a part without tables is no result.
const HEAD: &str = "diskspd-text";

/// Reads a paste and explains it, without results that need an importer.
pub fn explain(bytes: &[u8], source: &str, purpose: Option<&Application>) -> Explanation {
    explain_with(bytes, source, purpose, &|_| Vec::new())
}

/// Reads a paste and explains it.
pub fn explain_with(
    bytes: &[u8],
    source: &str,
    purpose: Option<&Application>,
    import: Importer<'_>,
) -> Explanation {
    let reading = crate::read(bytes, import);
    let mut answer = crate::answer::answer(&reading.evidence);
    if reading.evidence.is_empty() && !reading.planned.is_empty() {
        answer = crate::answer::answer(&reading.planned);
        answer.measured.clear();
        answer.good.clear();
    }
    if let Some(application) = purpose {
        hold(&mut answer, &reading.evidence, application);
    }
    if reading.evidence.is_empty() {
        if let Some((name, advice)) = reading.language {
            answer.headline = format!("This is {name}, not a result: {advice}.");
        } else if reading.planned.iter().any(|one| one.format == HEAD) {
            "The tables of this output of DISKSPD are missing (Total IO, Read IO, Write IO): paste \
             them too."
                .clone_into(&mut answer.headline);
        } else if !reading.planned.is_empty() && answer.findings.is_empty() {
            answer.headline = match answer.notes.first() {
                Some(note) => format!(
                    "This is a command or job file without its output. {}",
                    note.headline
                ),
                None => {
                    "This is a command without its output: run it, and paste the output.".into()
                }
            };
        }
    }
    Explanation {
        reading,
        answer,
        sources: vec![source.to_owned()],
        contrast: None,
    }
}

/// Explains why one paste differs from another: of each the first result, or the first load.
pub fn explain_against(
    bytes: &[u8],
    other: &[u8],
    sources: [&str; 2],
    imports: [Importer<'_>; 2],
) -> Explanation {
    let mut explanation = explain_with(bytes, sources[0], None, imports[0]);
    let against = crate::read(other, imports[1]);
    explanation.sources.push(sources[1].to_owned());
    let first = |reading: &Reading| {
        let all = reading.evidence.iter().chain(&reading.planned);
        all.clone().next().cloned()
    };
    match (first(&explanation.reading), first(&against)) {
        (Some(a), Some(b)) => {
            let contrast = contrast(&a, &b);
            explanation.answer.headline.clone_from(&contrast.headline);
            explanation.contrast = Some(contrast);
        }
        (None, _) => "Nothing in the first text is a result or a load that fathom reads."
            .clone_into(&mut explanation.answer.headline),
        (_, None) => "Nothing in the second text is a result or a load that fathom reads."
            .clone_into(&mut explanation.answer.headline),
    }
    explanation
}

/// Holds results against what an application requires, which becomes the answer.
fn hold(answer: &mut Answer, evidence: &[Evidence], application: &Application) {
    let designed = application.page_cache_advice();
    for finding in &mut answer.findings {
        if finding.remedy.contains("direct I/O")
            && let Some(advice) = &designed
        {
            finding.remedy = format!("{advice}.");
            finding.decide.clear();
            finding.fathom = format!("fathom run {}", application.profile);
        }
    }
    let fault = answer
        .findings
        .iter()
        .find(|finding| finding.effect.is_fault());
    if let Some(fault) = fault.filter(|fault| fault.certainty != Certainty::CannotTell) {
        answer.headline = format!("No verdict for {}: {}", application.title, fault.headline);
        return;
    }
    for (index, one) in evidence.iter().enumerate() {
        answer.held.extend(
            good::against(one, application)
                .into_iter()
                .map(|held| (index, held)),
        );
    }
    let verdicts = || answer.held.iter().filter_map(|(_, held)| held.is_met);
    answer.headline = if application.needs.is_empty() {
        format!(
            "There is no published requirement of {} to hold this against.",
            application.title
        )
    } else if verdicts().any(|is_met| !is_met) {
        format!("This does not meet what {} requires.", application.title)
    } else if verdicts().next().is_some() {
        format!(
            "This meets what {} requires, as far as the output shows it.",
            application.title
        )
    } else {
        format!(
            "The output cannot tell whether this meets what {} requires.",
            application.title
        )
    };
    if !application.note.is_empty() {
        answer.good.push((0, application.note.to_owned()));
    }
    let measure = format!("`fathom run {}` measures it.", application.profile);
    answer.good.push((0, measure));
}
