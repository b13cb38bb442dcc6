//! The brief format of made-up results, whole, and its size whatever the result.

use fathom_core::CodeWord;
use fathom_core::fixture::{self, JobPlan, Stream, series};
use fathom_core::result::{RunResult, TargetDevice};
use fathom_core::spec::SyncEvery;
use fathom_core::{Caveat, Level, Op};
use fathom_report::{Stored, TextOptions, find, write};

fn render(result: &RunResult, options: TextOptions) -> String {
    let mut bytes = Vec::new();
    let format = find("brief").expect("it is a format");
    write(result, format, options, &mut bytes).expect("memory takes everything");
    String::from_utf8(bytes).expect("text is UTF-8")
}

fn brief(result: &mut RunResult) -> String {
    fathom_verdict::judge(result);
    let options = TextOptions {
        width: 80,
        stored: Stored::Latest,
        ..TextOptions::default()
    };
    render(result, options)
}

/// The phases of `quick`, of a virtual disk that says that it rotates.
fn quick() -> RunResult {
    let phases = [
        ("sequential-read", Op::Read, 1 << 20, 8, 1_830, false),
        ("random-read-deep", Op::Read, 4096, 32, 67_512, true),
        ("random-read-single", Op::Read, 4096, 1, 9_640, true),
        ("sequential-write", Op::Write, 1 << 20, 8, 1_210, false),
        ("random-write-deep", Op::Write, 4096, 32, 41_080, true),
        ("random-write-single", Op::Write, 4096, 1, 1_870, true),
        ("commit", Op::Write, 4096, 1, 1_230, true),
    ];
    let phases = phases.map(|(name, op, block, depth, iops, random)| {
        let of = |op| {
            let series = series(iops, 5);
            if random {
                Stream::random(op, block, series)
            } else {
                Stream::sequential(op, block, series)
            }
        };
        let job = JobPlan::closed(name, depth, vec![of(op)]);
        (name, vec![job])
    });
    let mut result = fixture::run("quick", &phases);
    let commit = &mut result.provenance.workload.phases[6].jobs[0];
    commit.durability.sync = Some(SyncEvery {
        writes: 1,
        data_only: true,
    });
    let flush = result.phases[6].jobs[0].ops[Op::Write].clone();
    result.phases[6].jobs[0].ops[Op::Flush] = flush;
    let target = &mut result.provenance.targets[0];
    target.size_bytes = 4 << 30;
    target.devices = vec![TargetDevice {
        name: "vda".to_owned(),
        kind: "disk".to_owned(),
        model: "virtio".to_owned(),
        size_bytes: 275_000_000_000,
        rotational: true,
        leaf: true,
        ..TargetDevice::default()
    }];
    result
}

#[test]
fn a_quick_run_fits_one_screen() {
    insta::assert_snapshot!(brief(&mut quick()));
}

#[test]
fn what_is_doubted_is_marked() {
    let mut result = quick();
    let long = "a processor was missing for 11.7 % of the time in which it was wanted: ".repeat(4);
    for phase in ["sequential-read", "commit"] {
        let caveat = Caveat::new(CodeWord::foreign("host_busy"), Level::Suspect, long.clone());
        let caveat = caveat
            .about(phase)
            .remedy("measure again on an idle machine");
        result.caveats.push(caveat);
    }
    let cached = Caveat::new(
        CodeWord::foreign("foreign_cache"),
        Level::Qualified,
        "a cache answered 7 % of it",
    );
    result.caveats.push(cached.about("commit/commit"));
    insta::assert_snapshot!(brief(&mut result));
}

#[test]
fn one_phase_has_rows_for_its_operations() {
    let mut result = fixture::random_read();
    insta::assert_snapshot!(brief(&mut result));
}

/// As many phases as there may be, with names as long as they may be, doubted in every way.
fn crowded() -> RunResult {
    let names: Vec<String> = (0..40)
        .map(|index| format!("a-phase-whose-name-says-a-lot-{index}"))
        .collect();
    let phases: Vec<_> = names
        .iter()
        .map(|name| {
            let streams =
                [Op::Read, Op::Write].map(|op| Stream::random(op, 131_072, series(99, 5)));
            (
                name.as_str(),
                vec![JobPlan::closed("a-job-with-a-name", 256, streams.into())],
            )
        })
        .collect();
    let mut result = fixture::run("a-workload-whose-name-is-long-too", &phases);
    for index in 0..12 {
        let message = format!("finding {index} ").repeat(40);
        let caveat = Caveat::new(
            CodeWord::foreign(format!("code_{index}")),
            Level::Suspect,
            message,
        );
        result
            .caveats
            .push(caveat.remedy("do something ".repeat(20)));
    }
    result
}

#[test]
fn it_is_one_screen_whatever_the_result() {
    let golden = include_str!("../../../core/tests/golden/result-v1.json");
    let golden = RunResult::from_json(golden).expect("it can be read");
    for mut result in [golden, quick(), crowded(), fixture::random_read()] {
        let text = brief(&mut result);
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(text.lines().count() <= 23, "{text}");
        assert!(widest.is_some_and(|widest| widest <= 80), "{text}");
    }
}

#[test]
fn where_only_ascii_is_shown_nothing_else_is() {
    let mut result = quick();
    fathom_verdict::judge(&mut result);
    let options = TextOptions {
        ascii: true,
        ..TextOptions::default()
    };
    assert!(render(&result, options).is_ascii());
}

#[test]
fn rows_of_a_phase_differ_at_every_width() {
    let mut result = quick();
    fathom_verdict::judge(&mut result);
    for width in 60..=80 {
        let options = TextOptions {
            width,
            ..TextOptions::default()
        };
        let text = render(&result, options);
        let commits = text.lines().filter(|line| line.starts_with("commit "));
        let ops: Vec<Option<&str>> = commits.map(|line| line.split_whitespace().nth(1)).collect();
        assert_eq!(
            ops,
            [Some("write"), Some("flush")],
            "{width} columns\n{text}"
        );
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(width), "{width} columns\n{text}");
    }
}
