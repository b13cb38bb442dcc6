//! What kept the generator from running when it was to run.

use crate::check::{Check, Code, Effect, Entry, Example, Group, Needs, thresholds};
use crate::checks::generator_cpu::GENERATOR_LEAST_NS;
use crate::samples;
use crate::subject;
use fathom_core::figure::{percent, time};
use fathom_core::result::{Evidence, GeneratorHealth, Hiccups, PhaseResult, RunResult};
use fathom_core::{Caveat, Level};

thresholds! {
    /// Share of the time that a thread waited for a processor: noted, suspect
    RUN_QUEUE: (f64, f64) = (0.01, 0.05), Share, Decided "3.5";
    /// Share of the time in which the quota held the group back: suspect
    THROTTLED: f64 = 0.005, Share, Decided "3.5";
    /// Range of the processors' frequency over the highest: noted, qualified
    FREQUENCY: (f64, f64) = (0.15, 0.30), Share, Decided "3.5";
    /// Share of the p99.9 that is reported which stalls of an idle thread may reach
    HICCUP: f64 = 0.10, Share, Decided "3.5";
    /// Stalls below which they are the kernel's wake-up, which every completion has as well
    HICCUP_LEAST_NS: u64 = 1_000_000, Nanoseconds, Decided "3.5";
    /// Wake-ups that the p99.9 of an idle thread rests on: one lies beyond it
    HICCUP_SAMPLES: u64 = 1_000, Count, Decided "8.4";
}

pub(crate) const STARVED: Check = Check {
    purpose: "whether threads waited for a processor",
    needs: Needs::OurRun(&[Evidence::RunQueue]),
    codes: &[Entry {
        code: Code::GeneratorStarved,
        group: Group::Generator,
        effect: Effect::Machine,
        point: "3.5",
        level: "suspect; note from {RUN_QUEUE.0}",
        when: "a thread waited for a processor while another ran for over {RUN_QUEUE.1} of the \
               time, {GENERATOR_LEAST_NS:one} or more; what waking up onto an idle processor \
               takes is none of it",
        thresholds: &[
            crate::checks::generator_cpu::row::GENERATOR_LEAST_NS,
            row::RUN_QUEUE,
        ],
        example: Example::Run(samples::reads, |r| {
            samples::account(r).generator.run_queue_ns = Some(samples::phase_ns(r) / 100 * 9);
        }),
    }],
    run: |result, caveats| each(result, caveats, starved),
};

pub(crate) const QUOTA: Check = Check {
    purpose: "whether a quota held the process back",
    needs: Needs::OurRun(&[Evidence::CpuQuota]),
    codes: &[Entry {
        code: Code::CpuQuota,
        group: Group::Generator,
        effect: Effect::Machine,
        point: "3.5",
        level: "suspect; note if any",
        when: "the quota of the control group held the process back for over {THROTTLED} of the \
               time",
        thresholds: &[row::THROTTLED],
        example: Example::Run(samples::reads, |r| {
            samples::account(r).generator.throttled_ns = Some(samples::phase_ns(r) / 100 * 4);
        }),
    }],
    run: |result, caveats| each(result, caveats, quota),
};

pub(crate) const FREQUENCIES: Check = Check {
    purpose: "whether the processors changed their frequency",
    needs: Needs::OurRun(&[Evidence::Frequency]),
    codes: &[Entry {
        code: Code::CpuFreq,
        group: Group::Generator,
        effect: Effect::Machine,
        point: "3.5",
        level: "qualified; note from {FREQUENCY.0}",
        when: "the mean frequency of the processors moved by over {FREQUENCY.1}",
        thresholds: &[row::FREQUENCY],
        example: Example::Run(samples::reads, |r| {
            samples::account(r).generator.lowest_khz = Some(1_200_000);
            samples::account(r).generator.highest_khz = Some(3_400_000);
        }),
    }],
    run: |result, caveats| each(result, caveats, frequency),
};

pub(crate) const HICCUPS: Check = Check {
    purpose: "whether the tail is the machine's and not the storage's",
    needs: Needs::OurRun(&[Evidence::Hiccups]),
    codes: &[Entry {
        code: Code::TailContaminated,
        group: Group::Generator,
        effect: Effect::Machine,
        point: "3.5",
        level: "qualified",
        when: "an idle thread woke over {HICCUP_LEAST_NS} late at its p99.9, and over {HICCUP} of \
               the least p99.9 reported",
        thresholds: &[row::HICCUP, row::HICCUP_LEAST_NS, row::HICCUP_SAMPLES],
        example: Example::Run(samples::reads, |r| {
            samples::account(r).generator.hiccups = Some(Hiccups {
                count: 15_000,
                p25_ns: 40_000,
                p999_ns: 1_240_000,
                max_ns: 4_800_000,
            });
        }),
    }],
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
    let caveat = Code::GeneratorStarved.caveat(level, message);
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
    let caveat = Code::CpuQuota.caveat(level, message);
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
    let caveat = Code::CpuFreq.caveat(level, message);
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
    let caveat = Code::TailContaminated.caveat(Level::Qualified, message);
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
