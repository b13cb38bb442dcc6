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
    IN_MEMORY.contains(&target.file_system.as_str())
}

/// How far a result of memory can be trusted: invalid unless memory was named as the target (P18).
/// The same before a run and after it.
pub(crate) fn level(file_system: &str, mount_point: &str) -> Option<Level> {
    IN_MEMORY.contains(&file_system).then(|| {
        if NAMED.contains(&mount_point) {
            Level::Qualified
        } else {
            Level::Invalid
        }
    })
}

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    if !subject::touches_storage(result) {
        return;
    }
    for target in &result.provenance.targets {
        let Some(level) = level(&target.file_system, &target.mount_point) else {
            continue;
        };
        let message = format!(
            "{} keeps its files in memory: this measured RAM",
            target.file_system
        );
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
}
