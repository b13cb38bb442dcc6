//! Its row in the table of programs.

use super::{call, detect, render, translate, translate_words};
use fathom_tools::dialects::Dialect;
use fathom_tools::program::{Layout, Program};

/// What is read and written of it.
pub static PROGRAM: Program = Program {
    dialect: Dialect {
        name: "ior",
        description: "command lines of IOR with their MPI launcher, configurations of IO500",
        detect,
        translate,
        translate_words: Some(translate_words),
    },
    call: call::answer,
    writers: &[],
    layouts: &[Layout {
        name: "ior",
        media_type: "text/plain; charset=utf-8",
        extension: "txt",
        description: "tables of IOR, for phases that write or read",
        write: render,
    }],
    results: &[],
    trace: None,
    sentence: None,
    statuses: None,
    namesake_statuses: None,
};
