//! Ramps: one workload at rising load, as one result.
//!
//! A [`PhaseOrder`](crate::PhaseOrder) decides each step from those before it, so that the targets
//! are prepared once; [`report()`] then says what the steps show together.

mod axis;
mod curve;
mod plan;
mod report;
mod sizes;
mod under_objectives;

pub use curve::{ClosedWalk, WalkLimits};
pub use plan::{NotRamped, Ramp};
pub use report::report;
pub use sizes::{SIZES, SizeWalk};
pub use under_objectives::{ObjectiveSearch, SearchTimes};

use fathom_core::result::StepPurpose;

/// What each step was, in the order of the phases.
#[derive(Clone, Debug, PartialEq)]
pub struct StepPlan {
    /// Why it is run.
    pub purpose: StepPurpose,
    /// Position on the axis; 0 for the closed load of a rate ramp.
    pub value: f64,
}
