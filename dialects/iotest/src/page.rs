//! Its page of the documentation.

use fathom_tools::coverage;

/// The page of the documentation about both, as it has to read.
pub fn page() -> String {
    format!(
        "{}\n## `fathom iotest`\n\n{}\n## `fathom rhel-iotest`\n\n{}",
        include_str!("page.md"),
        coverage::markdown(&crate::options::rows()),
        coverage::markdown(&crate::options::rhel_rows())
    )
}
