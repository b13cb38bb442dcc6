//! What devices are called, and whether requests of volumes can be followed to them.

use crate::event::EventKind;
use crate::file::{Device, Head};

/// Requests of volumes that may be unknown, of all: 1 in this number.
const MOST_UNKNOWN: u64 = 100;

/// Names of devices and volumes by their positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Disks.
    pub devices: Vec<String>,
    /// Volumes of device mapper and md.
    pub volumes: Vec<String>,
}

impl Names {
    /// Those of a capture.
    pub fn of(head: &Head) -> Self {
        let names = |devices: &[Device]| devices.iter().map(|one| one.name.clone()).collect();
        Self {
            devices: names(&head.devices),
            volumes: names(&head.volumes),
        }
    }
}

/// Why requests of volumes cannot be followed to the disks below, as words for a sentence; none
/// where there are no volumes, or where nearly all requests were followed. `missing` are events
/// that the kernel does not have; `counts` are requests that were followed and that were not.
pub fn not_followed(volumes: &[String], missing: &[String], counts: (u64, u64)) -> Option<String> {
    if volumes.is_empty() {
        return None;
    }
    let volumes = volumes.join(", ");
    let names = [EventKind::Remapped, EventKind::Returned].map(EventKind::event_name);
    if let Some(name) = names
        .into_iter()
        .find(|name| missing.iter().any(|one| one == name))
    {
        return Some(format!(
            "this kernel has no event {name}, which follows requests of {volumes} to its disks"
        ));
    }
    let (followed, unknown) = counts;
    let all = followed.saturating_add(unknown);
    (unknown.saturating_mul(MOST_UNKNOWN) > all).then(|| {
        format!(
            "the kernel does not record which disks served {unknown} of {all} requests of \
             {volumes}"
        )
    })
}
