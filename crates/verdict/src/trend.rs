//! One metric over weeks: at which run it changed, by how much, and what changed with it.

mod judged;
mod series;

pub use judged::{Shifts, TREND_VERSION, Trend, Trends};
pub use series::{Series, SeriesKey, SeriesPoint};
