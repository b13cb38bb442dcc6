//! Data for charts: what is to be drawn, never how. Each is a pure function of results; the
//! script of the page (`assets/report.js`) knows axes, colours and words of the units.

pub(crate) mod bars;
pub(crate) mod clock;
pub(crate) mod course;
pub(crate) mod curve;
pub(crate) mod heat_map;
pub(crate) mod machine;
pub(crate) mod number;
pub(crate) mod percentiles;
pub(crate) mod ramp;
pub(crate) mod stream;

use serde::Serialize;

/// One chart of a page.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Chart {
    /// Names its element on the page.
    pub(crate) id: String,
    /// What it shows.
    pub(crate) title: String,
    /// How to read it: sources, what was left out or put together.
    pub(crate) note: String,
    #[serde(flatten)]
    pub(crate) body: Body,
}

/// What a chart shows, by its kind.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Body {
    Course(course::Course),
    HeatMap(heat_map::HeatMap),
    Curve(curve::Curve),
    Bars(bars::Bars),
    Ramp(ramp::Ramp),
}

/// What numbers of a chart are; decides how they are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Unit {
    /// Requests a second.
    Iops,
    /// Bytes a second.
    BytesPerSecond,
    /// Nanoseconds.
    Ns,
    /// Outstanding requests.
    Requests,
    /// Percent.
    Percent,
    /// A number with a unit of its own, in words.
    Other,
}
