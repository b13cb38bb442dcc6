//! A pace that varied over the run without a few levels that describe it.

use crate::check::{Check, Code, Effect, Entry, Example, Group, Needs};
use crate::pace::{self, Pace, row};
use crate::samples;
use crate::subject;
use fathom_core::figure::{iops, percent};
use fathom_core::result::{Pace as Slices, RunResult};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether the load kept its pace",
    needs: Needs::OurRun(&[]),
    codes: &[Entry {
        code: Code::Uneven,
        group: Group::Steadiness,
        effect: Effect::Number,
        point: "5.2",
        level: "qualified; suspect from {UNEVEN_GROSS} on",
        when: "a closed load without a steady-state rule: the standard deviation that neighbouring \
               slices of the measured time share is {UNEVEN} of the mean or more, in \
               {SLICES:word} slices or more with {SLICE_IOS} requests each in the mean, at \
               {SHARED_CERTAIN:word} standard errors of independent slices, and no \
               {LEVELS:word} levels explain {LEVELS_EXPLAIN} of the variance (see `trend` for \
               those that do); not where the slices from the 10th to the 90th percentile lie \
               closer together than that",
        thresholds: &[
            row::UNEVEN,
            row::UNEVEN_GROSS,
            row::SHARED_CERTAIN,
            row::SLICES,
            row::SLICE_IOS,
            row::LEVELS,
            row::LEVELS_EXPLAIN,
        ],
        example: Example::Run(samples::reads, |r| {
            let ios = (0..120).map(|slice| if slice / 12 % 2 == 0 { 900 } else { 100 });
            samples::phase(r).pace = Some(Slices {
                start_ns: 0,
                slice_ns: 50_000_000,
                ios: ios.collect(),
            });
        }),
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        let Some(pace) = Pace::of(phase) else {
            continue;
        };
        let Some(found) = pace.unevenness().filter(|found| found.levels.is_empty()) else {
            continue;
        };
        if pace.standstill().is_some() {
            continue;
        }
        let (low, high) = found.spread;
        // A few slices far from all others are stalls, and no range.
        if high - low < found.variation * found.mean {
            continue;
        }
        let message = format!(
            "the pace varied between {} and {} IOPS (10th and 90th percentile of slices of \
             {:.0} ms; standard deviation {} of the mean): the mean of {} IOPS says little",
            iops(low),
            iops(high),
            found.slice_s * 1e3,
            percent(found.variation * 100.0),
            iops(found.mean)
        );
        let level = if found.is_gross() {
            Level::Suspect
        } else {
            Level::Qualified
        };
        caveats.push(
            Code::Uneven
                .caveat(level, message)
                .remedy(pace::remedy(
                    phase,
                    "report the range instead of the mean, or find out what slows the storage at \
                     times (other users of the device, garbage collection, a limit)",
                ))
                .about(subject::phase(result, phase)),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;

    fn findings(slice: impl Fn(u64) -> u64) -> Vec<(Level, String)> {
        let mut result = samples::reads();
        samples::phase(&mut result).pace = Some(Slices {
            start_ns: 0,
            slice_ns: 50_000_000,
            ios: (0..120).map(slice).collect(),
        });
        let found = found(&CHECK, &result).into_iter();
        found.map(|one| (one.level, one.message)).collect()
    }

    #[test]
    fn a_pace_that_alternates_is_reported_and_scatter_is_not() {
        let alternating = |high: u64| {
            findings(move |slice| {
                let noise = slice * 7919 % 13;
                noise + if slice / 12 % 2 == 0 { high } else { 200 }
            })
        };
        let text = |low: &str, high: &str, deviation: &str, mean: &str| {
            format!(
                "the pace varied between {low} and {high} IOPS (10th and 90th percentile of \
                 slices of 50 ms; standard deviation {deviation} of the mean): the mean of {mean} \
                 IOPS says little"
            )
        };
        assert_eq!(
            alternating(2_000),
            [(Level::Suspect, text("4,040", "40,200", "81.4 %", "22,118"))]
        );
        assert_eq!(
            alternating(300),
            [(Level::Qualified, text("4,040", "6,200", "19.6 %", "5,118"))]
        );
        assert_eq!(alternating(210), []);
        // Half of the mean, but no two neighbours share it.
        assert_eq!(findings(|slice| 100 + slice * 7919 % 13 * 20), []);
    }
}
