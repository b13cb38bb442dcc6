//! Charts as SVG: text keeps its size at every width, lines stretch, and nothing needs a script.
//!
//! A chart is a stack of panels with the same margins, so that their time axes lie over each other
//! to the pixel. Across, places are shares of the width; upwards they are pixels. Lines lie in an
//! inner drawing that is stretched, with strokes that are not. The numbers are in the table behind
//! each chart, from which the script of the page reads what is under the pointer.

mod bars;
mod course;
mod curve;
mod file;
mod heat_map;
mod host_map;
mod lines;
mod panel;
mod picture;
mod ramp;
mod scale;
mod spark;
mod steps;

use crate::charts::{Body, Chart};
pub(crate) use crate::markup::escaped;

pub use file::file as picture_file;
pub(crate) use lines::key_svg;
pub(crate) use picture::{PictureView, picture};
pub(crate) use scale::{log_place, ranged, words};
pub(crate) use spark::{bar, spark};

/// A chart ready for a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Drawn {
    /// One drawing, or several below each other.
    pub(crate) svg: String,
    /// Names with their swatches; empty where lines are named directly, or there is only one.
    pub(crate) keys: Vec<Key>,
    /// The numbers: heads, then rows.
    pub(crate) heads: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
    /// Right edges of the rows as shares of the width in thousandths; empty where rows are no
    /// times.
    pub(crate) edges: String,
    /// What it shows, for those who cannot see it.
    pub(crate) spoken: String,
}

/// A name of the legend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) label: String,
    pub(crate) svg: String,
}

pub(crate) fn draw(chart: &Chart) -> Drawn {
    let mut drawn = match &chart.body {
        Body::Course(course) => course::draw(course),
        Body::HeatMap(axis, map) => heat_map::draw(axis, map),
        Body::HostMap(axis, map) => host_map::draw(axis, map),
        Body::Curve(curve) => curve::draw(curve),
        Body::Bars(bars) => bars::draw(bars),
        Body::Ramp(ramp) => ramp::draw(ramp),
        Body::Steps(steps) => steps::draw(steps),
    };
    drawn.spoken = format!("{}. {}", chart.title, drawn.spoken);
    drawn
}

/// A place to a tenth: finer than any screen.
pub(crate) fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// A share as percent of the width, to a hundredth.
pub(crate) fn across(share: f64) -> f64 {
    (share * 1e4).round() / 100.0
}
