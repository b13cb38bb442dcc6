//! Its row in the table of programs.

use super::{Wishes, call, detect, render, render_rhel, translate, translate_argv};
use crate::dialects::Dialect;
use crate::program::{Layout, Program};

/// What is read and written of it.
pub(crate) static PROGRAM: Program = Program {
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
            description: "as SAS's iotest.sh prints streams, and what it does not say",
            write: render,
        },
        Layout {
            name: "rhel-iotest",
            media_type: "text/plain; charset=utf-8",
            extension: "txt",
            description: "as SAS's rhel_iotest.sh prints streams, and what it does not say",
            write: render_rhel,
        },
    ],
    results: &[],
    statuses: None,
    namesake_statuses: None,
};
