//! `dd` called: its lines on standard error as it prints them, ours on standard output.

use super::translate::appends_to_nothing;
use super::{Status, options, refusal, transfer_lines, translate_argv, unsaid};
use fathom_core::result::RunResult;
use fathom_tools::call::{Call, Given, Refusal, Reply, Said};
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::rebinding::{Kind, rebind};
use fathom_tools::translation::{Translation, told_notes};

struct Copy {
    translation: Translation,
    status: Status,
    /// What dd warns of before it begins.
    warning: &'static str,
}

/// An output that was emptied has no end to append to.
const APPENDS: &str = "dd: you probably want conv=notrunc with oflag=append\n";

/// Answers a call.
pub(super) fn answer(given: &Given<'_>) -> Result<Reply, Refusal> {
    let words = rebound(given)?;
    let outcome = translate_argv(&words, given.surroundings);
    let (translation, status) = outcome.map_err(|wrong| {
        match refusal::of(&words, given.surroundings) {
            Some(said) => Refusal::Said { said, wrong },
            // dd would do it.
            None => wrong.into(),
        }
    })?;
    Ok(Reply::Run(Box::new(Copy {
        translation,
        status,
        warning: if appends_to_nothing(&words) {
            APPENDS
        } else {
            ""
        },
    })))
}

/// The operands with other paths for what they read or write.
fn rebound(given: &Given<'_>) -> Result<Vec<String>, Vec<Diagnostic>> {
    let path = |word: &'_ str| {
        let (name, path) = word.split_once('=')?;
        let is_storage = options::made(path).is_none() && path != "/dev/null";
        (["if", "of"].contains(&name) && is_storage).then(|| (name.to_owned(), path.to_owned()))
    };
    let mut names: Vec<String> = given
        .words
        .iter()
        .filter_map(|word| path(word).map(|(_, path)| path))
        .collect();
    names.sort();
    names.dedup();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let bound = rebind(
        &given.beside.targets,
        &names,
        Kind::Files,
        given.surroundings,
    )?;
    let put = |word: &String| {
        let other = path(word).and_then(|(name, path)| Some((name, bound.get(&path)?)));
        other.map_or_else(|| word.clone(), |(name, path)| format!("{name}={path}"))
    };
    Ok(given.words.iter().map(put).collect())
}

/// The notes, below all else that dd does not say.
fn noted(translation: &Translation) -> String {
    let notes = told_notes(&translation.notes);
    let lines = notes.iter().map(|note| format!("{:<12}{note}\n", "note"));
    lines.collect()
}

impl Call for Copy {
    fn translation(&self) -> &Translation {
        &self.translation
    }

    fn translation_mut(&mut self) -> &mut Translation {
        &mut self.translation
    }

    fn reports_notes(&self) -> bool {
        true
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
            err: self.warning.to_owned() + &lines[..count].concat(),
            out: if asked || quiet {
                String::new()
            } else {
                unsaid(result) + &noted(&self.translation)
            },
            judged: false,
        }
    }
}
