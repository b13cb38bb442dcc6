//! Standard input of a command, which can be read once: a second `-` would find it at its end.

use crate::error::Problem;
use crate::exit::Exit;
use std::ffi::OsStr;
use std::io::{self, StdinLock};
use std::sync::atomic::{AtomicBool, Ordering};

static TAKEN: AtomicBool = AtomicBool::new(false);

/// All of it, for the only word or option that names it.
pub(crate) fn once() -> Result<StdinLock<'static>, Problem> {
    if TAKEN.swap(true, Ordering::Relaxed) {
        return Err(twice());
    }
    Ok(io::stdin().lock())
}

/// Refuses words of which more than one names it, before anything is read.
pub(crate) fn refuse_twice<'a>(words: impl IntoIterator<Item = &'a OsStr>) -> Result<(), Problem> {
    let named = words.into_iter().filter(|word| *word == "-");
    if named.count() > 1 {
        Err(twice())
    } else {
        Ok(())
    }
}

fn twice() -> Problem {
    let problem = Problem::new(Exit::Usage, "standard input is named twice");
    problem.remedy("use a file in place of one `-`")
}
