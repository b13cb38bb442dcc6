//! Its page of the documentation.

use fathom_tools::coverage;

/// The page of the documentation, as it has to read.
pub fn page() -> String {
    format!(
        "{}\n## Operands\n\n{}",
        include_str!("page.md"),
        coverage::markdown(&crate::options::rows())
    )
}
