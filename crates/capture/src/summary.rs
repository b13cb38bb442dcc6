//! A capture in short: who requested how much, in which sizes, and how long it took. It is made in
//! one pass, in memory that does not grow with the capture.

use crate::flags::Flags;
use crate::request::{Request, Task};
use fathom_core::Op;
use fathom_core::histogram::Histogram;
use fathom_core::summary::LatencySummary;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Names of processes that are distinguished; the requests of others are added up.
const MOST_NAMES: usize = 200;
/// Sizes that are distinguished in a row; others are not listed.
const MOST_SIZES: usize = 256;
/// What the requests of the other processes are listed under.
const OTHERS: &str = "(others)";

/// Requests of one operation by the processes of one name.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Row {
    /// Name of the processes; kernel threads for deferred work are one.
    pub process: String,
    /// What they requested.
    pub op: Op,
    /// Number of requests.
    pub requests: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Requests that start where the row's previous one on the same device ended.
    pub sequential: u64,
    /// Requests that the device failed.
    pub failed: u64,
    /// Writes that bypass the cache of the device or flush it first.
    pub durable: u64,
    /// Number of requests of each size in bytes, up to 256 sizes.
    pub sizes: BTreeMap<u64, u64>,
    /// From issue to completion.
    pub service_ns: LatencySummary,
}

/// All of a capture.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// Number of requests.
    pub requests: u64,
    /// Their bytes, without discards.
    pub bytes: u64,
    /// Share of reads among reads and writes, 0 to 1; none without either.
    pub read_share: Option<f64>,
    /// Distinct processes.
    pub processes: u64,
    /// Whether these are threads: the process of none is known.
    pub are_threads: bool,
    /// The instant of the last request since the start, nanoseconds.
    pub last_ns: u64,
    /// The most requests first.
    pub rows: Vec<Row>,
}

/// A row while it is added up.
#[derive(Debug, Default)]
struct Sums {
    requests: u64,
    bytes: u64,
    sequential: u64,
    failed: u64,
    durable: u64,
    sizes: BTreeMap<u64, u64>,
    ends: HashMap<u16, u64>,
    service: Histogram,
}

/// Adds requests up.
#[derive(Debug, Default)]
pub struct Summing {
    /// By the position of the name and the operation.
    rows: BTreeMap<(usize, Op), Sums>,
    names: Vec<String>,
    /// The position of the name of each task that was seen.
    of_task: Vec<usize>,
    processes: BTreeSet<i32>,
    has_process: bool,
    last_ns: u64,
}

impl Summing {
    /// Adds requests, whose tasks are these.
    pub fn add(&mut self, requests: &[Request], tasks: &[Task]) {
        for task in tasks.iter().skip(self.of_task.len()) {
            let name = self.name(task);
            self.of_task.push(name);
            // Formats without processes have one task without a name.
            if !task.name.is_empty() {
                self.has_process |= task.process.is_some();
                self.processes.insert(task.process.unwrap_or(task.thread));
            }
        }
        for request in requests {
            let Some(op) = request.flags.op() else {
                continue;
            };
            let name = self.of_task.get(request.task as usize).copied();
            let sums = self.rows.entry((name.unwrap_or(0), op)).or_default();
            sums.add(request, op);
            self.last_ns = self.last_ns.max(request.at_ns);
        }
    }

    /// Ends the pass.
    pub fn finish(self) -> Summary {
        let row = |((name, op), sums): ((usize, Op), Sums)| Row {
            process: self.names.get(name).cloned().unwrap_or_default(),
            op,
            requests: sums.requests,
            bytes: sums.bytes,
            sequential: sums.sequential,
            failed: sums.failed,
            durable: sums.durable,
            sizes: sums.sizes,
            service_ns: sums.service.summary(),
        };
        let mut rows: Vec<Row> = self.rows.into_iter().map(row).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.requests));
        let requests = |op: Option<Op>| {
            let rows = rows.iter().filter(|row| op == Some(row.op) || op.is_none());
            rows.map(|row| row.requests).sum::<u64>()
        };
        let (reads, writes) = (requests(Some(Op::Read)), requests(Some(Op::Write)));
        let moved = rows.iter().filter(|row| row.op != Op::Trim);
        Summary {
            requests: requests(None),
            bytes: moved.map(|row| row.bytes).sum(),
            read_share: (reads + writes > 0).then(|| reads as f64 / (reads + writes) as f64),
            processes: self.processes.len() as u64,
            are_threads: !self.has_process && !self.processes.is_empty(),
            last_ns: self.last_ns,
            rows,
        }
    }

    fn name(&mut self, task: &Task) -> usize {
        let name = task.program();
        let known = |names: &[String], name: &str| names.iter().position(|one| one == name);
        let name = match known(&self.names, name) {
            Some(known) => return known,
            None if self.names.len() < MOST_NAMES => name,
            None => OTHERS,
        };
        known(&self.names, name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }
}

impl Sums {
    fn add(&mut self, request: &Request, op: Op) {
        self.requests += 1;
        let bytes = request.bytes;
        self.bytes += bytes;
        self.failed += u64::from(request.flags.has(Flags::FAILED));
        let durable = [Flags::FUA, Flags::PREFLUSH];
        self.durable += u64::from(durable.iter().any(|flag| request.flags.has(*flag)));
        if let Some(service_ns) = request.service_ns {
            self.service.record(service_ns);
        }
        if op == Op::Flush {
            return;
        }
        let end = request.offset.saturating_add(bytes);
        let before = self.ends.insert(request.device, end);
        self.sequential += u64::from(before == Some(request.offset));
        if self.sizes.len() < MOST_SIZES || self.sizes.contains_key(&bytes) {
            *self.sizes.entry(bytes).or_default() += 1;
        }
    }
}

impl Summary {
    /// The most frequent sizes of reads and writes in bytes, each with its share of them.
    pub fn sizes(&self, most: usize) -> Vec<(u64, f64)> {
        let mut all: BTreeMap<u64, u64> = BTreeMap::new();
        let moved = |row: &&Row| matches!(row.op, Op::Read | Op::Write);
        for (size, count) in self.rows.iter().filter(moved).flat_map(|row| &row.sizes) {
            *all.entry(*size).or_default() += count;
        }
        let requests: u64 = self.rows.iter().filter(moved).map(|row| row.requests).sum();
        let mut sizes: Vec<(u64, u64)> = all.into_iter().collect();
        sizes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let share = |(size, count): (u64, u64)| (size, count as f64 / requests.max(1) as f64);
        sizes.into_iter().take(most).map(share).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Early;
    use crate::request::SECTOR_BYTES;

    fn request(sector: u64, sectors: u32, flags: Flags, task: u32) -> Request {
        Request {
            at_ns: sector,
            service_ns: Some(1000),
            device: 0,
            offset: sector * SECTOR_BYTES,
            bytes: u64::from(sectors) * SECTOR_BYTES,
            flags,
            task,
            early: Early::default(),
        }
    }

    fn task(thread: i32, name: &str, process: &str) -> Task {
        Task {
            thread,
            name: name.into(),
            process: Some(thread),
            process_name: Some(process.into()),
        }
    }

    #[test]
    fn rows_are_of_a_name_and_an_operation() {
        let tasks = [
            task(1, "a", "postgres"),
            task(2, "kworker/0:1", "kworker/0:1"),
            task(3, "b", "postgres"),
            task(4, "kworker/1:2", "kworker/1:2"),
        ];
        let mut summing = Summing::default();
        let first = [
            request(0, 8, Flags::READ, 0),
            request(8, 8, Flags::READ, 2),
            request(100, 16, Flags::READ, 0),
        ];
        summing.add(&first, &tasks[..3]);
        let second = [
            request(0, 0, Flags::FLUSH, 1),
            request(24, 8, Flags::WRITE | Flags::FUA | Flags::FAILED, 3),
            request(0, 8, Flags(0), 3),
        ];
        summing.add(&second, &tasks);
        let found = summing.finish();
        let rows: Vec<_> = found
            .rows
            .iter()
            .map(|row| {
                (
                    row.process.as_str(),
                    row.op,
                    row.requests,
                    row.bytes,
                    row.sequential,
                )
            })
            .collect();
        let expected = [
            ("postgres", Op::Read, 3, 32 * 512, 1),
            ("kworker", Op::Write, 1, 8 * 512, 0),
            ("kworker", Op::Flush, 1, 0, 0),
        ];
        assert_eq!(rows, expected);
        let all = (
            found.requests,
            found.bytes,
            found.read_share,
            found.processes,
            found.last_ns,
        );
        assert_eq!(all, (5, 40 * 512, Some(0.75), 4, 100));
        assert_eq!((found.rows[1].failed, found.rows[1].durable), (1, 1));
        assert_eq!(found.sizes(1), [(4096, 0.75)]);
    }

    #[test]
    fn many_names_are_added_up() {
        let tasks: Vec<Task> = (0..1000)
            .map(|number| task(number, "x", &format!("p{number}")))
            .collect();
        let requests: Vec<_> = (0..1000)
            .map(|task| request(0, 8, Flags::READ, task))
            .collect();
        let mut summing = Summing::default();
        summing.add(&requests, &tasks);
        let rows = summing.finish().rows;
        let first = (rows[0].process.as_str(), rows[0].requests, rows.len());
        assert_eq!(first, (OTHERS, 800, MOST_NAMES + 1));
    }
}
