//! What is asked for and not issued yet: bios, and requests that wait for the driver.
//!
//! - A bio that is too long becomes several requests. Only the bio as a whole has an event of its
//!   queueing; each part has one when it gets its tag.
//! - A bio that is merged into a waiting request never gets a tag of its own. An issue covers the
//!   sectors of all its bios, and the first of them counts.
//! - A flush has no sectors. An issued one serves all that were asked for before.

use crate::event::Event;
use crate::flags::Flags;
use crate::matching::Key;
use crate::request::Early;
use crate::volumes::Owner;
use std::collections::{BTreeMap, HashMap};

/// Bios that are not issued yet, at most.
const MOST_BIOS: usize = 1 << 16;
/// Flushes of a device that wait, at most.
const MOST_FLUSHES: usize = 1 << 10;
/// Age at which a bio was never issued, or its issue was lost.
const MOST_AGE_NS: u64 = 60_000_000_000;

/// A bio, or a part of one.
#[derive(Clone, Copy, Debug)]
struct Bio {
    /// The sector after its last.
    end: u64,
    queued: Option<u64>,
    asked: Option<u64>,
    inserted: Option<u64>,
    task: u32,
    /// The bio of a volume that it is a part of; 0 where there is none.
    above: u64,
    /// Whether its queueing is still to come, after it was passed on by a volume.
    is_coming: bool,
}

/// Device, operation, first sector, and what tells equal ones apart, the oldest first.
type RequestKey = (u16, u16, u64, u64);

/// What waits in front of the driver.
#[derive(Debug, Default)]
pub(crate) struct Front {
    bios: BTreeMap<RequestKey, Bio>,
    number: u64,
    /// By device: when each flush was asked for, and by whom.
    flushes: HashMap<u16, Vec<(u64, u32)>>,
}

impl Front {
    /// A bio was queued.
    pub(crate) fn queue(&mut self, key: Key, event: &Event, task: u32) {
        if event.flags.has(Flags::PREFLUSH) {
            let flushes = self.flushes.entry(key.device).or_default();
            if flushes.len() >= MOST_FLUSHES {
                // A device without a cache never issues them.
                flushes.clear();
            }
            flushes.push((event.at_ns, task));
        }
        if event.sectors > 0 {
            let bio = Bio {
                end: key.sector.saturating_add(event.sectors.into()),
                queued: Some(event.at_ns),
                asked: None,
                inserted: None,
                task,
                above: 0,
                is_coming: false,
            };
            if self.has_come(key, bio.end, event.at_ns) {
                return;
            }
            // One that may not wait for a tag is refused, and tried again by somebody who may.
            let mut same = self.bios.range(place(key, 0)..=place(key, u64::MAX));
            let is_same = |old: &Bio| old.asked.is_none() && old.end == bio.end;
            let refused = same.find(|(_, old)| is_same(old)).map(|(at, _)| *at);
            if let Some(refused) = refused {
                self.bios.remove(&refused);
            }
            self.put(key, bio);
        }
    }

    /// A volume passes a bio on. A kernel that does so without a copy of it has no other event of
    /// its queueing.
    pub(crate) fn pass_on(&mut self, key: Key, event: &Event, owner: Owner) {
        let bio = Bio {
            end: key.sector.saturating_add(event.sectors.into()),
            queued: Some(event.at_ns),
            asked: None,
            inserted: None,
            task: owner.task,
            above: owner.bio,
            is_coming: true,
        };
        self.put(key, bio);
    }

    /// The same bio has another sector on the disk than on its partition.
    pub(crate) fn shift(&mut self, from: Key, to: Key, sectors: u64) {
        let end = from.sector.saturating_add(sectors);
        let is = |bio: &Bio| bio.is_coming && bio.end == end;
        let mut same = self.bios.range(place(from, 0)..=place(from, u64::MAX));
        let Some(at) = same.find(|(_, bio)| is(bio)).map(|(at, _)| *at) else {
            return;
        };
        if let Some(bio) = self.bios.remove(&at) {
            let end = to.sector.saturating_add(sectors);
            self.put(to, Bio { end, ..bio });
        }
    }

    /// Drops what waits for a bio of a volume that failed: it is tried again as another one.
    pub(crate) fn drop_of(&mut self, above: u64) {
        self.bios.retain(|_, bio| bio.above != above);
    }

    /// Whether a bio that was passed on is queued now.
    fn has_come(&mut self, key: Key, end: u64, at_ns: u64) -> bool {
        let mut same = self.bios.range_mut(place(key, 0)..=place(key, u64::MAX));
        let coming = same.find(|(_, bio)| bio.is_coming && bio.end == end);
        if let Some((_, bio)) = coming {
            bio.is_coming = false;
            bio.queued = Some(at_ns);
            return true;
        }
        false
    }

    /// A bio, or a part of one, got its tag.
    pub(crate) fn ask(&mut self, key: Key, event: &Event, task: u32) {
        let end = key.sector.saturating_add(event.sectors.into());
        let waits = |bio: &Bio| bio.asked.is_none();
        let bio = self.cut_out(key, end, waits).unwrap_or(Bio {
            end,
            queued: None,
            asked: None,
            inserted: None,
            task,
            above: 0,
            is_coming: false,
        });
        let asked = Some(event.at_ns);
        self.put(key, Bio { asked, ..bio });
    }

    /// A request was put into a queue.
    pub(crate) fn insert(&mut self, key: Key, at_ns: u64) {
        let mut same = self.bios.range_mut(place(key, 0)..=place(key, u64::MAX));
        if let Some((_, bio)) = same.find(|(_, bio)| bio.inserted.is_none()) {
            bio.inserted = Some(at_ns);
        }
    }

    /// Takes what an issue covers: its instants, and who asked first. Adds the bios of volumes that
    /// it serves, each with its sectors.
    pub(crate) fn take(
        &mut self,
        key: Key,
        event: &Event,
        above: &mut Vec<(u64, u64)>,
    ) -> (Early, Option<u32>) {
        let before = |at: Option<u64>| at.map(|at| event.at_ns.saturating_sub(at));
        if key.operation == Flags::FLUSH {
            let served = self.flushes.remove(&key.device).unwrap_or_default();
            let first = served.first().filter(|(at, _)| !is_old(*at, event.at_ns));
            let early = Early {
                queued_ns: before(first.map(|(at, _)| *at)),
                ..Early::default()
            };
            return (early, first.map(|(_, task)| *task));
        }
        let end = key.sector.saturating_add(event.sectors.into());
        let mut next = key;
        let mut first: Option<Bio> = None;
        while let Some(bio) = self.cut_out(next, end, |_| true) {
            if bio.above != 0 {
                above.push((bio.above, bio.end.saturating_sub(next.sector)));
            }
            next.sector = bio.end;
            if is_old(bio.queued.or(bio.asked).unwrap_or(0), event.at_ns) {
                continue;
            }
            first = Some(match first {
                None => bio,
                Some(first) => first.joined(bio),
            });
            if bio.end >= end {
                break;
            }
        }
        let Some(bio) = first else {
            return (Early::default(), None);
        };
        let early = Early {
            queued_ns: before(bio.queued),
            asked_ns: before(bio.asked),
            inserted_ns: before(bio.inserted),
            above: None,
        };
        (early, Some(bio.task))
    }

    /// Takes the oldest bio that starts at a sector, or that contains it, up to an end; its rest
    /// stays.
    fn cut_out(&mut self, key: Key, end: u64, is: impl Fn(&Bio) -> bool) -> Option<Bio> {
        let same = self.bios.range(place(key, 0)..=place(key, u64::MAX));
        let at_start = same.map(|(at, bio)| (*at, *bio)).find(|(_, bio)| is(bio));
        let (at, bio) = at_start.or_else(|| {
            let (at, bio) = self.bios.range(..place(key, 0)).next_back()?;
            let is_of = (at.0, at.1) == (key.device, key.operation.0);
            (is_of && bio.end > key.sector && is(bio)).then_some((*at, *bio))
        })?;
        self.bios.remove(&at);
        if at.2 < key.sector {
            let end = key.sector;
            self.bios.insert(at, Bio { end, ..bio });
        }
        if bio.end > end {
            let rest = Key { sector: end, ..key };
            self.put(rest, bio);
        }
        let end = bio.end.min(end);
        Some(Bio { end, ..bio })
    }

    fn put(&mut self, key: Key, bio: Bio) {
        if self.bios.len() >= MOST_BIOS {
            // Bios that were never issued.
            self.bios.clear();
        }
        self.number += 1;
        self.bios.insert(place(key, self.number), bio);
    }
}

impl Bio {
    /// Two bios of one request: the earliest instant of each kind.
    fn joined(self, other: Self) -> Self {
        let earliest = |one: Option<u64>, other: Option<u64>| match (one, other) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        let is_earlier = other.queued.is_some_and(|at| Some(at) < self.queued);
        Self {
            end: other.end,
            queued: earliest(self.queued, other.queued),
            asked: earliest(self.asked, other.asked),
            inserted: earliest(self.inserted, other.inserted),
            task: if is_earlier { other.task } else { self.task },
            ..self
        }
    }
}

const fn place(key: Key, number: u64) -> RequestKey {
    (key.device, key.operation.0, key.sector, number)
}

const fn is_old(at_ns: u64, now_ns: u64) -> bool {
    now_ns.saturating_sub(at_ns) > MOST_AGE_NS
}
