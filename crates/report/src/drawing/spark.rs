//! Small drawings next to a number: its time series, and its share of the largest.

use super::tenth;
use std::fmt::Write as _;

/// The course of a value from zero upwards; empty without two points.
pub(crate) fn spark(values: &[f64], class: &str) -> String {
    const WIDTH: f64 = 200.0;
    const HEIGHT: f64 = 24.0;
    let most = values
        .iter()
        .copied()
        .filter(|value| value.is_finite())
        .fold(0.0, f64::max);
    if values.len() < 2 || most <= 0.0 {
        return String::new();
    }
    let mut path = String::new();
    let mut is_down = false;
    for (index, value) in values.iter().enumerate() {
        if !value.is_finite() {
            is_down = false;
            continue;
        }
        let x = index as f64 / (values.len() - 1) as f64 * WIDTH;
        let y = (1.0 - value / most) * (HEIGHT - 3.0) + 1.5;
        let pen = if is_down { 'L' } else { 'M' };
        let _ = write!(path, "{pen}{} {}", tenth(x), tenth(y));
        is_down = true;
    }
    format!(
        "<svg class=\"spark\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" preserveAspectRatio=\"none\" \
         aria-hidden=\"true\"><path class=\"line {class}\" d=\"{path}\"/></svg>"
    )
}

/// A bar over a share of its place.
pub(crate) fn bar(share: f64, class: &str) -> String {
    format!(
        "<svg class=\"share\" aria-hidden=\"true\"><rect class=\"bar {class}\" width=\"{}%\" \
         height=\"100%\"/></svg>",
        super::across(share.clamp(0.0, 1.0))
    )
}
