//! From events to requests: which completion belongs to which issue.
//!
//! - A request is known by its device, its first sector and its operation. Of several that are
//!   equal in that, the one issued first completes first.
//! - A device may complete a request in parts; each part moves the first sector on.
//! - A driver may give a request back (`block_rq_requeue`); it is then issued twice.
//! - A **flush** has no sector: the kernel issues it with one and completes it with another, so
//!   flushes of a device are matched by their order. Where a completion is missing, that order is
//!   found again by its sign: each flush seems to complete after the issue of the next. The write
//!   that asked for the flush is completed afterwards with 0 sectors, without an issue of its own;
//!   that event is dropped.

use crate::event::{Event, EventKind};
use crate::flags::Flags;
use crate::front::Front;
use crate::request::{Above, Request, SECTOR_BYTES};
use crate::volumes::{self, Ended, Volumes};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, VecDeque};

/// Requests that wait for a completion at most; beyond that the oldest is given up.
const MOST_PENDING: usize = 1 << 18;
/// Age at which a request without a completion is given up: those behind it wait for it.
const MOST_AGE_NS: u64 = 60_000_000_000;
/// Flushes in a row that may complete after the issue of the next, without a missing completion.
const MOST_LAG: u32 = 64;
/// Tasks that are distinguished at most; requests of others belong to the first.
pub(crate) const MOST_TASKS: usize = 1 << 20;

/// What a request is known by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) device: u16,
    pub(crate) sector: u64,
    pub(crate) operation: Flags,
}

/// A request that was issued.
#[derive(Debug)]
struct Pending {
    request: Request,
    key: Key,
    /// Sectors that are not done yet.
    left: u32,
    is_done: bool,
    /// Bios of volumes that it serves, and the number of those under way.
    above: Vec<u64>,
    waits: usize,
}

/// Requests with the same key, by their number, the oldest first.
#[derive(Debug)]
struct KeyQueue {
    first: u64,
    more: VecDeque<u64>,
}

/// Requests of a volume of device mapper or md.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Followed {
    /// Those that were followed to requests of disks.
    pub followed: u64,
    /// Those whose requests to disks are not all known.
    pub not_followed: u64,
}

/// Numbers of events and requests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Matched {
    /// Requests that were issued.
    pub requests: u64,
    /// Requests whose completion was not seen: in flight at the end, or an event was lost.
    pub without_completion: u64,
    /// Completions whose issue was not seen: in flight at the start, or an event was lost.
    pub without_issue: u64,
    /// Events of commands without an operation, or of devices that are not captured.
    pub other_events: u64,
    /// Requests of volumes (device mapper, md) that were followed to those of disks.
    #[serde(default)]
    pub followed: u64,
    /// Requests of volumes whose requests to disks are not all known.
    #[serde(default)]
    pub not_followed: u64,
    /// The same of each volume, by its position; older captures do not have it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub of_volumes: Vec<Followed>,
}

/// Puts requests together, in the order of their issue.
#[derive(Debug, Default)]
pub struct Matcher {
    start_ns: u64,
    devices: HashMap<u32, u16>,
    /// In the order of their issue; the number of the first one is `first`.
    pending: VecDeque<Pending>,
    first: u64,
    open: HashMap<Key, KeyQueue>,
    /// Of each device, the completions of flushes at which two of one task were open, since there
    /// were not two.
    lags: HashMap<u16, u32>,
    /// Given back by their driver.
    requeued: HashMap<Key, u64>,
    /// What is not issued yet.
    front: Front,
    volumes: Volumes,
    /// Bios of volumes that an issue serves.
    served: Vec<(u64, u64)>,
    tasks: HashMap<(i32, [u8; 16]), u32>,
    new_tasks: Vec<(i32, [u8; 16])>,
    /// The instant of the last event since the start.
    now_ns: u64,
    counts: Matched,
}

impl Matcher {
    /// For events from `start_ns` (CLOCK_MONOTONIC) on, of devices in the order of their positions.
    pub fn new(start_ns: u64, devices: &[u32]) -> Self {
        let devices = devices.iter().copied().zip(0..).collect();
        Self {
            start_ns,
            devices,
            ..Self::default()
        }
    }

    /// Follows requests of these volumes too, in the order of their positions.
    #[must_use]
    pub fn with_volumes(self, volumes: &[u32]) -> Self {
        Self {
            volumes: Volumes::new(volumes),
            ..self
        }
    }

    /// The numbers so far.
    pub fn counts(&self) -> Matched {
        let of_volumes = self.volumes.counts.clone();
        Matched {
            followed: of_volumes.iter().map(|one| one.followed).sum(),
            not_followed: of_volumes.iter().map(|one| one.not_followed).sum(),
            of_volumes,
            ..self.counts.clone()
        }
    }

    /// Adds a device with its position, if it is not known yet.
    pub fn know(&mut self, device: u32, position: u16) {
        self.devices.entry(device).or_insert(position);
    }

    /// Takes in the next event; events come in the order of their time.
    pub fn add(&mut self, event: &Event) {
        self.now_ns = self.since_start(event.at_ns);
        let operation = Flags(event.flags.0 & Flags::OPERATION);
        if event.kind.is_of_volumes() || self.volumes.position(event.device).is_some() {
            self.follow(event, operation);
            return;
        }
        let device = self.devices.get(&event.device).copied();
        let (Some(device), Some(_)) = (device, operation.op()) else {
            self.counts.other_events += 1;
            return;
        };
        let is_flush = operation == Flags::FLUSH;
        let key = Key {
            device,
            sector: if is_flush { 0 } else { event.sector },
            operation,
        };
        match event.kind {
            EventKind::Queued => {
                let task = self.task(event);
                self.front.queue(key, event, task);
            }
            EventKind::Asked => {
                let task = self.task(event);
                self.front.ask(key, event, task);
            }
            EventKind::Inserted => self.front.insert(key, event.at_ns),
            EventKind::Issued => self.issue(key, event),
            // The end of a flush, seen by the write that asked for it.
            EventKind::Completed if event.sectors == 0 && !is_flush => {}
            EventKind::Completed => self.complete(key, event),
            EventKind::Requeued => {
                if let Some(number) = self.pop(key) {
                    self.requeued.insert(key, number);
                }
            }
            EventKind::Remapped | EventKind::Returned => {}
        }
    }

    /// An event that has to do with a volume.
    fn follow(&mut self, event: &Event, operation: Flags) {
        // A flush without data has no sectors to follow.
        if operation.op().is_none() || event.sectors == 0 {
            return;
        }
        let volume = self.volumes.position(event.device);
        let key = |device: u16, sector: u64| Key {
            device,
            sector,
            operation,
        };
        match (event.kind, volume) {
            (EventKind::Queued, Some(volume)) => {
                let task = self.task(event);
                let given_up = self.volumes.queue(key(volume, event.sector), event, task);
                self.settle(given_up);
            }
            (EventKind::Remapped, _) => self.pass_on(event, operation),
            (EventKind::Returned, Some(volume)) => {
                let is_failed = event.flags.has(Flags::FAILED);
                let key = key(volume, event.sector);
                let ended = self.volumes.end(key, event, is_failed);
                if let Some(ended) = ended.as_ref().filter(|_| is_failed) {
                    self.front.drop_of(ended.number);
                }
                self.settle(ended);
            }
            // A volume of whole requests, as multipath: they are not followed.
            _ => {}
        }
    }

    /// A volume or a partition passes a bio on to a device below.
    fn pass_on(&mut self, event: &Event, operation: Flags) {
        let Some((from, sector)) = event.from else {
            return;
        };
        let key = |device: u16, sector: u64| Key {
            device,
            sector,
            operation,
        };
        let disk = self.devices.get(&event.device).copied();
        let lower = self.volumes.position(event.device);
        match (self.volumes.position(from), disk, lower) {
            (Some(volume), disk, lower) => {
                let Some(owner) = self.volumes.pass_on(key(volume, sector), event) else {
                    return;
                };
                if let Some(lower) = lower {
                    let to = key(lower, event.sector);
                    self.volumes.lower(to, event, owner.bio);
                } else if let Some(disk) = disk {
                    self.front.pass_on(key(disk, event.sector), event, owner);
                }
            }
            // From a partition to its disk.
            (None, Some(disk), _) => {
                let (from, to) = (key(disk, sector), key(disk, event.sector));
                self.front.shift(from, to, event.sectors.into());
            }
            (None, None, _) => {}
        }
    }

    /// Requests of disks need not wait for a bio of a volume any more.
    fn settle(&mut self, ended: Option<Ended>) {
        let Some(ended) = ended else {
            return;
        };
        for number in ended.leaves {
            if number >= self.first {
                let pending = self.of_number(number);
                pending.waits = pending.waits.saturating_sub(1);
            }
        }
        let Some((number, volume, end)) = ended.last.filter(|(one, ..)| *one >= self.first) else {
            return;
        };
        let start_ns = self.start_ns;
        let request = &mut self.of_number(number).request;
        let above = volumes::above(volume, end, request, start_ns);
        // Of several bios that became one request, the first counts.
        let queued_ns = |above: Option<Above>| Some(above?.last?.queued_ns);
        if queued_ns(request.early.above) < queued_ns(Some(above)) {
            request.early.above = Some(above);
        }
    }

    /// Hands out what is complete, in the order of issue.
    pub fn take(&mut self, each: &mut impl FnMut(Request)) {
        while let Some(front) = self.pending.front() {
            let is_old = self.now_ns.saturating_sub(front.request.at_ns) > MOST_AGE_NS;
            if !front.is_settled() && !is_old && self.pending.len() <= MOST_PENDING {
                return;
            }
            self.hand_out(each);
        }
    }

    /// Hands out the rest, without completions, and the numbers of all.
    pub fn finish(mut self, each: &mut impl FnMut(Request)) -> Matched {
        while !self.pending.is_empty() {
            self.hand_out(each);
        }
        self.volumes.finish();
        self.counts()
    }

    /// Threads that asked for the first time since the last call, with their names; the position of
    /// each is the number of all before it.
    pub fn new_tasks(&mut self) -> Vec<(i32, [u8; 16])> {
        std::mem::take(&mut self.new_tasks)
    }

    /// Time of an instant of the kernel since the start.
    pub const fn since_start(&self, at_ns: u64) -> u64 {
        at_ns.saturating_sub(self.start_ns)
    }

    fn issue(&mut self, key: Key, event: &Event) {
        if let Some(number) = self.requeued.remove(&key) {
            self.of_number(number).request.flags |= Flags::REQUEUED;
            self.push(key, number);
            return;
        }
        let mut served = std::mem::take(&mut self.served);
        let (mut early, asked) = self.front.take(key, event, &mut served);
        let task = asked.unwrap_or_else(|| self.task(event));
        self.counts.requests += 1;
        let number = self.first + self.pending.len() as u64;
        let mut above = Vec::new();
        for (bio, sectors) in served.drain(..) {
            if let Some(volume) = self.volumes.issue(bio, number, key.device, sectors) {
                early.above = Some(Above { volume, last: None });
                above.push(bio);
            }
        }
        self.served = served;
        self.pending.push_back(Pending {
            request: Request {
                at_ns: self.since_start(event.at_ns),
                service_ns: None,
                device: key.device,
                offset: key.sector.saturating_mul(SECTOR_BYTES),
                bytes: u64::from(event.sectors) * SECTOR_BYTES,
                flags: event.flags,
                task,
                early,
            },
            key,
            left: event.sectors,
            is_done: false,
            waits: above.len(),
            above,
        });
        self.push(key, number);
    }

    fn complete(&mut self, key: Key, event: &Event) {
        let number = if key.operation == Flags::FLUSH {
            self.pop_flush(key)
        } else {
            self.pop_of_length(key, event.sectors)
        };
        let Some(number) = number else {
            self.counts.without_issue += 1;
            return;
        };
        let end_ns = self.since_start(event.at_ns);
        let pending = self.of_number(number);
        pending.request.flags |= Flags(event.flags.0 & Flags::FAILED.0);
        if event.sectors < pending.left {
            pending.left -= event.sectors;
            pending.key.sector = key.sector.saturating_add(u64::from(event.sectors));
            let key = pending.key;
            self.push(key, number);
        } else {
            pending.is_done = true;
            let service = end_ns.saturating_sub(pending.request.at_ns);
            pending.request.service_ns = Some(service);
            for bio in std::mem::take(&mut pending.above) {
                self.volumes.complete(bio, number, event.at_ns);
            }
        }
    }

    fn task(&mut self, event: &Event) -> u32 {
        let key = (event.task, event.comm);
        if let Some(known) = self.tasks.get(&key) {
            return *known;
        }
        if self.tasks.len() >= MOST_TASKS {
            return 0;
        }
        let number = self.tasks.len() as u32;
        self.tasks.insert(key, number);
        self.new_tasks.push(key);
        number
    }

    /// A request, unless it was handed out.
    fn waiting(&self, number: u64) -> Option<&Pending> {
        let place = number.checked_sub(self.first)?;
        self.pending.get(usize::try_from(place).ok()?)
    }

    /// A request that was not handed out yet.
    fn of_number(&mut self, number: u64) -> &mut Pending {
        &mut self.pending[(number - self.first) as usize]
    }

    fn push(&mut self, key: Key, number: u64) {
        self.of_number(number).key = key;
        if let Some(line) = self.open.get_mut(&key) {
            line.more.push_back(number);
        } else {
            let more = VecDeque::new();
            let first = number;
            self.open.insert(key, KeyQueue { first, more });
        }
    }

    /// The first flush that is open. If two of one task were open at more than `MOST_LAG`
    /// completions, with two at each between them, the completion of the first is missing, and this
    /// is the latest: what hands flushes to a queue has one on its way, so two that are there
    /// together come from two. (The threads of the kernel that do it for one queue take turns.)
    fn pop_flush(&mut self, key: Key) -> Option<u64> {
        let line = self.open.get(&key)?;
        let task = |number: u64| Some(self.waiting(number)?.request.task);
        let mut more = line.more.iter();
        let is_late = match (more.next(), more.next()) {
            (Some(second), None) => Some(task(line.first) == task(*second)),
            _ => None,
        };
        let lag = self.lags.entry(key.device).or_default();
        *lag = is_late.map_or(0, |is_late| *lag + u32::from(is_late));
        if *lag <= MOST_LAG {
            return self.pop(key);
        }
        *lag = 0;
        self.open.remove(&key)?.more.pop_back()
    }

    /// The first request that is open, or rather the first of this length: the completion of an
    /// earlier one to the same place may be missing.
    fn pop_of_length(&mut self, key: Key, sectors: u32) -> Option<u64> {
        let line = self.open.get(&key)?;
        let fits = |number: &u64| self.waiting(*number).is_some_and(|one| one.left == sectors);
        let later = line.more.iter().position(fits);
        match later.filter(|_| !fits(&line.first)) {
            Some(position) => self.open.get_mut(&key)?.more.remove(position),
            None => self.pop(key),
        }
    }

    fn pop(&mut self, key: Key) -> Option<u64> {
        let line = self.open.get_mut(&key)?;
        let number = line.first;
        match line.more.pop_front() {
            Some(next) => line.first = next,
            None => {
                self.open.remove(&key);
            }
        }
        Some(number)
    }

    fn hand_out(&mut self, each: &mut impl FnMut(Request)) {
        let Some(pending) = self.pending.pop_front() else {
            return;
        };
        if !pending.is_done {
            self.counts.without_completion += 1;
            self.forget(pending.key, self.first);
        }
        self.first += 1;
        each(pending.request);
    }

    /// Nothing that comes later belongs to this request.
    fn forget(&mut self, key: Key, number: u64) {
        if self.requeued.get(&key) == Some(&number) {
            self.requeued.remove(&key);
        }
        let Some(line) = self.open.get_mut(&key) else {
            return;
        };
        if line.first == number {
            self.pop(key);
        } else {
            line.more.retain(|other| *other != number);
        }
    }
}

impl Pending {
    /// Whether all is known of it.
    const fn is_settled(&self) -> bool {
        self.is_done && self.waits == 0
    }
}

#[cfg(test)]
mod tests;
