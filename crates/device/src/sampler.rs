//! Samples the counters of chosen devices, so that a window's difference says what really reached
//! them. The caller gives the instants: this file reads no clock.

use std::cell::RefCell;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::devnum::DevNum;
use crate::diskstats::{self, DiskCounters, DiskLine};
use crate::error::DeviceError;
use crate::kept_file::KeptFile;

/// Counters of the chosen devices at one instant, in the order they were chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskSample {
    /// When it was taken, on the caller's clock.
    pub at_ns: u64,
    /// A line a device.
    pub lines: Vec<DiskLine>,
}

/// What one device did between two samples.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskActivity {
    /// Device number.
    pub dev: DevNum,
    /// Kernel name.
    pub name: String,
    /// Length of the window.
    pub span_ns: u64,
    /// Requests in flight at its end.
    pub in_flight: u64,
    /// Differences.
    pub counters: DiskCounters,
}

/// Takes samples of a fixed set of devices.
#[derive(Clone, Debug)]
pub struct Sampler {
    devs: Vec<DevNum>,
    source: RefCell<KeptFile>,
}

impl Sampler {
    /// Samples these devices from the running kernel.
    pub fn new(devs: Vec<DevNum>) -> Self {
        Self::reading(devs, "/proc/diskstats")
    }

    /// Samples these devices from another file of the same form.
    pub fn reading(devs: Vec<DevNum>, source: impl Into<PathBuf>) -> Self {
        Self {
            devs,
            source: RefCell::new(KeptFile::new(source.into())),
        }
    }

    /// Reads the counters now, which the caller calls `at_ns`. An error if a device is gone.
    pub fn sample(&self, at_ns: u64) -> Result<DiskSample, DeviceError> {
        let mut source = self.source.borrow_mut();
        let path = source.path().to_owned();
        let text = source
            .read()
            .map_err(|error| DeviceError::read(path, error))?;
        let all = diskstats::parse_those(text, &self.devs)?;
        let line_of = |dev: &DevNum| {
            all.iter()
                .find(|line| line.dev == *dev)
                .cloned()
                .ok_or_else(|| DeviceError::Vanished {
                    device: dev.to_string(),
                })
        };
        let lines = self.devs.iter().map(line_of).collect::<Result<_, _>>()?;
        Ok(DiskSample { at_ns, lines })
    }
}

impl DiskSample {
    /// What each device did since `earlier`, a sample of the same sampler.
    pub fn since(&self, earlier: &Self) -> Result<Vec<DiskActivity>, DeviceError> {
        let span_ns = self.at_ns.saturating_sub(earlier.at_ns);
        let activity = |now: &DiskLine| {
            let then = earlier
                .lines
                .iter()
                .find(|line| line.dev == now.dev)
                .ok_or_else(|| DeviceError::Vanished {
                    device: now.name.clone(),
                })?;
            Ok(DiskActivity {
                dev: now.dev,
                name: now.name.clone(),
                span_ns,
                in_flight: now.in_flight,
                counters: now.counters.since(&then.counters, &now.name)?,
            })
        };
        self.lines.iter().map(activity).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn two_samples_give_the_traffic_between_them() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("diskstats");
        let sampler = Sampler::reading(vec![DevNum::new(8, 16), DevNum::new(8, 0)], &file);
        fs::write(
            &file,
            "8 0 sda 1 0 8 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n\
             8 16 sdb 5 1 40 9 2 0 16 4 0 6 13 0 0 0 0 7 1\n",
        )
        .unwrap();
        let before = sampler.sample(1_000_000_000).unwrap();
        fs::write(
            &file,
            "8 0 sda 1 0 8 0 3 0 24 1 0 1 1 0 0 0 0 0 0\n\
             8 16 sdb 9 1 72 19 2 0 16 4 2 8 4013 1 0 8 2 9 2\n",
        )
        .unwrap();
        let activity = sampler
            .sample(3_000_000_000)
            .unwrap()
            .since(&before)
            .unwrap();
        let none = DiskCounters {
            discards: Some(0),
            discards_merged: Some(0),
            discarded_bytes: Some(0),
            discard_time_ms: Some(0),
            flushes: Some(0),
            flush_time_ms: Some(0),
            ..DiskCounters::default()
        };
        let sdb = DiskCounters {
            reads: 4,
            read_bytes: 32 * 512,
            read_time_ms: 10,
            busy_time_ms: 2,
            queue_time_ms: 4000,
            discards: Some(1),
            discarded_bytes: Some(4096),
            discard_time_ms: Some(2),
            flushes: Some(2),
            flush_time_ms: Some(1),
            ..none
        };
        let sda = DiskCounters {
            writes: 3,
            written_bytes: 24 * 512,
            write_time_ms: 1,
            busy_time_ms: 1,
            queue_time_ms: 1,
            ..none
        };
        let of = |minor, name: &str, in_flight, counters| DiskActivity {
            dev: DevNum::new(8, minor),
            name: name.into(),
            span_ns: 2_000_000_000,
            in_flight,
            counters,
        };
        assert_eq!(activity, [of(16, "sdb", 2, sdb), of(0, "sda", 0, sda)]);
    }

    #[test]
    fn a_device_that_vanished_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("diskstats");
        fs::write(&file, "8 0 sda 1 0 8 0 0 0 0 0 0 0 0\n").unwrap();
        let sampler = Sampler::reading(vec![DevNum::new(8, 16)], &file);
        assert_eq!(
            sampler.sample(0).unwrap_err().to_string(),
            "the kernel no longer lists device 8:16; it was removed or detached"
        );
    }
}
