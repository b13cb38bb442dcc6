//! The formats in which workloads are written.

use crate::PROGRAMS;
use fathom_tools::native;
use fathom_tools::writers::{Writer, prefixed};

/// Our own.
static NATIVE: Writer = Writer {
    name: "native",
    description: "Fathom's own TOML",
    write: native::write,
    comment: Some(|lines| prefixed("#", lines)),
};

/// All formats, our own first.
pub fn writers() -> impl Iterator<Item = &'static Writer> {
    let others = PROGRAMS.iter().flat_map(|program| program.writers);
    std::iter::once(&NATIVE).chain(others)
}

/// The format called `name`.
pub fn writer(name: &str) -> Option<&'static Writer> {
    writers().find(|writer| writer.name == name)
}
