//! Floods everything that reads a text of somebody else: for each target of `fuzz/entry.rs` texts
//! of 10 MB of many kinds, each in a process of its own, and what came of them: processor time,
//! findings, characters printed and the most memory. A second, 20 findings and a few screens are
//! the bars; `docs/cost.md` has the table.
//!
//! ```text
//! cargo run --profile dist -p fathom-report --example flood            # the worst of each target
//! cargo run --profile dist -p fathom-report --example flood -- native  # all of one target
//! cargo run --profile dist -p fathom-report --example flood -- native digits
//! ```

#![allow(
    clippy::disallowed_methods,
    reason = "a program of its own next to the crate"
)]
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example says what it has found"
)]

#[path = "../../../../fuzz/entry.rs"]
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the fuzzer uses it as a library, and this only to read"
)]
mod entry;
mod measured;
mod own;
mod seeds;
mod shape;

use entry::{Outcome, TARGETS};
use fathom_core::result::RunResult;
use fathom_programs::writers;
use fathom_tools::RunWishes;
use measured::Measured;
use std::process::{Command, ExitCode};

/// Bytes of each text.
const BYTES: usize = 10_000_000;

/// What any of them may take.
const BARS: Measured = Measured {
    read_ms: 1000,
    then_ms: 1000,
    findings: 20,
    characters: 60_000,
    peak_mib: 2000,
};

/// Seconds after which a text is given up.
const PATIENCE_S: u64 = 60;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["--one", target, shape, bytes] => one(target, shape, bytes.parse().unwrap_or(BYTES)),
        [] => TARGETS
            .iter()
            .fold(ExitCode::SUCCESS, |status, (target, _)| {
                let worse = all(target, "", BYTES);
                if worse == ExitCode::SUCCESS {
                    status
                } else {
                    worse
                }
            }),
        [target] => all(target, "", BYTES),
        [target, part] => all(target, part, BYTES),
        [target, part, bytes] => all(target, part, bytes.parse().unwrap_or(BYTES)),
        _ => {
            eprintln!("usage: flood [TARGET [PART OF THE NAME OF A SHAPE [BYTES]]]");
            ExitCode::FAILURE
        }
    }
}

/// All shapes of a target whose names have this part.
fn all(target: &str, part: &str, bytes: usize) -> ExitCode {
    let mut worst = Measured::default();
    let mut count = 0;
    let mut status = ExitCode::SUCCESS;
    for shape in shape::of(target) {
        if !shape.name.contains(part) {
            continue;
        }
        count += 1;
        let found = match in_a_process(target, &shape.name, bytes) {
            Ok(found) => found,
            Err(reason) => {
                println!("{target:22} {:32} DIED: {reason}", shape.name);
                status = ExitCode::FAILURE;
                continue;
            }
        };
        let is_over = !found.is_within(&BARS);
        if is_over {
            status = ExitCode::FAILURE;
        }
        if is_over || !part.is_empty() {
            let word = if is_over { " OVER" } else { "" };
            println!("{target:22} {:32} {found}{word}", shape.name);
        }
        worst = worst.worse(&found);
    }
    println!("{target:22} {:32} {worst}", format!("worst of {count}"));
    status
}

/// The result for one text, as reported by the process that read it.
fn in_a_process(target: &str, shape: &str, bytes: usize) -> Result<Measured, String> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(this)
        .args(["--one", target, shape, &bytes.to_string()])
        .output();
    let output = output.map_err(|error| error.to_string())?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        let last = words.lines().last().unwrap_or_default();
        return Err(format!("{}: {}", output.status, last));
    }
    Measured::parse(&String::from_utf8_lossy(&output.stdout))
}

/// Reads one text in this process.
fn one(target: &str, name: &str, bytes: usize) -> ExitCode {
    let Some(shape) = shape::of(target)
        .into_iter()
        .find(|shape| shape.name == name)
    else {
        eprintln!("{target} has no shape {name}");
        return ExitCode::FAILURE;
    };
    measured::give_up_after(PATIENCE_S);
    let text = shape.text(bytes);
    let mut found = Measured::default();
    for way in entry::ways(target) {
        let before = measured::processor_ms();
        let outcome = way(&text);
        let (findings, characters) = told(&outcome);
        let read_ms = measured::processor_ms() - before;
        found = found.worse(&Measured {
            read_ms,
            then_ms: then(outcome),
            findings,
            characters,
            peak_mib: 0,
        });
    }
    found.peak_mib = measured::peak_mib();
    println!("{}", found.line());
    ExitCode::SUCCESS
}

/// How many findings a user sees, and in how many characters.
fn told(outcome: &Outcome) -> (u64, u64) {
    match outcome {
        Outcome::Refused(found) => {
            let drawn = found.iter().map(ToString::to_string);
            let characters = drawn.map(|drawn| drawn.chars().count() as u64).sum();
            (found.len() as u64, characters)
        }
        Outcome::Wrong(reason) => (1, reason.chars().count() as u64),
        Outcome::Workload(_) | Outcome::Imports(_) | Outcome::Result(_) | Outcome::Read => (0, 0),
    }
}

/// What is done with a text that is right: a workload is written in every format, a result is
/// judged and reported. Milliseconds of the slowest of it.
fn then(outcome: Outcome) -> u64 {
    let timed = |action: &mut dyn FnMut()| {
        let before = measured::processor_ms();
        action();
        measured::processor_ms() - before
    };
    let reported = |result: &RunResult| {
        timed(&mut || {
            let _ = entry::report(result);
            let _ = result.to_json();
        })
    };
    match outcome {
        Outcome::Workload(workload) => {
            let wishes = RunWishes::default();
            let each = writers().map(|writer| {
                timed(&mut || {
                    let _ = (writer.write)(&workload, &wishes);
                })
            });
            each.max().unwrap_or(0)
        }
        Outcome::Imports(imports) => {
            let each = imports.into_iter().map(|mut import| {
                let judged = timed(&mut || fathom_verdict::judge(&mut import.result));
                judged + reported(&import.result)
            });
            each.sum()
        }
        Outcome::Result(result) => reported(&result),
        Outcome::Refused(_) | Outcome::Wrong(_) | Outcome::Read => 0,
    }
}
