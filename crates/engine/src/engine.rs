//! The contract that every engine keeps. `tests/conformance.rs` checks it.

use crate::config::EngineConfig;
use crate::error::EngineError;
use crate::io::{Completion, Progress, Submission, Wait};
use crate::target::OpenTarget;
use fathom_core::{EngineKind, Nanos};
use std::sync::Arc;

/// A way to put requests on storage.
///
/// * Each pushed slot completes exactly once.
/// * [`turn`](Self::turn) returns when `wait.min` completions were delivered in this turn, or when
///   `wait.until` has come; it delivers all that are there. With `min` zero, or greater than what
///   is in flight, it waits for `until`. It may return early with less when a signal arrives, or
///   with at least one where a time to wait for all is set ([`EngineConfig::min_wait`]).
///   [`Wait::NOT_AT_ALL`] submits, delivers what has completed and comes back.
/// * Time never goes back.
/// * A short transfer is reported as such and not retried; an error is a negative result of that
///   one request, never of the turn.
/// * Dropping an engine waits for the kernel to let go of the buffers;
///   [`abandon`](Self::abandon) leaves them to it.
///
/// An engine is made on the thread that uses it and stays there.
pub trait Engine: Sized {
    /// The present instant. The only clock of the load.
    fn now(&mut self) -> Nanos;

    /// Takes a request; makes no system call unless the engine is synchronous. The caller has
    /// at most [`max_in_flight`](Self::max_in_flight) requests outstanding.
    fn push(&mut self, io: Submission);

    /// Submits what was pushed, waits according to `wait`, and hands every completion to `done`. At
    /// most one system call in asynchronous engines (two for `libaio`).
    fn turn(
        &mut self,
        wait: Wait,
        done: &mut impl FnMut(Completion),
    ) -> Result<Progress, EngineError>;

    /// The buffer of a slot, to be filled before a write is pushed or looked at after a read has
    /// completed. Not to be touched while the slot is in flight.
    fn buffer(&mut self, slot: u32) -> &mut [u8];

    /// Requests that can be outstanding at once; 1 for synchronous engines.
    fn max_in_flight(&self) -> u32;

    /// Whether anything becomes of the bytes that writes carry.
    fn keeps_content(&self) -> bool {
        true
    }

    /// Whether it hands requests to the kernel many at a time, so that it matters how many.
    fn submits_batches(&self) -> bool {
        false
    }

    /// Ends without waiting for what is in flight: its buffers and files stay with the kernel until
    /// the process ends. For storage that does not answer.
    fn abandon(self) {
        std::mem::forget(self);
    }

    /// How long before its instant a wait stops sleeping, where that was learned from sleeps.
    fn spin(&self) -> Option<Nanos> {
        None
    }

    /// Features in use, for the result: `fixed_buffers`, `registered_files`, …
    fn flags(&self) -> Vec<String>;
}

/// An engine over files and devices of the operating system.
pub trait OsEngine: Engine {
    /// Its name.
    const KIND: EngineKind;

    /// Whether it works on this machine.
    ///
    /// # Errors
    ///
    /// Why it does not, in words that follow "it is".
    fn available() -> Result<(), String> {
        Ok(())
    }

    /// Makes an engine for this thread. A request names its target by the index in `targets`.
    ///
    /// # Errors
    ///
    /// What the kernel refuses, with its cause and what to try.
    fn open(config: &EngineConfig, targets: &[Arc<OpenTarget>]) -> Result<Self, EngineError>;
}

/// What is done with an engine once its type is known: static dispatch in the loop, one choice
/// before it.
pub trait EngineVisitor {
    /// The answer.
    type Out;

    /// Does it.
    fn visit<E: OsEngine>(self) -> Self::Out;
}
