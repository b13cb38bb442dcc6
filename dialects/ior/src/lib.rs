//! The programs of the IOR project, which have many tasks do the same at once: `ior` for the data
//! of files, `mdtest` for the files themselves.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of their own")
)]

pub mod ior;
mod letters;
pub mod mdtest;
mod tables;
mod tasks;
