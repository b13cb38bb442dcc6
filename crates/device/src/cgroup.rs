//! The control group of this process: what it moved, what it may use, when it was held back.
//!
//! Version 2 is asked first. Of version 1, which some machines still run beside it, the processor
//! quota is read and the limits of block I/O and of memory; its I/O counts are left alone, since
//! they do not have buffered writes.

use std::path::{Path, PathBuf};

use crate::counter::Position::After;
use crate::counter::{Counter, Family as _, Unit, counters};
use crate::devnum::DevNum;
use crate::error::DeviceError;

counters! {
    /// What a group moved; a number that the kernel leaves out is 0.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct GroupCounters in "io.stat" {
        /// Bytes read by the group.
        read_bytes: u64 = After("rbytes"), Bytes;
        /// Bytes written.
        written_bytes: u64 = After("wbytes"), Bytes;
        /// Reads.
        reads: u64 = After("rios"), Number;
        /// Writes.
        writes: u64 = After("wios"), Number;
    }
}

/// What a group did so far on some devices, and how long its tasks waited for I/O. `None`: the
/// kernel does not count it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupActivity {
    /// Requests.
    pub ios: Option<u64>,
    /// Bytes.
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
    /// Counters.
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
        let path = Path::new("/proc/self/cgroup");
        let text = crate::input::read_text(path).map_err(|error| DeviceError::read(path, error))?;
        Ok(Self::of(&text, Path::new("/sys/fs/cgroup")))
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
            _ => PathBuf::from("/proc/pressure/io"),
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
    /// no group has a quota to be held back by.
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
        let mut limits = Vec::new();
        let mut read = |dir: &Path, file: &str| {
            let text = crate::input::read_text(dir.join(file)).unwrap_or_default();
            limits.extend(text.lines().filter_map(|line| io_limit(file, line)));
        };
        for dir in &self.unified {
            for file in ["io.max", "io.latency"] {
                read(dir, file);
            }
        }
        if let Some(dir) = &self.own_blkio {
            for what in ["read_bps", "write_bps", "read_iops", "write_iops"] {
                read(dir, &format!("blkio.throttle.{what}_device"));
            }
        }
        limits
    }
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
        let stat = "8:16 rbytes=4096 wbytes=8192 rios=1 wios=2 dbytes=0 dios=0\n8:0 \n";
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
}
