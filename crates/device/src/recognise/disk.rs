//! What a disk of a cloud is, by the model and the serial number that it reports.

use crate::block::BlockDevice;
use crate::error::DeviceError;
use crate::sysfs::{Sysfs, value};
use std::collections::BTreeSet;
use std::path::Path;

/// The controllers of Hyper-V: of the system and resource disks, and of data disks.
const AZURE_SYSTEM: &str = "f8b3781a-1e82-4818-a1c3-63d806ec15bb";
const AZURE_DATA: [&str; 3] = ["f8b3781b-", "f8b3781c-", "f8b3781d-"];

/// What a disk of a cloud is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloudDiskKind {
    /// A volume of EBS.
    Ebs,
    /// A disk in the host of an EC2 instance: its content is lost when that stops.
    Ec2InstanceStore,
    /// A managed disk of Azure.
    AzureManaged,
    /// The system disk of an Azure machine.
    AzureSystem,
    /// The temporary disk of an Azure machine, or a disk in its host.
    AzureLocal,
    /// A Persistent Disk or Hyperdisk of Google Cloud.
    GooglePersistent,
    /// A local SSD of Google Cloud.
    GoogleLocal,
}

/// A disk of a cloud.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CloudDisk {
    pub kind: CloudDiskKind,
    /// Name by which the cloud knows it, as in `vol-0123456789abcdef0`.
    pub id: Option<String>,
    /// Its number among the data disks of an Azure machine.
    pub lun: Option<u32>,
}

impl CloudDiskKind {
    /// In words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ebs => "EBS volume",
            Self::Ec2InstanceStore => "EC2 instance store",
            Self::AzureManaged => "Azure managed disk",
            Self::AzureSystem => "Azure system disk",
            Self::AzureLocal => "Azure local disk",
            Self::GooglePersistent => "Google persistent disk",
            Self::GoogleLocal => "Google local SSD",
        }
    }

    /// Whether the machine reaches it over the network, so that limits of the instance apply.
    pub const fn is_remote(self) -> bool {
        matches!(
            self,
            Self::Ebs | Self::AzureManaged | Self::AzureSystem | Self::GooglePersistent
        )
    }
}

/// What a disk is; none where it does not tell: a disk of one's own, Xen's, virtio's.
///
/// # Errors
///
/// A disk that vanished meanwhile.
pub fn disk(sysfs: &Sysfs, device: &BlockDevice) -> Result<Option<CloudDisk>, DeviceError> {
    let model = device.model.as_deref().unwrap_or_default().trim();
    let vendor = device.vendor.as_deref().unwrap_or_default().trim();
    let serial = device.serial.as_deref().map(str::trim);
    let known = |kind, id: Option<String>, lun| Ok(Some(CloudDisk { kind, id, lun }));
    match (vendor, model) {
        (_, "Amazon Elastic Block Store") => {
            known(CloudDiskKind::Ebs, serial.and_then(volume_id), None)
        }
        (_, "Amazon EC2 NVMe Instance Storage") => {
            known(CloudDiskKind::Ec2InstanceStore, None, None)
        }
        (_, "MSFT NVMe Accelerator v1.0") => {
            let dir = sysfs.block_dir(&device.name)?;
            let number: u32 = value(&dir, "nsid").unwrap_or(0);
            match number {
                // The first namespace is the system disk, the second the first data disk.
                1 => known(CloudDiskKind::AzureSystem, None, None),
                more => known(CloudDiskKind::AzureManaged, None, more.checked_sub(2)),
            }
        }
        (_, "Microsoft NVMe Direct Disk" | "Microsoft NVMe Direct Disk v2") => {
            known(CloudDiskKind::AzureLocal, None, None)
        }
        ("Msft", "Virtual Disk") => Ok(azure_scsi(&sysfs.block_dir(&device.name)?)),
        ("Google", "PersistentDisk") | (_, "nvme_card-pd") => {
            known(CloudDiskKind::GooglePersistent, None, None)
        }
        ("Google", "EphemeralDisk") => known(CloudDiskKind::GoogleLocal, None, None),
        (_, card) if is_google_card(card) => known(CloudDiskKind::GoogleLocal, None, None),
        _ => Ok(None),
    }
}

/// `vol0123456789abcdef0` as the cloud writes it: with a hyphen.
fn volume_id(serial: &str) -> Option<String> {
    let digits = serial.strip_prefix("vol")?;
    let digits = digits.strip_prefix('-').unwrap_or(digits);
    let is_id = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_id.then(|| format!("vol-{digits}"))
}

/// `nvme_card` or `nvme_card` and digits.
fn is_google_card(model: &str) -> bool {
    model
        .strip_prefix("nvme_card")
        .is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// By the controller on whose path the disk lies, and its number there.
fn azure_scsi(dir: &Path) -> Option<CloudDisk> {
    let parts: Vec<&str> = dir.iter().filter_map(|part| part.to_str()).collect();
    let lun = parts.iter().rev().find_map(|part| {
        let numbers: Vec<&str> = part.split(':').collect();
        match numbers.as_slice() {
            [_, _, _, lun] => lun.parse::<u32>().ok(),
            _ => None,
        }
    });
    let is_system = parts.contains(&AZURE_SYSTEM);
    let is_data = parts
        .iter()
        .any(|part| AZURE_DATA.iter().any(|guid| part.starts_with(guid)));
    let kind = match (is_system, is_data, lun) {
        (true, _, Some(0)) => CloudDiskKind::AzureSystem,
        (true, _, Some(1)) => CloudDiskKind::AzureLocal,
        (_, true, _) => CloudDiskKind::AzureManaged,
        _ if parts.iter().any(|part| part.starts_with("00000000-0000-")) => {
            CloudDiskKind::AzureSystem
        }
        _ if parts.iter().any(|part| part.starts_with("00000000-0001-")) => {
            CloudDiskKind::AzureLocal
        }
        _ => return None,
    };
    Some(CloudDisk {
        kind,
        id: None,
        lun: lun.filter(|_| kind == CloudDiskKind::AzureManaged),
    })
}

/// How many volumes disks are: one volume may have several names, and each has its serial number.
pub fn distinct_volumes(disks: &[&BlockDevice]) -> usize {
    let identity = |disk: &&BlockDevice| match &disk.serial {
        Some(serial) if !serial.trim().is_empty() => (
            disk.model.clone().unwrap_or_default(),
            serial.trim().to_owned(),
        ),
        _ => (String::new(), disk.name.clone()),
    };
    disks.iter().map(identity).collect::<BTreeSet<_>>().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devnum::DevNum;
    use fathom_platform::unix::fs::symlink;
    use std::fs;
    use std::path::PathBuf;

    /// A tree with one disk at a place below `devices`, as it was captured.
    struct Captured {
        root: tempfile::TempDir,
        name: String,
    }

    impl Captured {
        fn new(place: &str, files: &[(&str, &str)]) -> Self {
            let root = tempfile::tempdir().unwrap();
            let dir = root.path().join("devices").join(place);
            fs::create_dir_all(&dir).unwrap();
            for (file, text) in files {
                let file = dir.join(file);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, format!("{text}\n")).unwrap();
            }
            let class = root.path().join("class/block");
            fs::create_dir_all(&class).unwrap();
            let name = PathBuf::from(place);
            let name = name.file_name().unwrap().to_str().unwrap().to_owned();
            symlink(&dir, class.join(&name)).unwrap();
            Self { root, name }
        }

        fn disk(&self, model: &str, vendor: &str, serial: &str) -> Option<CloudDisk> {
            let say = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            let device = BlockDevice {
                name: self.name.clone(),
                model: say(model),
                vendor: say(vendor),
                serial: say(serial),
                ..blank()
            };
            disk(&Sysfs::at(self.root.path()), &device).unwrap()
        }
    }

    fn blank() -> BlockDevice {
        let mut machine = crate::fixture::Machine::new();
        machine.disk("sda", DevNum { major: 8, minor: 0 }, 1_024);
        BlockDevice::read(&machine.system(), "sda").unwrap()
    }

    #[expect(
        clippy::unnecessary_wraps,
        reason = "it is compared with what may be none"
    )]
    fn found(kind: CloudDiskKind, id: Option<&str>, lun: Option<u32>) -> Option<CloudDisk> {
        Some(CloudDisk {
            kind,
            id: id.map(str::to_owned),
            lun,
        })
    }

    #[test]
    fn nvme_tells_by_its_model() {
        let nvme = |number: &str| {
            Captured::new(
                &format!("pci0000:00/0000:00:04.0/nvme/nvme0/nvme0n{number}"),
                &[("nsid", number)],
            )
        };
        let one = nvme("1");
        assert_eq!(
            one.disk(
                "Amazon Elastic Block Store              ",
                "",
                "vol0123456789abcdef0"
            ),
            found(CloudDiskKind::Ebs, Some("vol-0123456789abcdef0"), None)
        );
        assert_eq!(
            one.disk("Amazon EC2 NVMe Instance Storage", "", "AWS1234"),
            found(CloudDiskKind::Ec2InstanceStore, None, None)
        );
        assert_eq!(
            one.disk("MSFT NVMe Accelerator v1.0", "", ""),
            found(CloudDiskKind::AzureSystem, None, None)
        );
        assert_eq!(
            nvme("4").disk("MSFT NVMe Accelerator v1.0", "", ""),
            found(CloudDiskKind::AzureManaged, None, Some(2))
        );
        assert_eq!(
            one.disk("Microsoft NVMe Direct Disk v2", "", ""),
            found(CloudDiskKind::AzureLocal, None, None)
        );
        assert_eq!(
            one.disk("nvme_card-pd", "", ""),
            found(CloudDiskKind::GooglePersistent, None, None)
        );
        assert_eq!(
            one.disk("nvme_card2", "", ""),
            found(CloudDiskKind::GoogleLocal, None, None)
        );
        assert_eq!(one.disk("Samsung SSD 990 PRO 2TB", "", "S7"), None);
    }

    #[test]
    fn azure_tells_by_the_controller() {
        let scsi = |guid: &str, lun: u32| {
            let place = format!(
                "LNXSYSTM:00/ACPI0004:00/MSFT1000:00/{guid}/host1/target1:0:0/1:0:0:{lun}/block/sdc"
            );
            Captured::new(&place, &[]).disk("Virtual Disk", "Msft", "")
        };
        let data = "f8b3781b-1e82-4818-a1c3-63d806ec15bb";
        assert_eq!(
            scsi(AZURE_SYSTEM, 0),
            found(CloudDiskKind::AzureSystem, None, None)
        );
        assert_eq!(
            scsi(AZURE_SYSTEM, 1),
            found(CloudDiskKind::AzureLocal, None, None)
        );
        assert_eq!(
            scsi(data, 3),
            found(CloudDiskKind::AzureManaged, None, Some(3))
        );
        let first = "00000000-0001-8899-0000-000000000000";
        assert_eq!(scsi(first, 0), found(CloudDiskKind::AzureLocal, None, None));
        assert_eq!(scsi("4487b255-b88c-403f-bb51-d1f69cf17f87", 0), None);
    }

    #[test]
    fn one_serial_number_is_one_volume() {
        let disk = |name: &str, serial: &str| BlockDevice {
            name: name.to_owned(),
            serial: Some(serial.to_owned()),
            ..blank()
        };
        let (one, same, other) = (
            disk("nvme1n1", "vol1"),
            disk("nvme9n1", "vol1"),
            disk("sdb", ""),
        );
        assert_eq!(distinct_volumes(&[&one, &same, &other]), 2);
    }
}
