//! `ior`: how fast many tasks write and read one file together, or a file each.

mod call;
mod input;
mod io500;
mod layout;
mod options;
mod program;
mod translate;

pub use input::{detect, translate, translate_words};
pub use layout::render;
pub use program::PROGRAM;
pub use translate::translate_argv;

use fathom_tools::coverage;

/// The page of the documentation, as it has to read.
pub fn page() -> String {
    format!(
        "{}\n## Options\n\n{}",
        include_str!("ior/page.md"),
        coverage::markdown(&options::LETTERS.rows())
    )
}
