//! A line of `trace_pipe` (kernel documentation, trace/ftrace and trace/events).

use super::Handed;
use crate::devnum::DevNum;

/// A sector of the trace, whatever the device says.
const SECTOR_BYTES: u64 = 512;
/// The name of the event in a line.
const EVENT: &str = ": block_bio_queue: ";

/// What a line says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TraceLine<'a> {
    /// A task handed something to a device.
    Asked(TraceEvent<'a>),
    /// Number of events that were overwritten before they were read.
    Lost(u64),
}

/// What the kernel says of one request.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TraceEvent<'a> {
    /// Number of the task: of a thread its own, not that of its process.
    pub(super) task: i32,
    pub(super) name: &'a str,
    pub(super) dev: DevNum,
    pub(super) handed: Handed,
}

impl<'a> TraceLine<'a> {
    /// None of a line that says something else.
    pub(super) fn of(line: &'a str) -> Option<Self> {
        if let Some((_, count)) = line.split_once(" [LOST ") {
            return count.split(' ').next()?.parse().ok().map(Self::Lost);
        }
        // Names may hold anything; what is ours begins with the last of these.
        let at = line.rfind(EVENT)?;
        let (task, name) = task(&line[..at])?;
        let mut words = line[at + EVENT.len()..].split(' ');
        let (major, minor) = words.next()?.split_once(',')?;
        let dev = DevNum::new(major.parse().ok()?, minor.parse().ok()?);
        let what = words.next()?;
        let _sector: u64 = words.next()?.parse().ok()?;
        let sectors: u64 = match words.next()? {
            "+" => words.next()?.parse().ok()?,
            _ => return None,
        };
        let bytes = sectors * SECTOR_BYTES;
        let handed = match direction(what) {
            Some('R') => Handed {
                read_bytes: bytes,
                written_bytes: 0,
            },
            Some('W') => Handed {
                read_bytes: 0,
                written_bytes: bytes,
            },
            _ => return None,
        };
        Some(Self::Asked(TraceEvent {
            task,
            name,
            dev,
            handed,
        }))
    }
}

/// Number and name of the task, from `NAME-NUMBER [CPU] FLAGS TIME`.
fn task(head: &str) -> Option<(i32, &str)> {
    let head = head.trim();
    let (head, _time) = head.rsplit_once(' ')?;
    let (head, _flags) = head.trim_end().rsplit_once(' ')?;
    let (head, _processor) = head.trim_end().rsplit_once(' ')?;
    let (name, number) = head.trim_end().rsplit_once('-')?;
    Some((number.parse().ok()?, name))
}

/// The letter of the operation: an `F` before another letter is a flush that goes before it.
fn direction(what: &str) -> Option<char> {
    let mut letters = what.chars();
    match (letters.next()?, letters.next()) {
        ('F', Some(next)) => Some(next),
        (first, _) => Some(first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Task, device and bytes read and written.
    type TaskEvent<'a> = Option<(i32, &'a str, [u32; 2], [u64; 2])>;

    #[test]
    fn lines_are_read_whatever_a_task_is_called() {
        let told = |line| match TraceLine::of(line)? {
            TraceLine::Asked(one) => {
                let dev = [one.dev.major, one.dev.minor];
                let bytes = [one.handed.read_bytes, one.handed.written_bytes];
                Some((one.task, one.name, dev, bytes))
            }
            TraceLine::Lost(_) => None,
        };
        let cases: [(&str, TaskEvent<'_>); 9] = [
            (
                "   dd-1234    [001] .....  12.567890: block_bio_queue: 7,0 WS 2048 + 8 [dd]",
                Some((1234, "dd", [7, 0], [0, 4096])),
            ),
            (
                " my job: x-y-77  [000] d..1. 1.0: block_bio_queue: 259,3 RA 0 + 256 [my job: x-y]",
                Some((77, "my job: x-y", [259, 3], [131_072, 0])),
            ),
            (
                "kworker/u8:2+flush-254:0-33 [000] ..... 1.0: block_bio_queue: 254,0 W 1 + 1 [k]",
                Some((33, "kworker/u8:2+flush-254:0", [254, 0], [0, 512])),
            ),
            (
                "pg-9 [000] ..... 1.0: block_bio_queue: 8,16 FWFSM 800 + 8 [pg]",
                Some((9, "pg", [8, 16], [0, 4096])),
            ),
            // Nothing moves with a flush alone, and nothing is written by a discard.
            (
                "pg-9 [000] ..... 1.0: block_bio_queue: 8,16 FN 0 + 0 [pg]",
                None,
            ),
            (
                "fstrim-9 [000] ..... 1.0: block_bio_queue: 8,16 DS 800 + 8 [fstrim]",
                None,
            ),
            (
                "pg-9 [000] ..... 1.0: block_rq_issue: 8,16 R 4096 () 8 + 8 none,0,0 [pg]",
                None,
            ),
            ("# tracer: nop", None),
            ("", None),
        ];
        for (line, expected) in cases {
            assert_eq!(told(line), expected, "{line}");
        }
        assert_eq!(
            TraceLine::of("CPU:3 [LOST 4711 EVENTS]"),
            Some(TraceLine::Lost(4711))
        );
    }
}
