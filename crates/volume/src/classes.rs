//! What classes of devices give, by data sheets and published tests: `catalog/local/classes.csv`.

use serde::Deserialize;
use std::sync::OnceLock;

/// The table, as it lies in the catalogue.
const TEXT: &str = include_str!("../../../catalog/local/classes.csv");

/// One figure of a class of devices.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ClassFigure {
    /// Short name of the class, as in `hdd-7200`.
    pub class: String,
    /// The class in words, as in `a disk of 7,200 rpm`.
    pub title: String,
    /// The name of the metric, as in `random_read_iops_qd1`.
    pub metric: String,
    /// Least of the figures found, in `unit`.
    pub low: Option<f64>,
    /// What is usual.
    pub typical: Option<f64>,
    /// Most of them.
    pub high: Option<f64>,
    /// Unit of the figures, as in `IO/s`.
    pub unit: String,
    /// Under which conditions.
    pub conditions: String,
    /// Where they are from.
    pub source: String,
    /// When that was published; empty where it does not say.
    pub source_date: String,
    /// `sourced`, or `derived` from rows that are.
    pub confidence: String,
}

impl ClassFigure {
    /// Least and most of what is known; none without a figure.
    pub fn range(&self) -> Option<(f64, f64)> {
        let known = [self.low, self.typical, self.high].into_iter().flatten();
        let least = known.clone().reduce(f64::min)?;
        Some((least, known.fold(least, f64::max)))
    }
}

/// All figures.
pub fn class_figures() -> &'static [ClassFigure] {
    static FIGURES: OnceLock<Vec<ClassFigure>> = OnceLock::new();
    FIGURES.get_or_init(|| {
        let mut reader = csv::ReaderBuilder::new()
            .comment(Some(b'#'))
            .from_reader(TEXT.as_bytes());
        let rows = reader.deserialize().collect::<Result<_, _>>();
        rows.expect("a test reads the table")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_has_a_source_and_a_range() {
        let figures = class_figures();
        assert_eq!(
            figures.len(),
            TEXT.lines().filter(|l| !l.starts_with('#')).count() - 1
        );
        for figure in figures {
            assert!(!figure.source.is_empty(), "{figure:?}");
            let known = matches!(figure.confidence.as_str(), "sourced" | "derived");
            assert!(known, "{figure:?}");
            let (least, most) = figure.range().expect("a figure");
            assert!(0.0 < least && least <= most, "{figure:?}");
        }
    }
}
