//! Windows.

use fathom_core::Nanos;

/// Keeps the calling thread on a processor.
pub(crate) fn pin(processor: u32) {
    // One that is not there leaves the thread where it is.
    let _ = fathom_platform::pin_thread(processor);
}

/// Time on a processor that the calling thread has had; the system counts it in ticks of its clock,
/// some 15 ms.
pub(crate) fn thread_cpu() -> Nanos {
    Nanos(fathom_platform::thread_cpu_ns())
}

/// The processor that the calling thread is on.
pub(crate) fn processor() -> u32 {
    fathom_platform::current_processor()
}
