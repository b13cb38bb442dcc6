//! Checks of this repository that no other tool makes: `tidy`, `layers`, `instr`, `page`,
//! `cluster`,
//! `siege`;
//! and what is shipped: `dist`, `image`.
//! A library too, so that `cargo test` makes a quick siege.
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

pub mod command;
pub mod siege;

mod cluster;
mod dist;
mod finding;
mod image;
mod instr;
mod lab;
mod layers;
mod metadata;
mod page;
mod rust_text;
mod sources;
mod tidy;
mod zram;
