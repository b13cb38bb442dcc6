//! Its row in the table of programs.

use super::{Wishes, call, detect, render, render_rhel, sas_sentence, translate, translate_argv};
use fathom_tools::dialects::Dialect;
use fathom_tools::program::{Layout, Program};

/// What is read and written of it.
pub static PROGRAM: Program = Program {
    dialect: Dialect {
        name: "iotest",
        description: "command lines of the SAS script iotest.sh",
        detect,
        translate,
        translate_words: Some(|words, _| translate_argv(words, Wishes::default())),
    },
    call: call::answer,
    writers: &[],
    layouts: &[
        Layout {
            name: "iotest",
            media_type: "text/plain; charset=utf-8",
            extension: "txt",
            description: "output of SAS's iotest.sh, with additional findings",
            write: render,
        },
        Layout {
            name: "rhel-iotest",
            media_type: "text/plain; charset=utf-8",
            extension: "txt",
            description: "output of SAS's rhel_iotest.sh, with additional findings",
            write: render_rhel,
        },
    ],
    results: &[],
    trace: None,
    sentence: Some(sas_sentence),
    statuses: None,
    namesake_statuses: None,
};
