//! The walk over sizes of request: 4, 16, 64 and 256 KiB.

use super::StepPlan;
use super::axis;
use fathom_core::result::{PhaseResult, RampAxis, StepPurpose};
use fathom_core::spec::Phase;
use fathom_load::course::{Leg, PhaseOrder};

/// Sizes, bytes: powers of four from one page on.
pub const SIZES: [u64; 4] = [4 << 10, 16 << 10, 64 << 10, 256 << 10];

/// The walk over sizes.
#[derive(Debug)]
pub struct SizeWalk {
    template: Phase,
    steps: Vec<StepPlan>,
}

impl SizeWalk {
    /// A walk of the template's load.
    pub const fn new(template: Phase) -> Self {
        Self {
            template,
            steps: Vec::new(),
        }
    }

    /// What the phases were, in their order.
    pub fn steps(&self) -> &[StepPlan] {
        &self.steps
    }
}

impl PhaseOrder for SizeWalk {
    fn next_leg(&mut self, _done: &[PhaseResult]) -> Option<Leg> {
        let bytes = *SIZES.get(self.steps.len())?;
        self.steps.push(StepPlan {
            purpose: StepPurpose::Curve,
            value: bytes as f64,
        });
        let name = format!("size-{}k", bytes >> 10);
        Some(Leg {
            template: 0,
            repeat: 1,
            phase: axis::at(&self.template, RampAxis::BlockSize, bytes as f64, name),
            alone: false,
            interval: None,
        })
    }

    fn expected(&self) -> usize {
        SIZES.len()
    }
}
