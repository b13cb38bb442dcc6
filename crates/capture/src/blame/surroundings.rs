//! What else was in a device while a request waited and was served.

use fathom_core::result::blame::Parts;
use std::collections::{BTreeMap, VecDeque};

/// Requests that are remembered.
const MOST_SEEN: usize = 1 << 15;
/// Requests before and after one that are looked at.
const REACH: usize = 1 << 12;

/// A request that may have been in somebody's way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) device: u16,
    pub(super) owner: usize,
    pub(super) bytes: u64,
    pub(super) is_flush: bool,
    /// When its bio was queued, it got a tag, the driver got it, and it was done, since the start.
    pub(super) queued_ns: u64,
    pub(super) tagged_ns: u64,
    pub(super) issued_ns: u64,
    pub(super) done_ns: u64,
}

/// What somebody had in the device while requests waited and were served.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Company {
    /// Time with a request of theirs in the device, without flushes.
    pub(super) covered_ns: u64,
    /// Time with a flush of theirs in the device.
    pub(super) flush_ns: u64,
    /// Requests that were queued first, that the driver got first, and that were not done when the
    /// bio was queued.
    pub(super) ahead: u64,
    /// Bytes of these.
    pub(super) ahead_bytes: u64,
    /// Requests that had at least one ahead.
    pub(super) behind: u64,
}

/// Some requests, and all that was around them.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    pub(super) requests: u64,
    pub(super) parts: Parts,
    /// Time with a flush in the device, whosesoever.
    pub(super) flush_ns: u64,
    /// Tags that were in use when the bios of these were queued.
    pub(super) tags: u64,
    /// The most that were in use when the bio of one of these was queued.
    pub(super) most_tags: u64,
    /// By the position of the owner.
    pub(super) company: BTreeMap<usize, Company>,
}

/// A request whose surroundings are looked at once all of them are seen.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    number: u64,
    parts: Parts,
    group: usize,
}

/// The latest requests in the order of their issue.
#[derive(Debug)]
pub(super) struct Surroundings<const GROUPS: usize> {
    seen: VecDeque<Seen>,
    /// Number of the first of them.
    first: u64,
    wanted: VecDeque<Wanted>,
    groups: [Group; GROUPS],
}

impl<const GROUPS: usize> Surroundings<GROUPS> {
    pub(super) fn new() -> Self {
        Self {
            seen: VecDeque::new(),
            first: 0,
            wanted: VecDeque::new(),
            groups: std::array::from_fn(|_| Group::default()),
        }
    }

    /// Takes in the next request. One with a group is looked at, with what is around it.
    pub(super) fn add(&mut self, seen: Seen, group: Option<(usize, Parts)>) {
        let number = self.first + self.seen.len() as u64;
        self.seen.push_back(seen);
        if let Some((group, parts)) = group {
            self.wanted.push_back(Wanted {
                number,
                parts,
                group,
            });
        }
        while let Some(wanted) = self.wanted.front().copied() {
            let is_over = self.at(wanted.number).done_ns <= seen.issued_ns;
            if !is_over && number - wanted.number < REACH as u64 {
                break;
            }
            self.wanted.pop_front();
            self.look(wanted);
        }
        if self.seen.len() > MOST_SEEN {
            self.seen.pop_front();
            self.first += 1;
        }
    }

    /// Looks at the rest.
    pub(super) fn finish(mut self) -> [Group; GROUPS] {
        while let Some(wanted) = self.wanted.pop_front() {
            self.look(wanted);
        }
        self.groups
    }

    fn at(&self, number: u64) -> &Seen {
        &self.seen[(number - self.first) as usize]
    }

    fn look(&mut self, wanted: Wanted) {
        let position = (wanted.number - self.first) as usize;
        let one = self.seen[position];
        let from = position.saturating_sub(REACH);
        // Of each owner: its position, the end of its last request, and the same of its flushes.
        let mut ends: Vec<(usize, u64, u64)> = Vec::new();
        let mut flush_end = one.queued_ns;
        let group = &mut self.groups[wanted.group];
        group.requests += 1;
        group.parts += wanted.parts;
        let mut behind: Vec<usize> = Vec::new();
        let mut tags = 0;
        for (index, other) in self.seen.iter().enumerate().skip(from) {
            if other.issued_ns >= one.done_ns {
                break;
            }
            let is_apart = other.device != one.device || other.done_ns <= one.queued_ns;
            if index == position || is_apart {
                continue;
            }
            let found = ends.iter().position(|(owner, ..)| *owner == other.owner);
            let found = found.unwrap_or_else(|| {
                ends.push((other.owner, one.queued_ns, one.queued_ns));
                ends.len() - 1
            });
            let (_, end, own_flush_end) = &mut ends[found];
            let company = group.company.entry(other.owner).or_default();
            let until = other.done_ns.min(one.done_ns);
            let add = |end: &mut u64| {
                let more = until.saturating_sub(other.issued_ns.max(*end));
                *end = until.max(*end);
                more
            };
            if other.is_flush {
                company.flush_ns = company.flush_ns.saturating_add(add(own_flush_end));
                group.flush_ns = group.flush_ns.saturating_add(add(&mut flush_end));
                continue;
            }
            company.covered_ns = company.covered_ns.saturating_add(add(end));
            tags += u64::from(other.tagged_ns <= one.queued_ns);
            // What came later waits too where a device stalls.
            if index < position && other.queued_ns <= one.queued_ns {
                company.ahead += 1;
                company.ahead_bytes = company.ahead_bytes.saturating_add(other.bytes);
                if !behind.contains(&other.owner) {
                    behind.push(other.owner);
                    company.behind += 1;
                }
            }
        }
        group.tags += tags;
        group.most_tags = group.most_tags.max(tags);
    }
}
