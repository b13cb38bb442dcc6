//! Requests as fio replays them: its I/O log, version 3.
//!
//! A line is the microseconds since the begin, a file, an action, and for requests their offset and
//! length in bytes. What fio and Fathom read again stands in words between blanks, so that no path
//! with a blank can be written.

use fathom_core::{Nanos, Op};
use std::io::{self, Write};

/// One request of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedRequest {
    /// When it was issued, since the begin of the trace.
    pub at: Nanos,
    /// Byte offset in its file.
    pub offset: u64,
    /// Bytes moved.
    pub bytes: u32,
    /// Number of its file.
    pub file: u16,
    /// What it did.
    pub op: Op,
}

/// Writes a trace over `files`; `data_only` says whether flushes leave out metadata. The requests
/// are brought into the order in which they were issued.
///
/// # Errors
///
/// Those of `out`.
pub fn write_iolog(
    files: &[String],
    requests: &mut [RecordedRequest],
    data_only: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    requests.sort_by_key(|request| request.at);
    out.write_all(b"fio version 3 iolog\n")?;
    for action in ["add", "open"] {
        for file in files {
            writeln!(out, "0 {file} {action}")?;
        }
    }
    let mut place = 0;
    for request in requests.iter() {
        let Some(file) = files.get(usize::from(request.file)) else {
            continue;
        };
        let action = match request.op {
            Op::Read => "read",
            Op::Write => "write",
            Op::Trim => "trim",
            Op::Flush if data_only => "datasync",
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
    let last = requests.last().map_or(0, |request| request.at.0 / 1_000);
    for file in files {
        writeln!(out, "{last} {file} close")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::trace::TraceRequest;

    fn request(at_us: u64, offset: u64, op: Op, file: u16) -> RecordedRequest {
        RecordedRequest {
            at: Nanos::from_micros(at_us),
            offset,
            bytes: if op == Op::Flush { 0 } else { 4096 },
            file,
            op,
        }
    }

    #[test]
    fn what_is_written_is_what_is_replayed() {
        let files = ["/data/a".to_owned(), "/data/b".to_owned()];
        let mut requests = [
            request(30, 8192, Op::Write, 1),
            request(20, 4096, Op::Read, 0),
            request(31, 0, Op::Flush, 1),
            request(45, 0, Op::Trim, 0),
        ];
        let mut text = Vec::new();
        write_iolog(&files, &mut requests, true, &mut text).expect("memory takes everything");
        let text = String::from_utf8(text).expect("text");
        let expected = "fio version 3 iolog\n0 /data/a add\n0 /data/b add\n0 /data/a open\n\
                        0 /data/b open\n20 /data/a read 4096 4096\n30 /data/b write 8192 4096\n\
                        31 /data/b datasync 8192 0\n45 /data/a trim 0 4096\n45 /data/a close\n\
                        45 /data/b close\n";
        assert_eq!(text, expected);
        let trace = crate::fio::iolog::parse(&text, "x.log").expect("a trace");
        assert_eq!(trace.files, files);
        let again: Vec<TraceRequest> = requests
            .iter()
            .map(|request| TraceRequest {
                at: request.at,
                offset: request.offset,
                len: request.bytes,
                target: request.file,
                op: request.op,
                data_only: request.op == Op::Flush,
            })
            .collect();
        assert_eq!(trace.requests, again);
    }
}
