//! Too few intervals to say how steady a load was.

use crate::check::Check;
use crate::subject;
use crate::thresholds::{ENOUGH_INTERVALS, LEAST_INTERVALS};
use fathom_core::figure::{duration, plural};
use fathom_core::interval::Part;
use fathom_core::result::{PhaseResult, RunResult};
use fathom_core::{Caveat, Level, Nanos};

pub(crate) const CHECK: Check = Check {
    codes: &["short_run"],
    needs: &[],
    purpose: "whether there are intervals enough to speak of steadiness",
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let interval = result.provenance.workload.interval;
    // No time at all is not short, it is missing, and other checks say so.
    for phase in result.phases.iter().filter(|phase| phase.measured_ns > 0) {
        let complete = complete(phase, interval);
        let level = match complete {
            ENOUGH_INTERVALS.. => continue,
            LEAST_INTERVALS.. => Level::Note,
            _ => Level::Qualified,
        };
        let message = format!(
            "{} of measured time hold {} of {}: too few to say how steady the load was",
            duration(phase.measured_ns),
            plural(complete as u64, "complete interval"),
            duration(interval.0)
        );
        caveats.push(
            Caveat::new("short_run", level, message)
                .remedy("a longer run (--time), or shorter intervals (--interval)")
                .about(subject::phase(result, phase)),
        );
    }
}

fn complete(phase: &PhaseResult, interval: Nanos) -> usize {
    let measured = phase
        .intervals
        .iter()
        .filter(|one| one.part == Part::Measure);
    measured.filter(|one| one.length_ns >= interval.0).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::Op;
    use fathom_core::fixture::{self, JobPlan, Stream, series};

    fn lasting(seconds: usize) -> RunResult {
        let stream = Stream::random(Op::Read, 4096, series(10_000, seconds));
        let job = JobPlan::closed("read", 1, vec![stream]);
        fixture::run("short", &[("measure", vec![job])])
    }

    #[test]
    fn five_intervals_are_enough() {
        assert_eq!(found(&CHECK, &lasting(5)), []);
        let caveat = |level, message: &str| {
            Caveat::new("short_run", level, message)
                .remedy("a longer run (--time), or shorter intervals (--interval)")
                .about("measure")
        };
        let message = "4.0 s of measured time hold 4 complete intervals of 1.0 s: too few to say \
                       how steady the load was";
        assert_eq!(found(&CHECK, &lasting(4)), [caveat(Level::Note, message)]);
        let message = "1.0 s of measured time hold 1 complete interval of 1.0 s: too few to say \
                       how steady the load was";
        assert_eq!(
            found(&CHECK, &lasting(1)),
            [caveat(Level::Qualified, message)]
        );
        let mut none = lasting(1);
        none.phases[0].measured_ns = 0;
        assert_eq!(found(&CHECK, &none), []);
    }
}
