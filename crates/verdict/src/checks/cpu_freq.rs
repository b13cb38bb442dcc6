//! Processors that change their frequency.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::health;
use crate::samples;
use fathom_core::result::{Evidence, GeneratorHealth, PhaseResult};
use fathom_core::{Caveat, Level};

thresholds! {
    /// Range of the processors' frequency over the highest: noted, qualified
    FREQUENCY: (f64, f64) = (0.15, 0.30), Share, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether the CPUs changed their frequency",
    needs: Needs::OurRun(&[Evidence::Frequency]),
    codes: &[
        entry! { CpuFreq: Generator, Machine, "qualified; note from {FREQUENCY.0}",
            "the mean CPU frequency changed by more than {FREQUENCY.1}",
            [row::FREQUENCY],
            Example::Run(samples::reads, |r| {
                samples::account(r).generator.lowest_khz = Some(1_200_000);
                samples::account(r).generator.highest_khz = Some(3_400_000);
            })
        },
    ],
    run: |result, caveats| health::each(result, caveats, judge),
};

fn judge(_: &PhaseResult, health: &GeneratorHealth) -> Option<Caveat> {
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
        "the mean CPU frequency varied from {} to {} MHz",
        low / 1000,
        high / 1000
    );
    let caveat = Code::CpuFreq.caveat(level, message);
    Some(caveat.remedy("set the performance governor (cpupower frequency-set -g performance)"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::levels;

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
            assert_eq!(levels(&CHECK, &health), expected.as_slice());
        }
    }
}
