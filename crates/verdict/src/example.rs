//! What raises a code: a made-up result, of which the check says what the documentation shows.

use crate::check::Code;
use crate::checks::{BEFORE, CHECKS};
use crate::fitness::Facts;
use fathom_core::Caveat;
use fathom_core::result::RunResult;

/// A result that raises a code, or a caveat as somebody else raised it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Example {
    /// A result, and what makes it questionable.
    Run(fn() -> RunResult, fn(&mut RunResult)),
    /// What is known of a target.
    Target(fn() -> Facts),
    /// What was said by who puts it into a result.
    Said(fn() -> Caveat),
}

impl Example {
    /// The first that is said of it.
    pub(crate) fn caveat(self, code: Code) -> Option<Caveat> {
        let mut found = Vec::new();
        match self {
            Self::Run(made_up, change) => {
                let mut result = made_up();
                change(&mut result);
                let check = CHECKS.iter().find(|check| check.raises(code))?;
                (check.run)(&result, &mut found);
            }
            Self::Target(facts) => {
                let look = BEFORE.iter().find(|look| look.entry.code == code)?;
                (look.run)(&facts(), &mut found);
            }
            Self::Said(caveat) => found.push(caveat()),
        }
        found.into_iter().find(|caveat| code.is(caveat))
    }
}
