//! A measurement that is too short.

use super::Said;
use crate::decide::Change;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{self, count, duration};

/// Seconds below which start and end decide the number.
const SHORTEST_S: f64 = 0.5;

/// Seconds from which a rate is that of the storage beyond its first caches, by habit of the field.
const USUAL_S: f64 = 10.0;

/// Size of a request of which no run makes many.
const HUGE: f64 = 67_108_864.0;

/// Requests of a whole load that are too few for any number.
const FEW: f64 = 100.0;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    if !evidence.is_measured() {
        return default_time(evidence)
            .or_else(|| few(evidence))
            .or_else(|| huge(evidence));
    }
    let seconds = evidence.seconds()?;
    if seconds >= USUAL_S || evidence.tool == "hdparm" || evidence.sides.is_empty() {
        return None;
    }
    let requests: f64 = evidence.sides.iter().filter_map(|side| side.requests).sum();
    let words = duration((seconds * 1e9) as u64);
    let effect = if seconds < SHORTEST_S && evidence.tool != "dd" {
        Effect::OtherLoad
    } else {
        Effect::Reading
    };
    Some(
        Said::new(
            Certainty::Shown,
            effect,
            format!(
                "The run took only {words}: start and end decide the number as much as the storage."
            ),
        )
        .because(if requests > 0.0 {
            format!(
                "The run took {words} and made {} requests.",
                count(requests as u64)
            )
        } else {
            format!("The run took {words}.")
        })
        .remedy("Measure for a minute or more, and longer for flash that has a fast write cache.")
        .by(&["rate"])
        .decide(evidence, &[Change::Longer]),
    )
}

/// A load whose size ends it after a few requests.
fn few(evidence: &Evidence) -> Option<Said> {
    let ends_by_time = ["runtime", "time_based", "loops", "io_size", "io_limit"];
    if evidence.tool != "fio"
        || ends_by_time
            .iter()
            .any(|name| evidence.option(name).is_some())
    {
        return None;
    }
    let requests = evidence.load.size? / evidence.load.block?;
    (requests < FEW).then(|| {
        let requests = figure::plural(requests.max(1.0) as u64, "request");
        let headline = format!("This load is {requests} for each job: far too few for a number.");
        Said::new(Certainty::Shown, Effect::OtherLoad, headline)
            .because("The size of the file over the block size is the number of requests.")
            .remedy("Use blocks of at most 1 MiB, and time_based with a runtime of 60 s or more.")
            .by(&["command"])
            .decide(evidence, &[Change::Longer])
    })
}

/// A load of requests so large that they are few in any time.
fn huge(evidence: &Evidence) -> Option<Said> {
    let block = evidence.load.block.filter(|block| *block >= HUGE)?;
    let is_load = matches!(evidence.tool, "diskspd" | "fio");
    is_load.then(|| {
        let headline = format!(
            "Requests of {} are few in any time: they need not touch all of the file, and give no \
             distribution.",
            figure::size(block as u64)
        );
        Said::new(Certainty::Shown, Effect::OtherLoad, headline)
            .because(
                "A drive of 1 GB/s makes one of 1 GiB a second. At random offsets parts of the \
                 file are never written.",
            )
            .remedy("Use blocks of at most 1 MiB, and write the file in sequence to fill it.")
            .by(&["command"])
            .decide(evidence, &[Change::Longer])
    })
}

/// A DISKSPD command line without a duration.
fn default_time(evidence: &Evidence) -> Option<Said> {
    let is_default = evidence.tool == "diskspd" && evidence.option("d").is_none();
    is_default.then(|| {
        Said::new(
            Certainty::Shown,
            Effect::Reading,
            "DISKSPD will measure for 10 s only: caches decide the number.",
        )
        .because("The command has no -d, and the default is 10 s after 5 s of warm-up.")
        .remedy("Use -d60 or more, and longer where the file must be written in full.")
        .by(&["command"])
        .decide(evidence, &[Change::Longer])
    })
}
