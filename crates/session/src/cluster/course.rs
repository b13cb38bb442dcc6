//! What of a member's course travels to its coordinator: the requests of jobs that keep journals.

use fathom_cluster::limits;
use fathom_load::journal::Entry;
use fathom_load::journal_event::JournalEvent;
use std::borrow::Cow;

/// Requests that travel together: a request takes 53 bytes at most, and the rest of a piece needs
/// little.
const ENTRIES: usize = 4096;

const _: () = assert!(ENTRIES * 53 + 1024 <= limits::COURSE_BYTES);

/// Hands an event to `send` in pieces that may travel.
pub(super) fn pieces(event: &JournalEvent<'_>, send: &mut dyn FnMut(Vec<u8>)) {
    let JournalEvent::Requests {
        job,
        thread,
        start_ns,
        entries,
    } = event
    else {
        return send(written(event));
    };
    for part in entries.chunks(ENTRIES) {
        send(written(&JournalEvent::Requests {
            job: *job,
            thread: *thread,
            start_ns: *start_ns,
            entries: Cow::<[Entry]>::Borrowed(part),
        }));
    }
}

fn written(event: &JournalEvent<'_>) -> Vec<u8> {
    postcard::to_stdvec(event).expect("events are plain data")
}

/// What a piece says; none where it makes no sense.
pub(super) fn read(piece: &[u8]) -> Option<JournalEvent<'static>> {
    postcard::from_bytes(piece).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::interval::Part;
    use fathom_core::{Nanos, Op};

    #[test]
    fn requests_travel_in_pieces_and_come_as_they_were() {
        let last = Nanos(u64::MAX);
        let entry = |offset| Entry {
            begun: last,
            issued: last,
            completed: last,
            offset,
            len: u32::MAX,
            target: u16::MAX,
            op: Op::Unlink,
            part: Part::CoolDown,
            priority: u16::MAX,
        };
        let entries: Vec<Entry> = (0..=ENTRIES as u64).map(|n| entry(u64::MAX - n)).collect();
        let event = JournalEvent::Requests {
            job: 3,
            thread: 7,
            start_ns: 9,
            entries: Cow::Borrowed(&entries),
        };
        let (mut came, mut longest) = (Vec::new(), 0);
        pieces(&event, &mut |piece| {
            longest = longest.max(piece.len());
            let Some(JournalEvent::Requests {
                job: 3,
                thread: 7,
                start_ns: 9,
                entries,
            }) = read(&piece)
            else {
                panic!("it is no longer what it was");
            };
            came.extend(entries.into_owned());
        });
        assert_eq!(came, entries);
        assert!(longest <= limits::COURSE_BYTES, "{longest} bytes");
    }

    #[test]
    fn other_events_come_as_they_were() {
        for event in [
            JournalEvent::Begin { base_ns: u64::MAX },
            JournalEvent::PhaseStart {
                name: "p".into(),
                jobs: vec!["a".into(), "b".into()],
            },
            JournalEvent::Lost(1),
            JournalEvent::Waited(2),
            JournalEvent::PhaseEnd {
                name: "p".into(),
                length_ns: 5,
            },
        ] {
            let mut came = Vec::new();
            pieces(&event, &mut |piece| came.push(read(&piece)));
            assert_eq!(came, [Some(event)]);
        }
        assert_eq!(read(&[99]), None);
    }
}
