//! GNU `dd` as people benchmark with it: zeros or random bytes to a file, a file to nowhere.

mod call;
mod layout;
mod number;
mod operands;
mod options;
mod program;
mod refusal;
mod translate;

pub use layout::{render, transfer_lines, unsaid};
pub use operands::Status;
pub(crate) use program::PROGRAM;
pub use translate::{detect, translate, translate_argv};

use crate::coverage;

/// The page of the documentation, as it has to read.
pub fn page() -> String {
    format!(
        "{}\n## Operands\n\n{}",
        include_str!("dd/page.md"),
        coverage::markdown(&options::rows())
    )
}
