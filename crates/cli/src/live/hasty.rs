//! Standard error for those who cannot wait.

use crate::platform;
use crate::terminal;
use std::io::{self, Write};

/// Writes to standard error as long as somebody reads it. Where a pipe is full or a terminal is
/// stopped, what is written is dropped: progress is not worth holding up a measurement.
#[derive(Debug, Default)]
pub(crate) struct HastyStderr;

impl Write for HastyStderr {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if platform::would_wait(&terminal::raw_stderr()) {
            return Ok(bytes.len());
        }
        terminal::stderr().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
