//! Which drivers of the kernel are in the image: those of storage and of wired networks, and what
//! they need.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};

use super::packages::Kernel;
use super::tree::Tree;
use crate::dist::program;

/// Folders of drivers, below `kernel/`.
const WANTED: &[&str] = &[
    "arch/x86/crypto/",
    "crypto/crc32c",
    "drivers/acpi/nfit/",
    "drivers/ata/",
    "drivers/block/",
    "drivers/cdrom/",
    "drivers/dax/",
    "drivers/hid/hid-generic",
    "drivers/hid/usbhid/",
    "drivers/hv/",
    "drivers/md/",
    "drivers/message/fusion/",
    "drivers/mmc/",
    "drivers/net/ethernet/",
    "drivers/net/hyperv/",
    "drivers/net/mdio/",
    "drivers/net/phy/",
    "drivers/net/usb/",
    "drivers/net/virtio_net",
    "drivers/net/vmxnet3/",
    "drivers/net/xen-netfront",
    "drivers/nvdimm/",
    "drivers/nvme/host/",
    "drivers/pci/controller/vmd",
    "drivers/scsi/",
    "drivers/usb/host/",
    "drivers/usb/storage/",
    "drivers/virtio/",
    "drivers/xen/",
    "fs/ext4/",
    "fs/fat/",
    "fs/isofs/",
    "fs/exfat/",
    "fs/nls/",
    "fs/xfs/",
    "lib/",
];

/// Those of the folders above that serve no disk of a machine that is measured: switches, targets
/// that offer disks to others, and PCMCIA.
const UNWANTED: &[&str] = &[
    "drivers/net/ethernet/mellanox/mlxsw/",
    "drivers/net/ethernet/netronome/",
    "drivers/net/phy/sfp",
    "drivers/scsi/pcmcia/",
    "drivers/block/drbd/",
    "drivers/block/rnbd/",
    "lib/test_",
];

/// Puts them into the tree, and `more` folders of drivers, with the tables that `modprobe` of
/// busybox reads.
pub(super) fn add(tree: &mut Tree, kernel: &Kernel, more: &[&str]) -> Result<()> {
    let root = kernel
        .modules
        .ancestors()
        .nth(3)
        .context("no root of the kernel's package")?;
    let table = kernel.modules.join("modules.dep");
    if !table.exists() {
        program::output(
            Command::new("depmod")
                .arg("-b")
                .arg(root)
                .arg(&kernel.release),
        )?;
    }
    let needs = dependencies(&fs::read_to_string(&table)?);
    let chosen = closure(&needs, more);
    let folder = format!("lib/modules/{}", kernel.release);
    for path in &chosen {
        let bytes = fs::read(kernel.modules.join(path)).with_context(|| path.clone())?;
        tree.file(&format!("{folder}/{path}"), 0o644, bytes);
    }
    let mut lines = String::new();
    for path in &chosen {
        writeln!(lines, "{path}: {}", needs[path].join(" "))?;
    }
    tree.file(&format!("{folder}/modules.dep"), 0o644, lines.into_bytes());
    let aliases = aliases(&kernel.modules, &chosen)?;
    tree.file(
        &format!("{folder}/modules.alias"),
        0o644,
        aliases.into_bytes(),
    );
    for name in ["modules.builtin", "modules.order"] {
        tree.file(
            &format!("{folder}/{name}"),
            0o644,
            fs::read(kernel.modules.join(name))?,
        );
    }
    Ok(())
}

/// The lines of `modules.dep`: each module with those that it needs.
fn dependencies(text: &str) -> BTreeMap<String, Vec<String>> {
    let lines = text.lines().filter_map(|line| line.split_once(':'));
    lines
        .map(|(path, needs)| {
            let needs = needs.split_whitespace().map(str::to_owned);
            (path.to_owned(), needs.collect())
        })
        .collect()
}

/// Those that are wanted, and all that they need.
fn closure(needs: &BTreeMap<String, Vec<String>>, more: &[&str]) -> BTreeSet<String> {
    let is_in = |path: &str, folders: &[&str]| {
        let path = path.strip_prefix("kernel/").unwrap_or(path);
        folders.iter().any(|folder| path.starts_with(folder))
    };
    let wanted = needs
        .keys()
        .filter(|path| is_in(path, more) || is_in(path, WANTED) && !is_in(path, UNWANTED));
    let mut chosen: BTreeSet<String> = wanted.cloned().collect();
    // The table names what is needed through others too.
    let through: Vec<String> = chosen.iter().flat_map(|path| needs[path].clone()).collect();
    chosen.extend(through);
    chosen
}

/// The lines of `modules.alias` for these modules.
fn aliases(folder: &Path, chosen: &BTreeSet<String>) -> Result<String> {
    let names: BTreeSet<String> = chosen.iter().map(|path| name(path)).collect();
    let text = fs::read_to_string(folder.join("modules.alias"))?;
    let is_ours = |line: &&str| {
        let module = line.rsplit(' ').next().unwrap_or_default();
        names.contains(&module.replace('-', "_"))
    };
    let mut ours = String::new();
    for line in text.lines().filter(is_ours) {
        ours.push_str(line);
        ours.push('\n');
    }
    Ok(ours)
}

/// The name of a module by its path.
fn name(path: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.split(".ko").next().unwrap_or(file);
    stem.replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drivers_come_with_what_they_need_and_others_stay_away() {
        let table = "kernel/drivers/nvme/host/nvme.ko: kernel/drivers/nvme/host/nvme-core.ko \
                     kernel/drivers/nvme/common/nvme-common.ko\n\
                     kernel/drivers/nvme/host/nvme-core.ko: \
                     kernel/drivers/nvme/common/nvme-common.ko\n\
                     kernel/drivers/nvme/common/nvme-common.ko:\n\
                     kernel/drivers/scsi/pcmcia/x.ko:\n\
                     kernel/sound/core/snd.ko:\n";
        let chosen = |more: &[&str]| -> Vec<String> {
            closure(&dependencies(table), more).into_iter().collect()
        };
        let expected = [
            "kernel/drivers/nvme/common/nvme-common.ko",
            "kernel/drivers/nvme/host/nvme-core.ko",
            "kernel/drivers/nvme/host/nvme.ko",
        ];
        assert_eq!(chosen(&[]), expected);
        let with_sound = chosen(&["sound/"]);
        assert_eq!(with_sound[..3], expected);
        assert_eq!(with_sound[3..], ["kernel/sound/core/snd.ko"]);
        assert_eq!(name(expected[0]), "nvme_common");
    }
}
