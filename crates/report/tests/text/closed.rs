//! One phase, one job, a closed loop: the run that most people make.

use crate::text;
use fathom_core::spec::Replay;
use fathom_core::{Percent, fixture};

#[test]
fn one_phase_fits_the_first_screen() {
    let text = text(fixture::random_read());
    let end_of_answer = text.lines().position(|line| line.starts_with("run"));
    assert!(end_of_answer.is_some_and(|line| line <= 25));
    insta::assert_snapshot!(text);
}

#[test]
fn a_replay_is_told_as_one() {
    let mut result = fixture::random_read();
    let job = &mut result.provenance.workload.phases[0].jobs[0];
    job.replay = Some(Replay {
        speed: Some(Percent(50.0)),
        processes: vec!["mysqld".to_owned()],
        ..Replay::all("run.log")
    });
    let text = text(result);
    let line = text.lines().find(|line| line.contains("run.log"));
    let expected = "load        replay of mysqld in run.log at 50 % of its speed, 1 thread, at \
                    most 32 outstanding;";
    assert_eq!(line, Some(expected));
}
