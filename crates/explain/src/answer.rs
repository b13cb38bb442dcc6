//! The answer to a paste: one sentence, findings by their effect on the number, and how good it is.

use crate::evidence::{Direction, Evidence};
use crate::finding::{Certainty, Effect, Finding, whole};
use crate::good::{self, Held};
use crate::rules::{RULES, Rule};
use fathom_core::figure;

/// What is said about all results of a paste.
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

/// The answer to results.
pub fn answer(evidence: &[Evidence]) -> Answer {
    let mut all: Vec<Finding> = Vec::new();
    for (index, one) in evidence.iter().enumerate() {
        let of_one = RULES
            .iter()
            .filter_map(|rule| Some((rule, (rule.look)(evidence, index)?)));
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
            (None, None) => text += side.direction.noun(),
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
    } else if let Some(count) = evidence.flush.as_ref().and_then(|flush| flush.samples) {
        parts.push(format!("flushes: {}", figure::count(count as u64)));
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
