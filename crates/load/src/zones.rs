//! Writes to the zones of a zoned device: each where the zone's write pointer is, one at a time to
//! a zone, and a zone that is full is reset before it is written again.

mod share;

pub use share::{NoShare, ZoneLimits, shares};

use crate::random::Random;
use crate::stream::Request;
use fathom_core::Op;
use fathom_device::zone_report::{Condition, Zone};

/// The zones of one thread, and how far each is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneShare {
    zones: Box<[Place]>,
    /// Which zones are being written to; what begins none has never been needed.
    lanes: Box<[Lane]>,
    /// Bytes of a write.
    len: u32,
    /// The zone after the last that was begun.
    next: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
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

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Lane {
    zone: Option<usize>,
    /// Whether a request to its zone is on its way.
    busy: bool,
}

impl ZoneShare {
    /// Some zones, of which so many may be open at once, for writes of one length.
    fn new(zones: &[Zone], open: usize, len: u32) -> Self {
        let place = |zone: &Zone| Place {
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
        }
    }

    /// How many requests can be on their way at once.
    pub fn most_in_flight(&self) -> u32 {
        self.lanes.len() as u32
    }

    /// The next request. With as many on their way as there can be, it would be one too many: it
    /// goes where the oldest zone is, as if that were free.
    pub(crate) fn choose(&mut self, is_random: bool, random: &mut Random) -> Request {
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

    /// Another zone instead of one that is full: one that is begun already, so that there are never
    /// more of these, or else the next in order or any.
    fn take_zone(&mut self, left: Option<usize>, is_random: bool, random: &mut Random) -> usize {
        if let Some(left) = left {
            self.zones[left].taken = false;
        }
        let begun = |zone: &Place| zone.active && !zone.taken;
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
        let is_it = |zone: &Place| offset >= zone.start && offset - zone.start < zone.capacity;
        let zones = &self.zones;
        let of_lane = |lane: &&mut Lane| lane.zone.is_some_and(|zone| is_it(&zones[zone]));
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
