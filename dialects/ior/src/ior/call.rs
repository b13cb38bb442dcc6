//! `ior` called: its tables on standard output.

use super::{io500, render, translate_argv};
use crate::tables;
use fathom_tools::call::{Given, Refusal, Reply};
use fathom_tools::rebinding::{Kind, after_letter};
use fathom_tools::words::CommandWords;

/// Answers a call.
pub(super) fn answer(given: &Given<'_>) -> Result<Reply, Refusal> {
    if let [name] = given.words
        && !name.starts_with('-')
    {
        let words = CommandWords::of("ior", given.words);
        if given.beside.targets.len() > 1 {
            let message = "io500 has one directory, and `--target` names several";
            let word = words.list[0].span.clone();
            let wrong = vec![words.error(word, message, None, "name one directory")];
            return Err(Refusal::Text(wrong));
        }
        let directory = given.beside.targets.first().map(String::as_str);
        let from = (given.beside.tasks, directory);
        let found = io500::translate_file(&words, &words.list[0], given.surroundings, from)?;
        return Ok(tables::reply(found, io500::render));
    }
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
