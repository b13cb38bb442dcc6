//! What the user gave up, as written on the command line.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use super::allow::AllowList;
use crate::block::BlockDevice;
use crate::devnum::DevNum;
use crate::nodes::NodeKind;
use crate::signature::{DATA, Signature, canonical_name};
use crate::system::System;
use serde::{Deserialize, Serialize};

/// `--destroy`, `--overwrite` and `--read-only`, and the list of this host.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Permissions {
    /// Devices whose contents are given up.
    pub destroy: Vec<Destroy>,
    /// Whether existing files that Fathom did not make may be overwritten.
    pub overwrite: bool,
    /// Nothing at all may be written, not even a new file.
    pub read_only: bool,
    /// What may be written at all on this host, if its administrator says so. It belongs to the
    /// host and does not travel.
    #[serde(skip)]
    pub allow: Option<Arc<AllowList>>,
}

impl Permissions {
    /// The permissions that name this device, be it through a symbolic link; `block` is the block
    /// device that it leads to, if any. Where the host has a list, that alone names devices.
    pub(crate) fn naming(
        &self,
        kind: NodeKind,
        number: DevNum,
        block: Option<&BlockDevice>,
        system: &System,
    ) -> Vec<&Destroy> {
        if let Some(list) = &self.allow {
            return block.map_or_else(Vec::new, |device| list.naming(device, system));
        }
        let names_it = |permission: &&Destroy| {
            let node = system.nodes.stat(&permission.path);
            node.is_ok_and(|node| node.kind == kind && node.device == number)
        };
        self.destroy.iter().filter(names_it).collect()
    }
}

/// One `--destroy DEVICE` or `--destroy DEVICE=SIGNATURE+SIGNATURE`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Destroy {
    /// Any path of the device.
    pub path: PathBuf,
    /// All that it and its partitions carry, in the names of the signature table joined with `+`.
    pub signature: Option<String>,
}

impl Destroy {
    /// Whether exactly these signatures are named, in any order. Data may be named where there are
    /// none: content that nothing is known of is less than that.
    pub(crate) fn covers(&self, carried: &[Signature]) -> bool {
        let mut named: Vec<&str> = self
            .signature
            .as_deref()
            .map_or_else(Vec::new, |text| text.split('+').collect());
        let mut found: Vec<&str> = carried.iter().map(|signature| signature.name).collect();
        if !found.contains(&DATA) {
            named.retain(|name| *name != DATA);
        }
        for names in [&mut named, &mut found] {
            names.sort_unstable();
            names.dedup();
        }
        named == found
    }
}

/// An invalid `--destroy`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PermissionError {
    /// Nothing before the `=`.
    #[error("no device is named in {text:?}; write DEVICE or DEVICE=SIGNATURE, as /dev/sdb=ext4")]
    NoDevice {
        /// As given.
        text: String,
    },
    /// A signature that no device can carry.
    #[error(
        "{name:?} is no signature known; write DEVICE=SIGNATURE, as /dev/sdb=ext4 or \
         /dev/sdb=gpt+vfat+ext4"
    )]
    NoSuchSignature {
        /// As given.
        name: String,
    },
}

impl FromStr for Destroy {
    type Err = PermissionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // Only an equals sign in the last component ends the path: by-path names may have others.
        let (path, signature) = match text.rsplit_once('=') {
            Some((path, names)) if !names.contains('/') => (path, Some(names)),
            _ => (text, None),
        };
        if path.is_empty() {
            return Err(PermissionError::NoDevice {
                text: text.to_owned(),
            });
        }
        let known = |name: &str| {
            canonical_name(name).ok_or_else(|| PermissionError::NoSuchSignature {
                name: name.to_owned(),
            })
        };
        let signature = signature
            .map(|names| names.split('+').map(known).collect::<Result<Vec<_>, _>>())
            .transpose()?
            .map(|names| names.join("+"));
        Ok(Self {
            path: path.into(),
            signature,
        })
    }
}
