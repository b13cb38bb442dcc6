//! The I/O tests of SAS: `iotest.sh` and `rhel_iotest.sh`.
//!
//! Both run concurrent streams, each over a file of its own: all write, then all read back.
//! `iotest.sh` gets the number and the size ([`translate`]); `rhel_iotest.sh` works it out from the
//! machine ([`Sizing`]).
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of their own")
)]

mod arguments;
mod call;
mod layout;
mod options;
mod page;
mod program;
mod rhel;
mod sizing;
mod streams;

pub use arguments::{Wishes, detect, translate, translate_argv};
pub use layout::{SasAnswer, render, render_rhel, sas_answer, sas_sentence, sas_verdict};
pub use page::page;
pub use program::PROGRAM;
pub use rhel::{Directory, Request, parse_rhel, rhel_translation};
pub use sizing::{FileSystem, Host, Sizing, SizingError, size_up};
