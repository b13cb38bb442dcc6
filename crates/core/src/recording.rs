//! What devices did over time, whoever looked: the monitor of this program, iostat or sar.
//!
//! A [`Recording`] has a series of [`Sample`]s for each device. What the source did not say is
//! none, never zero: sar does not tell reads from writes, and nobody has an await where no
//! request completed.

use crate::result::blame::PhaseBlame;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;

/// The version of the files of [`RecordingHead`] and [`Moment`] lines that this program writes.
/// One of a later version cannot be read.
pub const RECORDING_VERSION: u32 = 1;

/// What was recorded of one machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Recording {
    /// Who recorded it, as in `iostat`.
    pub tool: String,
    /// The machine, where it is named.
    pub host: Option<String>,
    /// What a reader of the figures must know: what was left out, and why.
    pub notes: Vec<String>,
    /// A series for each device, in the order in which they appear.
    pub devices: Vec<DeviceSeries>,
    /// A series for each control group and device, if groups were recorded.
    pub groups: Vec<GroupSeries>,
    /// The processors, one for each moment in which they were recorded.
    pub processors: Vec<ProcessorSample>,
    /// What the slowest requests waited for, where that was recorded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blames: Vec<BlameSample>,
    /// What the source does not count, so that sizes are not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uncounted: Option<Uncounted>,
    /// Where each series is in its list.
    #[serde(skip)]
    pub places: Places,
}

/// What the slowest requests of a span waited for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BlameSample {
    /// The end of the span, as the source has it.
    pub at: Arc<str>,
    /// The explanation.
    pub blame: Box<PhaseBlame>,
}

/// Half of what a size is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Uncounted {
    /// Bytes are counted, requests are not.
    Requests,
    /// Requests are counted, bytes are not.
    Bytes,
}

/// Size of a request where only bytes are counted, until somebody states it: few kernels gather
/// more into one request by default.
pub const LARGE_REQUEST_BYTES: f64 = 65_536.0;
/// The least that a request usually moves: a page.
pub const SMALL_REQUEST_BYTES: f64 = 4_096.0;

/// Where the series of a [`Recording`] are, found by themselves: two recordings do not differ by
/// it.
#[derive(Clone, Debug, Default)]
pub struct Places {
    devices: HashMap<String, usize>,
    groups: HashMap<(String, String), usize>,
}

impl PartialEq for Places {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// What one device did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeviceSeries {
    /// Kernel name, as in `nvme0n1`, or what the source calls it.
    pub device: String,
    /// By time.
    pub samples: Vec<Sample>,
}

/// What one control group did on one device.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GroupSeries {
    /// Path of the group below the root of the groups, as in `system.slice/db.service`.
    pub group: String,
    /// Kernel name of the device.
    pub device: String,
    /// By time.
    pub samples: Vec<Sample>,
}

/// Means over one span of time. A rate is per second of the span; an await is the mean time from
/// queueing to completion of the requests that completed in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sample {
    /// End of the span, as the source writes it: RFC 3339 in our files, often a time of day
    /// without a date or a zone in others'.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Arc<str>>,
    /// Length of the span in nanoseconds; none where the source does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length_ns: Option<u64>,
    /// Reads and writes completed per second. Of sar, which tells no more, with the discards.
    pub ios_per_second: f64,
    /// Reads completed per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reads_per_second: Option<f64>,
    /// Writes completed per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writes_per_second: Option<f64>,
    /// Bytes read per second.
    pub read_bytes_per_second: f64,
    /// Bytes written per second.
    pub written_bytes_per_second: f64,
    /// Mean await of all requests, milliseconds; none where none completed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub await_ms: Option<f64>,
    /// Mean await of reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_await_ms: Option<f64>,
    /// Mean await of writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_await_ms: Option<f64>,
    /// Mean number of requests in flight: the integral of their number over the span.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue_depth: Option<f64>,
    /// Share of the time with at least one request in flight, percent. Says nothing of
    /// saturation on a device that works in parallel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub busy_percent: Option<f64>,
    /// Discards completed per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discards_per_second: Option<f64>,
    /// Flushes completed per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flushes_per_second: Option<f64>,
}

impl Sample {
    /// Mean size of a read in bytes; none where there was none or they are not distinguished.
    pub fn read_size_bytes(&self) -> Option<f64> {
        ratio(self.read_bytes_per_second, self.reads_per_second?)
    }

    /// Mean size of a write in bytes.
    pub fn write_size_bytes(&self) -> Option<f64> {
        ratio(self.written_bytes_per_second, self.writes_per_second?)
    }

    /// Bytes read and written per second.
    pub fn bytes_per_second(&self) -> f64 {
        self.read_bytes_per_second + self.written_bytes_per_second
    }

    /// Length of the span in seconds.
    pub fn seconds(&self) -> Option<f64> {
        Some(self.length_ns? as f64 / 1e9)
    }
}

fn ratio(of: f64, to: f64) -> Option<f64> {
    (to > 0.0).then(|| of / to)
}

/// Shares of the time of all processors together over one span.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProcessorSample {
    /// End of the span, as in [`Sample::at`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Arc<str>>,
    /// User mode, niced included, percent.
    pub user_percent: f64,
    /// Kernel, interrupts included, percent.
    pub system_percent: f64,
    /// Idle while a task waited for I/O, percent.
    pub iowait_percent: f64,
    /// Given to others by the hypervisor, percent.
    pub steal_percent: f64,
    /// Context switches a second; absent where the source does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_switches_per_second: Option<f64>,
}

/// The first line of a file of recorded moments.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordingHead {
    /// [`RECORDING_VERSION`] of whoever wrote it.
    pub fathom_recording: u32,
    /// Who recorded it, with its version.
    pub tool: String,
    /// The machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
}

/// A line of a file of recorded moments: everything over one span of time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Moment {
    /// End of the span, RFC 3339 in UTC.
    pub at: String,
    /// Its length in nanoseconds, on the monotonic clock.
    pub length_ns: u64,
    /// All processors together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processors: Option<ProcessorSample>,
    /// The devices. Their samples have no time of their own.
    pub devices: Vec<DeviceMoment>,
    /// Control groups, where they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<GroupMoment>,
    /// The processes that moved the most, the busiest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub processes: Vec<ProcessMoment>,
    /// The kernel's block trace, where it was read in addition to `/proc/PID/io`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_trace: Option<BlockTraceMoment>,
    /// What the slowest requests of this span and of those before waited for, since the last that
    /// has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blame: Option<Box<PhaseBlame>>,
}

/// How whole the block trace of a moment is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BlockTraceMoment {
    /// Events that came faster than they could be read: what processes handed to devices is at
    /// least what is said.
    pub lost_events: u64,
}

/// One process in a moment: what it caused to be read from and written to storage. Writes through
/// the page cache count for whom they were made by, when they were made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProcessMoment {
    /// Its number.
    pub pid: i32,
    /// Its name; empty where it has ended.
    pub name: String,
    /// Bytes read per second.
    pub read_bytes_per_second: f64,
    /// Bytes written per second.
    pub written_bytes_per_second: f64,
    /// What it handed to block devices itself, by the kernel's block trace; what it left in the
    /// page cache a task of the kernel hands over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub devices: Vec<ProcessDevice>,
}

/// What a process handed to a device in a moment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProcessDevice {
    /// Kernel name.
    pub device: String,
    /// Bytes per second that were asked for.
    pub read_bytes_per_second: f64,
    /// Bytes written per second.
    pub written_bytes_per_second: f64,
}

/// One device in a moment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeviceMoment {
    /// Kernel name.
    pub device: String,
    /// What it did.
    pub sample: Sample,
}

/// One control group on one device in a moment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GroupMoment {
    /// Path of the group below the root of the groups.
    pub group: String,
    /// Kernel name of the device.
    pub device: String,
    /// What it did.
    pub sample: Sample,
}

impl Recording {
    /// Computes what is not counted from a size of all requests, which somebody states or assumes.
    pub fn sized(&mut self, bytes: f64) {
        let series = self.devices.iter_mut();
        for sample in series.flat_map(|series| &mut series.samples) {
            match self.uncounted {
                Some(Uncounted::Requests) => {
                    let reads = sample.read_bytes_per_second / bytes;
                    let writes = sample.written_bytes_per_second / bytes;
                    sample.reads_per_second = Some(reads);
                    sample.writes_per_second = Some(writes);
                    sample.ios_per_second = reads + writes;
                }
                Some(Uncounted::Bytes) => {
                    let writes = sample.writes_per_second.unwrap_or(0.0);
                    let reads = sample.ios_per_second - writes;
                    sample.read_bytes_per_second = reads * bytes;
                    sample.written_bytes_per_second = writes * bytes;
                }
                None => {}
            }
        }
    }

    /// Drops the lengths of moments that have no time: their order was all that was known.
    pub fn without_times(&mut self) {
        let series = self.devices.iter_mut();
        for sample in series.flat_map(|series| &mut series.samples) {
            if sample.at.as_deref().is_some_and(str::is_empty) {
                (sample.at, sample.length_ns) = (None, None);
            }
        }
    }

    /// Adds a moment after all that are there.
    pub fn push(&mut self, moment: Moment) {
        let Moment {
            at,
            length_ns,
            processors,
            devices,
            groups,
            processes: _,
            block_trace: _,
            blame,
        } = moment;
        let at: Arc<str> = at.into();
        self.blames.extend(blame.map(|blame| BlameSample {
            at: Arc::clone(&at),
            blame,
        }));
        let timed = |sample: Sample| Sample {
            at: Some(Arc::clone(&at)),
            length_ns: Some(length_ns),
            ..sample
        };
        if let Some(shares) = processors {
            self.processors.push(ProcessorSample {
                at: Some(Arc::clone(&at)),
                ..shares
            });
        }
        for DeviceMoment { device, sample } in devices {
            self.device(&device).samples.push(timed(sample));
        }
        for one in groups {
            let series = self.group(&one.group, &one.device);
            series.samples.push(timed(one.sample));
        }
    }

    /// The series of a device; a new one if there is none yet.
    pub fn device(&mut self, name: &str) -> &mut DeviceSeries {
        // Whoever made the list by itself made it without the places.
        let places = &mut self.places.devices;
        if places.len() != self.devices.len() {
            let devices = self.devices.iter().enumerate().rev();
            *places = devices
                .map(|(index, one)| (one.device.clone(), index))
                .collect();
        }
        let index = *places.entry(name.to_owned()).or_insert_with(|| {
            self.devices.push(DeviceSeries {
                device: name.to_owned(),
                samples: Vec::new(),
            });
            self.devices.len() - 1
        });
        &mut self.devices[index]
    }

    fn group(&mut self, group: &str, device: &str) -> &mut GroupSeries {
        let places = &mut self.places.groups;
        if places.len() != self.groups.len() {
            let groups = self.groups.iter().enumerate().rev();
            *places = groups
                .map(|(index, one)| ((one.group.clone(), one.device.clone()), index))
                .collect();
        }
        let key = (group.to_owned(), device.to_owned());
        let index = *places.entry(key).or_insert_with(|| {
            self.groups.push(GroupSeries {
                group: group.to_owned(),
                device: device.to_owned(),
                samples: Vec::new(),
            });
            self.groups.len() - 1
        });
        &mut self.groups[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(reads: f64) -> Sample {
        Sample {
            ios_per_second: reads,
            reads_per_second: Some(reads),
            writes_per_second: Some(0.0),
            read_bytes_per_second: reads * 4096.0,
            ..Sample::default()
        }
    }

    fn moment(at: &str, devices: &[(&str, f64)]) -> Moment {
        let device = |&(name, reads): &(&str, f64)| DeviceMoment {
            device: name.to_owned(),
            sample: sample(reads),
        };
        Moment {
            at: at.to_owned(),
            length_ns: 2_000_000_000,
            devices: devices.iter().map(device).collect(),
            ..Moment::default()
        }
    }

    #[test]
    fn moments_become_a_series_for_each_device() {
        let mut recording = Recording::default();
        recording.push(moment("t1", &[("sda", 1.0), ("sdb", 2.0)]));
        recording.push(moment("t2", &[("sdb", 3.0)]));
        let timed = |at: &str, reads| Sample {
            at: Some(at.into()),
            length_ns: Some(2_000_000_000),
            ..sample(reads)
        };
        let series = |device: &str, samples: Vec<Sample>| DeviceSeries {
            device: device.to_owned(),
            samples,
        };
        let expected = [
            series("sda", vec![timed("t1", 1.0)]),
            series("sdb", vec![timed("t1", 2.0), timed("t2", 3.0)]),
        ];
        assert_eq!(recording.devices, expected);
        assert_eq!(timed("t1", 1.0).seconds(), Some(2.0));
    }

    #[test]
    fn sizes_are_of_what_completed() {
        let reads = sample(10.0);
        assert_eq!(reads.read_size_bytes(), Some(4096.0));
        assert_eq!(reads.write_size_bytes(), None);
        assert_eq!(Sample::default().read_size_bytes(), None);
        assert!((reads.bytes_per_second() - 40960.0).abs() < 1e-9);
    }

    #[test]
    fn a_line_says_only_what_is_known() {
        let line = serde_json::to_string(&moment("t", &[("sda", 1.0)])).unwrap();
        let expected = concat!(
            r#"{"at":"t","length_ns":2000000000,"devices":[{"device":"sda","sample":{"#,
            r#""ios_per_second":1.0,"reads_per_second":1.0,"writes_per_second":0.0,"#,
            r#""read_bytes_per_second":4096.0,"written_bytes_per_second":0.0}}]}"#
        );
        assert_eq!(line, expected);
        let back: Moment = serde_json::from_str(&line).unwrap();
        assert_eq!(back, moment("t", &[("sda", 1.0)]));
    }
}
