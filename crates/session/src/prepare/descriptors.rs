//! Room for the descriptors and the memory of a run.

use super::PrepareError;
use fathom_platform::fd::OwnedFd;
use fathom_platform::io::{Errno, dup};
use fathom_platform::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::collections::TryReserveError;

/// Descriptors of a target: it is held, examined, laid out and used.
const OF_TARGET: u64 = 6;

/// And those of all else.
const OTHERS: u64 = 256;

/// What has to be free for checks of the targets and for the counters of a run: without a
/// descriptor they would find nobody who uses a target, and nothing to doubt.
const SPARE: u64 = 24;

/// Refuses a run for which too few descriptors are free; each thread also needs one for its ring.
///
/// # Errors
///
/// [`PrepareError::FewDescriptors`]
pub(super) fn require_spare(threads: u64) -> Result<(), PrepareError> {
    let needed = threads.saturating_add(SPARE);
    let Some(limit) = getrlimit(Resource::Nofile).current else {
        return Ok(());
    };
    let few = |spare: usize| PrepareError::FewDescriptors {
        limit,
        missing: needed.saturating_sub(spare as u64),
    };
    let Ok(root) = fathom_device::input::open("/") else {
        return Err(few(0));
    };
    let mut spare: Vec<OwnedFd> = Vec::new();
    while (spare.len() as u64) < needed {
        match dup(&root) {
            Ok(one) => spare.push(one),
            Err(Errno::MFILE) => return Err(few(spare.len())),
            // Nothing is known of the limit then.
            Err(_) => break,
        }
    }
    Ok(())
}

/// Memory for counters, result and report, without the stacks of threads.
const MEMORY: usize = 16 << 20;

/// The stack of a thread, as Rust makes it.
const STACK: usize = 2 << 20;

/// Refuses a run for which memory is short. An allocation that fails later would end the process,
/// and its files would stay.
///
/// # Errors
///
/// [`PrepareError::LittleMemory`]
pub(super) fn require_memory(threads: u64) -> Result<(), PrepareError> {
    // In pieces, as the threads take it: the kernel refuses one that is larger than all memory.
    let pieces = (0..threads).map(|_| STACK).chain([MEMORY]);
    let spare: Result<Vec<Vec<u8>>, _> = pieces
        .map(|bytes| {
            let mut piece = Vec::new();
            // Not touched, so that nothing but its address is taken.
            piece.try_reserve_exact(bytes)?;
            Ok::<_, TryReserveError>(piece)
        })
        .collect();
    match spare {
        Ok(spare) => {
            std::hint::black_box(&spare);
            Ok(())
        }
        Err(_) => Err(PrepareError::LittleMemory {
            needed: threads
                .saturating_mul(STACK as u64)
                .saturating_add(MEMORY as u64),
        }),
    }
}

/// Raises the limit on open files for this number of targets and threads, as far as the system
/// allows. If that is not enough, opening one of them reports it.
pub(super) fn make_room(targets: usize, threads: u64) {
    let limit = getrlimit(Resource::Nofile);
    let needed = (targets as u64)
        .saturating_mul(OF_TARGET)
        .saturating_add(threads)
        .saturating_add(OTHERS);
    if let Some(raised) = raised(limit.current, limit.maximum, needed) {
        let limit = Rlimit {
            current: Some(raised),
            maximum: limit.maximum,
        };
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

/// What a limit is raised to; none where it is left alone.
fn raised(current: Option<u64>, maximum: Option<u64>, needed: u64) -> Option<u64> {
    let allowed = maximum.map_or(needed, |maximum| maximum.min(needed));
    (current? < allowed).then_some(allowed)
}

#[cfg(test)]
mod tests {
    use super::raised;

    #[test]
    fn a_limit_is_raised_to_what_is_needed_and_allowed() {
        for (current, maximum, needed, expected) in [
            (Some(1024), Some(524_288), 30_256, Some(30_256)),
            (Some(1024), Some(4096), 30_256, Some(4096)),
            (Some(1024), None, 30_256, Some(30_256)),
            (Some(1024), Some(524_288), 262, None),
            (Some(4096), Some(4096), 30_256, None),
            (None, None, 30_256, None),
        ] {
            assert_eq!(raised(current, maximum, needed), expected, "{current:?}");
        }
    }
}
