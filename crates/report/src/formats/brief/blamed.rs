//! What the slowest requests of each phase waited for.

use super::lines::BriefLines;
use crate::blame::traced_sentence;
use crate::formats::text::phase_label;
use fathom_core::result::{PhaseResult, RunResult};

/// Phases that have a sentence each.
const MOST: usize = 2;
/// Lines of a sentence.
const LINES: usize = 3;

pub(super) fn write(lines: &mut BriefLines, result: &RunResult) {
    for sentence in blame_of_phases(result) {
        lines.hang("blame", &sentence, LINES);
    }
}

/// What the slowest requests of each phase waited for, or of the phase with the slowest ones;
/// nothing where they were not traced.
pub fn blame_of_phases(result: &RunResult) -> Vec<String> {
    let traced = result.phases.iter();
    let mut traced: Vec<_> = traced
        .filter_map(|phase| Some((phase, phase.blame.as_deref()?)))
        .collect();
    if traced.len() > MOST {
        let slowest = traced.into_iter().max_by_key(|(phase, _)| p99_ns(phase));
        traced = slowest.into_iter().collect();
    }
    let sentences = traced.into_iter().map(|(phase, found)| {
        let sentence = traced_sentence(found);
        if result.phases.len() > 1 {
            format!("{}: {sentence}", phase_label(result, phase))
        } else {
            sentence
        }
    });
    sentences.collect()
}

/// The largest p99 of its jobs and operations; 0 where none is known.
fn p99_ns(phase: &PhaseResult) -> u64 {
    let ops = phase.jobs.iter().flat_map(|job| job.ops.present());
    let times = ops.filter_map(|(_, op)| op.service_ns.percentile("99"));
    times.max().unwrap_or(0)
}
