//! Devices and files that the kernel serves to others by itself: as NVMe over a network, as SCSI,
//! as a USB disk. It opens them without claiming them, and no process has them open. The kernel's
//! configuration (configfs) knows them by path alone.

use std::path::{Path, PathBuf};

use crate::error::DeviceError;
use crate::sysfs::{names_in, text};
use crate::system::System;

/// Where servers are configured, below `/sys/kernel/config`: a folder for each thing that is
/// served, the attribute that has its path, and the one that says whether it is served now.
const SERVERS: &[(&str, &str, Option<&str>)] = &[
    (
        "nvmet/subsystems/*/namespaces/*",
        "device_path",
        Some("enable"),
    ),
    ("target/core/*/*", "udev_path", Some("enable")),
    ("usb_gadget/*/functions/*/*", "file", None),
];

/// What is served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// Its folder in the configuration.
    pub by: PathBuf,
    /// The path that it was given.
    pub path: PathBuf,
}

/// All that is served now.
///
/// # Errors
///
/// A folder of the configuration cannot be listed.
pub fn all(system: &System) -> Result<Vec<Export>, DeviceError> {
    let root = system.sysfs.root().join("kernel/config");
    let mut all = Vec::new();
    for (pattern, path, enabled) in SERVERS {
        for by in folders(&root, pattern)? {
            let is_on = enabled.is_none_or(|name| text(&by, name).as_deref() == Some("1"));
            if let Some(path) = text(&by, path).filter(|_| is_on) {
                all.push(Export {
                    by,
                    path: path.into(),
                });
            }
        }
    }
    Ok(all)
}

/// The folders of a pattern, in which a star is any name.
fn folders(root: &Path, pattern: &str) -> Result<Vec<PathBuf>, DeviceError> {
    let mut found = vec![root.to_owned()];
    for part in pattern.split('/') {
        let mut below = Vec::new();
        for folder in found {
            match part {
                "*" => {
                    let names = names_in(&folder)?;
                    below.extend(
                        names
                            .iter()
                            .map(|name| folder.join(name))
                            .filter(|one| one.is_dir()),
                    );
                }
                name => below.push(folder.join(name)),
            }
        }
        found = below;
    }
    found.retain(|folder| folder.is_dir());
    Ok(found)
}
