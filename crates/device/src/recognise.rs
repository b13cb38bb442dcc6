//! Which cloud, which instance and which volumes this is, as far as the system shows it.
//!
//! Firmware and disks are asked first: no network and no rights are needed for them. The type of a
//! volume, and what was ordered of it, no guest can see. [`metadata`] is asked only where the user
//! asked for it.

mod disk;
pub mod ebs;
pub mod metadata;
mod place;

pub use disk::{CloudDisk, CloudDiskKind, disk, distinct_volumes};
pub use place::{CloudInstance, Platform, Source, place};

use crate::error::DeviceError;
use crate::sysfs::Sysfs;
use crate::topology::Topology;

/// What is known of the place of a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recognised {
    /// The cloud and the instance.
    pub place: CloudInstance,
    /// The disks at the bottom that tell what they are, by kernel name.
    pub disks: Vec<(String, CloudDisk)>,
    /// How many volumes there are at the bottom: several names of one serial number are one.
    pub volumes: usize,
}

impl Recognised {
    /// What is below a target, by its topology.
    ///
    /// # Errors
    ///
    /// A disk that vanished meanwhile.
    pub fn of(sysfs: &Sysfs, topology: &Topology) -> Result<Self, DeviceError> {
        let leaves = topology.leaves();
        let mut disks = Vec::new();
        for leaf in &leaves {
            if let Some(found) = disk(sysfs, leaf)? {
                disks.push((leaf.name.clone(), found));
            }
        }
        Ok(Self {
            place: place(sysfs),
            disks,
            volumes: distinct_volumes(&leaves),
        })
    }

    /// Whether all disks at the bottom are volumes that the instance reaches over the network, to
    /// which its limits apply.
    pub fn is_behind_instance(&self, leaves: usize) -> bool {
        leaves > 0
            && self.disks.len() == leaves
            && self.disks.iter().all(|(_, disk)| disk.kind.is_remote())
    }
}
