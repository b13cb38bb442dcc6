//! Its row in the table of programs.

use super::{call, detect, render, translate, translate_argv};
use fathom_tools::dialects::Dialect;
use fathom_tools::program::{Layout, Program, Statuses};

/// What is read and written of it.
pub static PROGRAM: Program = Program {
    dialect: Dialect {
        name: "dd",
        description: "command lines of GNU dd that write or read",
        detect,
        translate,
        translate_words: Some(|words, surroundings| {
            translate_argv(words, surroundings).map(|(translation, _)| translation)
        }),
    },
    call: call::answer,
    writers: &[],
    layouts: &[Layout {
        name: "dd",
        media_type: "text/plain; charset=utf-8",
        extension: "txt",
        description: "output of dd for the first job, with additional findings",
        write: render,
    }],
    results: &[],
    trace: None,
    sentence: None,
    statuses: Some(Statuses { words: 1, run: 1 }),
    namesake_statuses: None,
};
