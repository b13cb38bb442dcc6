//! A table of plain text: columns two blanks apart, as `lsblk` and `df` draw them.
//!
//! Where a terminal is too narrow, columns that are empty go, texts are broken at blanks, and what
//! still does not fit is in further lines of its row. Digits are never cut. Without a terminal a
//! row is a line.

use crate::width;
use fathom_core::foreign::into_visible;
use std::fmt;
use std::fmt::Write as _;
use std::ops::Range;

/// Blanks between two columns, where there is room and where there is not.
const GAPS: [usize; 2] = [2, 1];
/// How far the further lines of a row are moved in.
const INDENT: usize = 4;
/// No text is broken into columns narrower than this, if it is longer.
const LEAST_TEXT: usize = 10;

/// What of a column may go on in a further line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Breaks {
    Nothing,
    Heads,
    Texts,
}

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

    /// Adds a row with a cell for each heading. Control characters are escaped.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let mut cells: Vec<String> = cells.into_iter().map(into_visible).collect();
        cells.resize(self.heads.len(), String::new());
        self.rows.push(cells);
    }

    /// Columns that it takes where there is room.
    pub(crate) fn width(&self) -> usize {
        let columns: Vec<(usize, usize)> = self.natural().collect();
        taken(&columns, GAPS[0])
    }

    /// The table on a page, which is narrower than a row may be.
    pub(crate) fn on_page(&self) -> String {
        let lines = self.fitted(width::of_pages()).concat();
        lines.join("\n") + "\n"
    }

    /// The lines of the headings and of each row, in at most `most` columns.
    pub(crate) fn fitted(&self, most: usize) -> Vec<Vec<String>> {
        let (lines, gap) = self.lines_of(most);
        let rows = std::iter::once(&self.heads).chain(&self.rows);
        rows.map(|row| self.drawn(row, &lines, gap)).collect()
    }

    /// The columns of each line of a row, with their widths, and the gap between them.
    fn lines_of(&self, most: usize) -> (Vec<Vec<(usize, usize)>>, usize) {
        let mut shown: Vec<(usize, usize)> = self.natural().collect();
        if taken(&shown, GAPS[0]) <= most {
            return (vec![shown], GAPS[0]);
        }
        shown.retain(|(index, _)| self.rows.iter().any(|row| !row[*index].is_empty()));
        for breaks in [Breaks::Heads, Breaks::Texts] {
            for gap in GAPS {
                if self.narrow(&mut shown, most, gap, breaks) {
                    return (vec![shown], gap);
                }
            }
        }
        let split = GAPS.map(|gap| (self.split(&shown, most, gap), gap));
        let height = |(lines, gap): &(Vec<Vec<(usize, usize)>>, usize)| {
            let rows = self.rows.iter();
            rows.map(|row| self.drawn(row, lines, *gap).len())
                .sum::<usize>()
        };
        let fewest = split.into_iter().min_by_key(height);
        fewest.unwrap_or_default()
    }

    /// The columns in several lines, as few as there is room for.
    fn split(&self, shown: &[(usize, usize)], most: usize, gap: usize) -> Vec<Vec<(usize, usize)>> {
        let mut lines = Vec::new();
        let mut rest = shown;
        while !rest.is_empty() {
            let room = most.saturating_sub(if lines.is_empty() { 0 } else { INDENT });
            let mut count = 1;
            let fits = |columns: &[(usize, usize)]| {
                self.narrow(&mut columns.to_vec(), room, gap, Breaks::Texts)
            };
            while count < rest.len() && fits(&rest[..=count]) {
                count += 1;
            }
            let (line, left) = rest.split_at(count);
            let mut line = line.to_vec();
            self.narrow(&mut line, room, gap, Breaks::Texts);
            lines.push(line);
            rest = left;
        }
        lines
    }

    fn natural(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.heads.len()).map(|index| (index, self.width_of(index, Breaks::Nothing)))
    }

    /// Breaks the widest columns until all fit; false where they cannot.
    fn narrow(
        &self,
        columns: &mut [(usize, usize)],
        most: usize,
        gap: usize,
        breaks: Breaks,
    ) -> bool {
        for column in columns.iter_mut() {
            column.1 = self.width_of(column.0, Breaks::Nothing);
        }
        while taken(columns, gap) > most {
            let over = taken(columns, gap) - most;
            let can =
                |(index, width): (usize, usize)| width - self.width_of(index, breaks).min(width);
            let widest = columns.iter_mut().filter(|column| can(**column) > 0);
            let Some(widest) = widest.max_by_key(|(_, width)| *width) else {
                return false;
            };
            widest.1 -= can(*widest).min(over.div_ceil(2).max(1));
        }
        true
    }

    /// Columns of the widest cell, or as few as it takes when some are broken.
    fn width_of(&self, index: usize, breaks: Breaks) -> usize {
        let head = &self.heads[index];
        let cells = self.rows.iter().map(|row| row[index].as_str());
        let whole = |text: &str| text.chars().count();
        let least = |text: &str| {
            let longest = words(text).map(|word| whole(&text[word])).max();
            longest.unwrap_or(0).max(whole(text).min(LEAST_TEXT))
        };
        let parts = words(head).map(|word| whole(&head[word]));
        let of_head = match breaks {
            Breaks::Nothing => whole(head),
            _ => parts.max().unwrap_or(0),
        };
        // A number stays with its unit.
        let of_cells = cells.map(|cell| match (breaks, self.right[index]) {
            (Breaks::Texts, false) => least(cell),
            _ => whole(cell),
        });
        of_cells.max().unwrap_or(0).max(of_head)
    }

    /// A row in its lines.
    fn drawn(&self, row: &[String], lines: &[Vec<(usize, usize)>], gap: usize) -> Vec<String> {
        let mut drawn = Vec::new();
        for (number, columns) in lines.iter().enumerate() {
            let indent = if number == 0 { 0 } else { INDENT };
            let cells: Vec<Vec<&str>> = columns
                .iter()
                .map(|(index, width)| broken(&row[*index], *width))
                .collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(0);
            for part in 0..height.max(1) {
                let mut text = " ".repeat(indent);
                for (position, (index, width)) in columns.iter().enumerate() {
                    if position > 0 {
                        text.push_str(&" ".repeat(gap));
                    }
                    let cell = cells[position].get(part).copied().unwrap_or_default();
                    // Writing to a string cannot fail.
                    let _ = if self.right[*index] {
                        write!(text, "{cell:>width$}")
                    } else {
                        write!(text, "{cell:<width$}")
                    };
                }
                let text = text.trim_end();
                if number == 0 || !text.is_empty() {
                    drawn.push(text.to_owned());
                }
            }
        }
        drawn
    }
}

/// Columns of a line.
fn taken(columns: &[(usize, usize)], gap: usize) -> usize {
    let widths: usize = columns.iter().map(|(_, width)| width).sum();
    widths + gap * columns.len().saturating_sub(1)
}

/// The parts of a text that are not broken: words, a number with its unit. The lead of a tree
/// belongs to its first word.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let begin = text.len() - text.trim_start().len();
    let mut from = 0;
    let mut ends = text[begin..]
        .match_indices(' ')
        .map(move |(at, _)| begin + at);
    let mut is_over = text.is_empty();
    std::iter::from_fn(move || {
        if is_over {
            return None;
        }
        let start = from;
        for end in ends.by_ref() {
            let is_number = text[start..end].ends_with(|sign: char| sign.is_ascii_digit());
            if is_number && text[end + 1..].starts_with(|sign: char| sign.is_alphabetic()) {
                continue;
            }
            from = end + 1;
            return Some(start..end);
        }
        is_over = true;
        Some(start..text.len())
    })
}

/// A text in lines of at most `width` columns; longer words stay whole.
fn broken(text: &str, width: usize) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut line = 0..0;
    for word in words(text) {
        let longer = line.start..word.end;
        if line.end > line.start && text[longer.clone()].chars().count() > width {
            lines.push(&text[line.clone()]);
            line = word;
        } else {
            line = longer;
        }
    }
    lines.push(&text[line]);
    lines
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

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(&["NAME", ">SIZE", "MODEL", "", "MOUNTED ON"]);
        let rows = [
            ["sda", "4 TB", "Example of a disk", "", "/srv/data"],
            ["└─sda1", "512 MB", "", "", "/boot, /boot/efi"],
        ];
        for row in rows {
            table.row(row.map(str::to_owned));
        }
        table
    }

    fn at(most: usize) -> String {
        table().fitted(most).concat().join("\n")
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let expected = "\
NAME      SIZE  MODEL                MOUNTED ON
sda       4 TB  Example of a disk    /srv/data
└─sda1  512 MB                       /boot, /boot/efi";
        assert_eq!(at(usize::MAX), expected);
    }

    #[test]
    fn a_narrow_terminal_loses_empty_columns_and_breaks_texts() {
        let expected = "\
NAME      SIZE  MODEL              MOUNTED ON
sda       4 TB  Example of a disk  /srv/data
└─sda1  512 MB                     /boot, /boot/efi";
        assert_eq!(at(51), expected);
        let expected = "\
NAME      SIZE  MODEL       MOUNTED ON
sda       4 TB  Example of  /srv/data
                a disk
└─sda1  512 MB              /boot,
                            /boot/efi";
        assert_eq!(at(38), expected);
    }

    #[test]
    fn what_finds_no_room_stands_below() {
        let expected = "\
NAME      SIZE
    MODEL
    MOUNTED ON
sda       4 TB
    Example of a
    disk
    /srv/data
└─sda1  512 MB
    /boot,
    /boot/efi";
        assert_eq!(at(16), expected);
    }

    #[test]
    fn a_number_stays_with_its_unit() {
        assert_eq!(
            broken("64 GiB or more of it", 6),
            ["64 GiB", "or", "more", "of it"]
        );
        assert_eq!(broken("", 6), [""]);
    }
}
