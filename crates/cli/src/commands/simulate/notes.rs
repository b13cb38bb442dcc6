//! What is to be said of a simulated result: what the catalogue warns of, what was assumed, and
//! what becomes of the load.

use super::super::volume_model::Model;
use fathom_core::result::{Bound, BoundKind, KnownFall, RunResult};
use fathom_core::spec::{Pacing, Workload};
use fathom_core::{Caveat, Level, Nanos, figure};
use fathom_verdict::Code;
use fathom_volume::VolumeModel as _;
use fathom_volume::catalog::RemarkKind;
use fathom_volume::forecast::{Hold, Story, demand, story};
use fathom_volume::layout::Built;
use fathom_volume::models::Waits;

/// Adds the note; true where the closed form describes the load.
pub(super) fn add(
    result: &mut RunResult,
    model: &Model,
    is_fluid: bool,
    left_out: &[String],
) -> bool {
    let built = &model.built;
    add_remarks(result, built);
    for text in left_out {
        result
            .caveats
            .push(Code::Assumed.caveat(Level::Note, text.clone()));
    }
    if is_fluid {
        let text = "the rates were computed in closed form. Single requests were not simulated, so \
                    there are no latencies";
        result.caveats.push(
            Code::ClosedForm
                .caveat(Level::Note, text)
                .remedy("for latencies, use a shorter time (--for) or --fidelity discrete"),
        );
    }
    note_page_cache(result);
    if model.is_layered || !model.roles.is_empty() || (built.sorts && !is_fluid) {
        // The closed form knows the volumes alone, of one role only, and no queue that is sorted.
        return false;
    }
    let workload = result.provenance.workload.clone();
    tell(result, built, &workload).is_some()
}

/// Says it of many hosts, of whose volumes together the closed form tells nothing.
pub(super) fn of_many(result: &mut RunResult, model: &Model) {
    add_remarks(result, &model.built);
    note_page_cache(result);
}

/// What the catalogue warns of, and what was assumed.
fn add_remarks(result: &mut RunResult, built: &Built) {
    for remark in &built.remarks {
        let (code, level) = match remark.kind {
            RemarkKind::Warning => (Code::Catalogue, Level::Qualified),
            RemarkKind::Assumed => (Code::Assumed, Level::Note),
            RemarkKind::Note => (Code::Catalogue, Level::Note),
        };
        let remedy = match remark.kind {
            RemarkKind::Warning => "use another date (--as-of), or your own values (--catalog)",
            RemarkKind::Assumed | RemarkKind::Note => "",
        };
        result
            .caveats
            .push(code.caveat(level, remark.text.clone()).remedy(remedy));
    }
}

fn note_page_cache(result: &mut RunResult) {
    let phases = &result.provenance.workload.phases;
    if phases.iter().any(is_buffered) {
        let text = "the page cache is not simulated: every request goes to the volume";
        result.caveats.push(Code::Assumed.caveat(Level::Note, text));
    }
}

fn is_buffered(phase: &fathom_core::spec::Phase) -> bool {
    phase.jobs.iter().any(|job| !job.durability.direct)
}

/// What becomes of the load in each phase, which begins with the credit that those before it have
/// left, if it went on. None where that is unknown.
fn tell(result: &mut RunResult, built: &Built, workload: &Workload) -> Option<()> {
    let mut system = built.system.clone();
    let mut at = Nanos::ZERO;
    let mut caveats = Vec::new();
    for one in &mut result.phases {
        let mut phases = workload.phases.iter();
        let Some(phase) = phases.find(|phase| phase.name == one.name) else {
            break;
        };
        // A load without an end: what it comes to does not depend on when it is stopped.
        let mut endless = phase.clone();
        endless.duration = endless.duration.or(Some(Nanos::from_secs(1)));
        let Ok(demand) = demand(&endless) else { break };
        let story = story(&system, &demand, at);
        let loaded = Nanos(one.warm_up_ns + one.measured_ns);
        one.bound = cause(story.held_at(loaded)).map(Box::new);
        if let Some(bound) = &mut one.bound {
            bound.falls = falls(&story, Nanos(one.warm_up_ns), loaded);
        }
        let span = loaded + Nanos(one.cool_down_ns);
        if span > Nanos::ZERO {
            system.serve(&demand.demand, at, span);
        }
        at = at + span;
        let only = if workload.phases.len() > 1 {
            phase.name.as_str()
        } else {
            ""
        };
        caveats.extend(in_sentences(story, loaded, only));
    }
    let is_told = !caveats.is_empty();
    result.caveats.extend(caveats);
    is_told.then_some(())
}

/// The course of a phase that ends after a span, if it went on.
fn in_sentences(story: Story, span: Nanos, only: &str) -> Vec<Caveat> {
    let later = story.steady_at > span;
    // Where nothing is served there is no course.
    let course = (!story.course.is_empty()).then_some(story.course);
    let sentences = course.into_iter().chain(story.sentences);
    let caveats = sentences.map(|sentence| {
        let message = if later {
            format!("by the closed form, if it goes on: {sentence}")
        } else {
            sentence
        };
        Code::Course.caveat(Level::Note, message).about(only)
    });
    caveats.collect()
}

/// The falls of a phase that ends after a span, at its measured times.
fn falls(story: &Story, warm_up: Nanos, span: Nanos) -> Vec<KnownFall> {
    let seen = story.falls.iter().filter(|fall| fall.at < span);
    let known = seen.map(|fall| KnownFall {
        at_s: fall.at.0 as f64 / 1e9 - warm_up.0 as f64 / 1e9,
        before_iops: fall.before_iops,
        after_iops: fall.after_iops,
        cause: fall.cause.clone(),
        is_credit: fall.is_credit,
    });
    known.collect()
}

/// A limit that holds this share of the requests back holds the load.
const MOST: f64 = 0.5;
/// Less than this share of the requests is not worth a word.
const FEW: f64 = 0.01;

/// Where the closed form has no answer (roles, layers, bursts): what limited single requests, if
/// there is only one phase.
pub(super) fn name_cause(result: &mut RunResult, waits: &Waits) {
    let [phase] = &mut result.phases[..] else {
        return;
    };
    let all = waits.free + waits.held.iter().map(|(_, count)| count).sum::<u64>();
    let share = |count: u64| count as f64 / all as f64;
    let jobs = &result.provenance.workload.phases;
    let mut jobs = jobs.iter().flat_map(|phase| &phase.jobs);
    let is_open = jobs.all(|job| !matches!(job.pacing, Pacing::Closed { .. }));
    // An open load that waits for nothing gets all that it asks for.
    if all == 0 || is_open && share(waits.free) > 1.0 - FEW {
        return;
    }
    let told = |count: u64| figure::percent(share(count) * 100.0);
    let worth = waits.held.iter().filter(|(_, count)| share(*count) >= FEW);
    let limits: Vec<String> = worth
        .map(|(name, count)| format!("{} waited for {name}", told(*count)))
        .collect();
    let first = waits
        .held
        .first()
        .filter(|(_, count)| share(*count) >= MOST);
    let (kind, name, words) = if let Some((name, _)) = first {
        (BoundKind::Cap, name.as_str(), format!("limited by {name}"))
    } else {
        let words = format!("{} of the requests waited for no limit", told(waits.free));
        (BoundKind::QueueDepth, "the outstanding requests", words)
    };
    let parts = [words].into_iter().chain(limits).collect::<Vec<_>>();
    let sentence = format!("{}, according to the model", parts.join("; "));
    phase.bound = Some(Box::new(known(kind, name, sentence)));
}

/// What held the load back: the model knows, where a measurement would have to guess. None for a
/// load that gets all that it asks for.
fn cause(hold: Option<&Hold>) -> Option<Bound> {
    let hold = hold?;
    let by = hold.by.as_ref()?;
    let kind = if hold.is_limit {
        BoundKind::Cap
    } else {
        BoundKind::QueueDepth
    };
    let sentence = format!("limited by {by}, according to the model");
    Some(known(kind, by, sentence))
}

/// What needs no proof.
fn known(kind: BoundKind, name: &str, sentence: String) -> Bound {
    Bound {
        kind,
        name: name.to_owned(),
        confirmed: true,
        sentence,
        evidence: Vec::new(),
        advice: String::new(),
        bucket: None,
        fall: None,
        falls: Vec::new(),
        culprits: Vec::new(),
        hidden_bucket_ios: 0.0,
    }
}
