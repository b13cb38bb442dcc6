//! Columns of text: aligned, captioned, fitted to the page.

use crate::paint::{Style, paint};
use std::fmt::Write as _;

/// Spaces between two columns, when there is room and when there is not.
const GAPS: [usize; 2] = [2, 1];

/// Whether a column begins or ends at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Cells begin at one place, as text does.
    Left,
    /// Cells end at one place, as numbers do.
    Right,
}

#[derive(Debug)]
struct Column {
    header: String,
    align: Align,
    /// Left out when the table is too wide, the highest first; 0 is never left out.
    spare: u8,
}

/// A table in the making.
#[derive(Debug, Default)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
    caption: Option<(usize, String)>,
}

impl Table {
    /// Adds a column.
    pub fn column(&mut self, header: impl Into<String>, align: Align) {
        self.spare_column(header, align, 0);
    }

    /// Adds a column that may be left out; the highest `spare` goes first.
    pub fn spare_column(&mut self, header: impl Into<String>, align: Align, spare: u8) {
        self.columns.push(Column {
            header: header.into(),
            align,
            spare,
        });
    }

    /// Puts a line above the headers, beginning where the next column to be added begins.
    pub fn caption(&mut self, text: impl Into<String>) {
        self.caption = Some((self.columns.len(), text.into()));
    }

    /// Adds a row; missing cells at its end are empty.
    pub fn row(&mut self, mut cells: Vec<String>) {
        cells.resize(self.columns.len(), String::new());
        self.rows.push(cells);
    }

    /// The headers, for forms with a layout of their own.
    pub fn headers(&self) -> impl Iterator<Item = (&str, Align)> {
        self.columns
            .iter()
            .map(|column| (column.header.as_str(), column.align))
    }

    /// The rows, each as long as the headers.
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// What stands above the headers.
    pub fn caption_text(&self) -> Option<&str> {
        self.caption.as_ref().map(|(_, text)| text.as_str())
    }

    /// The lines of the table, at most `width` columns wide if leaving out all spare columns
    /// can make it so.
    pub fn lines(&self, width: usize, color: bool) -> Vec<String> {
        let (shown, gap) = self.fit(width);
        let line = |cells: &[&str]| self.line(&shown, gap, cells);
        let mut lines = Vec::new();
        if let Some((column, text)) = &self.caption {
            let before = shown.iter().filter(|index| **index < *column);
            let indent: usize = before.map(|index| self.width_of(*index) + gap).sum();
            let indent = indent.min(width.saturating_sub(text.chars().count()));
            lines.push(" ".repeat(indent) + &paint(color, Style::Faint, text));
        }
        let headers: Vec<&str> = self.columns.iter().map(|c| c.header.as_str()).collect();
        lines.push(paint(color, Style::Strong, &line(&headers)));
        for row in &self.rows {
            lines.push(line(&row.iter().map(String::as_str).collect::<Vec<_>>()));
        }
        lines
    }

    /// The columns to show and the gap between them.
    fn fit(&self, width: usize) -> (Vec<usize>, usize) {
        let mut shown: Vec<usize> = (0..self.columns.len()).collect();
        loop {
            let content: usize = shown.iter().map(|index| self.width_of(*index)).sum();
            for gap in GAPS {
                if content + gap * shown.len().saturating_sub(1) <= width {
                    return (shown, gap);
                }
            }
            let spare = |index: &usize| self.columns[*index].spare;
            match shown.iter().copied().max_by_key(spare) {
                Some(index) if spare(&index) > 0 => shown.retain(|other| *other != index),
                _ => return (shown, GAPS[1]),
            }
        }
    }

    fn width_of(&self, index: usize) -> usize {
        let cells = self.rows.iter().map(|row| row[index].as_str());
        cells
            .chain([self.columns[index].header.as_str()])
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
    }

    fn line(&self, shown: &[usize], gap: usize, cells: &[&str]) -> String {
        let mut line = String::new();
        for (position, &index) in shown.iter().enumerate() {
            if position > 0 {
                line.push_str(&" ".repeat(gap));
            }
            let width = self.width_of(index);
            // Writing to a string cannot fail.
            match self.columns[index].align {
                Align::Left => _ = write!(line, "{:<width$}", cells[index]),
                Align::Right => _ = write!(line, "{:>width$}", cells[index]),
            }
        }
        line.trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::default();
        table.column("op", Align::Left);
        table.caption("service time");
        table.column("mean", Align::Right);
        table.spare_column("p99.9", Align::Right, 1);
        table.spare_column("p99.99", Align::Right, 2);
        table.row(
            ["read", "34.2 µs", "1.00 ms", "2.00 ms"]
                .map(String::from)
                .into(),
        );
        table.row(["write", "9.00 µs"].map(String::from).into());
        table
    }

    #[test]
    fn columns_are_aligned_and_captioned() {
        let expected = [
            "       service time",
            "op        mean    p99.9   p99.99",
            "read   34.2 µs  1.00 ms  2.00 ms",
            "write  9.00 µs",
        ];
        assert_eq!(table().lines(40, false), expected);
    }

    #[test]
    fn a_narrow_page_loses_gaps_first_and_then_spare_columns() {
        let tight = [
            "      service time",
            "op       mean   p99.9  p99.99",
            "read  34.2 µs 1.00 ms 2.00 ms",
            "write 9.00 µs",
        ];
        assert_eq!(table().lines(29, false), tight);
        let fewer = [
            "       service time",
            "op        mean    p99.9",
            "read   34.2 µs  1.00 ms",
            "write  9.00 µs",
        ];
        assert_eq!(table().lines(23, false), fewer);
        let least = [
            "service time",
            "op       mean",
            "read  34.2 µs",
            "write 9.00 µs",
        ];
        assert_eq!(table().lines(3, false)[1..], least[1..]);
    }
}
