//! `mdtest` called: its summary on standard output.

use super::{render, translate_argv};
use crate::tables;
use fathom_tools::call::{Given, Refusal, Reply};
use fathom_tools::rebinding::{Kind, after_letter};

/// Answers a call.
pub(super) fn answer(given: &Given<'_>) -> Result<Reply, Refusal> {
    let tasks = given.beside.tasks.unwrap_or(1);
    let words = after_letter(
        "-d",
        given.words,
        &given.beside.targets,
        Kind::Folders,
        given.surroundings,
    )?;
    let translation = translate_argv(&words, tasks)?;
    Ok(tables::reply(translation, render))
}
