//! The program as it is called. A test needs it, so it is built of the same parts as the tests.

#![allow(
    clippy::disallowed_methods,
    reason = "tests read files and start programs of their own"
)]

use std::process::{Command, Output};

fn lab(words: &[&str]) -> (Option<i32>, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new(env!("CARGO_BIN_EXE_lab"))
        .args(words)
        .output()
        .expect("it starts");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn wrong_words_are_refused_with_what_help_prints() {
    let (status, usage, said) = lab(&["help"]);
    assert_eq!((status, said.as_str()), (Some(0), ""));
    assert_eq!(usage.lines().next(), Some("usage: cargo lab COMMAND"));
    assert_eq!(lab(&["nonsense"]), (Some(2), String::new(), usage));
}
