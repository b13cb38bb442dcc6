//! A workload on a model in closed form: the result of each phase without single requests.
//!
//! What single requests would show is left out and stays empty: latencies, percentiles, lags of
//! single arrivals. Rates, bytes, credits and who is limited are there.

mod demand;
mod jobs;
mod phase;
mod portion;
mod story;

pub use demand::{PhaseDemand, Unsuited, demand};
pub use phase::{Forecast, forecast, interval};
pub use story::{Fall, Hold, Story, story};
