//! One pair of axes with what is drawn between them.

use super::scale::Axis;
use super::{across, escaped, tenth};
use std::fmt::Write as _;

/// Units across the inner drawing, which is stretched to the width.
pub(super) const WIDTH: f64 = 2000.0;
/// Pixels above the plot, for its title.
pub(super) const ABOVE: f64 = 22.0;
/// Pixels below it for the words of the axis, and without them.
const BELOW: f64 = 24.0;
const BELOW_BARE: f64 = 8.0;
/// Pixels below the words, for the title of the axis.
const BELOW_TITLE: f64 = 16.0;
/// Pixels across of a plot on a phone, and of a letter in it.
const NARROW: f64 = 200.0;
const LETTER: f64 = 6.0;

/// A panel in the making.
#[derive(Debug)]
pub(super) struct Panel<'a> {
    /// Pixels of the plot.
    pub(super) height: f64,
    /// What the values are, above at the left.
    pub(super) title: String,
    /// What the values at the right are, above at the right.
    pub(super) right_title: &'static str,
    pub(super) y: &'a Axis,
    /// Names at the left, at pixels from the top, in the place of values.
    pub(super) names: Vec<(f64, String)>,
    /// Places upwards and words at the right.
    pub(super) right: Vec<(f64, String)>,
    /// Places across and words below.
    pub(super) x: Vec<(f64, String)>,
    /// Whether the words below are shown; the marks always are.
    pub(super) shows_x: bool,
    /// Words at the right end below.
    pub(super) x_title: &'a str,
    /// Lines across at values upwards, named.
    pub(super) guides: Vec<(f64, String)>,
    /// Whether their names stand at the left: at the right they may lie over a curve that rises.
    pub(super) names_guides_left: bool,
    /// Behind everything, in shares across.
    pub(super) under: String,
    /// Lines in units of [`WIDTH`] and pixels.
    pub(super) area: String,
    /// Before everything, in shares across.
    pub(super) over: String,
}

impl<'a> Panel<'a> {
    pub(super) fn new(height: f64, title: impl Into<String>, y: &'a Axis) -> Self {
        let mut title = title.into();
        if y.is_log() {
            let gap = if title.is_empty() { "" } else { ", " };
            title += gap;
            title += "log scale";
        }
        Self {
            height,
            title,
            right_title: "",
            y,
            names: Vec::new(),
            right: Vec::new(),
            x: Vec::new(),
            shows_x: true,
            x_title: "",
            guides: Vec::new(),
            names_guides_left: false,
            under: String::new(),
            area: String::new(),
            over: String::new(),
        }
    }

    /// Pixels from the top for a place upwards.
    pub(super) fn top(&self, share: f64) -> f64 {
        tenth((1.0 - share) * self.height)
    }

    /// A line through places across and values; what has no place breaks it.
    pub(super) fn path(&self, points: impl Iterator<Item = (f64, f64, bool)>) -> String {
        let mut path = String::new();
        let mut is_down = false;
        for (x, value, follows) in points {
            let Some(share) = self.y.share(value) else {
                is_down = false;
                continue;
            };
            let pen = if is_down && follows { 'L' } else { 'M' };
            let _ = write!(path, "{pen}{} {}", tenth(x * WIDTH), self.top(share));
            is_down = true;
        }
        path
    }

    /// Pixels of the plot with what stands above and below.
    pub(super) fn full_height(&self) -> f64 {
        let below = if self.shows_x { BELOW } else { BELOW_BARE };
        let title = if self.x_title.is_empty() {
            0.0
        } else {
            BELOW_TITLE
        };
        ABOVE + self.height + below + title
    }

    /// The panel as a drawing.
    pub(super) fn svg(&self, class: &str) -> String {
        let (height, bottom) = (self.full_height(), ABOVE + self.height);
        let mut out = format!(
            "<svg class=\"panel {class}\" height=\"{height}\" aria-hidden=\"true\">\
             <g class=\"under\" transform=\"translate(0 {ABOVE})\">{}</g>",
            self.under
        );
        self.values(&mut out);
        self.places(&mut out, bottom);
        let _ = write!(
            out,
            "<svg class=\"area\" y=\"{ABOVE}\" width=\"100%\" height=\"{0}\" viewBox=\"0 0 {WIDTH} \
             {0}\" preserveAspectRatio=\"none\">{1}</svg>\
             <g class=\"over\" transform=\"translate(0 {ABOVE})\">",
            self.height, self.area
        );
        for (share, label) in &self.guides {
            let y = self.top(*share);
            let place = if self.names_guides_left {
                "guide-name\" x=\"0.5%"
            } else {
                "guide-name end\" x=\"100%"
            };
            let _ = write!(
                out,
                "<line class=\"guide\" x2=\"100%\" y1=\"{y}\" y2=\"{y}\"/>\
                 <text class=\"{place}\" y=\"{}\">{}</text>",
                if y < 14.0 { y + 12.0 } else { y - 4.0 },
                escaped(label)
            );
        }
        let _ = write!(out, "{}</g></svg>", self.over);
        out
    }

    fn values(&self, out: &mut String) {
        for (top, name) in &self.names {
            let y = tenth(ABOVE + top + 4.0);
            let _ = write!(out, "<text class=\"end\" x=\"-6\" y=\"{y}\">{name}</text>");
        }
        let ticks = if self.names.is_empty() {
            self.y.ticks()
        } else {
            Vec::new()
        };
        for (share, words) in ticks {
            let y = tenth(ABOVE + self.top(share));
            let _ = write!(
                out,
                "<line class=\"grid\" x2=\"100%\" y1=\"{y}\" y2=\"{y}\"/>\
                 <text class=\"end\" x=\"-6\" y=\"{}\">{words}</text>",
                tenth(y + 4.0)
            );
        }
        for (share, words) in &self.right {
            let y = tenth(ABOVE + self.top(*share));
            let _ = write!(
                out,
                "<svg x=\"100%\" y=\"{y}\" overflow=\"visible\"><path class=\"axis\" d=\"M0 0h4\"/>\
                 <text x=\"7\" y=\"4\">{words}</text></svg>"
            );
        }
        if !self.title.is_empty() {
            let _ = write!(
                out,
                "<text class=\"name\" y=\"13\">{}</text>",
                escaped(&self.title)
            );
        }
        if !self.right_title.is_empty() {
            let _ = write!(
                out,
                "<svg x=\"100%\" overflow=\"visible\"><text class=\"name\" x=\"7\" \
                 y=\"13\">{}</text></svg>",
                self.right_title
            );
        }
    }

    fn places(&self, out: &mut String, bottom: f64) {
        let _ = write!(
            out,
            "<line class=\"axis\" x2=\"100%\" y1=\"{bottom}\" y2=\"{bottom}\"/>"
        );
        let shown_narrow = self.shown_narrow();
        for (index, (share, words)) in self.x.iter().enumerate() {
            let x = across(*share);
            let _ = write!(
                out,
                "<line class=\"axis\" x1=\"{x}%\" x2=\"{x}%\" y1=\"{bottom}\" y2=\"{}\"/>",
                bottom + 4.0
            );
            if self.shows_x {
                let anchor = match *share {
                    last if last > 0.98 => "end",
                    first if first < 0.02 => "",
                    _ => "middle",
                };
                let wide = if shown_narrow.contains(&index) {
                    ""
                } else {
                    "on-wide"
                };
                let class = format!("{anchor} {wide}");
                let class = match class.trim() {
                    "" => String::new(),
                    class => format!(" class=\"{class}\""),
                };
                let _ = write!(
                    out,
                    "<text{class} x=\"{x}%\" y=\"{}\">{}</text>",
                    bottom + 17.0,
                    escaped(words)
                );
            }
        }
        if !self.x_title.is_empty() {
            let _ = write!(
                out,
                "<text class=\"end name\" x=\"100%\" y=\"{}\">{}</text>",
                bottom + 32.0,
                escaped(self.x_title)
            );
        }
    }

    /// The words below that have room on a phone, none over another.
    fn shown_narrow(&self) -> Vec<usize> {
        let mut shown = Vec::new();
        let mut free = 0.0;
        for (index, (share, words)) in self.x.iter().enumerate() {
            let width = words.chars().count() as f64 * LETTER;
            let at = share * NARROW;
            let from = match *share {
                last if last > 0.98 => at - width,
                first if first < 0.02 => at,
                _ => at - width / 2.0,
            };
            if shown.is_empty() || from >= free {
                shown.push(index);
                free = from + width + LETTER;
            }
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Scale;

    #[test]
    fn no_words_below_lie_over_others_on_a_phone() {
        let y = Axis::plain(Scale::Linear, std::iter::once(1.0), 2);
        let mut panel = Panel::new(100.0, "", &y);
        let places = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0];
        panel.x = places
            .map(|at| (at, format!("0:{:04.1}", 10.0 * at)))
            .to_vec();
        assert_eq!(panel.shown_narrow(), [0, 2, 4]);
        panel.x = places.map(|at| (at, format!("{}", 5.0 * at))).to_vec();
        assert_eq!(panel.shown_narrow(), [0, 1, 2, 3, 4, 5]);
    }
}
