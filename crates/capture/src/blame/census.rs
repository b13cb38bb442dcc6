//! The first reading: who asked for how much, and how long it took.

use super::names::LeftOut;
use super::owners::Owners;
use super::parts::{is_not_last, parts_of};
use crate::request::{Request, Task};
use fathom_core::Op;
use fathom_core::histogram::Histogram;
use fathom_core::result::blame::{Owner, OwnerKind};
use std::collections::BTreeMap;

/// Requests below which somebody is looked at only where nobody has more.
const LEAST: u64 = 100;
/// Shapes of requests that are counted for each owner.
const MOST_SHAPES: usize = 256;
/// Share of an owner's requests from which a shape is usual.
const USUAL: f64 = 0.05;
/// Share of an owner's requests from which it is known for their operation.
const NEARLY: f64 = 0.9;

/// The requests of somebody.
#[derive(Clone, Debug)]
pub struct Counted {
    /// Whose they are.
    pub owner: Owner,
    /// Requests whose parts are known.
    pub requests: u64,
    /// Requests whose queueing or completion was not seen.
    pub without_times: u64,
    /// Their times in all.
    pub(super) times: Histogram,
    /// Number of requests of each operation and length in bytes.
    shapes: BTreeMap<(Op, u64), u64>,
}

impl Counted {
    /// Bytes of a request, on average.
    pub(super) fn mean_bytes(&self) -> f64 {
        let bytes = self.shapes.iter();
        let bytes = bytes.map(|((_, size), number)| *size as f64 * *number as f64);
        let requests: u64 = self.shapes.values().sum();
        bytes.sum::<f64>() / requests.max(1) as f64
    }

    /// The operation of nearly all requests, if there is one.
    pub(super) fn op(&self) -> Option<Op> {
        let all: u64 = self.shapes.values().sum();
        let of = |op: Op| {
            let same = self.shapes.iter().filter(move |((one, _), _)| *one == op);
            same.map(|(_, number)| number).sum::<u64>()
        };
        let ops = [Op::Read, Op::Write, Op::Trim];
        ops.into_iter()
            .find(|op| of(*op) as f64 > NEARLY * all as f64)
    }

    /// Share of the requests whose shape is usual for somebody else, 0 to 1.
    pub(super) fn likeness(&self, other: &Self) -> f64 {
        let all: u64 = other.shapes.values().sum();
        let is_usual = |shape: &(Op, u64)| {
            let number = other.shapes.get(shape).copied().unwrap_or(0);
            number > 0 && number as f64 >= USUAL * all as f64
        };
        let alike = self.shapes.iter().filter(|(shape, _)| is_usual(shape));
        let alike: u64 = alike.map(|(_, number)| number).sum();
        alike as f64 / self.shapes.values().sum::<u64>().max(1) as f64
    }
}

/// Counts requests by who asked for them.
#[derive(Debug, Default)]
pub struct Census {
    owners: Owners,
    counted: Vec<Counted>,
    left_out: LeftOut,
}

impl Census {
    /// For the requests of somebody by name or number, or of anybody.
    pub fn looked_for(name: Option<&str>, left_out: &LeftOut) -> Self {
        Self {
            owners: Owners::looked_for(name),
            counted: Vec::new(),
            left_out: left_out.clone(),
        }
    }

    /// Adds requests, whose tasks are these.
    pub fn add(&mut self, requests: &[Request], tasks: &[Task]) {
        self.owners.enter(tasks);
        for owner in &self.owners.all()[self.counted.len()..] {
            self.counted.push(Counted {
                owner: owner.clone(),
                requests: 0,
                without_times: 0,
                times: Histogram::default(),
                shapes: BTreeMap::new(),
            });
        }
        let counts = |request: &&Request| !is_not_last(request) && !self.left_out.has(request);
        for request in requests.iter().filter(counts) {
            let Some(op) = request.flags.op() else {
                continue;
            };
            let Some(counted) = self.counted.get_mut(self.owners.of_task(request.task)) else {
                continue;
            };
            let Some(parts) = parts_of(request) else {
                counted.without_times += 1;
                continue;
            };
            counted.requests += 1;
            counted.times.record(parts.total_ns());
            let shape = (op, request.bytes);
            if counted.shapes.len() < MOST_SHAPES || counted.shapes.contains_key(&shape) {
                *counted.shapes.entry(shape).or_default() += 1;
            }
        }
    }

    /// Those who asked for requests, with final numbers of their processes.
    pub fn finish(mut self) -> Vec<Counted> {
        for (position, counted) in self.counted.iter_mut().enumerate() {
            counted.owner = self.owners.final_of(position);
        }
        self.counted
    }
}

/// The position of whose requests are looked at: who was named, or else the process with the most
/// requests; none where there is no such.
pub(super) fn subject(counted: &[Counted], name: Option<&str>) -> Option<usize> {
    let is_wanted = |one: &Counted| match name {
        Some(name) => one.owner.is_called(name),
        None => true,
    };
    let rank = |one: &Counted| {
        let is_process = one.owner.kind == OwnerKind::Process;
        (one.requests >= LEAST, is_process, one.requests)
    };
    let wanted = counted.iter().enumerate();
    let wanted = wanted.filter(|(_, one)| one.requests > 0 && is_wanted(one));
    let most = wanted.max_by_key(|(_, one)| rank(one));
    most.map(|(position, _)| position)
}
