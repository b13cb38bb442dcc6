//! What limits: a rule for each cause, the most certain first.

use super::seen::{DiskSeen, GroupSeen, Seen};
use super::thresholds::{
    COST_WAITS, EXCEEDED, FEWEST_SLOTS, FULL, NFS_BACKLOG, SCHEDULER_HOLDS, STALLED, WAITED_FOR,
};
use super::{Cause, Evidence, Quantity};
use crate::bound::{DIRTY_AT_LIMIT, FLUSHING, Match, compare};
use crate::io_limits::{Allowed, allowed};
use fathom_core::{Cap, CapOwner, CapScope, CapUnit, figure};

/// A cause, and what shows it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Finding {
    pub(super) cause: Cause,
    /// What limits, as a clause.
    pub(super) words: String,
    /// Subject and name of the number that it rests on.
    rests_on: (String, &'static str),
    /// The limit of a volume or an instance.
    pub(super) cap: Option<Cap>,
    /// Whether it is the burst of that limit.
    pub(super) is_burst: bool,
}

impl Finding {
    fn new(cause: Cause, rests_on: (&str, &'static str), words: String) -> Self {
        Self {
            cause,
            words,
            rests_on: (rests_on.0.to_owned(), rests_on.1),
            cap: None,
            is_burst: false,
        }
    }

    pub(super) fn rests_on(&self, one: &Evidence) -> bool {
        (one.subject.as_str(), one.what) == (self.rests_on.0.as_str(), self.rests_on.1)
    }
}

pub(super) const IN_FLIGHT: &str = "requests in flight";
pub(super) const IN_DRIVER: &str = "requests in the driver";
pub(super) const FLUSH_TIME: &str = "time with a flush under way";
pub(super) const COST: &str = "requests waiting for io.cost";
pub(super) const DIRTY: &str = "dirty pages";
pub(super) const BACKLOG: &str = "requests waiting for a slot";
pub(super) const PAGE_CACHE: &str = "page cache";

/// All causes that hold, the most certain first.
pub(super) fn findings(seen: &Seen, caps: &[Cap]) -> Vec<Finding> {
    let groups = || seen.groups.iter();
    let disks = || seen.disks.iter();
    let is_counted = |owner| {
        let mut pages = disks().map(|disk| disk.exceeded.iter());
        pages.len() > 0 && pages.all(|mut page| page.any(|one| one.owner == owner))
    };
    // What the disks count of an owner's limits decides about them; rates could only repeat it.
    let uncounted = caps.iter().filter(|cap| !is_counted(cap.owner));
    let mut found: Vec<Finding> = disks()
        .filter_map(|disk| exceeded(disk, seen, caps))
        .collect();
    found.extend(groups().filter_map(|one| group(one, seen)));
    found.extend(groups().filter_map(|one| cost(one, seen)));
    found.extend(at_cap(seen, uncounted));
    found.extend(slots_of_nfs(seen));
    found.extend(writeback(seen));
    found.extend(disks().filter_map(|one| flush(one, seen)));
    found.extend(disks().filter_map(queue));
    found.extend(disks().filter_map(scheduler));
    found
}

fn group(one: &GroupSeen, seen: &Seen) -> Option<Finding> {
    let of_line = |line: &String| {
        let mut all = allowed(line, one.moved, seen.seconds()).into_iter();
        let reached = all.find(Allowed::is_reached)?;
        let file = line.split(' ').next().unwrap_or_default();
        let (rate, limit) = rates_of(&reached);
        let words = format!(
            "the control group: {file} of {} allows {limit} on {}, and {rate} are served",
            group_name(one),
            one.device,
        );
        let subject = subject(one);
        let rests_on = (subject.as_str(), key_words(reached.key));
        Some(Finding::new(Cause::ControlGroup, rests_on, words))
    };
    one.limits.iter().find_map(of_line)
}

pub(super) fn group_name(one: &GroupSeen) -> &str {
    if one.group.is_empty() {
        "/"
    } else {
        &one.group
    }
}

pub(super) fn subject(one: &GroupSeen) -> String {
    format!("{} on {}", group_name(one), one.device)
}

pub(super) const fn key_words(key: &str) -> &'static str {
    match key.as_bytes() {
        b"riops" => "reads per second",
        b"wiops" => "writes per second",
        b"rbps" => "read throughput",
        _ => "write throughput",
    }
}

pub(super) const fn key_unit(key: &str) -> Quantity {
    match key.as_bytes() {
        b"riops" | b"wiops" => Quantity::Iops,
        _ => Quantity::BytesPerSecond,
    }
}

/// The rate and the limit in words.
fn rates_of(one: &Allowed) -> (String, String) {
    let noun = match one.key {
        "riops" | "rbps" => "reads",
        _ => "writes",
    };
    match key_unit(one.key) {
        Quantity::Iops => (
            figure::iops(one.rate),
            format!("{} {noun}/s", figure::iops(one.limit)),
        ),
        _ => (
            format!("{} MB/s", figure::megabytes(one.rate)),
            format!("{} MB/s of {noun}", figure::megabytes(one.limit)),
        ),
    }
}

pub(super) fn cost_waits(one: &GroupSeen, seen: &Seen) -> f64 {
    one.cost_wait_ns as f64 / seen.length_ns.max(1) as f64
}

fn cost(one: &GroupSeen, seen: &Seen) -> Option<Finding> {
    let waits = cost_waits(one, seen);
    (waits >= COST_WAITS).then(|| {
        let words = format!(
            "io.cost: {} requests of the control group {} wait for their share of {} on average",
            figure::outstanding(waits),
            group_name(one),
            one.device,
        );
        Finding::new(Cause::IoCost, (&subject(one), COST), words)
    })
}

/// The limit of which the disk itself counts that it was exceeded, with what the known limits of
/// the same owner add: whether it is a burst, and when credit ends.
fn exceeded(disk: &DiskSeen, seen: &Seen, caps: &[Cap]) -> Option<Finding> {
    let most = disk.exceeded.iter();
    let most = most.max_by(|one, other| one.share.total_cmp(&other.share))?;
    if most.share < EXCEEDED {
        return None;
    }
    let cause = match most.owner {
        CapOwner::Instance => Cause::InstanceCap,
        _ => Cause::VolumeCap,
    };
    let words = format!(
        "{}: the NVMe log page of {} counts more requests than allowed in {} of the time",
        most.what,
        disk.name,
        figure::percent(most.share * 100.0)
    );
    let known = at_cap(seen, caps.iter().filter(|cap| cap.owner == most.owner));
    let known = known.filter(|known| known.cap.as_ref().is_some_and(|cap| cap.burst.is_some()));
    let counted = Finding::new(cause, (&disk.name, most.what), words);
    Some(match known {
        Some(known) => Finding {
            words: format!("{}; {}", counted.words, known.words),
            rests_on: counted.rests_on,
            ..known
        },
        None => counted,
    })
}

/// A limit of a volume, of the instance or of the user: first those that last, then bursts.
fn at_cap<'a>(seen: &Seen, caps: impl Iterator<Item = &'a Cap>) -> Option<Finding> {
    if seen.in_flight() < WAITED_FOR {
        return None;
    }
    let figures = seen.figures();
    let caps: Vec<Cap> = caps.cloned().collect();
    let burst = |cap: &Cap| {
        Some(Cap {
            value: cap.burst?.value,
            ..cap.clone()
        })
    };
    let nearest = |caps: &[Cap]| {
        let near = caps.iter().filter_map(|cap| compare(&figures, cap));
        let near = near.filter(|found| found.is_near);
        let distance = |found: &Match<'_>| (found.rate / found.cap.value - 1.0).abs();
        let nearest = near.min_by(|one, other| distance(one).total_cmp(&distance(other)));
        nearest.map(|found| (found.cap.clone(), found.rate))
    };
    let bursts: Vec<Cap> = caps.iter().filter_map(burst).collect();
    let lasting = nearest(&caps).map(|found| (found, false));
    let ((cap, rate), is_burst) = lasting.or_else(|| Some((nearest(&bursts)?, true)))?;
    let is_used_up = cap.burst.is_some() && !is_burst;
    let cause = match cap.owner {
        _ if is_used_up => Cause::Credit,
        CapOwner::Volume => Cause::VolumeCap,
        CapOwner::Instance => Cause::InstanceCap,
        CapOwner::ControlGroup => Cause::ControlGroup,
        CapOwner::Unknown => Cause::Cap,
    };
    let (rate, limit) = match cap.unit {
        CapUnit::Iops => (
            figure::iops(rate),
            format!("{} IOPS", figure::iops(cap.value)),
        ),
        CapUnit::BytesPerSecond => (
            format!("{} MB/s", figure::megabytes(rate)),
            format!("{} MB/s", figure::megabytes(cap.value)),
        ),
    };
    let scope = match cap.scope {
        CapScope::All => "",
        CapScope::Reads => " of reads",
        CapScope::Writes => " of writes",
    };
    let name = &cap.name;
    let words = if is_used_up {
        format!("{name}, whose burst credit is used up: {rate} of {limit}{scope}")
    } else if is_burst {
        format!("the burst limit of {name}: {rate} of {limit}{scope}")
    } else {
        format!("{name}: {rate} of {limit}{scope}")
    };
    let what = cap_words(&cap);
    Some(Finding {
        cap: Some(cap.clone()),
        is_burst,
        ..Finding::new(cause, (&cap.name, what), words)
    })
}

pub(super) const fn cap_words(cap: &Cap) -> &'static str {
    match (cap.unit, cap.scope) {
        (CapUnit::Iops, CapScope::All) => "IOPS",
        (CapUnit::Iops, CapScope::Reads) => "reads per second",
        (CapUnit::Iops, CapScope::Writes) => "writes per second",
        (CapUnit::BytesPerSecond, CapScope::All) => "throughput",
        (CapUnit::BytesPerSecond, CapScope::Reads) => "read throughput",
        (CapUnit::BytesPerSecond, CapScope::Writes) => "write throughput",
    }
}

fn slots_of_nfs(seen: &Seen) -> Option<Finding> {
    let waits = |backlog: u64, sent: u64| backlog as f64 / sent.max(1) as f64;
    let mut mounts = seen.mounts.iter();
    let mount = mounts.find(|one| waits(one.backlog, one.sent) >= NFS_BACKLOG)?;
    let words = format!(
        "the queue depth of NFS: {} requests to {} wait for a slot of the client on average",
        figure::outstanding(waits(mount.backlog, mount.sent)),
        mount.path
    );
    let rests_on = (mount.path.as_str(), BACKLOG);
    Some(Finding::new(Cause::QueueDepth, rests_on, words))
}

fn writeback(seen: &Seen) -> Option<Finding> {
    let memory = seen.memory?;
    let share = memory.dirty_bytes as f64 / memory.limit_bytes.max(1) as f64;
    let is_stalled = seen.stalled.is_none_or(|share| share >= STALLED);
    let is_written = memory.dirtied_bytes > 0 && seen.figures().write_iops > 0.0;
    (memory.limit_bytes > 0 && share >= DIRTY_AT_LIMIT && is_stalled && is_written).then(|| {
        let words = format!(
            "writeback: {} of dirty pages are {} of the kernel's limit, where it holds writers \
             back",
            figure::volume(memory.dirty_bytes),
            figure::percent(share * 100.0)
        );
        Finding::new(Cause::Writeback, (PAGE_CACHE, DIRTY), words)
    })
}

pub(super) fn flush_share(disk: &DiskSeen, seen: &Seen) -> Option<f64> {
    let (_, time_ms) = disk.flushes?;
    Some(time_ms as f64 / 1e3 / seen.seconds())
}

fn flush(disk: &DiskSeen, seen: &Seen) -> Option<Finding> {
    let share = flush_share(disk, seen).filter(|share| *share >= FLUSHING)?;
    let (count, time_ms) = disk.flushes?;
    let words = format!(
        "flushes: {} of them on {} took {} each, {} of the time",
        figure::count(count),
        disk.name,
        figure::time(time_ms as f64 * 1e6 / count.max(1) as f64),
        figure::percent(share.min(1.0) * 100.0)
    );
    Some(Finding::new(Cause::Flush, (&disk.name, FLUSH_TIME), words))
}

/// A queue or a driver that is full.
fn queue(disk: &DiskSeen) -> Option<Finding> {
    let full = |held: Option<f64>, slots: Option<u64>, what| {
        let (held, slots) = (held?, slots?);
        let is_full = slots >= FEWEST_SLOTS && held >= FULL * slots as f64;
        is_full.then_some((held, slots, what))
    };
    let driver = full(disk.in_driver, disk.tags, IN_DRIVER);
    let found = driver.or_else(|| full(Some(disk.in_flight), disk.slots, IN_FLIGHT));
    let (held, slots, what) = found?;
    let words = format!(
        "the queue depth: {} of {} requests that {} takes at once are in flight",
        figure::outstanding(held),
        figure::count(slots),
        disk.name
    );
    Some(Finding::new(Cause::QueueDepth, (&disk.name, what), words))
}

fn scheduler(disk: &DiskSeen) -> Option<Finding> {
    let (scheduler, in_driver) = (disk.scheduler.as_ref()?, disk.in_driver?);
    let holds = disk.in_flight - in_driver;
    let is_held = holds >= SCHEDULER_HOLDS && holds >= in_driver;
    is_held.then(|| {
        let words = format!(
            "the scheduler {scheduler}: it holds {} requests, while {} gets {}",
            figure::outstanding(holds),
            disk.name,
            figure::outstanding(in_driver)
        );
        Finding::new(Cause::Scheduler, (&disk.name, IN_DRIVER), words)
    })
}
