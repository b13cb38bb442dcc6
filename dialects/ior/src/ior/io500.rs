//! `io500.ini`, the configuration file of the benchmark IO500: which calls of `ior` and `mdtest` it
//! makes, and with which of their options.

mod config;
mod keys;
mod layout;
mod parts;
mod translate;

pub(super) use layout::render;
pub(super) use translate::{
    detect, detect_line, translate, translate_file, translate_line, translate_started,
};
