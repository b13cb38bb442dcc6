//! Requests of one group and operation to one device.

use super::ends::Ends;
use super::extents::Units;
use crate::request::Request;
use std::collections::BTreeMap;

/// Tasks of a cell that are counted apart, at 400 KiB each.
pub(super) const MOST_APART: usize = 16;

/// Requests of one group and operation to one device.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    /// Those that are not counted apart.
    pub(super) whole: Part,
    ends: Ends,
    /// Requests of single tasks, which may turn out to do something of their own.
    apart: BTreeMap<u32, Part>,
}

/// Some of the requests.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    pub(super) requests: u64,
    pub(super) bytes: u64,
    pub(super) units: Units,
}

impl Cell {
    pub(super) fn add(&mut self, request: &Request) {
        // Tasks that hand a stream on to each other continue it.
        let follows = self.ends.add(request.offset, request.bytes);
        let is_apart = self.apart.len() < MOST_APART || self.apart.contains_key(&request.task);
        let part = if is_apart {
            self.apart.entry(request.task).or_default()
        } else {
            &mut self.whole
        };
        part.requests += 1;
        part.bytes = part.bytes.saturating_add(request.bytes);
        part.units
            .add(request.offset, request.bytes, follows.nearly);
    }

    /// Each part.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Part> {
        self.apart.values().chain([&self.whole])
    }

    /// Requests of a task that are counted apart.
    pub(super) fn requests_of(&self, task: u32) -> u64 {
        self.apart.get(&task).map_or(0, |part| part.requests)
    }

    /// Takes out the requests of a task, if they were counted apart.
    pub(super) fn take(&mut self, task: u32) -> Option<Part> {
        self.apart.remove(&task)
    }

    /// Counts all of it as one.
    pub(super) fn close(&mut self) {
        for part in std::mem::take(&mut self.apart).into_values() {
            self.whole.join(&part);
        }
    }
}

impl Part {
    pub(super) fn join(&mut self, other: &Self) {
        self.requests += other.requests;
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.units.join(&other.units);
    }
}
