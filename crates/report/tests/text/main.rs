//! The text format of made-up results, whole: one module for each kind of run.

mod closed;
mod colour;
mod doubtful;
mod open;
mod phases;
mod repeats;
mod short;

use fathom_core::result::RunResult;
use fathom_report::{TextOptions, find, write};

/// `result` judged and written as text of 100 columns.
fn text(mut result: RunResult) -> String {
    fathom_verdict::judge(&mut result);
    render(&result, TextOptions::default())
}

fn render(result: &RunResult, options: TextOptions) -> String {
    let mut bytes = Vec::new();
    let format = find("text").expect("text is a format");
    write(result, format, options, &mut bytes).expect("memory takes everything");
    String::from_utf8(bytes).expect("text is UTF-8")
}
