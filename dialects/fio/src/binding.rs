//! Other paths for the files that jobs name: a job file runs here as it was sent.

use super::settings::Settings;
use super::source::{Source, TextPlace, Wrong};
use fathom_tools::dialects::Surroundings;
use fathom_tools::drives::is_of_windows;
use std::collections::BTreeMap;
use std::path::Path;

/// What `--target` says, and what became of it.
#[derive(Debug, Default)]
pub(super) struct Binding {
    /// Paths without a name: for jobs that name no file, or for the one file that jobs name.
    pub(super) plain: Vec<String>,
    /// Paths for a file, by its name in the job, and whether any job has it.
    named: BTreeMap<String, (String, bool)>,
    /// The file that the only plain path stands for.
    stands_for: Option<String>,
}

impl Binding {
    /// `given` as `PATH` or `NAME=PATH`.
    pub(super) fn of(given: &[String]) -> Self {
        let mut binding = Self::default();
        for text in given {
            match text.split_once('=') {
                Some((name, path)) => {
                    let path = (path.to_owned(), false);
                    binding.named.insert(name.to_owned(), path);
                }
                None => binding.plain.push(text.clone()),
            }
        }
        binding
    }

    /// Puts other paths in the place of the files that a job names.
    ///
    /// # Errors
    ///
    /// A path of which nobody knows which of the files it is for.
    pub(super) fn put(
        &mut self,
        settings: &mut Settings,
        surroundings: &dyn Surroundings,
    ) -> Result<(), Wrong> {
        for name in &mut settings.filenames {
            if let Some((path, used)) = self.named.get_mut(name) {
                path.clone_into(name);
                *used = true;
                continue;
            }
            let Some(path) = self.plain.first() else {
                continue;
            };
            let remedy = "--target=NAME=PATH for each of them, or a folder";
            if self.plain.len() > 1 {
                let message = format!("it is not said which path is for the file `{name}`");
                return Err(Wrong::new(message, remedy));
            }
            let own = own_name(name);
            if !own.is_empty() && surroundings.is_folder(Path::new(path)) {
                *name = Path::new(path).join(own).display().to_string();
                continue;
            }
            let before = self.stands_for.get_or_insert_with(|| name.clone());
            if *before != *name {
                let message = format!("one path stands for the files `{before}` and `{name}`");
                return Err(Wrong::new(message, remedy));
            }
            path.clone_into(name);
        }
        Ok(())
    }

    /// A name that no job has, and where it stands.
    pub(super) fn unused(&self) -> Option<(TextPlace, Wrong)> {
        let mut named = self.named.iter();
        let (name, (path, _)) = named.find(|(_, (_, used))| !used)?;
        let place = TextPlace {
            span: 0..name.len(),
            source: Source::new("--target", &format!("{name}={path}")),
        };
        let message = format!("no job has a file called `{name}`");
        Some((place, Wrong::new(message, "a name as `filename` has it")))
    }
}

/// The last part of a path, which those of Windows part by backslashes.
fn own_name(path: &str) -> &str {
    let parts: &[char] = if is_of_windows(path) {
        &['/', '\\', ':']
    } else {
        &['/']
    };
    path.rsplit(parts).next().unwrap_or_default()
}
