//! Sections whose engine asks whole files to be made, looked at or removed.

use super::Maker;
use crate::fio::source::{Findings, Wrong};
use crate::translation::Standing;
use fathom_core::spec::{Durability, FilePlaces, Files, IoKind, Job};
use fathom_core::{Bytes, Op, Percent};

impl Maker<'_> {
    /// The job of all clones: their files are in one directory, as fio's are.
    pub(super) fn of_files(&self, op: Op, findings: &mut Findings) -> Option<Job> {
        let settings = self.settings;
        if settings.has_filenames {
            let message = "files that are made, looked at or removed have names of their own here";
            let wrong = Wrong::new(message, "directory= and nrfiles=");
            self.error(findings, "filename", wrong);
            return None;
        }
        let directory = match (settings.directories.as_slice(), self.fallback) {
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
                           directory of the run's own that is removed after it; of what says \
                           how bytes are moved (sizes, patterns, rates, loops) nothing holds, \
                           and none are counted";
            findings.note(Standing::Approximated, &word.what(), message);
        }
        let mut kind = IoKind::plain(op, Bytes(0));
        kind.random = Percent::ZERO;
        Some(Job {
            name: self.name.to_owned(),
            targets: vec![directory.to_owned()],
            threads: settings.clones as u32,
            files: Some(Files {
                count: settings.files,
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
