//! What a job has written, as requests that read it back: in the order of its places, each as long
//! as a write of the job.

use crate::targets::JobTargets;
use fathom_core::trace::TraceRequest;
use fathom_core::{Nanos, Op};
use std::sync::Arc;

/// Bytes of a target that lie side by side and were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    target: u16,
    /// Bytes from the start of the window.
    start: u64,
    len: u64,
}

/// The places that a job has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rereads {
    runs: Vec<Run>,
    request_bytes: u32,
}

impl Rereads {
    /// What is known to have been written to the windows of a job from an instant of the run's
    /// clock on, in requests of `request_bytes` bytes; none where a target has no account, or one
    /// that does not cover all of it.
    pub fn of(targets: &JobTargets, since: Nanos, request_bytes: u32) -> Option<Self> {
        let mut runs = Vec::new();
        for (index, window) in targets.windows.iter().enumerate() {
            let written = targets.written.get(index)?.as_ref()?;
            if !written.tells_places() {
                return None;
            }
            let range = window.start..window.start.saturating_add(window.len);
            for (start, len) in written.runs(&range, since) {
                let start = start - window.start;
                let target = u16::try_from(index).ok()?;
                runs.push(Run { target, start, len });
            }
        }
        Some(Self {
            runs,
            request_bytes: request_bytes.max(1),
        })
    }

    /// Number of requests.
    pub fn requests(&self) -> u64 {
        let each = u64::from(self.request_bytes);
        self.runs.iter().map(|run| run.len.div_ceil(each)).sum()
    }

    /// Bytes of all of them.
    pub fn bytes(&self) -> u64 {
        self.runs.iter().map(|run| run.len).sum()
    }
}

/// Where a thread is in them: threads have their turns, so that each reads as many as the others.
#[derive(Clone, Debug)]
pub(crate) struct Rereader {
    of: Arc<Rereads>,
    run: usize,
    /// Bytes from the start of the run.
    at: u64,
    /// Threads that share them.
    threads: u32,
}

impl Rereader {
    /// At the first request of a thread.
    pub(crate) fn new(of: Arc<Rereads>, thread: u32, threads: u32) -> Self {
        let mut reader = Self {
            of,
            run: 0,
            at: 0,
            threads,
        };
        reader.skip(thread);
        reader
    }

    /// The next request of the thread; none when all were made.
    pub(crate) fn peek(&self) -> Option<TraceRequest> {
        let run = self.of.runs.get(self.run)?;
        let rest = (run.len - self.at).min(self.of.request_bytes.into());
        Some(TraceRequest {
            target: run.target,
            ..TraceRequest::new(Nanos::ZERO, Op::Read, run.start + self.at, rest as u32)
        })
    }

    /// The request that was looked at is made.
    pub(crate) fn advance(&mut self) {
        self.skip(self.threads);
    }

    fn skip(&mut self, requests: u32) {
        for _ in 0..requests {
            let Some(run) = self.of.runs.get(self.run) else {
                return;
            };
            self.at += u64::from(self.of.request_bytes);
            if self.at >= run.len {
                self.run += 1;
                self.at = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Window;
    use crate::verify::{Expected, Written};

    #[test]
    fn what_was_written_is_read_once_by_all_threads_together() {
        let written = Written::new((0, 64 << 10), 4096, 0, false);
        let mut seen = [Expected::default(); 4];
        for (offset, len, is_good) in [(8192, 12288, true), (0, 4096, false), (40960, 4096, true)] {
            written.begin_write(offset, len, Nanos(1000), &mut seen);
            written.end(offset, len, is_good, &seen);
        }
        let targets = JobTargets {
            windows: vec![Window {
                start: 4096,
                len: 60 << 10,
            }],
            written: vec![Some(Arc::new(written))],
            ..JobTargets::default()
        };
        let since = |since| Rereads::of(&targets, since, 8192).expect("an account is kept");
        assert_eq!(since(Nanos(10_000)).requests(), 0);
        let rereads = since(Nanos::ZERO);
        assert_eq!((rereads.requests(), rereads.bytes()), (3, 16384));
        let rereads = Arc::new(rereads);
        let of_thread = |thread| {
            let mut reader = Rereader::new(rereads.clone(), thread, 2);
            let mut found = Vec::new();
            while let Some(request) = reader.peek() {
                found.push((request.offset, request.len));
                reader.advance();
            }
            found
        };
        let found = (of_thread(0), of_thread(1));
        assert_eq!(
            found,
            (vec![(4096, 8192), (36864, 4096)], vec![(12288, 4096)])
        );
    }
}
