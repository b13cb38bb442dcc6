//! A time in which no request completed.

use crate::check::{Check, Code, Example, Needs, entry};
use crate::pace::{Pace, row};
use crate::samples;
use crate::subject;
use fathom_core::figure::{iops, percent};
use fathom_core::result::{Pace as Slices, RunResult};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether requests completed continuously",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { Standstill: Steadiness, Number, "suspect",
        "a closed load without a steady-state rule: no request completed in {STANDSTILL} of the \
         measured time or more. A gap counts if {STANDSTILL_MISSED} completions are missing in it \
         at the rate of the slow slices, and if it is {STANDSTILL_TIMES} the median service time \
         of the slowest operation. Slices in which the load generator had no CPU for {HELD_UP} or \
         more do not count",
        [row::HELD_UP, row::STANDSTILL, row::STANDSTILL_MISSED, row::STANDSTILL_TIMES],
        Example::Run(samples::reads, |r| {
            let ios = (0..120).map(|slice| if (40..70).contains(&slice) { 0 } else { 500 });
            samples::phase(r).pace = Some(Slices {
                start_ns: 0,
                slice_ns: 50_000_000,
                ios: ios.collect(),
            });
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        let Some(found) = Pace::of(phase).and_then(|pace| pace.standstill()) else {
            continue;
        };
        let (from, to) = found.longest_s;
        let when = if found.count == 1 {
            format!("from {from:.2} to {to:.2} s")
        } else {
            format!(
                "in {} periods, the longest from {from:.2} to {to:.2} s",
                found.count
            )
        };
        let message = format!(
            "no request completed for {:.2} s, {} of the measured time, {when}. The storage served \
             {} IOPS in the remaining time, and {} IOPS on average",
            found.total_s,
            percent(found.share * 100.0),
            iops(found.outside),
            iops(found.mean),
        );
        caveats.push(
            Code::Standstill
                .caveat(Level::Suspect, message)
                .remedy(
                    "find the cause at that time (kernel log, other users of the device, a limit), \
                     and measure again",
                )
                .about(subject::phase(result, phase)),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;

    fn messages(ios: Vec<u64>) -> Vec<String> {
        let mut result = samples::reads();
        samples::phase(&mut result).pace = Some(Slices {
            start_ns: 0,
            slice_ns: 50_000_000,
            ios,
        });
        let found = found(&CHECK, &result).into_iter();
        found.map(|one| one.message).collect()
    }

    #[test]
    fn a_standstill_is_reported_and_gaps_of_a_slow_device_are_not() {
        let stands = |from: usize, to: usize, busy: u64| {
            let ios = (0..120).map(|slice| if (from..to).contains(&slice) { 0 } else { busy });
            messages(ios.collect())
        };
        assert_eq!(
            stands(40, 70, 10),
            [
                "no request completed for 1.50 s, 25.0 % of the measured time, from 2.00 to 3.50 \
                 s. The storage served 200.0 IOPS in the remaining time, and 150.0 IOPS on average"
            ]
        );
        // 4 % of the time; 12 requests that are missing.
        assert_eq!(stands(40, 45, 10), [""; 0]);
        assert_eq!(stands(40, 52, 1), [""; 0]);
        // One request in five slices is the pace of the device.
        let slow = (0..120).map(|slice| u64::from(slice % 5 == 0)).collect();
        assert_eq!(messages(slow), [""; 0]);
    }
}
