//! What the kernel counted for each block device: `/proc/diskstats`, and differences of it.
//!
//! Fields and their order are those of the kernel's documentation of iostats.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::counter::Position::Column;
use crate::counter::{Counter, Family as _, Unit, counters};
use crate::devnum::DevNum;
use crate::error::DeviceError;

/// Columns of a line before its counters: the two device numbers and the name.
const BEFORE: usize = 3;

counters! {
    /// Counters of one block device since it was made, or differences of them over a window.
    ///
    /// Requests are counted when they complete, as the driver saw them, that is after merging.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub struct DiskCounters in "/proc/diskstats" {
        /// Reads completed.
        reads: u64 = Column(4), Number;
        /// Reads merged into a neighbour before they reached the driver.
        reads_merged: u64 = Column(5), Number;
        /// Bytes of completed reads.
        read_bytes: u64 = Column(6), Sectors;
        /// Sum over reads of the time from queueing to completion.
        read_time_ms: u64 = Column(7), Milliseconds;
        /// Writes completed. Some kernels (6.18 does) also count the empty write that carries a
        /// flush, so that an fsync adds one here without adding bytes.
        writes: u64 = Column(8), Number;
        /// Writes that were merged into others.
        writes_merged: u64 = Column(9), Number;
        /// Bytes of completed writes.
        written_bytes: u64 = Column(10), Sectors;
        /// Sum over writes of the time from queueing to completion.
        write_time_ms: u64 = Column(11), Milliseconds;
        /// Time with at least one request in flight. Says nothing of saturation on a device that
        /// works in parallel.
        busy_time_ms: u64 = Column(13), Milliseconds;
        /// Integral of the number of requests in flight over time: divided by the length of the
        /// window it is the mean queue depth.
        queue_time_ms: u64 = Column(14), Milliseconds;
        /// Discards completed (kernel 4.18 and later, else none).
        discards: Option<u64> = Column(15), Number;
        /// Discards that were merged into others.
        discards_merged: Option<u64> = Column(16), Number;
        /// Bytes of completed discards.
        discarded_bytes: Option<u64> = Column(17), Sectors;
        /// Sum over discards of the time from queueing to completion.
        discard_time_ms: Option<u64> = Column(18), Milliseconds;
        /// Flushes completed (kernel 5.5 and later, else none). Counted for disks, not partitions.
        flushes: Option<u64> = Column(19), Number;
        /// Sum over flushes of the time from queueing to completion.
        flush_time_ms: Option<u64> = Column(20), Milliseconds;
    }
}

/// A level in the same line.
pub(crate) const IN_FLIGHT: Counter = Counter {
    file: "/proc/diskstats",
    position: Column(12),
    unit: Unit::Number,
    name: "in_flight",
    meaning: "Requests in flight at this moment, a level",
};

/// One line of `/proc/diskstats`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskLine {
    /// Device number.
    pub dev: DevNum,
    /// Kernel name.
    pub name: String,
    /// Requests in flight at this moment; a gauge, so not part of the differences.
    pub in_flight: u64,
    /// Sums since the device appeared.
    pub counters: DiskCounters,
}

/// Reads the counters of all block devices.
pub fn read_all(path: &Path) -> Result<Vec<DiskLine>, DeviceError> {
    parse(&crate::input::read_text(path).map_err(|error| DeviceError::read(path, error))?)
}

/// Parses the text of `/proc/diskstats`.
pub fn parse(text: &str) -> Result<Vec<DiskLine>, DeviceError> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(parse_line).collect()
}

fn parse_line(text: &str) -> Result<DiskLine, DeviceError> {
    let malformed = || DeviceError::malformed("/proc/diskstats", text.trim());
    let words: Vec<&str> = text.split_whitespace().collect();
    let [major, minor, name, counts @ ..] = words.as_slice() else {
        return Err(malformed());
    };
    let device = |word: &str| word.parse().map_err(|_| malformed());
    let counts = counts
        .iter()
        .map(|word| word.parse().map_err(|_| malformed()));
    let counts: Vec<u64> = counts.collect::<Result<_, _>>()?;
    let read = |counter: &Counter| counter.in_columns(BEFORE + 1, &counts);
    Ok(DiskLine {
        dev: DevNum::new(device(major)?, device(minor)?),
        name: (*name).to_owned(),
        in_flight: read(&IN_FLIGHT).ok_or_else(malformed)?,
        counters: DiskCounters::reading(read).ok_or_else(malformed)?,
    })
}

/// Parses the lines of these devices only.
pub(crate) fn parse_those(text: &str, devs: &[DevNum]) -> Result<Vec<DiskLine>, DeviceError> {
    let is_wanted = |line: &str| {
        let mut numbers = line.split_ascii_whitespace().map(str::parse::<u32>);
        let (Some(Ok(major)), Some(Ok(minor))) = (numbers.next(), numbers.next()) else {
            // What is odd about it is for the parser to say.
            return true;
        };
        devs.contains(&DevNum::new(major, minor))
    };
    let wanted = text
        .split_inclusive('\n')
        .filter(|line| is_wanted(line))
        .collect::<String>();
    parse(&wanted)
}

impl DiskCounters {
    /// What happened between `earlier` and this. Counters that wrapped are put right; one that
    /// went back and cannot have wrapped is an error, since then the device was made anew.
    pub fn since(&self, earlier: &Self, device: &str) -> Result<Self, DeviceError> {
        self.differences(earlier, |counter, then, now| {
            let passed = counter.passed(then, now);
            passed.ok_or_else(|| DeviceError::WentBack {
                device: device.to_owned(),
                counter: counter.name,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAPTURED: &str = "\
   7       0 loop0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
 254       0 vda 29057 6111 2697402 12148 8279 19460 1009328 3228 5 6224 15735 3431 78 201272 \
312 765 46
   8       1 sda1 10 0 80 3 4 1 64 2 0 5 5
";

    fn vda() -> DiskCounters {
        DiskCounters {
            reads: 29057,
            reads_merged: 6111,
            read_bytes: 2_697_402 * 512,
            read_time_ms: 12148,
            writes: 8279,
            writes_merged: 19460,
            written_bytes: 1_009_328 * 512,
            write_time_ms: 3228,
            busy_time_ms: 6224,
            queue_time_ms: 15735,
            discards: Some(3431),
            discards_merged: Some(78),
            discarded_bytes: Some(201_272 * 512),
            discard_time_ms: Some(312),
            flushes: Some(765),
            flush_time_ms: Some(46),
        }
    }

    #[test]
    fn parses_new_and_old_lines() {
        let lines = parse(CAPTURED).unwrap();
        assert_eq!(
            lines[1],
            DiskLine {
                dev: DevNum::new(254, 0),
                name: "vda".into(),
                in_flight: 5,
                counters: vda()
            }
        );
        let old = DiskCounters {
            reads: 10,
            read_bytes: 80 * 512,
            read_time_ms: 3,
            writes: 4,
            writes_merged: 1,
            written_bytes: 64 * 512,
            write_time_ms: 2,
            busy_time_ms: 5,
            queue_time_ms: 5,
            ..DiskCounters::default()
        };
        assert_eq!((lines[2].dev, lines[2].counters), (DevNum::new(8, 1), old));
        assert!(parse("8 0 sda 1 2").is_err());
        let those = [DevNum::new(8, 1), DevNum::new(254, 1)];
        assert_eq!(parse_those(CAPTURED, &those).unwrap(), lines[2..]);
        assert!(parse_those("8 zero sda 1 2", &those).is_err());
    }

    #[test]
    fn milliseconds_wrap_at_32_bits() {
        let then = DiskCounters {
            read_time_ms: u64::from(u32::MAX) - 9,
            ..vda()
        };
        let now = DiskCounters {
            read_time_ms: 20,
            reads: vda().reads + 1,
            ..vda()
        };
        let zero = vda().since(&vda(), "vda").unwrap();
        assert_eq!(
            now.since(&then, "vda").unwrap(),
            DiskCounters {
                reads: 1,
                read_time_ms: 30,
                ..zero
            }
        );
        assert_eq!(zero.flushes, Some(0));
    }

    #[cfg(target_pointer_width = "64")]
    #[test]
    fn requests_never_go_back() {
        let now = DiskCounters { writes: 1, ..vda() };
        assert_eq!(
            now.since(&vda(), "vda").unwrap_err().to_string(),
            "counter writes of device vda went back; the device was made anew meanwhile"
        );
    }
}
