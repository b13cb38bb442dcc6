//! What the slowest requests of each phase waited for, or of the phase with the slowest ones.

use super::lines::Lines;
use crate::blame::traced_sentence;
use crate::formats::text::phase_label;
use fathom_core::result::{PhaseResult, RunResult};

/// Phases that have a sentence each.
const MOST: usize = 2;
/// Lines of a sentence.
const LINES: usize = 3;

pub(super) fn write(lines: &mut Lines, result: &RunResult) {
    let traced = result.phases.iter().filter(|phase| phase.blame.is_some());
    let mut traced: Vec<&PhaseResult> = traced.collect();
    if traced.len() > MOST {
        let slowest = traced.iter().copied().max_by_key(|phase| p99_ns(phase));
        traced = slowest.into_iter().collect();
    }
    for phase in traced {
        let Some(found) = &phase.blame else { continue };
        let sentence = traced_sentence(found);
        let sentence = if result.phases.len() > 1 {
            format!("{}: {sentence}", phase_label(result, phase))
        } else {
            sentence
        };
        lines.hang("blame", &sentence, LINES);
    }
}

/// The largest p99 of its jobs and operations; 0 where none is known.
fn p99_ns(phase: &PhaseResult) -> u64 {
    let ops = phase.jobs.iter().flat_map(|job| job.ops.present());
    let times = ops.filter_map(|(_, op)| op.service_ns.percentile("99"));
    times.max().unwrap_or(0)
}
