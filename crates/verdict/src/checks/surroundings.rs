//! What went on around the run: limits of the control group, a clock that was set.

use crate::check::{Check, Code, Effect, Entry, Example, Group, Look, Needs, thresholds};
use crate::fitness::Facts;
use crate::samples;
use crate::subject;
use fathom_core::figure::{size, time};
use fathom_core::result::{Evidence, RunResult};
use fathom_core::{Caveat, Level};

thresholds! {
    /// Drift of the clock of the wall against the monotonic one
    CLOCK_STEP_NS: u64 = 10_000_000, Nanoseconds, Decided "4.8, P75";
}

pub(crate) const LIMITED: Check = Check {
    purpose: "whether the control group limits its I/O (P74)",
    needs: Needs::OurRun(&[Evidence::IoLimits]),
    codes: &[Entry {
        code: Code::IoLimited,
        group: Group::Surroundings,
        effect: Effect::Number,
        point: "P74",
        level: "qualified",
        when: "the control group limits its I/O on a device below the targets (`io.max`, \
               `io.latency`, `blkio.throttle`)",
        thresholds: &[],
        example: Example::Run(samples::reads, |r| {
            r.provenance.io_limits = vec!["io.max vda riops=100000".into()];
        }),
    }],
    run: limited,
};

pub(crate) const MEMORY: Check = Check {
    purpose: "whether the control group limits the page cache that it measures",
    needs: Needs::OurRun(&[]),
    codes: &[Entry {
        code: Code::MemoryLimited,
        group: Group::Surroundings,
        effect: Effect::Number,
        point: "",
        level: "qualified",
        when: "the control group limits memory to less than there is, and a job goes through the \
               page cache",
        thresholds: &[],
        example: Example::Run(samples::reads, |r| {
            r.provenance.host.memory_limit_bytes = Some(2 << 30);
            samples::spec(r).durability.direct = false;
        }),
    }],
    run: memory,
};

pub(crate) const CLOCK: Check = Check {
    purpose: "whether the clock of the wall was set during the run (P75)",
    needs: Needs::OurRun(&[Evidence::WallClock]),
    codes: &[Entry {
        code: Code::ClockStep,
        group: Group::Surroundings,
        effect: Effect::Machine,
        point: "P75",
        level: "note",
        when: "the clock of the wall moved over {CLOCK_STEP_NS} against the monotonic one",
        thresholds: &[row::CLOCK_STEP_NS],
        example: Example::Run(samples::reads, |r| {
            samples::account(r).generator.clock_step_ns = Some(-1_250_000_000);
        }),
    }],
    run: clock,
};

fn limited(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let limits = &result.provenance.io_limits;
    if limits.is_empty() || !subject::touches_storage(result) {
        return;
    }
    let message = format!(
        "the control group of this process limits its I/O: {}",
        limits.join("; ")
    );
    caveats.push(
        Code::IoLimited
            .caveat(Level::Qualified, message)
            .remedy("run outside the group, or say that its limit is what is meant"),
    );
}

fn memory(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let host = &result.provenance.host;
    let Some(limit_bytes) = host.memory_limit_bytes else {
        return;
    };
    let buffered = subject::jobs(result)
        .filter_map(|(_, _, spec)| spec)
        .any(|spec| !spec.durability.direct);
    if !buffered || !subject::touches_storage(result) {
        return;
    }
    let message = format!(
        "the control group of this process leaves it {} of {} of memory, the page cache that it \
         goes through included",
        size(limit_bytes),
        size(host.memory_bytes)
    );
    caveats.push(
        Code::MemoryLimited
            .caveat(Level::Qualified, message)
            .remedy("run outside the group, or say that its limit is what is meant"),
    );
}

fn clock(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        let health = phase.ledger.as_ref().map(|ledger| &ledger.generator);
        let Some(step) = health.and_then(|health| health.clock_step_ns) else {
            continue;
        };
        if step.unsigned_abs() > CLOCK_STEP_NS {
            let message = format!(
                "the clock of the wall was set by {} during the run; times here come from \
                 another clock, stamps in other logs may not fit them",
                time(step.unsigned_abs() as f64)
            );
            caveats.push(
                Code::ClockStep
                    .caveat(Level::Note, message)
                    .remedy("let time servers slew the clock and not set it (chronyd, ntpd -x)")
                    .about(subject::phase(result, phase)),
            );
        }
    }
}

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: Entry {
        code: Code::IoLimited,
        group: Group::Before,
        effect: Effect::Number,
        point: "P74",
        level: "qualified",
        when: "the control group limits block I/O",
        thresholds: &[],
        example: Example::Target(|| Facts {
            limits: vec!["io.max 8:0 riops=1000".into()],
            ..Facts::default()
        }),
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    for limit in &facts.limits {
        let message = format!("the control group limits block I/O: {limit}");
        let remedy = "run outside the group, or say that its limit is what is meant";
        found.push(
            Code::IoLimited
                .caveat(Level::Qualified, message)
                .remedy(remedy),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::result::Ledger;
    use fathom_core::{CodeWord, fixture};

    fn codes(check: &Check, result: &RunResult) -> Vec<(CodeWord, Level)> {
        let found = found(check, result).into_iter();
        found.map(|one| (one.code, one.level)).collect()
    }

    #[test]
    fn limits_and_clock_are_told() {
        let mut result = fixture::random_read();
        for check in [&LIMITED, &CLOCK] {
            assert_eq!(codes(check, &result), []);
        }
        result.provenance.io_limits = vec!["io.max 8:0 riops=100".to_owned()];
        let mut ledger = Ledger::default();
        ledger.generator.clock_step_ns = Some(-10_000_001);
        result.phases[0].ledger = Some(Box::new(ledger));
        let one = |code: Code, level| vec![(code.into(), level)];
        assert_eq!(
            codes(&LIMITED, &result),
            one(Code::IoLimited, Level::Qualified)
        );
        assert_eq!(codes(&CLOCK, &result), one(Code::ClockStep, Level::Note));
    }

    #[test]
    fn a_limit_of_memory_matters_where_the_page_cache_does() {
        for (limit, direct, expected) in [
            (Some(1 << 30), false, 1),
            (Some(1 << 30), true, 0),
            (None, false, 0),
        ] {
            let mut result = fixture::random_read();
            result.provenance.host.memory_limit_bytes = limit;
            result.provenance.workload.phases[0].jobs[0]
                .durability
                .direct = direct;
            assert_eq!(
                codes(&MEMORY, &result).len(),
                expected,
                "{limit:?} {direct}"
            );
        }
    }
}
