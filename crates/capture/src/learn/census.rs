//! The first pass over a trace: who requests where, and how.

use super::cell::{Cell, MOST_APART};
use super::pace::Pace;
use super::pauses::Pauses;
use super::reuse::PAGE_BYTES;
use crate::request::{Request, Task};
use fathom_core::Op;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// Groups of tasks that are distinguished; the rest are in the last one.
const MOST_GROUPS: usize = 256;
/// Tasks whose times are followed.
const MOST_TASKS: usize = 4096;

/// Tasks that become groups of their own at most.
const MOST_WRITERS: usize = 4;
/// Requests of such a task at least, and as a share of all.
const LEAST_WRITES: f64 = 100.0;
const WRITER_SHARE: f64 = 0.01;
/// Share of reads among them at most.
const WRITER_READS: f64 = 0.01;
/// And among those of all tasks of its name at least.
const READING: f64 = 0.05;

/// Share of the requests of a group that either kind of task makes at least, for two groups.
const LEAST_BATCHES: f64 = 0.05;

/// Tasks that do the same, by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Group {
    pub(super) process: String,
    /// Name of the thread without its number; empty if it is that of the process.
    pub(super) thread: String,
}

/// Adds a trace up for the first time. Memory: up to 400 KiB for each group, operation and device,
/// and for each of 16 tasks that write; and 8 KiB for each of the first 4,096 tasks.
#[derive(Debug, Default)]
pub struct Census {
    pub(super) groups: Vec<Group>,
    numbers: HashMap<Group, usize>,
    pub(super) of_task: Vec<usize>,
    pub(super) cells: BTreeMap<(usize, u16, Op), Cell>,
    pub(super) paces: BTreeMap<u32, Pace>,
    /// Of each group: of its first tasks apart, and of all others.
    pub(super) pauses: BTreeMap<(usize, Option<u32>), Pauses>,
    /// Of each device, the times of the requests of all tasks.
    of_devices: BTreeMap<u16, (Pace, Pauses)>,
    now_ns: u64,
}

impl Census {
    /// Adds requests, whose tasks are these.
    pub fn add(&mut self, requests: &[Request], tasks: &[Task]) {
        for task in tasks.iter().skip(self.of_task.len()) {
            let group = self.number_of(Group::of(task));
            self.of_task.push(group);
        }
        for request in requests {
            self.add_one(request);
        }
    }

    /// Makes groups of tasks that act unlike others of their name. Each background writer is one: a
    /// task that only writes, among tasks that read. The page writers of a server are such, and
    /// have their own clock. Tasks that make many requests at once, among tasks that wait for each,
    /// are another one.
    pub(super) fn part_tasks(&mut self) {
        for task in self.background_writers() {
            self.part(&[task]);
        }
        for tasks in self.batch_tasks() {
            self.part(&tasks);
        }
        for cell in self.cells.values_mut() {
            cell.close();
        }
    }

    /// Makes tasks of one group another group, without those that were not counted apart because
    /// too many others came before.
    fn part(&mut self, tasks: &[u32]) {
        let new = self.groups.len();
        let mut old = None;
        for task in tasks {
            let group = self.of_task[*task as usize];
            let cells = self.cells.iter_mut();
            let mut cells: Vec<_> = cells.filter(|((one, ..), _)| *one == group).collect();
            let apart: u64 = cells.iter().map(|(_, cell)| cell.requests_of(*task)).sum();
            let pace = &self.paces[task];
            if apart + pace.flushes < pace.requests {
                continue;
            }
            let parts = cells.iter_mut().filter_map(|((_, device, op), cell)| {
                Some(((new, *device, *op), cell.take(*task)?))
            });
            for (key, part) in parts.collect::<Vec<_>>() {
                self.cells.entry(key).or_default().whole.join(&part);
            }
            if let Some(pauses) = self.pauses.remove(&(group, Some(*task))) {
                self.pauses.entry((new, None)).or_default().join(&pauses);
            }
            self.of_task[*task as usize] = new;
            old = Some(group);
        }
        if let Some(old) = old {
            self.groups.push(self.groups[old].clone());
        }
    }

    /// The times of all requests, if they are to one device and each waits for the one before.
    pub(super) fn chain(&self) -> Option<(Pace, Pauses)> {
        let mut devices = self.of_devices.values();
        let both = devices.next().filter(|(pace, _)| pace.is_chain())?;
        devices.next().is_none().then(|| both.clone())
    }

    /// The tasks that make many requests at once where others of their name wait for each, by
    /// group.
    fn batch_tasks(&self) -> Vec<Vec<u32>> {
        let mut of_groups = vec![([0_u64; 2], Vec::new()); self.groups.len()];
        for (task, pace) in &self.paces {
            let group = self.of_task.get(*task as usize);
            let Some((sums, tasks)) = group.and_then(|group| of_groups.get_mut(*group)) else {
                continue;
            };
            let is_in_batches = pace.is_in_batches();
            sums[usize::from(is_in_batches)] += pace.requests;
            if is_in_batches {
                tasks.push(*task);
            }
        }
        let is_mixed = |sums: &[u64; 2]| {
            let least = ((sums[0] + sums[1]) as f64 * LEAST_BATCHES).max(LEAST_WRITES);
            sums.iter().all(|sum| *sum as f64 >= least)
        };
        let mixed = of_groups.into_iter().filter(|(sums, _)| is_mixed(sums));
        mixed.map(|(_, tasks)| tasks).collect()
    }

    /// The tasks that only write where others of their name read, the busiest first.
    fn background_writers(&self) -> Vec<u32> {
        let mut of_groups = vec![(0_u64, 0_u64); self.groups.len()];
        let known = self
            .paces
            .iter()
            .filter_map(|(task, pace)| Some((*task, *self.of_task.get(*task as usize)?, pace)));
        for (_, group, pace) in known.clone() {
            of_groups[group].0 += pace.requests;
            of_groups[group].1 += pace.reads;
        }
        let all: u64 = of_groups.iter().map(|(requests, _)| requests).sum();
        let least = (all as f64 * WRITER_SHARE).max(LEAST_WRITES) as u64;
        let is_writer = |(_, group, pace): &(u32, usize, &Pace)| {
            let (requests, reads) = of_groups[*group];
            pace.requests >= least
                && pace.reads as f64 <= WRITER_READS * pace.requests as f64
                && reads as f64 >= READING * requests as f64
        };
        let mut writers: Vec<_> = known.filter(is_writer).collect();
        writers.sort_by_key(|(task, _, pace)| (Reverse(pace.requests), *task));
        let tasks = writers.into_iter().map(|(task, ..)| task);
        tasks.take(MOST_WRITERS).collect()
    }

    /// The instant of the last request, nanoseconds.
    pub const fn last_ns(&self) -> u64 {
        self.now_ns
    }

    /// About how often pages are read or written.
    pub fn page_accesses(&self) -> u64 {
        let moved = self.cells.iter().filter(|((.., op), _)| *op != Op::Trim);
        moved
            .flat_map(|(_, cell)| cell.parts())
            .map(|part| part.requests.saturating_add(part.bytes / PAGE_BYTES))
            .fold(0, u64::saturating_add)
    }

    fn add_one(&mut self, request: &Request) {
        let Some(op) = request.flags.op() else {
            return;
        };
        // Those of several processors may be a little out of order.
        self.now_ns = self.now_ns.max(request.at_ns);
        let (of_device, pauses) = self.of_devices.entry(request.device).or_default();
        if let Some(pause_ns) = of_device.add(self.now_ns, request.service_ns) {
            pauses.add(self.now_ns, pause_ns);
        }
        let group = self.of_task.get(request.task as usize).copied();
        let group = group.unwrap_or(0);
        if self.paces.len() < MOST_TASKS || self.paces.contains_key(&request.task) {
            let pace = self.paces.entry(request.task).or_default();
            if let Some(pause_ns) = pace.add(self.now_ns, request.service_ns) {
                let of_group = self.pauses.range((group, None)..=(group, Some(u32::MAX)));
                let own = (group, Some(request.task));
                let is_apart = self.pauses.contains_key(&own) || of_group.count() < MOST_APART;
                let key = if is_apart { own } else { (group, None) };
                self.pauses
                    .entry(key)
                    .or_default()
                    .add(self.now_ns, pause_ns);
            }
            pace.reads += u64::from(op == Op::Read);
            pace.flushes += u64::from(op == Op::Flush);
        }
        if op == Op::Flush {
            return;
        }
        let key = (group, request.device, op);
        let cell = self.cells.entry(key).or_default();
        cell.add(request);
    }

    fn number_of(&mut self, group: Group) -> usize {
        if let Some(number) = self.numbers.get(&group) {
            return *number;
        }
        if self.groups.len() == MOST_GROUPS {
            return MOST_GROUPS - 1;
        }
        self.groups.push(group.clone());
        self.numbers.insert(group, self.groups.len() - 1);
        self.groups.len() - 1
    }
}

impl Group {
    fn of(task: &Task) -> Self {
        let thread = without_number(&task.name);
        let process = task.process_name.as_deref().map(without_number);
        let process = process.unwrap_or(thread);
        Self {
            process: process.to_owned(),
            thread: if thread == process { "" } else { thread }.to_owned(),
        }
    }
}

/// A name without what numbers those that do the same: `kworker` of `kworker/u8:2`, `ib_io_rd` of
/// `ib_io_rd-3`.
fn without_number(name: &str) -> &str {
    let name = match name.split_once('/') {
        Some((name, _)) if !name.is_empty() => name,
        _ => name,
    };
    let shorter = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let shorter = shorter.trim_end_matches(['-', '_', ':', '#', '.', ' ']);
    if shorter.is_empty() { name } else { shorter }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_distinguish_no_groups() {
        let names = [
            "kworker/u8:2",
            "ib_io_rd-3",
            "data-reads/0",
            "jbd2",
            "7",
            "",
        ];
        let expected = ["kworker", "ib_io_rd", "data-reads", "jbd", "7", ""];
        assert_eq!(names.map(without_number), expected);
    }
}
