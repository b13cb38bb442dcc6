//! Comparisons in all their formats, whole, of made-up runs.

use fathom_core::Op;
use fathom_core::State;
use fathom_core::fixture::{self, JobPlan, Stream};
use fathom_core::result::RunResult;
use fathom_report::{COMPARISON_FORMATS, TextOptions};
use fathom_verdict::compare::{CompareOptions, Comparison, compare};
use fathom_verdict::compare::{Metric, Verdict};

fn rendered(comparison: &Comparison, name: &str) -> String {
    let format = COMPARISON_FORMATS.iter().find(|format| format.name == name);
    let format = format.expect("it is a format");
    format.render(comparison, TextOptions::default())
}

/// A run of one second, made in the minute `minute`.
fn run(ios: u64, minute: usize) -> RunResult {
    let stream = Stream::random(Op::Read, 4096, vec![ios]);
    let job = JobPlan::closed("read", 32, vec![stream]);
    let mut run = fixture::run("random | read", &[("measure", vec![job])]);
    run.run_id = format!("20260301T12{minute:02}00Z-7f3a9c44e0b2");
    run.provenance.started_at = format!("2026-03-01T12:{minute:02}:00.000Z");
    run
}

/// The runs of the known answer of unpaired sets: 5.05 % faster, 3.28 to 6.89 %.
const A: [u64; 5] = [100_200, 99_100, 101_000, 98_700, 100_500];
const B: [u64; 5] = [104_900, 106_200, 103_800, 105_500, 104_100];

/// The sides with the minutes in which their runs were made; of more than five some again.
fn compared(minutes: [&[usize]; 2]) -> Comparison {
    let side = |name: &str, ios: [u64; 5], minutes: &[usize]| {
        let runs = ios.into_iter().cycle().zip(minutes);
        (
            name.to_owned(),
            runs.map(|(ios, at)| run(ios, *at)).collect(),
        )
    };
    let sides = [side("before", A, minutes[0]), side("after", B, minutes[1])];
    let options = CompareOptions {
        metrics: vec![Metric::Iops],
        ..CompareOptions::default()
    };
    compare(&sides, &options)
}

fn sets() -> Comparison {
    compared([&[0, 1, 4, 6, 8], &[2, 3, 5, 7, 9]])
}

/// One that is not made, and one of a doubtful run that is forced.
fn refused(force: bool) -> Comparison {
    let mut doubtful = run(60_000, 1);
    doubtful.state = State::Suspect;
    let caveat = fixture::caveat("throttled", fathom_core::Level::Suspect, "it was", "wait");
    doubtful.caveats.push(caveat);
    "psync".clone_into(&mut doubtful.provenance.engine.name);
    let sides = [
        ("one".to_owned(), vec![run(50_000, 0)]),
        ("two".to_owned(), vec![doubtful]),
    ];
    let options = CompareOptions {
        force,
        ..CompareOptions::default()
    };
    compare(&sides, &options)
}

#[test]
fn two_sets_for_people() {
    insta::assert_snapshot!(rendered(&sets(), "text"));
}

#[test]
fn two_sets_for_programs() {
    insta::assert_snapshot!(rendered(&sets(), "json"));
}

#[test]
fn two_sets_for_a_ticket() {
    insta::assert_snapshot!(rendered(&sets(), "markdown"));
}

#[test]
fn two_sets_as_a_table() {
    insta::assert_snapshot!(rendered(&sets(), "csv"));
}

#[test]
fn what_is_refused_is_said_in_every_formatat() {
    for format in COMPARISON_FORMATS {
        let name = format!("refused_{}", format.name);
        insta::assert_snapshot!(name, rendered(&refused(false), format.name));
        let name = format!("forced_{}", format.name);
        insta::assert_snapshot!(name, rendered(&refused(true), format.name));
    }
}

#[test]
fn as_many_more_runs_are_asked_for_as_can_show_anything() {
    // A tenth less, and no other difference.
    let found = |minutes: [&[usize]; 2]| {
        let side = |ios, minutes: &[usize]| minutes.iter().map(|at| run(ios, *at)).collect();
        let sides = [
            ("before".to_owned(), side(100_000, minutes[0])),
            ("after".to_owned(), side(90_000, minutes[1])),
        ];
        let mut comparison = compare(&sides, &CompareOptions::default());
        let row = comparison.contrasts.remove(0).rows.remove(0);
        (row.verdict, row.more_runs)
    };
    // The least p of five pairs is 1/16 and of six 1/32; of three runs a side 1/10, of four 1/35.
    let pairs = found([&[0, 3, 4, 7], &[1, 2, 5, 6]]);
    assert_eq!(pairs, (Verdict::Inconclusive, Some(2)));
    let sets = found([&[0, 1, 5], &[2, 3, 4]]);
    assert_eq!(sets, (Verdict::Inconclusive, Some(1)));
}

#[test]
fn a_run_on_both_sides_is_told() {
    let side = |name: &str, minutes: [usize; 2]| {
        let runs = minutes.map(|minute| run(100_000, minute));
        (name.to_owned(), runs.to_vec())
    };
    let found = compare(
        &[side("before", [0, 2]), side("after", [2, 3])],
        &CompareOptions::default(),
    );
    let expected = "20260301T120200Z-7f3a9c44e0b2 is on both sides. A run does not differ from \
                    itself";
    assert_eq!(found.contrasts[0].remarks[0], expected);
}

#[test]
fn the_sentence_says_how_many_runs_and_in_which_order() {
    let evidence = |comparison: Comparison| comparison.contrasts[0].rows[0].sentence.clone();
    let found = [
        compared([&[0, 1, 4, 6, 8], &[2, 3, 5, 7, 9]]),
        compared([&[0, 3, 4, 7, 8, 10, 13, 15], &[1, 2, 5, 6, 9, 11, 12, 14]]),
        compared([&[0, 1, 2, 3, 4], &[5, 6, 7, 8]]),
    ];
    let expected = [
        "B is 5.0 % faster than A (96.8 % interval 3.3–6.9 %; 5 runs each; A/A noise 1.3 %).",
        "B is 4.9 % faster than A (96.1 % interval 3.2–7.0 %; 8 runs each, interleaved; A/A noise \
         1.1 %).",
        "B is 5.2 % faster than A (96.8 % interval 3.3–7.2 %; 5 and 4 runs, one side after the \
         other; A/A noise 1.3 %).",
    ];
    assert_eq!(found.map(evidence), expected);
}

/// Four sides: two that can be compared with the first, and one that cannot.
fn four() -> Comparison {
    let named = |name: &str, ios: u64, minute: usize| (name.to_owned(), vec![run(ios, minute)]);
    let mut other = named("other engine", 47_000, 3);
    "psync".clone_into(&mut other.1[0].provenance.engine.name);
    let sides = [
        named("before", 50_000, 0),
        named("after", 55_000, 1),
        named("again", 50_100, 2),
        other,
    ];
    compare(&sides, &CompareOptions::default())
}

#[test]
fn several_sides_are_one_table() {
    for format in ["brief", "text", "markdown"] {
        let name = format!("four_{format}");
        insta::assert_snapshot!(name, rendered(&four(), format));
    }
}

#[test]
fn many_sides_fit_a_screen() {
    let sides = (0..26).map(|index| (format!("run {index}"), vec![run(50_000, index)]));
    let sides: Vec<_> = sides.collect();
    for count in 2..=26 {
        let comparison = compare(&sides[..count], &CompareOptions::default());
        let text = rendered(&comparison, "brief");
        let wide = text.lines().map(|line| line.chars().count()).max();
        let (lines, wide) = (text.lines().count(), wide.unwrap_or(0));
        assert!(
            lines <= 24 && wide <= 80,
            "{count} sides: {lines} lines\n{text}"
        );
    }
}

/// A side that `fathom ab` names by its whole command line.
#[test]
fn the_state_of_a_side_is_never_cut_off() {
    let name = "run random-read-4k --target /mnt/data/folder --size 64MiB --time 1s --interval \
                100ms --queue-depth 32 --threads 4";
    let mut sides = vec![
        (name.to_owned(), vec![run(50_000, 0)]),
        (format!("{name} --direct no"), vec![run(60_000, 1)]),
    ];
    let two = compare(&sides, &CompareOptions::default());
    sides.push((format!("{name} --huge"), vec![run(55_000, 2)]));
    let three = compare(&sides, &CompareOptions::default());
    let text = [two, three].map(|comparison| rendered(&comparison, "brief"));
    insta::assert_snapshot!(text.join("---\n"));
}

/// B/A of pairs does not follow from the columns before it, and a line says so.
#[test]
fn a_ratio_over_pairs_is_explained() {
    let minutes: [&[usize]; 2] = [&[0, 3, 4, 7, 8], &[1, 2, 5, 6, 9]];
    let comparison = compared(minutes);
    let text = ["brief", "markdown"].map(|name| rendered(&comparison, name));
    insta::assert_snapshot!(text.join("---\n"));
}
