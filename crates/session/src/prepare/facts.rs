//! What a target is and what lies below it, in the words of the result.

use super::PreparedTarget;
use fathom_core::Nanos;
use fathom_core::result::{TargetDevice, TargetInfo};
use fathom_device::{BlockDevice, Mount, Sysfs, Topology, Tree, nvme_transport};
use fathom_engine::TargetKind;
use fathom_engine::sim::VolumeModel;
use fathom_load::simulated::DEVICE;

/// The target as the result shows it.
pub(super) fn target_info(target: &PreparedTarget, direct: bool) -> TargetInfo {
    let mount = target
        .topology
        .as_ref()
        .and_then(|topology| topology.mount.as_ref());
    TargetInfo {
        path: target.path.display().to_string(),
        kind: kind_word(target.kind).to_owned(),
        size_bytes: target.size_bytes,
        made_by_fathom: target.made_by_fathom,
        allow_list: String::new(),
        direct,
        file_system: mount.map_or_else(String::new, |mount| mount.fs_type.clone()),
        mount_point: mount.map_or_else(String::new, |m| m.mount_point.display().to_string()),
        mount_options: mount.map_or_else(String::new, |mount| {
            format!("{},{}", mount.options, mount.super_options)
        }),
        mount_source: mount.map_or_else(String::new, source),
        upper_file_system: target
            .topology
            .as_ref()
            .and_then(|topology| topology.upper.as_ref())
            .map_or_else(String::new, |upper| upper.fs_type.clone()),
        devices: target.topology.as_ref().map_or_else(Vec::new, devices),
        layout: None,
    }
}

/// What is mounted, where that is no device of this machine.
fn source(mount: &Mount) -> String {
    let source = mount.source.display().to_string();
    if source.starts_with("/dev/") {
        return String::new();
    }
    source
}

/// Whether a model has a device that counts what it does.
pub(super) fn counts(model: &dyn VolumeModel) -> bool {
    model.boxed().counters(Nanos::ZERO).is_some()
}

/// The device of a simulated target whose model counts.
pub(super) fn simulated(size_bytes: u64) -> TargetDevice {
    TargetDevice {
        name: DEVICE.to_owned(),
        kind: "simulated".to_owned(),
        size_bytes,
        write_cache: "write back".to_owned(),
        leaf: true,
        ..TargetDevice::default()
    }
}

const fn kind_word(kind: Option<TargetKind>) -> &'static str {
    match kind {
        Some(TargetKind::File) => "file",
        Some(TargetKind::Directory) => "directory",
        Some(TargetKind::BlockDevice) => "block device",
        Some(TargetKind::NvmeNamespace) => "NVMe namespace",
        Some(TargetKind::CharDevice) => "character device",
        None => "none",
    }
}

/// Every device once, the disks at the bottom last. A loop device is looked at in the stead of the
/// disk below its backing file.
fn devices(topology: &Topology) -> Vec<TargetDevice> {
    let leaves = topology.leaves();
    let watched = topology.witnesses();
    let mut list: Vec<&BlockDevice> = Vec::new();
    for row in topology.devices.iter().flat_map(Tree::rows) {
        let is_new = list.iter().all(|known| known.dev != row.device.dev);
        if is_new && leaves.iter().all(|leaf| leaf.dev != row.device.dev) {
            list.push(row.device);
        }
    }
    let is_watched = |device: &BlockDevice| watched.iter().any(|one| one.dev == device.dev);
    list.into_iter()
        .chain(leaves)
        .map(|device| described(device, is_watched(device)))
        .collect()
}

fn described(device: &BlockDevice, leaf: bool) -> TargetDevice {
    let words = [&device.vendor, &device.model];
    let model: Vec<&str> = words
        .into_iter()
        .flatten()
        .map(|word| word.trim())
        .collect();
    TargetDevice {
        name: device.name.clone(),
        kind: device.kind.to_string(),
        model: model.join(" "),
        size_bytes: device.size_bytes,
        scheduler: device.scheduler.clone().unwrap_or_default(),
        queue_requests: device.nr_requests.unwrap_or(0).into(),
        rotational: device.rotational.unwrap_or(false),
        write_cache: device.write_cache.clone().unwrap_or_default(),
        logical_block_bytes: device.logical_block_bytes.unwrap_or(0).into(),
        leaf,
        backing_file_system: device.backing_fs.clone().unwrap_or_default(),
        backing_direct: device.backing_direct,
        transport: nvme_transport(&Sysfs::default(), &device.name).unwrap_or_default(),
        limits: None,
    }
}
