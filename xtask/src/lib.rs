//! Checks of this repository that no other tool makes: `tidy`, `layers`, `instr`, `page`;
//! and what is shipped: `dist`, `image`. A library too, for the laboratory.
#![allow(
    clippy::disallowed_methods,
    reason = "it writes to this repository, and to devices that it makes"
)]
#![forbid(unsafe_code)]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program talks on these"
)]

pub mod built;
pub mod command;
pub mod dist;
pub mod image;
pub mod metadata;

pub mod sources;
pub mod zram;

mod finding;
mod instr;
mod layers;
mod page;
mod rust_text;
mod site;
mod tidy;
