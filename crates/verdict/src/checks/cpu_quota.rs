//! A quota of processor time.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::health;
use crate::samples;
use fathom_core::figure::{percent, time};
use fathom_core::result::{Evidence, GeneratorHealth, PhaseResult};
use fathom_core::{Caveat, Level};

thresholds! {
    /// Share of the time in which the quota held the group back: suspect
    THROTTLED: f64 = 0.005, Share, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether a CPU quota throttled the process",
    needs: Needs::OurRun(&[Evidence::CpuQuota]),
    codes: &[
        entry! { CpuQuota: Generator, Machine, "suspect; note for any throttling",
            "the CPU quota of the control group throttled the process for more than {THROTTLED} of \
             the time",
            [row::THROTTLED],
            Example::Run(samples::reads, |r| {
                samples::account(r).generator.throttled_ns = Some(samples::phase_ns(r) / 100 * 4);
            })
        },
    ],
    run: |result, caveats| health::each(result, caveats, judge),
};

fn judge(phase: &PhaseResult, health: &GeneratorHealth) -> Option<Caveat> {
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
        "the CPU quota of the control group throttled the process for {} ({} of the time)",
        time(held_ns as f64),
        percent(share * 100.0)
    );
    let caveat = Code::CpuQuota.caveat(level, message);
    Some(caveat.remedy("raise the quota (cpu.max), or run outside the group"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::levels;
    use fathom_core::fixture;

    #[test]
    fn a_quota_counts_by_its_share() {
        let measured = fixture::random_read().phases[0].measured_ns;
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
            assert_eq!(levels(&CHECK, &health), expected.as_slice());
        }
    }
}
