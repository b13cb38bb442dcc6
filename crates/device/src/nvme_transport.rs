//! How an NVMe controller is reached: by PCIe, or over a network.

use std::path::Path;

use crate::sysfs::{Sysfs, names_in, text};

/// `pcie`, `tcp`, `rdma`, `fc` or `loop`, of an NVMe disk by kernel name; none of others. Of a disk
/// with several controllers all that differ, with a `+` between.
pub fn nvme_transport(sysfs: &Sysfs, name: &str) -> Option<String> {
    if !name.starts_with("nvme") {
        return None;
    }
    let block = sysfs.block_dir(name).ok()?;
    // A partition lies in the folder of its disk, a disk in that of its controller or subsystem.
    let above = block.ancestors().skip(1).take(3);
    above.into_iter().find_map(of_controllers)
}

fn of_controllers(folder: &Path) -> Option<String> {
    if let Some(own) = text(folder, "transport") {
        return Some(own);
    }
    let names = names_in(folder).ok()?;
    let controllers = names.iter().filter(|name| name.starts_with("nvme"));
    let mut found: Vec<String> = controllers
        .filter_map(|name| text(&folder.join(name), "transport"))
        .collect();
    found.sort();
    found.dedup();
    (!found.is_empty()).then(|| found.join("+"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn transports_are_those_of_the_controllers() {
        let dir = tempfile::tempdir().unwrap();
        let subsystem = dir.path().join("nvme-subsys0");
        for (name, transport) in [("nvme0", "tcp\n"), ("nvme1", "rdma\n"), ("nvme2", "tcp\n")] {
            fs::create_dir_all(subsystem.join(name)).unwrap();
            fs::write(subsystem.join(name).join("transport"), transport).unwrap();
        }
        assert_eq!(of_controllers(&subsystem).as_deref(), Some("rdma+tcp"));
        assert_eq!(
            of_controllers(&subsystem.join("nvme0")).as_deref(),
            Some("tcp")
        );
        assert_eq!(of_controllers(dir.path()), None);
    }
}
