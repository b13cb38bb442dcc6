//! Which devices of a trace are targets of its replay.

use crate::file::Source;
use fathom_core::Op;
use fathom_core::trace::TraceRequest;
use std::collections::BTreeMap;

/// Requests of a device.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    flushes: u64,
    others: u64,
}

/// The devices that have selected requests, in their order.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    devices: BTreeMap<u16, Counts>,
    numbers: BTreeMap<u16, u16>,
}

impl Targets {
    /// Counts a selected request.
    pub fn note(&mut self, request: &TraceRequest) {
        let counts = self.devices.entry(request.target).or_default();
        match request.op {
            Op::Flush => counts.flushes += 1,
            _ => counts.others += 1,
        }
    }

    /// All were counted. In a region, a device that has flushes alone is no target.
    pub fn close(&mut self, in_region: bool) {
        let is_used = |counts: &Counts| !in_region || counts.others > 0;
        let used = self.devices.iter().filter(|(_, counts)| is_used(counts));
        self.numbers = used.map(|(device, _)| *device).zip(0..).collect();
    }

    /// The request with the number of its target; none if its device is no target.
    pub fn place(&self, mut request: TraceRequest) -> Option<TraceRequest> {
        request.target = *self.numbers.get(&request.target)?;
        Some(request)
    }

    /// The names of the targets.
    pub fn files(&self, source: &dyn Source) -> Vec<String> {
        let devices = &source.head().devices;
        let used = self.numbers.keys();
        let used = used.filter_map(|device| devices.get(usize::from(*device)));
        used.map(|device| device.number.clone()).collect()
    }
}
