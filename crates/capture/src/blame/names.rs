//! What devices are called, and which requests of volumes could not be followed to them.

use crate::event::EventKind;
use crate::file::{Device, Head};
use crate::matching::{Followed, Matched};
use crate::request::Request;
use std::collections::BTreeSet;

/// Requests of volumes that may be unknown, of all: 1 in this number.
const MOST_UNKNOWN: u64 = 100;

/// Names of devices and volumes by their positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Disks.
    pub devices: Vec<String>,
    /// Volumes of device mapper and md.
    pub volumes: Vec<String>,
    /// Those whose requests are left out.
    pub left_out: LeftOut,
}

impl Names {
    /// Those of a capture.
    pub fn of(head: &Head) -> Self {
        let names = |devices: &[Device]| devices.iter().map(|one| one.name.clone()).collect();
        Self {
            devices: names(&head.devices),
            volumes: names(&head.volumes),
            left_out: LeftOut::default(),
        }
    }
}

/// Requests that are in none of the numbers, because they were not followed to the disks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Volumes of which too many were not followed, by their positions.
    pub volumes: BTreeSet<u16>,
    /// Why, as words for a sentence.
    pub reasons: Vec<String>,
    /// Requests of the other volumes.
    pub requests: u64,
}

impl LeftOut {
    /// Of a capture with these volumes. `missing` are events that the kernel does not have.
    ///
    /// # Errors
    ///
    /// Why no request of a volume can be recognised, as words for a sentence.
    pub fn of(volumes: &[String], missing: &[String], matched: &Matched) -> Result<Self, String> {
        let mut found = Self::default();
        if volumes.is_empty() {
            return Ok(found);
        }
        let list = volumes.join(", ");
        let names = [EventKind::Remapped, EventKind::Returned].map(EventKind::event_name);
        if let Some(name) = names
            .into_iter()
            .find(|name| missing.iter().any(|one| one == name))
        {
            return Err(format!(
                "this kernel has no event {name}, which follows requests of {list} to its disks"
            ));
        }
        if matched.of_volumes.len() == volumes.len() {
            for ((position, name), counts) in (0..).zip(volumes).zip(&matched.of_volumes) {
                found.add(BTreeSet::from([position]), name, *counts);
            }
        } else {
            let counts = Followed {
                followed: matched.followed,
                not_followed: matched.not_followed,
            };
            found.add((0..).take(volumes.len()).collect(), &list, counts);
        }
        Ok(found)
    }

    fn add(&mut self, volumes: BTreeSet<u16>, names: &str, counts: Followed) {
        let unknown = counts.not_followed;
        let all = counts.followed.saturating_add(unknown);
        if unknown.saturating_mul(MOST_UNKNOWN) > all {
            self.volumes.extend(volumes);
            self.reasons.push(format!(
                "the kernel does not record which disks served {unknown} of {all} requests of \
                 {names}"
            ));
        } else {
            self.requests += unknown;
        }
    }

    /// Whether a request serves one of a volume that is left out.
    pub(super) fn has(&self, request: &Request) -> bool {
        let above = request.early.above;
        above.is_some_and(|above| self.volumes.contains(&above.volume))
    }
}
