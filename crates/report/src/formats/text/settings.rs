//! How file systems and queues were set: what another machine would have to have alike.

use crate::figure::{size, time};
use crate::page::Page;
use fathom_core::result::{Provenance, TargetDevice, TargetInfo};

pub(super) fn write(page: &mut Page, provenance: &Provenance) {
    let mounts = each(provenance.targets.iter().filter_map(mount));
    let devices = provenance.targets.iter().flat_map(|one| &one.devices);
    let queues = each(devices.filter_map(queue));
    for (label, texts) in [("mounted", mounts), ("queues", queues)] {
        for (index, text) in texts.iter().enumerate() {
            page.entry(if index == 0 { label } else { "" }, text);
        }
    }
}

/// Each text once, in order.
fn each(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for text in texts {
        if !all.contains(&text) {
            all.push(text);
        }
    }
    all
}

fn mount(target: &TargetInfo) -> Option<String> {
    let (place, options) = (&target.mount_point, &target.mount_options);
    (!options.is_empty()).then(|| format!("{} on {place}: {options}", target.file_system))
}

/// What is set of a device's queue beyond its scheduler and length.
fn queue(device: &TargetDevice) -> Option<String> {
    let limits = device.limits.as_ref()?;
    let merges = limits.no_merges.map(|level| match level {
        0 => "requests are merged".to_owned(),
        1 => "only simple merges".to_owned(),
        _ => "no merges".to_owned(),
    });
    let throttle = limits.write_back_throttle_us.map(|us| match us {
        0 => "write-back not throttled".to_owned(),
        _ => format!("write-back throttled at {}", time(us as f64 * 1e3)),
    });
    let parts = [
        limits
            .read_ahead_bytes
            .map(|bytes| format!("read-ahead {}", size(bytes))),
        limits
            .max_request_bytes
            .map(|bytes| format!("requests up to {}", size(bytes))),
        merges,
        throttle,
        limits.polls.map(|polls| {
            if polls {
                "completion polling possible".to_owned()
            } else {
                "no polling".to_owned()
            }
        }),
        limits.node.map(|node| format!("on node {node}")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("{}: {}", device.name, parts.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::result::DeviceLimits;

    #[test]
    fn a_queue_shows_what_the_kernel_tells() {
        let mut device = TargetDevice {
            name: "nvme0n1".to_owned(),
            ..TargetDevice::default()
        };
        assert_eq!(queue(&device), None);
        device.limits = Some(Box::default());
        assert_eq!(queue(&device), None);
        device.limits = Some(Box::new(DeviceLimits {
            read_ahead_bytes: Some(128 << 10),
            max_request_bytes: Some(1 << 20),
            no_merges: Some(2),
            write_back_throttle_us: Some(2_000),
            polls: Some(false),
            node: Some(1),
            ..DeviceLimits::default()
        }));
        let expected = "nvme0n1: read-ahead 128 KiB, requests up to 1 MiB, no merges, write-back \
                        throttled at 2.00 ms, no polling, on node 1";
        assert_eq!(queue(&device).as_deref(), Some(expected));
    }
}
