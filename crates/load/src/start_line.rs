//! Where the workers of a phase wait for each other: all engines are made before any begins.

use fathom_engine::EngineError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Barrier, Mutex, PoisonError};

/// A line that all workers and the main thread cross together, twice: when all are ready, and when
/// the start has been set.
#[derive(Debug)]
pub struct StartLine {
    barrier: Barrier,
    failure: Mutex<Option<EngineError>>,
    broken: AtomicBool,
}

/// The way of one worker across the line. If it panics before, it still crosses: otherwise the
/// others would wait for it for ever.
#[derive(Debug)]
pub struct Crossing<'a> {
    line: &'a StartLine,
    left: u8,
}

impl Crossing<'_> {
    /// Waits until everybody is here.
    pub fn wait(&mut self) {
        self.left -= 1;
        self.line.wait();
    }
}

impl Drop for Crossing<'_> {
    fn drop(&mut self) {
        if self.left > 0 && std::thread::panicking() {
            self.line.broken.store(true, Ordering::Release);
        }
        while self.left > 0 {
            self.wait();
        }
    }
}

impl StartLine {
    /// A line for `workers` workers and the main thread.
    pub fn new(workers: usize) -> Self {
        Self {
            barrier: Barrier::new(workers + 1),
            failure: Mutex::new(None),
            broken: AtomicBool::new(false),
        }
    }

    /// For one worker, which crosses twice.
    pub fn crossing(&self) -> Crossing<'_> {
        Crossing {
            line: self,
            left: 2,
        }
    }

    /// Whether a worker panicked before it was there.
    pub fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Acquire)
    }

    /// Waits until everybody is here.
    pub fn wait(&self) {
        self.barrier.wait();
    }

    /// Says that this worker cannot start. It still crosses the line.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_worker_that_panics_before_the_line_leaves_nobody_waiting() {
        let line = Arc::new(StartLine::new(2));
        let of = |panics: bool| {
            let line = line.clone();
            std::thread::spawn(move || {
                let mut crossing = line.crossing();
                assert!(!panics, "no engine");
                crossing.wait();
                crossing.wait();
            })
        };
        let (sound, broken) = (of(false), of(true));
        line.wait();
        assert!(line.is_broken());
        line.wait();
        assert!(sound.join().is_ok());
        assert!(broken.join().is_err());
    }

    #[test]
    fn a_worker_that_cannot_start_crosses_without_breaking_it() {
        let line = Arc::new(StartLine::new(1));
        let own = line.clone();
        let worker = std::thread::spawn(move || drop(own.crossing()));
        line.wait();
        line.wait();
        assert!(!line.is_broken());
        assert!(worker.join().is_ok());
    }
}
