//! The formats of other programs, whole, of made-up results.

use fathom_core::fixture::{self, JobPlan, Stream, series};
use fathom_core::result::{OpResult, ProcessorUse, RunResult};
use fathom_core::spec::{Fill, SyncEvery};
use fathom_core::units::{Bytes, Nanos};
use fathom_core::{Caveat, Level, Op};
use fathom_iotest::{SasAnswer, sas_answer, sas_verdict};
use fathom_report::{TextOptions, find, write};
use fathom_verdict::Code;

fn rendered(result: &RunResult, format: &str) -> String {
    let mut bytes = Vec::new();
    let format = find(format).expect("it is a format");
    write(result, format, TextOptions::default(), &mut bytes).expect("memory takes everything");
    String::from_utf8(bytes).expect("text is UTF-8")
}

/// Four streams of 10 GB that take 50, 50, 50 and 100 s: 175 MB/s each in the mean of their
/// rates, so 700 MB/s, but 400 MB/s in truth.
fn four_streams(flush: bool) -> RunResult {
    let jobs = |op: Op| -> Vec<JobPlan> {
        let seconds = [50, 50, 50, 100];
        let job = |(number, seconds): (usize, &usize)| {
            let per_second = 10_000_000_000 / 100_000 / *seconds as u64;
            let stream = Stream::sequential(op, 100_000, vec![per_second; *seconds]);
            JobPlan::closed(&format!("stream-{}", number + 1), 1, vec![stream])
        };
        seconds.iter().enumerate().map(job).collect()
    };
    let phases = [("write", jobs(Op::Write)), ("read", jobs(Op::Read))];
    let mut result = fixture::run("iotest", &phases);
    result.provenance.command_line = "fathom iotest -i 4 -t /data/ -b 100000 -s 98"
        .split(' ')
        .map(str::to_owned)
        .collect();
    let target = &mut result.provenance.targets[0];
    "/data/iotest-dd-write.1".clone_into(&mut target.path);
    target.size_bytes = 10_000_000_000;
    for phase in &mut result.phases {
        for (job, seconds) in phase.jobs.iter_mut().zip([50, 50, 50, 100]) {
            job.active_ns = seconds * 1_000_000_000;
            if flush && job.ops[Op::Write].is_some() {
                job.ops[Op::Flush] = Some(OpResult::default());
            }
        }
        phase.measured_ns = 100_000_000_000;
    }
    // A part of the reads came from memory, a part of the writes stayed there.
    result.phases[0].devices[0].write_bytes = 38_000_000_000;
    result.phases[1].devices[0].read_bytes = 30_000_000_000;
    result.caveats = vec![Code::CacheReads.caveat(Level::Qualified, "25 % came from memory")];
    result
}

#[test]
fn streams_as_iotest_prints_them() {
    insta::assert_snapshot!(rendered(&four_streams(false), "iotest"));
}

#[test]
fn streams_as_rhel_iotest_prints_them() {
    insta::assert_snapshot!(rendered(&four_streams(true), "rhel-iotest"));
}

#[test]
fn a_test_that_was_interrupted_has_no_reads() {
    let mut result = four_streams(false);
    result.phases.pop();
    insta::assert_snapshot!(rendered(&result, "iotest"));
}

#[test]
fn the_verdict_of_sas() {
    let slow = four_streams(true);
    let mut enough = slow.clone();
    for phase in &mut enough.phases {
        phase.measured_ns = 90_000_000_000;
        phase.devices[0].read_bytes = 40_000_000_000;
    }
    let mut heavy = enough.clone();
    heavy.phases[0].measured_ns = 60_000_000_000;
    heavy.phases[1].measured_ns = 66_000_000_000;
    let mut bad = enough.clone();
    bad.phases[1].measured_ns = 200_000_000_000;
    let (text, worst) = sas_verdict(&[("SASDATA", &enough), ("WORK", &heavy), ("UTILLOC", &bad)]);
    insta::assert_snapshot!(text);
    assert_eq!(worst, SasAnswer::Missed);
    assert_eq!(sas_answer(&heavy), SasAnswer::Kept);
    let mut invalid = heavy.clone();
    let caveat = Caveat::new(Code::MemoryTarget, Level::Invalid, "it lies in memory");
    invalid.caveats.push(caveat);
    assert_eq!(sas_answer(&invalid), SasAnswer::Invalid);
    let mut half = heavy;
    half.phases.pop();
    assert_eq!(sas_answer(&half), SasAnswer::Untold);
    let (memory, _) = sas_verdict(&[("WORK", &slow)]);
    insta::assert_snapshot!("the_verdict_of_reads_from_memory", memory);
}

fn one_job(op: Op, block_bytes: u64, per_second: u64) -> RunResult {
    let stream = Stream::sequential(op, block_bytes, vec![per_second; 8]);
    let job = JobPlan::closed("dd", 1, vec![stream]);
    let mut result = fixture::run("dd", &[("write", vec![job])]);
    let spec = &mut result.provenance.workload.phases[0].jobs[0];
    spec.data.fill = Fill::Zero;
    spec.durability.direct = false;
    result
}

#[test]
fn dd_with_a_flush() {
    let mut result = one_job(Op::Write, 10 << 20, 128);
    let spec = &mut result.provenance.workload.phases[0].jobs[0];
    spec.durability.sync = Some(SyncEvery {
        writes: 1024,
        data_only: true,
    });
    let mut flush = OpResult {
        ios: 1,
        ..OpResult::default()
    };
    flush.service_ns.count = 1;
    flush.service_ns.mean = 1.5e9;
    result.phases[0].jobs[0].ops[Op::Flush] = Some(flush);
    insta::assert_snapshot!(rendered(&result, "dd"));
}

#[test]
fn dd_without_one_and_reading() {
    let mut result = one_job(Op::Write, 1 << 20, 1000);
    result.phases[0].devices[0].write_bytes = 1 << 30;
    insta::assert_snapshot!("dd_without_a_flush", rendered(&result, "dd"));
    insta::assert_snapshot!(
        "dd_reading",
        rendered(&one_job(Op::Read, 1 << 20, 1000), "dd")
    );
    result.phases.clear();
    insta::assert_snapshot!("dd_of_nothing", rendered(&result, "dd"));
}

#[test]
fn the_table_of_iometer() {
    let job = |name: &str| {
        let read = Stream::random(Op::Read, 8192, series(7000, 10));
        let write = Stream::random(Op::Write, 8192, series(3000, 10));
        let mut plan = JobPlan::closed(name, 8, vec![read, write]);
        plan.service_ns = Some(800_000);
        plan
    };
    let phases = [
        ("OLTP, 8K", vec![job("Worker 1"), job("Worker 2")]),
        ("OLTP, 8K (2)", vec![job("Worker 1")]),
    ];
    let mut result = fixture::run("oltp", &phases);
    "OLTP, two workers".clone_into(&mut result.provenance.workload.description);
    let spec = &mut result.provenance.workload.phases[0].jobs[1];
    spec.offset = Bytes(32_768);
    result.phases[0].process.processors = vec![
        ProcessorUse {
            user_percent: 12.5,
            kernel_percent: 7.25,
            idle_percent: 80.25,
            ..ProcessorUse::default()
        },
        ProcessorUse {
            number: 1,
            idle_percent: 100.0,
            ..ProcessorUse::default()
        },
    ];
    spec.window = Some(Bytes::MIB);
    result.provenance.workload.phases[1].warm_up = Nanos::ZERO;
    let text = rendered(&result, "iometer-csv");
    insta::assert_snapshot!(text);
    // Every row of results has a cell for each column, but processors have no bins.
    let mut lines = text
        .lines()
        .skip_while(|line| !line.starts_with("'Target Type"));
    let columns = lines.next().expect("a heading").split(',').count();
    let rows = lines.take_while(|line| !line.starts_with('\''));
    let widths: Vec<(&str, usize)> = rows
        .map(|row| {
            let kind = row.split(',').next().expect("a cell");
            (kind, row.split(',').count())
        })
        .collect();
    let expected = [
        ("ALL", columns),
        ("MANAGER", columns),
        ("PROCESSOR", columns - 21),
        ("PROCESSOR", columns - 21),
        ("WORKER", columns),
        ("DISK", columns),
        ("WORKER", columns),
        ("DISK", columns),
    ];
    assert_eq!(widths, expected);
}
