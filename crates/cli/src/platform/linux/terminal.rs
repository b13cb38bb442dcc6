//! What a terminal says of itself.

use std::os::fd::AsFd;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// Its columns; none where it does not say.
pub(crate) fn columns(terminal: &impl AsFd) -> Option<u16> {
    let size = rustix::termios::tcgetwinsize(terminal).ok()?;
    (size.ws_col > 0).then_some(size.ws_col)
}

/// Whether it is ours: a job in the background would be stopped for changing its settings.
pub(crate) fn is_ours(terminal: impl AsFd) -> bool {
    let group = rustix::termios::tcgetpgrp(terminal);
    group.is_ok_and(|group| group == rustix::process::getpgrp())
}

/// Whether who writes there now would have to wait.
pub(crate) fn would_wait(out: &impl AsFd) -> bool {
    let mut fds = [PollFd::new(out, PollFlags::OUT)];
    poll(&mut fds, Some(&Timespec::default())) == Ok(0)
}
