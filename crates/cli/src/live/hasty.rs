//! Standard error for those who cannot wait.

use crate::terminal;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{self, Write};

/// Writes to standard error as long as somebody reads it. Where a pipe is full or a terminal is
/// stopped, what is written is dropped: progress is not worth holding up a measurement.
#[derive(Debug, Default)]
pub(crate) struct HastyStderr;

impl Write for HastyStderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let stderr = terminal::raw_stderr();
        let mut fds = [PollFd::new(&stderr, PollFlags::OUT)];
        let now = Timespec::default();
        match poll(&mut fds, Some(&now)) {
            Ok(0) => Ok(bytes.len()),
            _ => terminal::stderr().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
