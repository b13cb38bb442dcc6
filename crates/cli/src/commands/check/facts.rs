//! Gathers what the system tells of a path, without writing anything.

use super::unreadable;
use crate::error::Problem;
use fathom_core::Nanos;
use fathom_device::nodes::NodeKind;
use fathom_device::recognise::{self, CloudDisk};
use fathom_device::{
    BlockDevice, BlockKind, Cgroup, DeviceLink, ExtentMap, FreeSpace, HostInfo, IoLimit, Layout,
    Limits, MachineTicks, NetworkLink, Permissions, Premises, Sampler, Scanned, System, Topology,
    Tree, allocated_bytes, check_write, direct_align_bytes, nvme_health, premises_of,
};
use fathom_engine::Clock;
use fathom_verdict::{Facts, FileFacts, LOOK, Space};
use serde::Serialize;
use std::path::Path;

/// All that is known.
pub(super) struct Gathered {
    pub(super) facts: Facts,
    pub(super) topology: Topology,
    pub(super) host: HostInfo,
    pub(super) attached: Attached,
    pub(super) room: Option<FreeSpace>,
    /// None if nobody looked.
    pub(super) idle: Option<Vec<Idle>>,
}

/// How the devices hang together, each by its name.
pub(super) struct Attached {
    pub(super) links: Vec<(String, DeviceLink)>,
    pub(super) built: Vec<Built>,
    pub(super) clouds: Vec<(String, CloudDisk)>,
    /// Bytes, of the uppermost devices.
    pub(super) read_ahead: Vec<(String, u64)>,
}

impl Attached {
    fn of(system: &System, topology: &Topology, devices: &[&BlockDevice]) -> Self {
        let named = |device: &BlockDevice| device.label.clone().unwrap_or(device.name.clone());
        let links = topology.leaves().into_iter().filter_map(|leaf| {
            let link = DeviceLink::of(&system.sysfs, &leaf.name).ok()??;
            Some((leaf.name.clone(), link))
        });
        let clouds = devices.iter().filter_map(|one| {
            let disk = recognise::disk(&system.sysfs, one).ok()??;
            Some((named(one), disk))
        });
        let read_ahead = topology.devices.iter().filter_map(|tree| {
            let limits = Limits::read(&system.sysfs, &tree.device.name).ok()?;
            Some((named(&tree.device), limits.read_ahead_kib? << 10))
        });
        let built = devices.iter().filter_map(|device| built(system, device));
        Self {
            links: links.collect(),
            built: built.collect(),
            clouds: clouds.collect(),
            read_ahead: read_ahead.collect(),
        }
    }
}

/// How a device lies on others, stretch by stretch, or why nobody knows.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Built {
    pub(super) device: String,
    pub(super) layout: Vec<Layout>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unknown: Option<String>,
}

/// What a disk did while nobody measured.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Idle {
    pub(super) device: String,
    pub(super) ios_per_second: f64,
    pub(super) bytes_per_second: f64,
}

/// Why no file can be created in a directory, as for the scratch file of `fathom quick`.
fn refused_in(directory: &Path, system: &System) -> Result<Option<String>, Problem> {
    let scratch = directory.join("fathom-check.dat");
    if system.nodes.has_entry(&scratch) {
        return Ok(None);
    }
    refused(&scratch, system)
}

/// Why a file cannot be written.
fn refused(file: &Path, system: &System) -> Result<Option<String>, Problem> {
    let permissions = Permissions {
        allow: crate::commands::allow_list()?,
        ..Permissions::default()
    };
    let refused = check_write(file, &permissions, system);
    Ok(refused.err().map(|error| error.cause()))
}

pub(super) fn gather(path: &Path, no_wait: bool) -> Result<Gathered, Problem> {
    let cannot = |error: fathom_device::DeviceError| unreadable(path, error.to_string());
    let system = System::live().map_err(cannot)?;
    if system.nodes.stat(path).is_err() {
        let problem = unreadable(path, "there is no such file, directory or device");
        return Err(problem.remedy("use an existing path; `fathom devices` lists the devices"));
    }
    let topology = Topology::of_path(&system, path).map_err(cannot)?;
    let node = system.nodes.stat(&topology.path);
    let kind = node
        .map_err(|error| unreadable(path, error.to_string()))?
        .kind;
    if !matches!(kind, NodeKind::File | NodeKind::Directory | NodeKind::Block) {
        let problem = unreadable(path, format!("it is a {kind}, which is not storage"));
        return Err(problem.remedy("use a file, a directory or a block device"));
    }
    let devices: Vec<&BlockDevice> = all(&topology);
    let mut facts = Facts {
        file_system: topology.mount.as_ref().map(|mount| mount.fs_type.clone()),
        upper_file_system: topology
            .upper
            .as_ref()
            .map_or_else(String::new, |mount| mount.fs_type.clone()),
        mount_point: mount_point(&topology),
        is_device: kind == NodeKind::Block,
        below: below(&devices),
        leaves: leaf_names(&topology),
        limits: limits(&devices),
        ..Facts::default()
    };
    stack(&system, &devices, &mut facts);
    if kind == NodeKind::Block {
        let device = topology.devices.first().map(|tree| &tree.device);
        facts.read_only = device.is_some_and(|device| device.read_only);
        facts.is_mounted = device.is_some_and(|device| !device.mount_points.is_empty());
    } else {
        let options = topology.mount.as_ref().map(|mount| &mount.options);
        facts.read_only = options.is_some_and(|all| all.split(',').any(|one| one == "ro"));
    }
    if kind == NodeKind::Directory {
        facts.refused = refused_in(&topology.path, &system)?;
    }
    if kind == NodeKind::File {
        facts.refused = refused(&topology.path, &system)?;
        file(&topology.path, &mut facts)?;
    }
    surround(premises_of(&topology.path), &mut facts);
    let room = FreeSpace::of_path(&topology.path).ok();
    let room = room.filter(|_| kind == NodeKind::Directory);
    facts.available_bytes = room.map(|room| room.available_bytes);
    let idle = if no_wait {
        None
    } else {
        Some(look(&topology, &mut facts).map_err(cannot)?)
    };
    facts.links = links();
    let attached = Attached::of(&system, &topology, &devices);
    for (name, link) in attached.links.iter().filter(|(_, link)| link.is_degraded()) {
        let capable = link.capable.clone().unwrap_or_default();
        facts
            .slow_links
            .push((name.clone(), link.current.clone(), capable));
    }
    Ok(Gathered {
        facts,
        topology,
        host: HostInfo::live(),
        attached,
        room,
        idle,
    })
}

/// Name and kind of each device, and of a loop device what keeps its file.
fn below(devices: &[&BlockDevice]) -> Vec<(String, String, String)> {
    let described = devices.iter().map(|one| {
        let keeps = one.backing_fs.clone().unwrap_or_default();
        (one.name.clone(), one.kind.to_string(), keeps)
    });
    described.collect()
}

/// Every device of the stack.
pub(super) fn all(topology: &Topology) -> Vec<&BlockDevice> {
    let rows = topology.devices.iter().flat_map(Tree::rows);
    rows.map(|row| row.device).collect()
}

fn leaf_names(topology: &Topology) -> Vec<String> {
    let leaves = topology.leaves().into_iter();
    leaves.map(|leaf| leaf.name.clone()).collect()
}

fn mount_point(topology: &Topology) -> String {
    let mount = topology.mount.as_ref();
    mount.map_or_else(String::new, |mount| mount.mount_point.display().to_string())
}

/// Limits of our control group on these devices.
fn limits(devices: &[&BlockDevice]) -> Vec<String> {
    let all = Cgroup::own().map(|group| group.io_limits());
    let line = |limit: IoLimit| {
        let device = devices.iter().find(|device| device.dev == limit.dev)?;
        Some(format!("{} {} {}", limit.file, device.name, limit.value))
    };
    all.unwrap_or_default()
        .into_iter()
        .filter_map(line)
        .collect()
}

/// How an array or a device of the device mapper lies on others.
fn built(system: &System, device: &BlockDevice) -> Option<Built> {
    use BlockKind::{Crypt, DeviceMapper, Lvm, Md, Multipath};
    let found = match device.kind {
        Md => Ok(vec![Layout::of_md(&system.sysfs, &device.name)?]),
        Lvm | DeviceMapper | Crypt | Multipath => Layout::of_dm(device.dev),
        _ => return None,
    };
    let unknown = found.as_ref().err();
    Some(Built {
        device: device.label.clone().unwrap_or(device.name.clone()),
        unknown: unknown.map(crate::error::system_words),
        layout: found.unwrap_or_default(),
    })
}

fn stack(system: &System, devices: &[&BlockDevice], facts: &mut Facts) {
    for device in devices {
        if let (Some(start), Some(physical)) = (device.start_bytes, device.physical_block_bytes)
            && physical > 0
            && !start.is_multiple_of(u64::from(physical))
        {
            facts
                .misaligned
                .push((device.name.clone(), start, physical));
        }
        if device.kind == BlockKind::Nvme
            && let Ok(health) = nvme_health::read(&device.path)
        {
            facts.health.push((device.name.clone(), health));
        }
        let Ok(dir) = system.sysfs.block_dir(&device.name) else {
            continue;
        };
        let read = |name: &str| {
            let text = fathom_device::input::read_text(dir.join("md").join(name)).ok()?;
            Some(text.trim().to_owned())
        };
        let action = read("sync_action").filter(|action| action != "idle");
        let degraded = read("degraded").filter(|number| number != "0");
        let degraded = degraded.map(|number| format!("{number} of its disks missing"));
        for state in action.into_iter().chain(degraded) {
            facts.busy_arrays.push((device.name.clone(), state));
        }
    }
}

/// Network links, and what they carry in bytes a second.
fn links() -> Vec<(String, f64)> {
    let links = NetworkLink::live().into_iter();
    let in_bytes = |link: NetworkLink| (link.name, link.bits_per_second as f64 / 8.0);
    links.map(in_bytes).collect()
}

/// What the tools of Windows say of the path.
fn surround(premises: Premises, facts: &mut Facts) {
    facts.file_openers = premises.openers;
    facts.openers_unknown = premises.openers_unknown;
    facts.silent_tools = premises.silent;
    let space = |space: fathom_device::StorageSpace| Space {
        name: space.name,
        resiliency: space.resiliency,
        columns: space.columns,
        interleave_bytes: space.interleave_bytes,
        copies: space.copies,
    };
    facts.spaces = premises.spaces.into_iter().map(space).collect();
    facts.integrity_streams = premises.integrity;
    facts.scanned = premises.scanned.map(|how| how == Scanned::Surely);
    facts.encryption = premises.encryption;
    facts.owner = premises.owner;
    facts.redirected = premises.redirected;
    facts.power_plan = premises.power_plan;
    facts.busy_arrays.extend(premises.arrays);
}

fn file(path: &Path, facts: &mut Facts) -> Result<(), Problem> {
    let file =
        fathom_device::input::open(path).map_err(|error| unreadable(path, error.to_string()))?;
    let metadata = file
        .metadata()
        .map_err(|error| unreadable(path, error.to_string()))?;
    // A file system that does not tell has no extents to doubt.
    let extents = ExtentMap::of(&file, 0, metadata.len()).unwrap_or_default();
    facts.direct_align_bytes = direct_align_bytes(&file).ok().flatten();
    facts.file = Some(FileFacts {
        size_bytes: metadata.len(),
        allocated_bytes: allocated_bytes(&file)
            .map_err(|error| unreadable(path, error.to_string()))?,
        unwritten_bytes: extents.unwritten_bytes,
        encoded_bytes: extents.encoded_bytes,
        shared_bytes: extents.shared_bytes,
    });
    Ok(())
}

/// Looks at the disks while nobody measures.
fn look(topology: &Topology, facts: &mut Facts) -> Result<Vec<Idle>, fathom_device::DeviceError> {
    let sampler = Sampler::new(topology.leaves().into_iter().map(|leaf| leaf.dev).collect());
    let mut clock = Clock::monotonic();
    let ticks = MachineTicks::read()?;
    let before = sampler.sample(clock.now().0)?;
    clock.wait_until(Nanos(before.at_ns) + LOOK, Nanos(0));
    let after = sampler.sample(clock.now().0)?;
    let passed = MachineTicks::read()?.since(&ticks);
    if passed.total > 0 {
        facts.steal_percent = Some(passed.steal as f64 * 100.0 / passed.total as f64);
    }
    let mut idle = Vec::new();
    for one in after.since(&before)? {
        let seconds = one.span_ns as f64 / 1e9;
        let counters = &one.counters;
        let requests = (counters.reads + counters.writes) as f64 / seconds;
        let bytes = (counters.read_bytes + counters.written_bytes) as f64 / seconds;
        facts.idle.push((one.name.clone(), requests, bytes));
        idle.push(Idle {
            device: one.name,
            ios_per_second: requests,
            bytes_per_second: bytes,
        });
    }
    Ok(idle)
}
