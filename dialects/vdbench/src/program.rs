//! Its row in the table of programs.

use super::{call, detect, render, translate, translate_words};
use fathom_tools::dialects::Dialect;
use fathom_tools::program::{Layout, Program, Statuses};

/// What is read and written of it.
pub static PROGRAM: Program = Program {
    dialect: Dialect {
        name: "vdbench",
        description: "parameter files of vdbench",
        detect,
        translate,
        translate_words: Some(translate_words),
    },
    call: call::answer,
    writers: &[],
    layouts: &[Layout {
        name: "vdbench",
        media_type: "text/plain; charset=utf-8",
        extension: "txt",
        description: "summary of vdbench: intervals and averages of each run",
        write: render,
    }],
    results: &[],
    trace: None,
    sentence: None,
    // Its status of -99, as a shell gets it.
    statuses: Some(Statuses {
        words: 157,
        run: 157,
    }),
    namesake_statuses: None,
};
