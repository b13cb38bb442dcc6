//! What a coordinator tells while it goes on, in sentences for people.

use crate::glance::Glance;
use fathom_core::Nanos;
use std::fmt;

/// A member by the names that a person knows it by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// Host as the user named it, or as it names itself; empty if neither is known.
    pub host: String,
    /// Its rank, if it has one.
    pub rank: Option<u32>,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.host.as_str(), self.rank) {
            ("", None) => f.write_str("a member without a name"),
            ("", Some(rank)) => write!(f, "rank {rank}"),
            (host, None) => f.write_str(host),
            (host, Some(rank)) => write!(f, "{host} (rank {rank})"),
        }
    }
}

/// Up to where a member is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Counted {
    /// Number of the phase, from 0.
    pub phase: u32,
    /// Number of the last interval that came, from 0.
    pub interval: u64,
    /// Requests of the member in the measured time of all phases.
    pub ios: u64,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A member came and is who it says.
    Joined(Name),
    /// Somebody was sent away.
    Refused(Name, String),
    /// A member that was expected is not there.
    Missing(Name, String),
    /// All that are there prepare.
    Preparing {
        /// How many there are.
        members: u32,
    },
    /// A member cannot do what was requested.
    Failed(Name, String),
    /// A phase will start.
    Starting {
        /// Its number.
        phase: u32,
        /// From now to the start.
        lead: Nanos,
    },
    /// All members have reported an interval.
    Interval {
        /// Number of the phase.
        phase: u32,
        /// Number of the interval.
        interval: u64,
        /// How they stand.
        glance: Box<Glance>,
    },
    /// A piece of the course of the member of this rank, in the words of whoever drives both ends.
    Told(u32, Vec<u8>),
    /// No keep-alive of a member has arrived for half of the timeout.
    Silent(Name, Nanos),
    /// It is heard again.
    HeardAgain(Name),
    /// A member is gone.
    Lost(Name, String, Option<Counted>),
    /// What a lost member had made could not be removed.
    Left(Name, Vec<String>),
    /// A member has reported all.
    Finished(Name),
    /// Nothing can be measured.
    Abandoned(String),
}

impl Event {
    /// Whether it changes the result.
    pub const fn matters(&self) -> bool {
        matches!(
            self,
            Self::Refused(..)
                | Self::Missing(..)
                | Self::Failed(..)
                | Self::Silent(..)
                | Self::Lost(..)
                | Self::Left(..)
                | Self::Abandoned(_)
        )
    }

    /// The same where `phases` were measured before those that it numbers.
    #[must_use]
    pub fn after(mut self, phases: u32) -> Self {
        match &mut self {
            Self::Starting { phase, .. } | Self::Interval { phase, .. } => *phase += phases,
            Self::Lost(_, _, Some(counted)) => counted.phase += phases,
            _ => {}
        }
        self
    }
}

/// What removes what killed members left.
pub(crate) const REMEDY: &str = "fathom clean";

/// Where a member that is gone is counted to.
pub(crate) fn counted(counted: Option<&Counted>) -> String {
    match counted {
        None => "not counted".to_owned(),
        Some(one) => format!(
            "counted up to interval {} of phase {} ({} requests)",
            one.interval + 1,
            one.phase + 1,
            one.ios
        ),
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Joined(name) => write!(f, "{name} is there"),
            Self::Refused(name, why) => write!(f, "{name} is refused: {why}"),
            Self::Missing(name, why) => write!(f, "{name} is missing: {why}"),
            Self::Preparing { members: 1 } => f.write_str("1 member prepares"),
            Self::Preparing { members } => write!(f, "{members} members prepare"),
            Self::Failed(name, why) => write!(f, "{name} failed: {why}"),
            Self::Starting { phase, lead } => {
                write!(f, "phase {} starts in {} ms", phase + 1, lead.0 / 1_000_000)
            }
            Self::Interval {
                phase, interval, ..
            } => {
                write!(f, "interval {} of phase {}", interval + 1, phase + 1)
            }
            Self::Told(rank, words) => write!(f, "{} bytes of rank {rank}", words.len()),
            Self::Silent(name, time) => {
                write!(f, "{name} has been silent for {:.1} s", time.as_secs_f64())
            }
            Self::HeardAgain(name) => write!(f, "{name} is heard again"),
            Self::Lost(name, why, until) => {
                write!(f, "{name} is lost: {why}; {}", counted(until.as_ref()))
            }
            Self::Left(name, places) => {
                let places = places.join(" ");
                write!(
                    f,
                    "{name} left what it made: {REMEDY} {places}, on its host"
                )
            }
            Self::Finished(name) => write!(f, "{name} has finished"),
            Self::Abandoned(why) => write!(f, "nothing is measured: {why}"),
        }
    }
}
