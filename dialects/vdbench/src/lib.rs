//! vdbench: its parameter files, its words and its summary.
//!
//! A file defines storage (`sd`), workloads on it (`wd`), and runs of workloads (`rd`); or file
//! systems (`fsd`) and what is done to their files (`fwd`). A run, with each step of its loops,
//! becomes a phase.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod call;
mod definitions;
mod files;
mod keys;
mod layout;
mod loops;
mod page;
mod parameter;
mod parse;
mod program;
mod raw;
mod shares;
mod source;
mod storage;
mod translate;
mod words;

pub use layout::render;
pub use page::page;
pub use program::PROGRAM;
pub use translate::{detect, translate, translate_words};
