//! Its row in the table of programs.

use super::{call, detect, import, render, translate};
use fathom_tools::dialects::Dialect;
use fathom_tools::program::{Layout, Program};
use fathom_tools::results::ResultFormat;

/// What is read and written of it.
pub static PROGRAM: Program = Program {
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
        description: "result table of Iometer: a block for each phase, a row for each job",
        write: render,
    }],
    results: &[ResultFormat {
        name: "iometer-csv",
        description: "result table of Iometer 2006 to 1.1.0",
        detect: import::detect,
        set: None,
        parse: import::parse,
    }],
    trace: None,
    sentence: None,
    statuses: None,
    namesake_statuses: None,
};
