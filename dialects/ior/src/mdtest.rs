//! `mdtest` of the IOR project: how many files and directories can be made, looked at, read and
//! removed a second.

mod call;
mod layout;
mod options;
mod program;
mod translate;

pub use layout::render;
pub use program::PROGRAM;
pub use translate::{detect, translate, translate_argv, translate_words};

use fathom_tools::coverage;

/// The page of the documentation, as it has to read.
pub fn page() -> String {
    format!(
        "{}\n## Options\n\n{}",
        include_str!("mdtest/page.md"),
        coverage::markdown(&options::LETTERS.rows())
    )
}
