//! After a phase whose jobs ask for it: reads the whole windows back and checks every block.

use crate::assembly::JobTargets;
use crate::control::Control;
use crate::error::RunError;
use crate::observer::Observer;
use crate::verify::{Proof, verify_target};
use fathom_core::result::{ErrorTally, JobResult, Verified};
use fathom_core::spec::Job;
use fathom_engine::sim::World;
use std::path::Path;

/// Checks the windows of one job and adds what was found to its result.
pub fn check(
    job: &Job,
    targets: &JobTargets,
    seed: u64,
    result: &mut JobResult,
    control: &Control,
    observer: &mut dyn Observer,
) -> Result<(), RunError> {
    for (path, window) in targets.paths.iter().zip(&targets.windows) {
        let path_of = Path::new(path);
        let report = verify_target(
            path_of,
            window.start,
            window.len,
            Proof::of(job, seed, window.start),
            control,
            observer,
        )?;
        let verified = result.verified.get_or_insert(Verified::default());
        verified.blocks += report.blocks;
        verified.wrong += report.wrong.total();
        if report.wrong.total() > 0 {
            result.errors.push(ErrorTally {
                op: "verify".to_owned(),
                errno: 0,
                message: "the block read back is not the one written".to_owned(),
                count: report.wrong.total(),
                target: path.clone(),
                first_offsets: report
                    .first_wrong
                    .iter()
                    .map(|wrong| wrong.offset)
                    .collect(),
            });
        }
        for (errno, fault) in &report.unreadable {
            result.errors.push(ErrorTally {
                op: "verify".to_owned(),
                errno: *errno,
                message: crate::phase::errno_message(*errno),
                count: fault.bytes / 512,
                target: path.clone(),
                first_offsets: fault.first_offsets.clone(),
            });
        }
    }
    Ok(())
}

/// Wrong places that are listed; all are counted.
const LISTED: usize = 16;

/// The same in virtual time, where nothing was laid out before: of the windows what was reported
/// as written.
pub fn check_simulated(
    job: &Job,
    targets: &JobTargets,
    seed: u64,
    result: &mut JobResult,
    world: &World,
) {
    let places = targets.numbers.iter().zip(&targets.windows);
    for ((number, window), path) in places.zip(&targets.paths) {
        let proof = Proof::of(job, seed, window.start);
        let verified = result.verified.get_or_insert(Verified::default());
        let end = window.start.saturating_add(window.len);
        let mut wrong = 0;
        let mut first_offsets = Vec::new();
        for (offset, bytes) in world.promised(*number) {
            if !(window.start..end).contains(&offset) {
                continue;
            }
            verified.blocks += 1;
            if proof.check(bytes, offset).wrong > 0 {
                wrong += 1;
                if first_offsets.len() < LISTED {
                    first_offsets.push(offset);
                }
            }
        }
        verified.wrong += wrong;
        if wrong > 0 {
            result.errors.push(ErrorTally {
                op: "verify".to_owned(),
                errno: 0,
                message: "the block read back is not the one written".to_owned(),
                count: wrong,
                target: path.clone(),
                first_offsets,
            });
        }
    }
}
