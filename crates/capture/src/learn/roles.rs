//! Few roles out of many cells.
//!
//! A cell, the requests of a group and an operation to a device, is split where some parts of the
//! device are used in order and others are not. Parts of one group in the same space and order are
//! one role. While there are more roles than a person reads, the smallest joins the nearest one.

use super::census::{Census, Group};
use super::ends::Ends;
use super::extents::{Extents, Units};
use super::pace::{LoadKind, Manner, Pace};
use super::pauses::Pauses;
use crate::request::Request;
use fathom_core::Op;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Roles at most.
const MOST_ROLES: usize = 8;
/// A role with less than this share of requests and of bytes joins another one.
const LEAST_SHARE: f64 = 0.005;
/// Roles of one space have at least this share of the smaller space in common.
const COMMON_SHARE: f64 = 0.5;
/// And differ by less in the share of requests that continue others.
const MOST_DIFFERENCE: f64 = 0.35;
/// A unit is used in order above the second share of such requests, and not below the first.
const ORDER: (f64, f64) = (0.25, 0.75);
/// Requests that a task of a chain has in flight at most, on average.
const MOST_CHAIN_DEPTH: f64 = 1.5;
/// Threads of the kernel that make requests for others.
const HELPERS: [&str; 4] = ["kworker", "jbd", "xfsaild", "txg_sync"];
/// Share of the requests in units that are neither, at most, for a split.
const MOST_BETWEEN: f64 = 0.2;
/// And share in either kind of units at least.
const LEAST_SIDE: f64 = 0.01;

/// What becomes one role.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) groups: BTreeSet<usize>,
    /// The one with the most requests.
    pub(super) main: usize,
    pub(super) device: u16,
    pub(super) requests: u64,
    bytes: u64,
    /// Requests that continue others, or nearly do.
    near: u64,
    pub(super) extents: Extents,
    /// Requests of other roles that were too small.
    pub(super) joined: u64,
}

/// Which role a request of a cell has.
#[derive(Clone, Debug)]
struct Door {
    units: Units,
    /// Units that are used in order.
    ordered: BTreeSet<u64>,
    /// The roles of the other units and of these.
    roles: [usize; 2],
}

/// How the tasks of a group make requests.
#[derive(Clone, Debug, Default)]
pub(super) struct Manners {
    pub(super) open: u64,
    pub(super) closed: u64,
    /// Times of closed tasks from their first to their last request.
    pub(super) closed_ns: u64,
    /// Weighted by requests.
    pub(super) depth: f64,
    pub(super) burst: f64,
    pub(super) pauses: Pauses,
}

/// The roles of a trace.
#[derive(Clone, Debug)]
pub struct Roles {
    pub(super) groups: Vec<Group>,
    pub(super) of_task: Vec<usize>,
    pub(super) drafts: Vec<Draft>,
    doors: BTreeMap<(usize, u16, Op), Door>,
    pub(super) manners: Vec<Manners>,
    pub(super) length_ns: u64,
}

impl Roles {
    /// Those of a trace of this length; a user may state whether its requests wait.
    pub fn of(mut census: Census, length_ns: u64, stated: Option<LoadKind>) -> Self {
        let chain = census.chain().filter(|_| stated != Some(LoadKind::Open));
        census.part_tasks();
        let mut drafts: Vec<Draft> = Vec::new();
        let mut doors = BTreeMap::new();
        let mut cells: Vec<_> = census.cells.into_iter().collect();
        cells.sort_by_key(|(key, cell)| (Reverse(cell.whole.requests), *key));
        for ((group, device, op), cell) in cells {
            let cell = cell.whole;
            let ordered = ordered(&cell.units);
            let mut roles = [0; 2];
            for (side, role) in roles.iter_mut().enumerate() {
                let is_side = |number: u64| ordered.contains(&number) == (side == 1);
                let (mut requests, mut near) = (0, 0);
                for (number, unit) in cell.units.each() {
                    if is_side(number) {
                        requests += unit.requests;
                        near += unit.near;
                    }
                }
                if requests == 0 {
                    continue;
                }
                let share = u128::from(cell.bytes) * u128::from(requests);
                let draft = Draft {
                    groups: BTreeSet::from([group]),
                    main: group,
                    device,
                    requests,
                    bytes: (share / u128::from(cell.requests)) as u64,
                    near,
                    extents: cell.units.extents(is_side).closed(),
                    joined: 0,
                };
                *role = place(&mut drafts, draft);
            }
            let door = Door {
                units: cell.units,
                ordered,
                roles,
            };
            doors.insert((group, device, op), door);
        }
        let mut manners = vec![Manners::default(); census.groups.len()];
        for (task, pace) in &census.paces {
            let group = census.of_task.get(*task as usize).copied().unwrap_or(0);
            if let Some(manners) = manners.get_mut(group) {
                manners.add(pace, stated);
            }
        }
        for ((group, _), pauses) in census.pauses {
            if let Some(manners) = manners.get_mut(group) {
                manners.pauses.join(&pauses);
            }
        }
        let mut roles = Self {
            groups: census.groups,
            of_task: census.of_task,
            drafts,
            doors,
            manners,
            length_ns,
        };
        if let Some((pace, pauses)) = chain {
            roles.join_all(&pace, pauses, stated);
        } else {
            roles.join_chains();
            roles.reduce();
        }
        roles
    }

    /// How many roles the trace has.
    pub fn count(&self) -> usize {
        self.drafts.len()
    }

    /// Bytes that all roles use.
    pub fn footprint_bytes(&self) -> u64 {
        self.drafts.iter().map(|draft| draft.extents.bytes()).sum()
    }

    pub(super) fn group_of(&self, request: &Request) -> usize {
        let group = self.of_task.get(request.task as usize);
        group.copied().unwrap_or(0)
    }

    /// Whether a group is the workers of the kernel.
    pub(super) fn is_kernel_worker(&self, group: usize) -> bool {
        let group = self.groups.get(group);
        group.is_some_and(|group| group.process == "kworker")
    }

    /// The role of a request that is no flush.
    pub(super) fn role_of(&self, request: &Request, op: Op) -> Option<usize> {
        let key = (self.group_of(request), request.device, op);
        let door = self.doors.get(&key)?;
        let unit = door.units.number_of(request.offset);
        Some(door.roles[usize::from(door.ordered.contains(&unit))])
    }

    /// How the tasks of a role make requests.
    pub(super) fn manners_of(&self, draft: &Draft) -> Manners {
        let mut all = Manners::default();
        for manners in draft
            .groups
            .iter()
            .filter_map(|group| self.manners.get(*group))
        {
            all.open += manners.open;
            all.closed += manners.closed;
            all.closed_ns += manners.closed_ns;
            all.depth += manners.depth;
            all.burst += manners.burst;
            all.pauses.join(&manners.pauses);
        }
        all
    }

    /// Makes one role of requests that wait for each other, whoever makes them: the kernel writes
    /// the journal for a commit, and the client waits.
    fn join_all(&mut self, pace: &Pace, pauses: Pauses, stated: Option<LoadKind>) {
        let is_helper = |draft: &&Draft| {
            let group = self.groups.get(draft.main);
            group.is_some_and(|group| HELPERS.contains(&group.process.as_str()))
        };
        let clients = self.drafts.iter().filter(|draft| !is_helper(draft));
        let client = clients.max_by_key(|draft| draft.requests);
        let main = client.map(|draft| draft.main);
        while self.drafts.len() > 1 {
            let all = self.drafts.iter().enumerate();
            let Some((smallest, _)) = all.min_by_key(|(_, draft)| draft.requests) else {
                return;
            };
            self.join_nearest(smallest);
        }
        let Some(draft) = self.drafts.first_mut() else {
            return;
        };
        draft.joined = 0;
        draft.main = main.unwrap_or(draft.main);
        draft.groups = BTreeSet::from([draft.main]);
        let mut manners = Manners {
            pauses,
            ..Manners::default()
        };
        manners.add(pace, stated);
        if let Some(of_main) = self.manners.get_mut(draft.main) {
            *of_main = manners;
        }
    }

    /// Makes one role of what the tasks of a group do one after the other: as roles of their own, a
    /// read and the log write after it would not become faster together.
    fn join_chains(&mut self) {
        let mut into = 0;
        while into < self.drafts.len() {
            let draft = &self.drafts[into];
            let is_alike =
                |other: &Draft| other.groups == draft.groups && other.device == draft.device;
            let mut rest = self.drafts[into + 1..].iter();
            let next = self.is_chain(draft).then(|| rest.position(is_alike));
            match next.flatten() {
                Some(position) => self.join(into + 1 + position, into),
                None => into += 1,
            }
        }
    }

    /// Whether a role is what the tasks of one group do, each one request after the other.
    fn is_chain(&self, draft: &Draft) -> bool {
        let mut groups = draft.groups.iter();
        let (Some(group), None) = (groups.next(), groups.next()) else {
            return false;
        };
        let is_helper = HELPERS.contains(&self.groups[*group].process.as_str());
        let manners = &self.manners[*group];
        let is_closed = manners.closed > manners.open;
        !is_helper && is_closed && manners.depth < MOST_CHAIN_DEPTH * manners.closed as f64
    }

    /// Joins the smallest with others until few are left.
    fn reduce(&mut self) {
        let sum = |of: fn(&Draft) -> u64| self.drafts.iter().map(of).sum::<u64>() as f64;
        let (requests, bytes) = (sum(|one| one.requests), sum(|one| one.bytes));
        let is_small = |draft: &Draft| {
            (draft.requests as f64) < requests * LEAST_SHARE
                && (draft.bytes as f64) < bytes * LEAST_SHARE
        };
        while self.drafts.len() > 1 {
            let all = self.drafts.iter().enumerate();
            let Some((last, smallest)) = all.min_by_key(|(_, draft)| draft.requests) else {
                return;
            };
            let (last, is_small) = (last, is_small(smallest));
            if self.drafts.len() <= MOST_ROLES && !is_small {
                return;
            }
            self.join_nearest(last);
        }
    }

    fn join_nearest(&mut self, number: usize) {
        let draft = &self.drafts[number];
        let process = |draft: &Draft| {
            let groups = draft
                .groups
                .iter()
                .filter_map(|group| self.groups.get(*group));
            groups
                .map(|group| group.process.clone())
                .collect::<BTreeSet<_>>()
        };
        let processes = process(draft);
        let nearness = |other: &Draft| {
            (
                other.device == draft.device,
                !process(other).is_disjoint(&processes),
                other.extents.common(&draft.extents) > 0,
                Reverse((1000.0 * (other.order() - draft.order()).abs()) as u64),
                other.requests,
            )
        };
        let others = self.drafts.iter().enumerate();
        let others = others.filter(|(other, _)| *other != number);
        let nearest = others.max_by_key(|(_, other)| nearness(other));
        let Some((into, _)) = nearest else { return };
        self.drafts[into].joined += self.drafts[number].requests;
        self.join(number, into);
    }

    /// Joins a role with another one.
    fn join(&mut self, number: usize, into: usize) {
        let draft = self.drafts.remove(number);
        // Those behind the removed one move up.
        let moved = |role: usize| if role > number { role - 1 } else { role };
        let into = moved(into);
        let target = &mut self.drafts[into];
        // Its space stays that of its own requests if the other has another device.
        if target.device == draft.device {
            target.join(draft);
        } else {
            target.requests += draft.requests;
        }
        for door in self.doors.values_mut() {
            for role in &mut door.roles {
                *role = if *role == number { into } else { moved(*role) };
            }
        }
    }
}

impl Draft {
    /// Share of the requests that continue others, or nearly do.
    pub(super) fn order(&self) -> f64 {
        self.near as f64 / self.requests.max(1) as f64
    }

    fn join(&mut self, other: Self) {
        self.groups.extend(other.groups);
        self.requests += other.requests;
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.near += other.near;
        self.extents.join(&other.extents);
        self.extents = std::mem::take(&mut self.extents).closed();
    }
}

impl Manners {
    fn add(&mut self, pace: &Pace, stated: Option<LoadKind>) {
        match pace.manner_as(stated) {
            Manner::Open => self.open += pace.requests,
            Manner::Closed { depth } => {
                self.closed += pace.requests;
                self.closed_ns += pace.last_ns - pace.first_ns;
                let requests = pace.requests as f64;
                self.depth += f64::from(depth) * requests;
                // Without a pause it is one burst.
                self.burst += pace.burst().unwrap_or(f64::from(depth)) * requests;
            }
            Manner::Unknown => {}
        }
    }
}

/// The number of the draft that a part of a cell belongs to; a new one if there is none.
fn place(drafts: &mut Vec<Draft>, draft: Draft) -> usize {
    let belongs = |other: &Draft| {
        let least = other.extents.bytes().min(draft.extents.bytes()) as f64;
        other.device == draft.device
            && other.groups == draft.groups
            && (other.order() - draft.order()).abs() < MOST_DIFFERENCE
            && other.extents.common(&draft.extents) as f64 >= COMMON_SHARE * least
    };
    if let Some(number) = drafts.iter().position(belongs) {
        drafts[number].join(draft);
        return number;
    }
    drafts.push(draft);
    drafts.len() - 1
}

/// The units that are used in order, if others are not; all or none otherwise.
fn ordered(units: &Units) -> BTreeSet<u64> {
    // Where everything is near to an end, nothing follows from it.
    if units.span() < 16 * Ends::COVERED_BYTES {
        return BTreeSet::new();
    }
    let (mut all, mut low, mut high) = (0, 0, 0);
    let share = |near: u64, requests: u64| near as f64 / requests.max(1) as f64;
    for (_, unit) in units.each() {
        let share = share(unit.near, unit.requests);
        all += unit.requests;
        low += if share < ORDER.0 { unit.requests } else { 0 };
        high += if share > ORDER.1 { unit.requests } else { 0 };
    }
    let of_all = |requests: u64| requests as f64 / (all.max(1)) as f64;
    let is_split = of_all(all - low - high) <= MOST_BETWEEN
        && of_all(low) >= LEAST_SIDE
        && of_all(high) >= LEAST_SIDE;
    if !is_split {
        return BTreeSet::new();
    }
    let ordered = units
        .each()
        .filter(|(_, unit)| share(unit.near, unit.requests) >= 0.5);
    ordered.map(|(number, _)| number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::Flags;
    use crate::learn::{Loop, Survey};
    use crate::request::{Early, Task};

    /// 2,000 commits of a client, which thinks for 300 µs: a write of its own, one of the journal
    /// and a flush, each of 100 to 199 µs; a second client does the same at instants of its own.
    fn commits(clients: u64) -> Vec<Request> {
        let mut all = Vec::new();
        for client in 0..clients {
            let mut at_ns = client * 130_000;
            for number in 0..2000_u64 {
                let kinds = [
                    (client as u32, Flags::WRITE, 4096),
                    (2, Flags::WRITE, 28_672),
                    (3, Flags::FLUSH, 0),
                ];
                for (place, (task, flags, bytes)) in (0_u64..).zip(kinds) {
                    let service_ns = 100_000 + (number * 7919 + client * 31 + place) % 100_000;
                    all.push(Request {
                        at_ns,
                        service_ns: Some(service_ns),
                        device: 0,
                        offset: (place * 100 + number * 7919 % 100) << 20,
                        bytes,
                        flags,
                        task,
                        early: Early::default(),
                    });
                    at_ns += service_ns + 1000;
                }
                at_ns += 300_000;
            }
        }
        all.sort_by_key(|request| request.at_ns);
        all
    }

    /// Process, requests, requests for each flush, and threads with the pause in microseconds.
    type Found = (String, u64, Option<u32>, Option<(u32, u64)>);

    fn learned(requests: &[Request]) -> Vec<Found> {
        let tasks = ["client", "client", "jbd2/vda-8", "kworker/0:1H"].map(|name| Task {
            name: name.to_owned(),
            ..Task::default()
        });
        let mut census = Census::default();
        census.add(requests, &tasks);
        let length_ns = census.last_ns();
        let roles = Roles::of(census, length_ns, None);
        let mut survey = Survey::new(&roles);
        survey.add(&roles, requests);
        let roles = survey.finish(&roles).into_iter();
        let found = roles.map(|role| {
            let pace = match role.pace {
                Loop::Closed {
                    threads, think_ns, ..
                } => Some((threads, think_ns / 10_000 * 10)),
                Loop::Open { .. } => None,
            };
            (role.process, role.requests, role.writes_per_flush, pace)
        });
        found.collect()
    }

    #[test]
    fn what_waits_for_each_other_is_one_role_whoever_makes_it() {
        let found = learned(&commits(1));
        let expected = ("client".to_owned(), 4000, Some(2), Some((1, 300)));
        assert_eq!(found, [expected]);
        assert_eq!(learned(&commits(2)).len(), 2);
    }

    /// A server of two clients and two I/O threads: a client reads, writes its log and flushes it,
    /// and pauses for 300 µs; an I/O thread moves eight pages at once and pauses for 20 ms.
    fn server() -> Vec<Request> {
        let request = |task: u32, flags: Flags, at_ns: u64, place: u64, service_ns: u64| Request {
            at_ns,
            service_ns: Some(service_ns),
            device: 0,
            offset: place,
            bytes: if flags.op() == Some(Op::Flush) {
                0
            } else {
                16_384
            },
            flags,
            task,
            early: Early::default(),
        };
        let mut all = Vec::new();
        for client in 0..2_u32 {
            let mut at_ns = u64::from(client) * 130_000;
            for number in 0..4000_u64 {
                let mixed = number * 7919 + u64::from(client) * 31;
                let log = (1 << 30) + (2 * number + u64::from(client)) * 16_384;
                for (task, flags, place) in [
                    (client, Flags::READ, (mixed % 10_000) << 14),
                    (client, Flags::WRITE, log),
                    (4, Flags::FLUSH, 0),
                ] {
                    let service_ns = 100_000 + mixed % 100_000;
                    all.push(request(task, flags, at_ns, place, service_ns));
                    at_ns += service_ns + 1000;
                }
                at_ns += 300_000;
            }
        }
        for task in 2..4_u32 {
            let mut at_ns = u64::from(task) * 5_000_000;
            for batch in 0..105_u64 {
                let service_ns = 1_000_000 + batch * 7919 % 75 * 200_000;
                for number in 0..8 {
                    let flags = [Flags::WRITE, Flags::READ][usize::from(number == 0)];
                    let place = ((batch * 8 + number) * 104_729 % 10_000) << 14;
                    all.push(request(
                        task,
                        flags,
                        at_ns + number * 1000,
                        place,
                        service_ns,
                    ));
                }
                at_ns += service_ns + 20_000_000;
            }
        }
        all.sort_by_key(|request| request.at_ns);
        all
    }

    #[test]
    fn clients_that_commit_and_threads_that_work_in_batches_are_two_roles() {
        let tasks = ["server", "server", "server", "server", "kworker/0:1H"];
        let tasks = tasks.map(|name| Task {
            name: name.to_owned(),
            ..Task::default()
        });
        let requests = server();
        let mut census = Census::default();
        census.add(&requests, &tasks);
        let roles = Roles::of(census, requests.last().map_or(0, |last| last.at_ns), None);
        let mut survey = Survey::new(&roles);
        survey.add(&roles, &requests);
        let found = survey.finish(&roles).into_iter();
        let found: Vec<_> = found
            .map(|role| {
                let pace = match role.pace {
                    Loop::Closed { threads, depth, .. } => Some((threads, depth)),
                    Loop::Open { .. } => None,
                };
                (role.requests, role.writes_per_flush, pace)
            })
            .collect();
        let expected = [(16_000, Some(1), Some((2, 1))), (1680, None, Some((2, 8)))];
        assert_eq!(found, expected);
    }
}
