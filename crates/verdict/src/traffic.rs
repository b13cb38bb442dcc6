//! Both sides of the account: what Fathom moved, what the block devices counted.

use crate::threshold::thresholds;
use fathom_core::Op;
use fathom_core::result::{CountedIo, PhaseResult, RunResult, TargetDevice};

thresholds! {
    /// Times the bytes that may be in flight that a comparison needs, so that these weigh 5 %
    LEAST_QUEUES: u64 = 20, Count, Decided;
}

/// Requests and bytes in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flow {
    pub(crate) ios: u64,
    pub(crate) bytes: u64,
    pub(crate) merged: u64,
}

/// One direction of a phase, on both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Direction {
    pub(crate) tool: Flow,
    pub(crate) device: Flow,
}

impl Direction {
    /// Bytes of the device for each of ours.
    pub(crate) fn byte_ratio(&self) -> f64 {
        self.device.bytes as f64 / self.tool.bytes.max(1) as f64
    }

    /// Requests of the device, those merged included, for each of ours.
    pub(crate) fn request_ratio(&self) -> f64 {
        (self.device.ios + self.device.merged) as f64 / self.tool.ios.max(1) as f64
    }
}

/// The account of one phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Traffic {
    pub(crate) read: Direction,
    pub(crate) write: Direction,
    /// Names of the devices that count.
    pub(crate) leaves: Vec<String>,
    /// What may be in flight when the two sides are read: one full queue.
    pub(crate) slack_bytes: u64,
    /// What the kernel charged to the process, or else to its control group.
    pub(crate) own: Option<CountedIo>,
    /// Whether all jobs bypass the page cache.
    pub(crate) direct: bool,
    /// Whether all jobs that read mean what the page cache holds.
    pub(crate) warm: bool,
    /// Whether any job makes the file system write its journal: flushes, durable writes.
    pub(crate) synced: bool,
    /// Flushes that the devices counted. The kernel counts some of them among the writes too.
    flushes: u64,
}

impl Traffic {
    /// The account of `phase`; `None` when no device below the targets is known.
    pub(crate) fn of(result: &RunResult, phase: &PhaseResult) -> Option<Self> {
        let known: Vec<&TargetDevice> = devices(result).collect();
        let leaf = |name: &str| {
            known
                .iter()
                .any(|device| device.leaf && device.name == name)
        };
        let mut traffic = Self {
            read: Direction::default(),
            write: Direction::default(),
            leaves: Vec::new(),
            slack_bytes: 0,
            own: phase
                .ledger
                .as_ref()
                .and_then(|one| one.process.or(one.cgroup)),
            direct: true,
            warm: false,
            synced: false,
            flushes: 0,
        };
        for device in phase.devices.iter().filter(|device| leaf(&device.device)) {
            traffic.flushes += device.flushes;
            traffic.leaves.push(device.device.clone());
            let (read, write) = (&mut traffic.read.device, &mut traffic.write.device);
            read.add(device.reads, device.read_bytes, device.reads_merged);
            write.add(device.writes, device.write_bytes, device.writes_merged);
        }
        let jobs = || result.job_specs(phase);
        let mut readers = jobs().filter(|(job, _)| job.ops[Op::Read].is_some());
        traffic.warm = readers.all(|(_, spec)| {
            // Of files, what the memory holds is always meant: they are read as programs do it.
            spec.is_some_and(|spec| spec.files.is_some() || spec.warm && !spec.durability.direct)
        });
        for (job, spec) in jobs() {
            for (op, one) in job.ops.present() {
                match op {
                    Op::Read => traffic.read.tool.add(one.ios, one.bytes, 0),
                    Op::Write => traffic.write.tool.add(one.ios, one.bytes, 0),
                    Op::Trim | Op::Create | Op::Stat | Op::Rename | Op::Unlink => {}
                    Op::Flush => traffic.synced = true,
                }
            }
            let Some(spec) = spec else {
                continue;
            };
            traffic.slack_bytes += job.queue_depth_possible * spec.largest_io().0;
            traffic.direct &= spec.durability.direct;
            traffic.synced |= spec.durability.write_through || spec.durability.sync.is_some();
        }
        if traffic.direct && all_block_devices(result) {
            // A request that io_uring tries without waiting and then gives to a worker is charged
            // twice. Nothing but what was asked for is read or written here.
            traffic.own = traffic.own.map(|own| CountedIo {
                read_bytes: own.read_bytes.min(traffic.read.tool.bytes),
                write_bytes: own.write_bytes.min(traffic.write.tool.bytes),
                ..own
            });
        }
        (!traffic.leaves.is_empty()).then_some(traffic)
    }

    /// Whether a direction moved enough to be compared.
    pub(crate) const fn is_comparable(&self, direction: &Direction) -> bool {
        direction.tool.bytes > 0 && direction.tool.bytes >= self.slack_bytes * LEAST_QUEUES
    }

    /// The writes without those of the devices that may be flushes, which have no bytes.
    pub(crate) const fn writes_with_bytes(&self) -> Direction {
        let mut direction = self.write;
        direction.device.ios = direction.device.ios.saturating_sub(self.flushes);
        direction
    }

    /// Whether a device counts a request of ours once: with several, mirrors and stripes count
    /// it more often.
    pub(crate) const fn counts_once(&self) -> bool {
        self.leaves.len() == 1
    }

    /// Whether the devices count at all. Direct requests to a block device cannot be answered by
    /// a cache of this machine, so a device without a single one has its statistics off.
    pub(crate) fn is_silent(&self, result: &RunResult) -> bool {
        let nothing = self.read.device == Flow::default() && self.write.device == Flow::default();
        nothing && self.direct && all_block_devices(result)
    }

    /// The devices as a sentence names them.
    pub(crate) fn devices(&self) -> String {
        self.leaves.join(", ")
    }
}

impl Flow {
    fn add(&mut self, ios: u64, bytes: u64, merged: u64) {
        self.ios += ios;
        self.bytes += bytes;
        self.merged += merged;
    }
}

fn all_block_devices(result: &RunResult) -> bool {
    let mut targets = result.provenance.targets.iter();
    targets.all(|target| target.kind == "block device")
}

/// The devices below all targets.
pub(crate) fn devices(result: &RunResult) -> impl Iterator<Item = &TargetDevice> {
    let targets = result.provenance.targets.iter();
    targets.flat_map(|target| &target.devices)
}

/// Whether the kernel of the run counts flushes of devices, as it does since 5.5; an unknown
/// kernel is taken for one that does.
pub(crate) fn counts_flushes(result: &RunResult) -> bool {
    let mut numbers = result.provenance.host.kernel.split(['.', '-']);
    let mut next = || numbers.next().and_then(|number| number.parse::<u32>().ok());
    match (next(), next()) {
        (Some(major), Some(minor)) => (major, minor) >= (5, 5),
        _ => true,
    }
}
