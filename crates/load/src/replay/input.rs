//! The requests that a job replays: in memory, or read from their trace while they are issued.

use fathom_core::spec::Replay;
use fathom_core::trace::{Outline, Trace, TraceRequest};
use std::fmt;
use std::sync::OnceLock;

/// Fills an empty list with the next requests, at least one; none are left where it is `false`.
pub type Reading = Box<dyn FnMut(&mut Vec<TraceRequest>) -> Result<bool, String> + Send>;

/// A trace that is read once for each replay. The requests are prepared, and always the same.
pub trait Reopen: fmt::Debug + Send + Sync {
    /// Starts at the first request.
    ///
    /// # Errors
    ///
    /// The cause, as a sentence without a full stop.
    fn open(&self) -> Result<Reading, String>;
}

/// Where the requests are.
#[derive(Debug)]
pub(super) enum Store {
    Memory(Vec<TraceRequest>),
    Trace(Box<dyn Reopen>),
}

/// The prepared requests of a trace, and what is known of all of them.
#[derive(Debug)]
pub struct ReplayInput {
    /// Paths that were recorded; a request names one by its position.
    pub files: Vec<String>,
    /// All requests, added up.
    pub outline: Outline,
    /// Requests that the trace has, selected or not.
    pub recorded: u64,
    pub(super) store: Store,
    failure: OnceLock<String>,
}

impl ReplayInput {
    /// Those of a prepared trace, in memory.
    pub fn whole(trace: Trace) -> Self {
        Self {
            outline: Outline::of(&trace.requests),
            recorded: trace.recorded(),
            files: trace.files,
            store: Store::Memory(trace.requests),
            failure: OnceLock::new(),
        }
    }

    /// Those that are read while they are issued; `outline` is that of all.
    pub fn read_ahead(
        files: Vec<String>,
        outline: Outline,
        recorded: u64,
        trace: Box<dyn Reopen>,
    ) -> Self {
        Self {
            files,
            outline,
            recorded,
            store: Store::Trace(trace),
            failure: OnceLock::new(),
        }
    }

    /// Why a replay ended before its last request, if one did.
    pub fn failure(&self) -> Option<&str> {
        self.failure.get().map(String::as_str)
    }

    /// Reads the requests once more; none of those in memory.
    pub fn reopen(&self) -> Option<Result<Reading, String>> {
        match &self.store {
            Store::Memory(_) => None,
            Store::Trace(trace) => Some(trace.open()),
        }
    }

    /// Whether a request waits until no more are outstanding than when it was recorded: where that
    /// is known, and no instants are waited for.
    pub(crate) fn keeps_order(&self, replay: &Replay) -> bool {
        replay.keeps_order() && self.outline.knows_order()
    }

    /// A request in memory, by its number.
    pub(super) fn in_memory(&self, number: usize) -> Option<TraceRequest> {
        match &self.store {
            Store::Memory(requests) => requests.get(number).copied(),
            Store::Trace(_) => None,
        }
    }

    pub(super) fn fail(&self, cause: String) {
        // Of several replays the first failure is reported.
        let _ = self.failure.set(cause);
    }
}
