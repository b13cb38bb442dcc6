//! Why a phase has no result.

use fathom_engine::EngineError;

/// A phase that came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The engine could not be made, or broke down.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The user aborted the run.
    #[error("the run was aborted")]
    Aborted,
    /// A worker thread panicked.
    #[error("a worker of job `{job}` panicked: {message}")]
    Panicked {
        /// Name of the job.
        job: String,
        /// What it said.
        message: String,
    },
    /// A thread could not be made.
    #[error("cannot start {wanted} threads")]
    Threads {
        /// How many were wanted.
        wanted: usize,
        /// What the system said.
        cause: std::io::Error,
    },
}
