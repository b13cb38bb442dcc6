//! One member that is expected, and what became of it.

use super::LinkId;
use crate::clock_offset::ClockOffset;
use crate::event::{Counted, Name};
use crate::glance::Latest;
use crate::message::{Estate, Identity, MemberPlace, MemberResult};
use fathom_core::Nanos;

/// What became of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It reported all.
    Finished,
    /// It did not come.
    Missing(String),
    /// It could not do what it was to do.
    Failed(String),
    /// It was gone before it had reported all.
    Lost(String),
}

/// How a member started a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Nanoseconds after the common instant; negative if before.
    pub late_ns: i64,
    /// By how much that may be wrong.
    pub error_ns: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Seat {
    pub(crate) host: String,
    pub(super) link: Option<LinkId>,
    pub(crate) identity: Option<Identity>,
    pub(crate) place: Option<MemberPlace>,
    pub(crate) seed: u64,
    pub(crate) fate: Option<Fate>,
    /// Readings of its clock so far.
    pub(super) readings: u32,
    /// The ping that is under way, and when it was sent.
    pub(super) asked: Option<(u64, Nanos)>,
    /// When the next sign of life is due.
    pub(super) beat: Nanos,
    pub(super) clock: Option<ClockOffset>,
    /// The reading that the pace of its clock is counted from, and how often since then it ran at
    /// another pace.
    pub(super) paced: Option<(ClockOffset, u32)>,
    /// The clock's offset, and by how much that may be wrong, when the last phase was started.
    pub(crate) offset: Option<(i64, u64)>,
    /// The phase that it is prepared for.
    pub(super) ready: Option<u32>,
    pub(crate) starts: Vec<Option<Start>>,
    pub(crate) counted: Option<Counted>,
    /// What it did in its last interval, and which one that was by the coordinator's time.
    pub(super) latest: Option<(u64, Latest)>,
    pub(crate) result: Option<Box<MemberResult>>,
    /// What it has said in brief before its result.
    pub(super) brief: Vec<u8>,
    /// What it makes, as it said before.
    pub(super) estate: Option<Estate>,
    /// What is left of that, as far as it is known.
    pub(crate) left: Vec<String>,
    /// Whether what it says in the end is what its intervals added up to.
    pub(crate) is_balanced: Option<bool>,
}

impl Seat {
    pub(super) fn of(host: &str) -> Self {
        Self {
            host: host.to_owned(),
            ..Self::default()
        }
    }

    /// As it was before it measured anything. Who was there and is not here any more is lost.
    pub(super) fn renew(&mut self, is_here: bool) {
        let fate = match self.fate.take() {
            _ if is_here => None,
            Some(Fate::Finished | Fate::Failed(_)) | None => {
                let why = "its connection ended between two measurements";
                Some(Fate::Lost(why.to_owned()))
            }
            gone => gone,
        };
        *self = Self {
            host: std::mem::take(&mut self.host),
            link: self.link,
            identity: self.identity.take(),
            beat: self.beat,
            estate: self.estate.take(),
            fate,
            ..Self::default()
        };
    }

    /// Whether it came and more is to come of it.
    pub(super) const fn is_present(&self) -> bool {
        self.link.is_some() && self.fate.is_none()
    }

    pub(crate) fn name(&self, rank: u32) -> Name {
        let own = self.identity.as_ref().map(|one| one.host.as_str());
        let host = if self.host.is_empty() {
            own.unwrap_or_default()
        } else {
            &self.host
        };
        Name {
            host: host.to_owned(),
            rank: Some(rank),
        }
    }
}
