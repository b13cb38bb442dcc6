//! Which requests of a trace a job makes again.

use crate::file::CaptureError;
use crate::flags::Flags;
use crate::learn::RoleFilter;
use crate::request::{Request, Task};
use fathom_core::spec::Replay;
use fathom_core::trace::TraceRequest;
use fathom_core::{Nanos, Op};
use std::ops::Range;

/// The longest request that a job makes; a longer discard becomes several.
const MOST_BYTES: u64 = 1 << 30;

/// Selects requests by process, role and offset, in the order of the trace.
#[derive(Clone, Debug)]
pub struct Selection {
    processes: Vec<String>,
    region: Option<Range<u64>>,
    roles: Option<RoleFilter>,
    recorded: u64,
    first_ns: Option<u64>,
    now: Nanos,
}

impl Selection {
    /// What a replay selects. A replay of roles needs their filter.
    pub fn new(replay: &Replay, roles: Option<RoleFilter>) -> Self {
        Self {
            processes: replay.processes.clone(),
            region: replay.region(),
            roles,
            recorded: 0,
            first_ns: None,
            now: Nanos::ZERO,
        }
    }

    /// Whether requests are selected by their offset.
    pub const fn has_region(&self) -> bool {
        self.region.is_some()
    }

    /// Requests so far, selected or not.
    pub const fn recorded(&self) -> u64 {
        self.recorded
    }

    /// Hands on those of the next requests that are selected, as long as `each` takes them. Their
    /// targets are the devices of the trace.
    ///
    /// # Errors
    ///
    /// Those of `each`.
    pub fn add(
        &mut self,
        requests: &[Request],
        tasks: &[Task],
        each: &mut dyn FnMut(TraceRequest) -> Result<(), CaptureError>,
    ) -> Result<(), CaptureError> {
        for request in requests {
            let Some(op) = request.flags.op() else {
                continue;
            };
            self.recorded += request.bytes.div_ceil(MOST_BYTES).max(1);
            if !self.takes(request, op, tasks) {
                continue;
            }
            let from = *self.first_ns.get_or_insert(request.at_ns);
            // Those of several processors may be a little out of order.
            let at = Nanos(request.at_ns.saturating_sub(from));
            self.now = self.now.max(at);
            for piece in pieces(request, op, self.now) {
                each(piece)?;
            }
        }
        Ok(())
    }

    fn takes(&mut self, request: &Request, op: Op, tasks: &[Task]) -> bool {
        // Who wrote before a flush is part of what the filter knows.
        let is_of_role = self.roles.as_mut().is_none_or(|roles| roles.takes(request));
        let is_named = || {
            let task = tasks.get(request.task as usize);
            let program = task.map(Task::program);
            self.processes
                .iter()
                .any(|name| Some(name.as_str()) == program)
        };
        let is_inside = |region: &Range<u64>| op == Op::Flush || region.contains(&request.offset);
        is_of_role
            && (self.processes.is_empty() || is_named())
            && self.region.as_ref().is_none_or(is_inside)
    }
}

/// A request, or the parts of a long one.
fn pieces(request: &Request, op: Op, at: Nanos) -> impl Iterator<Item = TraceRequest> {
    let start = if op == Op::Flush { 0 } else { request.offset };
    let bytes = request.bytes;
    let of = TraceRequest {
        target: request.device,
        data_only: request.flags.has(Flags::DATA_ONLY),
        service: request.service_ns.map(Nanos),
        task: request.task,
        ..TraceRequest::new(at, op, start, 0)
    };
    (0..bytes.div_ceil(MOST_BYTES).max(1)).map(move |number| TraceRequest {
        offset: start.saturating_add(number * MOST_BYTES),
        len: (bytes - number * MOST_BYTES).min(MOST_BYTES) as u32,
        ..of
    })
}
