//! A table as `lsblk` and `df` draw it: columns two blanks apart.
//!
//! On a page that is too narrow, columns that are empty go, texts are broken at blanks, and what
//! still does not fit is in further lines of its row. Digits are never cut.

use super::{Align, Fit, GAPS, Table};
use std::ops::Range;

/// How far the further lines of a row are moved in.
const INDENT: usize = 4;
/// No text is broken into columns narrower than this, if it is longer.
const LEAST_TEXT: usize = 10;

/// What of a column may go on in a further line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Breaks {
    Heads,
    Texts,
}

impl Table {
    /// Columns that it takes where there is room.
    pub fn width(&self) -> usize {
        self.whole(GAPS[0]).columns()
    }

    /// The lines of the headers and of each row, in at most `most` columns.
    pub fn fitted(&self, most: usize) -> Vec<Vec<String>> {
        let lines = self.lines_of(most);
        let headers: Vec<String> = self.columns.iter().map(|one| one.header.clone()).collect();
        let rows = std::iter::once(&headers).chain(&self.rows);
        rows.map(|row| self.parts(row, &lines)).collect()
    }

    /// All columns in one line.
    fn whole(&self, gap: usize) -> Fit {
        let shown = (0..self.columns.len()).map(|index| (index, self.width_of_cells(index)));
        Fit {
            shown: shown.collect(),
            gap,
        }
    }

    /// The lines of a row.
    fn lines_of(&self, most: usize) -> Vec<Fit> {
        let whole = self.whole(GAPS[0]);
        if whole.columns() <= most {
            return vec![whole];
        }
        let mut shown = whole.shown;
        shown.retain(|(index, _)| self.rows.iter().any(|row| !row[*index].is_empty()));
        for breaks in [Breaks::Heads, Breaks::Texts] {
            for gap in GAPS {
                if let Ok(fit) = self.narrow(&shown, most, gap, breaks) {
                    return vec![fit];
                }
            }
        }
        let height = |lines: &Vec<Fit>| {
            let rows = self.rows.iter();
            rows.map(|row| self.parts(row, lines).len()).sum::<usize>()
        };
        let split = GAPS.map(|gap| self.split(&shown, most, gap));
        split.into_iter().min_by_key(height).unwrap_or_default()
    }

    /// The columns in several lines, as few as there is room for.
    fn split(&self, shown: &[(usize, usize)], most: usize, gap: usize) -> Vec<Fit> {
        let mut lines = Vec::new();
        let mut rest = shown;
        while !rest.is_empty() {
            let room = most.saturating_sub(if lines.is_empty() { 0 } else { INDENT });
            let narrow = |count: usize| self.narrow(&rest[..count], room, gap, Breaks::Texts);
            let mut count = 1;
            while count < rest.len() && narrow(count + 1).is_ok() {
                count += 1;
            }
            let (Ok(line) | Err(line)) = narrow(count);
            lines.push(line);
            rest = &rest[count..];
        }
        lines
    }

    /// Breaks the widest columns until all fit, or until they are as narrow as they can be.
    fn narrow(
        &self,
        columns: &[(usize, usize)],
        most: usize,
        gap: usize,
        breaks: Breaks,
    ) -> Result<Fit, Fit> {
        let shown = columns.to_vec();
        let mut fit = Fit { shown, gap };
        while fit.columns() > most {
            let over = fit.columns() - most;
            let can = |(index, width): (usize, usize)| width - self.least(index, breaks).min(width);
            let widest = fit.shown.iter_mut().filter(|column| can(**column) > 0);
            let Some(widest) = widest.max_by_key(|(_, width)| *width) else {
                return Err(fit);
            };
            widest.1 -= can(*widest).min(over.div_ceil(2).max(1));
        }
        Ok(fit)
    }

    /// Characters that a column takes at least.
    fn least(&self, index: usize, breaks: Breaks) -> usize {
        let whole = |text: &str| text.chars().count();
        let longest = |text: &str| {
            let words = words(text).map(|word| whole(&text[word]));
            words.max().unwrap_or(0)
        };
        let column = &self.columns[index];
        // A number stays with its unit.
        let breaks_cells = breaks == Breaks::Texts && column.align == Align::Left;
        let cells = self.rows.iter().map(|row| row[index].as_str());
        let of_cells = cells.map(|cell| {
            if breaks_cells {
                longest(cell).max(whole(cell).min(LEAST_TEXT))
            } else {
                whole(cell)
            }
        });
        of_cells.max().unwrap_or(0).max(longest(&column.header))
    }

    /// A row in its lines, whose cells are broken.
    fn parts(&self, row: &[String], lines: &[Fit]) -> Vec<String> {
        let mut drawn = Vec::new();
        for (number, fit) in lines.iter().enumerate() {
            let indent = " ".repeat(if number == 0 { 0 } else { INDENT });
            let shown = fit.shown.iter();
            let cells: Vec<Vec<&str>> = shown
                .map(|(index, width)| broken(&row[*index], *width))
                .collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(0);
            for part in 0..height.max(1) {
                let parts = cells.iter().map(|cell| cell.get(part).unwrap_or(&""));
                let line = self.line(fit, parts);
                if number == 0 || !line.is_empty() {
                    drawn.push(format!("{indent}{line}"));
                }
            }
        }
        drawn
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::of(&["NAME", ">SIZE", "MODEL", "", "MOUNTED ON"]);
        let rows = [
            ["sda", "4 TB", "Example of a disk", "", "/srv/data"],
            ["└─sda1", "512 MB", "", "", "/boot, /boot/efi"],
        ];
        for row in rows {
            table.row(row.map(str::to_owned).into());
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
