//! Skipped tests.

use std::fmt::Display;
use std::io::Write as _;

/// The variable that names the file in which skips are counted.
const LIST: &str = "FATHOM_SKIPS";

/// Reports on standard error why the calling test is skipped, past the capture of test output, and
/// adds a line with its name to the file that `FATHOM_SKIPS` names.
///
/// # Panics
///
/// If that file cannot be written: a skip must not be lost.
#[expect(
    clippy::disallowed_methods,
    reason = "the list belongs to whoever runs the tests"
)]
pub fn skip(why: impl Display) {
    // A test that cannot report it is still skipped.
    let _ = writeln!(std::io::stderr(), "skipped: {why}");
    let Some(list) = std::env::var_os(LIST) else {
        return;
    };
    let test = std::thread::current();
    let line = format!("{}: {why}\n", test.name().unwrap_or("a test"));
    let list = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(list);
    list.and_then(|mut list| list.write_all(line.as_bytes()))
        .expect("the list of skips can be written");
}
