//! How many requests the queue of a device takes, and how many its driver has right now.

use crate::error::DeviceError;
use crate::sysfs::{Sysfs, names_in, text, value};
use std::path::{Path, PathBuf};

/// The queue of a disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    /// Requests that the driver takes, over all hardware queues; none where the kernel does not
    /// say.
    pub tags: Option<u64>,
    /// Requests that the scheduler takes, or the driver where there is no scheduler.
    pub slots: Option<u64>,
    /// The scheduler, `none` included.
    pub scheduler: Option<String>,
    /// Its directory in sysfs.
    pub dir: PathBuf,
}

impl Queue {
    /// That of a disk by its kernel name.
    ///
    /// # Errors
    ///
    /// There is no such disk.
    pub fn read(sysfs: &Sysfs, name: &str) -> Result<Self, DeviceError> {
        let mut dir = sysfs.block_dir(name)?;
        if !dir.join("queue").exists() && dir.join("partition").exists() {
            dir.pop();
        }
        let hardware = dir.join("mq");
        let queues = names_in(&hardware).unwrap_or_default();
        let each = queues.iter();
        let each = each.filter_map(|queue| value::<u64>(&hardware.join(queue), "nr_tags"));
        let tags = each.sum::<u64>();
        let tags = (tags > 0).then_some(tags);
        // A SCSI disk takes no more than this, however many its controller has.
        let depth = value::<u64>(&dir, "device/queue_depth");
        let slots = value::<u64>(&dir, "queue/nr_requests");
        let scheduler = text(&dir, "queue/scheduler");
        Ok(Self {
            tags: [tags, depth].into_iter().flatten().min(),
            slots: slots.map(|slots| slots * queues.len().max(1) as u64),
            scheduler: scheduler.map(|text| crate::block::active_scheduler(&text)),
            dir,
        })
    }

    /// Requests that the driver has at this moment, without those that a scheduler holds.
    pub fn in_driver(&self) -> Option<u64> {
        in_driver(&self.dir)
    }
}

fn in_driver(dir: &Path) -> Option<u64> {
    let text = text(dir, "inflight")?;
    let counts: Vec<u64> = text
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect();
    match counts[..] {
        [reads, writes] => Some(reads + writes),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_platform::unix::fs::symlink;
    use std::fs;

    #[test]
    fn the_least_of_tags_and_depth_is_what_the_device_takes() {
        let root = tempfile::tempdir().unwrap();
        let disk = root.path().join("devices/sda");
        let write = |name: &str, text: &str| {
            let file = disk.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        write("mq/0/nr_tags", "64\n");
        write("mq/1/nr_tags", "64\n");
        write("queue/nr_requests", "256\n");
        write("queue/scheduler", "none [mq-deadline] bfq\n");
        write("inflight", "       3        2\n");
        fs::create_dir_all(root.path().join("class/block")).unwrap();
        symlink(&disk, root.path().join("class/block/sda")).unwrap();
        let root = fs::canonicalize(root.path()).unwrap();
        let sysfs = Sysfs::at(root.clone());
        let found = Queue::read(&sysfs, "sda").unwrap();
        let expected = Queue {
            tags: Some(128),
            slots: Some(512),
            scheduler: Some("mq-deadline".to_owned()),
            dir: root.join("devices/sda"),
        };
        assert_eq!((&found, found.in_driver()), (&expected, Some(5)));
        write("device/queue_depth", "32\n");
        let found = Queue::read(&sysfs, "sda").unwrap();
        assert_eq!(found.tags, Some(32));
    }
}
