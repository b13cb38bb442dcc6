//! A synchronous engine holds one request a thread, whatever the specification asks for; and what
//! goes through the page cache may be done one after the other however many were handed over.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use crate::traffic::Traffic;
use fathom_core::figure::{count, outstanding, plural};
use fathom_core::result::{JobResult, LoadModel, PhaseResult, RunResult};
use fathom_core::spec::Job;
use fathom_core::{Caveat, Level, Op};

thresholds! {
    /// Part of the outstanding requests that the device must have had, by its own counters, where
    /// they go through the page cache
    DEPTH_CONFIRMED: f64 = 0.5, Share, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether the engine and the device can reach the requested queue depth",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { QueueDepthLimited: Generator, Number, "qualified",
        "the engine holds fewer requests than requested; or reads use the page cache and the \
         device queue had less than {DEPTH_CONFIRMED:part} of the outstanding requests (libaio \
         without counters: always)",
        [row::DEPTH_CONFIRMED],
        Example::Run(samples::reads, |r| {
            r.provenance.engine.name = "psync".into();
            samples::phase(r).jobs[0].queue_depth_possible = 1;
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for (phase, job, spec) in subject::jobs(result) {
        let about = subject::job(result, phase, job);
        let found = if job.queue_depth_possible < job.queue_depth {
            Some((by_engine(result, job), REMEDY))
        } else {
            by_device(result, phase, job, spec).map(|message| (message, REMEDY_BUFFERED))
        };
        caveats.extend(found.map(|(message, remedy)| {
            Code::QueueDepthLimited
                .caveat(Level::Qualified, message)
                .remedy(remedy)
                .about(about)
        }));
    }
}

const REMEDY: &str = "use --engine io_uring or libaio, or one thread per outstanding request";
const REMEDY_BUFFERED: &str = "use --direct, --engine io_uring, or one thread per outstanding \
                               request";

fn by_engine(result: &RunResult, job: &JobResult) -> String {
    format!(
        "the engine {} supports at most {}, not the requested {}",
        subject::engine_of(result, job),
        plural(job.queue_depth_possible, "outstanding request"),
        count(job.queue_depth)
    )
}

/// Reads through the page cache: how many the device had at a time, by its own counters, and where
/// there are none by how the engine makes them. What is written there is another time's load, and
/// the counters do not distinguish other jobs.
fn by_device(
    result: &RunResult,
    phase: &PhaseResult,
    job: &JobResult,
    spec: Option<&Job>,
) -> Option<String> {
    let is_asynchronous = job.queue_depth_possible > u64::from(job.threads);
    let is_buffered = spec.is_some_and(|spec| !spec.durability.direct);
    let reads_only = job.ops.present().all(|(op, _)| op == Op::Read);
    let is_known = job.load_model == LoadModel::Closed && phase.jobs.len() == 1;
    if !(is_asynchronous && is_buffered && reads_only && is_known) {
        return None;
    }
    let held = outstanding(job.queue_depth_held);
    let traffic = Traffic::of(result, phase);
    let counted =
        traffic.filter(|traffic| traffic.counts_once() && traffic.is_comparable(&traffic.read));
    let Some(traffic) = counted else {
        let one_by_one = subject::is_by(result, job, |engine| engine.buffers_synchronously);
        return one_by_one.then(|| {
            format!(
                "libaio executes page-cache requests during submission: one at a time for each of \
                 {}, not {held}",
                plural(u64::from(job.threads), "thread")
            )
        });
    };
    let mut used = phase.devices.iter();
    let device = used.find(|one| traffic.leaves.contains(&one.device))?;
    let depth = device.queue_ns as f64 / phase.measured_ns.max(1) as f64;
    (depth < job.queue_depth_held * DEPTH_CONFIRMED).then(|| {
        format!(
            "{held} outstanding requests were counted on average, but {} had {}. Through the page \
             cache they run one after another",
            device.device,
            outstanding(depth)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    #[test]
    fn one_request_where_many_were_asked_for() {
        let mut result = fixture::random_read();
        result.provenance.engine.name = "psync".to_owned();
        result.phases[0].jobs[0].queue_depth_possible = 1;
        let expected = Code::QueueDepthLimited
            .caveat(
                Level::Qualified,
                "the engine psync supports at most 1 outstanding request, not the requested 32",
            )
            .remedy("use --engine io_uring or libaio, or one thread per outstanding request")
            .about("measure/read");
        assert_eq!(found(&CHECK, &result), [expected]);
        result.phases[0].jobs[0].queue_depth_possible = 32;
        assert_eq!(found(&CHECK, &result), []);
    }

    /// Buffered libaio: 31.9 of 32 slots were full, and the device had 1.78 requests.
    #[test]
    fn what_the_device_does_not_confirm_is_no_depth() {
        let with = |direct: bool, engine: &str, depth: Option<f64>| {
            let mut result = fixture::random_read();
            result.provenance.engine.name = engine.to_owned();
            let spec = &mut result.provenance.workload.phases[0].jobs[0];
            spec.durability.direct = direct;
            let phase = &mut result.phases[0];
            match depth {
                Some(depth) => {
                    phase.devices[0].queue_ns = (depth * phase.measured_ns as f64) as u64;
                }
                None => phase.devices.clear(),
            }
            let found = found(&CHECK, &result).into_iter();
            found.map(|one| one.message).collect::<Vec<_>>()
        };
        let shallow = "31.9 outstanding requests were counted on average, but vda had 1.78. \
                       Through the page cache they run one after another";
        assert_eq!(with(false, "libaio", Some(1.78)), [shallow]);
        assert_eq!(with(false, "io_uring", Some(1.78)), [shallow]);
        assert_eq!(with(false, "io_uring", Some(16.0)), Vec::<String>::new());
        assert_eq!(with(true, "libaio", Some(1.78)), Vec::<String>::new());
        let blind = "libaio executes page-cache requests during submission: one at a time for each \
                     of 1 thread, not 31.9";
        assert_eq!(with(false, "libaio", None), [blind]);
        assert_eq!(with(false, "io_uring", None), Vec::<String>::new());
    }
}
