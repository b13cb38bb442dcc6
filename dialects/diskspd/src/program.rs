//! Its row in the table of programs.

use super::{call, detect, import, layout, translate, translate_words, write};
use fathom_tools::dialects::Dialect;
use fathom_tools::program::{Layout, Program, Statuses};
use fathom_tools::results::ResultFormat;
use fathom_tools::writers::{Writer, xml_comment};

/// What is read and written of it.
pub static PROGRAM: Program = Program {
    dialect: Dialect {
        name: "diskspd",
        description: "DISKSPD 2.2: a command line, or an XML profile",
        detect,
        translate,
        translate_words: Some(translate_words),
    },
    call: call::answer,
    writers: &[
        Writer {
            name: "diskspd",
            description: "a command line of DISKSPD, for one phase of equal jobs",
            write: write::command_line,
            comment: None,
        },
        Writer {
            name: "diskspd-xml",
            description: "an XML profile of DISKSPD",
            write: write::xml,
            comment: Some(xml_comment),
        },
    ],
    layouts: &[
        Layout {
            name: "diskspd-text",
            media_type: "text/plain; charset=utf-8",
            extension: "txt",
            description: "output of DISKSPD 2.2; its input section is derived from the workload",
            write: layout::of_run,
        },
        Layout {
            name: "diskspd-xml",
            media_type: "application/xml",
            extension: "xml",
            description: "XML of DISKSPD 2.2; its profile is derived from the workload",
            write: layout::xml_of_run,
        },
    ],
    results: &[
        ResultFormat {
            name: "diskspd-xml",
            description: "diskspd -Rxml",
            detect: import::xml::detect,
            set: None,
            parse: import::xml::parse,
        },
        ResultFormat {
            name: "diskspd-text",
            description: "the text report of diskspd",
            detect: import::text::detect,
            set: None,
            parse: import::text::parse,
        },
    ],
    trace: None,
    sentence: None,
    statuses: Some(Statuses { words: 3, run: 1 }),
    namesake_statuses: None,
};
