//! What the kernel counts of a process and of a thread, from getrusage(2).

use std::io;
use std::mem::MaybeUninit;

use crate::process::{ProcessUsage, ThreadUsage};

/// Of all threads of this process.
///
/// # Errors
///
/// What the system said.
pub(crate) fn of_process() -> io::Result<ProcessUsage> {
    let usage = rusage(libc::RUSAGE_SELF)?;
    Ok(ProcessUsage {
        user_ns: nanos(usage.ru_utime),
        system_ns: nanos(usage.ru_stime),
        voluntary_switches: count(usage.ru_nvcsw),
        involuntary_switches: count(usage.ru_nivcsw),
        major_faults: count(usage.ru_majflt),
        minor_faults: count(usage.ru_minflt),
        max_rss_bytes: count(usage.ru_maxrss) * 1024,
    })
}

/// CPU time alone.
///
/// # Errors
///
/// What the system said.
pub(crate) fn cpu_of_process() -> io::Result<u64> {
    of_process().map(|usage| usage.user_ns + usage.system_ns)
}

/// Of the calling thread.
///
/// # Errors
///
/// What the system said.
pub(crate) fn of_thread() -> io::Result<ThreadUsage> {
    let usage = rusage(libc::RUSAGE_THREAD)?;
    Ok(ThreadUsage {
        switches: count(usage.ru_nvcsw) + count(usage.ru_nivcsw),
        major_faults: count(usage.ru_majflt),
    })
}

fn count(value: libc::c_long) -> u64 {
    u64::try_from(value).unwrap_or(0)
}

fn rusage(of: libc::c_int) -> io::Result<libc::rusage> {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is to writable memory of the size of a `rusage`.
    let status = unsafe { libc::getrusage(of, usage.as_mut_ptr()) };
    if status != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: a `rusage` is integers only, all of them zeroed above and then filled in.
    Ok(unsafe { usage.assume_init() })
}

fn nanos(time: libc::timeval) -> u64 {
    let part = |value: i64| u64::try_from(value).unwrap_or(0);
    part(time.tv_sec) * 1_000_000_000 + part(time.tv_usec) * 1_000
}
