//! Statistics on series: pure functions, each with its known answers as tests.

mod spread;
mod steady_state;

pub use spread::median;
pub use steady_state::{SteadyWindow, steady_window};
