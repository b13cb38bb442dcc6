//! The limits of the instance that this machine is, as far as the system shows them.

use crate::plan::Plan;
use fathom_core::result::RunResult;
use fathom_core::{Cap, Level};
use fathom_device::recognise::{Recognised, place};
use fathom_device::{Sysfs, System, Topology};
use fathom_verdict::Code;
use fathom_volume::Catalog;
use fathom_volume::catalog::day_of;
use std::path::Path;

/// The limits of this instance to the volumes below the targets of a run, where firmware names the
/// instance, the catalogue knows it, and all disks below are volumes that it reaches. With what is
/// to be said of it.
pub(crate) fn caps(plan: &Plan) -> Option<(Vec<Cap>, String)> {
    let paths = plan.targets.iter().map(|target| target.path.as_path());
    caps_below(paths)
}

/// The same for volumes below paths or nodes of devices.
pub fn caps_below<'a>(paths: impl Iterator<Item = &'a Path>) -> Option<(Vec<Cap>, String)> {
    let seen = place(&Sysfs::default());
    let name = seen.instance.as_deref()?;
    let system = System::live().ok()?;
    for path in paths {
        let topology = Topology::of_path(&system, path).ok()?;
        let found = Recognised::of(&system.sysfs, &topology).ok()?;
        if !found.is_behind_instance(topology.leaves().len()) {
            return None;
        }
    }
    let catalog = Catalog::embedded();
    let today = day_of(fathom_engine::clock::utc_now_ns());
    let instance = catalog.instance(name, None, today).ok()?;
    let limits = instance.limits(&instance.network?, "");
    let caps = limits.into_iter().map(|limit| limit.cap).collect();
    let text = sentence(name, seen.source.name(), &instance.evidence.to_string());
    Some((caps, text))
}

fn sentence(instance: &str, says: &str, evidence: &str) -> String {
    format!("the {says} identifies this machine as {instance}. Its limits are applied [{evidence}]")
}

/// Puts into a result that limits of the instance were considered.
pub(crate) fn note(result: &mut RunResult, text: String) {
    result
        .caveats
        .push(Code::Instance.caveat(Level::Note, text));
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_device::recognise::Source;

    #[test]
    fn the_example_is_what_is_said() {
        let at = "2026-11-01".parse().unwrap();
        let catalog = Catalog::embedded();
        let known = catalog.instance("r5d.xlarge", None, at).unwrap();
        let evidence = known.evidence.to_string();
        let said = sentence("r5d.xlarge", Source::Dmi.name(), &evidence);
        let documented = fathom_verdict::Code::Instance.entry();
        let documented = documented.and_then(fathom_verdict::Entry::example);
        assert_eq!(documented.map(|one| one.message), Some(said));
    }
}
