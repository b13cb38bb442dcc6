//! How much one input may come to. A few lines can ask for more jobs and files than any machine has
//! room for, and what sections inherit is there once for each of them.

use super::lexer::Entry;
use super::settings::Settings;
use super::source::Wrong;
use fathom_core::spec::validate;

/// Jobs, each clone counted. fio itself takes 4096.
const MOST_JOBS: u64 = validate::MOST_JOBS as u64;

/// Names of files, those of each job counted.
const MOST_NAMES: u64 = 1 << 22;

/// Bytes of the values that sections inherit, counted for each section.
const MOST_INHERITED: u64 = 64 << 20;

/// What the sections so far come to.
#[derive(Debug, Default)]
pub(super) struct Bounds {
    jobs: u64,
    names: u64,
    /// Bytes of the values of all defaults so far, and of what sections have inherited of them.
    defaults: u64,
    inherited: u64,
}

impl Bounds {
    /// These are defaults for the sections that follow.
    pub(super) fn inherit(&mut self, entries: &[Entry]) {
        let bytes = |entry: &Entry| entry.value.as_ref().map_or(0, String::len) as u64;
        self.defaults += entries.iter().map(bytes).sum::<u64>();
    }

    /// A section begins, which inherits the defaults, with this number of names.
    ///
    /// # Errors
    ///
    /// It is too much.
    pub(super) fn check_inherited(&mut self, names: usize) -> Result<(), Wrong> {
        self.inherited = self.inherited.saturating_add(self.defaults);
        let is_long = self.inherited > MOST_INHERITED;
        if is_long || self.names.saturating_add(names as u64) > MOST_NAMES {
            return Err(Wrong::new(
                "the sections up to this one inherit too much from [global]",
                "long lists in the sections that need them; together 64 MiB, and 4194304 names",
            ));
        }
        Ok(())
    }

    /// A section is read.
    ///
    /// # Errors
    ///
    /// It is too much.
    pub(super) fn add(&mut self, settings: &Settings) -> Result<(), Wrong> {
        let clones = settings.clones;
        let files = settings.files.max(settings.filenames.len() as u64);
        self.jobs = self.jobs.saturating_add(clones);
        self.names = self.names.saturating_add(clones.saturating_mul(files));
        if self.jobs > MOST_JOBS {
            return Err(Wrong::new(
                format!("up to this section there are {} jobs", self.jobs),
                format!("{MOST_JOBS} at most, clones included; fio itself takes 4096"),
            ));
        }
        if self.names > MOST_NAMES {
            return Err(Wrong::new(
                format!("up to this section jobs use {} files", self.names),
                format!("{MOST_NAMES} at most, those of each clone counted"),
            ));
        }
        Ok(())
    }
}
