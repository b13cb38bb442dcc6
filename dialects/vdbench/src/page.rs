//! Its page of the documentation.

use crate::{keys, words};
use fathom_tools::coverage;

/// The page of the documentation, as it has to read.
pub fn page() -> String {
    format!(
        "{}\n## Options\n\n{}\n## Parameters\n\n{}",
        include_str!("page.md"),
        coverage::markdown(&words::rows()),
        coverage::markdown(&keys::rows())
    )
}
