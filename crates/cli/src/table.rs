//! A table on standard output: fitted to the terminal. Without a terminal a row is a line.

use crate::width;
use std::fmt;
use std::ops::Deref;

/// Rows under headings, as [`fathom_core::table::Table::fitted`] draws them.
#[derive(Debug)]
pub(crate) struct Table(fathom_core::table::Table);

impl Table {
    /// A table without rows. A heading that begins with `>` stands at the right with its column.
    pub(crate) fn new(heads: &[&str]) -> Self {
        Self(fathom_core::table::Table::of(heads))
    }

    /// Adds a row with a cell for each heading. Control characters are escaped.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.0.row(cells.into_iter().collect());
    }

    /// The table on a page, which is narrower than a row may be.
    pub(crate) fn on_page(&self) -> String {
        self.fitted(width::of_pages()).concat().join("\n") + "\n"
    }
}

impl Deref for Table {
    type Target = fathom_core::table::Table;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = width::known().unwrap_or(usize::MAX);
        for line in self.fitted(most).iter().flatten() {
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}
