//! Errors that are not those of a single request.

/// An engine cannot be made, or has broken down as a whole.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The kernel or a sandbox refuses the interface.
    #[error("{engine} is not available: {cause}")]
    Unavailable {
        /// Name of the engine.
        engine: &'static str,
        /// What the kernel said, in words.
        cause: String,
        /// What to try.
        remedy: String,
    },
    /// A target cannot be opened as asked.
    #[error("cannot open {path}{purpose}: {cause}")]
    Open {
        /// Path of the target.
        path: String,
        /// As in ` for direct reads`.
        purpose: String,
        /// What the system said, in words.
        cause: String,
        /// What to try.
        remedy: String,
    },
    /// Memory for the buffers is not available.
    #[error("cannot allocate {bytes} bytes of buffers: {cause}")]
    Memory {
        /// How much was asked for.
        bytes: u64,
        /// What the system said.
        cause: String,
        /// What to try.
        remedy: String,
    },
    /// A call that serves all requests failed.
    #[error("{call} failed: {cause}")]
    Call {
        /// The system call.
        call: &'static str,
        /// What the system said.
        cause: String,
    },
}

impl EngineError {
    /// What to try, if there is something.
    pub fn remedy(&self) -> Option<&str> {
        match self {
            Self::Unavailable { remedy, .. }
            | Self::Open { remedy, .. }
            | Self::Memory { remedy, .. } => Some(remedy),
            Self::Call { .. } => None,
        }
    }
}
