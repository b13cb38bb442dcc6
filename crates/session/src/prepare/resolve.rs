//! Which path each target of each job means.

use super::PrepareError;
use crate::plan::TargetBinding;
use fathom_core::spec::TreeShape;
use std::path::{Path, PathBuf};

/// Where requests of some job go, before anything is known of it but its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TargetPlace {
    /// A file or device that the user named.
    Named(PathBuf),
    /// A file of ours in a directory that the user named.
    InDirectory {
        directory: PathBuf,
        /// The role it is for; `data` for targets without one.
        role: String,
    },
    /// Many files, in a directory of ours in a directory that the user named.
    Files {
        directory: PathBuf,
        /// As above.
        role: String,
        /// Which files, where.
        shape: TreeShape,
    },
    /// Nothing, for engines without storage; the name tells several apart.
    Nowhere(String),
}

/// What the command line binds.
pub(super) struct Bindings<'a> {
    pub(super) list: &'a [TargetBinding],
    /// Whether requests reach any storage.
    pub(super) storage: bool,
    pub(super) is_directory: &'a dyn Fn(&Path) -> bool,
}

/// Role of the file made in a directory for targets without a role.
pub(super) const DATA: &str = "data";

impl Bindings<'_> {
    /// The places of one job with these targets in the workload.
    pub(super) fn places(
        &self,
        job: &str,
        targets: &[String],
    ) -> Result<Vec<TargetPlace>, PrepareError> {
        if targets.is_empty() {
            let all: Vec<TargetPlace> = self
                .unnamed()
                .map(|binding| self.place(&binding.path, DATA))
                .collect();
            if all.is_empty() {
                return Err(PrepareError::NoTarget {
                    job: job.to_owned(),
                });
            }
            return Ok(all);
        }
        let mut places = Vec::new();
        for target in targets {
            match target.strip_prefix('@') {
                Some(role) => places.extend(self.of_role(job, role)?),
                None => places.push(self.named(Path::new(target))),
            }
        }
        Ok(places)
    }

    fn unnamed(&self) -> impl Iterator<Item = &TargetBinding> {
        self.list.iter().filter(|binding| binding.role.is_none())
    }

    fn of_role(&self, job: &str, role: &str) -> Result<Vec<TargetPlace>, PrepareError> {
        let bound: Vec<TargetPlace> = self
            .list
            .iter()
            .filter(|binding| binding.role.as_deref() == Some(role))
            .map(|binding| self.place(&binding.path, role))
            .collect();
        if !bound.is_empty() {
            return Ok(bound);
        }
        let mut unnamed = self.unnamed();
        match (unnamed.next(), unnamed.next()) {
            (Some(only), None) if !self.storage || (self.is_directory)(&only.path) => {
                Ok(vec![self.place(&only.path, role)])
            }
            _ => Err(PrepareError::RoleUnbound {
                job: job.to_owned(),
                role: role.to_owned(),
            }),
        }
    }

    /// What a workload names: never a file of ours in a directory, because another program's
    /// directory is refused and not filled.
    fn named(&self, path: &Path) -> TargetPlace {
        if self.storage {
            TargetPlace::Named(path.to_owned())
        } else {
            self.place(path, DATA)
        }
    }

    fn place(&self, path: &Path, role: &str) -> TargetPlace {
        if !self.storage {
            // `null` for all jobs is one target, but roles stay apart.
            let name = path.display();
            return TargetPlace::Nowhere(if role == DATA {
                name.to_string()
            } else {
                format!("{name} ({role})")
            });
        }
        if (self.is_directory)(path) {
            TargetPlace::InDirectory {
                directory: path.to_owned(),
                role: role.to_owned(),
            }
        } else {
            TargetPlace::Named(path.to_owned())
        }
    }
}

/// Name of the file made in a directory; with a number, one that no other run has.
pub(super) fn file_name(role: &str, number: Option<u32>) -> String {
    // A role may hold anything; a file name may not.
    let role = role.replace('/', "-");
    match number {
        None => format!("fathom-{role}.dat"),
        Some(number) => format!("fathom-{role}.{number}.dat"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binding(role: Option<&str>, path: &str) -> TargetBinding {
        TargetBinding {
            role: role.map(str::to_owned),
            path: path.into(),
        }
    }

    fn places(
        list: &[TargetBinding],
        storage: bool,
        targets: &[&str],
    ) -> Result<Vec<TargetPlace>, String> {
        let bindings = Bindings {
            list,
            storage,
            is_directory: &|path| path.ends_with("dir"),
        };
        let targets: Vec<String> = targets.iter().map(|&target| target.to_owned()).collect();
        bindings.places("job", &targets).map_err(|e| e.to_string())
    }

    fn named(path: &str) -> TargetPlace {
        TargetPlace::Named(path.into())
    }

    fn inside(directory: &str, role: &str) -> TargetPlace {
        TargetPlace::InDirectory {
            directory: directory.into(),
            role: role.into(),
        }
    }

    #[test]
    fn a_job_without_targets_has_all_unnamed_ones() {
        let list = [
            binding(None, "/dev/sdb"),
            binding(Some("log"), "/log"),
            binding(None, "/dir"),
        ];
        assert_eq!(
            places(&list, true, &[]),
            Ok(vec![named("/dev/sdb"), inside("/dir", "data")])
        );
        assert_eq!(
            places(&list[1..2], true, &[]),
            Err(
                "job `job` has no target: neither the workload nor the command line names a target"
                    .into()
            )
        );
    }

    #[test]
    fn a_role_is_what_is_bound_to_it_or_a_file_in_the_one_directory() {
        let list = [binding(Some("log"), "/log"), binding(None, "/dir")];
        assert_eq!(
            places(&list, true, &["@log", "@data", "/own", "/dir"]),
            Ok(vec![
                named("/log"),
                inside("/dir", "data"),
                named("/own"),
                named("/dir")
            ])
        );
        let unbound = "job `job` has no target: its role @data has no target";
        for list in [
            vec![],
            vec![binding(None, "/dev/sdb")],
            vec![binding(None, "/dir"), binding(None, "/other/dir")],
        ] {
            assert_eq!(places(&list, true, &["@data"]), Err(unbound.into()));
        }
    }

    #[test]
    fn without_storage_every_role_is_a_place_of_its_own() {
        let list = [binding(None, "null")];
        let nowhere = |name: &str| TargetPlace::Nowhere(name.into());
        assert_eq!(places(&list, false, &[]), Ok(vec![nowhere("null")]));
        assert_eq!(
            places(&list, false, &["@log", "@wij"]),
            Ok(vec![nowhere("null (log)"), nowhere("null (wij)")])
        );
    }

    #[test]
    fn file_names_are_flat() {
        assert_eq!(file_name("data", None), "fathom-data.dat");
        assert_eq!(file_name("a/b", Some(7)), "fathom-a-b.7.dat");
    }
}
