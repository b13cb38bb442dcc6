//! The text of `blkparse`: `8,0 3 11 0.009507758 697 D WS 223490 + 8 [kjournald]`. Requests are
//! taken where they are issued (D), or where they are queued (Q) in a trace whose start has no
//! issue.

use super::book::{Book, Wrong, device_number};
use super::text::{first_lines, line, number, seconds};
use super::{Format, Frame};
use crate::event::{Event, EventKind};
use crate::flags::Flags;

pub(super) const ISSUED: Format = Format {
    title: "text of blkparse",
    is: |start| has_action(start, "D"),
    frame: Frame::Line,
    take: |piece, book| take(piece, "D", book),
    assumed: None,
};

pub(super) const QUEUED: Format = Format {
    title: "text of blkparse without issued requests",
    is: |start| has_action(start, "Q"),
    frame: Frame::Line,
    take: |piece, book| take(piece, "Q", book),
    assumed: Some("times are those at which requests were queued."),
};

fn has_action(start: &[u8], wanted: &str) -> bool {
    first_lines(start).any(|line| parts(line).is_some_and(|parts| parts.3 == wanted))
}

/// Device, time, process, action, letters, and the rest.
type Parts<'a> = (u32, &'a str, &'a str, &'a str, &'a str, &'a str);

fn parts(text: &str) -> Option<Parts<'_>> {
    let mut rest = text;
    let mut word = || {
        rest = rest.trim_start();
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (word, more) = rest.split_at(end);
        rest = more;
        word
    };
    let (major, minor) = word().split_once(',')?;
    let device = device_number(major.parse().ok()?, minor.parse().ok()?);
    let (cpu, sequence, at) = (word(), word(), word());
    let (process, action, letters) = (word(), word(), word());
    let is_line = cpu.parse::<u32>().is_ok() && sequence.parse::<u64>().is_ok();
    let is_time = at.contains('.') && process.parse::<i32>().is_ok();
    let is_action = action.len() <= 2 && !action.is_empty();
    (is_line && is_time && is_action).then_some((device, at, process, action, letters, rest.trim()))
}

fn take(piece: &[u8], issued: &str, book: &mut Book) -> Result<(), Wrong> {
    let text = line(piece)?;
    let Some((device, at, process, action, letters, rest)) = parts(text) else {
        // The summary at the end, and messages.
        return Ok(());
    };
    let kind = match action {
        _ if action == issued => EventKind::Issued,
        "C" => EventKind::Completed,
        "R" => EventKind::Requeued,
        _ => return Ok(()),
    };
    let flags = Flags::of_letters(letters.as_bytes());
    let (place, comm) = match rest.rsplit_once('[') {
        Some((place, comm)) => (place.trim(), comm.trim_end_matches(']')),
        None => (rest, ""),
    };
    let (sector, sectors) = match place.split_once('+') {
        Some((sector, sectors)) => {
            let sectors = sectors.split_whitespace().next().unwrap_or("");
            (number(sector.trim())?, number(sectors)?)
        }
        // A flush has neither.
        None if flags == Flags(0) || flags.has(Flags::FLUSH) => (0, 0),
        None => return Err("it has no sector".into()),
    };
    book.add_event(&Event {
        at_ns: seconds(at)?,
        kind,
        device,
        sector,
        from: None,
        sectors,
        flags: flags | super::events::failed(kind, comm),
        task: number::<u32>(process)? as i32,
        comm: super::events::name(comm),
    })
}
