//! What the kernel counted for each block device: `/proc/diskstats`, and differences of it.
//!
//! Fields and their order are those of the kernel's documentation of iostats, parsed by `procfs`;
//! here they get units. A sector of these files is 512 bytes whatever the device says.

use std::fs;
use std::path::Path;

use procfs::{DiskStat, DiskStats, FromRead as _};
use serde::{Deserialize, Serialize};

use crate::devnum::DevNum;
use crate::error::DeviceError;

const SECTOR_BYTES: u64 = 512;

/// Counters of one block device since it was made, or differences of them over a window.
///
/// Requests are counted when they complete, as the driver saw them, that is after merging.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskCounters {
    /// Reads completed.
    pub reads: u64,
    /// Reads merged into a neighbour before they reached the driver.
    pub reads_merged: u64,
    /// Bytes read.
    pub read_bytes: u64,
    /// Sum over reads of the time from queueing to completion.
    pub read_time_ms: u64,
    /// Writes completed. Some kernels (6.18 does) also count the empty write that carries a
    /// flush, so that an fsync adds one here without adding bytes.
    pub writes: u64,
    /// Writes merged.
    pub writes_merged: u64,
    /// Bytes written.
    pub written_bytes: u64,
    /// Sum over writes of the time from queueing to completion.
    pub write_time_ms: u64,
    /// Time with at least one request in flight. Says nothing of saturation on a device that
    /// works in parallel.
    pub busy_time_ms: u64,
    /// Integral of the number of requests in flight over time: divided by the length of the
    /// window it is the mean queue depth.
    pub queue_time_ms: u64,
    /// Discards completed (kernel 4.18 and later, else none).
    pub discards: Option<u64>,
    /// Discards merged.
    pub discards_merged: Option<u64>,
    /// Bytes discarded.
    pub discarded_bytes: Option<u64>,
    /// Sum over discards of the time from queueing to completion.
    pub discard_time_ms: Option<u64>,
    /// Flushes completed (kernel 5.5 and later, else none). Counted for disks, not partitions.
    pub flushes: Option<u64>,
    /// Sum over flushes of the time from queueing to completion.
    pub flush_time_ms: Option<u64>,
}

/// One line of `/proc/diskstats`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskLine {
    /// Device number.
    pub dev: DevNum,
    /// Kernel name.
    pub name: String,
    /// Requests in flight at this moment; a gauge, so not part of the differences.
    pub in_flight: u64,
    /// Counters.
    pub counters: DiskCounters,
}

/// Reads the counters of all block devices.
pub fn read_all(path: &Path) -> Result<Vec<DiskLine>, DeviceError> {
    parse(&fs::read_to_string(path).map_err(|error| DeviceError::read(path, error))?)
}

/// Parses the text of `/proc/diskstats`.
pub fn parse(text: &str) -> Result<Vec<DiskLine>, DeviceError> {
    let stats = DiskStats::from_read(text.as_bytes())
        .map_err(|error| DeviceError::malformed("/proc/diskstats", error.to_string()))?;
    Ok(stats.0.into_iter().map(with_units).collect())
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

fn with_units(stat: DiskStat) -> DiskLine {
    let counters = DiskCounters {
        reads: stat.reads,
        reads_merged: stat.merged,
        read_bytes: stat.sectors_read * SECTOR_BYTES,
        read_time_ms: stat.time_reading,
        writes: stat.writes,
        writes_merged: stat.writes_merged,
        written_bytes: stat.sectors_written * SECTOR_BYTES,
        write_time_ms: stat.time_writing,
        busy_time_ms: stat.time_in_progress,
        queue_time_ms: stat.weighted_time_in_progress,
        discards: stat.discards,
        discards_merged: stat.discards_merged,
        discarded_bytes: stat.sectors_discarded.map(|sectors| sectors * SECTOR_BYTES),
        discard_time_ms: stat.time_discarding,
        flushes: stat.flushes,
        flush_time_ms: stat.time_flushing,
    };
    DiskLine {
        dev: DevNum::new(stat.major.cast_unsigned(), stat.minor.cast_unsigned()),
        name: stat.name,
        in_flight: stat.in_progress,
        counters,
    }
}

/// Where a counter starts again from zero.
#[derive(Clone, Copy)]
enum Wrap {
    /// Milliseconds are printed as an unsigned 32-bit number by every kernel: 49.7 days.
    Milliseconds,
    /// Numbers of requests: an `unsigned long`, so only a 32-bit kernel can wrap.
    Requests,
    /// The same in sectors, which we hold in bytes.
    Bytes,
}

impl Wrap {
    /// Modulus, or none where the counter cannot wrap in a lifetime.
    const fn modulus(self) -> Option<u64> {
        const IS_32_BIT: bool = usize::BITS == 32;
        match self {
            Self::Milliseconds => Some(1 << 32),
            Self::Requests if IS_32_BIT => Some(1 << 32),
            Self::Bytes if IS_32_BIT => Some((1 << 32) * SECTOR_BYTES),
            Self::Requests | Self::Bytes => None,
        }
    }
}

impl DiskCounters {
    /// What happened between `earlier` and this. Counters that wrapped are put right; one that
    /// went back and cannot have wrapped is an error, since then the device was made anew.
    pub fn since(&self, earlier: &Self, device: &str) -> Result<Self, DeviceError> {
        use Wrap::{Bytes, Milliseconds, Requests};
        macro_rules! delta {
            ($field:ident, $wrap:expr) => {
                difference(self.$field, earlier.$field, $wrap)
                    .ok_or_else(|| went_back(device, stringify!($field)))?
            };
        }
        macro_rules! optional {
            ($field:ident, $wrap:expr) => {
                match (self.$field, earlier.$field) {
                    (Some(now), Some(then)) => Some(
                        difference(now, then, $wrap)
                            .ok_or_else(|| went_back(device, stringify!($field)))?,
                    ),
                    _ => None,
                }
            };
        }
        Ok(Self {
            reads: delta!(reads, Requests),
            reads_merged: delta!(reads_merged, Requests),
            read_bytes: delta!(read_bytes, Bytes),
            read_time_ms: delta!(read_time_ms, Milliseconds),
            writes: delta!(writes, Requests),
            writes_merged: delta!(writes_merged, Requests),
            written_bytes: delta!(written_bytes, Bytes),
            write_time_ms: delta!(write_time_ms, Milliseconds),
            busy_time_ms: delta!(busy_time_ms, Milliseconds),
            queue_time_ms: delta!(queue_time_ms, Milliseconds),
            discards: optional!(discards, Requests),
            discards_merged: optional!(discards_merged, Requests),
            discarded_bytes: optional!(discarded_bytes, Bytes),
            discard_time_ms: optional!(discard_time_ms, Milliseconds),
            flushes: optional!(flushes, Requests),
            flush_time_ms: optional!(flush_time_ms, Milliseconds),
        })
    }
}

fn went_back(device: &str, counter: &'static str) -> DeviceError {
    DeviceError::WentBack {
        device: device.to_owned(),
        counter,
    }
}

fn difference(now: u64, then: u64, wrap: Wrap) -> Option<u64> {
    now.checked_sub(then).or_else(|| {
        let modulus = wrap.modulus()?;
        (then < modulus).then(|| modulus - then + now)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    proptest! {
        #[test]
        fn any_step_shorter_than_a_lap_is_found(then in 0u64..1 << 32, step in 0u64..1 << 32) {
            let now = (then + step) % (1 << 32);
            prop_assert_eq!(difference(now, then, Wrap::Milliseconds), Some(step));
        }
    }
}
