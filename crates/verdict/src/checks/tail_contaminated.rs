//! A tail that is the machine's.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::health;
use crate::samples;
use fathom_core::figure::time;
use fathom_core::result::{Evidence, GeneratorHealth, Hiccups, PhaseResult};
use fathom_core::{Caveat, Level};

thresholds! {
    /// Share of the p99.9 that is reported which stalls of an idle thread may reach
    HICCUP: f64 = 0.10, Share, Decided;
    /// Stalls below which they are the kernel's wake-up, which every completion has as well
    HICCUP_LEAST_NS: u64 = 1_000_000, Nanoseconds, Decided;
    /// Wake-ups that the p99.9 of an idle thread rests on: one lies beyond it
    HICCUP_SAMPLES: u64 = 1_000, Count, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether the machine caused the tail latency instead of the storage",
    needs: Needs::OurRun(&[Evidence::Hiccups]),
    codes: &[entry! { TailContaminated: Generator, Machine, "qualified",
        "an idle thread woke more than {HICCUP_LEAST_NS} late at its p99.9, and more than \
         {HICCUP} of the lowest reported p99.9",
        [row::HICCUP, row::HICCUP_LEAST_NS, row::HICCUP_SAMPLES],
        Example::Run(samples::reads, |r| {
            samples::account(r).generator.hiccups = Some(Hiccups {
                count: 15_000,
                p25_ns: 40_000,
                p999_ns: 1_240_000,
                max_ns: 4_800_000,
            });
        })
    }],
    run: |result, caveats| health::each(result, caveats, judge),
};

fn judge(phase: &PhaseResult, health: &GeneratorHealth) -> Option<Caveat> {
    let hiccups = health.hiccups.filter(|seen| seen.count >= HICCUP_SAMPLES)?;
    let ops = phase.jobs.iter().flat_map(|job| job.ops.present());
    let tails = ops.filter_map(|(_, one)| one.response_ns.percentile("99.9"));
    let reported = tails.min()?;
    let late = hiccups.p999_ns;
    if late < HICCUP_LEAST_NS || late as f64 <= HICCUP * reported as f64 {
        return None;
    }
    let message = format!(
        "a thread that only sleeps woke up {} late at p99.9 (worst {}), compared with a p99.9 of \
         {}. The tail includes stalls of the machine",
        time(late as f64),
        time(hiccups.max_ns as f64),
        time(reported as f64)
    );
    let caveat = Code::TailContaminated.caveat(Level::Qualified, message);
    Some(caveat.remedy("measure on a quieter machine, or use only p99 and below"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::levels;

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
        assert_eq!(levels(&CHECK, &with(900_000)), []);
        assert_eq!(levels(&CHECK, &with(5_000_000)), [Level::Qualified]);
    }
}
