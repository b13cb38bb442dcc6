//! The answer to a paste: one sentence, findings by their effect on the number, and how good it is.

use crate::against::ratio;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect, Finding};
use crate::good::{self, Held};
use crate::measured::measured;
use crate::rules::{RULES, Rule, is_comparable, is_same};
use crate::utilisation::ROOM;
use fathom_core::SmallSort as _;
use fathom_core::figure::significant;
use std::collections::BTreeSet;

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
                let is_equal = known.effect == finding.effect || known.headline == finding.headline;
                known.code == finding.code && known.certainty == finding.certainty && is_equal
            });
            match same {
                Some(known) => {
                    known.effect = known.effect.min(finding.effect);
                    known.results.push(index);
                    known.lines.extend(finding.lines);
                }
                None => all.push(finding),
            }
        }
    }
    all.small_sort_by_key(|finding| (finding.effect, finding.certainty));
    for finding in &mut all {
        name_jobs(finding, evidence);
    }
    let measured: Vec<String> = evidence.iter().map(measured).collect();
    let (notes, mut findings): (Vec<Finding>, Vec<Finding>) = all
        .into_iter()
        .partition(|finding| finding.effect == Effect::Reading);
    put_question_first(&mut findings);
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
        headline: headline(&findings, &notes, evidence, &measured),
        findings,
        notes,
        measured,
    }
}

/// Jobs of a finding that are named.
const MOST_NAMED: usize = 3;

/// Names the jobs that a finding is of, where others of the same output have no part in it.
fn name_jobs(finding: &mut Finding, evidence: &[Evidence]) {
    if let Some(names) = jobs_of(finding, evidence) {
        finding.sentence = format!("In {names}: {}", finding.sentence);
    }
}

/// The jobs of fio that a finding is of, if it is not of all, and does not name them itself.
fn jobs_of(finding: &Finding, evidence: &[Evidence]) -> Option<String> {
    let own = finding
        .results
        .iter()
        .filter_map(|index| evidence.get(*index));
    let is_named = |one: &Evidence| one.tool == "fio" && !one.title.is_empty();
    let mut names: Vec<&str> = own.map(|one| one.title.as_str()).collect();
    names.dedup();
    // Few names first: a paste may have thousands of results.
    if names.len() > MOST_NAMED || !evidence.iter().all(is_named) {
        return None;
    }
    let own: BTreeSet<usize> = finding.results.iter().copied().collect();
    let others = (0..evidence.len()).filter(|index| !own.contains(index));
    let mut others = others
        .map(|index| evidence[index].title.as_str())
        .peekable();
    others.peek()?;
    let is_apart = others.all(|title| !names.contains(&title));
    is_apart.then(|| names.join(", "))
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

/// Who shows the same load twice asks why it differs.
const SAME_LOAD: &str = "same_load";

/// Puts the answer to that question first, unless a number is certainly of something else.
fn put_question_first(findings: &mut [Finding]) {
    let pair = findings.iter().position(|one| one.code == SAME_LOAD);
    let is_faulty = |results: &[usize]| {
        let mut all = findings.iter();
        all.any(|one| is_certain_fault(one, results))
    };
    if let Some(pair) = pair.filter(|pair| !is_faulty(&findings[*pair].results)) {
        findings[..=pair].rotate_right(1);
    }
}

/// Whether the number of one of these results is certainly of something else.
fn is_certain_fault(finding: &Finding, results: &[usize]) -> bool {
    let is_of_them = finding.results.iter().any(|one| results.contains(one));
    is_of_them && finding.effect.is_fault() && finding.certainty == Certainty::Shown
}

fn headline(
    findings: &[Finding],
    notes: &[Finding],
    evidence: &[Evidence],
    measured: &[String],
) -> String {
    let all = evidence.len();
    if let Some(pair) = findings.first().filter(|one| one.code == SAME_LOAD) {
        return pair.headline.clone();
    }
    let equal = notes.iter().find(|one| one.code == SAME_LOAD);
    let equal = equal.filter(|_| {
        let is_own = |one| is_comparable(&evidence[0], one);
        let everything: Vec<usize> = (0..all).collect();
        let mut faults = findings.iter();
        evidence[1..].iter().all(is_own) && !faults.any(|one| is_certain_fault(one, &everything))
    });
    if let Some(equal) = equal {
        let certain = findings
            .iter()
            .find(|one| one.certainty == Certainty::Shown);
        let limit = certain.or_else(|| findings.first());
        let limit = limit.map_or_else(String::new, |one| format!(" {}", one.headline));
        return equal.headline.clone() + &limit;
    }
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
        let share = match jobs_of(finding, evidence) {
            Some(names) if finding.headline.contains(&names) => String::new(),
            Some(names) => format!(" ({names})"),
            None if all > 1 && finding.results.len() < all => {
                format!(" ({} of {} results)", finding.results.len(), all)
            }
            None => String::new(),
        };
        return finding.headline.clone() + &share;
    }
    if let Some(open) = findings.first() {
        return open.headline.clone();
    }
    if evidence.is_empty() {
        return "Nothing in this text is a result that fathom reads.".to_owned();
    }
    if !evidence.iter().any(has_number) && evidence.iter().any(Evidence::is_measured) {
        return "No number in the output is above zero: nothing was measured.".to_owned();
    }
    if evidence.iter().all(Evidence::is_watched) {
        return watched(notes, evidence);
    }
    if let Some(unexplained) = unexplained(evidence) {
        return unexplained;
    }
    let reading = notes.iter().find(|note| READINGS.contains(&note.code));
    match (measured, reading) {
        (_, Some(reading)) if reading.results.len() == evidence.len() => {
            format!("Nothing is wrong. {}", reading.headline)
        }
        ([one], _) => format!(
            "Nothing is wrong with this result: {}.",
            one.trim_end_matches('.')
        ),
        (many, _) => format!("Nothing is wrong with these {} results.", many.len()),
    }
}

fn has_number(evidence: &Evidence) -> bool {
    let has_rate = evidence.iops().or(evidence.rate()).is_some();
    has_rate
        || evidence.mean_latency().is_some()
        || evidence.flush.is_some()
        || evidence.busiest().is_some()
}

/// Ways to read a number that answer the usual question about it.
const READINGS: [&str; 5] = ["joined", "raid", "one_at_a_time", "queueing", "seeks"];

/// A wait that a disk with room does not have.
const WAIT_NS: f64 = 20e6;

/// What watched devices show where no rule finds a limit.
fn watched(notes: &[Finding], evidence: &[Evidence]) -> String {
    let reading = notes.iter().find(|note| READINGS.contains(&note.code));
    let is_pool = |one: &Evidence| one.tool == "zpool";
    let of_pools = notes.first().filter(|_| evidence.iter().all(is_pool));
    if let Some(note) = reading.or(of_pools) {
        return note.headline.clone();
    }
    let busiest = evidence.iter().filter_map(|one| {
        let (name, util) = one.busiest()?;
        Some((name, util.max(one.others.most_busy)))
    });
    let busiest = busiest.max_by(|a, b| a.1.total_cmp(&b.1));
    let waits = evidence
        .iter()
        .flat_map(|one| [one.mean_latency(), one.others.longest_wait_ns]);
    let waits = waits.flatten();
    // The first report of iostat is of the time since boot.
    let is_present = evidence
        .iter()
        .all(|one| !one.facts.contains(&"iostat-first"));
    let is_quick = waits.reduce(f64::max).is_none_or(|wait| wait < WAIT_NS);
    match busiest.filter(|(_, util)| *util < ROOM && is_quick && is_present) {
        Some((name, util)) => format!(
            "No disk was busy all the time: {name}, the busiest, had a request {util:.0} % of it."
        ),
        None => "Nothing in these reports shows a limit.".to_owned(),
    }
}

/// Factor between results of the same load that is not called sound, and results compared.
const UNEQUAL: f64 = 1.3;
const MOST_COMPARED: usize = 32;

/// That the same load gave different rates for no reason that a rule knows.
fn unexplained(evidence: &[Evidence]) -> Option<String> {
    let near = &evidence[..evidence.len().min(MOST_COMPARED)];
    let pairs = near.iter().flat_map(|a| near.iter().map(move |b| (a, b)));
    let pairs = pairs.filter(|(a, b)| is_comparable(a, b) && is_same(a, b));
    let factors = pairs.filter_map(|(a, b)| Some(ratio(a, b)?.0));
    let most = factors.reduce(f64::max).filter(|most| *most >= UNEQUAL)?;
    Some(format!(
        "The same load was {} times slower once, and nothing in the text that fathom knows \
         explains it.",
        significant(most)
    ))
}
