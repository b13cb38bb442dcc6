//! The body of a mail.

use crate::{four_seconds, two_phases};
use fathom_core::{Level, State};
use fathom_report::mail_html;

#[test]
fn the_mail_of_one_phase() {
    let mut result = four_seconds();
    result.state = State::Suspect;
    let caveat = fathom_core::fixture::caveat(
        "throttled",
        Level::Suspect,
        "the <volume> was throttled \u{1b}[31m",
        "wait",
    );
    result.caveats = vec![caveat];
    insta::assert_snapshot!(mail_html(&result));
}

#[test]
fn the_mail_of_several_phases() {
    insta::assert_snapshot!(mail_html(&two_phases(2_000)));
}
