//! From a plan to a judged result.

use crate::ebs_counts::EbsCounts;
use crate::error::RunError;
use crate::explain::{Explain, attribute};
use crate::judged::Judged;
use crate::plan::RunPlan;
use crate::{Control, Observer, explain};
use fathom_core::result::RunResult;

/// Measures what a plan says, and judges it.
///
/// Files that were made are removed before this returns, unless the plan keeps them. Whoever wants
/// to end it early, to know what held the load back, or to decide the phases on the way makes a
/// [`Session`].
pub fn measure(plan: &RunPlan, observer: &mut dyn Observer) -> Result<Judged, RunError> {
    Session::new(plan).measure(observer)
}

/// How a plan becomes a result: [`run()`](crate::run()), or what decides its phases as it goes.
pub type Way<'a> =
    dyn FnMut(&RunPlan, &Control, &mut dyn Observer) -> Result<RunResult, RunError> + 'a;

/// A measurement that is about to be made.
#[derive(Clone, Debug)]
pub struct Session<'a> {
    plan: &'a RunPlan,
    explain: Explain,
    control: Control,
}

impl<'a> Session<'a> {
    /// A session that nobody ends early, and that asks for nothing beside the plan.
    pub fn new(plan: &'a RunPlan) -> Self {
        Self {
            plan,
            explain: Explain::default(),
            control: Control::new(),
        }
    }

    /// With what is asked beside the phases.
    #[must_use]
    pub fn explained(mut self, explain: &Explain) -> Self {
        self.explain = explain.clone();
        self
    }

    /// With a handle on its end: whoever holds a clone of `control` can end it.
    #[must_use]
    pub fn stopped_by(mut self, control: &Control) -> Self {
        self.control = control.clone();
        self
    }

    /// Measures, and judges what came out.
    pub fn measure(self, observer: &mut dyn Observer) -> Result<Judged, RunError> {
        let explain = self.explain.clone();
        self.along(
            &mut |plan, control, observer| explain::run(plan, &explain, control, observer),
            observer,
        )
    }

    /// The same in a way of one's own.
    pub fn along(self, way: &mut Way<'_>, observer: &mut dyn Observer) -> Result<Judged, RunError> {
        let ebs_counts = EbsCounts::before(self.plan);
        let mut result = way(self.plan, &self.control, observer)?;
        fathom_verdict::judge(&mut result);
        attribute(&mut result, &self.explain, self.plan);
        ebs_counts.after(&mut result);
        Ok(Judged::new(result))
    }
}
