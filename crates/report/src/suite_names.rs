//! Runs of a suite in words: `random read 4 KiB` and not `matrix-r100-rnd100-4KiB`, which names its
//! files.

use crate::suite::{SuiteCell, SuiteReport, axis_words};

/// A name for each cell, in their order; its label where words do not distinguish it.
pub fn names(suite: &SuiteReport<'_>) -> Vec<String> {
    let words: Vec<String> = suite
        .cells
        .iter()
        .map(|cell| words(cell, &suite.cells))
        .collect();
    let cells = suite.cells.iter().zip(&words);
    cells
        .map(|(cell, own)| {
            let is_alone = words.iter().filter(|other| *other == own).count() == 1;
            if is_alone && !own.is_empty() {
                own.clone()
            } else {
                cell.label.to_owned()
            }
        })
        .collect()
}

/// The values of the axes along which the cells of its group differ.
fn words(cell: &SuiteCell<'_>, all: &[SuiteCell<'_>]) -> String {
    let group = || all.iter().filter(|other| other.group == cell.group);
    let varies = |(axis, value): &&(String, String)| {
        let mut others = group().flat_map(|other| other.place);
        others.any(|(other, own)| other == axis && own != value)
    };
    let own: Vec<&(String, String)> = cell.place.iter().filter(varies).collect();
    let of = |name: &str| own.iter().find(|(axis, _)| axis == name);
    let shape = ["random", "read", "block_size"].into_iter().filter_map(of);
    let shape: Vec<String> = shape
        .map(|(axis, value)| shape_words(axis, value))
        .collect();
    let others = own
        .iter()
        .filter(|(axis, _)| !["random", "read", "block_size"].contains(&axis.as_str()));
    let others = others.map(|(axis, value)| other_words(axis, value));
    let shape = Some(shape.join(" ")).filter(|words| !words.is_empty());
    shape
        .into_iter()
        .chain(others)
        .collect::<Vec<_>>()
        .join(", ")
}

fn shape_words(axis: &str, value: &str) -> String {
    if axis == "block_size" {
        spaced(value)
    } else {
        axis_words(axis, value)
    }
}

/// The value of an axis that has no word of its own, behind its name.
fn other_words(axis: &str, value: &str) -> String {
    match axis_words(axis, value) {
        bare if bare == value => format!("{} {}", axis.replace('_', " "), spaced(value)),
        words => words,
    }
}

/// `4 KiB` of `4KiB`; other values are unchanged.
fn spaced(value: &str) -> String {
    let unit = value.find(|sign: char| !sign.is_ascii_digit() && sign != '.');
    match unit {
        Some(at) if at > 0 && value[at..].ends_with('B') => {
            format!("{} {}", &value[..at], value[at..].trim_start())
        }
        _ => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(axes: &[(&str, &str)]) -> Vec<(String, String)> {
        let axes = axes.iter();
        axes.map(|(axis, value)| ((*axis).to_owned(), (*value).to_owned()))
            .collect()
    }

    type NameParts = Vec<(String, String)>;

    fn named(cells: &[(&str, usize, NameParts)]) -> Vec<String> {
        let cells = cells.iter().map(|(label, group, place)| SuiteCell {
            label,
            group: *group,
            place,
            results: Vec::new(),
        });
        names(&SuiteReport {
            name: "s",
            description: "",
            cells: cells.collect(),
            rounds: None,
        })
    }

    #[test]
    fn runs_are_named_by_what_differs() {
        let matrix = |read, random, size| {
            place(&[
                ("read", read),
                ("random", random),
                ("block_size", size),
                ("queue_depth", "32"),
            ])
        };
        let found = named(&[
            ("m-r100-rnd100-4KiB", 0, matrix("100", "100", "4KiB")),
            ("m-r0-rnd0-256KiB", 0, matrix("0", "0", "256KiB")),
            ("m-r70-rnd0-4KiB", 0, matrix("70", "0", "4KiB")),
            ("plain", 1, Vec::new()),
            ("qd1", 2, place(&[("queue_depth", "1")])),
            ("qd2", 2, place(&[("queue_depth", "2")])),
            ("again", 3, place(&[("queue_depth", "2")])),
            ("again-8", 3, place(&[("queue_depth", "1")])),
        ]);
        let expected = [
            "random read 4 KiB",
            "sequential write 256 KiB",
            "sequential 70 % read 4 KiB",
            "plain",
            // Two groups have runs of these depths.
            "qd1",
            "qd2",
            "again",
            "again-8",
        ];
        assert_eq!(found, expected);
    }
}
