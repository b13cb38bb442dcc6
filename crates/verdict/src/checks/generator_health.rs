//! What kept the generator from running when it was to run.

use crate::check::Check;
use crate::subject;
use crate::thresholds::{
    FREQUENCY, GENERATOR_LEAST_NS, HICCUP, HICCUP_LEAST_NS, HICCUP_SAMPLES, RUN_QUEUE, THROTTLED,
};
use fathom_core::figure::{percent, time};
use fathom_core::result::{Evidence, GeneratorHealth, PhaseResult, RunResult};
use fathom_core::{Caveat, Level};

pub(crate) const STARVED: Check = Check {
    codes: &["generator_starved"],
    needs: &[Evidence::RunQueue],
    purpose: "whether threads waited for a processor",
    run: |result, caveats| each(result, caveats, starved),
};

pub(crate) const QUOTA: Check = Check {
    codes: &["cpu_quota"],
    needs: &[Evidence::CpuQuota],
    purpose: "whether a quota held the process back",
    run: |result, caveats| each(result, caveats, quota),
};

pub(crate) const FREQUENCIES: Check = Check {
    codes: &["cpu_freq"],
    needs: &[Evidence::Frequency],
    purpose: "whether the processors changed their frequency",
    run: |result, caveats| each(result, caveats, frequency),
};

pub(crate) const HICCUPS: Check = Check {
    codes: &["tail_contaminated"],
    needs: &[Evidence::Hiccups],
    purpose: "whether the tail is the machine's and not the storage's",
    run: |result, caveats| each(result, caveats, tail),
};

type Judge = fn(&PhaseResult, &GeneratorHealth) -> Option<Caveat>;

fn each(result: &RunResult, caveats: &mut Vec<Caveat>, judge: Judge) {
    for phase in result.phases.iter().filter(|phase| phase.measured_ns > 0) {
        let health = phase.ledger.as_ref().map(|ledger| &ledger.generator);
        let found = health.and_then(|health| judge(phase, health));
        caveats.extend(found.map(|one| one.about(subject::phase(result, phase))));
    }
}

fn starved(phase: &PhaseResult, health: &GeneratorHealth) -> Option<Caveat> {
    if phase.measured_ns < GENERATOR_LEAST_NS {
        return None;
    }
    let share = health.run_queue_ns? as f64 / phase.measured_ns as f64;
    let (note, suspect) = RUN_QUEUE;
    if share <= note {
        return None;
    }
    let level = if share > suspect {
        Level::Suspect
    } else {
        Level::Note
    };
    let message = format!(
        "a thread was ready to run and had no processor for {} of the time",
        percent(share * 100.0)
    );
    let caveat = Caveat::new("generator_starved", level, message);
    Some(caveat.remedy("end what else uses the processors, or use fewer threads"))
}

fn quota(phase: &PhaseResult, health: &GeneratorHealth) -> Option<Caveat> {
    let held_ns = health.throttled_ns?;
    let share = held_ns as f64 / phase.measured_ns as f64;
    if held_ns == 0 {
        return None;
    }
    let level = if share > THROTTLED {
        Level::Suspect
    } else {
        Level::Note
    };
    let message = format!(
        "the processor quota of the control group held the process back for {} ({} of the time)",
        time(held_ns as f64),
        percent(share * 100.0)
    );
    let caveat = Caveat::new("cpu_quota", level, message);
    Some(caveat.remedy("raise the quota (cpu.max), or run outside the group"))
}

fn frequency(_: &PhaseResult, health: &GeneratorHealth) -> Option<Caveat> {
    let (low, high) = (health.lowest_khz?, health.highest_khz?);
    let range = (high - low.min(high)) as f64 / high.max(1) as f64;
    let (note, qualified) = FREQUENCY;
    if range <= note {
        return None;
    }
    let level = if range > qualified {
        Level::Qualified
    } else {
        Level::Note
    };
    let message = format!(
        "the processors ran at {} to {} MHz on average",
        low / 1000,
        high / 1000
    );
    let caveat = Caveat::new("cpu_freq", level, message);
    Some(caveat.remedy("set the performance governor (cpupower frequency-set -g performance)"))
}

fn tail(phase: &PhaseResult, health: &GeneratorHealth) -> Option<Caveat> {
    let hiccups = health.hiccups.filter(|seen| seen.count >= HICCUP_SAMPLES)?;
    let ops = phase
        .jobs
        .iter()
        .flat_map(fathom_core::result::JobResult::ops);
    let tails = ops.filter_map(|(_, one)| one.response_ns.percentile("99.9"));
    let reported = tails.min()?;
    let late = hiccups.p999_ns;
    if late < HICCUP_LEAST_NS || late as f64 <= HICCUP * reported as f64 {
        return None;
    }
    let message = format!(
        "a thread that only sleeps woke up {} late at p99.9 (worst {}), beside a p99.9 of {}: \
         the machine's stalls are in the tail",
        time(late as f64),
        time(hiccups.max_ns as f64),
        time(reported as f64)
    );
    let caveat = Caveat::new("tail_contaminated", Level::Qualified, message);
    Some(caveat.remedy("measure on a quieter machine, or trust p99 and below only"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;
    use fathom_core::result::{Hiccups, Ledger};

    fn levels(check: &Check, health: &GeneratorHealth) -> Vec<Level> {
        let mut result = fixture::random_read();
        let ledger = Ledger {
            generator: health.clone(),
            ..Ledger::default()
        };
        result.phases[0].ledger = Some(Box::new(ledger));
        found(check, &result)
            .into_iter()
            .map(|one| one.level)
            .collect()
    }

    #[test]
    fn waiting_and_quota_count_by_their_share() {
        let measured = fixture::random_read().phases[0].measured_ns;
        let parts = [
            (100, None),
            (60, Some(Level::Note)),
            (15, Some(Level::Suspect)),
        ];
        for (part, expected) in parts {
            let health = GeneratorHealth {
                run_queue_ns: Some(measured / part),
                ..GeneratorHealth::default()
            };
            assert_eq!(levels(&STARVED, &health), expected.as_slice());
        }
        let parts = [
            (0, None),
            (1, Some(Level::Note)),
            (measured, Some(Level::Suspect)),
        ];
        for (held, expected) in parts {
            let health = GeneratorHealth {
                throttled_ns: Some(held),
                ..GeneratorHealth::default()
            };
            assert_eq!(levels(&QUOTA, &health), expected.as_slice());
        }
    }

    #[test]
    fn frequencies_count_by_their_range() {
        let ranges = [
            (850, None),
            (849, Some(Level::Note)),
            (699, Some(Level::Qualified)),
        ];
        for (low, expected) in ranges {
            let health = GeneratorHealth {
                lowest_khz: Some(low),
                highest_khz: Some(1000),
                ..GeneratorHealth::default()
            };
            assert_eq!(levels(&FREQUENCIES, &health), expected.as_slice());
        }
    }

    #[test]
    fn a_late_idle_thread_spoils_the_tail() {
        let with = |p999_ns| GeneratorHealth {
            hiccups: Some(Hiccups {
                count: 2000,
                p25_ns: 40_000,
                p999_ns,
                max_ns: 9_000_000,
            }),
            ..GeneratorHealth::default()
        };
        assert_eq!(levels(&HICCUPS, &with(900_000)), []);
        assert_eq!(levels(&HICCUPS, &with(5_000_000)), [Level::Qualified]);
    }
}
