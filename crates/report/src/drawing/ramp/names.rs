//! The names of a ramp's steps, where there is room between the lines and their markers.

use super::Curve;
use crate::drawing::panel::Panel;
use crate::drawing::{across, escaped};
use std::fmt::Write as _;

/// Pixels of a plot on a phone and on a wide page.
const NARROW: f64 = 270.0;
const WIDE: f64 = 900.0;
/// Pixels of a letter, of its height above its line, and around a marker.
const LETTER: f64 = 6.0;
const ASCENT: f64 = 9.0;
const MARKER: f64 = 5.0;
/// Pixels at the right of the plot.
const MARGIN: f64 = 12.0;
/// Where a name may stand at its marker: pixels down to its line, and whether it begins at the
/// right of the marker.
const PLACES: [(f64, bool); 3] = [(17.0, false), (14.0, true), (-8.0, false)];

/// A name at its place.
#[derive(Clone, Debug, PartialEq)]
struct Name {
    at: f64,
    /// Pixels to the right of it.
    shift: f64,
    y: f64,
    words: String,
}

pub(super) fn write(curves: &[Curve<'_>], panel: &mut Panel<'_>) {
    let narrow = placed(curves, panel.height, NARROW);
    let wide = placed(curves, panel.height, WIDE);
    for name in &wide {
        let class = if narrow.contains(name) {
            ""
        } else {
            " on-wide"
        };
        one(name, class, panel);
    }
    for name in narrow.iter().filter(|name| !wide.contains(name)) {
        one(name, " on-narrow", panel);
    }
}

fn one(name: &Name, class: &str, panel: &mut Panel<'_>) {
    let shift = if name.shift > 0.0 {
        format!(" dx=\"{}\"", name.shift)
    } else {
        String::new()
    };
    let _ = write!(
        panel.over,
        "<text class=\"middle soft{class}\" x=\"{}%\"{shift} y=\"{}\">{}</text>",
        across(name.at),
        name.y,
        escaped(&name.words)
    );
}

/// The names that have room in a plot of this width: below their marker, next to it or above it.
fn placed(curves: &[Curve<'_>], height: f64, width: f64) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    let named = curves.iter().filter(|curve| curve.is_named);
    for (curve, step) in named.flat_map(|curve| curve.steps.iter().map(move |step| (curve, step))) {
        let at_place = |(gap, is_right): (f64, bool)| Name {
            at: step.at,
            shift: if is_right {
                half(step.words) + MARKER
            } else {
                0.0
            },
            y: step.top + gap,
            words: step.words.to_owned(),
        };
        let has_room = |name: &Name| {
            let area = Area::of(name, width);
            let mut others = curve.steps.iter();
            // Next to another marker it would be taken for the name of that one.
            let is_between = |other: &super::Step<'_>| {
                name.shift > 0.0 && other.at > name.at && other.at * width < area.right
            };
            // Above the plot stands its title, below it the words of the axis.
            area.top > 0.0
                && area.bottom < height
                && area.right < width + MARGIN
                && !others.any(is_between)
                && names
                    .iter()
                    .all(|other| !area.meets(&Area::of(other, width)))
                && curves.iter().all(|curve| area.is_free_of(curve, width))
        };
        let found = PLACES.into_iter().map(at_place).find(has_room);
        names.extend(found);
    }
    names
}

/// Pixels of half a name.
fn half(words: &str) -> f64 {
    (words.chars().count() as f64 + 1.0) * LETTER / 2.0
}

/// What a name covers, in pixels.
struct Area {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Area {
    fn of(name: &Name, width: f64) -> Self {
        let half = half(&name.words);
        let middle = name.at * width + name.shift;
        Self {
            left: middle - half,
            right: middle + half,
            top: name.y - ASCENT,
            bottom: name.y + 2.0,
        }
    }

    fn meets(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// Whether neither a marker of the line nor the line itself runs through it.
    fn is_free_of(&self, curve: &Curve<'_>, width: f64) -> bool {
        let marker = |at: f64, top: f64| Self {
            left: at * width - MARKER,
            right: at * width + MARKER,
            top: top - MARKER,
            bottom: top + MARKER,
        };
        let mut markers = curve.steps.iter().map(|step| marker(step.at, step.top));
        if markers.any(|marker| self.meets(&marker)) {
            return false;
        }
        let mut pairs = curve.steps.windows(2);
        pairs.all(|pair| {
            let [from, to] = [&pair[0], &pair[1]].map(|step| (step.at * width, step.top));
            // The piece of it that lies within the width of the name.
            let ends = [self.left.max(from.0), self.right.min(to.0)];
            if ends[0] > ends[1] {
                return true;
            }
            let y = ends.map(|x| {
                let along = if to.0 > from.0 {
                    (x - from.0) / (to.0 - from.0)
                } else {
                    0.0
                };
                from.1 + along * (to.1 - from.1)
            });
            y[0].min(y[1]) > self.bottom || y[0].max(y[1]) < self.top
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Step;
    use super::*;

    #[test]
    fn names_lie_over_no_line_and_no_other_name() {
        let steps = |tops: [f64; 5]| {
            let places = [0.1, 0.15, 0.155, 0.5, 0.8];
            let names = ["1,000", "1,200", "1,250", "2,800", "4,000"];
            let steps = places.into_iter().zip(tops).zip(names);
            let steps = steps.map(|((at, top), words)| Step { at, top, words });
            steps.collect()
        };
        let curves = [
            Curve {
                steps: steps([200.0, 200.0, 200.0, 190.0, 150.0]),
                is_named: true,
            },
            Curve {
                steps: steps([150.0, 150.0, 150.0, 140.0, 60.0]),
                is_named: false,
            },
        ];
        let found = |width| -> Vec<(String, f64, f64)> {
            let names = placed(&curves, 250.0, width).into_iter();
            names.map(|name| (name.words, name.shift, name.y)).collect()
        };
        let name = |words: &str, shift, y| (words.to_owned(), shift, y);
        // On a phone the line rises through what is below the last marker.
        let narrow = [
            name("1,000", 0.0, 217.0),
            name("1,200", 0.0, 192.0),
            name("1,250", 23.0, 214.0),
            name("2,800", 0.0, 207.0),
            name("4,000", 23.0, 164.0),
        ];
        assert_eq!(found(NARROW), narrow);
        let wide = [
            name("1,000", 0.0, 217.0),
            name("1,200", 0.0, 217.0),
            name("1,250", 0.0, 192.0),
            name("2,800", 0.0, 207.0),
            name("4,000", 0.0, 167.0),
        ];
        assert_eq!(found(WIDE), wide);
    }

    #[test]
    fn a_name_without_room_is_left_out() {
        let places = [0.5, 0.501, 0.502, 0.503];
        let steps = places.map(|at| Step {
            at,
            top: 100.0,
            words: "1,000",
        });
        let curves = [Curve {
            steps: steps.into_iter().collect(),
            is_named: true,
        }];
        // One below the crowd and one above it.
        let shifts: Vec<f64> = placed(&curves, 250.0, NARROW)
            .iter()
            .map(|name| name.shift)
            .collect();
        assert_eq!(shifts, [0.0, 0.0]);
    }
}
