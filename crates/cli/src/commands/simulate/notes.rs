//! What is to be said of a simulated result: what the catalogue warns of, what was assumed, and
//! what becomes of the load.

use super::model::Model;
use fathom_core::result::{Bound, BoundKind, RunResult};
use fathom_core::spec::Workload;
use fathom_core::{Level, Nanos};
use fathom_verdict::Code;
use fathom_volume::catalog::RemarkKind;
use fathom_volume::forecast::{Story, demand, story};
use fathom_volume::layout::Built;

pub(super) fn add(result: &mut RunResult, model: &Model, is_fluid: bool, left_out: &[String]) {
    let built = &model.built;
    for remark in &built.remarks {
        let (code, level) = match remark.kind {
            RemarkKind::Warning => (Code::Catalogue, Level::Qualified),
            RemarkKind::Assumed => (Code::Assumed, Level::Note),
            RemarkKind::Note => (Code::Catalogue, Level::Note),
        };
        let remedy = match remark.kind {
            RemarkKind::Warning => "another day (--as-of), or figures of your own (--catalog)",
            RemarkKind::Assumed | RemarkKind::Note => "",
        };
        result
            .caveats
            .push(code.caveat(level, remark.text.clone()).remedy(remedy));
    }
    for text in left_out {
        result
            .caveats
            .push(Code::Assumed.caveat(Level::Note, text.clone()));
    }
    if is_fluid {
        let text = "rates in closed form: single requests are not followed, so there are no \
                    latencies";
        result
            .caveats
            .push(Code::ClosedForm.caveat(Level::Note, text).remedy(
                "a shorter time (--for), or --fidelity discrete, if latencies are what matters",
            ));
    }
    let workload = result.provenance.workload.clone();
    if workload.phases.iter().any(is_buffered) {
        let text = "the page cache is not simulated: every request goes to the volume";
        result.caveats.push(Code::Assumed.caveat(Level::Note, text));
    }
    if model.is_layered || !model.roles.is_empty() || (built.sorts && !is_fluid) {
        // The closed form knows the volumes alone, of one role only, and no queue that is sorted.
        return;
    }
    tell(result, built, &workload);
}

fn is_buffered(phase: &fathom_core::spec::Phase) -> bool {
    phase.jobs.iter().any(|job| !job.durability.direct)
}

/// The course of the first phase if it went on, in sentences; later phases begin with what is left.
fn tell(result: &mut RunResult, built: &Built, workload: &Workload) {
    let Some(phase) = workload.phases.first() else {
        return;
    };
    // A load without an end: what it comes to does not depend on when it is stopped.
    let mut endless = phase.clone();
    endless.duration = endless.duration.or(Some(Nanos::from_secs(1)));
    let Ok(demand) = demand(&endless) else {
        return;
    };
    let span = phase.warm_up + phase.duration.unwrap_or_default();
    let story = story(&built.system, &demand, Nanos::ZERO);
    let only = if workload.phases.len() > 1 {
        phase.name.as_str()
    } else {
        ""
    };
    let own = result
        .phases
        .iter_mut()
        .filter(|one| one.name == phase.name);
    for one in own {
        one.bound = cause(&story).map(Box::new);
    }
    let later = story.steady_at > span;
    for sentence in story.sentences {
        let message = if later {
            format!("by the closed form, if it goes on: {sentence}")
        } else {
            sentence
        };
        let caveat = Code::Course.caveat(Level::Note, message);
        result.caveats.push(caveat.about(only));
    }
}

/// What held the load back: the model knows, where a measurement would have to guess. None for a
/// load that gets all that it asks for.
fn cause(story: &Story) -> Option<Bound> {
    let by = story.held_by.as_ref()?;
    let kind = if story.is_limit {
        BoundKind::Cap
    } else {
        BoundKind::QueueDepth
    };
    Some(Bound {
        kind,
        name: by.clone(),
        confirmed: true,
        sentence: format!("held by {by}, as the model knows: {}", story.course),
        evidence: Vec::new(),
        advice: String::new(),
        bucket: None,
        fall: None,
        culprits: Vec::new(),
        hidden_bucket_ios: 0.0,
    })
}
