//! `dd` called: its lines on standard error as it prints them, ours on standard output.

use super::{Status, transfer_lines, translate_argv, unsaid};
use crate::call::{Call, Given, Refusal, Reply, Said};
use crate::translation::Translation;
use fathom_core::result::RunResult;

struct Copy {
    translation: Translation,
    status: Status,
}

/// Answers a call.
pub(super) fn answer(given: &Given<'_>) -> Result<Reply, Refusal> {
    let (translation, status) = translate_argv(given.words, given.surroundings)?;
    Ok(Reply::Run(Box::new(Copy {
        translation,
        status,
    })))
}

impl Call for Copy {
    fn translation(&self) -> &Translation {
        &self.translation
    }

    fn translation_mut(&mut self) -> &mut Translation {
        &mut self.translation
    }

    fn has_progress(&self) -> bool {
        self.status == Status::Progress
    }

    fn said(&self, result: &RunResult, asked: bool, quiet: bool) -> Said {
        let lines = transfer_lines(result);
        let count = match self.status {
            Status::Nothing => 0,
            Status::NoTransfer => 2,
            Status::All | Status::Progress => lines.len(),
        };
        Said {
            err: lines[..count].concat(),
            out: if asked || quiet {
                String::new()
            } else {
                unsaid(result)
            },
            judged: false,
        }
    }
}
