//! Logs of requests that a call asks for: which requests each has, and who writes its lines.

use fathom_core::{Nanos, Op};
use std::fmt;
use std::io;
use std::path::PathBuf;

/// A log of requests, written while the run goes on.
#[derive(Debug)]
pub struct RequestLog {
    /// What messages call it, as in `log`.
    pub thing: &'static str,
    /// File.
    pub path: PathBuf,
    /// Whether it is one of several in that file, one after another, after its content.
    pub together: bool,
    /// Phase of the workload.
    pub phase: String,
    /// Jobs of that phase.
    pub jobs: Vec<String>,
    /// Thread of the jobs; all of them without it.
    pub thread: Option<u32>,
    /// Begin of the logged time, from that of the phase.
    pub begin: Nanos,
    /// Whether it also has flushes, and requests outside the measured time.
    pub is_whole: bool,
    /// Whether a file that begins so is an older log, which may be replaced.
    pub is_own: fn(&[u8]) -> bool,
    /// Writes its lines.
    pub writer: Box<dyn RequestWriter>,
}

/// A completed request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoggedRequest {
    /// Completion, from the start of the logged time.
    pub at: Nanos,
    /// Begin of the preparation to issue.
    pub submission: Nanos,
    /// Issue to completion.
    pub latency: Nanos,
    /// Byte offset in its target.
    pub offset: u64,
    /// Bytes moved.
    pub bytes: u32,
    /// Number of its target among those of the log.
    pub target: u16,
    /// What it did.
    pub op: Op,
    /// Its priority as the kernel numbers it; 0 without one.
    pub priority: u16,
}

/// Writes a log in the form of a program; requests come in the order of their completion. Errors
/// are those of `out`.
pub trait RequestWriter: fmt::Debug {
    /// The logged time begins at this instant, since 1970.
    fn begin(&mut self, instant: Nanos) {
        let _ = instant;
    }

    /// Adds a request.
    fn add(&mut self, request: LoggedRequest, out: &mut dyn io::Write) -> io::Result<()>;

    /// The phase is over, this long after the start of the logged time.
    fn over(&mut self, at: Nanos, out: &mut dyn io::Write) -> io::Result<()> {
        let _ = (at, out);
        Ok(())
    }

    /// Writes what is left. `targets` are those of the log, by their numbers.
    fn finish(&mut self, targets: &[String], out: &mut dyn io::Write) -> io::Result<()>;
}
