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

/// Whether the target lies in memory.
pub(crate) fn is_in_memory(target: &TargetInfo) -> bool {
    IN_MEMORY.contains(&target.file_system.as_str())
}

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    if !subject::touches_storage(result) {
        return;
    }
    let targets = result.provenance.targets.iter();
    for target in targets.filter(|target| is_in_memory(target)) {
        let message = format!(
            "{} keeps its files in memory: this measured RAM",
            target.file_system
        );
        caveats.push(
            Caveat::new("memory_target", Level::Qualified, message)
                .remedy("a target on a file system that has a device")
                .about(target.path.clone()),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    #[test]
    fn memory_is_called_by_its_name() {
        let mut result = fixture::random_read();
        assert_eq!(found(&CHECK, &result), []);
        result.provenance.targets[0].file_system = "tmpfs".to_owned();
        let message = "tmpfs keeps its files in memory: this measured RAM";
        let expected = Caveat::new("memory_target", Level::Qualified, message)
            .remedy("a target on a file system that has a device")
            .about("/data/fathom.dat");
        assert_eq!(found(&CHECK, &result), [expected]);
    }
}
