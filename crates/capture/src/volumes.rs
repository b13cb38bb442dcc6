//! Requests of device mapper and md, followed to the requests of the disks below.
//!
//! The kernel has an event when such a volume gets a bio (`block_bio_queue`), for each part of it
//! that goes to a device below (`block_bio_remap`), and when it is done (`block_bio_complete`). A
//! bio that is split has one completion that ends where the bio ends, after all its parts.
//!
//! Volumes on volumes have the same events for each layer; the highest layer counts. Some volumes
//! make requests of their own and do not say for which bio: writes of `dm-mirror`, caches, the
//! parity of RAID 5. A bio whose sectors were not all seen on disks is counted as not followed.

use crate::event::Event;
use crate::matching::{Followed, Key};
use crate::request::{Above, Last, Request};
use std::collections::{BTreeMap, HashMap};

/// Bios of volumes that are under way, at most.
const MOST_BIOS: usize = 1 << 16;
/// Parts that start before a sector and are looked at.
const REACH: usize = 1 << 10;
/// Age at which a bio was never completed, or its completion was lost.
const MOST_AGE_NS: u64 = 60_000_000_000;

/// Volume, operation, first sector, and what distinguishes equal ones, the oldest first.
type BioKey = (u16, u16, u64, u64);

/// A part of a bio on a volume: the whole of it on the highest one.
#[derive(Debug)]
struct Part {
    /// The sector after its last.
    end: u64,
    bio: u64,
    /// Whether its queueing on this lower volume is still to come.
    is_coming: bool,
    /// Sectors that were passed on.
    passed_on: u64,
}

/// A bio of the highest volume.
#[derive(Debug)]
struct Bio {
    volume: u16,
    queued_ns: u64,
    sectors: u64,
    /// By the matcher's number.
    task: u32,
    thread: i32,
    /// Where its parts are on volumes.
    places: Vec<BioKey>,
    /// Requests of disks for it.
    leaves: Vec<Leaf>,
}

/// A request of a disk for a bio.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    number: u64,
    disk: u16,
    /// Sectors that it moves for the bio.
    sectors: u64,
    done_ns: Option<u64>,
}

/// Whom a part on a device below is for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owner {
    /// Number of the bio; never 0.
    pub(crate) bio: u64,
    /// Who queued it.
    pub(crate) task: u32,
}

/// A bio that is done or given up.
#[derive(Debug, Default)]
pub(crate) struct Ended {
    pub(crate) number: u64,
    /// Numbers of the requests of disks for it.
    pub(crate) leaves: Vec<u64>,
    /// The one that was done last, with what it ended; none where not all of them are known.
    pub(crate) last: Option<(u64, u16, End)>,
}

/// What is known when a bio is done.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_field_names, reason = "units stand last")]
pub(crate) struct End {
    queued_ns: u64,
    returned_ns: u64,
    /// Time for the last disk alone.
    alone_ns: u64,
}

/// All bios of volumes that are under way.
#[derive(Debug, Default)]
pub(crate) struct Volumes {
    devices: HashMap<u32, u16>,
    bios: BTreeMap<u64, Bio>,
    parts: BTreeMap<BioKey, Part>,
    number: u64,
    /// Of each volume, the bios that were followed to disks, and those that were not.
    pub(crate) counts: Vec<Followed>,
}

impl Volumes {
    /// For volumes in the order of their positions.
    pub(crate) fn new(devices: &[u32]) -> Self {
        Self {
            devices: devices.iter().copied().zip(0..).collect(),
            counts: vec![Followed::default(); devices.len()],
            ..Self::default()
        }
    }

    /// The position of a volume; none of another device.
    pub(crate) fn position(&self, device: u32) -> Option<u16> {
        self.devices.get(&device).copied()
    }

    /// A volume got a bio with sectors. Hands out one that never came back.
    pub(crate) fn queue(&mut self, key: Key, event: &Event, task: u32) -> Option<Ended> {
        let end = key.sector.saturating_add(event.sectors.into());
        let mut same = self.parts.range_mut(place(key, 0)..=place(key, u64::MAX));
        let coming = same.find(|(_, part)| part.is_coming && part.end == end);
        if let Some((_, part)) = coming {
            part.is_coming = false;
            return None;
        }
        self.number += 1;
        let bio = Bio {
            volume: key.device,
            queued_ns: event.at_ns,
            sectors: event.sectors.into(),
            task,
            thread: event.task,
            places: Vec::new(),
            leaves: Vec::new(),
        };
        self.bios.insert(self.number, bio);
        self.put(key, end, self.number, false);
        let (first, oldest) = self.bios.first_key_value()?;
        let is_old = event.at_ns.saturating_sub(oldest.queued_ns) > MOST_AGE_NS;
        let (first, volume) = (*first, oldest.volume);
        (is_old || self.bios.len() > MOST_BIOS).then(|| {
            self.count(volume, false);
            self.remove(first)
        })
    }

    fn count(&mut self, volume: u16, is_followed: bool) {
        let Some(counts) = self.counts.get_mut(usize::from(volume)) else {
            return;
        };
        counts.followed += u64::from(is_followed);
        counts.not_followed += u64::from(!is_followed);
    }

    /// Sectors of a volume are passed on; whom they are for.
    pub(crate) fn pass_on(&mut self, from: Key, event: &Event) -> Option<Owner> {
        let sectors = u64::from(event.sectors);
        let end = from.sector.saturating_add(sectors);
        let of_op = (from.device, from.operation.0, 0, 0)..=place(from, u64::MAX);
        let mut found: Option<(u8, BioKey)> = None;
        for (at, part) in self.parts.range(of_op).rev().take(REACH) {
            if found.is_some() && at.2 != from.sector {
                break;
            }
            if part.end < end {
                continue;
            }
            // That of the thread itself, that was not passed on yet; the oldest of equal ones.
            let is_its = self.bios.get(&part.bio).map(|bio| bio.thread) == Some(event.task);
            let is_fresh = part.passed_on + sectors <= part.end - at.2;
            let rank = u8::from(is_fresh) + 2 * u8::from(is_its);
            if found.is_none_or(|(best, _)| rank >= best) {
                found = Some((rank, *at));
            }
        }
        let part = self.parts.get_mut(&found?.1)?;
        part.passed_on += sectors;
        let bio = part.bio;
        let task = self.bios.get(&bio)?.task;
        Some(Owner { bio, task })
    }

    /// A part goes to a lower volume.
    pub(crate) fn lower(&mut self, to: Key, event: &Event, bio: u64) {
        let end = to.sector.saturating_add(event.sectors.into());
        self.put(to, end, bio, true);
    }

    /// A request of a disk was issued for a bio; whether the bio is under way.
    pub(crate) fn issue(&mut self, bio: u64, number: u64, disk: u16, sectors: u64) -> Option<u16> {
        let bio = self.bios.get_mut(&bio)?;
        bio.leaves.push(Leaf {
            number,
            disk,
            sectors,
            done_ns: None,
        });
        Some(bio.volume)
    }

    /// A request of a disk is done.
    pub(crate) fn complete(&mut self, bio: u64, number: u64, at_ns: u64) {
        let leaves = self.bios.get_mut(&bio).map(|bio| &mut bio.leaves);
        for leaf in leaves.into_iter().flatten() {
            if leaf.number == number {
                leaf.done_ns = Some(at_ns);
            }
        }
    }

    /// A bio of a volume is done; none where that is not all of one of the highest volume.
    pub(crate) fn end(&mut self, key: Key, event: &Event, is_failed: bool) -> Option<Ended> {
        let end = key.sector.saturating_add(event.sectors.into());
        let of_op = (key.device, key.operation.0, 0, 0)..=place(key, u64::MAX);
        let mut found: Option<(bool, BioKey, u64)> = None;
        for (at, part) in self.parts.range(of_op).rev().take(REACH) {
            if part.end == end {
                let is_done = self.bios.get(&part.bio).is_none_or(Bio::is_done);
                if found.is_none_or(|(best, ..)| is_done >= best) {
                    found = Some((is_done, *at, part.bio));
                }
            } else if found.is_some() {
                break;
            }
        }
        let (_, at, number) = found?;
        let bio = self.bios.get(&number)?;
        let volume = bio.volume;
        if bio.places.first() != Some(&at) {
            // The highest volume is not done yet.
            self.parts.remove(&at);
            return None;
        }
        let mut ended = self.remove_whole(number, event.at_ns)?;
        if is_failed {
            // It is tried again, or an error that is counted elsewhere.
            ended.last = None;
        } else {
            self.count(volume, ended.last.is_some());
        }
        Some(ended)
    }

    /// Counts those that no disk was seen for, at the end.
    pub(crate) fn finish(&mut self) {
        for bio in std::mem::take(&mut self.bios).into_values() {
            if bio.leaves.is_empty() {
                self.count(bio.volume, false);
            }
        }
    }

    fn remove_whole(&mut self, number: u64, at_ns: u64) -> Option<Ended> {
        let bio = self.bios.get(&number)?;
        let last = bio.last(at_ns).map(|(leaf, end)| (leaf, bio.volume, end));
        let ended = self.remove(number);
        Some(Ended { last, ..ended })
    }

    fn remove(&mut self, number: u64) -> Ended {
        let Some(bio) = self.bios.remove(&number) else {
            return Ended::default();
        };
        for place in &bio.places {
            self.parts.remove(place);
        }
        Ended {
            number,
            leaves: bio.leaves.iter().map(|leaf| leaf.number).collect(),
            last: None,
        }
    }

    fn put(&mut self, key: Key, end: u64, number: u64, is_coming: bool) {
        let Some(bio) = self.bios.get_mut(&number) else {
            return;
        };
        let mut at = place(key, number);
        // A mirror on one lower volume has two equal parts there; numbers are far apart from these.
        while self.parts.contains_key(&at) {
            at.3 += 1 << 48;
        }
        bio.places.push(at);
        let part = Part {
            end,
            bio: number,
            is_coming,
            passed_on: 0,
        };
        self.parts.insert(at, part);
    }
}

impl Bio {
    /// Whether all that is known of it is done.
    fn is_done(&self) -> bool {
        self.covered() >= self.sectors && self.leaves.iter().all(|leaf| leaf.done_ns.is_some())
    }

    /// Sectors that disks have moved for it.
    fn covered(&self) -> u64 {
        let done = self.leaves.iter().filter(|leaf| leaf.done_ns.is_some());
        done.map(|leaf| leaf.sectors).sum()
    }

    /// The request that was done last; none where disks were not seen to move all sectors.
    fn last(&self, returned_ns: u64) -> Option<(u64, End)> {
        if self.covered() < self.sectors {
            return None;
        }
        let done = || {
            let leaves = self.leaves.iter();
            leaves.filter_map(|leaf| Some((leaf.done_ns?, leaf.number, leaf.disk)))
        };
        let (last_ns, number, disk) = done().max()?;
        let others = done().filter(|(_, _, other)| *other != disk);
        let others_ns = others.map(|(at_ns, ..)| at_ns).max();
        let end = End {
            queued_ns: self.queued_ns,
            returned_ns,
            alone_ns: others_ns.map_or(0, |at_ns| last_ns - at_ns),
        };
        Some((number, end))
    }
}

/// What the last request of a bio has of it. The start of a capture is at `start_ns`.
pub(crate) fn above(volume: u16, end: End, request: &Request, start_ns: u64) -> Above {
    let since = |at_ns: u64| at_ns.saturating_sub(start_ns);
    let done_ns = request
        .at_ns
        .saturating_add(request.service_ns.unwrap_or(0));
    Above {
        volume,
        last: Some(Last {
            queued_ns: request.at_ns.saturating_sub(since(end.queued_ns)),
            after_ns: since(end.returned_ns).saturating_sub(done_ns),
            alone_ns: end.alone_ns,
        }),
    }
}

const fn place(key: Key, number: u64) -> BioKey {
    (key.device, key.operation.0, key.sector, number)
}

#[cfg(test)]
mod tests;
