//! Looks at the counters of a live system for `fathom throttled` and `fathom watch`: what is read,
//! and what happened between two looks. The answer comes from [`fathom_verdict::live`].

use fathom_core::{CapOwner, Op};
use fathom_device::nodes::NodeKind;
use fathom_device::recognise::ebs::{self, Bin, EbsStatistics};
use fathom_device::recognise::{Platform, place};
use fathom_device::{
    BlockDevice, BlockKind, Cgroup, DevNum, DeviceError, DiskLine, GroupIo, LimitingGroup,
    MachinePaging, NfsMount, Queue, System, Topology, cgroups_of_task, diskstats, list_devices,
    machine_stalled_ns, open_files,
};
use fathom_verdict::Moved;
use fathom_verdict::live::{
    Answer, DiskSeen, Exceeded, GroupSeen, Live, MemorySeen, MountSeen, Seen, Times,
};
use std::path::{Path, PathBuf};

/// What is looked at.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Disks, by kernel name.
    pub disks: Vec<String>,
    /// Where file systems of NFS are mounted.
    pub mounts: Vec<PathBuf>,
    /// The process whose control groups count; none for all that limit these disks.
    pub process: Option<i32>,
}

/// What is looked at, and the disks' queues.
#[derive(Debug)]
pub struct Eye {
    scope: Scope,
    disks: Vec<Disk>,
    groups: Vec<LimitingGroup>,
}

#[derive(Debug)]
struct Disk {
    name: String,
    dev: DevNum,
    queue: Queue,
    /// Samples of the requests in the driver since the last look: their sum and their number.
    in_driver: (u64, u64),
    /// Whether it may have a page of EBS.
    has_page: bool,
}

/// All counters at an instant.
#[derive(Clone, Debug)]
struct Counted {
    at_ns: u64,
    disks: Vec<DiskLine>,
    pages: Vec<Option<Page>>,
    /// Sums of samples of each disk.
    in_driver: Vec<(u64, u64)>,
    groups: Vec<(Vec<GroupIo>, Option<u64>)>,
    mounts: Vec<NfsMount>,
    paging: Option<MachinePaging>,
    stalled_ns: Option<u64>,
}

/// The statistics page of a disk, and when it was read.
#[derive(Clone, Debug)]
struct Page {
    at_ns: u64,
    counted: EbsStatistics,
    /// What was exceeded since the page before; it holds until the next one is read.
    exceeded: Vec<Exceeded>,
}

/// Pages are read once a second, however often the counters are: a controller answers more frequent
/// questions behind its other commands. Looks once a second are never exactly so far apart.
const PAGE_NS: u64 = 900_000_000;

impl Scope {
    /// What lies below paths or devices: the disks whose counters say what reached them, and the
    /// mounts of NFS.
    ///
    /// # Errors
    ///
    /// What the system says of a path.
    pub fn of_paths(paths: &[PathBuf]) -> Result<Self, DeviceError> {
        let system = System::live()?;
        let mut scope = Self::default();
        for path in paths {
            let word = path.to_string_lossy();
            scope.take(
                if system.sysfs.block_names()?.iter().any(|name| *name == word) {
                    let device = BlockDevice::read(&system, &word)?;
                    Topology::of_device(&system, device.dev)?
                } else {
                    Topology::of_path(&system, path)?
                },
            );
        }
        Ok(scope)
    }

    /// What the open files of a process lie on, or all disks where they are not shown.
    ///
    /// # Errors
    ///
    /// There is no such process.
    pub fn of_process(pid: i32) -> Result<Self, DeviceError> {
        let system = System::live()?;
        if cgroups_of_task(pid).is_empty() {
            return Err(DeviceError::NoProcess { pid });
        }
        let mut scope = Self {
            process: Some(pid),
            ..Self::default()
        };
        for (file, path) in open_files(pid) {
            // A file of another name space is known by the device that it lies on alone; one that
            // was closed meanwhile leads nowhere.
            let node = system.nodes.stat(&file).ok();
            let dev = node.and_then(|node| match node.kind {
                NodeKind::Block => Some(node.device),
                NodeKind::File | NodeKind::Directory => Some(node.on),
                _ => None,
            });
            let Some(dev) = dev else { continue };
            match Topology::of_device(&system, dev) {
                Ok(topology) => scope.take(topology),
                // The name leads there only if it is not a name of another name space.
                Err(_) if node.is_some() && system.nodes.stat(&path).ok() == node => {
                    scope.take(Topology::of_path(&system, &path)?);
                }
                Err(_) => {}
            }
        }
        if scope.disks.is_empty() && scope.mounts.is_empty() {
            scope.disks = Self::everything()?.disks;
        }
        Ok(scope)
    }

    /// All disks that were ever used.
    ///
    /// # Errors
    ///
    /// The disks cannot be listed.
    pub fn everything() -> Result<Self, DeviceError> {
        let system = System::live()?;
        let used = diskstats::read_all(Path::new(DISKSTATS))?;
        let is_used = |device: &BlockDevice| {
            let line = used.iter().find(|line| line.dev == device.dev);
            line.is_some_and(|line| line.counters.reads + line.counters.writes > 0)
        };
        let mut disks: Vec<String> = Vec::new();
        for tree in list_devices(&system, false)? {
            // What a stack of devices moves, the disks below it move too, and what a loop device
            // moves, the disk with its file. Memory has no limit.
            let is_stack = matches!(tree.device.kind, BlockKind::Loop | BlockKind::Zram);
            let is_whole = tree.device.slaves.is_empty() && tree.device.disk.is_none();
            let is_disk = is_whole && !is_stack;
            if is_disk && is_used(&tree.device) && !disks.contains(&tree.device.name) {
                disks.push(tree.device.name.clone());
            }
        }
        Ok(Self {
            disks,
            ..Self::default()
        })
    }

    fn take(&mut self, topology: Topology) {
        for disk in topology.witnesses() {
            let name = disk.disk.as_ref().unwrap_or(&disk.name);
            if !self.disks.contains(name) {
                self.disks.push(name.clone());
            }
        }
        let mount = topology
            .mount
            .filter(|mount| mount.fs_type.starts_with("nfs"));
        if let Some(mount) = mount
            && !self.mounts.contains(&mount.mount_point)
        {
            self.mounts.push(mount.mount_point);
        }
    }
}

/// An observation: looks at the counters one after the other, and what is said of them.
#[derive(Debug)]
pub struct Observation {
    eye: Eye,
    live: Live,
    first: Counted,
    last: Counted,
}

impl Observation {
    /// Takes the first look.
    ///
    /// # Errors
    ///
    /// The counters cannot be read.
    pub fn begin(eye: Eye, live: Live, at_ns: u64) -> Result<Self, DeviceError> {
        let first = eye.look(at_ns, None)?;
        Ok(Self {
            last: first.clone(),
            first,
            live,
            eye,
        })
    }

    /// Samples what only levels show, between two looks.
    pub fn sample(&mut self) {
        self.eye.sample();
    }

    /// Takes the next look: what was seen since the last one, and what is said of it.
    ///
    /// # Errors
    ///
    /// The counters cannot be read, or a disk was made anew.
    pub fn look(&mut self, at_ns: u64) -> Result<(Seen, Answer), DeviceError> {
        let now = self.eye.look(at_ns, Some(&self.last))?;
        let seen = self.eye.between(&self.last, &now)?;
        self.last = now;
        let answer = self.live.take(&seen);
        Ok((seen, answer))
    }

    /// Goes on with disks and control groups that were found anew, from this instant, unless they
    /// are the same. Credit and causes are followed on.
    ///
    /// # Errors
    ///
    /// The counters cannot be read.
    pub fn renew(&mut self, eye: Eye, at_ns: u64) -> Result<(), DeviceError> {
        let disks = |eye: &Eye| -> Vec<_> {
            let disks = eye.disks.iter();
            disks.map(|disk| (disk.name.clone(), disk.dev)).collect()
        };
        if disks(&eye) == disks(&self.eye) && eye.groups == self.eye.groups {
            return Ok(());
        }
        self.first = eye.look(at_ns, None)?;
        self.last = self.first.clone();
        self.eye = eye;
        Ok(())
    }

    /// What holds over the whole time, and its length in nanoseconds.
    ///
    /// # Errors
    ///
    /// A disk was made anew meanwhile.
    pub fn answer(&self) -> Result<(Answer, u64), DeviceError> {
        let whole = self.eye.between(&self.first, &self.last)?;
        Ok((self.live.answer(&whole), whole.length_ns))
    }
}

const DISKSTATS: &str = "/proc/diskstats";

impl Eye {
    /// Finds the queues and the control groups of what is looked at.
    ///
    /// # Errors
    ///
    /// A disk that is not there.
    pub fn open(scope: Scope) -> Result<Self, DeviceError> {
        let system = System::live()?;
        let is_ec2 = place(&system.sysfs).platform == Platform::Ec2;
        let disk = |name: &String| {
            let device = BlockDevice::read(&system, name)?;
            Ok(Disk {
                name: name.clone(),
                dev: device.dev,
                queue: Queue::read(&system.sysfs, name)?,
                in_driver: (0, 0),
                has_page: is_ec2 && name.starts_with("nvme"),
            })
        };
        let groups = match scope.process {
            Some(pid) => Cgroup::of_process(pid)?.limiting(),
            None => LimitingGroup::all(),
        };
        Ok(Self {
            disks: scope.disks.iter().map(disk).collect::<Result<_, _>>()?,
            groups,
            scope,
        })
    }

    /// Kernel names of the disks.
    pub fn disks(&self) -> impl Iterator<Item = &str> {
        self.disks.iter().map(|disk| disk.name.as_str())
    }

    /// Whether there is nothing to look at.
    pub fn is_blind(&self) -> bool {
        self.disks.is_empty() && self.scope.mounts.is_empty()
    }

    fn sample(&mut self) {
        for disk in &mut self.disks {
            if let Some(held) = disk.queue.in_driver() {
                disk.in_driver.0 += held;
                disk.in_driver.1 += 1;
            }
        }
    }

    /// Reads all counters; a page that was read a moment ago is taken from the last look.
    fn look(&self, at_ns: u64, last: Option<&Counted>) -> Result<Counted, DeviceError> {
        let all = diskstats::read_all(Path::new(DISKSTATS))?;
        let line = |disk: &Disk| {
            let found = all.iter().find(|line| line.dev == disk.dev);
            found.cloned().ok_or_else(|| DeviceError::Vanished {
                device: disk.name.clone(),
            })
        };
        let page = |(index, disk): (usize, &Disk)| {
            let before = last.and_then(|last| last.pages[index].as_ref());
            let read = || {
                let node = Path::new("/dev").join(&disk.name);
                let counted = disk.has_page.then(|| ebs::read(&node).ok()).flatten()?;
                Some(Page::after(before, at_ns, counted))
            };
            let fresh = before.filter(|page| at_ns < page.at_ns + PAGE_NS);
            fresh.cloned().or_else(read)
        };
        let mut mounts = if self.scope.mounts.is_empty() {
            Vec::new()
        } else {
            NfsMount::read_all()?
        };
        mounts.retain(|mount| self.scope.mounts.contains(&mount.path));
        let groups = self.groups.iter();
        Ok(Counted {
            at_ns,
            disks: self.disks.iter().map(line).collect::<Result<_, _>>()?,
            pages: self.disks.iter().enumerate().map(page).collect(),
            in_driver: self.disks.iter().map(|disk| disk.in_driver).collect(),
            groups: groups.map(|one| (one.moved(), one.stalled_ns())).collect(),
            mounts,
            paging: MachinePaging::read().ok(),
            stalled_ns: machine_stalled_ns(),
        })
    }

    /// What happened between two looks.
    fn between(&self, then: &Counted, now: &Counted) -> Result<Seen, DeviceError> {
        let length_ns = now.at_ns.saturating_sub(then.at_ns).max(1);
        let mut disks = Vec::new();
        for (index, disk) in self.disks.iter().enumerate() {
            disks.push(disk.between(index, then, now, length_ns)?);
        }
        let mounts = now.mounts.iter().filter_map(|mount| {
            let old = then.mounts.iter().find(|old| old.path == mount.path)?;
            mount.since(old).as_ref().map(mount_seen)
        });
        let both = then.paging.as_ref().zip(now.paging.as_ref());
        let memory = both.map(|(then, now)| MemorySeen {
            dirty_bytes: now.dirty_bytes + now.writeback_bytes,
            limit_bytes: now.dirty_limit_bytes,
            dirtied_bytes: now.since(then).dirtied_bytes,
        });
        Ok(Seen {
            length_ns,
            disks,
            groups: self.groups_between(then, now, length_ns),
            mounts: mounts.collect(),
            memory,
            stalled: share(then.stalled_ns, now.stalled_ns, length_ns),
        })
    }

    fn groups_between(&self, then: &Counted, now: &Counted, length_ns: u64) -> Vec<GroupSeen> {
        let mut groups = Vec::new();
        for (index, group) in self.groups.iter().enumerate() {
            let (earlier, stalled_then) = &then.groups[index];
            let (later, stalled_now) = &now.groups[index];
            let stalled = share(*stalled_then, *stalled_now, length_ns);
            for disk in &self.disks {
                let found = |all: &[GroupIo]| {
                    let one = all.iter().find(|one| one.dev == disk.dev);
                    one.map(|one| one.counters).unwrap_or_default()
                };
                let (old, new) = (found(earlier), found(later));
                let limits = group.limits().into_iter();
                let limits = limits.filter(|limit| limit.dev == disk.dev);
                let limits = limits.map(|one| format!("{} {} {}", one.file, disk.name, one.value));
                groups.push(GroupSeen {
                    group: group.name(),
                    device: disk.name.clone(),
                    limits: limits.collect(),
                    moved: Moved {
                        reads: new.reads.saturating_sub(old.reads),
                        writes: new.writes.saturating_sub(old.writes),
                        read_bytes: new.read_bytes.saturating_sub(old.read_bytes),
                        written_bytes: new.written_bytes.saturating_sub(old.written_bytes),
                    },
                    cost_wait_ns: new.cost_wait_ns.saturating_sub(old.cost_wait_ns),
                    stalled,
                });
            }
        }
        groups.retain(|one| !one.limits.is_empty() || one.cost_wait_ns > 0);
        groups
    }
}

/// Share of a time in which something was counted; none where it is not counted.
fn share(then: Option<u64>, now: Option<u64>, length_ns: u64) -> Option<f64> {
    let passed = now?.saturating_sub(then?);
    Some((passed as f64 / length_ns as f64).min(1.0))
}

impl Disk {
    fn between(
        &self,
        index: usize,
        then: &Counted,
        now: &Counted,
        length_ns: u64,
    ) -> Result<DiskSeen, DeviceError> {
        let line = &now.disks[index];
        let counters = line.counters;
        let passed = counters.since(&then.disks[index].counters, &self.name)?;
        let (sum, samples) = now.in_driver[index];
        let (old_sum, old_samples) = then.in_driver[index];
        let samples = samples - old_samples;
        let in_driver = (samples > 0).then(|| (sum - old_sum) as f64 / samples as f64);
        let pages = now.pages[index].as_ref().zip(then.pages[index].as_ref());
        let (exceeded, times) = pages.map_or_else(Default::default, |(now, then)| now.since(then));
        let scheduler = self.queue.scheduler.clone();
        Ok(DiskSeen {
            name: self.name.clone(),
            moved: Moved {
                reads: passed.reads,
                writes: passed.writes,
                read_bytes: passed.read_bytes,
                written_bytes: passed.written_bytes,
            },
            read_wait_ms: passed.read_time_ms,
            write_wait_ms: passed.write_time_ms,
            busy_ms: passed.busy_time_ms,
            in_flight_now: line.in_flight,
            in_flight: passed.queue_time_ms as f64 * 1e6 / length_ns as f64,
            in_driver,
            tags: self.queue.tags,
            slots: self.queue.slots,
            scheduler: scheduler.filter(|name| name != "none"),
            flushes: passed.flushes.zip(passed.flush_time_ms),
            exceeded,
            times,
        })
    }
}

impl Page {
    fn after(before: Option<&Self>, at_ns: u64, counted: EbsStatistics) -> Self {
        let mut page = Self {
            at_ns,
            counted,
            exceeded: Vec::new(),
        };
        page.exceeded = before.map_or_else(Vec::new, |before| page.since(before).0);
        page
    }

    /// What was exceeded since an earlier page, and the times of requests; nothing where the
    /// counters went back. Of the same page, the shares that are known and no more time.
    fn since(&self, then: &Self) -> (Vec<Exceeded>, Vec<Times>) {
        let passed_ns = self.at_ns.saturating_sub(then.at_ns);
        if passed_ns == 0 {
            let known = self.exceeded.iter();
            let known = known.map(|one| Exceeded { time_us: 0, ..*one });
            return (known.collect(), Vec::new());
        }
        let Some(counted) = self.counted.since(&then.counted) else {
            return Default::default();
        };
        let exceeded = counted.exceeded().into_iter().map(|one| Exceeded {
            owner: if one.is_of_instance {
                CapOwner::Instance
            } else {
                CapOwner::Volume
            },
            what: one.what,
            share: one.time_us as f64 * 1e3 / passed_ns as f64,
            time_us: one.time_us,
        });
        let times = |op, bins: &[Bin], sum_us| {
            let bin = |bin: &Bin| (bin.high_us, u64::from(bin.count));
            let bins = bins.iter().map(bin).collect();
            Times { op, bins, sum_us }
        };
        let times = vec![
            times(Op::Read, &counted.read_histogram, counted.read_us),
            times(Op::Write, &counted.write_histogram, counted.write_us),
        ];
        (exceeded.collect(), times)
    }
}

fn mount_seen(passed: &NfsMount) -> MountSeen {
    MountSeen {
        path: passed.path.display().to_string(),
        requests: passed.requests,
        queue_ms: passed.queue_ms,
        round_trip_ms: passed.round_trip_ms,
        sent: passed.sent,
        backlog: passed.backlog,
        retransmitted: passed.retransmitted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_verdict::live::Cause;

    fn eye() -> Eye {
        let disk = Disk {
            name: "vda".to_owned(),
            dev: DevNum::new(254, 0),
            queue: Queue {
                tags: Some(128),
                slots: Some(256),
                scheduler: Some("none".to_owned()),
                ..Queue::default()
            },
            in_driver: (0, 0),
            has_page: false,
        };
        Eye {
            scope: Scope::default(),
            disks: vec![disk],
            groups: Vec::new(),
        }
    }

    #[test]
    fn two_recorded_looks_become_what_was_seen() {
        let looked = |at_ns, line: &str, in_driver, dirty_bytes| Counted {
            at_ns,
            disks: diskstats::parse(line).expect("a line"),
            pages: vec![None],
            in_driver: vec![in_driver],
            groups: Vec::new(),
            mounts: Vec::new(),
            paging: Some(MachinePaging {
                dirty_bytes,
                writeback_bytes: 4096,
                dirtied_bytes: dirty_bytes,
                dirty_limit_bytes: 1 << 30,
                ..MachinePaging::default()
            }),
            stalled_ns: Some(at_ns / 4),
        };
        let then = "254 0 vda 100 0 800 50 10 0 80 5 0 60 55 0 0 0 0 4 8\n";
        let now = "254 0 vda 300 0 2400 450 30 0 240 105 3 1000 4055 0 0 0 0 14 48\n";
        let then = looked(1_000_000_000, then, (10, 5), 8192);
        let now = looked(3_000_000_000, now, (30, 15), 16_384);
        let expected = Seen {
            length_ns: 2_000_000_000,
            disks: vec![DiskSeen {
                name: "vda".to_owned(),
                moved: Moved {
                    reads: 200,
                    writes: 20,
                    read_bytes: 1600 * 512,
                    written_bytes: 160 * 512,
                },
                read_wait_ms: 400,
                write_wait_ms: 100,
                busy_ms: 940,
                in_flight_now: 3,
                in_flight: 2.0,
                in_driver: Some(2.0),
                tags: Some(128),
                slots: Some(256),
                scheduler: None,
                flushes: Some((10, 40)),
                ..DiskSeen::default()
            }],
            memory: Some(MemorySeen {
                dirty_bytes: 20_480,
                limit_bytes: 1 << 30,
                dirtied_bytes: 8192,
            }),
            stalled: Some(0.25),
            ..Seen::default()
        };
        assert_eq!(eye().between(&then, &now).expect("it goes on"), expected);
    }

    const SECOND: u64 = 1_000_000_000;

    /// A log page as an EBS volume gives it: reads, microseconds over the volume's IOPS and over
    /// the instance's throughput, and a histogram of one bin.
    fn page(at_s: u64, reads: u64, over: [u64; 2], in_bin: u32) -> Page {
        let mut bytes = vec![0_u8; ebs::PAGE_BYTES];
        let mut put = |at: usize, word: &[u8]| bytes[at..at + word.len()].copy_from_slice(word);
        put(0, &0x3C23_B510_u32.to_le_bytes());
        for (at, number) in [(8, reads), (40, reads * 900), (56, over[0]), (80, over[1])] {
            put(at, &number.to_le_bytes());
        }
        for (at, number) in [(512, 1), (520, 512), (528, 1024)] {
            put(at, &u64::to_le_bytes(number));
        }
        put(536, &in_bin.to_le_bytes());
        let counted = ebs::parse(&bytes).expect("a page");
        Page::after(None, at_s * SECOND, counted)
    }

    /// A second at each page, with 3,000 reads and 8 requests in flight.
    fn answers(pages: &[Page]) -> Vec<(Option<Cause>, Vec<Times>)> {
        let looked = |page: &Page| {
            let second = page.at_ns / SECOND;
            let (reads, waits) = (3000 * second, 8000 * second);
            let line = format!(
                "259 0 nvme1n1 {reads} 0 {} {waits} 0 0 0 0 8 0 {waits}\n",
                reads * 8
            );
            Counted {
                at_ns: page.at_ns,
                disks: diskstats::parse(&line).expect("a line"),
                pages: vec![Some(page.clone())],
                in_driver: vec![(0, 0)],
                groups: Vec::new(),
                mounts: Vec::new(),
                paging: None,
                stalled_ns: None,
            }
        };
        let mut live = Live::new(Vec::new(), 1.0);
        let spans = pages.windows(2).map(|both| {
            let seen = eye().between(&looked(&both[0]), &looked(&both[1]));
            let seen = seen.expect("it goes on");
            (live.take(&seen).cause, seen.disks[0].times.clone())
        });
        spans.collect()
    }

    #[test]
    fn recorded_log_pages_decide() {
        let times = |count, sum_us| {
            let of = |op, bins, sum_us| Times { op, bins, sum_us };
            vec![
                of(Op::Read, vec![(1024, count)], sum_us),
                of(Op::Write, Vec::new(), 0),
            ]
        };
        let pages = [
            page(1, 10_000, [0, 0], u32::MAX - 999),
            // A bin of 32 bits wraps meanwhile.
            page(2, 13_000, [900_000, 50_000], 2000),
            page(3, 16_000, [900_000, 950_000], 5000),
            page(4, 19_000, [950_000, 950_000], 8000),
            // Attached anew: all counters start again.
            page(5, 100, [90_000, 0], 100),
            page(6, 3100, [990_000, 0], 3100),
        ];
        let expected = [
            (Some(Cause::VolumeCap), times(3000, 2_700_000)),
            (Some(Cause::InstanceCap), times(3000, 2_700_000)),
            (None, times(3000, 2_700_000)),
            (None, Vec::new()),
            (Some(Cause::VolumeCap), times(3000, 2_700_000)),
        ];
        assert_eq!(answers(&pages), expected);
    }

    /// A look soon after another has the same page: its shares hold on, and no time is added.
    #[test]
    fn a_page_holds_until_the_next_one() {
        let one = page(1, 10_000, [500_000, 0], 7);
        assert_eq!(one.since(&one), (Vec::new(), Vec::new()));
        let next = page(2, 13_000, [750_000, 0], 9).counted;
        let next = Page::after(Some(&one), 2 * SECOND, next);
        let (shares, times) = next.since(&next);
        let shares: Vec<_> = shares.iter().map(|one| (one.share, one.time_us)).collect();
        let expected = [0.25, 0.0, 0.0, 0.0].map(|share| (share, 0));
        assert_eq!((shares, times), (expected.to_vec(), Vec::new()));
    }
}
