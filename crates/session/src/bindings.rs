//! Which paths a workload works on.

use crate::error::ErrorKind;
use crate::plan::TargetBinding;
use fathom_core::EngineKind;
use fathom_core::spec::Workload;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The paths, and whether the current directory was taken for want of any.
#[derive(Debug, PartialEq, Eq)]
pub struct Bindings {
    /// Where to work.
    pub targets: Vec<TargetBinding>,
    /// Whether nobody named the place.
    pub is_default: bool,
}

/// Paths that do not suit a workload.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BindError {
    /// Nothing in the workload has the role.
    #[error("the workload `{workload}` has no role `{role}`")]
    NoRole {
        /// Name of the workload.
        workload: String,
        /// The role that was named.
        role: String,
        /// Those that it has.
        roles: Vec<String>,
    },
    /// Nobody would use the path.
    #[error("no job of `{workload}` would use {}", path.display())]
    Unused {
        /// Name of the workload.
        workload: String,
        path: PathBuf,
    },
    /// A mount point that is missing.
    #[error("there is no {}", path.display())]
    NoMount { path: PathBuf },
}

impl BindError {
    /// What lies behind it.
    pub const fn because(&self) -> Option<&'static str> {
        match self {
            Self::NoRole { .. } => None,
            Self::Unused { .. } => Some("all of them have their own targets"),
            Self::NoMount { .. } => {
                Some("a file created at this path would measure the disk above it")
            }
        }
    }

    /// What to try.
    pub fn remedy(&self) -> String {
        match self {
            Self::NoRole { roles, .. } if roles.is_empty() => {
                "use --target PATH without a role; for a path with an equals sign, start it with \
                 ./"
                .to_owned()
            }
            Self::NoRole { roles, .. } => format!("one of its roles: {}", roles.join(", ")),
            Self::Unused { .. } => "omit it, or change `targets` in the workload".to_owned(),
            Self::NoMount { path } => {
                let path = path.display();
                format!("mount it, or name the file or directory to use, such as {path}/file")
            }
        }
    }

    /// Who can mend it.
    pub const fn kind(&self) -> ErrorKind {
        match self {
            Self::NoRole { .. } | Self::Unused { .. } => ErrorKind::Specification,
            Self::NoMount { .. } => ErrorKind::Environment,
        }
    }
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

/// Binds the paths given; where one is missing, the current directory. A path that no job would use
/// is an error, since somebody meant it to be used.
///
/// # Errors
///
/// Roles that the workload does not have, and paths that nobody would use.
pub fn bind(
    workload: &Workload,
    given: &[TargetBinding],
    engine: Option<EngineKind>,
) -> Result<Bindings, BindError> {
    let wants = Wants::of(workload);
    let bound: BTreeSet<&String> = given.iter().filter_map(|one| one.role.as_ref()).collect();
    if let Some(role) = bound.iter().find(|role| !wants.roles.contains(**role)) {
        return Err(BindError::NoRole {
            workload: workload.name.clone(),
            role: (*role).clone(),
            roles: wants.roles.into_iter().collect(),
        });
    }
    let is_missing = wants.open || wants.roles.iter().any(|role| !bound.contains(role));
    let plain = given.iter().find(|one| one.role.is_none());
    if let (Some(one), false) = (plain, is_missing) {
        return Err(BindError::Unused {
            workload: workload.name.clone(),
            path: one.path.clone(),
        });
    }
    let mut targets = given.to_vec();
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
///
/// # Errors
///
/// The first such path.
pub fn refuse_missing_mounts(targets: &[TargetBinding]) -> Result<(), BindError> {
    let is_missing = |target: &&TargetBinding| {
        let path = &target.path;
        let of_mounts = path
            .parent()
            .is_some_and(|parent| OF_MOUNTS.iter().any(|other| parent == Path::new(other)));
        of_mounts && path.extension().is_none() && !path.exists()
    };
    match targets.iter().find(is_missing) {
        None => Ok(()),
        Some(target) => Err(BindError::NoMount {
            path: target.path.clone(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_tools::native;

    fn binding(text: &str) -> TargetBinding {
        let (role, path) = text
            .split_once('=')
            .map_or((None, text), |(role, path)| (Some(role), path));
        TargetBinding {
            role: role.map(str::to_owned),
            path: path.into(),
        }
    }

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
        let given: Vec<TargetBinding> = given.iter().map(|text| binding(text)).collect();
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
            Err(error) => Err(error.to_string()),
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
