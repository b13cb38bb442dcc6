//! Its row in the table of programs.

use super::{
    FioLayout, FioStyle, call, detect, import, iolog, translate_file, translate_words, write,
    write_fio,
};
use fathom_tools::dialects::Dialect;
use fathom_tools::program::{Layout, Program, Statuses, TraceFormat};
use fathom_tools::results::ResultFormat;
use fathom_tools::writers::{Writer, prefixed};

/// What is read and written of it.
pub static PROGRAM: Program = Program {
    dialect: Dialect {
        name: "fio",
        description: "job files of fio",
        detect,
        translate: translate_file,
        translate_words: Some(translate_words),
    },
    call: call::answer,
    writers: &[Writer {
        name: "fio",
        description: "a job file of fio",
        write,
        comment: Some(|lines| prefixed(";", lines)),
    }],
    layouts: &[Layout {
        name: "fio-json",
        media_type: "application/json",
        extension: "json",
        description: "JSON of fio 3.33",
        write: |result| write_fio(result, &FioLayout::of(result), FioStyle::Json),
    }],
    results: &[
        ResultFormat {
            name: "fio-json+",
            description: "fio --output-format=json+: JSON with the bins of its histograms",
            detect: import::json::detect_bins,
            set: None,
            parse: import::json::parse,
        },
        ResultFormat {
            name: "fio-json",
            description: "fio --output-format=json",
            detect: import::json::detect,
            set: None,
            parse: import::json::parse,
        },
        ResultFormat {
            name: "fio-terse",
            description: "fio --output-format=terse or --minimal, versions 2 to 5",
            detect: import::terse::detect,
            set: None,
            parse: import::terse::parse,
        },
        ResultFormat {
            name: "fio-log",
            description: "logs of fio: NAME_lat, _clat, _iops and _bw, together by their name",
            detect: import::log::detect,
            set: Some(import::log::set),
            parse: import::log::parse,
        },
    ],
    trace: Some(TraceFormat {
        title: "I/O log of fio, or trace of blktrace",
        is: iolog::is,
        read: iolog::read,
    }),
    sentence: None,
    statuses: None,
    namesake_statuses: Some(Statuses { words: 1, run: 1 }),
};
