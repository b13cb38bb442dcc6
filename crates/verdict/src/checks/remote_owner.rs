//! Targets that another machine serves, or shares.

use crate::check::{Check, Code, Example, Needs, entry};
use crate::samples;
use crate::subject;
use fathom_core::result::{RunResult, TargetInfo};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether another machine serves or shares the target",
    needs: Needs::OurRun(&[]),
    codes: &[
        entry! { RemoteOwner: Subject, Elsewhere, "qualified; note if shared",
            "another machine serves the file system, or several share it",
            [],
            Example::Run(samples::reads, |r| {
                r.provenance.targets[0].file_system = "nfs4".into();
            })
        },
    ],
    run,
};

/// File systems on a volume that several machines share; who owns it is not to be seen.
const SHARED: [&str; 3] = ["gfs2", "ocfs2", "gpfs"];

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    if !subject::touches_storage(result) {
        return;
    }
    for target in &result.provenance.targets {
        let name = target.file_system.as_str();
        let (level, what) = if subject::is_served(name) {
            let what = "another machine serves it. The network and the caches of that machine are \
                        part of the numbers";
            (Level::Qualified, what)
        } else if SHARED.contains(&name) {
            let what = "several machines share it. A request may pass through the machine that \
                        owns the volume, or wait for its lock";
            (Level::Note, what)
        } else {
            continue;
        };
        caveats.push(
            Code::RemoteOwner
                .caveat(level, format!("{}: {what}", whence(target)))
                .remedy("also measure on the machine that owns the storage, and compare")
                .about(target.path.clone()),
        );
    }
}

/// The file system, and what is mounted where that is known.
fn whence(target: &TargetInfo) -> String {
    if target.mount_source.is_empty() {
        return target.file_system.clone();
    }
    format!("{} from {}", target.file_system, target.mount_source)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    #[test]
    fn other_machines_are_told_by_the_file_system() {
        let with = |file_system: &str| {
            let mut result = fixture::random_read();
            file_system.clone_into(&mut result.provenance.targets[0].file_system);
            found(&CHECK, &result)
        };
        let caveat = |level, message: &str| {
            Code::RemoteOwner
                .caveat(level, message)
                .remedy("also measure on the machine that owns the storage, and compare")
                .about("/data/fathom.dat")
        };
        assert_eq!(with("ext4"), []);
        let message = "nfs4: another machine serves it. The network and the caches of that machine \
                       are part of the numbers";
        assert_eq!(with("nfs4"), [caveat(Level::Qualified, message)]);
        let message = "ocfs2: several machines share it. A request may pass through the machine \
                       that owns the volume, or wait for its lock";
        assert_eq!(with("ocfs2"), [caveat(Level::Note, message)]);
    }
}
