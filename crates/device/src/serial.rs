//! Disks named by their serial number, as `serial:S3EV…`: a name that is the same after every boot
//! and in every slot, as `/dev/sdb` is not.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::block::BlockDevice;
use crate::error::DeviceError;
use crate::system::System;

/// What such a name begins with.
pub const PREFIX: &str = "serial:";

/// A serial number that does not lead to one disk.
#[derive(Debug, thiserror::Error)]
pub enum SerialError {
    /// No disk has it.
    #[error("no disk here has the serial number `{serial}`")]
    None {
        /// As given.
        serial: String,
        /// All disks that have one: their serial numbers and names.
        known: Vec<(String, String)>,
    },
    /// More than one has it.
    #[error("{} have the serial number `{serial}`", names.join(" and "))]
    Several {
        /// As given.
        serial: String,
        /// The names of the devices.
        names: Vec<String>,
    },
    /// The devices could not be listed.
    #[error("cannot list the disks: {0}")]
    Unreadable(#[from] DeviceError),
}

impl SerialError {
    /// What lies behind it.
    pub fn because(&self) -> String {
        match self {
            Self::None { known, .. } if known.is_empty() => {
                "no disk of this machine tells one".to_owned()
            }
            Self::None { known, .. } => {
                let mut text = String::from("there are ");
                for (index, (serial, name)) in known.iter().enumerate() {
                    let comma = if index > 0 { ", " } else { "" };
                    let _ = write!(text, "{comma}{serial} ({name})");
                }
                text
            }
            Self::Several { .. } => {
                "they are namespaces of one disk, paths to it, or made without numbers of their own"
                    .to_owned()
            }
            Self::Unreadable(_) => "/sys lists the devices".to_owned(),
        }
    }

    /// What to try.
    pub fn remedy(&self) -> String {
        match self {
            Self::None { .. } => "one of those of `fathom devices --json`, in full".to_owned(),
            Self::Several { names, .. } => {
                format!("/dev/{} by its own name, if it is the one", names[0])
            }
            Self::Unreadable(_) => "mount /proc and /sys".to_owned(),
        }
    }
}

/// The serial number that a path stands for, if it is such a name.
pub fn of_path(path: &Path) -> Option<&str> {
    path.to_str()?.strip_prefix(PREFIX)
}

/// The node of the disk with this serial number, whole and with its case.
pub fn find(system: &System, serial: &str) -> Result<PathBuf, SerialError> {
    let wanted = serial.trim();
    let mut known = Vec::new();
    let mut found = Vec::new();
    for name in system.sysfs.block_names()? {
        // A disk may be taken out while the others are read.
        let Ok(device) = BlockDevice::read(system, &name) else {
            continue;
        };
        if device.disk.is_some() {
            continue;
        }
        if let Some(number) = &device.serial {
            if number == wanted {
                found.push(device);
            } else {
                known.push((number.clone(), device.name));
            }
        }
    }
    match &found[..] {
        [] => Err(SerialError::None {
            serial: wanted.to_owned(),
            known,
        }),
        [only] => Ok(only.path.clone()),
        several => Err(SerialError::Several {
            serial: wanted.to_owned(),
            names: several.iter().map(|one| one.name.clone()).collect(),
        }),
    }
}

/// Puts the node of the disk in place of each path that is such a name; the others stay.
pub fn resolve<'a>(paths: impl IntoIterator<Item = &'a mut PathBuf>) -> Result<(), SerialError> {
    let mut live = None;
    for path in paths {
        let Some(serial) = of_path(path) else {
            continue;
        };
        let system = match &live {
            Some(system) => system,
            None => live.insert(System::live()?),
        };
        *path = find(system, serial)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devnum::DevNum;
    use crate::fixture::Machine;

    fn system() -> System {
        let mut machine = Machine::new();
        machine.disk("sda", DevNum::new(8, 0), 500);
        machine.attribute("sda", "device/vpd_pg80", "\0\u{1}\0\u{4}  S123");
        machine.partition("sda", "sda1", DevNum::new(8, 1), 100);
        machine.disk("vda", DevNum::new(252, 0), 500);
        machine.attribute("vda", "serial", "V1\n");
        machine.disk("sdb", DevNum::new(8, 16), 500);
        for (name, minor) in [("nvme0n1", 0), ("nvme0n2", 1)] {
            machine.disk(name, DevNum::new(259, minor), 500);
            machine.attribute(name, "device/serial", "N1  \n");
        }
        machine.system()
    }

    #[test]
    fn a_disk_is_found_by_its_whole_number() {
        let system = system();
        assert_eq!(find(&system, "S123").unwrap(), Path::new("/dev/sda"));
        assert_eq!(find(&system, "V1").unwrap(), Path::new("/dev/vda"));
    }

    #[test]
    fn what_does_not_lead_to_one_disk_is_refused_with_those_that_there_are() {
        let system = system();
        let said = |serial: &str| {
            let error = find(&system, serial).unwrap_err();
            format!("{error}; {}; {}", error.because(), error.remedy())
        };
        let known = "there are N1 (nvme0n1), N1 (nvme0n2), S123 (sda), V1 (vda); \
                     one of those of `fathom devices --json`, in full";
        for serial in ["S12", "s123", ""] {
            let expected = format!("no disk here has the serial number `{serial}`; {known}");
            assert_eq!(said(serial), expected);
        }
        assert_eq!(
            said("N1"),
            "nvme0n1 and nvme0n2 have the serial number `N1`; they are namespaces of one disk, \
             paths to it, or made without numbers of their own; /dev/nvme0n1 by its own name, if \
             it is the one"
        );
    }

    #[test]
    fn only_names_of_this_form_are_changed() {
        let mut paths = [PathBuf::from("/dev/sda"), PathBuf::from("./serial:S123")];
        let before = paths.clone();
        resolve(&mut paths).unwrap();
        assert_eq!(paths, before);
    }
}
