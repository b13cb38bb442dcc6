//! Requests as fio replays them: its I/O log, version 3.
//!
//! A line is the microseconds since the start, a file, an action, and for requests their offset and
//! length in bytes. What fio and Fathom read again is written as words between blanks, so that no
//! path with a blank can be written.

use fathom_core::{Nanos, Op};
use fathom_tools::request_log::{LoggedRequest, RequestWriter};
use std::collections::HashSet;
use std::io::{self, Write};

/// A request of a trace.
#[derive(Clone, Copy, Debug)]
struct Recorded {
    /// When it was issued.
    at: Nanos,
    offset: u64,
    bytes: u32,
    target: u16,
    op: Op,
}

/// Writes a trace at its end, in the order in which the requests were issued: they are known only
/// when they complete.
#[derive(Debug)]
pub(super) struct IologWriter {
    requests: Vec<Recorded>,
    /// Whether flushes leave out metadata.
    data_only: bool,
}

impl IologWriter {
    pub(super) const fn new(data_only: bool) -> Self {
        Self {
            requests: Vec::new(),
            data_only,
        }
    }
}

impl RequestWriter for IologWriter {
    fn add(&mut self, request: LoggedRequest, _: &mut dyn Write) -> io::Result<()> {
        self.requests.push(Recorded {
            at: request.at.saturating_sub(request.latency),
            offset: request.offset,
            bytes: request.bytes,
            target: request.target,
            op: request.op,
        });
        Ok(())
    }

    fn finish(&mut self, targets: &[String], out: &mut dyn Write) -> io::Result<()> {
        // Clones use the same files.
        let mut named = HashSet::new();
        let files: Vec<&String> = targets.iter().filter(|path| named.insert(*path)).collect();
        self.requests.sort_by_key(|request| request.at);
        out.write_all(b"fio version 3 iolog\n")?;
        for action in ["add", "open"] {
            for file in &files {
                writeln!(out, "0 {file} {action}")?;
            }
        }
        let mut place = 0;
        for request in &self.requests {
            let Some(file) = targets.get(usize::from(request.target)) else {
                continue;
            };
            let action = match request.op {
                Op::Read => "read",
                Op::Write => "write",
                Op::Trim => "trim",
                Op::Flush if self.data_only => "datasync",
                Op::Flush => "sync",
                // Of files, which no trace has.
                Op::Create | Op::Stat | Op::Rename | Op::Unlink => continue,
            };
            // A flush has no place; fio gives it that of the request before it.
            if request.op != Op::Flush {
                place = request.offset;
            }
            let at = request.at.0 / 1_000;
            writeln!(out, "{at} {file} {action} {place} {}", request.bytes)?;
        }
        let last = self
            .requests
            .last()
            .map_or(0, |request| request.at.0 / 1_000);
        for file in &files {
            writeln!(out, "{last} {file} close")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::trace::TraceRequest;

    /// Issued at `at_us`, and completed 5 µs later.
    fn request(at_us: u64, offset: u64, op: Op, target: u16) -> LoggedRequest {
        LoggedRequest {
            at: Nanos::from_micros(at_us + 5),
            submission: Nanos::ZERO,
            latency: Nanos::from_micros(5),
            offset,
            bytes: if op == Op::Flush { 0 } else { 4096 },
            target,
            op,
            priority: 0,
        }
    }

    #[test]
    fn what_is_written_is_what_is_replayed() {
        // Two clones have one file, and one of them another.
        let targets = ["/data/a", "/data/b", "/data/a"].map(str::to_owned);
        let requests = [
            request(30, 8192, Op::Write, 1),
            request(20, 4096, Op::Read, 0),
            request(31, 0, Op::Flush, 1),
            request(45, 0, Op::Trim, 2),
        ];
        let mut text = Vec::new();
        let mut writer = IologWriter::new(true);
        for request in requests {
            writer.add(request, &mut text).expect("memory");
        }
        writer.finish(&targets, &mut text).expect("memory");
        let text = String::from_utf8(text).expect("text");
        let expected = "fio version 3 iolog\n0 /data/a add\n0 /data/b add\n0 /data/a open\n\
                        0 /data/b open\n20 /data/a read 4096 4096\n30 /data/b write 8192 4096\n\
                        31 /data/b datasync 8192 0\n45 /data/a trim 0 4096\n45 /data/a close\n\
                        45 /data/b close\n";
        assert_eq!(text, expected);
        let trace = crate::iolog::parse(&text, "x.log").expect("a trace");
        assert_eq!(trace.files, targets[..2]);
        let again = [(1, 0), (0, 1), (2, 1), (3, 0)].map(|(number, target)| {
            let request: LoggedRequest = requests[number];
            let (at, op) = (request.at.saturating_sub(request.latency), request.op);
            TraceRequest {
                target,
                data_only: op == Op::Flush,
                ..TraceRequest::new(at, op, request.offset, request.bytes)
            }
        });
        assert_eq!(trace.requests, again);
    }

    /// fio writes such a name as it is, and so its clones of a section `[a b]` are in the log.
    #[test]
    fn a_path_with_blanks_is_read_again() {
        let mut text = Vec::new();
        let mut writer = IologWriter::new(false);
        writer
            .add(request(20, 4096, Op::Read, 0), &mut text)
            .expect("memory");
        writer
            .finish(&["/data/a  b.0.0".to_owned()], &mut text)
            .expect("memory");
        let text = String::from_utf8(text).expect("text");
        let expected = "fio version 3 iolog\n0 /data/a  b.0.0 add\n0 /data/a  b.0.0 open\n\
                        20 /data/a  b.0.0 read 4096 4096\n20 /data/a  b.0.0 close\n";
        assert_eq!(text, expected);
        let trace = crate::iolog::parse(&text, "x.log").expect("a trace");
        assert_eq!(trace.files, ["/data/a  b.0.0"]);
        assert_eq!(trace.requests.len(), 1);
    }
}
