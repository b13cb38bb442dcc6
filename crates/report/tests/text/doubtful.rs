//! Errors, foreign caveats, results that nobody has judged.

use crate::{render, text};
use fathom_core::CodeWord;
use fathom_core::fixture::{self, JobPlan, Stream, series};
use fathom_core::result::{ErrorTally, RunResult, SteadyLimit, SteadyMiss, SteadyReport, Verified};
use fathom_core::spec::{Pacing, SyncEvery, Verify};
use fathom_core::{Bytes, Caveat, Level, Nanos, Op, State};
use fathom_report::TextOptions;

/// A search for a steady state that was given up.
fn unsteady() -> SteadyReport {
    SteadyReport {
        reached: false,
        rounds: vec![19_000.0; 25],
        range_percent: 24.5,
        excursion_percent: 3.1,
        missed: vec![SteadyMiss {
            limit: SteadyLimit::Range,
            metric: None,
            found: 24.5,
            allowed: 20.0,
        }],
    }
}

/// A database and its log, and the storage fails under both.
fn failing() -> RunResult {
    let database = vec![
        Stream::random(Op::Read, 8192, series(14_000, 20)),
        Stream::random(Op::Write, 8192, series(6_000, 20)),
    ];
    let log = JobPlan {
        pacing: Pacing::Cyclic {
            every: Nanos::from_secs(5),
            bytes: Bytes(64 << 20),
        },
        ..JobPlan::closed(
            "log",
            4,
            vec![Stream::sequential(Op::Write, 65_536, series(205, 20))],
        )
    };
    let database = JobPlan::closed("database", 16, database);
    let mut result = fixture::run("oltp", &[("measure", vec![database, log])]);
    let spec = &mut result.provenance.workload.phases[0].jobs;
    spec[0].verify = Verify::Check;
    spec[1].durability.sync = Some(SyncEvery {
        writes: 16,
        data_only: true,
    });
    let phase = &mut result.phases[0];
    phase.steady = Some(unsteady());
    let job = &mut phase.jobs[0];
    job.failed = 19;
    job.submitted += 19;
    job.ops[Op::Write].as_mut().expect("it writes").errors = 2;
    job.ops[Op::Read].as_mut().expect("it reads").errors = 17;
    job.verified = Some(Verified {
        blocks: 4_480_000,
        wrong: 16,
        ..Verified::default()
    });
    let tally = |op: &str, errno, message: &str, count, first_offsets: &[u64]| ErrorTally {
        op: op.to_owned(),
        errno,
        message: message.to_owned(),
        count,
        target: "/data/fathom.dat".to_owned(),
        first_offsets: first_offsets.to_vec(),
    };
    job.errors = vec![
        tally(
            "read",
            5,
            "Input/output error",
            17,
            &[8192, 81_920, 819_200],
        ),
        tally("write", 28, "No space left on device", 2, &[16_384]),
        tally("verify", 0, "wrong generation", 16, &[24_576]),
    ];
    let log = &mut phase.jobs[1];
    log.burst_ns = Some(fathom_core::summary::LatencySummary {
        count: 4,
        mean: 212_000_000.0,
        min: 198_000_000,
        max: 251_000_000,
        ..Default::default()
    });
    result
}

#[test]
fn failures_are_in_the_headline_and_in_the_detail() {
    insta::assert_snapshot!(text(failing()));
}

#[test]
fn caveats_from_elsewhere_are_kept() {
    let mut result = fixture::random_read();
    let caveat = |code, level, message: &str, subject| {
        Caveat::new(CodeWord::foreign(code), level, message).about(subject)
    };
    result.caveats = vec![
        caveat(
            "from_a_log",
            Level::Qualified,
            "latencies were read from a log",
            "",
        ),
        caveat(
            "imported_clat",
            Level::Note,
            "clat is taken as service time",
            "measure",
        ),
        caveat(
            "imported_clat",
            Level::Note,
            "clat is taken as service time",
            "second",
        ),
    ];
    insta::assert_snapshot!(text(result));
}

#[test]
fn what_nobody_has_judged_says_so() {
    let mut result = fixture::random_read();
    result.state = State::Invalid;
    let text = render(&result, TextOptions::default());
    let headline = "            measured: random-read; this result has not been checked";
    assert_eq!(text.lines().nth(1), Some(headline));
}
