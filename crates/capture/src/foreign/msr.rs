//! MSR Cambridge, as SNIA publishes it: `time,host,disk,Read|Write,offset,bytes,response`. Times
//! and response times are in 100 ns, the former since 1601.

use super::book::{Book, Seen, Wrong, calendar};
use super::text::{cells, has_shape, number};
use super::{Format, Frame};
use crate::flags::Flags;

pub(super) const FORMAT: Format = Format {
    title: "CSV of MSR Cambridge",
    is,
    frame: Frame::Line,
    take,
    assumed: None,
};

const PER_S: u64 = 10_000_000;
/// From 1601 to 1970.
const EPOCH: u64 = 11_644_473_600 * PER_S;

fn is(start: &[u8]) -> bool {
    has_shape(start, |line| {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        cells.len() == 7 && op(cells[3]).is_some() && cells[0].parse::<u64>().is_ok()
    })
}

fn op(word: &str) -> Option<Flags> {
    match word.to_ascii_lowercase().as_str() {
        "read" => Some(Flags::READ),
        "write" => Some(Flags::WRITE),
        _ => None,
    }
}

fn take(piece: &[u8], book: &mut Book) -> Result<(), Wrong> {
    let Some([at, host, disk, name, offset, bytes, response]) = cells(piece)? else {
        return Ok(());
    };
    if at.eq_ignore_ascii_case("timestamp") {
        return Ok(());
    }
    let at: u64 = number(at)?;
    let flags = op(name).ok_or("its operation is neither Read nor Write")?;
    let since_1970 = at.checked_sub(EPOCH).ok_or_else(|| {
        Wrong::Unit(format!(
            "time {at} was found, units of 100 ns since 1601 such as 128166372003061629 were \
             expected"
        ))
    })?;
    book.add(Seen {
        at_ns: calendar(since_1970, PER_S, "units of 100 ns since 1970")?,
        service_ns: Some(number::<u64>(response)?.saturating_mul(100)),
        device: &format!("{host}.{disk}"),
        offset: number(offset)?,
        bytes: number(bytes)?,
        flags,
        process: None,
    })
}
