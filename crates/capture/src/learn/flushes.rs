//! Whose flushes a kernel worker hands over.
//!
//! Who flushes has written since its last flush, waits for the writes, and flushes as soon as they
//! complete: of the tasks that have no write in flight, it is the one whose writes completed last.
//! A task that often writes during flushes that seem to be its own does not wait for them.

use crate::request::Request;
use std::collections::{BTreeMap, VecDeque};

/// Tasks that have written and not flushed since, of one device; the oldest are forgotten.
const MOST_WRITERS: usize = 64;

/// Share of the flushes of a device below which a role has none: by chance its write was the last.
const LEAST_SHARE: f64 = 0.01;
/// Tasks whose flushes are counted.
const MOST_TASKS: usize = 4096;
/// A task does not wait for flushes if it writes during more than one of this number.
const CONFLICTS: u64 = 10;
/// Flushes of a task that show it.
const LEAST_FLUSHES: u64 = 10;

/// Flushes of one device without an owner, and the tasks that write to it.
#[derive(Clone, Debug, Default)]
pub(super) struct Flushes {
    writers: VecDeque<Writer>,
    /// The number and the service times, in seconds, of each role's flushes; of those after no
    /// write the role is none.
    of_roles: BTreeMap<Option<usize>, (u64, f64)>,
    /// Of each task, the flushes that seemed to be its own, and those during which it wrote.
    of_tasks: BTreeMap<u32, (u64, u64)>,
    latest: Option<Latest>,
}

/// The latest flush.
#[derive(Clone, Copy, Debug)]
struct Latest {
    until_ns: u64,
    service_s: f64,
    owner: Writer,
    /// Whose it is otherwise.
    second: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Writer {
    task: u32,
    role: usize,
    /// When all of its writes have completed.
    done_ns: u64,
}

/// Those of all devices.
#[derive(Clone, Debug, Default)]
pub(super) struct DeviceFlushes(BTreeMap<u16, Flushes>);

impl DeviceFlushes {
    /// Adds a write of a role.
    pub(super) fn wrote(&mut self, request: &Request, role: usize, now_ns: u64) {
        let flushes = self.0.entry(request.device).or_default();
        flushes.wrote(
            (request.task, role),
            now_ns,
            request.service_ns.unwrap_or(0),
        );
    }

    /// Adds a flush. The answer is its role, if anybody has written.
    pub(super) fn flushed(&mut self, request: &Request, now_ns: u64) -> Option<usize> {
        let flushes = self.0.entry(request.device).or_default();
        flushes.flushed(now_ns, request.service_ns)
    }

    /// The role that flushes most, by device.
    pub(super) fn owners(&self) -> BTreeMap<u16, usize> {
        let devices = self.0.iter();
        let owner = |(device, flushes): (&u16, &Flushes)| Some((*device, flushes.owner()?));
        devices.filter_map(owner).collect()
    }

    /// The flushes of each role of each device with the sum of their service times.
    pub(super) fn of_roles(&self) -> impl Iterator<Item = (usize, u64, f64)> {
        self.0.values().flat_map(Flushes::of_roles)
    }
}

impl Flushes {
    pub(super) fn wrote(&mut self, (task, role): (u32, usize), at_ns: u64, service_ns: u64) {
        self.check(task, at_ns);
        let done_ns = at_ns.saturating_add(service_ns);
        let known = self.writers.iter_mut().find(|one| one.task == task);
        if let Some(writer) = known {
            writer.role = role;
            writer.done_ns = writer.done_ns.max(done_ns);
            return;
        }
        if self.writers.len() == MOST_WRITERS {
            self.writers.pop_front();
        }
        let writer = Writer {
            task,
            role,
            done_ns,
        };
        self.writers.push_back(writer);
    }

    /// Takes the latest flush from a task that writes during it.
    fn check(&mut self, task: u32, at_ns: u64) {
        let is_it = |latest: &Latest| latest.owner.task == task && at_ns < latest.until_ns;
        let Some(latest) = self.latest.take_if(|latest| is_it(latest)) else {
            return;
        };
        if let Some((_, conflicts)) = self.of_tasks.get_mut(&task) {
            *conflicts += 1;
        }
        let wrong = self.of_roles.entry(Some(latest.owner.role)).or_default();
        wrong.0 = wrong.0.saturating_sub(1);
        wrong.1 -= latest.service_s;
        self.count(latest.second, latest.service_s);
    }

    fn count(&mut self, role: Option<usize>, service_s: f64) {
        let (count, service) = self.of_roles.entry(role).or_default();
        *count += 1;
        *service += service_s;
    }

    /// Whether a task waits for its flushes, as far as is known.
    fn waits(&self, task: u32) -> bool {
        let (flushes, conflicts) = self.of_tasks.get(&task).copied().unwrap_or_default();
        flushes < LEAST_FLUSHES || conflicts * CONFLICTS <= flushes
    }

    /// Whose flush it is, if anybody has written.
    pub(super) fn flushed(&mut self, at_ns: u64, service_ns: Option<u64>) -> Option<usize> {
        let done = self.writers.iter().enumerate();
        let done = done.filter(|(_, writer)| writer.done_ns <= at_ns);
        let mut done: Vec<(bool, u64, usize)> = done
            .map(|(place, writer)| (self.waits(writer.task), writer.done_ns, place))
            .collect();
        done.sort_unstable_by(|a, b| b.cmp(a));
        let second = done.get(1).map(|(.., place)| self.writers[*place].role);
        let owner = done
            .first()
            .and_then(|(.., place)| self.writers.remove(*place));
        let service_s = service_ns.unwrap_or(0) as f64 / 1e9;
        self.latest = owner.map(|owner| Latest {
            until_ns: at_ns.saturating_add(service_ns.unwrap_or(0)),
            service_s,
            owner,
            second,
        });
        let role = owner.map(|owner| owner.role);
        self.count(role, service_s);
        let task = owner.map(|owner| owner.task);
        let task = task
            .filter(|task| self.of_tasks.len() < MOST_TASKS || self.of_tasks.contains_key(task));
        if let Some(task) = task {
            self.of_tasks.entry(task).or_default().0 += 1;
        }
        role
    }

    /// The role with the most flushes; none if nothing was written.
    pub(super) fn owner(&self) -> Option<usize> {
        let known = self
            .of_roles
            .iter()
            .filter_map(|(role, sums)| Some((sums.0, (*role)?)));
        known.max().map(|(_, role)| role)
    }

    /// The flushes of each role with the sum of their service times. Those after no write, and
    /// those of a role with few, are the ones of the role that flushes most.
    pub(super) fn of_roles(&self) -> impl Iterator<Item = (usize, u64, f64)> {
        let owner = self.owner();
        let all: u64 = self.of_roles.values().map(|(count, _)| count).sum();
        let least = (all as f64 * LEAST_SHARE) as u64;
        let each = self.of_roles.iter();
        each.filter_map(move |(role, (count, service))| {
            let role = role.filter(|_| *count >= least);
            Some((role.or(owner)?, *count, *service))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_for_a_flush_owns_it() {
        let mut flushes = Flushes::default();
        for number in 0..100 {
            let at_ns = number * 1_000_000;
            flushes.wrote((11, 1), at_ns, 90_000);
            // Of the other one some complete later, and most are in flight by then.
            let service_ns = if number % 8 == 0 { 30_000 } else { 400_000 };
            flushes.wrote((10, 0), at_ns + 50_000, service_ns);
            flushes.flushed(at_ns + 100_000, Some(300_000));
        }
        assert_eq!(flushes.owner(), Some(1));
        assert_eq!(Flushes::default().owner(), None);
    }

    #[test]
    fn who_writes_during_flushes_does_not_wait_for_them() {
        let mut flushes = Flushes::default();
        for number in 0..1000 {
            let at_ns = number * 1_000_000;
            flushes.wrote((11, 1), at_ns, 90_000);
            // The other one completes later each time, and writes during every fourth flush.
            flushes.wrote((10, 0), at_ns + 50_000, 45_000);
            flushes.flushed(at_ns + 100_000, Some(300_000));
            if number % 4 == 0 {
                flushes.wrote((10, 0), at_ns + 200_000, 50_000);
            }
        }
        let found: Vec<_> = flushes
            .of_roles()
            .map(|(role, count, _)| (role, count))
            .collect();
        assert_eq!(found, [(1, 7), (1, 993)]);
    }

    #[test]
    fn each_flush_belongs_to_who_wrote_last() {
        let mut flushes = Flushes::default();
        for number in 0..60 {
            let at_ns = number * 1_000_000;
            flushes.wrote((11, 1), at_ns, 90_000);
            flushes.flushed(at_ns + 100_000, Some(200_000));
            if number % 3 == 0 {
                flushes.wrote((10, 0), at_ns + 400_000, 80_000);
                flushes.flushed(at_ns + 500_000, Some(300_000));
            }
        }
        flushes.flushed(60_000_000, None);
        let found: Vec<_> = flushes
            .of_roles()
            .map(|(role, count, _)| (role, count))
            .collect();
        assert_eq!(found, [(1, 1), (0, 20), (1, 60)]);
    }
}
