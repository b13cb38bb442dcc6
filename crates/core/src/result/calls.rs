//! How requests met the engine: in how many calls, and how many were in flight then.

use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Counted in the measured time, call by call of the engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CallCounts {
    /// Requests by how many were in flight when they had been handed over, themselves included: 1,
    /// 2 or 3, 4 to 7, 8 to 15, 16 to 31, 32 to 63, more.
    pub in_flight: [u64; 7],
    /// Calls by how many requests they handed over: none, to 4, to 8, to 16, to 32, to 64, more.
    pub submitted: [u64; 7],
    /// The same by how many completions they brought.
    pub completed: [u64; 7],
}

impl CallCounts {
    /// `in_flight` requests were in flight when each of `requests` had been handed over.
    pub const fn at_depth(&mut self, in_flight: u32, requests: u64) {
        let level = (in_flight | 1).ilog2();
        let level = if level > 6 { 6 } else { level };
        self.in_flight[level as usize] += requests;
    }

    /// Calls that handed over `count` requests each.
    pub const fn sent(&mut self, count: u32, calls: u64) {
        self.submitted[step(count)] += calls;
    }

    /// Calls that returned `count` completions each.
    pub const fn took(&mut self, count: u32, calls: u64) {
        self.completed[step(count)] += calls;
    }

    /// Calls that handed over one request and brought its completion.
    pub const fn alone(&mut self, calls: u64) {
        self.in_flight[0] += calls;
        self.submitted[1] += calls;
        self.completed[1] += calls;
    }
}

/// The place of a number in steps of powers of two.
const fn step(count: u32) -> usize {
    match count {
        0 => 0,
        1..=4 => 1,
        5..=8 => 2,
        9..=16 => 3,
        17..=32 => 4,
        33..=64 => 5,
        _ => 6,
    }
}

impl AddAssign for CallCounts {
    fn add_assign(&mut self, more: Self) {
        let add = |to: &mut [u64; 7], from: [u64; 7]| {
            for (to, from) in to.iter_mut().zip(from) {
                *to += from;
            }
        };
        add(&mut self.in_flight, more.in_flight);
        add(&mut self.submitted, more.submitted);
        add(&mut self.completed, more.completed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_counted_in_powers_of_two() {
        let mut counts = CallCounts::default();
        for (count, in_flight) in [(1, 1), (1, 3), (4, 4), (5, 15), (64, 64), (65, 129)] {
            counts.at_depth(in_flight, u64::from(count));
            counts.sent(count, 1);
            counts.took(count, 1);
        }
        let calls = [0, 3, 1, 0, 0, 1, 1];
        let expected = CallCounts {
            in_flight: [1, 1, 4, 5, 0, 0, 129],
            submitted: calls,
            completed: calls,
        };
        assert_eq!(counts, expected);
    }
}
