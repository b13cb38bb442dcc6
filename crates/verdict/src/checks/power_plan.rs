//! A power plan that saves power.

use crate::check::{Code, Example, Look, entry};
use crate::fitness::Facts;
use fathom_core::{Caveat, Level};

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: entry! { PowerPlan: Before, Machine, "qualified",
        "on Windows: the power plan is not one for high performance",
        [],
        Example::Target(|| Facts {
            power_plan: Some("Balanced".into()),
            ..Facts::default()
        })
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    let Some(plan) = &facts.power_plan else {
        return;
    };
    let message = format!(
        "the power plan is {plan}. Processors that save power answer the completion of a request \
         later"
    );
    found.push(
        Code::PowerPlan
            .caveat(Level::Qualified, message)
            .remedy("use `powercfg /setactive SCHEME_MIN`, the plan for high performance"),
    );
}
