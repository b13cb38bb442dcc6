//! A quick siege: what `cargo lab siege` attacks for an hour, for some seconds.

use crate::privileged::is_root;
use std::path::Path;

#[test]
fn nothing_is_destroyed_that_was_not_given_up() {
    if !is_root("a siege") {
        return;
    }
    let lines = lab::siege::quick(Path::new(env!("CARGO_BIN_EXE_fathom")));
    let lines = lines.expect("the siege can be made");
    let unexpected: Vec<_> = lines.iter().filter(|line| !line.is_met).collect();
    assert_eq!(unexpected, [&lines[0]; 0]);
    // Without loop devices there is less to attack, but never nothing.
    assert!(lines.len() > 20, "only {} attacks", lines.len());
}
