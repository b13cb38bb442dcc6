//! From events to requests: which completion belongs to which issue.
//!
//! - A request is known by its device, its first sector and its operation. Of several that are
//!   equal in that, the one issued first completes first.
//! - A device may complete a request in parts; each part moves the first sector on.
//! - A driver may give a request back (`block_rq_requeue`); it is then issued twice.
//! - A **flush** has no sector: the kernel issues it with one and completes it with another, so
//!   flushes of a device are matched by their order. The write that asked for the flush is
//!   completed afterwards with 0 sectors, without an issue of its own; that event is dropped.

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
struct Line {
    first: u64,
    more: VecDeque<u64>,
}

/// Numbers of events and requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
}

/// Puts requests together, in the order of their issue.
#[derive(Debug, Default)]
pub struct Matcher {
    start_ns: u64,
    devices: HashMap<u32, u16>,
    /// In the order of their issue; the number of the first one is `first`.
    pending: VecDeque<Pending>,
    first: u64,
    open: HashMap<Key, Line>,
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

    /// How many requests of volumes were followed to disks so far, and how many were not.
    pub const fn followed(&self) -> (u64, u64) {
        (self.volumes.followed, self.volumes.not_followed)
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
        (self.counts.followed, self.counts.not_followed) = self.followed();
        self.counts
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
        let Some(number) = self.pop(key) else {
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
            self.open.insert(key, Line { first, more });
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
mod tests {
    use super::*;
    use crate::request::Early;
    use EventKind::{Asked, Completed, Inserted, Issued, Queued, Requeued};

    const DEVICE: u32 = 254 << 20;

    fn event(at_ns: u64, kind: EventKind, letters: &str, sector: u64, sectors: u32) -> Event {
        Event {
            at_ns: at_ns + 1000,
            kind,
            device: DEVICE,
            sector,
            from: None,
            sectors,
            flags: Flags::of_letters(letters.as_bytes()),
            task: 7,
            comm: *b"writer\0\0\0\0\0\0\0\0\0\0",
        }
    }

    fn request(at_ns: u64, service_ns: impl Into<Option<u64>>, letters: &str) -> Request {
        Request {
            at_ns,
            service_ns: service_ns.into(),
            device: 0,
            offset: 0,
            bytes: 0,
            flags: Flags::of_letters(letters.as_bytes()),
            task: 0,
            early: Early::default(),
        }
    }

    fn at(request: Request, sector: u64, sectors: u32) -> Request {
        Request {
            offset: sector * SECTOR_BYTES,
            bytes: u64::from(sectors) * SECTOR_BYTES,
            ..request
        }
    }

    fn matched(events: &[Event]) -> (Vec<Request>, Matched) {
        let mut matcher = Matcher::new(1000, &[DEVICE]);
        let mut found = Vec::new();
        for event in events {
            matcher.add(event);
            matcher.take(&mut |request| found.push(request));
        }
        let counts = matcher.finish(&mut |request| found.push(request));
        (found, counts)
    }

    fn counts(requests: u64, without_completion: u64, without_issue: u64) -> Matched {
        Matched {
            requests,
            without_completion,
            without_issue,
            ..Matched::default()
        }
    }

    #[test]
    fn requests_come_in_the_order_of_issue() {
        let found = matched(&[
            event(0, Completed, "R", 9, 8),
            event(1, Issued, "R", 64, 8),
            event(2, Issued, "WS", 64, 16),
            event(3, Completed, "WS", 64, 16),
            event(5, Completed, "R", 64, 8),
            event(6, Issued, "R", 8, 8),
        ]);
        let expected = vec![
            at(request(1, 4, "R"), 64, 8),
            at(request(2, 1, "WS"), 64, 16),
            at(request(6, None, "R"), 8, 8),
        ];
        assert_eq!(found, (expected, counts(3, 1, 1)));
    }

    #[test]
    fn a_request_without_completion_keeps_the_others_for_a_minute_only() {
        let mut matcher = Matcher::new(1000, &[DEVICE]);
        let mut found = Vec::new();
        let lost = [
            event(1, Issued, "R", 64, 8),
            event(2, Issued, "R", 8, 8),
            event(3, Completed, "R", 8, 8),
            event(1 + MOST_AGE_NS, Issued, "R", 16, 8),
        ];
        for event in &lost {
            matcher.add(event);
        }
        matcher.take(&mut |request| found.push(request));
        assert_eq!(found, []);
        matcher.add(&event(2 + MOST_AGE_NS, Completed, "R", 16, 8));
        matcher.take(&mut |request| found.push(request));
        let expected = [
            at(request(1, None, "R"), 64, 8),
            at(request(2, 1, "R"), 8, 8),
            at(request(1 + MOST_AGE_NS, 1, "R"), 16, 8),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn flushes_are_matched_by_their_order() {
        let found = matched(&[
            event(1, Issued, "F", 0, 0),
            event(2, Completed, "F", u64::MAX, 0),
            event(3, Completed, "WS", 0, 0),
            event(4, Issued, "FF", 77, 0),
            event(5, Issued, "F", 0, 0),
            event(7, Completed, "F", u64::MAX, 0),
            event(9, Completed, "F", u64::MAX, 0),
        ]);
        let expected = vec![request(1, 1, "F"), request(4, 3, "F"), request(5, 4, "F")];
        assert_eq!(found, (expected, counts(3, 0, 0)));
    }

    #[test]
    fn equal_requests_complete_in_their_order() {
        let found = matched(&[
            event(1, Issued, "R", 8, 8),
            event(2, Issued, "R", 8, 8),
            event(3, Issued, "R", 8, 8),
            event(5, Completed, "R", 8, 8),
            event(6, Completed, "R", 8, 8),
            event(9, Completed, "R", 8, 8),
        ]);
        let expected = [(1, 4), (2, 4), (3, 6)];
        let expected = expected.map(|(from, service)| at(request(from, service, "R"), 8, 8));
        assert_eq!(found, (expected.to_vec(), counts(3, 0, 0)));
    }

    #[test]
    fn parts_and_requeued_requests_are_one_request() {
        let found = matched(&[
            event(1, Issued, "W", 8, 24),
            event(2, Completed, "W", 8, 8),
            event(3, Requeued, "W", 16, 16),
            event(4, Issued, "W", 16, 16),
            event(6, Completed, "W", 16, 16),
        ]);
        let mut expected = at(request(1, 5, "W"), 8, 24);
        expected.flags |= Flags::REQUEUED;
        assert_eq!(found, (vec![expected], counts(1, 0, 0)));
    }

    #[test]
    fn who_asked_counts_and_not_who_issued() {
        let mut issued = event(2, Issued, "W", 8, 8);
        issued.task = 33;
        issued.comm = *b"kworker/0:1\0\0\0\0\0";
        let mut matcher = Matcher::new(1000, &[DEVICE]);
        matcher.add(&event(1, Asked, "W", 8, 8));
        matcher.add(&issued);
        // A request that nobody was seen to ask for.
        issued.sector = 99;
        matcher.add(&issued);
        let tasks = matcher.new_tasks();
        let mut found = Vec::new();
        matcher.finish(&mut |request| found.push(request.task));
        let names = [b"writer\0\0\0\0\0\0\0\0\0\0", b"kworker/0:1\0\0\0\0\0"];
        assert_eq!(tasks, [(7, *names[0]), (33, *names[1])]);
        assert_eq!(found, [0, 1]);
    }

    /// Task and early instants of all requests of some events, of which two tasks are one each.
    fn early(events: &[(i32, Event)]) -> Vec<(u32, [Option<u64>; 3])> {
        let mut matcher = Matcher::new(1000, &[DEVICE]);
        for (task, event) in events {
            matcher.add(&Event {
                task: *task,
                ..*event
            });
        }
        let mut found = Vec::new();
        matcher.finish(&mut |request| {
            let early = request.early;
            let instants = [early.queued_ns, early.asked_ns, early.inserted_ns];
            found.push((request.task, instants));
        });
        found
    }

    #[test]
    fn instants_before_the_issue_are_those_of_its_bio() {
        let found = early(&[
            (1, event(1, Queued, "R", 8, 8)),
            (1, event(3, Asked, "R", 8, 8)),
            (1, event(4, Inserted, "R", 8, 8)),
            // Another one for the same sector.
            (2, event(5, Queued, "R", 8, 8)),
            (9, event(7, Issued, "R", 8, 8)),
            (2, event(8, Asked, "R", 8, 8)),
            (9, event(10, Issued, "R", 8, 8)),
            (9, event(11, Issued, "R", 64, 8)),
        ]);
        let expected = [
            (0, [Some(6), Some(4), Some(3)]),
            (1, [Some(5), Some(2), None]),
            (2, [None; 3]),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_bio_that_was_refused_counts_from_its_last_try() {
        let found = early(&[
            // Without a free tag io_uring gets it back, and a worker tries again.
            (1, event(1, Queued, "R", 8, 8)),
            (2, event(4, Queued, "R", 8, 8)),
            (2, event(6, Asked, "R", 8, 8)),
            (9, event(7, Issued, "R", 8, 8)),
            (9, event(8, Completed, "R", 8, 8)),
            (1, event(50, Queued, "R", 8, 8)),
            (1, event(51, Asked, "R", 8, 8)),
            (9, event(52, Issued, "R", 8, 8)),
        ]);
        let expected = [(1, [Some(3), Some(1), None]), (0, [Some(2), Some(1), None])];
        assert_eq!(found, expected);
    }

    #[test]
    fn parts_of_a_long_bio_were_queued_with_it() {
        let found = early(&[
            (1, event(1, Queued, "W", 0, 48)),
            (1, event(2, Asked, "W", 0, 16)),
            (1, event(3, Asked, "W", 16, 16)),
            // The scheduler turns them round; the last part got no tag of its own.
            (9, event(6, Issued, "W", 16, 32)),
            (9, event(7, Issued, "W", 0, 16)),
        ]);
        let expected = [(0, [Some(5), Some(3), None]), (0, [Some(6), Some(5), None])];
        assert_eq!(found, expected);
    }

    #[test]
    fn merged_bios_count_from_the_first() {
        let found = early(&[
            (1, event(1, Queued, "W", 8, 8)),
            (1, event(2, Asked, "W", 8, 8)),
            (2, event(3, Queued, "W", 16, 8)),
            (2, event(4, Queued, "W", 0, 8)),
            (9, event(6, Issued, "W", 0, 24)),
        ]);
        assert_eq!(found, [(0, [Some(5), Some(4), None])]);
    }

    #[test]
    fn a_flush_serves_all_who_asked_for_one() {
        let found = early(&[
            (1, event(1, Queued, "FWS", 0, 0)),
            (2, event(2, Queued, "FWFS", 8, 8)),
            (9, event(4, Issued, "F", 0, 0)),
            (9, event(6, Completed, "F", u64::MAX, 0)),
            (9, event(7, Issued, "WFS", 8, 8)),
        ]);
        let expected = [(0, [Some(3), None, None]), (1, [Some(5), None, None])];
        assert_eq!(found, expected);
    }

    #[test]
    fn lost_completions_do_not_take_all_memory() {
        let mut matcher = Matcher::new(1000, &[DEVICE]);
        let mut found = 0;
        let most = MOST_PENDING as u64;
        for sector in 0..most + 100 {
            // Each of two sectors has many that are equal.
            matcher.add(&event(1, Issued, "R", sector % 2, 1));
            matcher.take(&mut |_| found += 1);
        }
        assert_eq!((found, matcher.pending.len() as u64), (100, most));
        matcher.add(&event(2, Completed, "R", 0, 1));
        let mut first = None;
        let counts = matcher.finish(&mut |request| {
            first.get_or_insert(request.service_ns);
        });
        let expected = (most + 100, most + 99, 0, Some(Some(1)));
        let found = (counts.requests, counts.without_completion);
        assert_eq!((found.0, found.1, counts.without_issue, first), expected);
    }

    #[test]
    fn other_devices_and_commands_are_counted() {
        let mut other = event(1, Issued, "R", 0, 8);
        other.device = 8 << 20;
        let found = matched(&[other, event(2, Issued, "N", 0, 0)]);
        let expected = Matched {
            other_events: 2,
            ..Matched::default()
        };
        assert_eq!(found, (Vec::new(), expected));
    }
}
