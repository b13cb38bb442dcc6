//! What the history knows of a target: the run that wrote to it last, and what it wrote where.

use crate::commands::archive;
use crate::error::Problem;
use fathom_core::figure;
use fathom_device::birthmark;
use fathom_session::verify_target::ClosedAccount;
use fathom_store::{HeldAccount, Store};
use std::path::Path;

/// What blocks are compared with apart from their own headers, or why there is nothing.
#[derive(Debug)]
pub(super) enum Account {
    /// The run, and what it wrote.
    Of(String, ClosedAccount),
    /// Why not, in words that go on from "since".
    None(String),
}

impl Account {
    /// Looks for it in the history that was named, else the user's.
    pub(super) fn find(path: &Path, store: Option<&Path>) -> Result<Self, Problem> {
        let place = archive::path(store);
        if !place.is_ok_and(|place| place.exists()) {
            return Ok(Self::None("there is no history".to_owned()));
        }
        let store = match archive::open_to_read(store) {
            Ok(store) => store,
            Err(problem) if store.is_some() => return Err(problem),
            Err(problem) => return Ok(Self::None(problem.thing)),
        };
        Ok(Self::in_history(path, &store).unwrap_or_else(Self::None))
    }

    fn in_history(path: &Path, store: &Store) -> Result<Self, String> {
        let unknown = || "no run of the history wrote to it".to_owned();
        let lasting = std::fs::canonicalize(path).map_err(|_| unknown())?;
        let found = store.account(&lasting).map_err(|error| error.to_string())?;
        let HeldAccount {
            run_id,
            birthmark: known,
            body,
        } = found.ok_or_else(unknown)?;
        let own = fathom_device::input::open(path).and_then(|file| birthmark(&file));
        if own.ok().flatten().is_none_or(|own| own != known) {
            return Err(format!(
                "{run_id} wrote to another file or device that had this name"
            ));
        }
        let body = body.ok_or_else(|| {
            format!("{run_id}, which wrote to it last, was killed or did not stamp what it wrote")
        })?;
        let account = ClosedAccount::read(&body);
        let account = account.ok_or_else(|| format!("the write record of {run_id} is damaged"))?;
        Ok(Self::Of(run_id, account))
    }

    /// What was held against what, in a line.
    pub(super) fn sentence(&self) -> String {
        match self {
            Self::Of(run_id, account) => {
                let written = &account.written;
                let size = figure::size(written.block_bytes());
                match written.every() {
                    1 => {
                        format!("compared with the last write of {run_id} to each block of {size}")
                    }
                    every => format!(
                        "compared with the last write of {run_id} to one of {} blocks of {size}; \
                         the other blocks only with their own stamps",
                        figure::count(every)
                    ),
                }
            }
            Self::None(why) => format!(
                "note: outdated data would not be detected, because {why}. Each block is compared \
                 only with its own stamp"
            ),
        }
    }
}
