//! Block traces of Tencent: `time,offset,length,0|1,volume`, the time in seconds since 1970, offset
//! and length in sectors of 512 bytes, 0 for a read.

use super::book::{Book, NS_PER_S, Seen, Wrong, calendar};
use super::text::{cells, has_shape, number};
use super::{Format, Frame};
use crate::flags::Flags;
use crate::request::SECTOR_BYTES;

pub(super) const FORMAT: Format = Format {
    title: "CSV of Tencent",
    is,
    frame: Frame::Line,
    take,
    assumed: Some("times are whole seconds. A replay issues all requests of a second together."),
};

/// Digits of a time since 1970, in seconds or a smaller unit.
const CALENDAR_DIGITS: usize = 9;

fn is(start: &[u8]) -> bool {
    has_shape(start, |line| {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let is_number = |cell: &&str| cell.parse::<u64>().is_ok();
        // Logs of other tools have five numbers too, but no time of the calendar in any unit.
        let has_time = cells[0].len() >= CALENDAR_DIGITS;
        cells.len() == 5 && cells.iter().all(is_number) && matches!(cells[3], "0" | "1") && has_time
    })
}

fn take(piece: &[u8], book: &mut Book) -> Result<(), Wrong> {
    let Some([at, sector, sectors, op, volume]) = cells(piece)? else {
        return Ok(());
    };
    let flags = match op {
        "0" => Flags::READ,
        "1" => Flags::WRITE,
        "IOType" => return Ok(()),
        _ => return Err("its operation is neither 0 nor 1".into()),
    };
    book.set_resolution(NS_PER_S);
    book.add(Seen {
        at_ns: calendar(number(at)?, 1, "seconds since 1970")?,
        service_ns: None,
        device: volume,
        offset: number::<u64>(sector)?.saturating_mul(SECTOR_BYTES),
        bytes: number::<u64>(sectors)?.saturating_mul(SECTOR_BYTES),
        flags,
        process: None,
    })
}
