//! Which signals a thread keeps from itself.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

/// Keeps these signals from the calling thread and from those that it starts.
///
/// # Errors
///
/// What the system said.
pub(crate) fn leave_signals(signals: &[i32]) -> io::Result<()> {
    let mut set = std::mem::MaybeUninit::uninit();
    // SAFETY: `sigemptyset` writes the whole set.
    unsafe { libc::sigemptyset(set.as_mut_ptr()) };
    for signal in signals {
        // SAFETY: the set is written.
        unsafe { libc::sigaddset(set.as_mut_ptr(), *signal) };
    }
    // SAFETY: the set is written, and there is no place for the old one to be written to.
    let failed =
        unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, set.as_ptr(), std::ptr::null_mut()) };
    match failed {
        0 => Ok(()),
        number => Err(io::Error::from_raw_os_error(number)),
    }
}

/// Has the process of a command receive every signal.
pub(crate) fn receive_all(command: &mut Command) {
    // SAFETY: the closure runs between fork and exec, and calls nothing but two functions that are
    // safe there (signal-safety(7)).
    unsafe { command.pre_exec(take_all) };
}

fn take_all() -> io::Result<()> {
    let mut none = std::mem::MaybeUninit::uninit();
    // SAFETY: `sigemptyset` writes the whole set, and never fails.
    unsafe { libc::sigemptyset(none.as_mut_ptr()) };
    // SAFETY: the set is written, and there is no place for the old one to be written to.
    match unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, none.as_ptr(), std::ptr::null_mut()) } {
        0 => Ok(()),
        number => Err(io::Error::from_raw_os_error(number)),
    }
}
