//! After a phase whose jobs ask for it: reads the whole windows back and checks every block.

use crate::error::RunError;
use crate::verify_target::{Subject, verify_target};
use fathom_core::result::{ErrorTally, JobResult, Verified};
use fathom_core::spec::Job;
use fathom_engine::sim::World;
use fathom_load::control::Control;
use fathom_load::observer::Observer;
use fathom_load::targets::JobTargets;
use fathom_load::verify::{CheckedBlocks, Proof, Seen, Written, judge};
use std::path::Path;

/// Checks the windows of one job and adds what was found to its result.
pub fn check(
    job: &Job,
    targets: &JobTargets,
    run: u64,
    result: &mut JobResult,
    control: &Control,
    observer: &mut dyn Observer,
) -> Result<(), RunError> {
    let places = targets.paths.iter().zip(&targets.windows);
    for (index, (path, window)) in places.enumerate() {
        let subject = Subject {
            path: Path::new(path),
            opened: targets
                .open
                .get(index)
                .map(|target| target.contents.as_ref().unwrap_or(&target.fd)),
            offset: window.start,
            len: window.len,
            proof: Proof::of(job, run, window.start),
            written: written_to(targets, index),
        };
        let report = verify_target(&subject, control, observer)?;
        let verified = result.verified.get_or_insert(Verified::default());
        *verified += Verified {
            blocks: report.blocks,
            wrong: report.wrong.total(),
            unwritten: report.unwritten,
            kinds: report.wrong,
        };
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
                message: fathom_load::phase::errno_message(*errno),
                count: fault.bytes / 512,
                target: path.clone(),
                first_offsets: fault.first_offsets.clone(),
            });
        }
    }
    Ok(())
}

fn written_to(targets: &JobTargets, index: usize) -> Option<&Written> {
    targets.written.get(index)?.as_deref()
}

/// Wrong places that are listed; all are counted.
const LISTED: usize = 16;

/// What was reported as written of a range, in pieces without gaps of at most 1 MiB.
fn runs_of(world: &World, target: u16, range: std::ops::Range<u64>) -> Vec<(u64, Vec<u8>)> {
    let mut runs: Vec<(u64, Vec<u8>)> = Vec::new();
    for (offset, bytes) in world.promised(target) {
        if !range.contains(&offset) {
            continue;
        }
        match runs.last_mut() {
            Some((begin, run))
                if *begin + run.len() as u64 == offset && (run.len() as u64) < PIECE_BYTES =>
            {
                run.extend(bytes);
            }
            _ => runs.push((offset, bytes.to_vec())),
        }
    }
    runs
}

const PIECE_BYTES: u64 = 1 << 20;

/// The same in virtual time, where nothing was laid out before: of the windows what was reported
/// as written.
pub fn check_simulated(
    job: &Job,
    targets: &JobTargets,
    run: u64,
    result: &mut JobResult,
    world: &World,
) {
    let places = targets.numbers.iter().zip(&targets.windows);
    for (index, ((number, window), path)) in places.zip(&targets.paths).enumerate() {
        let proof = Proof::of(job, run, window.start);
        let mut found = CheckedBlocks::default();
        let end = window.start.saturating_add(window.len);
        let mut first_offsets = Vec::new();
        for (offset, bytes) in runs_of(world, *number, window.start..end) {
            let outcome = match written_to(targets, index) {
                Some(written) => judge(proof, written, &bytes, offset, Seen::Now),
                None => proof.check(&bytes, offset),
            };
            found.join(&outcome);
            if first_offsets.len() < LISTED {
                first_offsets.extend(outcome.first_wrong.map(|wrong| wrong.offset));
            }
        }
        let verified = result.verified.get_or_insert(Verified::default());
        *verified += Verified {
            blocks: found.blocks,
            wrong: found.wrong,
            unwritten: found.unwritten,
            kinds: found.kinds,
        };
        let wrong = found.wrong;
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
