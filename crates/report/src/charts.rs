//! Charts: what is to be drawn, never how. Each is a pure function of results; `drawing` knows
//! axes, places and words of the units, and `assets/report.css` the colours.

pub(crate) mod bars;
pub(crate) mod clock;
pub(crate) mod course;
pub(crate) mod curve;
pub(crate) mod heat_map;
pub(crate) mod hero;
pub(crate) mod host_map;
pub(crate) mod machine;
pub(crate) mod percentiles;
pub(crate) mod ramp;
pub(crate) mod sides;
pub(crate) mod steps;
pub(crate) mod stream;

/// One chart of a page.
#[derive(Clone, Debug)]
pub(crate) struct Chart {
    /// What it shows.
    pub(crate) title: String,
    /// How to read it: sources, what was left out or put together.
    pub(crate) note: String,
    pub(crate) body: Body,
}

/// What a chart shows, by its kind.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Course(course::TimeStrips),
    HeatMap(course::TimeAxis, heat_map::HeatMap),
    HostMap(course::TimeAxis, host_map::HostMap),
    Curve(curve::Curve),
    Bars(bars::Bars),
    Ramp(ramp::Ramp),
    Steps(steps::Steps),
}

/// What numbers of a chart are; decides how they are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Requests a second.
    Iops,
    /// Throughput, bytes a second.
    BytesPerSecond,
    /// Nanoseconds.
    Ns,
    /// Outstanding requests.
    Requests,
    /// A share of the whole.
    Percent,
    /// A number with a unit of its own, in words.
    Other,
}
