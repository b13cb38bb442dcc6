//! Who else has a file open.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd as _;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

/// How long a process may take to end that was found to have something open.
const PATIENCE: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 250_000_000,
};

/// Returns when a process has ended, or after a while.
pub(crate) fn await_end(pid: i32) {
    let held = Pid::from_raw(pid).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
    if let Some(held) = held {
        // Whatever comes of it, the process is looked at again.
        let _ = poll(&mut [PollFd::new(&held, PollFlags::IN)], Some(&PATIENCE));
    }
}

/// Whether a descriptor with these flags of open(2) may be written to; none if it can be neither
/// read nor written.
pub(crate) fn may_write(flags: i32) -> Option<bool> {
    (flags & libc::O_PATH == 0).then_some(flags & libc::O_ACCMODE != libc::O_RDONLY)
}

/// `F_SETSIG` of fcntl(2), which libc does not have everywhere.
const SET_SIGNAL: libc::c_int = 10;

/// Whether somebody else has it open to write, or with `at_all` open at all.
///
/// # Errors
///
/// What the system said.
pub(crate) fn is_leased_out(file: &File, at_all: bool) -> io::Result<bool> {
    let kind = if at_all { libc::F_WRLCK } else { libc::F_RDLCK };
    // SAFETY: these commands take numbers alone.
    let control =
        |command, value: libc::c_int| unsafe { libc::fcntl(file.as_raw_fd(), command, value) };
    // Whoever opens the file while the lease is held makes the kernel send a signal. That of its
    // own choice ends the process, this one does nothing.
    if control(SET_SIGNAL, libc::SIGURG) != 0 {
        return Err(io::Error::last_os_error());
    }
    if control(libc::F_SETLEASE, kind) == 0 {
        control(libc::F_SETLEASE, libc::F_UNLCK);
        return Ok(false);
    }
    let error = io::Error::last_os_error();
    match error.raw_os_error() {
        Some(libc::EAGAIN) => Ok(true),
        _ => Err(error),
    }
}
