//! A table of plain text: columns two blanks apart, as `lsblk` and `df` draw them.

use std::fmt;

/// Rows under headings, each column as wide as its widest cell. Columns of numbers stand at the
/// right.
#[derive(Debug)]
pub(crate) struct Table {
    heads: Vec<String>,
    right: Vec<bool>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows. A heading that begins with `>` stands at the right with its column.
    pub(crate) fn new(heads: &[&str]) -> Self {
        Self {
            heads: heads
                .iter()
                .map(|head| head.trim_start_matches('>').to_owned())
                .collect(),
            right: heads.iter().map(|head| head.starts_with('>')).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row with a cell for each heading.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = || std::iter::once(&self.heads).chain(&self.rows);
        let width = |column: usize| {
            let cells = lines().filter_map(|line| line.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.heads.len()).map(width).collect();
        for line in lines() {
            let mut text = String::new();
            for ((cell, width), is_right) in line.iter().zip(&widths).zip(&self.right) {
                if !text.is_empty() {
                    text.push_str("  ");
                }
                let padding = " ".repeat(width.saturating_sub(cell.chars().count()));
                let (before, after) = if *is_right {
                    (padding.as_str(), "")
                } else {
                    ("", padding.as_str())
                };
                text.push_str(before);
                text.push_str(cell);
                text.push_str(after);
            }
            writeln!(f, "{}", text.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new(&["NAME", ">SIZE", "MODEL"]);
        table.row(["sda", "4 TB", "Example"].map(str::to_owned));
        table.row(["└─sda1", "512 MB", ""].map(str::to_owned));
        let expected = "\
NAME      SIZE  MODEL
sda       4 TB  Example
└─sda1  512 MB
";
        assert_eq!(table.to_string(), expected);
    }
}
