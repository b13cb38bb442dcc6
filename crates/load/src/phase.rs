//! One phase from its start to its result, on threads or in virtual time.

mod outcome;
mod simulate;
mod threads;

pub use outcome::{PhaseEnd, errno_message};
pub use simulate::{Together, simulate, simulate_together};
pub use threads::{ThreadRun, on_threads};

use crate::aggregate::Aggregator;
use crate::control::{Control, Wish};
use crate::shared::Shared;
use crate::steady::Steadiness;
use crate::worker::WorkerOutcome;
use fathom_core::Nanos;
use fathom_core::result::EndReason;
use fathom_core::spec::Phase;

/// Ends the phase early when the user, the steady-state rule or an error asks for it. Called by
/// whoever watches the phase, a few times a second.
fn steer(shared: &Shared, aggregator: &Aggregator, control: &Control, now: Nanos) {
    match control.wish() {
        Wish::Run => {}
        Wish::Finish => shared.leave_at(now),
        Wish::Abort => shared.abort(),
    }
    if aggregator.verdict() != Steadiness::Open {
        shared.leave_at(now);
    }
}

/// Why the measured time ended, the most telling reason first.
fn end_reason(
    phase: &Phase,
    shared: &Shared,
    verdict: Steadiness,
    interrupted: bool,
    outcomes: &[WorkerOutcome],
) -> EndReason {
    let all_amounts_done = outcomes.iter().all(|outcome| outcome.amount_done);
    if shared.failed() {
        EndReason::Errors
    } else if shared.overloaded() {
        EndReason::Overloaded
    } else if verdict == Steadiness::Reached {
        EndReason::Steady
    } else if interrupted {
        EndReason::Interrupted
    } else if verdict == Steadiness::GivenUp || phase.steady.is_some() {
        EndReason::NotSteady
    } else if shared.ended_by_amount() || all_amounts_done {
        EndReason::Amount
    } else {
        EndReason::Duration
    }
}
