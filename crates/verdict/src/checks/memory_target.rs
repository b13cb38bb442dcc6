//! Files that lie in memory.

use crate::check::{Check, Code, Example, Look, Needs, entry};
use crate::fitness::Facts;
use crate::samples;
use crate::subject;
use fathom_core::result::{RunResult, TargetInfo};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether the target is on storage at all",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { MemoryTarget: Subject, Elsewhere,
        "invalid; qualified below /dev/shm, and for a memory disk as target",
        "the file system, the upper layer of an overlay, or the backing file of a loop device \
         below the target is in memory (tmpfs, ramfs); or a memory disk (zram, brd) is the \
         target or below it",
        [],
        Example::Run(samples::reads, |r| {
            r.provenance.targets[0].file_system = "tmpfs".into();
        })
    }],
    run,
};

/// File systems that keep their files in the page cache and nowhere else.
const IN_MEMORY: [&str; 2] = ["tmpfs", "ramfs"];
/// Kinds of devices that keep their blocks in memory, and the first letters of those of them that
/// do not forget.
const DISKS: [&str; 2] = ["zram", "ram"];
const PERSISTENT: &str = "pmem";
/// A part of a device, in the stead of which that is looked at.
const PARTITION: &str = "partition";
/// Mount points that are named for it: who names a path below one of them names memory.
const NAMED: [&str; 2] = ["/dev/shm", "/run/shm"];

/// Whether the files of the target lie in memory themselves.
pub(crate) fn is_in_memory(target: &TargetInfo) -> bool {
    level(
        &target.file_system,
        &target.upper_file_system,
        &target.mount_point,
    )
    .is_some()
}

/// How far a result of memory can be trusted: invalid unless memory was named as the target.
/// The same before a run and after it. `upper` is what keeps the files of an overlay.
pub(crate) fn level(file_system: &str, upper: &str, mount_point: &str) -> Option<Level> {
    [file_system, upper]
        .iter()
        .any(|one| IN_MEMORY.contains(one))
        .then(|| {
            if NAMED.contains(&mount_point) {
                Level::Qualified
            } else {
                Level::Invalid
            }
        })
}

/// Where the files are, as a sentence begins.
pub(crate) fn keeps(file_system: &str, upper: &str) -> String {
    if upper.is_empty() {
        format!("{file_system} stores its files in memory")
    } else {
        format!("this {file_system} stores its files in {upper}, in memory")
    }
}

/// A device below a target, as far as it matters whether it is memory.
pub(crate) struct Below<'a> {
    pub(crate) name: &'a str,
    pub(crate) kind: &'a str,
    /// Of a loop device what keeps its backing file.
    pub(crate) backing: &'a str,
}

/// Whether a device below the target is memory, as a sentence begins: invalid as of a file system
/// in memory, but where a memory disk is itself the target, and so memory was named.
pub(crate) fn device<'a>(
    devices: impl Iterator<Item = Below<'a>>,
    is_file: bool,
) -> Option<(Level, String)> {
    let all: Vec<Below<'a>> = devices.filter(|one| one.kind != PARTITION).collect();
    let keeps = |one: &&Below<'_>| IN_MEMORY.contains(&one.backing);
    if let Some(one) = all.iter().find(keeps) {
        let words = format!("{} stores its file on {}, in memory", one.name, one.backing);
        return Some((Level::Invalid, words));
    }
    // Persistent memory is of the same kind, and is storage.
    let is_memory =
        |one: &&Below<'_>| DISKS.contains(&one.kind) && !one.name.starts_with(PERSISTENT);
    let one = all.iter().find(is_memory)?;
    let is_named = !is_file && all.len() == 1;
    let words = format!("{} stores its blocks in memory", one.name);
    let level = if is_named {
        Level::Qualified
    } else {
        Level::Invalid
    };
    Some((level, words))
}

fn below(target: &TargetInfo) -> Option<(Level, String)> {
    let devices = target.devices.iter().map(|one| Below {
        name: &one.name,
        kind: &one.kind,
        backing: &one.backing_file_system,
    });
    device(devices, target.kind == "file")
}

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    if !subject::touches_storage(result) {
        return;
    }
    for target in &result.provenance.targets {
        let (kind, upper) = (&target.file_system, &target.upper_file_system);
        let found = level(kind, upper, &target.mount_point).map(|one| (one, keeps(kind, upper)));
        let Some((level, keeps)) = found.or_else(|| below(target)) else {
            continue;
        };
        let message = format!("{keeps}. This measured RAM");
        caveats.push(
            Code::MemoryTarget
                .caveat(level, message)
                .remedy(REMEDY)
                .about(target.path.clone()),
        );
    }
}

/// What to do about it.
pub(crate) const REMEDY: &str =
    "use a target on a disk; use /dev/shm if you want to measure memory";

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: entry! { MemoryTarget: Before, Elsewhere, "invalid; qualified below /dev/shm",
        "tmpfs or ramfs",
        [],
        Example::Target(|| Facts {
            file_system: Some("tmpfs".into()),
            ..Facts::default()
        })
    },
    run: before,
};

/// Whether what is known of a target is that it is memory, and how a sentence begins that says so.
pub(crate) fn of_facts(facts: &Facts) -> Option<(Level, String)> {
    let file_system = facts.file_system.as_deref().unwrap_or_default();
    let upper = facts.upper_file_system.as_str();
    let found = level(file_system, upper, &facts.mount_point);
    let found = found.map(|level| (level, keeps(file_system, upper)));
    let below = facts.below.iter().map(|(name, kind, backing)| Below {
        name,
        kind,
        backing,
    });
    found.or_else(|| device(below, !facts.is_device))
}

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    if let Some((level, keeps)) = of_facts(facts) {
        let message = format!("{keeps}. This would measure RAM");
        found.push(Code::MemoryTarget.caveat(level, message).remedy(REMEDY));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;
    use fathom_core::result::TargetDevice;

    #[test]
    fn memory_is_invalid_unless_it_was_named() {
        let mut result = fixture::random_read();
        assert_eq!(found(&CHECK, &result), []);
        let target = &mut result.provenance.targets[0];
        target.file_system = "tmpfs".to_owned();
        let message = "tmpfs stores its files in memory. This measured RAM";
        let expected = |level| {
            Code::MemoryTarget
                .caveat(level, message)
                .remedy(REMEDY)
                .about("/data/fathom.dat")
        };
        target.mount_point = "/tmp".to_owned();
        assert_eq!(found(&CHECK, &result), [expected(Level::Invalid)]);
        result.provenance.targets[0].mount_point = "/dev/shm".to_owned();
        assert_eq!(found(&CHECK, &result), [expected(Level::Qualified)]);
    }

    #[test]
    fn what_lies_below_is_followed_to_the_bottom() {
        let with = |kind: &str, devices: &[(&str, &str, &str)]| {
            let mut result = fixture::random_read();
            let target = &mut result.provenance.targets[0];
            target.kind = kind.to_owned();
            let made = devices.iter().map(|(name, kind, backing)| TargetDevice {
                name: (*name).to_owned(),
                kind: (*kind).to_owned(),
                backing_file_system: (*backing).to_owned(),
                ..TargetDevice::default()
            });
            target.devices = made.collect();
            let found = found(&CHECK, &result).into_iter();
            found
                .map(|one| (one.level, one.message))
                .collect::<Vec<_>>()
        };
        let said = |level, words: &str| vec![(level, format!("{words}. This measured RAM"))];
        let raw = "block device";
        let on_tmpfs = said(Level::Invalid, "loop3 stores its file on tmpfs, in memory");
        let on_zram = |level| said(level, "zram1 stores its blocks in memory");
        assert_eq!(with(raw, &[("loop3", "loop", "tmpfs")]), on_tmpfs);
        assert_eq!(with("file", &[("loop3", "loop", "tmpfs")]), on_tmpfs);
        let mirror = [
            ("md0", "md", ""),
            ("loop3", "loop", "tmpfs"),
            ("sda", "disk", ""),
        ];
        assert_eq!(with(raw, &mirror), on_tmpfs);
        assert_eq!(
            with(raw, &[("loop3", "loop", "ext4"), ("sda", "disk", "")]),
            []
        );
        // Who names a memory disk means it; who names what is upon it may not know.
        let named = on_zram(Level::Qualified);
        assert_eq!(with(raw, &[("zram1", "zram", "")]), named);
        let partition = [("zram1p1", "partition", ""), ("zram1", "zram", "")];
        assert_eq!(with(raw, &partition), named);
        assert_eq!(
            with("file", &[("zram1", "zram", "")]),
            on_zram(Level::Invalid)
        );
        let nested = [("loop4", "loop", "ext4"), ("zram1", "zram", "")];
        assert_eq!(with(raw, &nested), on_zram(Level::Invalid));
        assert_eq!(with("file", &[("pmem0", "ram", "")]), []);
    }

    #[test]
    fn an_overlay_is_where_its_upper_directory_is() {
        let with = |upper: &str| {
            let mut result = fixture::random_read();
            let target = &mut result.provenance.targets[0];
            target.file_system = "overlay".to_owned();
            target.upper_file_system = upper.to_owned();
            result
        };
        assert_eq!(found(&CHECK, &with("")), []);
        assert_eq!(found(&CHECK, &with("ext4")), []);
        let message = "this overlay stores its files in tmpfs, in memory. This measured RAM";
        let expected = Code::MemoryTarget
            .caveat(Level::Invalid, message)
            .remedy(REMEDY)
            .about("/data/fathom.dat");
        assert_eq!(found(&CHECK, &with("tmpfs")), [expected]);
    }
}
