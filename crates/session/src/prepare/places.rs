//! The places of a workload, each once, with all the jobs that use it.

use super::demand::{Demand, Extent};
use super::resolve::{Bindings, DATA, TargetPlace};
use super::{PrepareError, PreparedJob, PreparedTarget};
use crate::plan::Plan;
use fathom_core::spec::Job;
use fathom_engine::TargetKind;
use fathom_platform::is_device_name;
use std::path::PathBuf;

/// The places with all that is asked of each.
pub(super) type Places<'a> = Vec<(TargetPlace, Demand<'a>)>;
/// By phase, job and target: the number of the place.
pub(super) type Uses = Vec<Vec<Vec<usize>>>;

/// Every place once, and who uses it.
pub(super) fn places_of(plan: &Plan, storage: bool) -> Result<(Places<'_>, Uses), PrepareError> {
    let bindings = Bindings {
        list: &plan.targets,
        storage,
        is_directory: &|path| path.is_dir(),
    };
    let mut places: Places<'_> = Vec::new();
    let mut uses = Vec::new();
    for phase in &plan.workload.phases {
        let mut phase_uses = Vec::new();
        for job in &phase.jobs {
            let mut job_uses = Vec::new();
            let of_job = bindings.places(&job.name, &job.targets)?;
            for place in of_job {
                let place = canonical(of_files(place, job));
                let number = number_of(&mut places, place, job);
                places[number].1.note(phase);
                job_uses.push(number);
            }
            phase_uses.push(job_uses);
        }
        uses.push(phase_uses);
    }
    Ok((places, uses))
}

/// Where a job that deals with files makes them: in the directory, not in a file in it.
fn of_files(place: TargetPlace, job: &Job) -> TargetPlace {
    let Some(files) = &job.files else {
        return place;
    };
    let shape = files.shape(job.threads);
    let data = || DATA.to_owned();
    let (directory, role) = match place {
        TargetPlace::InDirectory { directory, role } => (directory, role),
        TargetPlace::Named(path) => (path, data()),
        TargetPlace::Nowhere(name) => (PathBuf::from(name), data()),
        other @ TargetPlace::Files { .. } => return other,
    };
    TargetPlace::Files {
        directory,
        role,
        shape,
    }
}

/// Two names of one file or directory must not become two targets.
fn canonical(place: TargetPlace) -> TargetPlace {
    let real = |path: PathBuf| std::fs::canonicalize(&path).unwrap_or(path);
    match place {
        // A device keeps the name that the user knows it by and permissions name.
        TargetPlace::Named(path) if path.is_file() && !is_device_name(&path) => {
            TargetPlace::Named(real(path))
        }
        TargetPlace::InDirectory { directory, role } => TargetPlace::InDirectory {
            directory: real(directory),
            role,
        },
        TargetPlace::Files {
            directory,
            role,
            shape,
        } => TargetPlace::Files {
            directory: real(directory),
            role,
            shape,
        },
        other => other,
    }
}

fn number_of<'a>(places: &mut Places<'a>, place: TargetPlace, job: &'a Job) -> usize {
    if let Some(known) = places.iter().position(|(known, _)| *known == place) {
        places[known].1.add(job);
        return known;
    }
    places.push((place, Demand::new(job)));
    places.len() - 1
}

/// The targets of every job, now that their sizes are known.
pub(super) fn jobs_of(
    plan: &Plan,
    uses: &Uses,
    targets: &[PreparedTarget],
) -> Vec<Vec<PreparedJob>> {
    let job_of = |(job, numbers): (&Job, &Vec<usize>)| PreparedJob {
        targets: numbers
            .iter()
            .map(|number| {
                let target = &targets[*number];
                let has = Extent {
                    size_bytes: target.size_bytes,
                    device: target.kind.is_some_and(TargetKind::is_device),
                };
                (*number, has.window(job))
            })
            .collect(),
    };
    plan.workload
        .phases
        .iter()
        .zip(uses)
        .map(|(phase, uses)| phase.jobs.iter().zip(uses).map(job_of).collect())
        .collect()
}
