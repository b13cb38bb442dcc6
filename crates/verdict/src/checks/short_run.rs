//! Too few intervals to say how steady a load was.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use fathom_core::figure::{duration, plural};
use fathom_core::interval::Part;
use fathom_core::result::{PhaseResult, RunResult};
use fathom_core::{Caveat, Level, Nanos};

thresholds! {
    /// Complete intervals that a deviation rests on: as many as the rounds of the steady state
    ENOUGH_INTERVALS: usize = 5, Count, Published "SNIA PTS, 2.1.24";
    /// Complete intervals below which there is no deviation at all
    LEAST_INTERVALS: usize = 2, Count, Verified "a deviation needs two values";
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether there are enough intervals to evaluate steadiness",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { ShortRun: Steadiness, Number,
        "note; qualified below {LEAST_INTERVALS:word}",
        "fewer than {ENOUGH_INTERVALS:word} complete intervals",
        [row::ENOUGH_INTERVALS, row::LEAST_INTERVALS],
        Example::Run(samples::reads, |r| {
            samples::phase(r).intervals.truncate(4);
            samples::phase(r).measured_ns = 4_000_000_000;
        })
    }],
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
            "{} of measured time contain {} of {}. This is too few to evaluate steadiness",
            duration(phase.measured_ns),
            plural(complete as u64, "complete interval"),
            duration(interval.0)
        );
        caveats.push(
            Code::ShortRun
                .caveat(level, message)
                .remedy("run longer (--time), or use shorter intervals (--interval)")
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
            Code::ShortRun
                .caveat(level, message)
                .remedy("run longer (--time), or use shorter intervals (--interval)")
                .about("measure")
        };
        let message = "4.0 s of measured time contain 4 complete intervals of 1.0 s. This is too \
                       few to evaluate steadiness";
        assert_eq!(found(&CHECK, &lasting(4)), [caveat(Level::Note, message)]);
        let message = "1.0 s of measured time contain 1 complete interval of 1.0 s. This is too \
                       few to evaluate steadiness";
        assert_eq!(
            found(&CHECK, &lasting(1)),
            [caveat(Level::Qualified, message)]
        );
        let mut none = lasting(1);
        none.phases[0].measured_ns = 0;
        assert_eq!(found(&CHECK, &none), []);
    }
}
