//! Files that are switches of the kernel, by the file system that they lie on.

use std::path::Path;

use crate::door::{Shut, resolved};
use crate::nodes::{Node, NodeKind};
use crate::pin::Pin;

/// File systems whose files are switches of the kernel (magic numbers of `linux/magic.h`).
fn kernel_name(magic: u64) -> Option<&'static str> {
    Some(match magic {
        0x9fa0 => "proc",
        0x6265_6572 => "sysfs",
        0x6462_6720 => "debugfs",
        0x7472_6163 => "tracefs",
        0x0027_e0eb => "cgroup",
        0x6367_7270 => "cgroup2",
        0x6265_6570 => "configfs",
        0x7363_6673 => "securityfs",
        0xf97c_ff8c => "selinuxfs",
        0x6165_676c => "pstore",
        0xde5e_81e4 => "efivarfs",
        0xcafe_4a11 => "bpf",
        0x1980_0202 => "mqueue",
        0x1cd1 => "devpts",
        _ => return None,
    })
}

/// # Errors
///
/// [`Shut::KernelFile`], or what the system said.
pub(crate) fn refuse_kernel_file(pin: &Pin) -> Result<(), Shut> {
    match kernel_name(pin.file_system().map_err(Shut::Unknown)?) {
        Some(name) => Err(Shut::KernelFile(name)),
        None => Ok(()),
    }
}

/// The same of a folder in which something is to be made.
///
/// # Errors
///
/// [`Shut::KernelFile`], or what the system said.
pub(crate) fn refuse_kernel_folder(folder: &Path) -> Result<(), Shut> {
    let pin = Pin::of(folder).map_err(Shut::System)?;
    if pin.node().kind == NodeKind::Directory {
        refuse_kernel_file(&pin)?;
    }
    let is_in_dev = resolved(folder).starts_with("/dev")
        && std::fs::metadata("/dev").is_ok_and(|dev| Node::of(&dev).on == pin.node().on);
    if is_in_dev {
        return Err(Shut::KernelFile("devtmpfs"));
    }
    Ok(())
}
