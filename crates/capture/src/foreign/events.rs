//! Block events of the kernel as text, by `perf script`, by `trace-cmd report`, and in the file
//! `trace` of tracefs. The text behind the name of the event is the kernel's own, and so the same.

use super::book::{Book, Wrong, device_number};
use super::text::{first_lines, line, number, seconds, shortened};
use super::{Format, Frame};
use crate::event::{Event, EventKind};
use crate::flags::Flags;

pub(super) const PERF: Format = Format {
    title: "text of perf script",
    is: |start| first_lines(start).any(|line| line.contains("block:block_rq_issue:")),
    frame: Frame::Line,
    take,
    assumed: None,
};

pub(super) const TRACE_CMD: Format = Format {
    title: "text of trace-cmd report",
    is: |start| first_lines(start).any(|line| line.contains(" block_rq_issue:")),
    frame: Frame::Line,
    take,
    assumed: None,
};

fn take(piece: &[u8], book: &mut Book) -> Result<(), Wrong> {
    let text = line(piece)?;
    let named = EventKind::NAMES.into_iter().find_map(|(kind, name)| {
        let (before, after) = text.split_once(name)?;
        let after = after.strip_prefix(':')?;
        Some((kind, before.strip_suffix("block:").unwrap_or(before), after))
    });
    // Other events, stacks and heads.
    let Some((kind, before, after)) = named else {
        return Ok(());
    };
    if kind.is_optional() {
        return Ok(());
    }
    let (task, comm, at_ns) = thread(before)?;
    let (place, device, letters) = place(after)?;
    let error = after.rsplit_once('[').map_or("", |(_, error)| error);
    book.add_event(&Event {
        at_ns,
        kind,
        device,
        sector: place.0,
        from: None,
        sectors: place.1,
        flags: Flags::of_letters(letters.as_bytes()) | failed(kind, error),
        task,
        comm: name(comm),
    })
}

/// The thread and the time: `NAME PID [CPU] TIME:` or `NAME-PID [CPU] FLAGS TIME:`.
fn thread(before: &str) -> Result<(i32, &str, u64), Wrong> {
    let no_thread = || Wrong::Piece("it has no thread and time".to_owned());
    let before = before.trim().trim_end_matches(':');
    let at = before.rsplit(char::is_whitespace).next().unwrap_or("");
    let before = &before[..before.len() - at.len()];
    let (who, _) = before.split_once('[').unwrap_or((before, ""));
    let who = who.trim();
    let (comm, pid) = who
        .rsplit_once(|sign: char| sign.is_whitespace() || sign == '-')
        .ok_or_else(no_thread)?;
    // `PID/TID` of perf with both.
    let pid = pid.rsplit('/').next().unwrap_or(pid);
    Ok((number::<u32>(pid)? as i32, comm.trim(), seconds(at)?))
}

/// Sector and length, device, letters: `8,0 WS 4096 () 1234 + 8 [NAME]`.
fn place(after: &str) -> Result<((u64, u32), u32, &str), Wrong> {
    let mut words = after.split_whitespace();
    let device = words.next().and_then(|word| word.split_once(','));
    let (major, minor) = device.ok_or("it has no device")?;
    let device = device_number(number(major)?, number(minor)?);
    let letters = words.next().unwrap_or("");
    let mut before = None;
    for word in words.by_ref() {
        if word == "+" {
            break;
        }
        before = Some(word);
    }
    let sector = before.ok_or("it has no sector")?;
    let sectors = words
        .next()
        .ok_or_else(|| Wrong::Piece(format!("it has no length behind `{}`", shortened(sector))))?;
    Ok(((number(sector)?, number(sectors)?), device, letters))
}

/// Whether a completion has an error: a number in brackets at its end.
pub(super) fn failed(kind: EventKind, error: &str) -> Flags {
    let number = error.trim().trim_end_matches(']').parse::<i64>();
    if kind == EventKind::Completed && number.is_ok_and(|number| number != 0) {
        Flags::FAILED
    } else {
        Flags(0)
    }
}

/// A name as the kernel has it.
pub(super) fn name(comm: &str) -> [u8; 16] {
    let mut name = [0; 16];
    for (to, from) in name.iter_mut().zip(comm.bytes().take(15)) {
        *to = from;
    }
    name
}
