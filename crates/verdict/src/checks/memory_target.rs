//! Files that lie in memory.

use crate::check::Check;
use crate::subject;
use fathom_core::result::{RunResult, TargetInfo};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    codes: &["memory_target"],
    needs: &[],
    purpose: "whether the target lies on storage at all (P18)",
    run,
};

/// File systems that keep their files in the page cache and nowhere else.
const IN_MEMORY: [&str; 2] = ["tmpfs", "ramfs"];
/// Mount points that are named for it: who names a path below one of them names memory.
const NAMED: [&str; 2] = ["/dev/shm", "/run/shm"];

/// Whether the target lies in memory.
pub(crate) fn is_in_memory(target: &TargetInfo) -> bool {
    level(
        &target.file_system,
        &target.upper_file_system,
        &target.mount_point,
    )
    .is_some()
}

/// How far a result of memory can be trusted: invalid unless memory was named as the target (P18).
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
        format!("{file_system} keeps its files in memory")
    } else {
        format!("this {file_system} keeps its files in {upper}, in memory")
    }
}

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    if !subject::touches_storage(result) {
        return;
    }
    for target in &result.provenance.targets {
        let (kind, upper) = (&target.file_system, &target.upper_file_system);
        let Some(level) = level(kind, upper, &target.mount_point) else {
            continue;
        };
        let message = format!("{}: this measured RAM", keeps(kind, upper));
        caveats.push(
            Caveat::new("memory_target", level, message)
                .remedy(REMEDY)
                .about(target.path.clone()),
        );
    }
}

/// What to do about it.
pub(crate) const REMEDY: &str =
    "a target on a file system that has a device; below /dev/shm, if memory is meant";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    #[test]
    fn memory_is_invalid_unless_it_was_named() {
        let mut result = fixture::random_read();
        assert_eq!(found(&CHECK, &result), []);
        let target = &mut result.provenance.targets[0];
        target.file_system = "tmpfs".to_owned();
        let message = "tmpfs keeps its files in memory: this measured RAM";
        let expected = |level| {
            Caveat::new("memory_target", level, message)
                .remedy(REMEDY)
                .about("/data/fathom.dat")
        };
        target.mount_point = "/tmp".to_owned();
        assert_eq!(found(&CHECK, &result), [expected(Level::Invalid)]);
        result.provenance.targets[0].mount_point = "/dev/shm".to_owned();
        assert_eq!(found(&CHECK, &result), [expected(Level::Qualified)]);
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
        let message = "this overlay keeps its files in tmpfs, in memory: this measured RAM";
        let expected = Caveat::new("memory_target", Level::Invalid, message)
            .remedy(REMEDY)
            .about("/data/fathom.dat");
        assert_eq!(found(&CHECK, &with("tmpfs")), [expected]);
    }
}
