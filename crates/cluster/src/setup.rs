//! The setup of a coordinator before any member joins.

use crate::link::Delivery;
use crate::slots::Slots;
use crate::token::{Nonce, Token};
use fathom_core::Nanos;

/// A measurement as its coordinator knows it.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Release of this program; members must be of the same.
    pub release: String,
    /// What members must know.
    pub token: Token,
    /// Random bytes that nobody else knows.
    pub entropy: Nonce,
    /// What the transport promises.
    pub delivery: Delivery,
    /// Name of the host of each member as the user named it, by rank; empty where nobody did.
    pub hosts: Vec<String>,
    /// What all are to measure, in the words of whoever drives both ends.
    pub plan: Vec<u8>,
    /// Seed of all random choices.
    pub seed: u64,
    /// Whether all members have that seed, and not each its own.
    pub one_seed: bool,
    /// Number of series in each phase.
    pub series: Vec<u16>,
    /// The intervals of each phase.
    pub slots: Vec<Slots>,
    /// How it reacts to what goes wrong.
    pub rules: Rules,
    /// Whether members stay when all is done, for another measurement.
    pub stays: bool,
}

/// What is measured next, by members that have stayed.
#[derive(Clone, Debug)]
pub struct Task {
    /// What all are to measure, in the words of whoever drives both ends.
    pub plan: Vec<u8>,
    /// Seed of all random choices.
    pub seed: u64,
    /// Whether all members have that seed, and not each its own.
    pub one_seed: bool,
    /// Number of series in each phase.
    pub series: Vec<u16>,
    /// The intervals of each phase.
    pub slots: Vec<Slots>,
}

/// Timeouts and tolerated failures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// How long members may take to come.
    pub patience: Nanos,
    /// How often each side gives a sign of life.
    pub heartbeat: Nanos,
    /// After how long without one the other side counts as gone.
    pub silence: Nanos,
    /// From the order to start to the start.
    pub lead: Nanos,
    /// Whether to start without those who did not come.
    pub allow_missing: bool,
    /// Share of the members that must finish, or the result is no answer to the question, percent.
    pub invalid_below_percent: f64,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            patience: Nanos::from_secs(5),
            heartbeat: Nanos::from_secs(1),
            silence: Nanos::from_secs(10),
            lead: Nanos::from_millis(500),
            allow_missing: false,
            invalid_below_percent: 50.0,
        }
    }
}

impl Rules {
    /// From the order to start to the start of `members` members: each order takes the coordinator
    /// and its network some time, 20 µs for a frame of a hundred bytes with room to spare.
    pub fn lead_of(&self, members: usize) -> Nanos {
        self.lead.saturating_add(Nanos(members as u64 * 20_000))
    }
}
