//! Columns of text, aligned. On a page that is too narrow, [`Table::lines`] leaves out the least of
//! them, and [`Table::fitted`] goes on in further lines.

mod spare;
mod wrapped;

use crate::foreign::into_visible;
use std::fmt::{Display, Write as _};

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
    /// Whether its cells may be cut.
    is_label: bool,
}

/// The columns to show in a line, their widths, and the gap between them.
struct Fit {
    shown: Vec<(usize, usize)>,
    gap: usize,
}

impl Fit {
    fn columns(&self) -> usize {
        let widths: usize = self.shown.iter().map(|(_, width)| width).sum();
        widths + self.gap * self.shown.len().saturating_sub(1)
    }
}

/// A table in the making.
#[derive(Debug, Default)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
    caption: Option<(usize, String)>,
    /// Columns at the left that say what a row is.
    keys: usize,
}

impl Table {
    /// A table of these columns. A header that begins with `>` stands at the right with its column.
    pub fn of(headers: &[&str]) -> Self {
        let mut table = Self::default();
        for header in headers {
            match header.strip_prefix('>') {
                Some(header) => table.column(header, Align::Right),
                None => table.column(*header, Align::Left),
            }
        }
        table
    }

    /// Adds a column.
    pub fn column(&mut self, header: impl Into<String>, align: Align) {
        self.spare_column(header, align, 0);
    }

    /// Adds a column that may be left out; the highest `spare` goes first, and 1 only after labels
    /// have been cut.
    pub fn spare_column(&mut self, header: impl Into<String>, align: Align, spare: u8) {
        self.columns.push(Column {
            header: header.into(),
            align,
            spare,
            is_label: false,
        });
    }

    /// Adds a column of names, which are cut before the last spare columns go.
    pub fn label_column(&mut self, header: impl Into<String>) {
        self.columns.push(Column {
            header: header.into(),
            align: Align::Left,
            spare: 0,
            is_label: true,
        });
    }

    /// A table of the same columns with some of the rows.
    #[must_use]
    pub fn of_rows(self, kept: &[usize]) -> Self {
        let rows = kept
            .iter()
            .filter_map(|index| self.rows.get(*index).cloned());
        let rows = rows.collect();
        Self { rows, ..self }
    }

    /// The cells of the last column, by row.
    #[must_use]
    pub fn with_last(mut self, cells: impl Iterator<Item = String>) -> Self {
        for (row, cell) in self.rows.iter_mut().zip(cells) {
            row.truncate(self.columns.len() - 1);
            row.push(cell);
        }
        self
    }

    /// Puts a line above the headers, beginning where the next column to be added begins.
    pub fn caption(&mut self, text: impl Into<String>) {
        self.caption = Some((self.columns.len(), text.into()));
    }

    /// Where the table is too wide whatever is left out, it comes in blocks below each other, and
    /// the columns so far, which say what a row is, stand in each of them.
    pub fn keys_end(&mut self) {
        self.keys = self.columns.len();
    }

    /// Adds a row; missing cells at its end are empty. Control characters are escaped.
    pub fn row(&mut self, mut cells: Vec<String>) {
        cells = cells.into_iter().map(into_visible).collect();
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

    /// Characters of the widest cell, or of the header.
    fn width_of_cells(&self, index: usize) -> usize {
        let cells = self.rows.iter().map(|row| row[index].as_str());
        let all = cells.chain([self.columns[index].header.as_str()]);
        all.map(|cell| cell.chars().count()).max().unwrap_or(0)
    }

    /// A line of text with a cell, or a part of one, for each column of it.
    fn line(&self, fit: &Fit, cells: impl Iterator<Item = impl Display>) -> String {
        let mut line = String::new();
        for (position, (&(index, width), cell)) in fit.shown.iter().zip(cells).enumerate() {
            if position > 0 {
                line.push_str(&" ".repeat(fit.gap));
            }
            // Writing to a string cannot fail.
            match self.columns[index].align {
                Align::Left => _ = write!(line, "{cell:<width$}"),
                Align::Right => _ = write!(line, "{cell:>width$}"),
            }
        }
        line.trim_end().to_owned()
    }
}
