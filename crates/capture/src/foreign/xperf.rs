//! Events of disks in the text of `xperf` (Event Tracing for Windows): `DiskRead, time, process
//! ( PID), thread, IRP, offset, bytes, elapsed, disk, …`. Times are in microseconds, that of an
//! event is the end of the request.

use super::book::{Book, Seen, Wrong};
use super::text::{first_lines, line, number};
use super::{Format, Frame};
use crate::flags::Flags;

pub(super) const FORMAT: Format = Format {
    title: "CSV of xperf",
    is,
    frame: Frame::Line,
    take,
    assumed: None,
};

fn is(start: &[u8]) -> bool {
    let is_event = |line: &str| line.starts_with("DiskRead,") || line.starts_with("DiskWrite,");
    first_lines(start).any(is_event)
}

fn take(piece: &[u8], book: &mut Book) -> Result<(), Wrong> {
    let cells: Vec<&str> = line(piece)?.split(',').map(str::trim).collect();
    let flags = match cells[0] {
        "DiskRead" => Flags::READ,
        "DiskWrite" => Flags::WRITE,
        "DiskFlush" => Flags::FLUSH,
        _ => return Ok(()),
    };
    // The head names the columns on such a line.
    if cells.get(1) == Some(&"TimeStamp") {
        return Ok(());
    }
    let (offset, bytes, rest) = match cells.as_slice() {
        [_, _, _, _, _, rest @ ..] if flags == Flags::FLUSH => (0, 0, rest),
        [_, _, _, _, _, offset, bytes, rest @ ..] => (number(offset)?, number(bytes)?, rest),
        _ => return Err("it has too few fields".into()),
    };
    let [elapsed, disk, ..] = rest else {
        return Err("it has too few fields".into());
    };
    let (elapsed, end): (u64, u64) = (number(elapsed)?, number(cells[1])?);
    let (name, number_of) = cells[2].rsplit_once('(').unwrap_or((cells[2], ""));
    let process = number_of.trim_end_matches(')').trim().parse().unwrap_or(0);
    book.add_by_end(Seen {
        at_ns: end.saturating_sub(elapsed).saturating_mul(1000),
        service_ns: Some(elapsed.saturating_mul(1000)),
        device: disk,
        offset,
        bytes,
        flags,
        process: Some((process, name.trim())),
    })
}
