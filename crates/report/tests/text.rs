//! The text form of made-up results, whole.

use fathom_core::fixture::{self, JobPlan, Stream, series};
use fathom_core::result::RunResult;
use fathom_core::spec::{Arrivals, Pacing};
use fathom_core::{Op, Rate};
use fathom_report::{TextOptions, find, write};

fn text(result: &RunResult) -> String {
    let mut bytes = Vec::new();
    let format = find("text").expect("text is a format");
    write(result, format, TextOptions::default(), &mut bytes).expect("memory takes everything");
    String::from_utf8(bytes).expect("text is UTF-8")
}

#[test]
fn closed_loop() {
    insta::assert_snapshot!(text(&fixture::random_read()));
}

fn quick() -> RunResult {
    let phases = [
        ("read-1m", Op::Read, 1 << 20, 8, 1_830, false),
        ("write-1m", Op::Write, 1 << 20, 8, 1_210, false),
        ("read-4k-deep", Op::Read, 4096, 32, 67_512, true),
        ("write-4k-deep", Op::Write, 4096, 32, 41_080, true),
        ("read-4k-single", Op::Read, 4096, 1, 9_640, true),
        ("write-4k-single", Op::Write, 4096, 1, 1_870, true),
    ];
    let phases = phases.map(|(name, op, block, depth, iops, random)| {
        let series = series(iops, 5);
        let stream = if random {
            Stream::random(op, block, series)
        } else {
            Stream::sequential(op, block, series)
        };
        (name, vec![JobPlan::closed(name, depth, vec![stream])])
    });
    fixture::run("quick", &phases)
}

#[test]
fn six_phases() {
    insta::assert_snapshot!(text(&quick()));
}

#[test]
fn open_load() {
    let job = JobPlan {
        pacing: Pacing::Open {
            rate: Rate::Iops(8_000.0),
            arrivals: Arrivals::Poisson,
        },
        service_ns: Some(90_000),
        lag_ns: 260_000,
        ..JobPlan::closed(
            "users",
            256,
            vec![Stream::random(Op::Read, 8192, series(8_000, 30))],
        )
    };
    insta::assert_snapshot!(text(&fixture::run("users", &[("measure", vec![job])])));
}
