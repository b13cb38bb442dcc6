//! Sections whose engine asks whole files to be made, looked at or removed.

use super::Maker;
use crate::fio::source::{Findings, Wrong};
use crate::translation::Standing;
use fathom_core::spec::{Durability, FilePlaces, Files, IoKind, Job};
use fathom_core::{Bytes, Op, Percent};
use std::collections::HashMap;

/// Gives sections that do the same to as many files at once files of their own, as fio does: the
/// second such section has the second set, also where sections of a later group are meant.
pub(in crate::fio) fn set_apart<'a>(group: impl Iterator<Item = &'a mut Job>) {
    let mut sets: HashMap<_, u32> = HashMap::new();
    for job in group {
        let Some(files) = &mut job.files else {
            continue;
        };
        let what = (job.targets.clone(), job.kinds.first().map(|kind| kind.op));
        let number = sets.entry((what, files.shape(job.threads))).or_default();
        *number += 1;
        // Below a tree of one level there are no branches: their number only tells sets apart.
        files.branches = *number;
    }
}

impl Maker<'_> {
    /// The job of all clones: their files are in one directory, as fio's are.
    pub(super) fn of_files(&self, op: Op, findings: &mut Findings) -> Option<Job> {
        let settings = self.settings;
        let count = match settings.filenames.len() as u64 {
            0 => settings.files,
            named => named,
        };
        if let Some(word) = settings.word("filename") {
            let message = "files that are made, looked at or removed have names of their own here; \
                           there are as many as are named, in the directory of the first";
            findings.note(Standing::Approximated, &word.what(), message);
        }
        let named = settings.filenames.first().map(|name| self.placed(name, 0));
        let named = named.as_deref().map(directory_of);
        let directory = match (settings.directories.as_slice(), self.fallback) {
            ([] | [_], []) if named.is_some() => named.unwrap_or("."),
            ([], []) => ".",
            ([one], _) | ([], [one]) => one,
            _ => {
                let wrong = Wrong::new(
                    "such files are in one directory",
                    "one directory=, or a section for each",
                );
                self.error(findings, "directory", wrong);
                return None;
            }
        };
        if let Some(word) = settings.word("ioengine") {
            let message = "sections of as many files and clones deal with the same files, in a \
                           directory of the run's own, but for those that do the same at once; \
                           of what says how bytes are moved (sizes, patterns, rates, loops) \
                           nothing holds, and none are counted";
            findings.note(Standing::Approximated, &word.what(), message);
        }
        if settings.only_there {
            let wrong = Wrong::new(
                "the files of such a section are the run's own, which makes them",
                "without allow_file_create=0",
            );
            self.error(findings, "allow_file_create", wrong);
            return None;
        }
        let mut kind = IoKind::plain(op, Bytes(0));
        kind.random = Percent::ZERO;
        Some(Job {
            name: self.name.to_owned(),
            targets: vec![directory.to_owned()],
            threads: settings.clones as u32,
            files: Some(Files {
                count,
                of: settings.engine.of,
                directories: FilePlaces::Shared,
                ..Files::PLAIN
            }),
            durability: Durability {
                direct: false,
                ..Durability::PLAIN
            },
            kinds: vec![kind],
            ..Job::plain()
        })
    }
}

/// The directory that a path says its file is in.
fn directory_of(path: &str) -> &str {
    match path.rsplit_once('/') {
        None => ".",
        Some(("", _)) => "/",
        Some((directory, _)) => directory,
    }
}
