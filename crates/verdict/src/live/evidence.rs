//! All numbers that were looked at, in rows.

use super::credit::Credits;
use super::rules::{
    BACKLOG, COST, DIRTY, FLUSH_TIME, IN_DRIVER, IN_FLIGHT, PAGE_CACHE, cap_words, cost_waits,
    flush_share, key_unit, key_words, subject,
};
use super::seen::{DiskSeen, GroupSeen, MountSeen, Seen};
use super::{Evidence, Quantity};
use crate::bound::compare;
use crate::io_limits::allowed;
use fathom_core::{Cap, CapUnit};

const STALLED: &str = "time with a task waiting for I/O";

/// Rows about one subject after the other.
struct Rows<'a> {
    seen: &'a Seen,
    rows: Vec<Evidence>,
}

/// The rows of groups, limits, disks, mounts and memory.
pub(super) fn evidence(seen: &Seen, caps: &[Cap], credits: &Credits) -> Vec<Evidence> {
    let rows = Vec::new();
    let mut all = Rows { seen, rows };
    for one in &seen.groups {
        all.group(one);
    }
    all.caps(caps, credits);
    for disk in &seen.disks {
        all.disk(disk);
    }
    for mount in &seen.mounts {
        all.mount(mount);
    }
    if let Some(memory) = seen.memory {
        let dirty = memory.dirty_bytes as f64;
        let limit = Some(memory.limit_bytes as f64);
        all.row(PAGE_CACHE, DIRTY, Quantity::Bytes, dirty, limit);
    }
    if let Some(share) = seen.stalled {
        all.row("machine", STALLED, Quantity::Share, share, None);
    }
    all.rows
}

impl Rows<'_> {
    fn row(
        &mut self,
        subject: &str,
        what: &'static str,
        unit: Quantity,
        value: f64,
        limit: Option<f64>,
    ) {
        self.rows.push(Evidence {
            subject: subject.to_owned(),
            what,
            value,
            limit,
            unit,
            is_cause: false,
        });
    }

    fn group(&mut self, one: &GroupSeen) {
        let subject = subject(one);
        for line in &one.limits {
            for of in allowed(line, one.moved, self.seen.seconds()) {
                let (what, unit) = (key_words(of.key), key_unit(of.key));
                self.row(&subject, what, unit, of.rate, Some(of.limit));
            }
        }
        if one.cost_wait_ns > 0 {
            let waits = cost_waits(one, self.seen);
            self.row(&subject, COST, Quantity::Requests, waits, None);
        }
        if let Some(share) = one.stalled {
            self.row(&subject, STALLED, Quantity::Share, share, None);
        }
    }

    fn caps(&mut self, caps: &[Cap], credits: &Credits) {
        let figures = self.seen.figures();
        for cap in caps {
            // A limit is known as well while nothing that it counts is done.
            let rate = compare(&figures, cap).map_or(0.0, |found| found.rate);
            let unit = match cap.unit {
                CapUnit::Iops => Quantity::Iops,
                CapUnit::BytesPerSecond => Quantity::BytesPerSecond,
            };
            self.row(&cap.name, cap_words(cap), unit, rate, Some(cap.value));
        }
        for (cap, level) in credits.levels(caps) {
            let capacity = cap.burst.map(|burst| burst.capacity);
            self.row(&cap.name, "burst credit", Quantity::Tokens, level, capacity);
        }
    }

    fn disk(&mut self, disk: &DiskSeen) {
        let name = &disk.name;
        let requests = disk.moved.reads + disk.moved.writes;
        let bytes = disk.moved.read_bytes + disk.moved.written_bytes;
        let seconds = self.seen.seconds();
        let rate = |amount: u64| amount as f64 / seconds;
        self.row(name, "IOPS", Quantity::Iops, rate(requests), None);
        let bytes = rate(bytes);
        self.row(name, "throughput", Quantity::BytesPerSecond, bytes, None);
        let slots = disk.slots.map(|slots| slots as f64);
        self.row(name, IN_FLIGHT, Quantity::Requests, disk.in_flight, slots);
        if let Some(held) = disk.in_driver {
            let tags = disk.tags.map(|tags| tags as f64);
            self.row(name, IN_DRIVER, Quantity::Requests, held, tags);
        }
        if requests > 0 {
            let each = (disk.read_wait_ms + disk.write_wait_ms) as f64 * 1e6 / requests as f64;
            self.row(name, "time of a request", Quantity::Nanoseconds, each, None);
        }
        if let Some(share) = flush_share(disk, self.seen) {
            self.row(name, FLUSH_TIME, Quantity::Share, share, None);
        }
        for one in &disk.exceeded {
            self.row(name, one.what, Quantity::Share, one.share, None);
        }
    }

    fn mount(&mut self, one: &MountSeen) {
        let path = &one.path;
        let rate = one.requests as f64 / self.seen.seconds();
        let round_trip = one.round_trip_ms as f64 * 1e6 / one.requests.max(1) as f64;
        let backlog = one.backlog as f64 / one.sent.max(1) as f64;
        let again = one.retransmitted as f64;
        self.row(path, "reads and writes", Quantity::Iops, rate, None);
        self.row(path, "round trip", Quantity::Nanoseconds, round_trip, None);
        self.row(path, BACKLOG, Quantity::Requests, backlog, None);
        self.row(path, "requests sent again", Quantity::Requests, again, None);
    }
}
