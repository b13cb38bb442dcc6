//! Threads that left their processor more often than their requests made them.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use fathom_core::figure::decimal;
use fathom_core::result::{Evidence, JobResult, LoadModel, RunResult};
use fathom_core::{Caveat, Level};

thresholds! {
    /// Times that a thread may leave its processor for a request: once to wait, and once where a
    /// worker of the kernel that serves the device takes its turn first
    SWITCHES: f64 = 2.5, Times, Decided;
    /// Times that it may where it waits for the arrival as well, and wakes for both
    SWITCHES_PACED: f64 = 3.5, Times, Decided;
    /// Requests that a count of switches needs: a thread also wakes at the ends of intervals
    SWITCHES_REQUESTS: u64 = 1_000, Count, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether threads were switched more often than their requests require",
    needs: Needs::OurRun(&[Evidence::Threads]),
    codes: &[entry! { ContextSwitches: Generator, Machine, "note",
        "a thread lost its CPU more than {SWITCHES} per request ({SWITCHES_PACED} in an open \
         load), over {SWITCHES_REQUESTS:count} requests or more",
        [row::SWITCHES, row::SWITCHES_PACED, row::SWITCHES_REQUESTS],
        Example::Run(samples::reads, |r| {
            let issued = samples::phase(r).jobs[0].workers[0].issued;
            samples::usage(r).switches = issued * 3;
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for (phase, job, _) in subject::jobs(result) {
        let found = judge(job);
        caveats.extend(found.map(|one| one.about(subject::job(result, phase, job))));
    }
}

fn judge(job: &JobResult) -> Option<Caveat> {
    let usages = job.workers.iter().map(|worker| {
        let usage = worker.usage.as_ref()?;
        Some((usage.switches, worker.issued))
    });
    let sums = usages.collect::<Option<Vec<(u64, u64)>>>()?;
    let switches: u64 = sums.iter().map(|(switches, _)| switches).sum();
    let issued: u64 = sums.iter().map(|(_, issued)| issued).sum();
    if issued < SWITCHES_REQUESTS {
        return None;
    }
    let each = switches as f64 / issued as f64;
    let most = match job.load_model {
        LoadModel::Closed => SWITCHES,
        LoadModel::Open | LoadModel::Bursts => SWITCHES_PACED,
    };
    if each <= most {
        return None;
    }
    let message = format!(
        "a thread left its CPU {} times per request. Waiting for the request needs one switch",
        decimal(each, 1)
    );
    let caveat = Code::ContextSwitches.caveat(Level::Note, message);
    Some(caveat.remedy("stop other programs that use the CPUs, or pin the threads (--affinity)"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;
    use fathom_core::result::ThreadUse;

    fn with(switches: u64, issued: u64, load_model: LoadModel) -> RunResult {
        let mut result = fixture::random_read();
        let job = &mut result.phases[0].jobs[0];
        job.load_model = load_model;
        job.workers[0].issued = issued;
        job.workers[0].usage = Some(ThreadUse {
            switches,
            ..ThreadUse::default()
        });
        result
    }

    #[test]
    fn more_than_the_requests_need_is_told() {
        let told = |switches, issued, model| found(&CHECK, &with(switches, issued, model));
        assert_eq!(found(&CHECK, &fixture::random_read()), []);
        assert_eq!(told(2_500, 1_000, LoadModel::Closed), []);
        assert_eq!(told(9_999, 999, LoadModel::Closed), []);
        assert_eq!(told(3_500, 1_000, LoadModel::Open), []);
        let expected = |each: &str| {
            let message = format!(
                "a thread left its CPU {each} times per request. Waiting for the request needs one \
                 switch"
            );
            Code::ContextSwitches
                .caveat(Level::Note, message)
                .remedy("stop other programs that use the CPUs, or pin the threads (--affinity)")
                .about("measure/read")
        };
        assert_eq!(told(2_600, 1_000, LoadModel::Closed), [expected("2.6")]);
        assert_eq!(told(3_600, 1_000, LoadModel::Open), [expected("3.6")]);
    }
}
