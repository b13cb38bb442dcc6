//! A clock whose steps are as long as what it measures.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use fathom_core::figure::time;
use fathom_core::result::RunResult;
use fathom_core::{Caveat, Level};

thresholds! {
    /// Step of the clock above which it is coarse
    COARSE_CLOCK_NS: u64 = 1_000, Nanoseconds, Decided;
    /// Steps below which two times are not distinguished
    COARSE_STEPS: u64 = 10, Count, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether the clock resolution is fine enough for the measured times",
    needs: Needs::OurRun(&[]),
    codes: &[
        entry! { CoarseClock: Tail, Number, "note; qualified if it affects the result",
            "the clock resolution is above {COARSE_CLOCK_NS}; a median is below \
             {COARSE_STEPS:word} steps",
            [row::COARSE_CLOCK_NS, row::COARSE_STEPS],
            Example::Run(samples::reads, |r| {
                r.provenance.engine.clock = "clock_monotonic".into();
                r.provenance.engine.clock_grain_ns = Some(4_000_000);
            })
        },
    ],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let engine = &result.provenance.engine;
    let Some(step) = engine.clock_grain_ns.filter(|step| *step > COARSE_CLOCK_NS) else {
        return;
    };
    let ops = subject::jobs(result).flat_map(|(_, job, _)| job.ops.present());
    let medians = ops.filter_map(|(_, one)| one.service_ns.percentile("50"));
    let shortest = medians.min();
    let level = if shortest.is_some_and(|median| median < step * COARSE_STEPS) {
        Level::Qualified
    } else {
        Level::Note
    };
    let message = format!(
        "the clock {} has a resolution of {}. Times below {} are not reliable",
        engine.clock,
        time(step as f64),
        time((step * COARSE_STEPS) as f64)
    );
    caveats.push(
        Code::CoarseClock
            .caveat(level, message)
            .remedy("let the kernel use the TSC (clocksource=tsc), if it is stable"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::{Op, fixture};

    fn with_step(step_ns: u64, median_ns: u64) -> RunResult {
        let mut result = fixture::random_read();
        result.provenance.engine.clock = "clock_monotonic".to_owned();
        result.provenance.engine.clock_grain_ns = Some(step_ns);
        let read = result.phases[0].jobs[0].ops[Op::Read]
            .as_mut()
            .expect("it reads");
        let percentiles = &mut read.service_ns.percentiles;
        percentiles.insert("50".to_owned(), median_ns);
        result
    }

    #[test]
    fn long_steps_blur_short_times() {
        let caveat = |level| {
            let message = "the clock clock_monotonic has a resolution of 1.01 µs. Times below 10.1 \
                           µs are not reliable";
            Code::CoarseClock
                .caveat(level, message)
                .remedy("let the kernel use the TSC (clocksource=tsc), if it is stable")
        };
        assert_eq!(found(&CHECK, &fixture::random_read()), []);
        assert_eq!(found(&CHECK, &with_step(1000, 1)), []);
        assert_eq!(
            found(&CHECK, &with_step(1010, 10_100)),
            [caveat(Level::Note)]
        );
        assert_eq!(
            found(&CHECK, &with_step(1010, 10_099)),
            [caveat(Level::Qualified)]
        );
    }
}
