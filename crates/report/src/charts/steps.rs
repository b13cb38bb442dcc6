//! A figure along an axis of a suite: block sizes, queue depths.

use super::Unit;

/// Lines over named steps.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Steps {
    pub(crate) unit: Unit,
    /// What differs from step to step.
    pub(crate) knob: String,
    pub(crate) names: Vec<String>,
    pub(crate) lines: Vec<StepLine>,
}

/// A value for each step; NaN where there is none.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StepLine {
    pub(crate) label: String,
    pub(crate) values: Vec<f64>,
}
