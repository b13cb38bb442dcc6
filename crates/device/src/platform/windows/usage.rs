//! What this process has used.

use std::io::Result;

use fathom_platform::{own_switches, own_usage, thread_switches};

use crate::process::{ProcessUsage, ThreadUsage};

/// Of all its threads. The system does not distinguish why a thread gave up its CPU, and not which
/// page faults needed I/O.
pub(crate) fn of_process() -> Result<ProcessUsage> {
    let used = own_usage()?;
    Ok(ProcessUsage {
        user_ns: used.user_ns,
        system_ns: used.kernel_ns,
        voluntary_switches: own_switches().unwrap_or(0),
        minor_faults: used.faults,
        max_rss_bytes: used.peak_bytes,
        ..ProcessUsage::default()
    })
}

/// CPU time alone.
pub(crate) fn cpu_of_process() -> Result<u64> {
    own_usage().map(|used| used.user_ns + used.kernel_ns)
}

/// Of the calling thread: the system does not distinguish which page faults needed I/O.
pub(crate) fn of_thread() -> Result<ThreadUsage> {
    Ok(ThreadUsage {
        switches: thread_switches()?,
        ..ThreadUsage::default()
    })
}
