//! One phase, one job, a closed loop: the run that most people make.

use crate::text;
use fathom_core::fixture;

#[test]
fn one_phase_fits_the_first_screen() {
    let text = text(fixture::random_read());
    let end_of_answer = text.lines().position(|line| line.starts_with("run"));
    assert!(end_of_answer.is_some_and(|line| line <= 24));
    insta::assert_snapshot!(text);
}
