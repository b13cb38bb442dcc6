//! The priority of a thread with the processor, and of its requests with the kernel's scheduler.

use crate::error::EngineError;
use fathom_core::spec::Priority;
use std::io;

/// A thread, and not a process or a user.
const WHO_THREAD: libc::c_int = 1;

/// Gives the requests of the calling thread a class, a level in it and a hint.
///
/// # Errors
///
/// [`EngineError::Unavailable`], as without the right to requests in real time.
pub fn set_io_priority(priority: Priority) -> Result<(), EngineError> {
    let value = libc::c_int::from(priority.number());
    // SAFETY: the call takes three numbers and touches no memory of ours.
    let answer = unsafe { libc::syscall(libc::SYS_ioprio_set, WHO_THREAD, 0, value) };
    if answer == 0 {
        return Ok(());
    }
    Err(EngineError::Unavailable {
        engine: "the priority of requests",
        cause: io::Error::last_os_error().to_string(),
        remedy: "run as root for `real_time`, or take `best_effort`".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::spec::{IoClass, Job};

    /// What the kernel has of the calling thread.
    fn found() -> i64 {
        // SAFETY: the call takes two numbers and touches no memory of ours.
        unsafe { libc::syscall(libc::SYS_ioprio_get, WHO_THREAD, 0) }
    }

    #[test]
    fn a_thread_has_the_priority_that_it_was_given() {
        let given = [
            (IoClass::BestEffort, Some(7), (2 << 13) | 7),
            (IoClass::BestEffort, None, (2 << 13) | 4),
            (IoClass::Idle, None, 3 << 13),
        ];
        for (io_class, io_level, expected) in given {
            let of_all = Job {
                io_class: Some(io_class),
                io_level,
                ..Job::plain()
            };
            let priority = of_all.own_priority().expect("there is one");
            let of_thread = std::thread::spawn(move || {
                set_io_priority(priority).expect("everybody may");
                found()
            });
            assert_eq!(of_thread.join().expect("it ends"), expected);
        }
    }
}
