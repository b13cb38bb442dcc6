//! Which task hands which bytes to which block device, as the kernel traces it.
//!
//! The event is `block_bio_queue`: the kernel records it in the task that asks, before requests are
//! merged, reordered and perhaps issued by a worker of the kernel, and devices without requests of
//! their own (device mapper, zram) have it too.

mod line;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;

use fathom_platform::fs::OFlags;

use crate::devnum::DevNum;
use crate::input;
use crate::tracing::Tracing;
use line::TraceLine;

/// Memory of the kernel for events of each processor: about 16,000 of them.
const BUFFER_KIB: &str = "1024";
/// Bytes of events read at a time, at most; beyond that the kernel says how many were lost.
const READ_BYTES: usize = 4 << 20;

/// The events of this moment and of those to come.
#[derive(Debug)]
pub struct BlockTrace {
    /// Closed before the instance goes, which it comes before here.
    pipe: File,
    _tracing: Tracing,
    /// A line whose end is not read yet.
    rest: Vec<u8>,
    found: BlockEvents,
}

/// What was handed over since the last time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockEvents {
    /// By task and device.
    pub handed: BTreeMap<(i32, DevNum), Handed>,
    /// Names of the tasks when they asked.
    pub names: BTreeMap<i32, String>,
    /// Events that came faster than they were read.
    pub lost: u64,
}

/// What a task handed to a device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Handed {
    /// Bytes to be read.
    pub read_bytes: u64,
    /// Bytes to be written.
    pub written_bytes: u64,
}

impl BlockTrace {
    /// Begins to listen.
    ///
    /// # Errors
    ///
    /// Why there is no such trace, as words for a sentence: it takes root, and tracefs.
    pub fn begin() -> Result<Self, String> {
        let tracing = Tracing::begin("watch")?;
        tracing.set("buffer_size_kb", BUFFER_KIB)?;
        let pipe = input::open(tracing.path("trace_pipe"));
        let pipe = pipe.map_err(|error| tracing.because(&error))?;
        fathom_platform::fs::fcntl_setfl(&pipe, OFlags::NONBLOCK)
            .map_err(|error| tracing.because(&error.into()))?;
        tracing.set("events/block/block_bio_queue/enable", "1")?;
        Ok(Self {
            pipe,
            _tracing: tracing,
            rest: Vec::new(),
            found: BlockEvents::default(),
        })
    }

    /// Reads what was recorded; often enough, or events are lost.
    pub fn gather(&mut self) {
        let mut buffer = [0; 1 << 14];
        let mut total = 0;
        while total < READ_BYTES {
            // Without more events there is an error, which says to come again.
            let Ok(count @ 1..) = self.pipe.read(&mut buffer) else {
                return;
            };
            total += count;
            self.found.take_in(&mut self.rest, &buffer[..count]);
        }
    }

    /// What was handed over since the last time.
    pub fn take(&mut self) -> BlockEvents {
        self.gather();
        std::mem::take(&mut self.found)
    }
}

impl BlockEvents {
    /// Takes in a piece of the text, whose last line may go on in the next.
    fn take_in(&mut self, rest: &mut Vec<u8>, piece: &[u8]) {
        rest.extend_from_slice(piece);
        let whole = rest
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |end| end + 1);
        for line in String::from_utf8_lossy(&rest[..whole]).lines() {
            match TraceLine::of(line) {
                Some(TraceLine::Lost(count)) => self.lost += count,
                Some(TraceLine::Asked(asked)) => {
                    let handed = self.handed.entry((asked.task, asked.dev)).or_default();
                    handed.read_bytes += asked.handed.read_bytes;
                    handed.written_bytes += asked.handed.written_bytes;
                    let name = || asked.name.to_owned();
                    self.names.entry(asked.task).or_insert_with(name);
                }
                None => {}
            }
        }
        rest.drain(..whole);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOLD: &str = "\
        postgres-4711    [001] .....  1234.567890: block_bio_queue: 254,0 R 2048 + 8 [postgres]\n\
        postgres-4711    [000] .....  1234.567990: block_bio_queue: 254,0 WS 4096 + 16 [postgres]\n\
CPU:1 [LOST 12 EVENTS]\n\
  kworker/u8:2-33 [000] d..1. 1235.000001: block_bio_queue: 254,0 W 8192 + 256 [kworker/u8:2]\n\
        postgres-4711    [001] .....  1236.567890: block_bio_queue: 254,0 RA 2056 + 8 [postgres]\n";

    #[test]
    fn events_add_up_however_the_text_is_cut() {
        let dev = DevNum::new(254, 0);
        let handed = |read_bytes, written_bytes| Handed {
            read_bytes,
            written_bytes,
        };
        let expected = BlockEvents {
            handed: BTreeMap::from([
                ((33, dev), handed(0, 131_072)),
                ((4711, dev), handed(8192, 8192)),
            ]),
            names: BTreeMap::from([(33, "kworker/u8:2".into()), (4711, "postgres".into())]),
            lost: 12,
        };
        for size in [1, 7, 64, 4096] {
            let mut found = BlockEvents::default();
            let mut rest = Vec::new();
            for piece in TOLD.as_bytes().chunks(size) {
                found.take_in(&mut rest, piece);
            }
            assert_eq!((&found, rest.len()), (&expected, 0), "pieces of {size}");
        }
    }
}
