//! A clock whose reading costs as much as what it measures.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use fathom_core::figure::{percent, time};
use fathom_core::result::RunResult;
use fathom_core::{Caveat, Level};

thresholds! {
    /// A reading of the clock through the vDSO costs some 25 ns, a system call 500 and more:
    /// between them lies which of the two it is
    CLOCK_CHEAP_NS: f64 = 100.0, Nanoseconds, Decided;
    /// Share of the shortest mean service time that the two readings around it may be
    CLOCK_WEIGHS: f64 = 0.05, Share, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether reading the clock is cheap compared with the measured times",
    needs: Needs::OurRun(&[]),
    codes: &[
        entry! { SlowClock: Tail, Machine, "note; qualified from {CLOCK_WEIGHS}",
            "one clock reading costs more than {CLOCK_CHEAP_NS}; the level depends on two readings \
             relative to the shortest mean service time",
            [row::CLOCK_CHEAP_NS, row::CLOCK_WEIGHS],
            Example::Run(samples::reads, |r| {
                r.provenance.engine.clock = "clock_monotonic".into();
                r.provenance.engine.clock_cost_ns = 800.0;
            })
        },
    ],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let engine = &result.provenance.engine;
    let cost = engine.clock_cost_ns;
    if cost <= CLOCK_CHEAP_NS {
        return;
    }
    let ops = subject::jobs(result).flat_map(|(_, job, _)| job.ops.present());
    let means = ops
        .map(|(_, op)| op.service_ns.mean)
        .filter(|mean| *mean > 0.0);
    let shortest = means.fold(f64::INFINITY, f64::min);
    let share = 2.0 * cost / shortest;
    let level = if share > CLOCK_WEIGHS {
        Level::Qualified
    } else {
        Level::Note
    };
    let message = format!(
        "reading the clock {} costs {}. Two readings are {} of the shortest mean service time",
        engine.clock,
        time(cost),
        percent(share * 100.0)
    );
    caveats.push(
        Code::SlowClock
            .caveat(level, message)
            .remedy("let the kernel use the TSC (clocksource=tsc), if it is stable"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::{Op, fixture};

    fn with_cost(cost_ns: f64, service_ns: f64) -> RunResult {
        let mut result = fixture::random_read();
        result.provenance.engine.clock = "clock_monotonic".to_owned();
        result.provenance.engine.clock_cost_ns = cost_ns;
        result.phases[0].jobs[0].ops[Op::Read]
            .as_mut()
            .unwrap()
            .service_ns
            .mean = service_ns;
        result
    }

    #[test]
    fn a_system_call_for_a_clock_is_said() {
        let caveat = |level, message: &str| {
            Code::SlowClock
                .caveat(level, message)
                .remedy("let the kernel use the TSC (clocksource=tsc), if it is stable")
        };
        assert_eq!(found(&CHECK, &with_cost(100.0, 10_000.0)), []);
        let message = "reading the clock clock_monotonic costs 800 ns. Two readings are 1.6 % of \
                       the shortest mean service time";
        assert_eq!(
            found(&CHECK, &with_cost(800.0, 100_000.0)),
            [caveat(Level::Note, message)]
        );
        let message = "reading the clock clock_monotonic costs 800 ns. Two readings are 16.0 % of \
                       the shortest mean service time";
        assert_eq!(
            found(&CHECK, &with_cost(800.0, 10_000.0)),
            [caveat(Level::Qualified, message)]
        );
    }
}
