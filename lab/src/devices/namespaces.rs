//! The NVMe controller of the guest and its namespaces, which are in this order because the
//! identifier of each is its place.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

/// One of them.
struct Namespace {
    name: &'static str,
    size_bytes: u64,
    /// What the device says of itself.
    device: &'static str,
    /// Sector of 512 bytes that cannot be read.
    bad_sector: Option<u64>,
}

const NAMESPACES: [Namespace; 3] = [
    Namespace {
        name: "plain",
        size_bytes: 64 << 20,
        device: "logical_block_size=4096,physical_block_size=4096",
        bad_sector: None,
    },
    Namespace {
        name: "faulty",
        size_bytes: 8 << 20,
        device: "logical_block_size=512,physical_block_size=512",
        bad_sector: Some(BAD_SECTOR),
    },
    Namespace {
        name: "zoned",
        size_bytes: 64 << 20,
        device: "logical_block_size=4096,physical_block_size=4096,zoned=true,\
                 zoned.zone_size=4M,zoned.max_open=4,zoned.max_active=6",
        bad_sector: None,
    },
];

/// Lies in the block of 4 KiB that begins at byte 2 MiB.
const BAD_SECTOR: u64 = 4098;

/// Makes their disks, and returns the arguments of QEMU.
pub(super) fn arguments(place: &Path) -> Result<Vec<String>> {
    let mut words = vec!["-device".to_owned(), "nvme,id=nvme,serial=lab".to_owned()];
    for (id, namespace) in (1..).zip(&NAMESPACES) {
        let Namespace { name, device, .. } = namespace;
        let disk = place.join(name);
        let file = fs::File::create(&disk).and_then(|file| file.set_len(namespace.size_bytes));
        file.with_context(|| disk.display().to_string())?;
        let plain = format!(
            "\"driver\":\"file\",\"filename\":\"{}\",\"discard\":\"unmap\"",
            disk.display()
        );
        let below = namespace.bad_sector.map_or_else(
            || plain.clone(),
            |sector| {
                format!(
                    "\"driver\":\"blkdebug\",\"image\":{{{plain}}},\"inject-error\":[{{\
                     \"event\":\"none\",\"iotype\":\"read\",\"errno\":5,\"sector\":{sector},\
                     \"once\":false,\"immediately\":false}}]"
                )
            },
        );
        let above = format!(
            "{{\"driver\":\"raw\",\"node-name\":\"{name}\",\"discard\":\"unmap\",\
             \"file\":{{{below}}}}}"
        );
        words.extend(["-blockdev".to_owned(), above]);
        let device = format!("nvme-ns,bus=nvme,drive={name},nsid={id},{device}");
        words.extend(["-device".to_owned(), device]);
    }
    Ok(words)
}
