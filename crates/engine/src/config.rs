//! The settings of a new engine.

use crate::spin::Spin;
use fathom_core::Nanos;

/// Sizes and choices of one engine, that is of one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineConfig {
    /// Requests that can be in flight at once, and buffers. At least 1.
    pub slots: u32,
    /// Bytes of each buffer: the longest request.
    pub buffer_bytes: u32,
    /// Let a kernel thread take up requests (`SQPOLL` of `io_uring`).
    pub submission_polling: bool,
    /// The processor of that thread, if it is to stay on one.
    pub submission_cpu: Option<u32>,
    /// Ask the device for completions instead of waiting for its interrupts (`IOPOLL` of
    /// `io_uring`); reads and writes only, and only where driver and file system can.
    pub completion_polling: bool,
    /// Sleep for a part of the time that requests usually take before asking the device for
    /// completions (`HYBRID_IOPOLL`, Linux 6.13); only with `completion_polling`.
    pub hybrid_polling: bool,
    /// A wait for several completions ends after this time if there is at least one (Linux 6.12).
    /// Zero: it waits for all.
    pub min_wait: Nanos,
    /// Ask for transparent huge pages for the buffers.
    pub huge_pages: bool,
    /// Register the buffers with the kernel, where the engine can.
    pub fixed_buffers: bool,
    /// How long before its instant a wait stops sleeping.
    pub spin: Spin,
}

impl Default for EngineConfig {
    fn default() -> Self {
        Self {
            slots: 1,
            buffer_bytes: 4096,
            submission_polling: false,
            submission_cpu: None,
            completion_polling: false,
            hybrid_polling: false,
            min_wait: Nanos::ZERO,
            huge_pages: false,
            fixed_buffers: true,
            spin: Spin::LEARNED,
        }
    }
}
