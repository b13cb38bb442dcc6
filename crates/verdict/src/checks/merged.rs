//! Requests that the kernel joined into larger ones.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use crate::traffic::Traffic;
use fathom_core::figure::{count, percent};
use fathom_core::result::{Evidence, RunResult};
use fathom_core::{Caveat, Level};

thresholds! {
    /// Share of our requests that may be merged away
    MERGED: f64 = 0.05, Share, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether the device received as many requests as fathom made",
    needs: Needs::OurRun(&[Evidence::DeviceCounters]),
    codes: &[entry! { Merged: Account, Number, "qualified",
        "direct I/O, and more than {MERGED} of the requests were merged",
        [row::MERGED],
        Example::Run(samples::reads, |r| {
            let merged = samples::counters(r).reads / 100 * 31;
            samples::counters(r).reads_merged = merged;
            samples::counters(r).reads -= merged;
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        let traffic = Traffic::of(result, phase);
        let Some(traffic) = traffic.filter(|traffic| traffic.direct && traffic.counts_once())
        else {
            continue;
        };
        for (direction, word) in [(&traffic.read, "reads"), (&traffic.write, "writes")] {
            let share = direction.device.merged as f64 / direction.tool.ios.max(1) as f64;
            // Where the device saw as many as were made, others were merged: those of a journal.
            let is_whole = word == "writes"
                && traffic.synced
                && traffic.writes_with_bytes().device.ios >= direction.tool.ios;
            // More than were made: what was merged are pieces of requests that were split.
            let is_split = direction.device.ios > direction.tool.ios;
            if is_whole || is_split || !traffic.is_comparable(direction) || share <= MERGED {
                continue;
            }
            // What is not missing in spite of the merges came by splits; of a few it does not show.
            let seen = direction.device.ios + direction.device.merged;
            let pieces = seen.saturating_sub(direction.tool.ios);
            let split = if pieces > direction.device.merged / 10 {
                ", and others split"
            } else {
                ""
            };
            let message = format!(
                "{} of the {word} were merged into others{split}: {} received {} requests, not {}",
                percent(share * 100.0),
                traffic.devices(),
                count(direction.device.ios),
                count(direction.tool.ios)
            );
            caveats.push(
                Code::Merged
                    .caveat(Level::Qualified, message)
                    .remedy("write 2 to the device's queue/nomerges to measure single requests")
                    .about(subject::phase(result, phase)),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    #[test]
    fn a_third_less_than_was_asked() {
        let mut result = fixture::random_read();
        let device = &mut result.phases[0].devices[0];
        device.reads_merged = device.reads / 4;
        device.reads -= device.reads_merged;
        let expected = Code::Merged
            .caveat(
                Level::Qualified,
                "25.0 % of the reads were merged into others: vda received 3,038,085 requests, not \
                 4,050,780",
            )
            .remedy("write 2 to the device's queue/nomerges to measure single requests")
            .about("measure");
        assert_eq!(found(&CHECK, &result), [expected]);
        result.phases[0].devices[0].reads_merged = 4_050_780 / 20;
        assert_eq!(found(&CHECK, &result), []);
    }

    #[test]
    fn the_counts_of_merged_and_split_requests_agree_with_the_share() {
        let mut result = fixture::random_read();
        let device = &mut result.phases[0].devices[0];
        device.reads_merged = device.reads / 10;
        device.reads -= device.reads / 100;
        let messages = found(&CHECK, &result);
        let messages: Vec<&str> = messages.iter().map(|one| one.message.as_str()).collect();
        let expected = "10.0 % of the reads were merged into others, and others split: vda \
                        received 4,010,273 requests, not 4,050,780";
        assert_eq!(messages, [expected]);
    }

    /// Requests of 10 MiB come to the device in pieces, some of which it puts together again.
    #[test]
    fn pieces_put_together_again_are_no_merged_requests() {
        let mut result = fixture::random_read();
        let device = &mut result.phases[0].devices[0];
        device.reads_merged = device.reads / 2;
        device.reads *= 15;
        assert_eq!(found(&CHECK, &result), []);
    }
}
