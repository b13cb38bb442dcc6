//! The parts of a request's time.

use crate::request::Request;
use serde::Serialize;
use std::ops::AddAssign;

/// Parts of the time from the queueing of a bio to the completion of its request; their sum is
/// that time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Parts {
    /// From the queueing of the bio until it got a tag, nanoseconds.
    pub submit_ns: u64,
    /// From there until the driver got the request.
    pub held_ns: u64,
    /// From there until its completion.
    pub device_ns: u64,
}

impl Parts {
    /// The parts of a request; none where its queueing or its completion was not seen.
    pub fn of(request: &Request) -> Option<Self> {
        let early = request.early;
        let queued_ns = early.queued_ns?;
        // Without either event all of the wait counts as one behind the tags.
        let asked_ns = early.asked_ns.or(early.inserted_ns).unwrap_or(queued_ns);
        let held_ns = asked_ns.min(queued_ns);
        Some(Self {
            submit_ns: queued_ns - held_ns,
            held_ns,
            device_ns: request.service_ns?,
        })
    }

    /// Their sum, nanoseconds.
    pub const fn total_ns(&self) -> u64 {
        self.wait_ns().saturating_add(self.device_ns)
    }

    /// The time before the driver had the request.
    pub const fn wait_ns(&self) -> u64 {
        self.submit_ns.saturating_add(self.held_ns)
    }
}

impl AddAssign for Parts {
    fn add_assign(&mut self, other: Self) {
        self.submit_ns = self.submit_ns.saturating_add(other.submit_ns);
        self.held_ns = self.held_ns.saturating_add(other.held_ns);
        self.device_ns = self.device_ns.saturating_add(other.device_ns);
    }
}
