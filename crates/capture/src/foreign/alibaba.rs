//! Block traces of Alibaba (2020): `device,R|W,offset,bytes,time`, the time in microseconds since
//! 1970.

use super::book::{Book, Seen, Wrong, calendar};
use super::text::{cells, has_shape, number};
use super::{Format, Frame};
use crate::flags::Flags;

pub(super) const FORMAT: Format = Format {
    title: "CSV of Alibaba",
    is,
    frame: Frame::Line,
    take,
    assumed: None,
};

fn is(start: &[u8]) -> bool {
    has_shape(start, |line| {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        cells.len() == 5 && matches!(cells[1], "R" | "W") && cells[4].parse::<u64>().is_ok()
    })
}

fn take(piece: &[u8], book: &mut Book) -> Result<(), Wrong> {
    let Some([device, op, offset, bytes, at]) = cells(piece)? else {
        return Ok(());
    };
    let flags = match op {
        "R" => Flags::READ,
        "W" => Flags::WRITE,
        "opcode" => return Ok(()),
        _ => return Err("its operation is neither R nor W".into()),
    };
    book.add(Seen {
        at_ns: calendar(number(at)?, 1_000_000, "microseconds since 1970")?,
        service_ns: None,
        device,
        offset: number(offset)?,
        bytes: number(bytes)?,
        flags,
        process: None,
    })
}
