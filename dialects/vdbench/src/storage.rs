//! What of each target a workload uses.

use crate::definitions::{Definition, Flags, Part, Storage};
use crate::parameter::Wrong;
use fathom_tools::dialects::Surroundings;
use std::path::Path;

/// Targets that are used alike make one job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    pub(crate) threads: u32,
    pub(crate) size: Option<u64>,
    pub(crate) offset: u64,
    pub(crate) window: Option<u64>,
    pub(crate) align: Option<u64>,
    /// The length of the part that is used, if it is known.
    pub(crate) length: Option<u64>,
    pub(crate) hit_area: u64,
    pub(crate) flags: Flags,
}

/// What a workload uses of a target: `part`, or that which the target states.
pub(crate) fn shape(
    storage: &Storage,
    lun: &str,
    part: Option<Part>,
    largest: u64,
    surroundings: &dyn Surroundings,
) -> Result<Shape, Wrong> {
    let is_device = lun.starts_with("/dev/");
    let given = storage.size;
    let known = given.or_else(|| surroundings.size_bytes(Path::new(lun)));
    let (offset, window) = match part.or(storage.part) {
        Some((low, high)) if high <= 100.0 => {
            let Some(size) = known else {
                let message =
                    format!("the size of `{lun}` is unknown, and a range is a share of it");
                return Err((message, "size= of the sd, or a range in bytes".to_owned()));
            };
            // On the boundary of a request.
            let at = |share: f64| {
                let bytes = (size as f64 * share / 100.0) as u64;
                bytes / largest.max(1) * largest.max(1)
            };
            (at(low), Some(at(high).saturating_sub(at(low))))
        }
        Some((low, high)) => (low as u64, Some((high - low) as u64)),
        // A device is used whole whatever its job's size is.
        None if is_device || storage.offset > 0 => (0, given),
        None => (0, None),
    };
    // What the offset pushes out at the end of a file is not used.
    let end = |window: u64| {
        if part.or(storage.part).is_none() && !is_device {
            window.saturating_sub(storage.offset)
        } else {
            window
        }
    };
    let window = window.map(end);
    if window.is_some_and(|window| window < largest) {
        let message =
            format!("the used part of `{lun}` does not hold a request of {largest} bytes");
        return Err((message, "a larger size= or range=".to_owned()));
    }
    let offset = offset.saturating_add(storage.offset);
    Ok(Shape {
        threads: storage.threads,
        size: given,
        offset,
        window,
        align: storage.align,
        length: window.or_else(|| known.map(|size| size.saturating_sub(offset))),
        hit_area: storage.hit_area,
        flags: storage.flags,
    })
}

/// All storage, with those that a count names one by one.
pub(crate) fn counted(all: &[Definition<Storage>]) -> Vec<Definition<Storage>> {
    let mut list = Vec::new();
    for one in all {
        let Some((first, count)) = one.is.count else {
            list.push(one.clone());
            continue;
        };
        for number in first..first.saturating_add(count) {
            let mut numbered = one.clone();
            numbered.name = format!("{}{number}", one.name);
            numbered.is.lun = one.is.lun.as_ref().map(|lun| format!("{lun}{number}"));
            list.push(numbered);
        }
    }
    list
}
