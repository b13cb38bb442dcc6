//! Where the workers of a phase wait for each other: all engines are made before any begins.

use fathom_engine::EngineError;
use std::sync::{Barrier, Mutex, PoisonError};

/// A line that all workers and the main thread cross together, twice: when all are ready, and
/// when the begin has been set.
#[derive(Debug)]
pub struct StartLine {
    barrier: Barrier,
    failure: Mutex<Option<EngineError>>,
}

impl StartLine {
    /// A line for so many workers and the main thread.
    pub fn new(workers: usize) -> Self {
        Self {
            barrier: Barrier::new(workers + 1),
            failure: Mutex::new(None),
        }
    }

    /// Waits until everybody is here.
    pub fn wait(&self) {
        self.barrier.wait();
    }

    /// Says that this worker cannot start. It crosses the line all the same.
    pub fn fail(&self, error: EngineError) {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.get_or_insert(error);
    }

    /// The first failure, if there was one.
    pub fn failure(&self) -> Option<EngineError> {
        self.failure
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }
}
