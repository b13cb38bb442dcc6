//! vdbench called: its summary on standard output, and in the directory of `-o`.

use crate::layout::{self, render};
use crate::translate::{Input, translated};
use crate::words;
use fathom_core::foreign::xml_text;
use fathom_core::result::RunResult;
use fathom_tools::call::{Call, Given, LaterFile, Refusal, Reply, Said};
use fathom_tools::translation::Translation;
use fathom_tools::words::CommandWords;
use std::path::Path;

struct Called {
    translation: Translation,
    output: Option<String>,
}

/// The file of the summary.
const SUMMARY: &str = "summary.html";
/// How it begins.
const HEAD: &str = "<title>summary of vdbench by fathom</title><pre>\n";

static LATER: [LaterFile; 1] = [LaterFile {
    name: SUMMARY,
    is_own: |head| head.starts_with(HEAD.as_bytes()),
    bytes: |result| format!("{HEAD}{}</pre>\n", escaped(&render(result))).into_bytes(),
}];

/// A text without what HTML would take for its own.
fn escaped(text: &str) -> String {
    xml_text(text)
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Answers a call.
pub(super) fn answer(given: &Given<'_>) -> Result<Reply, Refusal> {
    let asked = words::read(given.words)?;
    let read = |name: &str| {
        let bytes = (given.read)(name)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let input = Input {
        targets: given.beside.targets.clone(),
        ..asked.input(&read)?
    };
    let translation = translated(&input, given.surroundings)?;
    if asked.simulates {
        return Ok(Reply::Text(layout::simulated(&translation.workload)));
    }
    if let Some(output) = &asked.output
        && !given.surroundings.is_folder(Path::new(output))
    {
        let words = CommandWords::of("vdbench", &["-o".to_owned(), output.clone()]);
        let place = words.list[1].span.clone();
        let message = format!("`{output}` is not a directory");
        let remedy = "a directory that is there, or without -o";
        return Err(vec![words.error(place, message, None, remedy)].into());
    }
    Ok(Reply::Run(Box::new(Called {
        translation,
        output: asked.output,
    })))
}

impl Call for Called {
    fn translation(&self) -> &Translation {
        &self.translation
    }

    fn translation_mut(&mut self) -> &mut Translation {
        &mut self.translation
    }

    fn logs_directory(&self) -> Option<&str> {
        self.output.as_deref()
    }

    fn later_files(&self) -> &[LaterFile] {
        if self.output.is_some() { &LATER } else { &[] }
    }

    fn said(&self, result: &RunResult, asked: bool, _: bool) -> Said {
        Said {
            out: if asked { String::new() } else { render(result) },
            judged: true,
            ..Said::default()
        }
    }
}
