//! What is known of all requests of a trace without having them.

use super::TraceRequest;
use crate::op::Op;
use crate::spec::IoKind;
use crate::units::{Bytes, Percent};
use std::collections::BTreeMap;

/// Most kinds of requests that a summary tells apart.
pub(super) const MOST_KINDS: usize = 64;

/// Requests, added up in their order.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// By operation and bytes.
    counts: BTreeMap<(usize, u32), Counts>,
    /// The end of the last request of each target.
    ends: BTreeMap<u16, u64>,
    end_bytes: u64,
    requests: u64,
    flushes: u64,
    /// Requests by the number of who issued them.
    tasks: BTreeMap<u32, u64>,
    completions: u64,
}

impl Outline {
    /// That of these requests.
    pub fn of(requests: &[TraceRequest]) -> Self {
        let mut outline = Self::default();
        for request in requests {
            outline.add(request);
        }
        outline
    }

    /// Adds the next request.
    pub fn add(&mut self, request: &TraceRequest) {
        self.requests += 1;
        self.completions += u64::from(request.service.is_some());
        *self.tasks.entry(request.task).or_default() += 1;
        self.end_bytes = self.end_bytes.max(request.end());
        let Some(op) = OPS.iter().position(|op| *op == request.op) else {
            self.flushes += 1;
            return;
        };
        let end = self.ends.insert(request.target, request.end());
        let entry = self.counts.entry((op, request.len)).or_default();
        entry.all += 1;
        entry.jumps += u64::from(end != Some(request.offset));
        entry.step = greatest_common(entry.step, request.offset);
    }

    /// How many there are.
    pub const fn requests(&self) -> u64 {
        self.requests
    }

    /// By the number of who issued them.
    pub const fn tasks(&self) -> &BTreeMap<u32, u64> {
        &self.tasks
    }

    /// Whether it is known which requests were outstanding: most completions were recorded.
    pub const fn knows_order(&self) -> bool {
        self.completions > self.requests / 2
    }

    /// What every target has to hold: the largest end of a request.
    pub const fn end_bytes(&self) -> u64 {
        self.end_bytes
    }

    /// Whether there are requests of this operation.
    pub fn has(&self, op: Op) -> bool {
        match OPS.iter().position(|one| *one == op) {
            Some(op) => self.counts.keys().any(|(one, _)| *one == op),
            None => op == Op::Flush && self.flushes > 0,
        }
    }

    /// The requests in short: operations and sizes with their numbers as weights, the most
    /// frequent ones and the largest of each operation; the share of those that do not follow on
    /// the one before, and the greatest step of which their places and lengths are multiples.
    pub fn kinds(&self) -> Vec<IoKind> {
        let mut all: Vec<_> = self
            .counts
            .iter()
            .map(|(key, counts)| (*key, *counts))
            .collect();
        if all.len() > MOST_KINDS {
            let last = all.last().map(|(key, _)| *key);
            let ends_op = |index: usize| {
                let next = all.get(index + 1);
                next.is_none_or(|next| next.0.0 != all[index].0.0)
            };
            let largest: Vec<_> = (0..all.len())
                .filter(|index| ends_op(*index))
                .map(|index| all[index].0)
                .chain(last)
                .collect();
            let mut frequent: Vec<u64> = all.iter().map(|(_, counts)| counts.all).collect();
            frequent.sort_unstable_by(|one, other| other.cmp(one));
            let least = frequent[MOST_KINDS - OPS.len()];
            // The alignment of the rest shows what is left out.
            let steps = all
                .iter()
                .map(|((_, len), counts)| greatest_common(counts.step, (*len).into()));
            let step = steps.fold(0, greatest_common);
            all.retain(|(key, counts)| counts.all > least || largest.contains(key));
            for (_, counts) in &mut all {
                counts.step = step;
            }
        }
        let kind = |((op, len), counts): ((usize, u32), Counts)| IoKind {
            op: OPS[op],
            block_size: Bytes(u64::from(len)),
            random: Percent((counts.jumps as f64 * 1e4 / counts.all as f64).round() / 100.0),
            align: Bytes(greatest_common(counts.step, len.into()).max(1)),
            weight: counts.all as f64,
        };
        all.into_iter().map(kind).collect()
    }
}
/// What is counted of requests of one operation and size.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    all: u64,
    /// Those that do not follow on the one before.
    jumps: u64,
    /// The greatest number of which all their offsets are multiples.
    step: u64,
}

/// The greatest common divisor; of 0 and another number, that.
const fn greatest_common(mut one: u64, mut other: u64) -> u64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

const OPS: [Op; 3] = [Op::Read, Op::Write, Op::Trim];
