//! A run in a process of its own, so that it inherits neither memory nor threads nor files of
//! another. It leaves its result in a file that [`RESULT_FILE`] names.

use super::{RESULT_FILE, results};
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use crate::stop::Stop;
use fathom_core::Nanos;
use fathom_core::result::RunResult;
use fathom_engine::Clock;
use rustix::process::{Pid, Signal, kill_process};
use std::io::Read as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

/// How often is looked whether a run has ended.
const GLANCE: Nanos = Nanos::from_millis(20);

/// Runs the words with these variables and reads the result, which it leaves in `file`; `None` if
/// the run was interrupted.
pub(super) fn run(
    words: &[String],
    variables: &[(&str, &str)],
    file: &Path,
    stop: &Stop,
) -> Result<Option<RunResult>, Error> {
    let cannot = |error: std::io::Error| {
        let thing = format!("cannot run fathom {}", words.join(" "));
        Problem::new(Exit::Environment, thing).because(system_words(&error))
    };
    let program = std::env::current_exe().map_err(cannot)?;
    let mut child = Command::new(program)
        .args(words)
        .env(RESULT_FILE, file)
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(cannot)?;
    let pipe = child.stderr.take();
    // Read aside, so that a talkative run never waits for a reader.
    let told = std::thread::spawn(move || {
        let mut told = String::new();
        if let Some(mut pipe) = pipe {
            // What cannot be read cannot be shown; the status still tells.
            let _ = pipe.read_to_string(&mut told);
        }
        told
    });
    let status = wait(&mut child, stop).map_err(cannot)?;
    let told = told.join().unwrap_or_default();
    // Ctrl-C is for the whole group of processes, and the run may hear of it first.
    if status.interrupted {
        stop.interrupt();
    }
    if stop.is_asked() {
        return Ok(None);
    }
    let name = file.display().to_string();
    if !file.exists() {
        let problem = Problem::new(
            exit_of(status.code),
            format!("the run fathom {} failed", words.join(" ")),
        )
        .because(last_words(&told))
        .remedy("the command by itself says more");
        return Err(problem.into());
    }
    Ok(results::load(&[name], None)?.pop())
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ended {
    code: Option<i32>,
    /// By a signal that asks for an end, whether or not it said so itself.
    interrupted: bool,
}

impl Ended {
    fn of(status: ExitStatus) -> Self {
        let asks = [Signal::INT, Signal::TERM, Signal::HUP].map(|signal| Some(signal.as_raw()));
        let own = i32::from(Exit::Interrupted.number());
        Self {
            code: status.code(),
            interrupted: status.code() == Some(own) || asks.contains(&status.signal()),
        }
    }
}

/// Waits for the end, and passes an interruption on.
fn wait(child: &mut Child, stop: &Stop) -> std::io::Result<Ended> {
    let mut clock = Clock::monotonic();
    let mut is_told = false;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Ended::of(status));
        }
        if stop.is_asked() && !is_told {
            // It may have heard of it already, or be gone.
            let _ = kill_process(Pid::from_child(child), Signal::INT);
            is_told = true;
        }
        let next = clock.now().saturating_add(GLANCE);
        clock.wait_until(next, Nanos::ZERO);
    }
}

/// The exit status of a run that left no result, as one of ours.
fn exit_of(status: Option<i32>) -> Exit {
    let own = Exit::ALL
        .into_iter()
        .find(|exit| Some(i32::from(exit.number())) == status);
    match own {
        None | Some(Exit::Ok) => Exit::Defect,
        Some(exit) => exit,
    }
}

/// The message of an error in one line, without the words that lead its parts.
fn last_words(told: &str) -> String {
    let from = told.find("error: ").map_or(0, |at| at + "error: ".len());
    let parts = told[from..].lines().map(|line| {
        let line = line.trim();
        let part = line.strip_prefix("because:").or(line.strip_prefix("try:"));
        part.unwrap_or(line).trim()
    });
    let parts = parts.filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_becomes_one_line() {
        let told = "note: made\nerror: no x\n  because: it is gone\n  try:     another\n";
        assert_eq!(last_words(told), "no x; it is gone; another");
        assert_eq!(last_words(""), "");
    }

    #[test]
    fn a_run_that_was_interrupted_says_so_or_dies_of_it() {
        let interrupted = |raw| Ended::of(ExitStatus::from_raw(raw)).interrupted;
        // As wait(2) has it: the status in the second byte, the signal in the first.
        let found = [0, 130 << 8, 4 << 8, 2, 15, 9].map(interrupted);
        assert_eq!(found, [false, true, false, true, true, false]);
    }

    #[test]
    fn a_run_without_a_result_never_went_well() {
        let found = [Some(4), Some(0), Some(77), None].map(exit_of);
        let expected = [Exit::Environment, Exit::Defect, Exit::Defect, Exit::Defect];
        assert_eq!(found, expected);
    }
}
