//! A phase at one point of the axis.

use fathom_core::Rate;
use fathom_core::result::RampAxis;
use fathom_core::spec::{Arrivals, Pacing, Phase};

/// Fewest requests that an open load may keep outstanding: with fewer, the limit of the generator
/// would be taken for that of the storage.
const OPEN_DEPTH: u32 = 64;

/// The template with `value` on the axis, under a name of its own.
pub(super) fn at(template: &Phase, axis: RampAxis, value: f64, name: String) -> Phase {
    let mut phase = template.clone();
    phase.name = name;
    let jobs = phase.jobs.len() as f64;
    for job in &mut phase.jobs {
        match axis {
            RampAxis::QueueDepth => job.queue_depth = value as u32,
            RampAxis::Threads => job.threads = value as u32,
            RampAxis::BlockSize => {
                for kind in &mut job.kinds {
                    kind.block_size.0 = value as u64;
                    kind.align.0 = value as u64;
                }
            }
            RampAxis::Rate => {
                job.queue_depth = job.queue_depth.max(OPEN_DEPTH);
                job.set_pacing(Pacing::Open {
                    rate: Rate::Iops(value / jobs),
                    arrivals: Arrivals::Poisson,
                });
            }
        }
    }
    phase
}

/// The template as a closed load that asks for as much as it can.
pub(super) fn closed(template: &Phase, name: String) -> Phase {
    let mut phase = template.clone();
    phase.name = name;
    for job in &mut phase.jobs {
        job.queue_depth = job.queue_depth.max(OPEN_DEPTH);
        job.set_pacing(Pacing::CLOSED);
    }
    phase
}
