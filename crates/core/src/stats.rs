//! Statistics on series: pure functions, each with its known answers as tests.

mod scalability;
mod spread;
mod steady_state;

pub use scalability::{
    Capped, LoadPoint, ScalabilityFit, ScalabilityLaw, Usl, fit_scalability, power_knee,
};
pub use spread::median;
pub use steady_state::{SteadyWindow, steady_window};
