//! Which paths a workload works on.

use crate::args::TargetArg;
use crate::error::Problem;
use crate::exit::Exit;
use fathom_core::spec::Workload;
use fathom_engine::EngineKind;
use fathom_session::plan::TargetBinding;
use std::collections::BTreeSet;
use std::path::Path;

/// The paths, and whether the current directory was taken for want of any.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Bindings {
    pub(crate) targets: Vec<TargetBinding>,
    pub(crate) is_default: bool,
}

/// What a workload wants bound.
struct Wants {
    roles: BTreeSet<String>,
    /// Whether a job has no targets of its own.
    open: bool,
}

impl Wants {
    fn of(workload: &Workload) -> Self {
        let jobs = || workload.phases.iter().flat_map(|phase| &phase.jobs);
        let targets = jobs().flat_map(|job| &job.targets);
        let roles = targets.filter_map(|target| target.strip_prefix('@'));
        Self {
            roles: roles.map(str::to_owned).collect(),
            open: jobs().any(|job| job.targets.is_empty()),
        }
    }
}

/// Binds the paths given. A path that no job would use is an error, since somebody meant it to be
/// used.
pub(crate) fn bind(
    workload: &Workload,
    given: &[TargetArg],
    engine: Option<EngineKind>,
) -> Result<Bindings, Problem> {
    let wants = Wants::of(workload);
    let bound: BTreeSet<&String> = given.iter().filter_map(|arg| arg.role.as_ref()).collect();
    if let Some(role) = bound.iter().find(|role| !wants.roles.contains(**role)) {
        return Err(no_role(workload, &wants, role));
    }
    let is_missing = wants.open || wants.roles.iter().any(|role| !bound.contains(role));
    let plain = given.iter().find(|arg| arg.role.is_none());
    if let (Some(arg), false) = (plain, is_missing) {
        let thing = format!(
            "no job of `{}` would use {}",
            workload.name,
            arg.path.display()
        );
        return Err(Problem::new(Exit::Usage, thing)
            .because("all of them have targets of their own")
            .remedy("without it, or change `targets` in the workload"));
    }
    let mut targets: Vec<TargetBinding> = given
        .iter()
        .map(|arg| TargetBinding {
            role: arg.role.clone(),
            path: arg.path.clone(),
        })
        .collect();
    let is_default = is_missing && plain.is_none();
    if is_default {
        let path = match engine {
            Some(kind) if !kind.capabilities().needs_target => kind.name(),
            _ => ".",
        };
        targets.push(TargetBinding {
            role: None,
            path: path.into(),
        });
    }
    Ok(Bindings {
        targets,
        is_default,
    })
}

/// Where file systems are mounted: what is missing there is a mount that is missing.
const OF_MOUNTS: [&str; 4] = ["/", "/mnt", "/media", "/srv"];

/// Refuses a path that is not there and would be a mount point: made as a file, it would measure
/// the disk above it.
pub(super) fn refuse_missing_mounts(targets: &[TargetBinding]) -> Result<(), Problem> {
    for target in targets {
        let path = &target.path;
        let of_mounts = path
            .parent()
            .is_some_and(|parent| OF_MOUNTS.iter().any(|other| parent == Path::new(other)));
        if of_mounts && path.extension().is_none() && !path.exists() {
            let path = path.display();
            return Err(
                Problem::new(Exit::Environment, format!("there is no {path}"))
                    .because("a file made in its place would measure the disk above it")
                    .remedy(format!(
                        "mount it, or name a file or directory that is meant, as {path}/file"
                    )),
            );
        }
    }
    Ok(())
}

fn no_role(workload: &Workload, wants: &Wants, role: &str) -> Problem {
    let thing = format!("the workload `{}` has no role `{role}`", workload.name);
    let problem = Problem::new(Exit::Usage, thing);
    if wants.roles.is_empty() {
        return problem.remedy("--target PATH without a role; for a path with an equals sign, ./");
    }
    let roles: Vec<&str> = wants.roles.iter().map(String::as_str).collect();
    problem.remedy(format!("one of its roles: {}", roles.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_tools::native;

    /// One job for each list of targets, written as TOML.
    fn workload(targets: &[&str]) -> Workload {
        let job = |(index, targets): (usize, &&str)| {
            format!(
                "[[phase.job]]\nname = \"j{index}\"\n{targets}\nsize = \"1GiB\"\n\
                 block_size = \"4KiB\"\n"
            )
        };
        let jobs: String = targets.iter().enumerate().map(job).collect();
        let text = format!("name = \"w\"\n[[phase]]\nname = \"p\"\nduration = \"1s\"\n{jobs}");
        native::parse(&text, "w.toml").unwrap()
    }

    fn bound(
        targets: &[&str],
        given: &[&str],
        engine: Option<EngineKind>,
    ) -> Result<(Vec<String>, bool), String> {
        let given: Vec<TargetArg> = given.iter().map(|text| text.parse().unwrap()).collect();
        match bind(&workload(targets), &given, engine) {
            Ok(Bindings {
                targets,
                is_default,
            }) => {
                let words = targets.iter().map(|target| {
                    let role = target.role.as_deref().unwrap_or("*");
                    format!("{role}={}", target.path.display())
                });
                Ok((words.collect(), is_default))
            }
            Err(problem) => Err(problem.thing),
        }
    }

    fn given(words: &[&str]) -> (Vec<String>, bool) {
        (words.iter().map(|&word| word.to_owned()).collect(), false)
    }

    #[test]
    fn a_mount_that_is_missing_is_no_place_for_a_file() {
        let refused = |path: &str| {
            let target = TargetBinding {
                role: None,
                path: path.into(),
            };
            refuse_missing_mounts(&[target]).is_err()
        };
        assert!(refused("/no-such-mount") && refused("/mnt/no-such-mount"));
        assert!(!refused("/no-such-mount.dat") && !refused("no-such-file"));
        assert!(!refused("/tmp/no-such-file") && !refused("/mnt"));
    }

    const DATA: &str = "targets = [\"@data\"]";
    const FIXED: &str = "targets = [\"/data/file\"]";

    #[test]
    fn paths_are_bound_as_given() {
        assert_eq!(
            bound(&[""], &["/a", "/b"], None),
            Ok(given(&["*=/a", "*=/b"]))
        );
        assert_eq!(bound(&[DATA], &["data=/a"], None), Ok(given(&["data=/a"])));
        assert_eq!(
            bound(&[DATA, ""], &["data=/a", "/b"], None),
            Ok(given(&["data=/a", "*=/b"]))
        );
        assert_eq!(bound(&[FIXED], &[], None), Ok(given(&[])));
    }

    #[test]
    fn what_is_missing_is_made_here() {
        let default = |path: &str| Ok((vec![format!("*={path}")], true));
        assert_eq!(bound(&[""], &[], None), default("."));
        assert_eq!(bound(&[DATA], &[], None), default("."));
        assert_eq!(bound(&[""], &[], Some(EngineKind::Psync)), default("."));
        assert_eq!(bound(&[""], &[], Some(EngineKind::Null)), default("null"));
        assert_eq!(bound(&[""], &[], Some(EngineKind::Sim)), default("sim"));
        let both = vec!["data=/a".to_owned(), "*=.".to_owned()];
        assert_eq!(bound(&[DATA, ""], &["data=/a"], None), Ok((both, true)));
    }

    #[test]
    fn a_path_for_nobody_is_refused() {
        assert_eq!(
            bound(&[FIXED], &["/a"], None),
            Err("no job of `w` would use /a".to_owned())
        );
        assert_eq!(
            bound(&[DATA], &["data=/a", "/b"], None),
            Err("no job of `w` would use /b".to_owned())
        );
        assert_eq!(
            bound(&[DATA], &["wij=/a"], None),
            Err("the workload `w` has no role `wij`".to_owned())
        );
    }
}
