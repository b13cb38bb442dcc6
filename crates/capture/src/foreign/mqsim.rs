//! Traces of the simulator MQSim: `time device sector sectors 0|1`, the time in nanoseconds, 1 for
//! a read.

use super::book::{Book, Seen, Wrong};
use super::text::{has_shape, line, number};
use super::{Format, Frame};
use crate::flags::Flags;
use crate::request::SECTOR_BYTES;

pub(super) const FORMAT: Format = Format {
    title: "trace of MQSim",
    is,
    frame: Frame::Line,
    take,
    assumed: Some("times are taken as nanoseconds, the default unit of MQSim."),
};

fn is(start: &[u8]) -> bool {
    has_shape(start, |line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_number = |word: &&str| word.parse::<u64>().is_ok();
        words.len() == 5 && words.iter().all(is_number) && matches!(words[4], "0" | "1")
    })
}

fn take(piece: &[u8], book: &mut Book) -> Result<(), Wrong> {
    let words: Vec<&str> = line(piece)?.split_whitespace().collect();
    let [at, device, sector, sectors, op] = words.as_slice() else {
        if words.is_empty() {
            return Ok(());
        }
        let count = words.len();
        return Err(Wrong::Piece(format!(
            "it has {count} fields, 5 were expected"
        )));
    };
    let flags = match *op {
        "0" => Flags::WRITE,
        "1" => Flags::READ,
        _ => return Err("its operation is neither 0 nor 1".into()),
    };
    book.add(Seen {
        at_ns: number(at)?,
        service_ns: None,
        device,
        offset: number::<u64>(sector)?.saturating_mul(SECTOR_BYTES),
        bytes: number::<u64>(sectors)?.saturating_mul(SECTOR_BYTES),
        flags,
        process: None,
    })
}
