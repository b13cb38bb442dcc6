//! Why a target may not be written to, and what to try.

use std::io;
use std::path::{Path, PathBuf};

use crate::error::DeviceError;
use crate::guard::usage::Use;
use crate::nodes::NodeKind;

/// A target refused.
#[derive(Debug, thiserror::Error)]
#[error("{}: {}; try {}", self.thing(), self.cause(), self.remedy())]
pub struct GuardError {
    /// The target as given.
    pub path: PathBuf,
    /// Why.
    pub refusal: Refusal,
}

/// The situations in which writing is refused.
#[derive(Debug)]
pub enum Refusal {
    /// A directory, pipe or socket.
    NoTarget(NodeKind),
    /// A file of the kernel, or a new one in `/dev`; the file-system type.
    KernelFile(String),
    /// Others use it.
    InUse(Vec<Use>),
    /// A device that no permission names.
    NotNamed {
        /// Block or character device.
        kind: NodeKind,
        /// What it carries, joined, as far as it could be read.
        carries: String,
        /// The first bytes, if the kind of content is unknown.
        look: Option<String>,
    },
    /// A device named without what it carries.
    Carries {
        /// What it carries, joined.
        carries: String,
        /// The first bytes, if the kind of content is unknown.
        look: Option<String>,
    },
    /// A device named with a signature, which carries none.
    CarriesNothing {
        /// As named.
        named: String,
    },
    /// A device named with other signatures than it carries.
    CarriesOther {
        /// As named.
        named: String,
        /// What it carries, joined.
        carries: String,
        /// The first bytes, if the kind of content is unknown.
        look: Option<String>,
    },
    /// The list of this host, which is there, does not name it.
    NotListed(PathBuf),
    /// The list of this host says that a device carries something else.
    ListedOther {
        /// Path of the allow-list.
        list: PathBuf,
        /// As listed.
        named: String,
        /// What it carries, joined.
        carries: String,
        /// The first bytes, if the kind of content is unknown.
        look: Option<String>,
    },
    /// An NVMe namespace for which the kernel has no block device: nobody knows who uses it.
    NoBlockDevice {
        /// Its identifier.
        id: u32,
    },
    /// Whoever began the run has only asked for reading.
    OnlyReading,
    /// A device that cannot be written.
    ReadOnly,
    /// A disk or volume as a whole, on a system where nothing shows who uses it.
    Unguarded,
    /// A regular file that Fathom did not make.
    NotOurs {
        /// Its length.
        size_bytes: u64,
    },
    /// A file of somebody else that has other names, on a host with a list of folders.
    Linked {
        /// How many names it has.
        links: u64,
    },
    /// A symbolic link to nothing.
    Dangling,
    /// The directory for a new file does not exist, or is none.
    NoDirectory(PathBuf),
    /// No file can be made in this directory.
    NotWritable(PathBuf, io::Error),
    /// Something else is there now than was checked.
    Changed,
    /// The target could not be examined.
    Unknown(io::Error),
    /// The kernel's description of the device could not be read.
    Unreadable(DeviceError),
}

impl From<DeviceError> for Refusal {
    fn from(error: DeviceError) -> Self {
        Self::Unreadable(error)
    }
}

impl GuardError {
    /// What could not be done, for the line `error:`.
    pub fn thing(&self) -> String {
        let path = self.path.display();
        match self.refusal {
            Refusal::Dangling | Refusal::NoDirectory(_) | Refusal::NotWritable(..) => {
                format!("cannot create {path}")
            }
            _ => format!("cannot open {path} for writing"),
        }
    }

    /// Why not, for the line `because:`.
    pub fn cause(&self) -> String {
        match &self.refusal {
            Refusal::NoTarget(kind) => format!("it is a {kind}"),
            Refusal::KernelFile(fs_type) => {
                format!("it would be a file of the kernel's own file system {fs_type}")
            }
            Refusal::InUse(uses) => uses
                .iter()
                .map(Use::to_string)
                .collect::<Vec<_>>()
                .join("; "),
            Refusal::NotNamed { kind, carries, .. } if carries.is_empty() => {
                format!("it is a {kind}, and no --destroy names it")
            }
            Refusal::NotNamed {
                kind,
                carries,
                look,
            } => format!(
                "it is a {kind} that carries {carries}, and no --destroy names it{}",
                shown(look.as_ref())
            ),
            Refusal::Carries { carries, look } => format!(
                "it carries {carries}, which --destroy does not name{}",
                shown(look.as_ref())
            ),
            Refusal::CarriesNothing { named } => {
                format!("--destroy says that it carries {named}, but it carries nothing known")
            }
            Refusal::CarriesOther {
                named,
                carries,
                look,
            } => other("--destroy", named, carries, look.as_ref()),
            Refusal::NotListed(list) => {
                format!("the allow-list {} does not name it", list.display())
            }
            Refusal::ListedOther {
                list,
                named,
                carries,
                look,
            } => other(&list.display().to_string(), named, carries, look.as_ref()),
            Refusal::NoBlockDevice { id } => format!(
                "the kernel has no block device for its namespace {id}, so it cannot be examined"
            ),
            Refusal::OnlyReading => "--read-only allows no write".to_owned(),
            Refusal::ReadOnly => "the device is read-only".to_owned(),
            Refusal::Unguarded => UNGUARDED.to_owned(),
            Refusal::NotOurs { size_bytes } => {
                format!(
                    "the file exists ({size_bytes} bytes) and was not created by fathom, or was \
                     changed since"
                )
            }
            Refusal::Linked { links } => linked(*links),
            Refusal::Dangling => "it is a symbolic link to nothing".to_owned(),
            Refusal::NoDirectory(parent) => {
                format!("{} is not an existing directory", parent.display())
            }
            Refusal::NotWritable(parent, error) => {
                format!(
                    "no file can be made in {}: {}",
                    parent.display(),
                    fragment(error)
                )
            }
            Refusal::Changed => "it changed since it was checked".to_owned(),
            Refusal::Unknown(error) => format!("it cannot be examined: {}", fragment(error)),
            Refusal::Unreadable(error) => format!("it cannot be examined: {error}"),
        }
    }

    /// What to do about it, for the line `try:`.
    pub fn remedy(&self) -> String {
        let path = self.path.display();
        let destroy = |carries: &str| {
            let equals = if carries.is_empty() { "" } else { "=" };
            format!("--destroy {path}{equals}{carries}")
        };
        match &self.refusal {
            Refusal::NoTarget(NodeKind::Directory) => {
                format!(
                    "a file in it, as {}",
                    self.path.join("fathom.dat").display()
                )
            }
            Refusal::NoTarget(_) => "a file or a block device".to_owned(),
            Refusal::KernelFile(_) => {
                "the name of an existing device, or a file on a disk".to_owned()
            }
            Refusal::InUse(uses) => uses.first().map_or_else(
                || "another target".to_owned(),
                |used| format!("{}, or another target", release(used, &self.path)),
            ),
            Refusal::NotNamed { carries, .. } | Refusal::Carries { carries, .. } => format!(
                "{} if you mean to destroy what is on it, or another target",
                destroy(carries)
            ),
            Refusal::CarriesNothing { .. } => {
                format!("{} if it is the right device", destroy(""))
            }
            Refusal::CarriesOther { carries, .. } => {
                format!("{} if it is the right device", destroy(carries))
            }
            Refusal::NotListed(list) => format!(
                "another target, or a line for it in {}: device SERIAL CONTENT, folder PATH or \
                 overwrite PATH",
                list.display()
            ),
            Refusal::ListedOther { list, .. } => format!(
                "another target, or its content in {} if it is the right device",
                list.display()
            ),
            Refusal::OnlyReading => "a target that is there, and a load that only reads".to_owned(),
            Refusal::Unguarded => {
                "a load that only reads, a file on the disk, or a Linux host".to_owned()
            }
            Refusal::ReadOnly => format!("blockdev --setrw {path}, or another target"),
            Refusal::NotOurs { .. } => {
                "--overwrite if you mean to destroy its contents, or another name".to_owned()
            }
            Refusal::Linked { .. } => "a file with one name".to_owned(),
            Refusal::Dangling => "another name, or remove the link".to_owned(),
            Refusal::NoDirectory(parent) => format!("mkdir -p {}", parent.display()),
            Refusal::NotWritable(..) => "a directory that you may write to".to_owned(),
            Refusal::Changed => "again, when nothing else changes it".to_owned(),
            Refusal::Unknown(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                "as root, or another target".to_owned()
            }
            Refusal::NoBlockDevice { .. } | Refusal::Unknown(_) | Refusal::Unreadable(_) => {
                "another target".to_owned()
            }
        }
    }
}

const UNGUARDED: &str = "it is a disk or a volume. The guard that protects its contents has not \
                         been proved on this system";

fn linked(links: u64) -> String {
    format!(
        "the file has {links} names (hard links), and the others may be outside of the folders \
         that the allow-list names"
    )
}

/// That somebody names something else than a device carries.
fn other(who: &str, named: &str, carries: &str, look: Option<&String>) -> String {
    let look = shown(look);
    format!("{who} says that it carries {named}, but it carries {carries}{look}")
}

/// What unknown data look like, behind the sentence that names them.
fn shown(look: Option<&String>) -> String {
    look.map_or_else(String::new, |look| format!(" ({look})"))
}

/// What the system said, without its capital and the number that Rust adds.
pub(crate) fn fragment(error: &io::Error) -> String {
    let words = error.to_string();
    let words = words.split(" (os error ").next().unwrap_or_default();
    let mut letters = words.chars();
    let first = letters.next().map(char::to_lowercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// How to end a use.
fn release(used: &Use, target: &Path) -> String {
    let node = |device: &Option<String>| {
        device.as_ref().map_or_else(
            || target.display().to_string(),
            |name| format!("/dev/{name}"),
        )
    };
    match used {
        Use::Mounted { on, .. } => format!("umount {}", on.display()),
        Use::Swap { device } => format!("swapoff {}", node(device)),
        Use::Member { device, of, .. } => format!("take {} out of /dev/{of} first", node(device)),
        Use::MemberOfBtrfs { device } => {
            format!("take {} out of the btrfs first", node(device))
        }
        Use::Bcache { device } => format!("unregister {} from bcache first", node(device)),
        Use::Loop { by, .. } => format!("losetup --detach /dev/{by}"),
        Use::Hidden { by, .. } => {
            format!("losetup --detach /dev/{by}, or run where /dev/{by} can be opened")
        }
        Use::Exported { by, .. } | Use::HiddenExport(by) => {
            format!("end what {} serves", by.by.display())
        }
        Use::Open { by, .. } => format!("end process {} ({})", by.pid, by.name),
        Use::Held => {
            "end its use (a pool, another mount name space, a program that claimed it)".to_owned()
        }
    }
}
