//! Whether a target is fit to be measured: what is known of it before the first request.
//!
//! The codes are those of the checks of a result where there is such a check.

use crate::check::{order, thresholds};
use crate::checks::BEFORE;
use fathom_core::result::Health;
use fathom_core::{Caveat, Nanos};

thresholds! {
    /// Time over which `fathom check` looks what others do
    LOOK_NS: u64 = 3_000_000_000, Nanoseconds, Decided;
}

/// Time over which to look what others do to a target, before it is measured.
pub const LOOK: Nanos = Nanos(LOOK_NS);

/// What is known of a target.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// Type of the file system it lies on; none for a device.
    pub file_system: Option<String>,
    /// Type of the file system that keeps what is written to an overlay; empty elsewhere.
    pub upper_file_system: String,
    /// Where that is mounted; empty for a device.
    pub mount_point: String,
    /// It cannot be written.
    pub read_only: bool,
    /// Why writes would be refused: of a directory, because no file can be made in it; of a file,
    /// because what it holds would be lost.
    pub refused: Option<String>,
    /// It is a device on which something is mounted.
    pub is_mounted: bool,
    /// It is a device itself.
    pub is_device: bool,
    /// All devices below it: name, kind, and of a loop device the type of the file system that
    /// keeps its file.
    pub below: Vec<(String, String, String)>,
    /// Names of the disks at the bottom.
    pub leaves: Vec<String>,
    /// Unit of direct I/O as the file system says; 0 where there is none.
    pub direct_align_bytes: Option<u32>,
    /// The file, if it is there.
    pub file: Option<FileFacts>,
    /// Room on the file system for this user.
    pub available_bytes: Option<u64>,
    /// Partitions with their start and the physical block they should be aligned to.
    pub misaligned: Vec<(String, u64, u32)>,
    /// Disks whose link is worse than they could have it: name, as it is, as it could be.
    pub slow_links: Vec<(String, String, String)>,
    /// Arrays that are degraded or busy with themselves, with what the kernel says.
    pub busy_arrays: Vec<(String, String)>,
    /// What NVMe controllers say of their health, by the disk.
    pub health: Vec<(String, Health)>,
    /// Network links of this machine: name, and what they carry in bytes a second.
    pub links: Vec<(String, f64)>,
    /// Limits of block I/O on our control group.
    pub limits: Vec<String>,
    /// What each disk did while nobody measured: name, requests and bytes a second.
    pub idle: Vec<(String, f64, f64)>,
    /// Processor time that the hypervisor gave to others meanwhile, percent.
    pub steal_percent: Option<f64>,
    /// On Windows: programs that have the file open, each with its number.
    pub file_openers: Vec<String>,
    /// On Windows: why those are not known.
    pub openers_unknown: Option<String>,
    /// On Windows: the file keeps checksums of its content.
    pub integrity_streams: bool,
    /// On Windows: the virus scanner looks at the target, surely or perhaps.
    pub scanned: Option<bool>,
    /// On Windows: the state of the encryption of the volume.
    pub encryption: Option<String>,
    /// On Windows: the node that owns the cluster shared volume, if it is another one.
    pub owner: Option<String>,
    /// On Windows: why requests to a cluster shared volume go by another node.
    pub redirected: Option<String>,
    /// On Windows: the power plan, if it saves power.
    pub power_plan: Option<String>,
    /// On Windows: the Storage Spaces that the volume lies on, and their tiers.
    pub spaces: Vec<Space>,
    /// On Windows: why its tools gave no answer.
    pub silent_tools: Option<String>,
}

/// A Storage Space, or a tier of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Space {
    /// As the user calls it.
    pub name: String,
    /// As `Mirror`, `Parity` or `Simple`.
    pub resiliency: String,
    /// Disks that a stripe lies on, or pairs of them.
    pub columns: u32,
    /// What of a stripe lies on one of them.
    pub interleave_bytes: u64,
    /// Of the data; none where it is not stated.
    pub copies: Option<u32>,
}

/// How a file lies on its storage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileFacts {
    /// Its length.
    pub size_bytes: u64,
    /// What is allocated of it.
    pub allocated_bytes: u64,
    /// Reserved and never written.
    pub unwritten_bytes: u64,
    /// Compressed, encrypted or inline.
    pub encoded_bytes: u64,
    /// Shared with others.
    pub shared_bytes: u64,
}

/// Warnings about a measurement of this target, the worst first. A level of invalid makes it unfit.
pub fn fitness(facts: &Facts) -> Vec<Caveat> {
    let mut found = Vec::new();
    for look in BEFORE {
        (look.run)(facts, &mut found);
    }
    order(&mut found);
    found
}

/// Targets for the examples.
pub(crate) mod samples {
    use super::{Facts, FileFacts};

    /// A file with which everything is wrong.
    pub(crate) fn of_a_file() -> Facts {
        Facts {
            file: Some(FileFacts {
                size_bytes: 10 << 30,
                allocated_bytes: 3 << 30,
                unwritten_bytes: 1 << 30,
                encoded_bytes: 2 << 30,
                shared_bytes: 10 << 30,
            }),
            ..Facts::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Code;
    use fathom_core::{CodeWord, Level};

    fn fit() -> Facts {
        Facts {
            file_system: Some("ext4".into()),
            leaves: vec!["sda".into()],
            direct_align_bytes: Some(512),
            available_bytes: Some(1 << 30),
            idle: vec![("sda".into(), 50.0, 1e6)],
            steal_percent: Some(1.0),
            file: Some(FileFacts {
                size_bytes: 1000,
                allocated_bytes: 980,
                unwritten_bytes: 1,
                encoded_bytes: 1,
                shared_bytes: 1,
            }),
            ..Facts::default()
        }
    }

    fn codes(change: impl Fn(&mut Facts)) -> Vec<(CodeWord, Level)> {
        let mut facts = fit();
        change(&mut facts);
        let found = fitness(&facts);
        found
            .into_iter()
            .map(|caveat| (caveat.code, caveat.level))
            .collect()
    }

    #[test]
    fn each_limit_is_let_pass_and_one_more_is_not() {
        type Change = fn(&mut Facts);
        assert_eq!(codes(|_| ()), []);
        let cases: [(Change, Code, Level); 14] = [
            (
                |f| {
                    f.file_system = Some("tmpfs".into());
                    f.mount_point = "/dev/shm".into();
                },
                Code::MemoryTarget,
                Level::Qualified,
            ),
            (
                |f| f.file_system = Some("tmpfs".into()),
                Code::MemoryTarget,
                Level::Invalid,
            ),
            (|f| f.leaves.clear(), Code::NoDevice, Level::Qualified),
            (
                |f| f.direct_align_bytes = Some(0),
                Code::DirectUnsupported,
                Level::Suspect,
            ),
            (|f| f.read_only = true, Code::ReadOnly, Level::Qualified),
            (|f| f.is_mounted = true, Code::Mounted, Level::Qualified),
            (
                |f| f.available_bytes = Some((1 << 30) - 1),
                Code::LittleRoom,
                Level::Suspect,
            ),
            (
                |f| f.misaligned = vec![("sda1".into(), 512, 4096)],
                Code::Misaligned,
                Level::Suspect,
            ),
            (
                |f| f.slow_links = vec![("nvme0n1".into(), "x2".into(), "x4".into())],
                Code::LinkDegraded,
                Level::Qualified,
            ),
            (
                |f| f.busy_arrays = vec![("md0".into(), "resync".into())],
                Code::Background,
                Level::Suspect,
            ),
            (
                |f| f.limits = vec!["io.max".into()],
                Code::IoLimited,
                Level::Qualified,
            ),
            (|f| f.idle[0].1 = 50.1, Code::Neighbour, Level::Suspect),
            (|f| f.steal_percent = Some(1.1), Code::Steal, Level::Note),
            (|f| f.steal_percent = Some(5.1), Code::Steal, Level::Suspect),
        ];
        for (change, code, level) in cases {
            assert_eq!(codes(change), [(code.into(), level)]);
        }
    }

    #[test]
    fn what_the_tools_of_windows_say_is_a_finding() {
        type Change = fn(&mut Facts);
        let cases: [(Change, Code, Level); 10] = [
            (
                |f| f.file_openers = vec!["a (process 1)".into()],
                Code::FileOpen,
                Level::Qualified,
            ),
            (
                |f| f.spaces = vec![Space::default()],
                Code::StorageSpace,
                Level::Note,
            ),
            (
                |f| f.silent_tools = Some("PowerShell did not answer".into()),
                Code::SurroundingsUnknown,
                Level::Note,
            ),
            (
                |f| f.openers_unknown = Some("The Restart Manager could not be used".into()),
                Code::SurroundingsUnknown,
                Level::Note,
            ),
            (
                |f| f.integrity_streams = true,
                Code::IntegrityStreams,
                Level::Qualified,
            ),
            (|f| f.scanned = Some(false), Code::VirusScanner, Level::Note),
            (
                |f| f.encryption = Some("FullyEncrypted".into()),
                Code::VolumeEncrypted,
                Level::Note,
            ),
            (
                |f| f.owner = Some("NODE2".into()),
                Code::CsvOwner,
                Level::Note,
            ),
            (
                |f| {
                    f.owner = Some("NODE2".into());
                    f.redirected = Some("BlockRedirected".into());
                },
                Code::CsvOwner,
                Level::Suspect,
            ),
            (
                |f| f.power_plan = Some("Balanced".into()),
                Code::PowerPlan,
                Level::Qualified,
            ),
        ];
        for (change, code, level) in cases {
            assert_eq!(codes(change), [(code.into(), level)]);
        }
    }

    #[test]
    fn a_disk_that_is_not_well_says_so() {
        let told = |health: Health| {
            fitness(&Facts {
                health: vec![("nvme0n1".into(), health)],
                ..fit()
            })
        };
        let well = Health {
            spare_percent: 100,
            used_percent: 99,
            ..Health::default()
        };
        assert_eq!(told(well), []);
        let remedy =
            "check `nvme smart-log`, and replace the disk. Its speed is not that of a new one";
        let expected = |level, message: &str| {
            let caveat = Code::Unhealthy.caveat(level, message).remedy(remedy);
            [caveat.about("nvme0n1")]
        };
        let erring = Health {
            media_errors: 2,
            ..well
        };
        let message = "the disk reports 2 errors that it could not correct";
        assert_eq!(told(erring), expected(Level::Note, message));
        let worn = Health {
            used_percent: 100,
            ..erring
        };
        let message = "the disk reports 100 % of its rated life used, and 100 % of spare capacity \
                       left";
        assert_eq!(told(worn), expected(Level::Qualified, message));
        let warning = Health {
            critical_warning: 0b1001,
            ..worn
        };
        let message = "the disk warns: its spare capacity is used up, it is read-only";
        assert_eq!(told(warning), expected(Level::Suspect, message));
    }

    #[test]
    fn a_file_of_which_some_is_never_read_is_unfit() {
        type Change = fn(&mut FileFacts);
        let cases: [(Change, Code, Level); 4] = [
            (
                |file| file.allocated_bytes = 979,
                Code::Sparse,
                Level::Invalid,
            ),
            (
                |file| file.unwritten_bytes = 2,
                Code::Unwritten,
                Level::Invalid,
            ),
            (
                |file| file.encoded_bytes = 2,
                Code::EncodedExtents,
                Level::Qualified,
            ),
            (
                |file| file.shared_bytes = 2,
                Code::SharedExtents,
                Level::Qualified,
            ),
        ];
        for (change, code, level) in cases {
            let found = codes(|facts| facts.file.iter_mut().for_each(change));
            assert_eq!(found, [(code.into(), level)]);
        }
    }

    #[test]
    fn the_worst_comes_first() {
        let found = codes(|facts| {
            facts.read_only = true;
            facts.steal_percent = Some(2.0);
            facts.file_system = Some("tmpfs".into());
        });
        let order: Vec<CodeWord> = found.into_iter().map(|(code, _)| code).collect();
        assert_eq!(order, [Code::MemoryTarget, Code::ReadOnly, Code::Steal]);
    }
}
