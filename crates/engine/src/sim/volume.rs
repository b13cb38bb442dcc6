//! A volume with a fixed service time, a number of servers, and planned misfortunes.

use fathom_core::Nanos;
use fathom_volume::model::Fate;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Input/output error.
const EIO: i32 = 5;

/// A time in which the volume serves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stall {
    /// Begin.
    pub at: Nanos,
    /// Duration of the stall.
    pub length: Nanos,
}

/// What the simulated volume is like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimVolume {
    /// Time that every request takes once it is served.
    pub service: Nanos,
    /// Requests served at once; others wait in line.
    pub servers: u32,
    /// Times in which nothing is served, in order, not overlapping.
    pub stalls: Vec<Stall>,
    /// Of this number of requests, one fails with an input/output error.
    pub fail_every: Option<u64>,
    /// Of this number of requests, one moves only half of its bytes.
    pub short_every: Option<u64>,
    /// Size of each target.
    pub size_bytes: u64,
}

impl Default for SimVolume {
    fn default() -> Self {
        Self {
            service: Nanos::from_micros(100),
            servers: 64,
            stalls: Vec::new(),
            fail_every: None,
            short_every: None,
            size_bytes: 1 << 40,
        }
    }
}

/// The volume at work.
#[derive(Debug)]
pub(super) struct Service {
    volume: SimVolume,
    free_at: BinaryHeap<Reverse<Nanos>>,
    admitted: u64,
}

impl Service {
    pub(super) fn new(volume: SimVolume) -> Self {
        let free_at = (0..volume.servers.max(1))
            .map(|_| Reverse(Nanos::ZERO))
            .collect();
        Self {
            volume,
            free_at,
            admitted: 0,
        }
    }

    pub(super) const fn volume(&self) -> &SimVolume {
        &self.volume
    }

    /// When a request that arrives at `now` is done, and how.
    pub(super) fn admit(&mut self, now: Nanos) -> (Nanos, Fate) {
        self.admitted += 1;
        let Reverse(free) = self.free_at.pop().expect("there is at least one server");
        let mut at = free.max(now);
        let mut left = self.volume.service;
        for stall in &self.volume.stalls {
            let end = stall.at + stall.length;
            if end <= at {
                continue;
            }
            let until_stall = stall.at.saturating_sub(at);
            if left <= until_stall && left > Nanos::ZERO {
                break;
            }
            left = left.saturating_sub(until_stall);
            at = end;
        }
        let done = at + left;
        self.free_at.push(Reverse(done));
        let hits = |every: Option<u64>| every.is_some_and(|n| self.admitted.is_multiple_of(n));
        let fate = if hits(self.volume.fail_every) {
            Fate::Failed(EIO)
        } else if hits(self.volume.short_every) {
            Fate::Short
        } else {
            Fate::Good
        };
        (done, fate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(value: u64) -> Nanos {
        Nanos::from_millis(value)
    }

    #[test]
    fn requests_beyond_the_servers_wait_in_line() {
        let volume = SimVolume {
            service: millis(10),
            servers: 2,
            ..SimVolume::default()
        };
        let mut service = Service::new(volume);
        let done: Vec<Nanos> = [0, 0, 0, 5, 100]
            .map(|at| service.admit(millis(at)).0)
            .to_vec();
        assert_eq!(done, [10, 10, 20, 20, 110].map(millis));
    }

    #[test]
    fn a_stall_stops_what_is_served() {
        let stalls = vec![Stall {
            at: millis(100),
            length: millis(50),
        }];
        let volume = SimVolume {
            service: millis(10),
            servers: 1,
            stalls,
            ..SimVolume::default()
        };
        let done = |at| Service::new(volume.clone()).admit(millis(at)).0;
        assert_eq!(
            [0, 90, 95, 100, 120, 150].map(|at| done(at).0 / 1_000_000),
            [10, 100, 155, 160, 160, 160]
        );
    }

    #[test]
    fn misfortunes_come_as_planned() {
        let volume = SimVolume {
            fail_every: Some(3),
            short_every: Some(2),
            ..SimVolume::default()
        };
        let mut service = Service::new(volume);
        let fates: Vec<Fate> = (0..6).map(|_| service.admit(Nanos::ZERO).1).collect();
        let expected = [
            Fate::Good,
            Fate::Short,
            Fate::Failed(EIO),
            Fate::Short,
            Fate::Good,
            Fate::Failed(EIO),
        ];
        assert_eq!(fates, expected);
    }
}
