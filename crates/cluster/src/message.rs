//! What coordinator and member say to each other.

use crate::limits;
use crate::token::{Nonce, Proof};
use fathom_core::histogram::Packed;
use fathom_core::interval::Part;
use fathom_core::{CodeWord, Level};
use serde::{Deserialize, Serialize};

/// From the coordinator to a member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToMember {
    /// Show that you know the token.
    Challenge(Nonce),
    /// I know it too, and this is who you are.
    Welcome {
        /// That the coordinator knows the token.
        proof: Proof,
        /// Number among all members, from 0.
        rank: u32,
    },
    /// What time is it, and are you there? Also the sign of life of the coordinator.
    Ping(u64),
    /// What to prepare.
    Prepare(Assignment),
    /// When to start a phase, nanoseconds of the member's clock.
    Start {
        /// Number of the phase.
        phase: u32,
        /// The instant.
        at_ns: u64,
    },
    /// End now and report.
    Stop(String),
    /// Remove what a member of your machine has made that is gone.
    Remove(Estate),
    /// The result has come; go.
    End,
    /// Go; nothing will be measured with you.
    Refused(String),
}

/// What a member makes for the measurement, as it says before it makes anything: what is to be
/// removed if it cannot do so itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Estate {
    /// What tells its process from all others, as the marks on its files do.
    pub owner: String,
    /// Files that it may make, and directories in which it may make some.
    pub places: Vec<String>,
}

/// What one member is to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assignment {
    /// Who it is.
    pub place: MemberPlace,
    /// Seed of its random choices.
    pub seed: u64,
    /// Share of time after which it stops without a sign of the coordinator, nanoseconds.
    pub silence_ns: u64,
    /// What to measure, in the words of whoever drives both ends.
    pub plan: Vec<u8>,
}

/// Where a member stands among all.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MemberPlace {
    /// Number among all members, from 0.
    pub rank: u32,
    /// Number among those of its host, from 0.
    pub index: u32,
    /// All members.
    pub members: u32,
    /// Name of its host.
    pub host: String,
}

/// Who a member is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Name of its host.
    pub host: String,
    /// What tells one running kernel from another; two members with the same are on one machine,
    /// whatever their host names.
    pub boot_id: String,
    /// Number of its process.
    pub pid: u32,
    /// The rank that a launcher gave it, if one did.
    pub rank: Option<u32>,
    /// Bytes of memory of its machine.
    pub memory_bytes: u64,
}

/// From a member to the coordinator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ToCoordinator {
    /// Who I am, that I know the token, and a number to show me that you do.
    Hello {
        /// That the member knows the token.
        proof: Proof,
        /// What the coordinator is to prove with.
        nonce: Nonce,
        /// Who it is.
        identity: Identity,
    },
    /// To the ping of this number, my clock in nanoseconds.
    Pong(u64, u64),
    /// Everything is prepared to start this phase.
    Ready(u32),
    /// What it will make.
    Makes(Estate),
    /// Of what somebody else had made and was to be removed, these are left.
    Left {
        /// Whose it was.
        owner: String,
        /// What is left of it.
        places: Vec<String>,
    },
    /// It cannot be done.
    Failed(String),
    /// A phase began.
    Started {
        /// Its number.
        phase: u32,
        /// When, nanoseconds of the member's clock.
        at_ns: u64,
    },
    /// What happened in an interval.
    Interval(IntervalReport),
    /// A piece of its course, in the words of whoever drives both ends.
    Told(Vec<u8>),
    /// A piece of what the result says in brief, where that is too long for one message; the rest
    /// is in the result.
    Brief(Vec<u8>),
    /// All is done.
    Finished(Box<MemberResult>),
}

/// What a member did in an interval.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IntervalReport {
    /// Number of the phase.
    pub phase: u32,
    /// Which part of it.
    pub part: Part,
    /// Number of the interval in the phase, from 0.
    pub index: u64,
    /// Begin, nanoseconds of the member's clock.
    pub start_ns: u64,
    /// End of the interval, nanoseconds.
    pub end_ns: u64,
    /// The series in which anything happened.
    pub series: Vec<SeriesDelta>,
    /// Mean number of outstanding requests of each job, in thousandths.
    pub held: Vec<u64>,
}

/// What was added to a series in an interval.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeriesDelta {
    /// Number of the series in the phase.
    pub series: u16,
    /// What was counted.
    pub counts: SeriesCounts,
    /// Service times.
    pub service: Packed,
    /// Response times, where they differ.
    pub response: Option<Packed>,
}

/// What is counted of one operation of one job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeriesCounts {
    /// Completed with all their bytes.
    pub ios: u64,
    /// Bytes that these moved.
    pub bytes: u64,
    /// Completed with an error.
    pub errors: u64,
    /// Completed with fewer bytes than asked.
    pub short: u64,
}

impl SeriesCounts {
    /// Adds others, stopping at the largest number.
    pub const fn add(&mut self, other: &Self) {
        self.ios = self.ios.saturating_add(other.ios);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.errors = self.errors.saturating_add(other.errors);
        self.short = self.short.saturating_add(other.short);
    }
}

/// What a member says at its end, beyond what its intervals said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MemberResult {
    /// Totals of each phase, by series: what its intervals must add up to.
    pub phases: Vec<Vec<SeriesCounts>>,
    /// Its slowest requests.
    pub slowest: Vec<SlowRequest>,
    /// Caveats that it found itself.
    pub doubts: Vec<Doubt>,
    /// Devices below its targets: serial number or world-wide name, or where a network file system
    /// is mounted from.
    pub devices: Vec<String>,
    /// What else is known of it, in the words of whoever drives both ends. A long one travels in
    /// pieces before the rest.
    pub brief: Vec<u8>,
}

/// A caveat as it travels: every field is there, as a form without names needs it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubt {
    /// Stable name.
    pub code: CodeWord,
    /// How much it weighs.
    pub level: Level,
    /// What was seen.
    pub message: String,
    /// What to do about it.
    pub remedy: String,
    /// The job, phase or target that it describes.
    pub subject: String,
}

/// One of the slowest requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SlowRequest {
    /// Issue to completion, nanoseconds.
    pub service_ns: u64,
    /// When it was issued, nanoseconds after the start of the phase.
    pub issued_ns: u64,
    /// Number of the phase.
    pub phase: u32,
    /// Number of the series in the phase.
    pub series: u16,
    /// Which of the job's targets on its member, from 0.
    pub target: u16,
    /// Byte offset.
    pub offset: u64,
    /// Bytes asked for.
    pub bytes: u32,
}

/// Something in a message is longer than it may be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {length} came, {limit} are allowed")]
pub struct TooLong {
    what: &'static str,
    length: usize,
    limit: usize,
}

fn all_at_most(owner: &str, places: &[String]) -> Result<(), TooLong> {
    let longest = places.iter().map(String::len).max();
    let longest = longest.unwrap_or(0).max(owner.len());
    at_most("bytes of a name", longest, limits::TEXT_BYTES)?;
    at_most("places", places.len(), limits::PLACES)
}

fn at_most(what: &'static str, length: usize, limit: usize) -> Result<(), TooLong> {
    if length > limit {
        return Err(TooLong {
            what,
            length,
            limit,
        });
    }
    Ok(())
}

/// A message whose lengths have limits.
pub trait Limited {
    /// Whether all lengths are within their limits.
    ///
    /// # Errors
    ///
    /// [`TooLong`] for the first that is not.
    fn check(&self) -> Result<(), TooLong>;
}

impl Limited for ToMember {
    fn check(&self) -> Result<(), TooLong> {
        match self {
            Self::Prepare(one) => {
                at_most("bytes of a plan", one.plan.len(), limits::PLAN_BYTES)?;
                at_most("bytes of a name", one.place.host.len(), limits::TEXT_BYTES)
            }
            Self::Remove(estate) => all_at_most(&estate.owner, &estate.places),
            Self::Stop(text) | Self::Refused(text) => {
                at_most("bytes of a reason", text.len(), limits::TEXT_BYTES)
            }
            _ => Ok(()),
        }
    }
}

impl Limited for ToCoordinator {
    fn check(&self) -> Result<(), TooLong> {
        match self {
            Self::Hello { identity, .. } => {
                let length = identity.host.len().max(identity.boot_id.len());
                at_most("bytes of a name", length, limits::TEXT_BYTES)
            }
            Self::Makes(estate) => all_at_most(&estate.owner, &estate.places),
            Self::Left { owner, places } => all_at_most(owner, places),
            Self::Failed(text) => at_most("bytes of a reason", text.len(), limits::TEXT_BYTES),
            Self::Interval(report) => {
                at_most("jobs", report.held.len(), limits::SERIES)?;
                at_most("series", report.series.len(), limits::SERIES)
            }
            Self::Told(words) => at_most("bytes of a course", words.len(), limits::COURSE_BYTES),
            Self::Brief(piece) => at_most("bytes in brief", piece.len(), limits::BRIEF_BYTES),
            Self::Finished(result) => {
                let longest = result.phases.iter().map(Vec::len).max();
                at_most("series", longest.unwrap_or(0), limits::SERIES)?;
                at_most("slow requests", result.slowest.len(), limits::SLOWEST)?;
                at_most("bytes in brief", result.brief.len(), limits::BRIEF_BYTES)?;
                at_most("devices", result.devices.len(), limits::CAVEATS)?;
                at_most("caveats", result.doubts.len(), limits::CAVEATS)
            }
            _ => Ok(()),
        }
    }
}

/// A reason as it travels: cut to the limit, at a character.
pub fn short(mut text: String) -> String {
    if text.len() > limits::TEXT_BYTES {
        let end = (0..=limits::TEXT_BYTES).rev();
        let end = end.into_iter().find(|end| text.is_char_boundary(*end));
        text.truncate(end.unwrap_or(0));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_beyond_their_limits_are_named() {
        let long = ToCoordinator::Failed("x".repeat(limits::TEXT_BYTES + 1));
        let error = long.check().expect_err("too long").to_string();
        assert_eq!(error, "bytes of a reason: 4097 came, 4096 are allowed");
        let many = MemberResult {
            slowest: vec![SlowRequest::default(); 101],
            ..MemberResult::default()
        };
        let error = ToCoordinator::Finished(Box::new(many)).check();
        let error = error.expect_err("too many").to_string();
        assert_eq!(error, "slow requests: 101 came, 100 are allowed");
        assert_eq!(ToMember::Stop(short("é".repeat(4000))).check(), Ok(()));
    }
}
