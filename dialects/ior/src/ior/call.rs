//! `ior` called: its tables on standard output.

use super::{render, translate_argv};
use crate::tables;
use fathom_tools::call::{Given, Refusal, Reply};
use fathom_tools::rebinding::{Kind, after_letter};

/// Answers a call.
pub(super) fn answer(given: &Given<'_>) -> Result<Reply, Refusal> {
    let words = after_letter(
        "-o",
        given.words,
        &given.beside.targets,
        Kind::Files,
        given.surroundings,
    )?;
    let translation = translate_argv(&words, given.beside.tasks)?;
    Ok(tables::reply(translation, render))
}
