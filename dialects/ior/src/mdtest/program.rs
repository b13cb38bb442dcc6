//! Its row in the table of programs.

use super::{call, detect, render, translate, translate_words};
use fathom_tools::dialects::Dialect;
use fathom_tools::program::{Layout, Program};

/// What is read and written of it.
pub static PROGRAM: Program = Program {
    dialect: Dialect {
        name: "mdtest",
        description: "command lines of mdtest, with their MPI launcher",
        detect,
        translate,
        translate_words: Some(|words, _| translate_words(words)),
    },
    call: call::answer,
    writers: &[],
    layouts: &[Layout {
        name: "mdtest",
        media_type: "text/plain; charset=utf-8",
        extension: "txt",
        description: "summary of mdtest, for phases with file operations",
        write: render,
    }],
    results: &[],
    trace: None,
    sentence: None,
    statuses: None,
    namesake_statuses: None,
};
