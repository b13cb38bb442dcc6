//! Which processes do the I/O: what `/proc/PID/io` charges to each, and what each hands to which
//! device by the kernel's block trace, where that can be read.

use fathom_core::SmallSort as _;
use fathom_core::recording::{BlockTraceMoment, ProcessDevice, ProcessMoment};
use fathom_device::{BlockEvents, BlockTrace, DevNum, Handed, ProcessIo, Sysfs, process_of_task};
use std::collections::BTreeMap;

/// Processes that are named, at most.
const PROCESSES: usize = 8;

/// The block trace, or why there is none.
#[derive(Debug)]
pub(super) struct Tracer {
    trace: Result<BlockTrace, String>,
    sysfs: Sysfs,
    /// Kernel names of the disks by the numbers of them and of their partitions; none of those
    /// that are not looked at.
    disks: BTreeMap<DevNum, Option<String>>,
}

/// What the trace says of a span.
#[derive(Debug, Default)]
pub(super) struct Traced {
    /// By process.
    pub(super) processes: BTreeMap<i32, TracedProcess>,
    /// How whole it is; none where there is no trace.
    pub(super) moment: Option<BlockTraceMoment>,
    /// Whether devices were named: then those who use them come first.
    pub(super) is_chosen: bool,
}

/// What one process handed to each device.
#[derive(Debug, Default)]
pub(super) struct TracedProcess {
    /// Its name, or that of a thread of it that asked.
    name: String,
    devices: BTreeMap<String, Handed>,
}

impl Tracer {
    /// Begins to listen, where it may.
    pub(super) fn begin(sysfs: Sysfs) -> Self {
        Self {
            trace: BlockTrace::begin(),
            sysfs,
            disks: BTreeMap::new(),
        }
    }

    /// Where the figures of processes come from, as a sentence.
    pub(super) fn source(&self) -> String {
        match &self.trace {
            Ok(_) => {
                "processes: I/O charged by /proc/PID/io, followed by the devices from the kernel's \
                 block trace"
                    .to_owned()
            }
            Err(why) => format!(
                "processes: I/O charged by /proc/PID/io. The block trace, which shows the devices, \
                 cannot be read: {why}"
            ),
        }
    }

    /// Reads the events before the kernel drops them.
    pub(super) fn gather(&mut self) {
        if let Ok(trace) = &mut self.trace {
            trace.gather();
        }
    }

    /// What was handed over since the last time, to devices that are `wanted`.
    pub(super) fn take(&mut self, wanted: impl Fn(&str) -> bool) -> Traced {
        let Ok(trace) = &mut self.trace else {
            return Traced::default();
        };
        let events = trace.take();
        let numbers = events.handed.keys().map(|(_, dev)| *dev);
        for dev in numbers {
            let sysfs = &self.sysfs;
            let disk = || disk(sysfs, dev).filter(|name| wanted(name));
            self.disks.entry(dev).or_insert_with(disk);
        }
        by_process(events, &self.disks, process_of_task)
    }
}

/// The disk that a number means, of a partition the whole.
fn disk(sysfs: &Sysfs, dev: DevNum) -> Option<String> {
    let name = sysfs.block_name(dev).ok()?;
    let dir = sysfs.block_dir(&name).ok()?;
    if !dir.join("partition").exists() {
        return Some(name);
    }
    let disk = dir.parent()?.file_name()?;
    Some(disk.to_string_lossy().into_owned())
}

/// Threads together under their process; one that has ended stays by itself.
fn by_process(
    events: BlockEvents,
    disks: &BTreeMap<DevNum, Option<String>>,
    process: impl Fn(i32) -> Option<i32>,
) -> Traced {
    let mut processes: BTreeMap<i32, TracedProcess> = BTreeMap::new();
    for ((task, dev), handed) in events.handed {
        let Some(Some(disk)) = disks.get(&dev) else {
            continue;
        };
        let one = processes.entry(process(task).unwrap_or(task)).or_default();
        if let Some(name) = events.names.get(&task) {
            one.name.clone_from(name);
        }
        let sum = one.devices.entry(disk.clone()).or_default();
        sum.read_bytes += handed.read_bytes;
        sum.written_bytes += handed.written_bytes;
    }
    let moment = BlockTraceMoment {
        lost_events: events.lost,
    };
    Traced {
        processes,
        moment: Some(moment),
        is_chosen: false,
    }
}

/// The processes that moved the most.
pub(super) fn moments(
    then: &BTreeMap<i32, ProcessIo>,
    now: &BTreeMap<i32, ProcessIo>,
    traced: &Traced,
    span_ns: u64,
    name: impl Fn(i32) -> Option<String>,
) -> Vec<ProcessMoment> {
    let rate = |bytes: u64| bytes as f64 * 1e9 / span_ns as f64;
    let mut all: BTreeMap<i32, ProcessMoment> = BTreeMap::new();
    for (pid, io) in now {
        // One that began meanwhile began with nothing.
        let old = then.get(pid).copied().unwrap_or_default();
        let read = io.read_bytes.saturating_sub(old.read_bytes);
        let written = io.written_bytes.saturating_sub(old.written_bytes);
        if read + written > 0 {
            let one = ProcessMoment {
                pid: *pid,
                read_bytes_per_second: rate(read),
                written_bytes_per_second: rate(written),
                ..ProcessMoment::default()
            };
            all.insert(*pid, one);
        }
    }
    for (pid, process) in &traced.processes {
        let devices = process.devices.iter();
        let devices = devices.map(|(device, handed)| ProcessDevice {
            device: device.clone(),
            read_bytes_per_second: rate(handed.read_bytes),
            written_bytes_per_second: rate(handed.written_bytes),
        });
        let one = all.entry(*pid).or_default();
        one.pid = *pid;
        one.devices = devices.collect();
    }
    let mut all: Vec<ProcessMoment> = all.into_values().collect();
    let uses = |one: &ProcessMoment| traced.is_chosen && !one.devices.is_empty();
    all.small_sort_by(|one, other| {
        let order = uses(other).cmp(&uses(one));
        order.then(moved(other).total_cmp(&moved(one)))
    });
    all.truncate(PROCESSES);
    for one in &mut all {
        let known = || {
            traced
                .processes
                .get(&one.pid)
                .map(|found| found.name.clone())
        };
        one.name = name(one.pid).or_else(known).unwrap_or_default();
    }
    all
}

/// What a process moved, however it is known: through stacked devices the same bytes go twice.
fn moved(one: &ProcessMoment) -> f64 {
    let charged = one.read_bytes_per_second + one.written_bytes_per_second;
    let devices = one.devices.iter();
    let handed = devices.map(|to| to.read_bytes_per_second + to.written_bytes_per_second);
    handed.fold(charged, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECONDS: u64 = 1_000_000_000;

    fn io(read_bytes: u64, written_bytes: u64) -> ProcessIo {
        ProcessIo {
            read_bytes,
            written_bytes,
            cancelled_write_bytes: 0,
        }
    }

    #[test]
    fn the_process_that_moved_most_comes_first() {
        let then = BTreeMap::from([(1, io(500, 0)), (2, io(0, 0)), (3, io(7, 7))]);
        let now = BTreeMap::from([
            (1, io(700, 0)),
            (2, io(0, 4000)),
            (3, io(7, 7)),
            (4, io(9, 1)),
        ]);
        let name = |pid: i32| (pid != 4).then(|| format!("p{pid}"));
        let found = moments(&then, &now, &Traced::default(), 2 * SECONDS, name);
        let told: Vec<_> = found
            .iter()
            .map(|one| {
                let (read, written) = (one.read_bytes_per_second, one.written_bytes_per_second);
                (one.pid, one.name.as_str(), read, written)
            })
            .collect();
        assert_eq!(
            told,
            [
                (2, "p2", 0.0, 2000.0),
                (1, "p1", 100.0, 0.0),
                (4, "", 4.5, 0.5)
            ]
        );
    }

    #[test]
    fn the_source_is_said_in_a_sentence() {
        let tracer = Tracer {
            trace: Err("it is for root".to_owned()),
            sysfs: Sysfs::at("/nowhere"),
            disks: BTreeMap::new(),
        };
        let expected = "processes: I/O charged by /proc/PID/io. The block trace, which shows the \
                        devices, cannot be read: it is for root";
        assert_eq!(tracer.source(), expected);
    }

    #[test]
    fn threads_are_their_process_and_partitions_their_disk() {
        let (disk, partition, other) = (DevNum::new(8, 0), DevNum::new(8, 1), DevNum::new(7, 0));
        let handed = |read_bytes, written_bytes| Handed {
            read_bytes,
            written_bytes,
        };
        let events = BlockEvents {
            handed: BTreeMap::from([
                ((11, partition), handed(4096, 0)),
                ((12, disk), handed(0, 8192)),
                ((12, other), handed(0, 512)),
                ((33, disk), handed(0, 65_536)),
            ]),
            names: BTreeMap::from([(11, "io-1".into()), (33, "kworker/0:1".into())]),
            lost: 3,
        };
        let sda = Some("sda".to_owned());
        let disks = BTreeMap::from([(disk, sda.clone()), (partition, sda), (other, None)]);
        let process = |task: i32| (task < 20).then_some(10);
        let traced = by_process(events, &disks, process);
        let now = BTreeMap::from([(10, io(4096, 8192))]);
        let name = |pid: i32| (pid == 10).then(|| "db".to_owned());
        let found = moments(&BTreeMap::new(), &now, &traced, SECONDS, name);
        let on_sda = |read_bytes_per_second, written_bytes_per_second| {
            vec![ProcessDevice {
                device: "sda".to_owned(),
                read_bytes_per_second,
                written_bytes_per_second,
            }]
        };
        let expected = [
            ProcessMoment {
                pid: 33,
                name: "kworker/0:1".to_owned(),
                devices: on_sda(0.0, 65_536.0),
                ..ProcessMoment::default()
            },
            ProcessMoment {
                pid: 10,
                name: "db".to_owned(),
                read_bytes_per_second: 4096.0,
                written_bytes_per_second: 8192.0,
                devices: on_sda(4096.0, 8192.0),
            },
        ];
        assert_eq!(found, expected);
        assert_eq!(traced.moment, Some(BlockTraceMoment { lost_events: 3 }));
    }
}
