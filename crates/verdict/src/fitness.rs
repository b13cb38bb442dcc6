//! Whether a target is fit to be measured: what is known of it before the first request.
//!
//! The codes are those of the checks of a result where there is such a check.

use crate::checks::{memory_target, no_device};
use crate::thresholds::{
    ALLOCATED, EXTENT_SHARE, FIT_NEIGHBOUR_BYTES, FIT_NEIGHBOUR_IOPS, ROOM_BYTES, STEAL_PERCENT,
    WORN_PERCENT,
};
use fathom_core::figure::{iops, megabytes, percent, plural, size};
use fathom_core::result::Health;
use fathom_core::{Caveat, Level};

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
    /// Limits of block I/O on our control group.
    pub limits: Vec<String>,
    /// What each disk did while nobody measured: name, requests and bytes a second.
    pub idle: Vec<(String, f64, f64)>,
    /// Processor time that the hypervisor gave to others meanwhile, percent.
    pub steal_percent: Option<f64>,
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

/// What is doubtful about a measurement of this target, the worst first. A level of invalid makes
/// it unfit.
pub fn fitness(facts: &Facts) -> Vec<Caveat> {
    let mut found = Vec::new();
    place(facts, &mut found);
    if let Some(file) = &facts.file {
        layout(file, &mut found);
    }
    stack(facts, &mut found);
    meanwhile(facts, &mut found);
    found.sort_by_key(|caveat| std::cmp::Reverse(caveat.level));
    found
}

/// The devices below it.
fn below(facts: &Facts) -> impl Iterator<Item = memory_target::Below<'_>> {
    let devices = facts.below.iter();
    devices.map(|(name, kind, backing)| memory_target::Below {
        name,
        kind,
        backing,
    })
}

/// Where it lies.
fn place(facts: &Facts, found: &mut Vec<Caveat>) {
    let file_system = facts.file_system.as_deref().unwrap_or_default();
    let upper = facts.upper_file_system.as_str();
    if let Some(level) = memory_target::level(file_system, upper, &facts.mount_point) {
        let keeps = memory_target::keeps(file_system, upper);
        let message = format!("{keeps}: this would measure RAM");
        found.push(Caveat::new("memory_target", level, message).remedy(memory_target::REMEDY));
    } else if let Some((level, keeps)) = memory_target::device(below(facts), !facts.is_device) {
        let message = format!("{keeps}: this would measure RAM");
        found.push(Caveat::new("memory_target", level, message).remedy(memory_target::REMEDY));
    } else if facts.leaves.is_empty() {
        let message = "no block device is known below the target: that the bytes reach a medium \
                       cannot be confirmed";
        found.push(Caveat::new("no_device", Level::Qualified, message).remedy(no_device::REMEDY));
    }
    if facts.direct_align_bytes == Some(0) {
        let message = "the file system has no direct I/O for this file: the page cache would be \
                       measured";
        let remedy = "--no-direct on purpose with a file of twice the memory, or another target";
        found.push(Caveat::new("direct_unsupported", Level::Suspect, message).remedy(remedy));
    }
    if facts.read_only {
        let message = "it is mounted or set read-only: only reads can be measured";
        let remedy = "make it writable, if writes are to be measured";
        found.push(Caveat::new("read_only", Level::Qualified, message).remedy(remedy));
    }
    if facts.is_mounted {
        let message = "a file system on it is mounted: writes would be refused";
        let remedy = "a path on the file system, or unmount it";
        found.push(Caveat::new("mounted", Level::Qualified, message).remedy(remedy));
    }
    if let Some(room) = facts.available_bytes.filter(|room| *room < ROOM_BYTES) {
        let message = format!(
            "{} of room: a file of that size fits into caches",
            size(room)
        );
        let remedy = "make room, or another target";
        found.push(Caveat::new("little_room", Level::Suspect, message).remedy(remedy));
    }
}

/// How the blocks of a file lie.
fn layout(file: &FileFacts, found: &mut Vec<Caveat>) {
    let whole = file.size_bytes as f64;
    let fresh = "let fathom lay out a file of its own, or write this one from end to end";
    if (file.allocated_bytes as f64) < whole * ALLOCATED {
        let message = format!(
            "the file has holes: {} of {} are allocated, and holes are read without I/O",
            size(file.allocated_bytes),
            size(file.size_bytes)
        );
        found.push(Caveat::new("sparse", Level::Invalid, message).remedy(fresh));
    }
    if file.unwritten_bytes as f64 > whole * EXTENT_SHARE {
        let message = format!(
            "{} of the file were reserved and never written: they are read without I/O",
            size(file.unwritten_bytes)
        );
        found.push(Caveat::new("unwritten", Level::Invalid, message).remedy(fresh));
    }
    if file.encoded_bytes as f64 > whole * EXTENT_SHARE {
        let message = format!(
            "{} of the file are compressed, encrypted or kept with the metadata: the device would \
             see other bytes than fathom",
            size(file.encoded_bytes)
        );
        let remedy = "write the file anew with compression off, or test the device below";
        found.push(Caveat::new("encoded_extents", Level::Qualified, message).remedy(remedy));
    }
    if file.shared_bytes as f64 > whole * EXTENT_SHARE {
        let message = format!(
            "{} of the file are shared: the first write to each makes a copy",
            size(file.shared_bytes)
        );
        found.push(Caveat::new("shared_extents", Level::Qualified, message).remedy(fresh));
    }
}

/// What is under it.
fn stack(facts: &Facts, found: &mut Vec<Caveat>) {
    for (name, start, physical) in &facts.misaligned {
        let message = format!(
            "the partition begins at byte {start}, which is no multiple of the physical block of \
             {}: writes touch two blocks",
            size(u64::from(*physical))
        );
        let remedy = "a partition that begins at a whole MiB";
        let caveat = Caveat::new("misaligned", Level::Suspect, message).remedy(remedy);
        found.push(caveat.about(name.clone()));
    }
    for (name, current, capable) in &facts.slow_links {
        let message = format!("the link runs at {current}; the disk is capable of {capable}");
        let remedy = "another slot, or look at cable and firmware";
        let caveat = Caveat::new("link_degraded", Level::Qualified, message).remedy(remedy);
        found.push(caveat.about(name.clone()));
    }
    for (name, state) in &facts.busy_arrays {
        let message = format!("the array is busy with itself or not whole: {state}");
        let remedy = "wait until it is done";
        let caveat = Caveat::new("background", Level::Suspect, message).remedy(remedy);
        found.push(caveat.about(name.clone()));
    }
    for (name, health) in &facts.health {
        found.extend(unhealthy(health).map(|caveat| caveat.about(name.clone())));
    }
    for limit in &facts.limits {
        let message = format!("the control group limits block I/O: {limit}");
        let remedy = "run outside the group, or say that its limit is what is meant";
        found.push(Caveat::new("io_limited", Level::Qualified, message).remedy(remedy));
    }
}

/// The worst that a controller says of itself.
fn unhealthy(health: &Health) -> Option<Caveat> {
    /// Bits of the critical warning, with what they mean.
    const WARNINGS: [&str; 6] = [
        "its spare capacity is used up",
        "it is too hot, or too cold",
        "it is no more reliable",
        "it only lets itself be read",
        "the backup of its volatile memory has failed",
        "its persistent memory is no more reliable",
    ];
    let bits = WARNINGS.iter().enumerate();
    let raised = bits.filter(|(bit, _)| health.critical_warning >> bit & 1 == 1);
    let raised: Vec<&str> = raised.map(|(_, words)| *words).collect();
    let (level, message) = if !raised.is_empty() {
        let message = format!("the disk warns: {}", raised.join(", "));
        (Level::Suspect, message)
    } else if health.used_percent >= WORN_PERCENT {
        let message = format!(
            "the disk puts the life that is used at {} %, with {} % of spare capacity left",
            health.used_percent, health.spare_percent
        );
        (Level::Qualified, message)
    } else if health.media_errors > 0 {
        let message = format!(
            "the disk has counted {} in its life that it could not mend",
            plural(health.media_errors, "error")
        );
        (Level::Note, message)
    } else {
        return None;
    };
    let remedy =
        "look at `nvme smart-log`, and replace the disk; its speed is not that of a new one";
    Some(Caveat::new("unhealthy", level, message).remedy(remedy))
}

/// What went on while nobody measured.
fn meanwhile(facts: &Facts, found: &mut Vec<Caveat>) {
    for (name, requests, bytes) in &facts.idle {
        if *requests > FIT_NEIGHBOUR_IOPS || *bytes > FIT_NEIGHBOUR_BYTES {
            let message = format!(
                "others use it: {} IOPS and {} MB/s while nobody measured",
                iops(*requests),
                megabytes(*bytes)
            );
            let remedy = "stop them, or measure when they are done; `fathom watch` shows them";
            let caveat = Caveat::new("neighbour", Level::Suspect, message).remedy(remedy);
            found.push(caveat.about(name.clone()));
        }
    }
    let (note, suspect) = STEAL_PERCENT;
    if let Some(steal) = facts.steal_percent.filter(|steal| *steal > note) {
        let level = if steal > suspect {
            Level::Suspect
        } else {
            Level::Note
        };
        let message = format!(
            "the hypervisor gave {} of the processors to others",
            percent(steal)
        );
        let remedy = "measure when the host is quieter, or on a dedicated one";
        found.push(Caveat::new("steal", level, message).remedy(remedy));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    fn codes(change: impl Fn(&mut Facts)) -> Vec<(String, Level)> {
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
        let cases: [(Change, &str, Level); 14] = [
            (
                |f| {
                    f.file_system = Some("tmpfs".into());
                    f.mount_point = "/dev/shm".into();
                },
                "memory_target",
                Level::Qualified,
            ),
            (
                |f| f.file_system = Some("tmpfs".into()),
                "memory_target",
                Level::Invalid,
            ),
            (|f| f.leaves.clear(), "no_device", Level::Qualified),
            (
                |f| f.direct_align_bytes = Some(0),
                "direct_unsupported",
                Level::Suspect,
            ),
            (|f| f.read_only = true, "read_only", Level::Qualified),
            (|f| f.is_mounted = true, "mounted", Level::Qualified),
            (
                |f| f.available_bytes = Some((1 << 30) - 1),
                "little_room",
                Level::Suspect,
            ),
            (
                |f| f.misaligned = vec![("sda1".into(), 512, 4096)],
                "misaligned",
                Level::Suspect,
            ),
            (
                |f| f.slow_links = vec![("nvme0n1".into(), "x2".into(), "x4".into())],
                "link_degraded",
                Level::Qualified,
            ),
            (
                |f| f.busy_arrays = vec![("md0".into(), "resync".into())],
                "background",
                Level::Suspect,
            ),
            (
                |f| f.limits = vec!["io.max".into()],
                "io_limited",
                Level::Qualified,
            ),
            (|f| f.idle[0].1 = 50.1, "neighbour", Level::Suspect),
            (|f| f.steal_percent = Some(1.1), "steal", Level::Note),
            (|f| f.steal_percent = Some(5.1), "steal", Level::Suspect),
        ];
        for (change, code, level) in cases {
            assert_eq!(codes(change), [(code.to_owned(), level)]);
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
            "look at `nvme smart-log`, and replace the disk; its speed is not that of a new one";
        let expected = |level, message: &str| {
            let caveat = Caveat::new("unhealthy", level, message).remedy(remedy);
            [caveat.about("nvme0n1")]
        };
        let erring = Health {
            media_errors: 2,
            ..well
        };
        let message = "the disk has counted 2 errors in its life that it could not mend";
        assert_eq!(told(erring), expected(Level::Note, message));
        let worn = Health {
            used_percent: 100,
            ..erring
        };
        let message = "the disk puts the life that is used at 100 %, with 100 % of spare capacity \
                       left";
        assert_eq!(told(worn), expected(Level::Qualified, message));
        let warning = Health {
            critical_warning: 0b1001,
            ..worn
        };
        let message = "the disk warns: its spare capacity is used up, it only lets itself be read";
        assert_eq!(told(warning), expected(Level::Suspect, message));
    }

    #[test]
    fn a_file_of_which_some_is_never_read_is_unfit() {
        type Change = fn(&mut FileFacts);
        let cases: [(Change, &str, Level); 4] = [
            (|file| file.allocated_bytes = 979, "sparse", Level::Invalid),
            (|file| file.unwritten_bytes = 2, "unwritten", Level::Invalid),
            (
                |file| file.encoded_bytes = 2,
                "encoded_extents",
                Level::Qualified,
            ),
            (
                |file| file.shared_bytes = 2,
                "shared_extents",
                Level::Qualified,
            ),
        ];
        for (change, code, level) in cases {
            let found = codes(|facts| facts.file.iter_mut().for_each(change));
            assert_eq!(found, [(code.to_owned(), level)]);
        }
    }

    #[test]
    fn the_worst_comes_first() {
        let found = codes(|facts| {
            facts.read_only = true;
            facts.steal_percent = Some(2.0);
            facts.file_system = Some("tmpfs".into());
        });
        let order: Vec<&str> = found.iter().map(|(code, _)| code.as_str()).collect();
        assert_eq!(order, ["memory_target", "read_only", "steal"]);
    }
}
