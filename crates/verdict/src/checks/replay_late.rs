//! A timed replay that did not keep the recorded pace.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use fathom_core::figure::{percent, time};
use fathom_core::result::{JobResult, LoadModel, ReplayLag, Replayed, RunResult};
use fathom_core::summary::LatencySummary;
use fathom_core::{Caveat, Level};

thresholds! {
    /// Share of the recorded requests that may be late
    REPLAY_LATE: f64 = 0.01, Share, Decided;
    /// Late requests from which their share is stated
    REPLAY_LEAST_LATE: u64 = 10, Count, Decided;
    listed:
    /// Lag from which a recorded request is late
    fathom_core::result::REPLAY_LATE_NS as REPLAY_LATE_NS, Nanoseconds, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether a timed replay kept the recorded pace",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { ReplayLate: Load, Number, "suspect",
        "a timed replay issued more than {REPLAY_LATE} of the recorded requests, and \
         {REPLAY_LEAST_LATE} or more, later than {REPLAY_LATE_NS}",
        [row::REPLAY_LATE, row::REPLAY_LEAST_LATE, row::REPLAY_LATE_NS],
        Example::Run(samples::reads, |r| {
            let job = &mut samples::phase(r).jobs[0];
            job.load_model = LoadModel::Open;
            let lag = ReplayLag {
                time_ns: LatencySummary {
                    count: 200_000,
                    max: 65_000_000,
                    percentiles: [("99".to_owned(), 41_000_000)].into(),
                    ..LatencySummary::default()
                },
                late: 24_600,
                late_queued: 24_000,
            };
            job.replay = Some(Box::new(Replayed {
                lag: Some(lag),
                ..Replayed::default()
            }));
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for (phase, job, _) in subject::jobs(result) {
        let found = job.replay_lag().and_then(|lag| judge(job, lag));
        let about = subject::job(result, phase, job);
        caveats.extend(found.map(|caveat| caveat.about(about)));
    }
}

fn judge(job: &JobResult, lag: &ReplayLag) -> Option<Caveat> {
    if lag.late < REPLAY_LEAST_LATE || lag.late_share() <= REPLAY_LATE {
        return None;
    }
    let p99 = lag.time_ns.percentile("99");
    let p99 = p99.map(|ns| format!("p99 {}, ", time(ns as f64)));
    let depth = job.queue_depth.min(job.queue_depth_possible);
    let (reason, remedy) = if lag.is_by_storage() {
        (
            format!("Most of them waited for the storage, with all {depth} requests outstanding"),
            "read the response times, which include the lag, or replay more slowly. If the \
             recorded storage had more requests outstanding, raise the queue depth",
        )
    } else {
        (
            "Most of them were delayed by fathom itself, with requests left to issue".to_owned(),
            "give fathom a CPU of its own (--affinity), or replay more slowly",
        )
    };
    let message = format!(
        "the replay issued {} of the recorded requests more than {} late ({}at most {}). {reason}",
        percent(lag.late_share() * 100.0),
        time(fathom_core::result::REPLAY_LATE_NS as f64),
        p99.unwrap_or_default(),
        time(lag.time_ns.max as f64)
    );
    Some(
        Code::ReplayLate
            .caveat(Level::Suspect, message)
            .remedy(remedy),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    /// What is found of a replay of a number of requests.
    fn late(count: u64, late: u64, late_queued: u64) -> Vec<Caveat> {
        let mut result = fixture::random_read();
        let lag = ReplayLag {
            time_ns: LatencySummary {
                count,
                max: 65_000_000,
                percentiles: [("99".to_owned(), 1_500_000)].into(),
                ..LatencySummary::default()
            },
            late,
            late_queued,
        };
        result.phases[0].jobs[0].replay = Some(Box::new(Replayed {
            lag: Some(lag),
            ..Replayed::default()
        }));
        found(&CHECK, &result)
    }

    fn said(message: &str, remedy: &str) -> Vec<Caveat> {
        let caveat = Code::ReplayLate.caveat(Level::Suspect, message);
        vec![caveat.remedy(remedy).about("measure/read")]
    }

    #[test]
    fn the_reason_is_the_storage_or_the_load_generator() {
        assert_eq!(late(10_000, 100, 100), []);
        let by_storage = "the replay issued 1.0 % of the recorded requests more than 1.00 ms late \
                          (p99 1.50 ms, at most 65.0 ms). Most of them waited for the storage, \
                          with all 32 requests outstanding";
        let remedy = "read the response times, which include the lag, or replay more slowly. If \
                      the recorded storage had more requests outstanding, raise the queue depth";
        assert_eq!(late(10_000, 101, 51), said(by_storage, remedy));
        let by_generator = "the replay issued 1.0 % of the recorded requests more than 1.00 ms \
                            late (p99 1.50 ms, at most 65.0 ms). Most of them were delayed by \
                            fathom itself, with requests left to issue";
        let remedy = "give fathom a CPU of its own (--affinity), or replay more slowly";
        assert_eq!(late(10_000, 101, 50), said(by_generator, remedy));
    }

    #[test]
    fn a_few_late_requests_of_a_short_replay_are_no_share() {
        assert_eq!(late(12, 9, 9), []);
    }
}
