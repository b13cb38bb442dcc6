//! A table whose least columns give way where it is too wide.

use super::{Fit, GAPS, Table};
use crate::paint::{Style, paint};
use std::borrow::Cow;

/// Spare columns above this go before labels are cut, the others after.
const LAST_SPARE: u8 = 1;
/// No label is cut shorter.
const LEAST_LABEL: usize = 12;

/// Characters of the widest column: a name out of a text of somebody else may have millions.
const WIDEST: usize = 1000;

impl Table {
    /// The lines of the table, at most `width` columns wide if leaving out all spare columns and
    /// cutting labels can make it so.
    pub fn lines(&self, width: usize, color: bool) -> Vec<String> {
        let fit = self.fit(width);
        if self.keys == 0 || fit.columns() <= width {
            return self.drawn(&fit, width, color);
        }
        let mut lines = Vec::new();
        for block in self.blocks(width) {
            if !lines.is_empty() {
                lines.push(String::new());
            }
            lines.extend(self.drawn(&block, width, color));
        }
        lines
    }

    /// The columns that say what a row is with as many of the others as there is room for, and then
    /// with the next of them.
    fn blocks(&self, width: usize) -> Vec<Fit> {
        let natural = |index: usize| (index, self.width_of(index));
        let mut keys: Vec<(usize, usize)> = (0..self.keys).map(natural).collect();
        let others = || (self.keys..self.columns.len()).map(natural);
        let widest = others().map(|(_, width)| width).max().unwrap_or(0);
        let gap = GAPS[1];
        let beside: usize = keys.iter().map(|(_, width)| width + gap).sum();
        let over = (beside + widest).saturating_sub(width);
        if let Some(label) = keys
            .iter_mut()
            .find(|(index, _)| self.columns[*index].is_label)
        {
            let most = label.1.saturating_sub(over).min(width / 2);
            label.1 = label.1.min(most.max(LEAST_LABEL));
        }
        let mut blocks: Vec<Fit> = Vec::new();
        for column in others() {
            let room = |block: &&mut Fit| block.columns() + gap + column.1 <= width;
            if let Some(block) = blocks.last_mut().filter(room) {
                block.shown.push(column);
            } else {
                let shown = keys.iter().copied().chain([column]).collect();
                blocks.push(Fit { shown, gap });
            }
        }
        blocks
    }

    fn drawn(&self, fit: &Fit, width: usize, color: bool) -> Vec<String> {
        let line = |cells: &[&str]| {
            let shown = fit.shown.iter();
            self.line(fit, shown.map(|(index, width)| cut(cells[*index], *width)))
        };
        let mut lines = Vec::new();
        if let Some((column, text)) = &self.caption {
            let before = fit.shown.iter().filter(|(index, _)| index < column);
            let indent: usize = before.map(|(_, width)| width + fit.gap).sum();
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

    fn fit(&self, width: usize) -> Fit {
        let natural = |index: usize| (index, self.width_of(index));
        let mut shown: Vec<(usize, usize)> = (0..self.columns.len()).map(natural).collect();
        loop {
            let content: usize = shown.iter().map(|(_, width)| width).sum();
            let gaps = shown.len().saturating_sub(1);
            for gap in GAPS {
                if content + gap * gaps <= width {
                    return Fit { shown, gap };
                }
            }
            let spare = |column: &(usize, usize)| self.columns[column.0].spare;
            let first = shown.iter().copied().max_by_key(spare);
            let first = first.filter(|column| spare(column) > 0);
            let cut = shown
                .iter_mut()
                .find(|(index, width)| self.columns[*index].is_label && *width > LEAST_LABEL);
            match (first, cut) {
                (Some(column), _) if spare(&column) > LAST_SPARE => {
                    shown.retain(|other| *other != column);
                }
                (_, Some(label)) => {
                    let over = content + GAPS[1] * gaps - width;
                    label.1 = label.1.saturating_sub(over).max(LEAST_LABEL);
                }
                (Some(column), None) => {
                    shown.retain(|other| *other != column);
                    for column in &mut shown {
                        *column = natural(column.0);
                    }
                }
                (None, None) => {
                    return Fit {
                        shown,
                        gap: GAPS[1],
                    };
                }
            }
        }
    }

    fn width_of(&self, index: usize) -> usize {
        self.width_of_cells(index).min(WIDEST)
    }
}

/// A cell, cut where its column is narrower.
fn cut(cell: &str, width: usize) -> Cow<'_, str> {
    if cell.chars().count() <= width {
        return Cow::Borrowed(cell);
    }
    let kept: String = cell.chars().take(width.saturating_sub(1)).collect();
    Cow::Owned(kept + "…")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Align;

    #[test]
    fn a_name_without_end_is_cut() {
        let mut table = Table::default();
        table.column("name", Align::Left);
        table.column("n", Align::Right);
        table.row(vec!["x".repeat(100_000), "1".to_owned()]);
        let lines = table.lines(usize::MAX, false);
        let cell = "x".repeat(WIDEST - 1) + "…";
        assert_eq!(lines.last(), Some(&format!("{cell}  1")));
    }

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

    #[test]
    fn a_table_with_keys_comes_in_blocks() {
        let mut table = Table::default();
        table.label_column("work");
        table.keys_end();
        for name in ["gen8", "gen9", "gen10"] {
            table.column(name, Align::Right);
        }
        let row = ["a long name of work", "79,992", "61,536", "70,160"];
        table.row(row.map(String::from).into());
        let expected = [
            "work             gen8   gen9",
            "a long name o… 79,992 61,536",
            "",
            "work            gen10",
            "a long name o… 70,160",
        ];
        let found = table.lines(29, false);
        assert_eq!(
            found.iter().map(String::as_str).collect::<Vec<_>>(),
            expected
        );
        assert_eq!(table.lines(48, false).len(), 2);
    }

    #[test]
    fn labels_are_cut_before_the_last_columns_go() {
        let mut table = Table::default();
        table.label_column("");
        table.column("IOPS", Align::Right);
        table.spare_column("p50", Align::Right, 1);
        table.spare_column("MB/s", Align::Right, 2);
        table.row(
            ["random-read-single", "62,000", "15 µs", "254.0"]
                .map(String::from)
                .into(),
        );
        let at = |width: usize| table.lines(width, false)[1].clone();
        let found = [at(37), at(31), at(29), at(24)];
        let expected = [
            "random-read-single 62,000 15 µs 254.0",
            "random-read-single 62,000 15 µs",
            "random-read-sin… 62,000 15 µs",
            "random-read-sing… 62,000",
        ];
        assert_eq!(found, expected);
    }
}
