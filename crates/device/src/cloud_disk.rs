//! Disks that a cloud gives, by what they call themselves.

use serde::{Deserialize, Serialize};

use crate::block::BlockDevice;

/// A disk of a cloud.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CloudDisk {
    /// What it is, as in `Amazon EBS volume`.
    pub kind: String,
    /// Whether it is behind a network, and so has limits of volume and machine.
    pub is_remote: bool,
    /// Its name in the cloud, as in `vol-0123456789abcdef0`, where it says it.
    pub id: Option<String>,
}

/// What a disk says of itself (begin of vendor, begin of model), what it then is, whether it is
/// remote, and whether its serial number is its name.
const KNOWN: [(&str, &str, &str, bool, bool); 11] = [
    (
        "",
        "Amazon Elastic Block Store",
        "Amazon EBS volume",
        true,
        true,
    ),
    (
        "",
        "Amazon EC2 NVMe Instance Storage",
        "Amazon EC2 instance store",
        false,
        true,
    ),
    (
        "",
        "MSFT NVMe Accelerator",
        "Azure managed disk",
        true,
        false,
    ),
    (
        "",
        "Microsoft NVMe Direct Disk",
        "Azure local NVMe disk",
        false,
        false,
    ),
    ("Msft", "Virtual Disk", "Hyper-V or Azure disk", true, false),
    ("", "nvme_card-pd", "Google Persistent Disk", true, false),
    ("", "nvme_card", "Google local SSD", false, false),
    (
        "Google",
        "PersistentDisk",
        "Google Persistent Disk",
        true,
        false,
    ),
    ("Google", "EphemeralDisk", "Google local SSD", false, false),
    ("DO", "Volume", "DigitalOcean volume", true, true),
    ("HC", "Volume", "Hetzner volume", true, true),
];

impl CloudDisk {
    /// What a device says that it is; none if it says nothing of the kind.
    pub fn of(device: &BlockDevice) -> Option<Self> {
        let model = device.model.as_deref()?.trim();
        let vendor = device.vendor.as_deref().unwrap_or_default().trim();
        let is = |known: &&(&str, &str, &str, bool, bool)| {
            model.starts_with(known.1) && (known.0.is_empty() || vendor == known.0)
        };
        let (_, _, kind, is_remote, is_named) = KNOWN.iter().find(is)?;
        let serial = device.serial.as_deref().map(str::trim);
        let serial = serial.filter(|serial| *is_named && !serial.is_empty());
        Some(Self {
            kind: (*kind).to_owned(),
            is_remote: *is_remote,
            id: serial.map(volume_name),
        })
    }
}

/// EBS leaves out the hyphen: `vol0123` is `vol-0123`.
fn volume_name(serial: &str) -> String {
    match serial.strip_prefix("vol") {
        Some(digits) if digits.starts_with(|c: char| c.is_ascii_hexdigit()) => {
            format!("vol-{digits}")
        }
        _ => serial.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devnum::DevNum;
    use crate::fixture::Machine;

    /// What is found of a disk in a made-up tree.
    fn found(name: &str, attributes: &[(&str, &str)]) -> Option<(String, bool, Option<String>)> {
        let mut machine = Machine::new();
        machine.disk(name, DevNum::new(259, 0), 100);
        for (attribute, text) in attributes {
            machine.attribute(name, attribute, text);
        }
        let device = BlockDevice::read(&machine.system(), name).expect("it is there");
        let disk = CloudDisk::of(&device)?;
        Some((disk.kind, disk.is_remote, disk.id))
    }

    #[test]
    fn disks_of_clouds_are_known_by_what_they_call_themselves() {
        let disk = |kind: &str, is_remote, id: Option<&str>| {
            Some((kind.to_owned(), is_remote, id.map(str::to_owned)))
        };
        let cases = [
            (
                "nvme1n1",
                vec![
                    ("device/model", "Amazon Elastic Block Store              \n"),
                    ("device/serial", "vol0123456789abcdef0\n"),
                ],
                disk("Amazon EBS volume", true, Some("vol-0123456789abcdef0")),
            ),
            (
                "nvme2n1",
                vec![
                    ("device/model", "Amazon EC2 NVMe Instance Storage        \n"),
                    ("device/serial", "AWS22A4E8CF6ABC8D4A1\n"),
                ],
                disk(
                    "Amazon EC2 instance store",
                    false,
                    Some("AWS22A4E8CF6ABC8D4A1"),
                ),
            ),
            (
                "nvme0n1",
                vec![
                    ("device/model", "MSFT NVMe Accelerator v1.0\n"),
                    ("device/serial", "SN: 000001\n"),
                ],
                disk("Azure managed disk", true, None),
            ),
            (
                "sda",
                vec![
                    ("device/vendor", "Google  \n"),
                    ("device/model", "PersistentDisk  \n"),
                ],
                disk("Google Persistent Disk", true, None),
            ),
            (
                "nvme0n1",
                vec![("device/model", "nvme_card\n")],
                disk("Google local SSD", false, None),
            ),
            (
                "nvme0n1",
                vec![("device/model", "nvme_card-pd\n")],
                disk("Google Persistent Disk", true, None),
            ),
            // A name that another maker may have given.
            (
                "sdb",
                vec![("device/vendor", "Other\n"), ("device/model", "Volume\n")],
                None,
            ),
            ("sdc", vec![], None),
        ];
        for (name, attributes, expected) in cases {
            assert_eq!(found(name, &attributes), expected, "{attributes:?}");
        }
    }
}
