//! The disks of the machine, as somebody has to know them who is about to give one up.

use crate::table::Table;
use fathom_core::figure;
use fathom_device::guard;
use fathom_device::{BlockDevice, BlockKind, System};

/// A whole disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Disk {
    pub(super) name: String,
    /// None where it tells none: then it can be named by nobody.
    pub(super) serial: Option<String>,
    pub(super) size_bytes: u64,
    pub(super) model: String,
    /// What it and its partitions carry, as `--destroy` names it; empty for nothing known.
    pub(super) carries: Result<String, String>,
}

/// All disks that could be measured.
pub(super) fn all(system: &System) -> Vec<Disk> {
    let names = system.sysfs.block_names().unwrap_or_default();
    let devices = names.iter().map(|name| BlockDevice::read(system, name));
    // One may be taken out while the others are read.
    let devices = devices.filter_map(Result::ok);
    devices
        .filter(is_disk)
        .map(|device| of(&device, system))
        .collect()
}

fn is_disk(device: &BlockDevice) -> bool {
    let is_whole = device.disk.is_none() && device.size_bytes > 0;
    let no_disks = [
        BlockKind::Loop,
        BlockKind::Zram,
        BlockKind::Ram,
        BlockKind::Optical,
    ];
    // A floppy drive says that it holds something, whatever is in it.
    is_whole && !no_disks.contains(&device.kind) && !device.name.starts_with("fd")
}

fn of(device: &BlockDevice, system: &System) -> Disk {
    let words = [&device.vendor, &device.model].into_iter().flatten();
    Disk {
        name: device.name.clone(),
        serial: device.serial.clone(),
        size_bytes: device.size_bytes,
        model: words.map(String::as_str).collect::<Vec<_>>().join(" "),
        carries: guard::carries(device, system).map_err(|error| error.cause()),
    }
}

/// The disks as a table.
pub(super) fn table(disks: &[Disk]) -> String {
    if disks.is_empty() {
        return "no disk was found, or no driver of this image supports it\n".to_owned();
    }
    let mut table = Table::new(&["SERIAL", "DISK", ">SIZE", "MODEL", "CARRIES"]);
    for disk in disks {
        let carries = match &disk.carries {
            Ok(names) if names.is_empty() => "nothing known".to_owned(),
            Ok(names) => names.clone(),
            Err(cause) => cause.clone(),
        };
        table.row([
            disk.serial.clone().unwrap_or_else(|| "(none)".to_owned()),
            disk.name.clone(),
            figure::volume(disk.size_bytes),
            disk.model.clone(),
            carries,
        ]);
    }
    table.to_string()
}

#[cfg(test)]
pub(super) fn examples() -> Vec<Disk> {
    let disk = |name: &str, serial: Option<&str>, carries: &str| Disk {
        name: name.to_owned(),
        serial: serial.map(str::to_owned),
        size_bytes: 64 << 20,
        model: "QEMU HARDDISK".to_owned(),
        carries: Ok(carries.to_owned()),
    };
    vec![
        disk("sda", Some("S1"), ""),
        disk("sdb", Some("S2"), "gpt+ext4"),
        disk("sdc", None, ""),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_is_shown_with_what_it_is_named_by_and_what_it_carries() {
        let expected = "\
SERIAL  DISK     SIZE  MODEL          CARRIES
S1      sda   67.1 MB  QEMU HARDDISK  nothing known
S2      sdb   67.1 MB  QEMU HARDDISK  gpt+ext4
(none)  sdc   67.1 MB  QEMU HARDDISK  nothing known
";
        assert_eq!(table(&examples()), expected);
    }
}
