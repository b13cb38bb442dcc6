//! fio's job files and command lines.
//!
//! A text goes through four steps: lines to sections (`lexer`, `command_line`), options to
//! settings (`reading`, by the table in `options`), settings to native jobs (`job`), jobs to phases
//! (`phases`). Sections between two `stonewall`s run at once and are one phase. What fio 3.33 does
//! was asked of fio itself, with its null engine and its I/O log.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of their own")
)]

mod after;
mod answer;
mod apart;
mod binding;
mod blktrace;
mod bounds;
mod call;
mod client_sets;
mod command_line;
mod coverage;
mod formats;
pub(crate) mod import;
pub mod iolog;
mod job;
mod layout;
mod lexer;
mod lint;
mod log_lines;
mod logs;
mod machine;
mod option;
mod options;
mod parsing;
mod phases;
mod processors;
mod program;
mod reading;
mod run;
mod server;
mod settings;
mod source;
mod terse;
mod tool;
mod trace_lines;
mod translate;
mod units;
mod values;
mod word;
mod write;
mod writer;

pub use answer::answer;
pub use command_line::CommandLine;
pub use coverage::{counts, coverage};
pub use layout::{FioLayout, FioStyle, write_fio};
pub use program::PROGRAM;
pub use run::{FioJob, FioRun, FioSection, FioSteady};
pub use settings::{Limit, Unified, Untold};
pub use terse::TerseVersion;
pub use tool::{OutputFormat, Question, Tool};
pub use translate::{detect, translate, translate_file, translate_words};
pub use units::FioUnits;
pub(crate) use values::{plain_bytes, plain_time};
pub(crate) use writer::write;
