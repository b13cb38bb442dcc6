//! Looks at the kernel's counters, and says what happened between two looks.

use super::processes::{self, Traced, Tracer};
use super::unreadable;
use crate::error::Problem;
use crate::exit::Exit;
use fathom_core::Nanos;
use fathom_core::recording::{DeviceMoment, GroupMoment, Moment, ProcessorSample, Sample};
use fathom_core::units::rfc3339;
use fathom_device::diskstats::{self, DiskCounters, DiskLine};
use fathom_device::{
    BlockDevice, BlockKind, Cgroup, DeviceError, GroupIo, HostInfo, MachineTicks, ProcessIo,
    System, Topology, io_of_processes, name_of_process,
};
use fathom_engine::Clock;
use fathom_engine::clock::utc_now_ns;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Whether a device has nothing behind it, as a loop device that was detached. The kernel goes on
/// counting as in flight what was under way then, so that it looks busy for ever.
fn is_empty(disk: &Path) -> bool {
    fathom_device::input::read_text(disk.join("size")).is_ok_and(|sectors| sectors.trim() == "0")
}

/// What is looked at, and the last look.
pub(super) struct Look {
    /// Kernel names; none for all that were ever used.
    named: Option<Vec<String>>,
    /// Disks that serve one request at a time, of which %util is the load.
    seekers: BTreeSet<String>,
    groups: Vec<Group>,
    tracer: Tracer,
    last: Option<Snapshot>,
}

struct Group {
    name: String,
    dir: PathBuf,
}

/// All counters at an instant.
#[derive(Clone)]
struct Snapshot {
    at: Nanos,
    lines: Vec<DiskLine>,
    ticks: MachineTicks,
    groups: Vec<Vec<GroupIo>>,
    processes: BTreeMap<i32, ProcessIo>,
}

impl Look {
    /// Prepares to look at devices and control groups.
    pub(super) fn new(devices: &[PathBuf], groups: &[PathBuf]) -> Result<Self, Problem> {
        let system = System::live().map_err(|error| unreadable(&error))?;
        let mut named: Vec<String> = Vec::new();
        for device in devices {
            for name in names(&system, device)? {
                if !named.contains(&name) {
                    named.push(name);
                }
            }
        }
        let all = system
            .sysfs
            .block_names()
            .map_err(|error| unreadable(&error))?;
        // What a hypervisor calls rotating may lie on anything.
        let is_virtual = HostInfo::live().virtualisation.is_some();
        let is_seeker = |name: &String| {
            let device = BlockDevice::read(&system, name).ok()?;
            let rotates = device.rotational == Some(true) && device.kind == BlockKind::Disk;
            (rotates && !is_virtual).then_some(())
        };
        Ok(Self {
            named: (!devices.is_empty()).then_some(named),
            seekers: all
                .into_iter()
                .filter(|name| is_seeker(name).is_some())
                .collect(),
            groups: groups
                .iter()
                .map(|path| group(path))
                .collect::<Result<_, _>>()?,
            tracer: Tracer::begin(system.sysfs),
            last: None,
        })
    }

    /// Names of the disks of which %util is the load.
    pub(super) const fn seekers(&self) -> &BTreeSet<String> {
        &self.seekers
    }

    /// Where the figures of processes come from, as a sentence.
    pub(super) fn source_of_processes(&self) -> String {
        self.tracer.source()
    }

    /// Reads the events between two looks.
    pub(super) fn gather(&mut self) {
        self.tracer.gather();
    }

    /// The first look, from which the first interval counts.
    pub(super) fn begin(&mut self, clock: &mut Clock) -> Result<Nanos, Problem> {
        let first = self.snapshot(clock).map_err(|error| unreadable(&error))?;
        let at = first.at;
        // What was handed over before belongs to no interval.
        let _ = self.traced();
        self.last = Some(first);
        Ok(at)
    }

    /// What happened since the last look.
    pub(super) fn again(&mut self, clock: &mut Clock) -> Result<Moment, Problem> {
        let now = self.snapshot(clock).map_err(|error| unreadable(&error))?;
        let at = rfc3339(utc_now_ns());
        let traced = self.traced();
        let moment = match &self.last {
            Some(before) => self
                .between(before, &now, &traced, at)
                .map_err(|error| unreadable(&error))?,
            None => Moment::default(),
        };
        self.last = Some(now);
        Ok(moment)
    }

    fn traced(&mut self) -> Traced {
        let named = self.named.as_ref();
        let is_wanted = |name: &str| named.is_none_or(|named| named.iter().any(|one| one == name));
        Traced {
            is_chosen: named.is_some(),
            ..self.tracer.take(is_wanted)
        }
    }

    fn snapshot(&self, clock: &mut Clock) -> Result<Snapshot, DeviceError> {
        let at = clock.now();
        let mut lines = diskstats::read_all(Path::new("/proc/diskstats"))?;
        lines.retain(|line| self.is_wanted(line));
        if let Some(named) = &self.named {
            let missing = named
                .iter()
                .find(|name| !lines.iter().any(|line| line.name == **name));
            if let Some(device) = missing.cloned() {
                return Err(DeviceError::Vanished { device });
            }
        }
        let groups = self.groups.iter().map(|group| Cgroup::io_below(&group.dir));
        Ok(Snapshot {
            at,
            lines,
            ticks: MachineTicks::read()?,
            groups: groups.collect::<Result<_, _>>()?,
            processes: io_of_processes(),
        })
    }

    fn is_wanted(&self, line: &DiskLine) -> bool {
        if let Some(named) = &self.named {
            return named.contains(&line.name);
        }
        let counters = &line.counters;
        let used = counters.reads + counters.writes + counters.discards.unwrap_or(0) > 0;
        let disk = Path::new("/sys/class/block").join(&line.name);
        used && !disk.join("partition").exists() && !is_empty(&disk)
    }

    fn between(
        &self,
        then: &Snapshot,
        now: &Snapshot,
        traced: &Traced,
        at: String,
    ) -> Result<Moment, DeviceError> {
        let span_ns = (now.at - then.at).0.max(1);
        let mut devices = Vec::new();
        for line in &now.lines {
            // One that was attached meanwhile counts from the next look.
            let Some(old) = then.lines.iter().find(|old| old.dev == line.dev) else {
                continue;
            };
            let counters = line.counters.since(&old.counters, &line.name)?;
            devices.push(DeviceMoment {
                device: line.name.clone(),
                sample: sample(&counters, span_ns),
            });
        }
        let mut groups = Vec::new();
        let both = then.groups.iter().zip(&now.groups);
        for ((old, new), group) in both.zip(&self.groups) {
            groups.extend(group_moments(&group.name, old, new, &now.lines, span_ns));
        }
        Ok(Moment {
            at,
            length_ns: span_ns,
            processors: processors(&now.ticks.since(&then.ticks)),
            devices,
            groups,
            processes: processes::moments(
                &then.processes,
                &now.processes,
                traced,
                span_ns,
                name_of_process,
            ),
            block_trace: traced.moment,
            blame: None,
        })
    }
}

/// The kernel names that a word of the command line means.
fn names(system: &System, word: &Path) -> Result<Vec<String>, Problem> {
    let known = system
        .sysfs
        .block_names()
        .map_err(|error| unreadable(&error))?;
    if let Some(name) = known.iter().find(|name| word == Path::new(name)) {
        return Ok(vec![name.clone()]);
    }
    let cannot = || {
        Problem::new(
            Exit::Environment,
            format!("cannot watch {}", word.display()),
        )
        .remedy("use a name or path from `fathom devices`, or a file on a device")
    };
    if !word.exists() {
        return Err(cannot().because("there is no such device and no such file"));
    }
    let topology =
        Topology::of_path(system, word).map_err(|error| cannot().because(error.to_string()))?;
    let first = topology.devices.iter().map(|tree| &tree.device);
    let mut names: Vec<String> = Vec::new();
    for device in first.chain(topology.leaves()) {
        if !names.contains(&device.name) {
            names.push(device.name.clone());
        }
    }
    if names.is_empty() {
        return Err(cannot().because("no block device is below it"));
    }
    Ok(names)
}

/// Where control groups are mounted.
const GROUPS: &str = "/sys/fs/cgroup";

fn group(path: &Path) -> Result<Group, Problem> {
    group_below(Path::new(GROUPS), path)
}

/// A group by its path below `root`, or by its whole path in a tree that is mounted elsewhere.
fn group_below(root: &Path, path: &Path) -> Result<Group, Problem> {
    let below = path.strip_prefix(root).unwrap_or(path);
    let name = below.to_string_lossy().trim_matches('/').to_owned();
    // Where version 1 is mounted too, the tree of version 2 has a folder of its own.
    let places = [root.to_owned(), root.join("unified"), PathBuf::from("/")];
    let mut dirs = places.iter().map(|place| place.join(&name));
    if let Some(dir) = dirs.find(|dir| dir.join("io.stat").is_file()) {
        return Ok(Group { name, dir });
    }
    let dir = root.join(&name);
    let cause = if dir.is_dir() {
        "it has no io.stat: the io controller is off, or the groups are of version 1"
    } else {
        "there is no such group below /sys/fs/cgroup"
    };
    Err(Problem::new(
        Exit::Environment,
        format!("cannot watch the control group {name}"),
    )
    .because(cause)
    .remedy("use a path such as system.slice/NAME.service; `systemd-cgls` lists them"))
}

/// Differences of counters as means over a span.
pub(super) fn sample(counters: &DiskCounters, span_ns: u64) -> Sample {
    let seconds = span_ns as f64 / 1e9;
    let rate = |number: u64| number as f64 / seconds;
    let mean = |sum_ms: u64, number: u64| (number > 0).then(|| sum_ms as f64 / number as f64);
    let ios = counters.reads + counters.writes;
    Sample {
        at: None,
        length_ns: None,
        ios_per_second: rate(ios),
        reads_per_second: Some(rate(counters.reads)),
        writes_per_second: Some(rate(counters.writes)),
        read_bytes_per_second: rate(counters.read_bytes),
        written_bytes_per_second: rate(counters.written_bytes),
        await_ms: mean(counters.read_time_ms + counters.write_time_ms, ios),
        read_await_ms: mean(counters.read_time_ms, counters.reads),
        write_await_ms: mean(counters.write_time_ms, counters.writes),
        queue_depth: Some(counters.queue_time_ms as f64 / 1e3 / seconds),
        // The kernel rounds to its ticks, so that a busy interval may seem longer than itself.
        busy_percent: Some((counters.busy_time_ms as f64 / 10.0 / seconds).min(100.0)),
        discards_per_second: counters.discards.map(rate),
        flushes_per_second: counters.flushes.map(rate),
    }
}

fn group_moments(
    group: &str,
    old: &[GroupIo],
    new: &[GroupIo],
    lines: &[DiskLine],
    span_ns: u64,
) -> Vec<GroupMoment> {
    let seconds = span_ns as f64 / 1e9;
    let moment = |line: &DiskLine| {
        let of = |all: &[GroupIo]| {
            let found = all.iter().find(|io| io.dev == line.dev);
            found.map(|io| io.counters)
        };
        let now = of(new)?;
        let then = of(old).unwrap_or_default();
        let rate = |now: u64, then: u64| now.saturating_sub(then) as f64 / seconds;
        let (reads, writes) = (rate(now.reads, then.reads), rate(now.writes, then.writes));
        Some(GroupMoment {
            group: group.to_owned(),
            device: line.name.clone(),
            sample: Sample {
                ios_per_second: reads + writes,
                reads_per_second: Some(reads),
                writes_per_second: Some(writes),
                read_bytes_per_second: rate(now.read_bytes, then.read_bytes),
                written_bytes_per_second: rate(now.written_bytes, then.written_bytes),
                ..Sample::default()
            },
        })
    };
    lines.iter().filter_map(moment).collect()
}

fn processors(ticks: &MachineTicks) -> Option<ProcessorSample> {
    let share = |part: u64| part as f64 * 100.0 / ticks.total as f64;
    (ticks.total > 0).then(|| ProcessorSample {
        at: None,
        user_percent: share(ticks.user),
        system_percent: share(ticks.system),
        iowait_percent: share(ticks.iowait),
        steal_percent: share(ticks.steal),
        context_switches_per_second: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_device::{DevNum, GroupCounters};

    #[test]
    fn counters_become_means_over_the_span() {
        let counters = DiskCounters {
            reads: 400,
            read_bytes: 400 * 4096,
            read_time_ms: 200,
            writes: 100,
            written_bytes: 100 * 65536,
            write_time_ms: 300,
            busy_time_ms: 2010,
            queue_time_ms: 1000,
            discards: Some(10),
            ..DiskCounters::default()
        };
        let expected = Sample {
            at: None,
            length_ns: None,
            ios_per_second: 250.0,
            reads_per_second: Some(200.0),
            writes_per_second: Some(50.0),
            read_bytes_per_second: 819_200.0,
            written_bytes_per_second: 3_276_800.0,
            await_ms: Some(1.0),
            read_await_ms: Some(0.5),
            write_await_ms: Some(3.0),
            queue_depth: Some(0.5),
            busy_percent: Some(100.0),
            discards_per_second: Some(5.0),
            flushes_per_second: None,
        };
        assert_eq!(sample(&counters, 2_000_000_000), expected);
        let idle = sample(&DiskCounters::default(), 1_000_000_000);
        assert_eq!((idle.await_ms, idle.read_await_ms), (None, None));
    }

    #[test]
    fn a_group_counts_from_nothing_where_it_was_new() {
        let dev = DevNum::new(8, 0);
        let line = DiskLine {
            dev,
            name: "sda".into(),
            in_flight: 0,
            counters: DiskCounters::default(),
        };
        let io = |reads| GroupIo {
            dev,
            counters: GroupCounters {
                read_bytes: reads * 4096,
                reads,
                ..GroupCounters::default()
            },
        };
        let rate = |old: &[GroupIo], new: &[GroupIo]| {
            let found = group_moments("a", old, new, std::slice::from_ref(&line), 1_000_000_000);
            found.first().map(|one| one.sample.ios_per_second)
        };
        assert_eq!(rate(&[], &[io(5)]), Some(5.0));
        assert_eq!(rate(&[io(3)], &[io(5)]), Some(2.0));
        assert_eq!(rate(&[io(3)], &[]), None);
    }

    /// `io.stat` of a database's group on a machine with two disks, twenty seconds apart; the
    /// second disk was first used in between.
    const CAPTURED: [&str; 2] = [
        "8:0 rbytes=1622016 wbytes=5337088 rios=163 wios=1303 dbytes=0 dios=0\n",
        "8:0 rbytes=5718016 wbytes=6385664 rios=1163 wios=1559 dbytes=0 dios=0\n\
         8:16 rbytes=0 wbytes=1310720 rios=0 wios=20 dbytes=0 dios=0\n7:0 \n",
    ];

    #[test]
    fn a_captured_tree_of_version_2_is_read() {
        let root = tempfile::tempdir().unwrap();
        let beside_version_1 = root.path().join("unified");
        for top in [root.path(), &beside_version_1] {
            let dir = top.join("system.slice/db.service");
            std::fs::create_dir_all(&dir).unwrap();
            std::fs::write(dir.join("io.stat"), CAPTURED[0]).unwrap();
            let group = group_below(root.path(), Path::new("system.slice/db.service"))
                .ok()
                .unwrap();
            assert_eq!(group.dir, dir);
            let before = Cgroup::io_below(&group.dir).unwrap();
            std::fs::write(dir.join("io.stat"), CAPTURED[1]).unwrap();
            let after = Cgroup::io_below(&group.dir).unwrap();
            let line = |minor, name: &str| DiskLine {
                dev: DevNum::new(8, minor),
                name: name.into(),
                in_flight: 0,
                counters: DiskCounters::default(),
            };
            let lines = [line(0, "sda"), line(16, "sdb"), line(32, "sdc")];
            let found = group_moments(&group.name, &before, &after, &lines, 20_000_000_000);
            let told: Vec<_> = found
                .iter()
                .map(|one| {
                    let sample = &one.sample;
                    let bytes = (
                        sample.read_bytes_per_second,
                        sample.written_bytes_per_second,
                    );
                    (
                        &*one.group,
                        &*one.device,
                        sample.reads_per_second,
                        sample.writes_per_second,
                        bytes,
                    )
                })
                .collect();
            let name = "system.slice/db.service";
            let expected = [
                (name, "sda", Some(50.0), Some(12.8), (204_800.0, 52_428.8)),
                (name, "sdb", Some(0.0), Some(1.0), (0.0, 65_536.0)),
            ];
            assert_eq!(told, expected);
            std::fs::remove_file(dir.join("io.stat")).unwrap();
        }
        let whole = beside_version_1.join("system.slice/db.service");
        std::fs::write(whole.join("io.stat"), CAPTURED[0]).unwrap();
        let elsewhere = group_below(Path::new("/nowhere"), &whole).ok().unwrap();
        assert_eq!(elsewhere.dir, whole);
        let none = group_below(root.path(), Path::new("system.slice"))
            .err()
            .unwrap();
        let because = "it has no io.stat: the io controller is off, or the groups are of version 1";
        assert_eq!(none.because.as_deref(), Some(because));
    }
}
