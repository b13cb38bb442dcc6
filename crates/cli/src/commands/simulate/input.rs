//! The workload of a simulation, whatever its format.

use super::super::surroundings::Live;
use super::super::volume_model::Model;
use super::super::{foreign, selection};
use crate::args::{SimulateArgs, TargetArg};
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use fathom_core::figure;
use fathom_core::spec::Workload;
use fathom_programs::detect;
use fathom_tools::native;
use fathom_volume::model::VolumeModel as _;
use std::path::Path;

/// A profile by its name, or a file of any dialect; a name that is both is the file only with a
/// slash.
pub(super) fn workload(args: &SimulateArgs) -> Result<Workload, Error> {
    let name = args.workload.as_str();
    let is_toml = Path::new(name)
        .extension()
        .is_some_and(|extension| extension == "toml");
    if is_toml || !(name.contains('/') || Path::new(name).is_file()) {
        return selection::workload(name);
    }
    let bytes = fathom_device::input::read(name).map_err(|error| {
        Problem::new(Exit::Usage, format!("cannot read the workload {name}"))
            .because(system_words(&error))
            .remedy("a file, or one of the names that `fathom profiles` lists")
    })?;
    let text = String::from_utf8_lossy(&bytes);
    let Some(dialect) = detect(name, &text) else {
        return native::parse(&text, name).map_err(Error::Text);
    };
    let mut translation = (dialect.translate)(&text, name, &Live).map_err(Error::Text)?;
    foreign::tell(&translation, args.output.quiet);
    // Their paths are those of a machine that is not here.
    let jobs = translation.workload.phases.iter_mut();
    for job in jobs.flat_map(|phase| &mut phase.jobs) {
        job.targets.clear();
    }
    Ok(translation.workload)
}

/// The model as the target of all jobs that name none of their own, or of each role.
pub(super) fn targets(workload: &Workload, model: &Model) -> Vec<TargetArg> {
    if !model.roles.is_empty() {
        let of_role = |role: &String| TargetArg {
            role: Some(role.clone()),
            path: "volumes".into(),
        };
        return model.roles.iter().map(of_role).collect();
    }
    let mut jobs = workload.phases.iter().flat_map(|phase| &phase.jobs);
    let is_open = jobs.any(|job| {
        let roles = job.targets.iter().any(|target| target.starts_with('@'));
        job.targets.is_empty() || roles
    });
    let all = TargetArg {
        role: None,
        path: model.whole.title().into(),
    };
    is_open.then_some(all).into_iter().collect()
}

/// Refuses a workload that needs more capacity than the volume has, or the volumes of a role, which
/// needs `times` as much.
pub(super) fn check_size(workload: &Workload, model: &Model, times: u64) -> Result<(), Problem> {
    let system = &model.built.system;
    let count = model.roles.len();
    for number in 0..count.max(1) {
        let role = model.roles.get(number);
        let (_, has) = system.place(number as u64, count.max(1) as u64);
        let is_own = |target: &String| target.strip_prefix('@') == role.map(String::as_str);
        let jobs = workload.phases.iter().flat_map(|phase| &phase.jobs);
        let own = jobs.filter(|job| role.is_none() || job.targets.iter().any(is_own));
        let needs = own.map(|job| {
            let length = job.window.or(job.size).unwrap_or_default().0;
            job.offset.0.saturating_add(length)
        });
        let needs = needs.max().unwrap_or(0).saturating_mul(times);
        if needs <= has {
            continue;
        }
        let title = role.map_or_else(
            || system.title().to_owned(),
            |role| format!("the role {role}"),
        );
        let thing = format!("{title} is too small for `{}`", workload.name);
        return Err(Problem::new(Exit::Usage, thing)
            .because(format!(
                "it has {}, and the workload uses {}",
                figure::size(has),
                figure::size(needs)
            ))
            .remedy(format!("a larger volume, or --size {}", whole(has / times))));
    }
    Ok(())
}

/// The largest size in whole GiB or MiB that fits.
fn whole(bytes: u64) -> String {
    match bytes >> 30 {
        0 => format!("{}MiB", bytes >> 20),
        gib => format!("{gib}GiB"),
    }
}
