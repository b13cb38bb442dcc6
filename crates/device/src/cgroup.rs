//! The control group of this process: its I/O, its limits, and when it was throttled.
//!
//! Version 2 is asked first. Of version 1, which some machines still run as well, the processor
//! quota is read and the limits of block I/O and of memory; its I/O counts are left alone, since
//! they do not have buffered writes.

use fathom_core::SmallSort as _;
use std::path::{Path, PathBuf};

use crate::counter::Position::After;
use crate::counter::{Counter, Family as _, Unit, counters};
use crate::devnum::DevNum;
use crate::error::DeviceError;

/// Where control groups are mounted.
const ROOT: &str = "/sys/fs/cgroup";
/// How long tasks of the machine waited for I/O.
const MACHINE_PRESSURE: &str = "/proc/pressure/io";
/// Files of a group that limit block I/O in version 2.
const LIMITS: [&str; 2] = ["io.max", "io.latency"];
/// And in version 1.
const LIMITS_OF_VERSION_1: [&str; 4] = [
    "blkio.throttle.read_bps_device",
    "blkio.throttle.write_bps_device",
    "blkio.throttle.read_iops_device",
    "blkio.throttle.write_iops_device",
];
/// Groups that are looked at for limits, at most.
const MOST_GROUPS: usize = 50_000;

counters! {
    /// What a group moved; a number that the kernel leaves out is 0.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct GroupCounters in "io.stat" {
        /// Bytes read by the group.
        read_bytes: u64 = After("rbytes"), Bytes;
        /// Bytes of completed writes.
        written_bytes: u64 = After("wbytes"), Bytes;
        /// Completed reads.
        reads: u64 = After("rios"), Number;
        /// Completed writes.
        writes: u64 = After("wios"), Number;
        /// Time for which requests waited for their share of `io.cost`; the kernel counts it with
        /// `blkcg_debug_stats=1` only.
        cost_wait_ns: u64 = After("cost.wait"), Microseconds;
    }
}

/// What a group did so far on some devices, and how long its tasks waited for I/O. `None`: the
/// kernel does not count it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupActivity {
    /// Requests.
    pub ios: Option<u64>,
    /// Bytes of these requests.
    pub bytes: Option<u64>,
    /// Time in which a task waited for I/O, nanoseconds; in version 1 of the whole machine.
    pub stalled_ns: Option<u64>,
}

/// A limit of block I/O that is set for a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IoLimit {
    /// The device that is limited.
    pub dev: DevNum,
    /// The file that says so, as `io.max`.
    pub file: String,
    /// What it says, without what is not limited, as `riops=100`.
    pub value: String,
}

/// What a group moved on one device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupIo {
    /// The device.
    pub dev: DevNum,
    /// Sums since the group was made.
    pub counters: GroupCounters,
}

counters! {
    /// How often and how long a group was kept from running by its quota.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Throttled in "cpu.stat" {
        /// Periods in which the quota of the group held it back.
        periods: u64 = After("nr_throttled"), Number;
        /// For how long, summed over processors.
        time_ns: u64 = After("throttled_usec"), Microseconds;
    }
}

/// The same time in version 1.
pub(crate) const THROTTLED_NS_OF_VERSION_1: Counter = Counter {
    file: "cpu.stat",
    position: After("throttled_time"),
    unit: Unit::Nanoseconds,
    name: "time_ns",
    meaning: "The same in version 1 of control groups",
};

/// The control group of this process, with the groups above it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cgroup {
    /// The group in version 2, then its parents without the root.
    unified: Vec<PathBuf>,
    /// Likewise that of the `cpu` controller of version 1.
    cpu: Vec<PathBuf>,
    /// The group of its `blkio` controller alone.
    own_blkio: Option<PathBuf>,
    /// That of the `memory` controller of version 1, with its parents.
    memory: Vec<PathBuf>,
}

impl Cgroup {
    /// The group of this process.
    pub fn own() -> Result<Self, DeviceError> {
        Self::named_by(Path::new("/proc/self/cgroup"))
    }

    /// The group of a process.
    ///
    /// # Errors
    ///
    /// There is no such process, or none any more.
    pub fn of_process(pid: i32) -> Result<Self, DeviceError> {
        Self::named_by(&Path::new("/proc").join(pid.to_string()).join("cgroup"))
    }

    fn named_by(path: &Path) -> Result<Self, DeviceError> {
        let text = crate::input::read_text(path).map_err(|error| DeviceError::read(path, error))?;
        Ok(Self::of(&text, Path::new(ROOT)))
    }

    /// The group that the text of `/proc/self/cgroup` names, in a tree below `root`.
    pub fn of(text: &str, root: &Path) -> Self {
        let mut group = Self::default();
        for line in text.lines() {
            let mut fields = line.splitn(3, ':').skip(1);
            let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else {
                continue;
            };
            if controllers.is_empty() {
                let top = if root.join("cgroup.controllers").exists() {
                    root.to_owned()
                } else {
                    root.join("unified")
                };
                group.unified = with_parents(&top, path, "cgroup.type");
            } else if controllers.split(',').any(|one| one == "cpu") {
                group.cpu = with_parents(&root.join(controllers), path, "cpu.cfs_quota_us");
            } else if controllers.split(',').any(|one| one == "memory") {
                let mark = "memory.limit_in_bytes";
                group.memory = with_parents(&root.join(controllers), path, mark);
            } else if controllers.split(',').any(|one| one == "blkio") {
                let mark = "blkio.throttle.read_iops_device";
                let dir = root.join(controllers).join(path.trim_start_matches('/'));
                group.own_blkio = dir.join(mark).exists().then_some(dir);
            }
        }
        group
    }

    /// What the group moved so far, by device.
    pub fn io(&self) -> Result<Vec<GroupIo>, DeviceError> {
        let Some(dir) = self.unified.first() else {
            let root = std::io::Error::other(
                "this process is in the root of control groups version 2, which counts everybody",
            );
            return Err(DeviceError::read("io.stat", root));
        };
        Self::io_below(dir)
    }

    /// What the group with this directory moved so far, by device.
    pub fn io_below(dir: &Path) -> Result<Vec<GroupIo>, DeviceError> {
        let path = dir.join("io.stat");
        let text =
            crate::input::read_text(&path).map_err(|error| DeviceError::read(&path, error))?;
        Ok(text.lines().filter_map(group_io).collect())
    }

    /// What the group did so far on these devices. In version 1 the controller counts what it lets
    /// through, buffered writes excluded.
    pub fn activity(&self, devices: &[DevNum]) -> GroupActivity {
        let pressure = match self.unified.first() {
            Some(dir) if dir.join("io.pressure").exists() => dir.join("io.pressure"),
            _ => PathBuf::from(MACHINE_PRESSURE),
        };
        let stalled_ns = crate::input::read_text(pressure).ok();
        let stalled_ns = stalled_ns.and_then(|text| stalled_ns_of(&text));
        if let Ok(all) = self.io() {
            let ours = || all.iter().filter(|one| devices.contains(&one.dev));
            let sum = |of: fn(&GroupCounters) -> u64| ours().map(|one| of(&one.counters)).sum();
            return GroupActivity {
                ios: Some(sum(|one| one.reads + one.writes)),
                bytes: Some(sum(|one| one.read_bytes + one.written_bytes)),
                stalled_ns,
            };
        }
        let total = |file: &str| {
            let dir = self.own_blkio.as_ref()?;
            let text = crate::input::read_text(dir.join(file)).ok()?;
            let of_device = |line: &str| {
                let (dev, amount) = line.split_once(" Total ")?;
                let is_ours = devices.contains(&device_number(dev)?);
                is_ours.then(|| amount.trim().parse::<u64>().ok()).flatten()
            };
            Some(text.lines().filter_map(of_device).sum())
        };
        GroupActivity {
            ios: total("blkio.throttle.io_serviced"),
            bytes: total("blkio.throttle.io_service_bytes"),
            stalled_ns,
        }
    }

    /// How the quota of the group, or of one above it, held it back; the strictest. None where
    /// no group has a quota.
    pub fn throttled(&self) -> Option<Throttled> {
        let groups = self.unified.iter().chain(&self.cpu);
        let texts = groups.filter_map(|dir| crate::input::read_text(dir.join("cpu.stat")).ok());
        texts
            .filter_map(|text| throttled(&text))
            .max_by_key(|one| one.time_ns)
    }

    /// The least that the group and those above it let it have of memory, page cache included,
    /// bytes. In version 1 what means none is a number that is larger than any memory.
    pub fn memory_limit(&self) -> Option<u64> {
        let files = ["memory.max", "memory.high"];
        let second = self.unified.iter();
        let second = second.flat_map(|dir| files.map(|file| dir.join(file)));
        let first = self
            .memory
            .iter()
            .map(|dir| dir.join("memory.limit_in_bytes"));
        let texts = second
            .chain(first)
            .filter_map(|path| crate::input::read_text(path).ok());
        texts.filter_map(|text| text.trim().parse().ok()).min()
    }

    /// Limits of block I/O that are set, of any device. In version 2 those of the groups above hold
    /// as well; in version 1 they do not, since its controller knows no hierarchy (kernel
    /// documentation, cgroup-v1/blkio-controller, "Hierarchical Cgroups").
    pub fn io_limits(&self) -> Vec<IoLimit> {
        let second = self.unified.iter().flat_map(|dir| limits_in(dir, &LIMITS));
        let first = self.own_blkio.iter();
        let first = first.flat_map(|dir| limits_in(dir, &LIMITS_OF_VERSION_1));
        second.chain(first).collect()
    }

    /// Those that hold for this group, whether they set limits now or not.
    pub fn limiting(&self) -> Vec<LimitingGroup> {
        let second = self.unified.iter().map(|dir| LimitingGroup {
            dir: dir.clone(),
            is_unified: true,
        });
        let first = self.own_blkio.iter().map(|dir| LimitingGroup {
            dir: dir.clone(),
            is_unified: false,
        });
        second.chain(first).collect()
    }
}

/// A group whose limits of block I/O hold for its own processes or for those below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitingGroup {
    dir: PathBuf,
    is_unified: bool,
}

impl LimitingGroup {
    /// All groups of the machine that set limits now, of both versions.
    pub fn all() -> Vec<Self> {
        Self::all_below(Path::new(ROOT))
    }

    fn all_below(root: &Path) -> Vec<Self> {
        let mut found = Vec::new();
        let mut open = vec![root.to_owned()];
        for _ in 0..MOST_GROUPS {
            let Some(dir) = open.pop() else { break };
            let entries = std::fs::read_dir(&dir).into_iter().flatten().flatten();
            let dirs = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
            open.extend(dirs.map(|entry| entry.path()));
            let both = [true, false].map(|is_unified| Self {
                dir: dir.clone(),
                is_unified,
            });
            found.extend(both.into_iter().filter(|one| !one.limits().is_empty()));
        }
        found.small_sort_by(|one, other| one.dir.cmp(&other.dir));
        found
    }

    /// The path below the place where the groups are mounted.
    pub fn name(&self) -> String {
        let name = self.dir.strip_prefix(ROOT).unwrap_or(&self.dir);
        name.display().to_string()
    }

    /// The limits that it sets.
    pub fn limits(&self) -> Vec<IoLimit> {
        if self.is_unified {
            limits_in(&self.dir, &LIMITS)
        } else {
            limits_in(&self.dir, &LIMITS_OF_VERSION_1)
        }
    }

    /// What it moved so far, by device: in version 2 with the groups below it, in version 1 what
    /// the controller let through, buffered writes excluded. Nothing where it cannot be read.
    pub fn moved(&self) -> Vec<GroupIo> {
        if self.is_unified {
            return Cgroup::io_below(&self.dir).unwrap_or_default();
        }
        let read = |file: &str| crate::input::read_text(self.dir.join(file)).unwrap_or_default();
        let mut moved: Vec<GroupIo> = Vec::new();
        let mut add = |text: &str, of: fn(&mut GroupCounters, bool) -> &mut u64| {
            for line in text.lines() {
                let words: Vec<&str> = line.split_whitespace().collect();
                let [dev, verb @ ("Read" | "Write"), amount] = words[..] else {
                    continue;
                };
                let (Some(dev), Ok(amount)) = (device_number(dev), amount.parse()) else {
                    continue;
                };
                let index = moved.iter().position(|one| one.dev == dev);
                let index = index.unwrap_or_else(|| {
                    let counters = GroupCounters::default();
                    moved.push(GroupIo { dev, counters });
                    moved.len() - 1
                });
                *of(&mut moved[index].counters, verb == "Read") = amount;
            }
        };
        add(&read("blkio.throttle.io_serviced"), |to, is_read| {
            if is_read {
                &mut to.reads
            } else {
                &mut to.writes
            }
        });
        add(&read("blkio.throttle.io_service_bytes"), |to, is_read| {
            let GroupCounters {
                read_bytes,
                written_bytes,
                ..
            } = to;
            if is_read { read_bytes } else { written_bytes }
        });
        moved
    }

    /// Time in which a task of the group waited for I/O, nanoseconds; not counted in version 1.
    pub fn stalled_ns(&self) -> Option<u64> {
        let text = crate::input::read_text(self.dir.join("io.pressure")).ok()?;
        stalled_ns_of(&text)
    }
}

/// Time in which a task of the machine waited for I/O, nanoseconds; none where the kernel does not
/// count it.
pub fn machine_stalled_ns() -> Option<u64> {
    let text = crate::input::read_text(MACHINE_PRESSURE).ok()?;
    stalled_ns_of(&text)
}

/// What is set in these files of a group.
fn limits_in(dir: &Path, files: &[&str]) -> Vec<IoLimit> {
    let of_file = |file: &&str| {
        let text = crate::input::read_text(dir.join(file)).unwrap_or_default();
        let limits = text.lines().filter_map(|line| io_limit(file, line));
        limits.collect::<Vec<_>>()
    };
    files.iter().flat_map(of_file).collect()
}

/// The total of the line of a pressure file that says how long some task waited.
fn stalled_ns_of(text: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.starts_with("some "))?;
    let (_, total) = line.split_once("total=")?;
    let micros: u64 = total.trim().parse().ok()?;
    Some(micros.saturating_mul(1000))
}

/// A line with a device and what is set for it; none if nothing is.
fn io_limit(file: &str, line: &str) -> Option<IoLimit> {
    let mut words = line.split_whitespace();
    let dev = device_number(words.next()?)?;
    let set: Vec<&str> = words.filter(|word| !word.ends_with("=max")).collect();
    (!set.is_empty()).then(|| IoLimit {
        dev,
        file: file.to_owned(),
        value: set.join(" "),
    })
}

fn device_number(word: &str) -> Option<DevNum> {
    let (major, minor) = word.split_once(':')?;
    Some(DevNum::new(major.parse().ok()?, minor.parse().ok()?))
}

/// The directory of `path` below `top` and those above it that have the file `mark`, which the
/// root of a hierarchy has not, or which is read for nothing there.
fn with_parents(top: &Path, path: &str, mark: &str) -> Vec<PathBuf> {
    let mut dir = top.join(path.trim_start_matches('/'));
    let mut found = Vec::new();
    while dir.starts_with(top) {
        if dir.join(mark).exists() {
            found.push(dir.clone());
        }
        if !dir.pop() {
            break;
        }
    }
    found
}

fn group_io(line: &str) -> Option<GroupIo> {
    Some(GroupIo {
        dev: device_number(line.split_whitespace().next()?)?,
        counters: GroupCounters::reading(|counter| Some(counter.in_line(line).unwrap_or(0)))?,
    })
}

fn throttled(text: &str) -> Option<Throttled> {
    Throttled::reading(|counter| {
        let older = &THROTTLED_NS_OF_VERSION_1;
        counter.in_lines(text).or_else(|| {
            let same = counter.name == older.name;
            same.then(|| older.in_lines(text)).flatten()
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn write(dir: &Path, file: &str, text: &str) {
        fs::create_dir_all(dir).unwrap();
        fs::write(dir.join(file), text).unwrap();
    }

    #[test]
    fn a_group_of_version_2_counts_and_limits() {
        let root = tempfile::tempdir().unwrap();
        write(root.path(), "cgroup.controllers", "cpu io\n");
        let dir = root.path().join("a/b");
        write(&root.path().join("a"), "cgroup.type", "domain\n");
        write(&dir, "cgroup.type", "domain\n");
        let stat = "8:16 rbytes=4096 wbytes=8192 rios=1 wios=2 cost.wait=5\n8:0 \n";
        write(&dir, "io.stat", stat);
        let usage = "usage_usec 1\nnr_periods 9\nnr_throttled 3\nthrottled_usec 5000\n";
        write(&root.path().join("a"), "cpu.stat", usage);
        write(&dir, "cpu.stat", "usage_usec 1\n");
        let limits = "8:16 rbps=max wbps=max riops=100 wiops=max\n8:0 rbps=max wbps=max\n";
        write(&dir, "io.max", limits);
        let group = Cgroup::of("0::/a/b\n", root.path());
        let first = GroupIo {
            dev: DevNum::new(8, 16),
            counters: GroupCounters {
                read_bytes: 4096,
                written_bytes: 8192,
                reads: 1,
                writes: 2,
                cost_wait_ns: 5000,
            },
        };
        let second = GroupIo {
            dev: DevNum::new(8, 0),
            counters: GroupCounters::default(),
        };
        assert_eq!(group.io().unwrap(), [first, second]);
        let held = Throttled {
            periods: 3,
            time_ns: 5_000_000,
        };
        assert_eq!(group.throttled(), Some(held));
        let limit = IoLimit {
            dev: DevNum::new(8, 16),
            file: "io.max".to_owned(),
            value: "riops=100".to_owned(),
        };
        assert_eq!(group.io_limits(), [limit]);
        assert_eq!(group.memory_limit(), None);
        write(&root.path().join("a"), "memory.max", "8388608\n");
        write(&dir, "memory.max", "max\n");
        write(&dir, "memory.high", "16777216\n");
        assert_eq!(group.memory_limit(), Some(8 << 20));
    }

    #[test]
    fn activity_of_both_versions_is_read() {
        let root = tempfile::tempdir().unwrap();
        let (disk, other) = (DevNum::new(8, 0), DevNum::new(8, 16));
        let first = root.path().join("blkio/x");
        write(&first, "blkio.throttle.read_iops_device", "");
        let serviced = "8:0 Read 5\n8:0 Write 2\n8:0 Total 7\n8:16 Total 9\nTotal 16\n";
        write(&first, "blkio.throttle.io_serviced", serviced);
        write(
            &first,
            "blkio.throttle.io_service_bytes",
            "8:0 Total 28672\nTotal 28672\n",
        );
        let group = Cgroup::of("7:blkio:/x\n", root.path());
        let found = group.activity(&[disk]);
        assert_eq!((found.ios, found.bytes), (Some(7), Some(28672)));
        write(root.path(), "cgroup.controllers", "io\n");
        let second = root.path().join("y");
        write(&second, "cgroup.type", "domain\n");
        let stat =
            "8:0 rbytes=4096 wbytes=8192 rios=1 wios=2\n8:16 rbytes=1 wbytes=1 rios=1 wios=1\n";
        write(&second, "io.stat", stat);
        let pressure =
            "some avg10=0.00 avg60=0.17 avg300=0.76 total=30679\nfull avg10=0.00 total=8\n";
        write(&second, "io.pressure", pressure);
        let group = Cgroup::of("0::/y\n", root.path());
        let expected = GroupActivity {
            ios: Some(3),
            bytes: Some(12288),
            stalled_ns: Some(30_679_000),
        };
        assert_eq!(group.activity(&[disk]), expected);
        assert_eq!(group.activity(&[other]).ios, Some(2));
    }

    #[test]
    fn the_root_counts_everybody() {
        let root = tempfile::tempdir().unwrap();
        write(root.path(), "cgroup.controllers", "");
        write(root.path(), "io.stat", "8:0 rbytes=1\n");
        let group = Cgroup::of("0::/\n", root.path());
        assert!(group.io().is_err());
        assert_eq!((group.throttled(), group.io_limits()), (None, vec![]));
    }

    #[test]
    fn quota_and_limits_of_version_1_are_read() {
        let root = tempfile::tempdir().unwrap();
        let cpu = root.path().join("cpu,cpuacct/x");
        write(&cpu, "cpu.cfs_quota_us", "20000\n");
        let stat = "nr_periods 5\nnr_throttled 2\nthrottled_time 7000\n";
        write(&cpu, "cpu.stat", stat);
        let blkio = root.path().join("blkio/x");
        write(&blkio, "blkio.throttle.read_iops_device", "7:0 100\n");
        let group = Cgroup::of("2:cpu,cpuacct:/x\n7:blkio:/x\n", root.path());
        let held = Throttled {
            periods: 2,
            time_ns: 7000,
        };
        assert_eq!(group.throttled(), Some(held));
        let limit = IoLimit {
            dev: DevNum::new(7, 0),
            file: "blkio.throttle.read_iops_device".to_owned(),
            value: "100".to_owned(),
        };
        assert_eq!(group.io_limits(), [limit]);
        // What is set for the group above is not enforced for those in it.
        fs::create_dir(blkio.join("y")).unwrap();
        write(&blkio.join("y"), "blkio.throttle.read_iops_device", "");
        let inner = Cgroup::of("7:blkio:/x/y\n", root.path());
        assert_eq!(inner.io_limits(), []);
        let memory = root.path().join("memory/x");
        write(&memory, "memory.limit_in_bytes", "9223372036854771712\n");
        write(&memory.join("y"), "memory.limit_in_bytes", "4096\n");
        let group = Cgroup::of("5:memory:/x/y\n", root.path());
        assert_eq!(group.memory_limit(), Some(4096));
    }

    #[test]
    fn groups_with_limits_are_found_and_counted() {
        let root = tempfile::tempdir().unwrap();
        let second = root.path().join("a/b");
        write(
            &second,
            "io.max",
            "8:0 rbps=max wbps=max riops=100 wiops=max\n",
        );
        write(
            &second,
            "io.stat",
            "8:0 rbytes=4096 wbytes=0 rios=1 wios=0\n",
        );
        let pressure = "some avg10=0.00 avg60=0.00 avg300=0.00 total=7\n";
        write(&second, "io.pressure", pressure);
        let first = root.path().join("blkio/x");
        for file in LIMITS_OF_VERSION_1 {
            write(&first, file, "");
            write(&root.path().join("blkio"), file, "");
        }
        write(&first, "blkio.throttle.write_bps_device", "8:16 4096\n");
        let served = "8:16 Read 5\n8:16 Write 2\n8:16 Total 7\nTotal 7\n";
        write(&first, "blkio.throttle.io_serviced", served);
        let bytes = "8:16 Read 20480\n8:16 Write 8192\nTotal 28672\n";
        write(&first, "blkio.throttle.io_service_bytes", bytes);
        let all = LimitingGroup::all_below(root.path());
        let dirs: Vec<_> = all.iter().map(|one| (&one.dir, one.is_unified)).collect();
        assert_eq!(dirs, [(&second, true), (&first, false)]);
        let moved = |major_minor, read_bytes, written_bytes, reads, writes| GroupIo {
            dev: major_minor,
            counters: GroupCounters {
                read_bytes,
                written_bytes,
                reads,
                writes,
                cost_wait_ns: 0,
            },
        };
        assert_eq!(all[0].moved(), [moved(DevNum::new(8, 0), 4096, 0, 1, 0)]);
        let expected = moved(DevNum::new(8, 16), 20480, 8192, 5, 2);
        assert_eq!(all[1].moved(), [expected]);
        assert_eq!(
            (all[0].stalled_ns(), all[1].stalled_ns()),
            (Some(7000), None)
        );
        let own = Cgroup::of("7:blkio:/x\n", root.path());
        assert_eq!(own.limiting(), all[1..]);
    }
}
