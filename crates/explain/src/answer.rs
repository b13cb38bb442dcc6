//! The answer to a paste: one sentence, findings by their effect on the number, and how good it is.

use crate::against::{Contrast, contrast};
use crate::evidence::{Direction, Evidence};
use crate::good::{self, Held};
use crate::reading::Reading;
use crate::rules::{RULES, Rule};
use fathom_core::figure;
use fathom_verdict::Application;

/// How certain a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// Numbers in the output show it.
    Shown,
    /// It explains what the output shows, and so may something else.
    Suspected,
    /// The output lacks what would decide it.
    CannotTell,
}

impl Certainty {
    /// One word, or two.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Shown => "shown",
            Self::Suspected => "suspected",
            Self::CannotTell => "cannot tell",
        }
    }
}

/// What a finding does to the number, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// The number is of something else than the storage.
    Elsewhere,
    /// The number is not of the load that was asked for.
    OtherLoad,
    /// The number is right, and something limits it.
    Limit,
    /// How to read it: nothing is wrong.
    Reading,
}

impl Effect {
    /// Whether it is a fault of the measurement.
    pub const fn is_fault(self) -> bool {
        matches!(self, Self::Elsewhere | Self::OtherLoad)
    }

    /// A stable word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Elsewhere => "elsewhere",
            Self::OtherLoad => "other-load",
            Self::Limit => "limit",
            Self::Reading => "reading",
        }
    }
}

/// What a rule says about one result.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Its stable code.
    pub code: &'static str,
    /// How certain it is.
    pub certainty: Certainty,
    /// What it does to the number.
    pub effect: Effect,
    /// The answer in words a manager can repeat.
    pub headline: String,
    /// The numbers, and the lines that show them.
    pub sentence: String,
    /// What to do.
    pub remedy: String,
    /// The command that decides it, for the tool that was used; empty if there is none.
    pub decide: String,
    /// The same for Fathom.
    pub fathom: String,
    /// Lines of the paste that show it.
    pub lines: Vec<usize>,
    /// Results of the paste that it applies to, from 0.
    pub results: Vec<usize>,
}

/// The answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The answer in one sentence.
    pub headline: String,
    /// What is wrong or limits the number, the worst first.
    pub findings: Vec<Finding>,
    /// How to read the numbers.
    pub notes: Vec<Finding>,
    /// What was measured: a sentence for each result.
    pub measured: Vec<String>,
    /// How good it is: sentences, and the results that they are of.
    pub good: Vec<(usize, String)>,
    /// What an application requires, and whether it is met.
    pub held: Vec<(usize, Held)>,
}

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

/// Reads a paste and explains it.
pub fn explain(bytes: &[u8], source: &str, purpose: Option<&Application>) -> Explanation {
    let reading = crate::read(bytes);
    let mut answer = answer(&reading.evidence);
    if reading.evidence.is_empty() && !reading.planned.is_empty() {
        answer = self::answer(&reading.planned);
        answer.measured.clear();
        answer.good.clear();
    }
    if let Some(application) = purpose {
        hold(&mut answer, &reading.evidence, application);
    }
    if reading.evidence.is_empty() {
        if let Some((name, advice)) = reading.language {
            answer.headline = format!("This is {name}, not a result: {advice}.");
        } else if !reading.planned.is_empty() && answer.findings.is_empty() {
            "This is a load without a result: run it, and paste what comes out."
                .clone_into(&mut answer.headline);
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
pub fn explain_against(bytes: &[u8], other: &[u8], sources: [&str; 2]) -> Explanation {
    let mut explanation = explain(bytes, sources[0], None);
    let against = crate::read(other);
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

/// The answer to results.
pub fn answer(evidence: &[Evidence]) -> Answer {
    let mut all: Vec<Finding> = Vec::new();
    for (index, one) in evidence.iter().enumerate() {
        let of_one = RULES
            .iter()
            .filter_map(|rule| Some((rule, (rule.look)(one)?)));
        for (rule, said) in of_one {
            let finding = finding(rule, said, one, index);
            let same = all.iter_mut().find(|known| {
                known.code == finding.code
                    && known.certainty == finding.certainty
                    && known.effect == finding.effect
            });
            match same {
                Some(known) => {
                    known.results.push(index);
                    known.lines.extend(finding.lines);
                }
                None => all.push(finding),
            }
        }
    }
    all.sort_by_key(|finding| (finding.effect, finding.certainty));
    let measured: Vec<String> = evidence.iter().map(measured).collect();
    let (notes, findings): (Vec<Finding>, Vec<Finding>) = all
        .into_iter()
        .partition(|finding| finding.effect == Effect::Reading);
    // What is no number of the storage is neither good nor bad.
    let is_sound = |index: usize| {
        !findings
            .iter()
            .any(|finding| finding.effect.is_fault() && finding.results.contains(&index))
    };
    let good = evidence
        .iter()
        .enumerate()
        .filter(|(index, _)| is_sound(*index));
    let good = good
        .filter_map(|(index, one)| Some((index, good::class(one)?)))
        .collect();
    Answer {
        good,
        held: Vec::new(),
        headline: headline(&findings, evidence, &measured),
        findings,
        notes,
        measured,
    }
}

/// Holds results against what an application requires, which becomes the answer.
fn hold(answer: &mut Answer, evidence: &[Evidence], application: &Application) {
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

/// What a rule said, with what is known of the rule and of the tool.
fn finding(rule: &Rule, said: crate::rules::Said, evidence: &Evidence, index: usize) -> Finding {
    let lines = said
        .things
        .iter()
        .map(|thing| evidence.line(thing))
        .collect();
    Finding {
        code: rule.code,
        certainty: said.certainty,
        effect: said.effect,
        headline: said.headline,
        sentence: said.sentence,
        remedy: said.remedy,
        decide: said.decide,
        fathom: said.fathom,
        lines,
        results: vec![index],
    }
}

fn headline(findings: &[Finding], evidence: &[Evidence], measured: &[String]) -> String {
    let all = evidence.len();
    let certain = findings
        .iter()
        .find(|finding| finding.certainty == Certainty::Shown);
    let likely = findings
        .iter()
        .find(|finding| finding.certainty == Certainty::Suspected);
    let worst = match (certain, likely) {
        // A suspicion that the number is of something else matters more than a known limit.
        (Some(certain), Some(likely)) if likely.effect < certain.effect => Some(likely),
        (certain, likely) => certain.or(likely),
    };
    if let Some(finding) = worst {
        let share = if all > 1 && finding.results.len() < all {
            format!(" ({} of {} results)", finding.results.len(), all)
        } else {
            String::new()
        };
        return finding.headline.clone() + &share;
    }
    if let Some(open) = findings.first() {
        return open.headline.clone();
    }
    match measured {
        [] => "Nothing in this text is a result that fathom reads.".to_owned(),
        [one] => format!(
            "Nothing is wrong with this result: {}.",
            one.trim_end_matches('.')
        ),
        many => format!("Nothing is wrong with these {} results.", many.len()),
    }
}

/// What a result is of, in one sentence without its full stop.
pub fn measured(evidence: &Evidence) -> String {
    let load = &evidence.load;
    let mut parts = Vec::new();
    for side in &evidence.sides {
        let mut text = String::new();
        let rate = evidence
            .rate_of(side)
            .map(|rate| format!("{} MB/s", figure::megabytes(rate)));
        match (evidence.iops_of(side), rate) {
            (Some(iops), Some(rate)) => {
                text += &format!(
                    "{} {} a second ({rate})",
                    figure::iops(iops),
                    side.direction.noun()
                );
            }
            (Some(iops), None) => {
                text += &format!("{} {} a second", figure::iops(iops), side.direction.noun());
            }
            (None, Some(rate)) => text += &format!("{} of {rate}", side.direction.noun()),
            (None, None) => {}
        }
        if let Some(mean) = side.latency.as_ref().and_then(|latency| latency.mean) {
            text += &format!(", mean latency {}", figure::time(mean));
        }
        if !text.is_empty() {
            parts.push(text);
        }
    }
    if let Some(mean) = evidence.flush.as_ref().and_then(|flush| flush.mean) {
        parts.push(format!("flushes of {}", figure::time(mean)));
    }
    let mut text = parts.join("; ");
    let mut with = Vec::new();
    if let Some(block) = load.block {
        let order = match load.random {
            Some(true) => "random ",
            Some(false) => "sequential ",
            None => "",
        };
        with.push(format!("{order}{}", figure::size(block as u64)));
    }
    if let Some(depth) = evidence.total_depth() {
        with.push(format!("depth {}", whole(depth)));
    }
    match load.direct {
        Some(true) => with.push("direct I/O".to_owned()),
        Some(false) => with.push("through the page cache".to_owned()),
        None => {}
    }
    if !with.is_empty() {
        if !text.is_empty() {
            text += ": ";
        }
        text += &with.join(", ");
    }
    if evidence
        .sides
        .iter()
        .all(|side| side.direction == Direction::Both)
        && !evidence.sides.is_empty()
    {
        text += ", reads and writes not separated";
    }
    text
}

/// A number that is usually whole.
pub(crate) fn whole(number: f64) -> String {
    if number.fract() == 0.0 {
        figure::count(number as u64)
    } else {
        figure::outstanding(number)
    }
}
