//! Pages of the kernel's ring buffer as `trace_pipe_raw` gives them (kernel documentation,
//! trace/ring-buffer-design; `events/header_page` and `events/header_event`).

use crate::event::Event;
use crate::layout::Layouts;

/// A time stamp and the number of bytes in use stand before the records.
const HEAD_BYTES: usize = 16;
/// The bits of the second word that are a length; those above say that events were lost.
const LENGTH: u64 = 0xf_ffff;
/// Bits of the time in the head of a record.
const DELTA_BITS: u32 = 27;
/// Bits of an absolute time that its record has.
const STAMP_BITS: u32 = 59;

/// Heads of records that are not a length in words.
const LONG: u32 = 0;
const PADDING: u32 = 29;
const TIME_EXTEND: u32 = 30;
const TIME_STAMP: u32 = 31;

/// Reads the events of a page, in the order in which they were recorded. What does not fit into the
/// page is left out.
pub fn events_of_page(page: &[u8], layouts: &Layouts, each: &mut impl FnMut(Event)) {
    let (Some(mut at_ns), Some(committed)) = (long(page, 0), long(page, 8)) else {
        return;
    };
    let end = HEAD_BYTES + (committed & LENGTH) as usize;
    let page = &page[..end.min(page.len())];
    let mut at = HEAD_BYTES;
    while let Some(head) = word(page, at) {
        at += 4;
        let delta = u64::from(head >> 5);
        let length = match head & 31 {
            TIME_EXTEND | TIME_STAMP => {
                let Some(upper) = word(page, at) else { return };
                let time = u64::from(upper) << DELTA_BITS | delta;
                at_ns = if head & 31 == TIME_EXTEND {
                    at_ns.saturating_add(time)
                } else {
                    at_ns >> STAMP_BITS << STAMP_BITS | time
                };
                at += 4;
                continue;
            }
            PADDING => {
                // Without a time it fills the rest of the page.
                let Some(length) = word(page, at).filter(|_| delta > 0) else {
                    return;
                };
                at_ns = at_ns.saturating_add(delta);
                at += length as usize;
                continue;
            }
            LONG => {
                // The length counts itself.
                let length = word(page, at).and_then(|length| length.checked_sub(4));
                let Some(length) = length else { return };
                at += 4;
                (length as usize).next_multiple_of(4)
            }
            words => words as usize * 4,
        };
        at_ns = at_ns.saturating_add(delta);
        let Some(event) = page.get(at..at + length) else {
            return;
        };
        if let Some(event) = layouts.read(at_ns, event) {
            each(event);
        }
        at += length;
    }
}

fn word(page: &[u8], at: usize) -> Option<u32> {
    let bytes = page.get(at..)?.first_chunk()?;
    Some(u32::from_ne_bytes(*bytes))
}

fn long(page: &[u8], at: usize) -> Option<u64> {
    let bytes = page.get(at..)?.first_chunk()?;
    Some(u64::from_ne_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::EventKind;
    use crate::layout::Layout;
    use crate::layout::tests::{ISSUE, issue};

    /// A page of records: heads and bodies.
    fn page(at_ns: u64, records: &[Vec<u8>]) -> Vec<u8> {
        let records = records.concat();
        let mut page = at_ns.to_ne_bytes().to_vec();
        // Events were lost before it.
        page.extend((records.len() as u64 | 1 << 31).to_ne_bytes());
        page.extend(records);
        page.resize(4096, 0xff);
        page
    }

    fn record(kind: u32, delta: u32, body: &[u8]) -> Vec<u8> {
        let mut record = (delta << 5 | kind).to_ne_bytes().to_vec();
        record.extend(body);
        record
    }

    fn found(page: &[u8]) -> Vec<(u64, u64)> {
        let layout = Layout::parse(EventKind::Issued, ISSUE).expect("a layout");
        let mut found = Vec::new();
        events_of_page(page, &Layouts(vec![layout]), &mut |event| {
            found.push((event.at_ns, event.sector));
        });
        found
    }

    #[test]
    fn records_of_every_kind_keep_the_time() {
        let event = |sector| issue(sector, 8, b"R");
        let long = [(68_u32).to_ne_bytes().to_vec(), event(3)].concat();
        let records = [
            record(16, 5, &event(1)),
            record(TIME_EXTEND, 1, &2_u32.to_ne_bytes()),
            record(16, 0, &event(2)),
            record(PADDING, 7, &8_u32.to_ne_bytes()),
            vec![0; 4],
            record(LONG, 1, &long),
            record(TIME_STAMP, 9, &1_u32.to_ne_bytes()),
            record(16, 2, &event(4)),
            // Of an event that nobody asked for.
            record(1, 2, &[9, 9, 9, 9]),
            record(16, 1, &event(5)),
            record(PADDING, 0, &[]),
        ];
        let page = page(1000, &records);
        let extended = 1005 + (2 << 27) + 1;
        let stamped = (1 << 27) + 9;
        let expected = [
            (1005, 1),
            (extended, 2),
            (extended + 8, 3),
            (stamped + 2, 4),
            (stamped + 5, 5),
        ];
        assert_eq!(found(&page), expected);
        // However it is cut, there are the first of them.
        for length in 0..600 {
            let found = found(&page[..length]);
            assert_eq!(found, expected[..found.len()], "{length} bytes");
        }
    }
}
