//! GNU `dd` as people benchmark with it: zeros or random bytes to a file, a file to nowhere.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of their own")
)]

mod call;
mod layout;
mod number;
mod operands;
mod options;
mod page;
mod program;
mod refusal;
mod translate;

pub use layout::{render, transfer_lines, unsaid};
pub use operands::Status;
pub use page::page;
pub use program::PROGRAM;
pub use translate::{detect, translate, translate_argv};
