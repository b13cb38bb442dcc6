//! The files and devices of a clone.

use super::Maker;
use crate::settings::Settings;
use crate::source::{Findings, TextPlace, Wrong};
use fathom_tools::drives::{Drive, are_own, found, is_of_windows, mapped, on_drive};
use fathom_tools::translation::Standing;
use std::path::Path;

/// Puts directories on drives of Windows where these are here. Paths of Windows that are nowhere
/// here are refused: a file that has such a name on Linux is what nobody means.
pub(super) fn find_drives(
    settings: &mut Settings,
    place: &TextPlace,
    drives: &[Drive],
    findings: &mut Findings,
) {
    let redirect = &settings.replays.redirect;
    for (option, paths) in [
        ("filename", settings.filenames.as_slice()),
        ("directory", &settings.directories),
        ("replay_redirect", redirect.as_slice()),
    ] {
        let place = settings.word(option).map_or(place, |word| &word.place);
        for wrong in paths.iter().filter_map(|path| nowhere(path, drives)) {
            findings.error(place, wrong);
        }
    }
    let redirect = &mut settings.replays.redirect;
    for path in settings.directories.iter_mut().chain(redirect) {
        *path = mapped(path, drives);
    }
}

/// What is wrong with a path of Windows that is nowhere here.
pub(super) fn nowhere(path: &str, drives: &[Drive]) -> Option<Wrong> {
    if !is_of_windows(path) || are_own(drives) || found(path, drives).is_some() {
        return None;
    }
    let message = format!("`{path}` is a path of Windows");
    let other = "./ before it where a file has that name";
    let remedy = match on_drive(path) {
        Some((letter, _)) => {
            format!("--map-drive={letter}=DIR says where that drive is here; {other}")
        }
        None => format!(
            "a drive is said as in r\\:\\io.dat, and --map-drive=r=DIR where it is here; {other}"
        ),
    };
    Some(Wrong::new(message, remedy))
}

impl Maker<'_> {
    /// The paths of clone number `clone`.
    pub(super) fn targets(&self, clone: u64) -> Vec<String> {
        let settings = self.settings;
        if !settings.filenames.is_empty() {
            let names = settings.filenames.iter();
            return names.map(|name| self.placed(name, clone)).collect();
        }
        if settings.directories.is_empty()
            && let [path] = self.fallback
            && is_directory(path)
        {
            return self
                .generated(clone)
                .map(|name| join(path, &name))
                .collect();
        }
        if settings.directories.is_empty() && !self.fallback.is_empty() {
            return self.fallback.to_vec();
        }
        self.generated(clone)
            .map(|name| self.in_directory(&name, clone))
            .collect()
    }

    /// Names made from `filename_format`.
    fn generated(&self, clone: u64) -> impl Iterator<Item = String> {
        let format = &self.settings.filename_format;
        (0..self.settings.files).map(move |file| {
            format
                .replace("$jobname", self.section)
                .replace("$clientuid", "")
                .replace("$jobnum", &clone.to_string())
                .replace("$filenum", &file.to_string())
        })
    }

    /// A path where its drive is here, or else in the directory of the clone, if there is any.
    pub(super) fn placed(&self, name: &str, clone: u64) -> String {
        let here = found(name, self.surroundings.drives());
        here.unwrap_or_else(|| self.in_directory(name, clone))
    }

    fn in_directory(&self, name: &str, clone: u64) -> String {
        let directories = &self.settings.directories;
        if directories.is_empty() || Path::new(name).is_absolute() {
            return name.to_owned();
        }
        join(&directories[clone as usize % directories.len()], name)
    }

    /// The size of the smallest target, if all are there and not empty.
    pub(super) fn whole(&self, targets: &[String]) -> Option<u64> {
        let sizes = targets
            .iter()
            .map(|path| self.surroundings.size_bytes(Path::new(path)));
        let sizes: Vec<u64> = sizes.collect::<Option<_>>()?;
        sizes.into_iter().min().filter(|size| *size > 0)
    }

    /// Says what is left out where files are there that differ in size.
    pub(super) fn note_unequal(&self, targets: &[String], findings: &mut Findings) {
        let sizes = || {
            let sizes = targets.iter();
            sizes.map(|path| self.surroundings.size_bytes(Path::new(path)))
        };
        let differ = sizes().all(|size| size.is_some())
            && sizes().any(|size| size != sizes().next().flatten());
        let settings = self.settings;
        let word = settings.word("filename").or(settings.word("nrfiles"));
        if let (Some(word), true) = (word, differ && settings.size.is_none()) {
            let message = "of files of unequal size, each is used as far as the smallest goes";
            findings.note(Standing::Approximated, &word.what(), message);
        }
    }

    /// More than there is room for, in whole requests, where that is known.
    pub(super) fn room(&self, targets: &[String]) -> Option<u64> {
        let block = self.smallest_block().max(1);
        let free = self.surroundings.free_bytes(Path::new(targets.first()?))?;
        let there = self.whole(targets).unwrap_or(0);
        Some((free.saturating_add(there) / block + 1).saturating_mul(block))
    }

    /// Whether no target is there.
    pub(super) fn are_absent(&self, targets: &[String]) -> bool {
        let is_there = |path: &String| self.surroundings.size_bytes(Path::new(path)).is_some();
        !targets.iter().any(is_there)
    }
}

fn join(directory: &str, name: &str) -> String {
    format!("{}/{name}", directory.trim_end_matches('/'))
}

/// Whether a path says of itself that it is a directory.
fn is_directory(path: &str) -> bool {
    path == "." || path == ".." || path.ends_with('/')
}
