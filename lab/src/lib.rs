//! The laboratory, which attacks and tries the program: `siege`, `devices`, `durability`, `image`,
//! `cluster`, `applications`, `explain`, `prometheus`, `windows`. A library too, so that
//! `cargo test` makes a quick siege.
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

mod applications;
mod cluster;
mod devices;
mod durability;
mod explain;
mod live;
mod nbd;
mod prometheus;
mod windows;
