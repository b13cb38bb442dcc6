//! Requests that were in flight when the measured time ended, and had not ended long after.

use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Requests of one operation that were in flight at the end of the measured time and took longer
/// than all that completed in it. Their times are in the histogram and in the figures made of it,
/// but in no rate and in no interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LateRequests {
    /// Completed while they were waited for (`drain_timeout`).
    pub returned: u64,
    /// The longest service time of these, nanoseconds.
    pub returned_longest_ns: u64,
    /// Still in flight when the wait ended.
    pub in_flight: u64,
    /// The longest age of these, nanoseconds: a lower bound on the service time.
    pub in_flight_longest_ns: u64,
    /// The longest service time of the requests that completed in the measured time, nanoseconds; 0
    /// where none did.
    pub completed_longest_ns: u64,
}

impl LateRequests {
    /// Adds a request: its service time, or its age if it has not completed.
    pub fn add(&mut self, has_returned: bool, time_ns: u64) {
        let (count, longest_ns) = if has_returned {
            (&mut self.returned, &mut self.returned_longest_ns)
        } else {
            (&mut self.in_flight, &mut self.in_flight_longest_ns)
        };
        *count += 1;
        *longest_ns = time_ns.max(*longest_ns);
    }

    /// The longest time of all of them.
    pub fn longest_ns(&self) -> u64 {
        self.returned_longest_ns.max(self.in_flight_longest_ns)
    }
}

impl AddAssign for LateRequests {
    fn add_assign(&mut self, more: Self) {
        self.returned += more.returned;
        self.returned_longest_ns = self.returned_longest_ns.max(more.returned_longest_ns);
        self.in_flight += more.in_flight;
        self.in_flight_longest_ns = self.in_flight_longest_ns.max(more.in_flight_longest_ns);
        self.completed_longest_ns = self.completed_longest_ns.max(more.completed_longest_ns);
    }
}

/// Threads that had not come back from the kernel when the wait ended. What they did in their last
/// interval is in no figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StuckThreads {
    /// How many.
    pub threads: u32,
    /// How long the call had lasted at least, of the one that lasted longest, nanoseconds.
    pub longest_ns: u64,
}
