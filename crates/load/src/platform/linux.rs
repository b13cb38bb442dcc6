//! Linux.

use fathom_core::Nanos;
use rustix::thread::CpuSet;

/// Keeps the calling thread on a processor.
pub(crate) fn pin(processor: u32) {
    let mut set = CpuSet::new();
    set.set(processor as usize);
    // The processors were checked before the run; one that went offline since leaves the thread
    // where it is.
    let _ = rustix::thread::sched_setaffinity(None, &set);
}

/// Time on a processor that the calling thread has had.
pub(crate) fn thread_cpu() -> Nanos {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Nanos(time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_nsec.unsigned_abs())
}

/// The processor that the calling thread is on.
pub(crate) fn processor() -> u32 {
    rustix::thread::sched_getcpu() as u32
}
