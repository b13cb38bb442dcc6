//! The link between a disk and the machine, as sysfs tells it: PCIe generation and lanes, or the
//! rate of SATA.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::DeviceError;
use crate::sysfs::{self, Sysfs};

/// A link as it was negotiated, and as the disk could have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeviceLink {
    /// As it is, as in `PCIe 8.0 GT/s x4` or `SATA 6.0 Gbps`.
    pub current: String,
    /// As the disk could have it, where it says so.
    pub capable: Option<String>,
}

impl DeviceLink {
    /// The link of a disk by kernel name. None where there is none that sysfs knows: a virtual
    /// disk, SAS, USB.
    pub fn of(sysfs: &Sysfs, name: &str) -> Result<Option<Self>, DeviceError> {
        let dir = sysfs.block_dir(name)?;
        let mut above = dir.ancestors().skip(1);
        Ok(above.find_map(|dir| pcie(dir, name).or_else(|| sata(dir))))
    }

    /// Whether the disk could have a better one.
    pub fn is_degraded(&self) -> bool {
        self.capable
            .as_ref()
            .is_some_and(|capable| *capable != self.current)
    }
}

/// Only an NVMe disk is itself what the PCI device is: others are behind a controller.
fn pcie(dir: &Path, name: &str) -> Option<DeviceLink> {
    if !name.starts_with("nvme") {
        return None;
    }
    let link = |speed: &str, width: &str| {
        let speed = sysfs::text(dir, speed)?;
        let speed = speed.trim_end_matches(" PCIe").to_owned();
        let lanes: u32 = sysfs::value(dir, width).filter(|lanes| *lanes > 0)?;
        speed
            .contains("GT/s")
            .then(|| format!("PCIe {speed} x{lanes}"))
    };
    Some(DeviceLink {
        current: link("current_link_speed", "current_link_width")?,
        capable: link("max_link_speed", "max_link_width"),
    })
}

fn sata(dir: &Path) -> Option<DeviceLink> {
    let port = dir.file_name()?.to_str()?.strip_prefix("ata")?;
    port.parse::<u32>().ok()?;
    for link in sysfs::names_in(dir).ok()? {
        let speed = sysfs::text(&dir.join(&link).join("ata_link").join(&link), "sata_spd");
        if let Some(speed) = speed.filter(|speed| speed.contains("Gbps")) {
            return Some(DeviceLink {
                current: format!("SATA {speed}"),
                capable: None,
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_platform::unix::fs::symlink;
    use std::fs;

    fn machine(device: &str, name: &str, files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        let disk = root.path().join("devices").join(device).join(name);
        fs::create_dir_all(&disk).unwrap();
        for (file, text) in files {
            let file = root.path().join("devices").join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        let class = root.path().join("class/block");
        fs::create_dir_all(&class).unwrap();
        symlink(&disk, class.join(name)).unwrap();
        root
    }

    fn link_of(root: &tempfile::TempDir, name: &str) -> Option<DeviceLink> {
        DeviceLink::of(&Sysfs::at(root.path()), name).unwrap()
    }

    #[test]
    fn a_narrow_pcie_link_is_degraded() {
        let files = [
            ("pci0/0000:01:00.0/current_link_speed", "8.0 GT/s PCIe\n"),
            ("pci0/0000:01:00.0/current_link_width", "2\n"),
            ("pci0/0000:01:00.0/max_link_speed", "8.0 GT/s PCIe\n"),
            ("pci0/0000:01:00.0/max_link_width", "4\n"),
        ];
        let root = machine("pci0/0000:01:00.0/nvme/nvme0", "nvme0n1", &files);
        let link = link_of(&root, "nvme0n1").unwrap();
        let expected = DeviceLink {
            current: "PCIe 8.0 GT/s x2".into(),
            capable: Some("PCIe 8.0 GT/s x4".into()),
        };
        assert!(link.is_degraded());
        assert_eq!(link, expected);
    }

    #[test]
    fn a_sata_disk_has_the_rate_of_its_port() {
        let files = [("pci0/ata3/link3/ata_link/link3/sata_spd", "6.0 Gbps\n")];
        let root = machine("pci0/ata3/host2/target2:0:0/2:0:0:0/block", "sda", &files);
        let link = link_of(&root, "sda").unwrap();
        assert_eq!(
            (link.current.as_str(), link.is_degraded()),
            ("SATA 6.0 Gbps", false)
        );
        assert_eq!(link_of(&machine("virtio0/block", "vda", &[]), "vda"), None);
    }
}
