//! Threads that read or write the same sequence, one behind the other.

use crate::check::{Check, Code, Example, Needs, entry};
use crate::samples;
use crate::subject;
use fathom_core::figure::plural;
use fathom_core::result::RunResult;
use fathom_core::spec::{Cursor, Job};
use fathom_core::{Bytes, Caveat, Level, Op};

pub(crate) const CHECK: Check = Check {
    purpose: "whether sequential threads use the same bytes",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { OverlappingStreams: Load, Number, "qualified",
        "sequential threads start at the same offset",
        [],
        Example::Run(samples::scan, |r| {
            samples::phase(r).jobs[0].threads = 4;
            samples::spec(r).access.cursor = Cursor::Own {
                stride: Some(Bytes(0)),
            };
        })
    }],
    run,
};

const REMEDY: &str = "use a shared position (`cursor = \"shared\"`), a stride between the threads, \
                      or no stride";

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for (phase, job, spec) in subject::jobs(result) {
        if job.threads < 2 || !spec.is_some_and(begins_at_one_place) {
            continue;
        }
        let message = format!(
            "{} read or write the same bytes one after another. Caches serve all but the first",
            plural(u64::from(job.threads), "sequential thread")
        );
        caveats.push(
            Code::OverlappingStreams
                .caveat(Level::Qualified, message)
                .remedy(REMEDY)
                .about(subject::job(result, phase, job)),
        );
    }
}

fn begins_at_one_place(spec: &Job) -> bool {
    let sequential = |op: Op| matches!(op, Op::Read | Op::Write);
    let mut kinds = spec.kinds.iter();
    spec.access.cursor
        == Cursor::Own {
            stride: Some(Bytes(0)),
        }
        && kinds.any(|kind| sequential(kind.op) && kind.random.0 < 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture::{self, JobPlan, Stream, series};

    fn run_of(stream: Stream, stride: Option<Bytes>) -> RunResult {
        let job = JobPlan::closed("scan", 8, vec![stream]);
        let mut result = fixture::run("scan", &[("measure", vec![job])]);
        result.phases[0].jobs[0].threads = 4;
        result.provenance.workload.phases[0].jobs[0].access.cursor = Cursor::Own { stride };
        result
    }

    #[test]
    fn only_sequential_threads_without_a_stride_overlap() {
        let sequential = Stream::sequential(Op::Read, 1 << 20, series(500, 10));
        let random = Stream::random(Op::Read, 4096, series(500, 10));
        assert_eq!(found(&CHECK, &run_of(random, Some(Bytes(0)))), []);
        assert_eq!(found(&CHECK, &run_of(sequential.clone(), None)), []);
        assert_eq!(
            found(&CHECK, &run_of(sequential.clone(), Some(Bytes::GIB))),
            []
        );
        let expected = Code::OverlappingStreams
            .caveat(
                Level::Qualified,
                "4 sequential threads read or write the same bytes one after another. Caches serve \
                 all but the first",
            )
            .remedy(REMEDY)
            .about("measure/scan");
        assert_eq!(
            found(&CHECK, &run_of(sequential, Some(Bytes(0)))),
            [expected]
        );
    }
}
