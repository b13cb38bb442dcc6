//! Writes to the zones of a zoned device: each where the zone's write pointer is, one at a time to
//! a zone, and a zone that is full is reset before it is written again. Or they are appended, any
//! number at a time: the device finds the place in a zone that is named by where it begins.

mod share;

pub use share::{NoShare, ZoneLimits, shares};

use crate::random::Random;
use crate::request::Request;
use fathom_core::Op;
use fathom_device::zone_report::{Condition, Zone};

/// The zones of one thread, and how far each is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneShare {
    zones: Box<[ZoneFill]>,
    /// Which zones are being written to; what begins none has never been needed.
    lanes: Box<[Lane]>,
    /// Bytes of a write.
    len: u32,
    /// The zone after the last that was begun.
    next: usize,
    /// Where the device finds the places; none where it does not.
    appending: Option<Appending>,
}

/// What appends go by. Between the end of a zone and the start of the next is a reset, behind
/// everything that was asked for before and before everything after it: the engine sees to that. So
/// a zone is full before another is begun, as far as the device counts, and nobody has to wait here
/// for what is on its way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Appending {
    /// The lane that has its turn.
    lane: usize,
    /// A zone that was left and is not full: an append to it has failed since.
    unfilled: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ZoneFill {
    start: u64,
    capacity: u64,
    /// Bytes that are written, or are on their way.
    written: u64,
    /// Whether it counts among those that the device allows at once.
    active: bool,
    /// Whether nothing can be written before it is reset.
    spent: bool,
    /// Whether a lane has it.
    taken: bool,
}

impl ZoneFill {
    /// Whether a request to this offset is one to the zone.
    const fn has(&self, offset: u64) -> bool {
        offset >= self.start && offset - self.start < self.capacity
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Lane {
    zone: Option<usize>,
    /// Whether a request to its zone is on its way.
    busy: bool,
}

impl ZoneShare {
    /// Some zones, of which `open` may be open at once, for writes or appends of one length.
    fn new(zones: &[Zone], open: usize, len: u32, appends: bool) -> Self {
        let place = |zone: &Zone| ZoneFill {
            start: zone.start,
            capacity: zone.capacity,
            written: zone.written,
            active: zone.condition == Condition::Active,
            // What another length has left is no room for one of ours.
            spent: !zone.written.is_multiple_of(u64::from(len)) || zone.written >= zone.capacity,
            taken: false,
        };
        Self {
            zones: zones.iter().map(place).collect(),
            lanes: vec![Lane::default(); open.min(zones.len())].into(),
            len,
            next: 0,
            appending: appends.then(Appending::default),
        }
    }

    /// How many requests can be on their way at once.
    pub fn most_in_flight(&self) -> u32 {
        if self.appending.is_some() {
            return u32::MAX;
        }
        self.lanes.len() as u32
    }

    /// The next request. With as many on their way as there can be, it would be one too many: it
    /// goes where the oldest zone is, as if that were free.
    pub(crate) fn choose(&mut self, is_random: bool, random: &mut Random) -> Request {
        if let Some(appending) = self.appending {
            return self.append(appending, is_random, random);
        }
        let count = self.lanes.len();
        let first = if is_random {
            random.below(count as u64) as usize
        } else {
            0
        };
        let mut order = (first..first + count).map(|lane| lane % count);
        let lane = order.find(|lane| !self.lanes[*lane].busy).unwrap_or(first);
        let zone = match self.lanes[lane].zone {
            Some(zone) if !self.zones[zone].spent => zone,
            // Its reset failed, or it has just been taken: it stays until that is done.
            Some(zone) if self.zones[zone].active => zone,
            left => self.take_zone(left, is_random, random),
        };
        self.lanes[lane] = Lane {
            zone: Some(zone),
            busy: true,
        };
        self.request(zone)
    }

    /// The next append, or the reset of the zone that it begins. A zone that somebody has begun is
    /// continued first.
    fn append(&mut self, now: Appending, is_random: bool, random: &mut Random) -> Request {
        if let Some(zone) = now.unfilled {
            self.appending = Some(Appending {
                unfilled: None,
                ..now
            });
            self.zones[zone].active = false;
            return self.reset(zone);
        }
        let count = self.lanes.len();
        let lane = if is_random {
            random.below(count as u64) as usize
        } else {
            now.lane
        };
        self.appending = Some(Appending {
            lane: (lane + 1) % count,
            unfilled: None,
        });
        let zone = match self.lanes[lane].zone {
            // One that is active and spent had an append that failed.
            Some(zone) if !self.zones[zone].spent || self.zones[zone].active => zone,
            left => self.take_zone(left, is_random, random),
        };
        self.lanes[lane].zone = Some(zone);
        let place = &mut self.zones[zone];
        if place.spent || !place.active {
            place.active = true;
            return self.reset(zone);
        }
        place.written += u64::from(self.len);
        place.spent = place.written >= place.capacity;
        place.active = !place.spent;
        Request {
            offset: place.start,
            len: self.len,
            op: Op::Write,
        }
    }

    /// Notes that a zone has one append less than it was given, so that it does not get full.
    fn has_missed(&mut self, offset: u64) {
        let found = self.zones.iter().position(|zone| zone.has(offset));
        let (Some(zone), Some(appending)) = (found, &mut self.appending) else {
            return;
        };
        let place = &mut self.zones[zone];
        place.spent = true;
        place.active = true;
        if !place.taken {
            appending.unfilled = Some(zone);
        }
    }

    /// A reset, behind which a zone is empty.
    fn reset(&mut self, zone: usize) -> Request {
        let place = &mut self.zones[zone];
        place.written = 0;
        place.spent = false;
        Request {
            offset: place.start,
            len: 0,
            op: Op::Trim,
        }
    }

    /// Another zone instead of one that is full: one that is begun already, so that there are never
    /// more of these, or else the next in order or any.
    fn take_zone(&mut self, left: Option<usize>, is_random: bool, random: &mut Random) -> usize {
        if let Some(left) = left {
            self.zones[left].taken = false;
        }
        let begun = |zone: &ZoneFill| zone.active && !zone.taken;
        let count = self.zones.len();
        let zone = self.zones.iter().position(begun).unwrap_or_else(|| {
            let first = if is_random {
                random.below(count as u64) as usize
            } else {
                self.next
            };
            let mut order = (first..first + count).map(|zone| zone % count);
            // There are at least as many zones as lanes.
            let free = order.find(|zone| !self.zones[*zone].taken);
            free.unwrap_or(first % count)
        });
        self.zones[zone].taken = true;
        self.next = (zone + 1) % count;
        zone
    }

    /// What is to be done in a zone: a write where its pointer is, or a reset.
    fn request(&mut self, zone: usize) -> Request {
        let zone = &mut self.zones[zone];
        if zone.spent {
            return Request {
                offset: zone.start,
                len: 0,
                op: Op::Trim,
            };
        }
        let offset = zone.start + zone.written;
        zone.written += u64::from(self.len);
        zone.spent = zone.written >= zone.capacity;
        zone.active = !zone.spent;
        Request {
            offset,
            len: self.len,
            op: Op::Write,
        }
    }

    /// Notes that a request has ended; whether the zones can be written on. After a write that
    /// failed it is not known where the pointer is, so that the zone is reset next. One that cannot
    /// be reset would be tried for ever, and keeps its place among those that the device allows.
    pub(crate) fn completed(&mut self, op: Op, offset: u64, is_good: bool) -> bool {
        if self.appending.is_some() {
            if !is_good && op != Op::Trim {
                self.has_missed(offset);
            }
            return is_good || op != Op::Trim;
        }
        let zones = &self.zones;
        let of_lane = |lane: &&mut Lane| lane.zone.is_some_and(|zone| zones[zone].has(offset));
        let Some(lane) = self.lanes.iter_mut().find(of_lane) else {
            return true;
        };
        lane.busy = false;
        let Some(zone) = lane.zone else { return true };
        let zone = &mut self.zones[zone];
        match (op, is_good) {
            (Op::Trim, true) => {
                zone.written = 0;
                zone.spent = false;
                zone.active = false;
            }
            (_, true) => {}
            (_, false) => {
                zone.spent = true;
                zone.active = true;
            }
        }
        is_good || op != Op::Trim
    }
}

#[cfg(test)]
mod tests;
