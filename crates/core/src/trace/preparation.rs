//! What a replay changes of the requests of its trace: their instants and their offsets.

use super::TraceRequest;
use crate::op::Op;
use crate::spec::Replay;
use crate::units::{Nanos, Percent};
use std::collections::BTreeMap;

/// What is moved as a whole where a trace is packed.
const REGION_BYTES: u64 = 1 << 20;

/// Brings requests to the speed and the offsets of a replay.
#[derive(Clone, Debug)]
pub struct Preparation {
    speed: Option<Percent>,
    shrink: u64,
    /// Where a packed trace has its regions, by target and number; none if it is not packed.
    regions: Option<BTreeMap<(u16, u64), u64>>,
}

impl Preparation {
    /// That of a replay. If it packs, all requests have to be noted before the first is prepared.
    pub fn of(replay: &Replay) -> Self {
        Self {
            speed: replay.speed,
            shrink: replay.shrink.max(1),
            regions: replay.packed.then(BTreeMap::new),
        }
    }

    /// Notes where a request of the trace goes.
    pub fn note(&mut self, request: TraceRequest) {
        let request = self.scaled(request);
        if let Some(regions) = self.regions.as_mut().filter(|_| request.op != Op::Flush) {
            let (first, last) = regions_of(&request);
            regions.extend((first..=last).map(|region| ((request.target, region), 0)));
        }
    }

    /// All were noted: moves the regions that have requests together, in their order, those of one
    /// target after those of another. Requests that follow on each other still do.
    pub fn close(&mut self) {
        if let Some(regions) = &mut self.regions {
            for (number, region) in (0..).zip(regions.values_mut()) {
                *region = number;
            }
        }
    }

    /// The request that is made of one of the trace.
    #[must_use]
    pub fn apply(&self, request: TraceRequest) -> TraceRequest {
        let mut request = self.scaled(request);
        if let Some(regions) = &self.regions {
            let region = regions.get(&(request.target, regions_of(&request).0));
            let region = region.copied().unwrap_or(0);
            request.offset = region * REGION_BYTES + request.offset % REGION_BYTES;
            request.target = 0;
        }
        request
    }

    fn scaled(&self, mut request: TraceRequest) -> TraceRequest {
        // Without a speed they are not waited for, and say what else was outstanding.
        if let Some(speed) = self.speed {
            request.at = Nanos((request.at.0 as f64 * 100.0 / speed.0).round() as u64);
        }
        request.offset /= self.shrink;
        request
    }
}

/// The first and the last region of a request.
fn regions_of(request: &TraceRequest) -> (u64, u64) {
    let last = u64::from(request.len).saturating_sub(1);
    let last = request.offset.saturating_add(last);
    (request.offset / REGION_BYTES, last / REGION_BYTES)
}
