//! Traces: fio's I/O logs, versions 2 and 3, and those of blktrace.
//!
//! A line is `file action` or `file action offset length`; version 3 puts the microseconds since
//! the start before it, version 2 has an action `wait` with the microseconds since the last one.

use super::blktrace;
use fathom_core::trace::{Trace, TraceRequest};
use fathom_core::{Nanos, Op};
use fathom_tools::diagnostic::{Diagnostic, Severity, Skipped};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Whether a file that starts with these bytes is a trace of either kind.
pub fn is(start: &[u8]) -> bool {
    start.starts_with(b"fio version ") || blktrace::is_trace(start)
}

/// Reads a trace of either kind. `file` is its name for what is wrong with it.
///
/// # Errors
///
/// What is wrong with it first.
pub fn read(bytes: &[u8], file: &str) -> Result<Trace, Vec<Diagnostic>> {
    let wrong = |message: String, remedy: &str| {
        vec![Diagnostic {
            skipped: Skipped::default(),
            severity: Severity::Error,
            message,
            file: file.into(),
            text: "".into(),
            span: 0..0,
            suggestion: None,
            remedy: Some(remedy.to_owned()),
        }]
    };
    if blktrace::is_trace(bytes) {
        return blktrace::parse(bytes).map_err(|what| {
            let message = format!("the trace of blktrace {what}");
            wrong(
                message,
                "one file with all of it, as `blkparse -d` writes it",
            )
        });
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        let message = "the trace is neither an I/O log of fio nor one of blktrace".to_owned();
        return Err(wrong(
            message,
            "a log as --write_iolog=FILE of fio writes it",
        ));
    };
    parse(text, file)
}

/// Reads an I/O log of fio. `file` is its name for what is wrong with it.
///
/// # Errors
///
/// What is wrong with it first.
pub fn parse(text: &str, file: &str) -> Result<Trace, Vec<Diagnostic>> {
    let wrong = |span: Range<usize>, message: String, remedy: &str| {
        vec![Diagnostic {
            skipped: Skipped::default(),
            severity: Severity::Error,
            message,
            file: file.into(),
            text: Arc::from(text),
            span,
            suggestion: None,
            remedy: Some(remedy.to_owned()),
        }]
    };
    let mut reader = Reader {
        trace: Trace::default(),
        now: Nanos::ZERO,
        timed: false,
        files: HashMap::new(),
    };
    let mut begin = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let place = begin..begin + line.trim_end().len();
        begin += line.len();
        let read = if number == 0 {
            reader.header(line.trim())
        } else {
            reader.line(line)
        };
        read.map_err(|(message, remedy)| wrong(place, message, remedy))?;
    }
    if reader.trace.requests.is_empty() {
        let first = 0..text.lines().next().map_or(0, str::len);
        let message = "the trace has no request".to_owned();
        return Err(wrong(
            first,
            message,
            "as --write_iolog=FILE of fio writes it",
        ));
    }
    Ok(reader.trace)
}

type Wrong = (String, &'static str);

const LINE: &str = "as in `/dev/sdb read 4096 8192`, with microseconds before it in version 3";

/// Largest request that moves bytes.
const MOST_BYTES: u64 = 1 << 30;
/// Largest trim: a length has 32 bits.
const MOST_TRIM: u64 = u32::MAX as u64;

/// The actions with an offset and a length.
const ACTIONS: [&str; 5] = ["read", "write", "trim", "sync", "datasync"];

/// A line without its last words: a name, in which there may be blanks.
fn without_words(line: &str, count: usize) -> &str {
    let shorter = |text: &'_ str| text.rfind(char::is_whitespace).unwrap_or(0);
    (0..count).fold(line, |text, _| text[..shorter(text)].trim_end())
}

struct Reader {
    trace: Trace,
    now: Nanos,
    timed: bool,
    /// The numbers of the files that were named.
    files: HashMap<String, u16>,
}

impl Reader {
    fn header(&mut self, line: &str) -> Result<(), Wrong> {
        self.timed = match line {
            "fio version 2 iolog" => false,
            "fio version 3 iolog" => true,
            _ => {
                let message = "this is no I/O log of fio".to_owned();
                let remedy = "a first line of `fio version 2 iolog` or `fio version 3 iolog`; or a \
                              trace of blktrace";
                return Err((message, remedy));
            }
        };
        Ok(())
    }

    fn line(&mut self, line: &str) -> Result<(), Wrong> {
        let mut rest = line.trim();
        if rest.is_empty() {
            return Ok(());
        }
        if self.timed {
            let (at, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let at = number(at)?;
            rest = after.trim_start();
            // Requests of several threads may be a little out of order.
            self.now = self.now.max(Nanos(at.saturating_mul(1_000)));
        }
        let words: Vec<&str> = rest.split_whitespace().collect();
        match words.as_slice() {
            [_, .., "add"] => {
                self.file(without_words(rest, 1))?;
                Ok(())
            }
            [_, .., "open" | "close"] => Ok(()),
            [_, "wait", time, ..] if !self.timed => {
                let time = number(time)?.saturating_mul(1_000);
                self.now = self.now.saturating_add(Nanos(time));
                Ok(())
            }
            [file, names @ .., action, offset, length]
                if names.is_empty() || ACTIONS.contains(action) =>
            {
                let file = if names.is_empty() {
                    file
                } else {
                    without_words(rest, 3)
                };
                self.request(file, action, offset, length)
            }
            _ => Err(("this is no line of an I/O log".to_owned(), LINE)),
        }
    }

    fn request(
        &mut self,
        file: &str,
        action: &str,
        offset: &str,
        length: &str,
    ) -> Result<(), Wrong> {
        let (op, data_only) = match action {
            "read" => (Op::Read, false),
            "write" => (Op::Write, false),
            "trim" => (Op::Trim, false),
            "sync" => (Op::Flush, false),
            "datasync" => (Op::Flush, true),
            other => {
                let message = format!("`{other}` is not an action");
                return Err((message, "read, write, trim, sync, datasync or wait"));
            }
        };
        let (mut offset, len) = (number(offset)?, number(length)?);
        let is_flush = op == Op::Flush;
        let room = (i64::MAX as u64).saturating_sub(len);
        // A trim moves no bytes.
        let most = if op == Op::Trim {
            MOST_TRIM
        } else {
            MOST_BYTES
        };
        if !is_flush && (len == 0 || len > most || offset > room) {
            let message = format!("a request of {len} bytes at {offset} is not possible");
            let remedy = "1 byte to 1 GiB, a trim below 4 GiB, all below 8 EiB";
            return Err((message, remedy));
        }
        let target = self.file(file)?;
        if is_flush {
            offset = 0;
        }
        let len = if is_flush { 0 } else { len as u32 };
        self.trace.requests.push(TraceRequest {
            target,
            data_only,
            ..TraceRequest::new(self.now, op, offset, len)
        });
        Ok(())
    }

    fn file(&mut self, name: &str) -> Result<u16, Wrong> {
        if let Some(number) = self.files.get(name) {
            return Ok(*number);
        }
        let number = u16::try_from(self.trace.files.len()).map_err(|_| {
            let message = "the trace has more than 65536 files".to_owned();
            (message, "a part of it")
        })?;
        self.trace.files.push(name.to_owned());
        self.files.insert(name.to_owned(), number);
        Ok(number)
    }
}

fn number(text: &str) -> Result<u64, Wrong> {
    text.parse()
        .map_err(|_| (format!("`{text}` is not a number"), LINE))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(at_us: u64, target: u16, op: Op, offset: u64, len: u32) -> TraceRequest {
        TraceRequest {
            target,
            ..TraceRequest::new(Nanos::from_micros(at_us), op, offset, len)
        }
    }

    #[test]
    fn version_three_has_instants() {
        let text = "fio version 3 iolog\n34 r.0 add\n42 r.1 add\n203 r.0 open\n\
                    208 r.0 write 32378880 4096\n100343 r.1 read 397438976 8192\n\
                    200449 r.0 sync 397438976 0\n500686 r.1 close\n";
        let trace = parse(text, "t.log").unwrap();
        assert_eq!(trace.files, ["r.0", "r.1"]);
        assert_eq!(
            trace.requests,
            [
                request(208, 0, Op::Write, 32_378_880, 4096),
                request(100_343, 1, Op::Read, 397_438_976, 8192),
                request(200_449, 0, Op::Flush, 0, 0),
            ]
        );
    }

    #[test]
    fn version_two_waits() {
        let text = "fio version 2 iolog\n/f add\n/f open\n/f read 0 512\n/f wait 250 0\n\
                    /f trim 512 512\n/f wait 750 0\n/f datasync 0 0\n/f close\n";
        let trace = parse(text, "t.log").unwrap();
        let flush = TraceRequest {
            data_only: true,
            ..request(1000, 0, Op::Flush, 0, 0)
        };
        assert_eq!(
            trace.requests,
            [
                request(0, 0, Op::Read, 0, 512),
                request(250, 0, Op::Trim, 512, 512),
                flush,
            ]
        );
    }

    #[test]
    fn a_trim_may_be_longer_than_what_moves_bytes() {
        let text = "fio version 2 iolog\n/f trim 0 2147483648\n/f write 0 4096\n";
        let trace = parse(text, "t.log").unwrap();
        let lengths: Vec<u32> = trace.requests.iter().map(|one| one.len).collect();
        assert_eq!(lengths, [1 << 31, 4096]);
        let long = "fio version 2 iolog\n/f write 0 2147483648\n";
        assert!(parse(long, "t.log").is_err());
    }

    #[test]
    fn what_is_wrong_is_shown_on_its_line() {
        let wrong = |text: &str| {
            let found = parse(text, "t.log").unwrap_err().swap_remove(0);
            format!("{}:{} {}", found.line(), found.column(), found.message)
        };
        let head = "fio version 2 iolog\n";
        let cases = [
            (String::new(), "1:1 the trace has no request"),
            ("binary".to_owned(), "1:1 this is no I/O log of fio"),
            (format!("{head}/f add\n"), "1:1 the trace has no request"),
            (
                format!("{head}/f read 0\n"),
                "2:1 this is no line of an I/O log",
            ),
            (
                format!("{head}/f peek 0 512\n"),
                "2:1 `peek` is not an action",
            ),
            (format!("{head}/f read x 512\n"), "2:1 `x` is not a number"),
            (
                format!("{head}/f read 0 0\n"),
                "2:1 a request of 0 bytes at 0 is not possible",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(wrong(&text), expected);
        }
    }
}
