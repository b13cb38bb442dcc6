//! Price against IOPS, as a picture of characters: layouts by their numbers, those that are not
//! shown as points, the need as a line.

use super::Shown;
use crate::width;
use fathom_core::figure;
use fathom_volume::plan::Offer;
use std::fmt::Write as _;

/// Columns of the picture where there is room for them.
const WIDEST: usize = 64;
const HEIGHT: usize = 12;

/// Columns before the first of the picture.
const MARGIN: usize = 11;

/// A layout that the table does not show.
const OTHER: char = '·';

/// The picture; nothing where fewer than two layouts have a price.
pub(super) fn draw(shown: &Shown<'_>) -> String {
    let offers: Vec<(usize, &Offer)> = shown
        .rows
        .iter()
        .filter_map(|row| Some((*row, shown.plan.offers.get(*row)?)))
        .filter(|(_, offer)| offer.cost.is_some() && offer.figures.sustained_iops.is_finite())
        .collect();
    if offers.len() < 2 {
        return String::new();
    }
    let need = shown.need.iops;
    let others = others(shown);
    let columns = width::of_pages();
    let wide = columns.saturating_sub(MARGIN).min(WIDEST);
    let drawn = || offers.iter().map(|(_, offer)| *offer).chain(others.clone());
    let x = Axis::over(drawn().map(Offer::lasting_iops).chain(need), wide);
    let y = Axis::over(drawn().map(Offer::price), HEIGHT);
    let mut cells = vec![vec![' '; wide]; HEIGHT];
    if let Some(need) = need {
        let column = x.place(need);
        for row in &mut cells {
            row[column] = '|';
        }
    }
    for offer in &others {
        let row = HEIGHT - 1 - y.place(offer.price());
        cells[row][x.place(offer.lasting_iops())] = OTHER;
    }
    for (index, offer) in offers.iter().rev() {
        let (column, row) = (
            x.place(offer.lasting_iops()),
            HEIGHT - 1 - y.place(offer.price()),
        );
        let word = (index + 1).to_string();
        let start = column.min(wide - word.len());
        for (offset, letter) in word.chars().enumerate() {
            cells[row][start + offset] = letter;
        }
    }
    let currency = offers
        .first()
        .and_then(|(_, offer)| offer.cost.as_ref())
        .map_or("", |cost| cost.currency.as_str());
    let mut text = format!("{currency} a month\n");
    for (number, row) in cells.iter().enumerate() {
        let label = match number {
            0 => figure::decimal(y.high, 0),
            last if last == HEIGHT - 1 => figure::decimal(y.low, 0),
            _ => String::new(),
        };
        let line: String = row.iter().collect();
        let _ = writeln!(text, "{label:>9} ┤{}", line.trim_end());
    }
    let (low, high) = (figure::iops(x.low), figure::iops(x.high));
    let _ = writeln!(text, "{:>9} └{}", "", "─".repeat(wide));
    let label = label(need.is_some(), !others.is_empty());
    let is_narrow = columns <= MARGIN + wide + label.chars().count();
    let between = if is_narrow { "\n            " } else { " " };
    let _ = writeln!(
        text,
        "{:>11}{low}{:>width$}{between}{label}",
        "",
        high,
        width = wide.saturating_sub(low.len())
    );
    text
}

/// Layouts with a price that the table does not show.
fn others<'a>(shown: &Shown<'a>) -> Vec<&'a Offer> {
    let offers = shown.plan.offers.iter().enumerate();
    offers
        .filter(|(index, _)| !shown.rows.contains(index))
        .map(|(_, offer)| offer)
        .filter(|offer| offer.cost.is_some() && offer.figures.sustained_iops.is_finite())
        .collect()
}

/// What the axis is of, and what the marks are.
fn label(has_need: bool, has_others: bool) -> String {
    let mut label = "sustained IOPS".to_owned();
    if has_need {
        label += "; | the need";
    }
    if has_others {
        let _ = write!(label, "; {OTHER} others");
    }
    label
}

/// A logarithmic axis over values, in cells.
struct Axis {
    low: f64,
    high: f64,
    cells: usize,
}

impl Axis {
    fn over(values: impl Iterator<Item = f64>, cells: usize) -> Self {
        let values: Vec<f64> = values.filter(|value| *value > 0.0).collect();
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(0.0, f64::max);
        Self {
            low,
            high: high.max(low * 1.01),
            cells,
        }
    }

    fn place(&self, value: f64) -> usize {
        let share = (value / self.low).ln() / (self.high / self.low).ln();
        let place = (share * (self.cells - 1) as f64).round();
        (place.max(0.0) as usize).min(self.cells - 1)
    }
}
