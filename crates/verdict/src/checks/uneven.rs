//! A pace that varied over the run without a few levels that describe it.

use crate::check::{Check, Code, Example, Needs, entry};
use crate::pace::{Pace, Unevenness, row};
use crate::samples;
use crate::subject;
use fathom_core::figure::{iops, percent};
use fathom_core::result::{Pace as Slices, RunResult};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether the load had a constant rate",
    needs: Needs::OurRun(&[]),
    codes: &[
        entry! { Uneven: Steadiness, Number, "qualified; suspect from {UNEVEN_GROSS} on",
            "a closed load without a steady-state rule: the standard deviation shared by \
             neighbouring slices of the measured time is {UNEVEN} of the mean or more, in \
             {SLICES:word} slices or more with {SLICE_IOS} requests each on average, at \
             {SHARED_CERTAIN:word} standard errors of independent slices, or with {FINE_IOS} \
             requests (or in slices of twice the length, and so on) at {FINE_CERTAIN:bare} \
             standard errors; and {LEVELS:word} levels do not explain {LEVELS_EXPLAIN} of the \
             variance (see `trend`). Not raised if the 10th to 90th percentile of the slices are \
             closer together than that and the mean is within {NEAR} of the median: then a few \
             slices differ, and the mean describes the others. Slices in which the load generator \
             had no CPU for {HELD_UP} or more do not count, and the remaining slices must be \
             uneven too",
            [row::UNEVEN, row::UNEVEN_GROSS, row::SHARED_CERTAIN, row::HELD_UP, row::NEAR,
                row::SLICES, row::SLICE_IOS, row::FINE_IOS, row::FINE_CERTAIN, row::LEVELS,
                row::LEVELS_EXPLAIN],
            Example::Run(samples::reads, |r| {
                let ios = (0..120).map(|slice| if slice / 12 % 2 == 0 { 900 } else { 100 });
                samples::phase(r).pace = Some(Slices {
                    start_ns: 0,
                    slice_ns: 50_000_000,
                    ios: ios.collect(),
                });
            })
        },
    ],
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
        let message = message(&found);
        let level = if found.is_gross() {
            Level::Suspect
        } else {
            Level::Qualified
        };
        caveats.push(
            Code::Uneven
                .caveat(level, message)
                .remedy(
                    "report the range instead of the mean, or find the cause of the slow times \
                     (other users, garbage collection, a limit)",
                )
                .about(subject::phase(result, phase)),
        );
    }
}

fn message(found: &Unevenness) -> String {
    let [low, middle, high] = found.spread;
    let slices = format!(
        "slices of {:.0} ms; standard deviation {} of the mean",
        found.slice_s * 1e3,
        percent(found.variation * 100.0)
    );
    if found.is_wide() {
        return format!(
            "the rate varied between {} and {} IOPS (10th and 90th percentile of {slices}). The \
             mean of {} IOPS has little meaning",
            iops(low),
            iops(high),
            iops(found.mean)
        );
    }
    format!(
        "the rate was {} IOPS most of the time (median of {slices}), but a few slices move the \
         mean to {} IOPS. The mean describes neither",
        iops(middle),
        iops(found.mean)
    )
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
                "the rate varied between {low} and {high} IOPS (10th and 90th percentile of slices \
                 of 50 ms; standard deviation {deviation} of the mean). The mean of {mean} IOPS \
                 has little meaning"
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
        // Bursts of 3 % of the time each: the mean is nearly twice the pace of the other slices.
        let bursts = |high: u64| {
            findings(move |slice| {
                if slice % 40 < 4 {
                    high
                } else {
                    100 + slice * 7919 % 13
                }
            })
        };
        let message = "the rate was 2,140 IOPS most of the time (median of slices of 50 ms; \
                       standard deviation 137.3 % of the mean), but a few slices move the mean to \
                       3,908 IOPS. The mean describes neither";
        assert_eq!(bursts(1_000), [(Level::Suspect, message.to_owned())]);
        // Stalls that change the mean by 3 %.
        let stalls = findings(|slice| {
            if slice % 60 < 2 {
                10
            } else {
                100 + slice * 7913 % 13
            }
        });
        assert_eq!(stalls, []);
        // A slice of 20 requests is as long as a third of a turn.
        let slow = findings(|slice| match slice / 12 % 2 {
            0 => 6,
            _ => u64::from(slice % 4 == 0),
        });
        let message = "the rate varied between 0.00 and 120.0 IOPS (10th and 90th percentile of \
                       slices of 100 ms; standard deviation 92.2 % of the mean). The mean of 62.5 \
                       IOPS has little meaning";
        assert_eq!(slow, [(Level::Suspect, message.to_owned())]);
        // A limiter that lets a burst pass every 100 ms, of 30 or of 3 requests.
        let bursts = findings(|slice| match (slice % 2, slice / 12 % 2) {
            (0, 0) => 30,
            (0, _) => 3,
            _ => 0,
        });
        let message = "the rate varied between 30.0 and 300.0 IOPS (10th and 90th percentile of \
                       slices of 100 ms; standard deviation 81.8 % of the mean). The mean of 165.0 \
                       IOPS has little meaning";
        assert_eq!(bursts, [(Level::Suspect, message.to_owned())]);
        // Half of the mean, but no two neighbours share it.
        assert_eq!(findings(|slice| 100 + slice * 7919 % 13 * 20), []);
    }
}
