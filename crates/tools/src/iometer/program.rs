//! Its row in the table of programs.

use super::{call, detect, render, translate};
use crate::dialects::Dialect;
use crate::programs::{Layout, Program};

/// What is read and written of it.
pub(crate) static PROGRAM: Program = Program {
    dialect: Dialect {
        name: "iometer",
        description: "configuration files of Iometer (.icf)",
        detect,
        translate,
        translate_words: None,
    },
    call: call::answer,
    writers: &[],
    layouts: &[Layout {
        name: "iometer-csv",
        media_type: "text/csv; charset=utf-8",
        extension: "csv",
        description: "the table of Iometer: a block for each phase, a row for each job",
        write: render,
    }],
    results: &[],
    statuses: None,
};
