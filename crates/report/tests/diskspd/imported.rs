//! Our own report in DISKSPD's forms, read as if it were DISKSPD's: what it says is what was
//! measured, to the digits that the form has.

use crate::made;
use fathom_core::Op;
use fathom_core::result::{JobResult, OpResult, RunResult};
use fathom_programs::read_results;
use fathom_tools::results::ResultFile;

fn imported(name: &str, text: &str) -> RunResult {
    let mut imports = read_results(&[ResultFile { name, text }]).expect(name);
    assert_eq!((imports.len(), imports[0].notes.len()), (1, 0));
    imports.remove(0).result
}

/// Three decimals of a millisecond, in nanoseconds.
fn rounded(ns: f64) -> u64 {
    (ns / 1e3).round() as u64 * 1000
}

fn op(result: &RunResult, of: fn(&JobResult) -> Option<&OpResult>) -> &OpResult {
    of(&result.phases[0].jobs[0]).expect("there are some")
}

/// What both have to agree in.
fn figures(op: &OpResult) -> (u64, u64, u64, u64, [u64; 7]) {
    let latency = &op.service_ns;
    let percentile = |name: &str| latency.percentile(name).expect("the sample supports it");
    let percentiles = ["25", "50", "75", "90", "95", "99", "99.9"].map(percentile);
    (
        op.ios,
        op.bytes,
        op.iops.round() as u64,
        rounded(latency.mean),
        percentiles.map(|value| rounded(value as f64)),
    )
}

/// The fixture keeps its percentiles to its own names; DISKSPD's are taken from the histogram.
fn of_histogram(op: &OpResult) -> OpResult {
    let stored = op.service_histogram.as_ref().expect("it is kept");
    let mut service_ns = stored.decode().expect("our own").summary();
    service_ns.mean = op.service_ns.mean;
    OpResult {
        service_ns,
        ..op.clone()
    }
}

#[test]
fn both_forms_give_the_same_numbers_again() {
    let made = made::full();
    let sides: [fn(&JobResult) -> Option<&OpResult>; 2] =
        [|job| job.ops.get(Op::Read), |job| job.ops.get(Op::Write)];
    for (name, text) in [("a.txt", made.text()), ("a.xml", made.xml())] {
        let found = imported(name, &text);
        for side in sides {
            let expected = figures(&of_histogram(op(&made.result, side)));
            assert_eq!(figures(op(&found, side)), expected, "{name}");
        }
        let (phase, source) = (&found.phases[0], &made.result.phases[0]);
        assert_eq!(phase.measured_ns, source.measured_ns);
        assert_eq!(phase.process.processors, source.process.processors);
        let job = &phase.jobs[0];
        assert_eq!((job.threads, job.queue_depth), (2, 64));
        assert_eq!(job.completed, source.jobs[0].completed);
        let started = (
            &*found.provenance.started_at,
            &*found.provenance.host.hostname,
        );
        assert_eq!(started, ("2026-03-01T12:00:00.000Z", "lab7"));
    }
}

#[test]
fn the_series_of_the_xml_is_that_of_the_run() {
    let made = made::full();
    let found = imported("a.xml", &made.xml());
    let ios = |result: &RunResult| -> Vec<(u64, u64)> {
        let intervals = result.phases[0].intervals.iter();
        let reads = intervals.filter_map(|interval| interval.jobs[0].ops.get(Op::Read));
        reads.map(|read| (read.ios, read.bytes)).collect()
    };
    assert_eq!(ios(&found), ios(&made.result));
}

#[test]
fn other_loads_can_be_read_too() {
    for made in [made::plain(), made::pool(), made::two_spans()] {
        for (name, text) in [("a.txt", made.text()), ("a.xml", made.xml())] {
            let found = imported(name, &text);
            let completed = |result: &RunResult| -> Vec<u64> {
                let phases = result.phases.iter();
                phases
                    .map(|phase| phase.jobs.iter().map(|job| job.completed).sum())
                    .collect()
            };
            assert_eq!(completed(&found), completed(&made.result), "{name}");
        }
    }
}
