//! The chart of percentiles.

use super::Span;
use fathom_core::summary::LatencySummary;
use fathom_tools::results::place::Wrong;

/// Titles of the chart over all targets: that of 2.2, and that of the versions before.
const TITLES: [&str; 2] = ["Total latency distribution:", "total:"];

/// Its columns.
pub(super) const READ: usize = 1;
pub(super) const WRITE: usize = 2;
pub(super) const TOTAL: usize = 3;

impl Span<'_> {
    /// Adds what a column of the chart says.
    pub(super) fn chart(&self, column: usize, found: &mut LatencySummary) -> Result<(), Wrong> {
        let title = self
            .lines
            .iter()
            .position(|line| TITLES.contains(&line.text));
        let Some(title) = title.filter(|_| found.count > 0) else {
            return Ok(());
        };
        // A line of titles and a rule.
        let rows = self.lines[title + 1..].iter().skip(2);
        for line in rows.take_while(|line| line.text.contains('|')) {
            let cells: Vec<&str> = line.text.split('|').map(str::trim).collect();
            let cell = cells.get(column).copied().unwrap_or_default();
            if cell == "N/A" {
                continue;
            }
            let value: Option<f64> = cell.parse().ok();
            let value = value
                .ok_or_else(|| self.error(*line, "this is no line of a label and three times"))?;
            let value = (value * 1e6).round() as u64;
            match cells[0] {
                "min" => found.min = value,
                "max" => found.max = value,
                label => {
                    let name = percentile(label)
                        .ok_or_else(|| self.error(*line, "this is no percentile"))?;
                    found.percentiles.insert(name, value);
                }
            }
        }
        Ok(())
    }
}

/// `99th` and `3-nines` as percentiles: 99 and 99.9.
fn percentile(label: &str) -> Option<String> {
    if let Some(nines) = label.strip_suffix("-nines") {
        let nines: usize = nines.parse().ok().filter(|nines| (3..=9).contains(nines))?;
        return Some(format!("99.{}", "9".repeat(nines - 2)));
    }
    let number: u32 = label.strip_suffix("th")?.parse().ok()?;
    (number < 100).then(|| number.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_percentiles() {
        let found = [
            "25th", "99th", "3-nines", "9-nines", "10-nines", "100th", "x",
        ];
        let expected = [
            Some("25"),
            Some("99"),
            Some("99.9"),
            Some("99.9999999"),
            None,
            None,
            None,
        ];
        assert_eq!(
            found.map(percentile),
            expected.map(|name| name.map(str::to_owned))
        );
    }
}
