//! `ior` called: its tables on standard output.

use super::{render, translate_argv};
use crate::call::{Call, Given, Refusal, Reply, Said};
use crate::rebinding::{Kind, after_letter};
use crate::translation::Translation;
use fathom_core::result::RunResult;

struct Run(Translation);

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
    Ok(Reply::Run(Box::new(Run(translation))))
}

impl Call for Run {
    fn translation(&self) -> &Translation {
        &self.0
    }

    fn translation_mut(&mut self) -> &mut Translation {
        &mut self.0
    }

    fn said(&self, result: &RunResult, asked: bool, _: bool) -> Said {
        Said {
            out: if asked { String::new() } else { render(result) },
            judged: true,
            ..Said::default()
        }
    }
}
