//! What is known of the generator's health, phase by phase.

use crate::subject;
use fathom_core::Caveat;
use fathom_core::result::{GeneratorHealth, PhaseResult, RunResult};

/// What a phase and the health of its generator say.
pub(crate) type Judge = fn(&PhaseResult, &GeneratorHealth) -> Option<Caveat>;

/// Asks it of every phase that was measured.
pub(crate) fn each(result: &RunResult, caveats: &mut Vec<Caveat>, judge: Judge) {
    for phase in result.phases.iter().filter(|phase| phase.measured_ns > 0) {
        let health = phase.ledger.as_ref().map(|ledger| &ledger.generator);
        let found = health.and_then(|health| judge(phase, health));
        caveats.extend(found.map(|one| one.about(subject::phase(result, phase))));
    }
}

/// Levels of what a check finds where the generator's health is this.
#[cfg(test)]
pub(crate) fn levels(
    check: &crate::check::Check,
    health: &GeneratorHealth,
) -> Vec<fathom_core::Level> {
    let mut result = fathom_core::fixture::random_read();
    let ledger = fathom_core::result::Ledger {
        generator: health.clone(),
        ..fathom_core::result::Ledger::default()
    };
    result.phases[0].ledger = Some(Box::new(ledger));
    crate::check::found(check, &result)
        .into_iter()
        .map(|one| one.level)
        .collect()
}
