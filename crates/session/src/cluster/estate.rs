//! What a member makes, and what becomes of that when it is killed: a member of the same machine
//! removes it.

use crate::plan::{MadeFiles, Plan};
use fathom_cluster::drive::News;
use fathom_cluster::limits;
use fathom_cluster::message::Estate;
use fathom_core::Nanos;
use fathom_device::{ProcessMark, mark, scratch};
use fathom_engine::Clock;
use fathom_platform::unix::fs::FileTypeExt as _;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How long the end of a process is waited for whose connection has ended.
const GOES_WITHIN: Nanos = Nanos::from_secs(2);
/// Between two looks at it.
const LOOK: Nanos = Nanos::from_millis(20);

/// Where a plan makes something, if nothing is there.
pub(super) fn places(plan: &Plan) -> impl Iterator<Item = PathBuf> {
    let bound = plan.targets.iter().map(|target| target.path.clone());
    bound.chain(plan.workload.named_paths())
}

/// What this process will make for a plan and remove at its end; none of what stays.
pub(super) fn of(plan: &Plan) -> Option<Estate> {
    if plan.made_files == MadeFiles::Kept {
        return None;
    }
    let is_device = |path: &Path| {
        let found = std::fs::metadata(path).map(|found| found.file_type());
        found.is_ok_and(|kind| kind.is_block_device() || kind.is_char_device())
    };
    let absolute = places(plan).filter_map(|path| std::path::absolute(path).ok());
    let absolute = absolute.filter(|path| !is_device(path));
    let places: BTreeSet<String> = absolute
        .filter_map(|path| path.into_os_string().into_string().ok())
        .collect();
    // Beyond the limit they are left to `fathom clean`.
    let places: Vec<String> = places.into_iter().take(limits::PLACES).collect();
    let owner = mark::own().to_string();
    (!places.is_empty()).then_some(Estate { owner, places })
}

/// Removes what somebody made who is gone, and says what of it is left.
pub(super) fn settle(estate: Estate) -> News {
    let left = match ProcessMark::parse(&estate.owner) {
        Some(owner) => {
            wait_for_end(&owner);
            let left = estate
                .places
                .iter()
                .flat_map(|place| left_at(&owner, place));
            let left: BTreeSet<String> = left.collect();
            left.into_iter().take(limits::PLACES).collect()
        }
        None => estate.places,
    };
    News::Left(estate.owner, left)
}

/// Its connection may have ended before the process itself.
fn wait_for_end(owner: &ProcessMark) {
    let mut clock = Clock::monotonic();
    let end = clock.now().saturating_add(GOES_WITHIN);
    while !owner.is_gone() && clock.latest() < end {
        let next = clock.now().saturating_add(LOOK);
        clock.wait_until(next, Nanos::ZERO);
    }
}

fn left_at(owner: &ProcessMark, place: &str) -> Vec<String> {
    match scratch::remove_of(owner, Path::new(place)) {
        Ok(left) => left.iter().map(|path| path.display().to_string()).collect(),
        Err(_) => vec![place.to_owned()],
    }
}
