//! A run in a process of its own, so that it inherits neither memory nor threads nor files of
//! another. It leaves its result in a file that [`RESULT_FILE`] names.

use super::{RESULT_FILE, results};
use crate::config;
use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use crate::platform;
use crate::stop::{self, Stop};
use fathom_core::Nanos;
use fathom_core::result::RunResult;
use fathom_engine::Clock;
use std::io::Read as _;
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};

/// How often is looked whether a run has ended.
const GLANCE: Nanos = Nanos::from_millis(20);

/// Runs the words with these variables and reads the result, which it leaves in `file`; `None` if
/// the run was interrupted. It ends with the thread that calls, should that be killed.
pub(super) fn run(
    words: &[String],
    variables: &[(&str, &str)],
    file: &Path,
    stop: &Stop,
) -> Result<Option<RunResult>, Error> {
    let Ran { told, ended } = ran(words, variables, file, stop, Group::Own)?;
    if stop.is_asked() {
        return Ok(None);
    }
    let name = file.display().to_string();
    if !file.exists() {
        let problem = Problem::new(
            exit_of(ended.code),
            format!("the run fathom {} failed", words.join(" ")),
        )
        .because(last_words(&told))
        .remedy("run the command alone to see more");
        return Err(problem.into());
    }
    Ok(results::load(&[name], None)?.pop())
}

/// One of several runs of a call, in whose name each says what it has to say.
#[derive(Debug)]
pub(super) struct Part {
    /// Its result, if it has left one.
    pub(super) result: Option<RunResult>,
    /// What it said on standard error.
    pub(super) told: String,
    /// Its status.
    pub(super) exit: Exit,
}

/// The same for one of several runs of a call: what it measured before an interruption counts.
pub(super) fn part(
    words: &[String],
    variables: &[(&str, &str)],
    file: &Path,
    stop: &Stop,
) -> Result<Part, Error> {
    let Ran { told, ended } = ran(words, variables, file, stop, Group::Another)?;
    let name = file.display().to_string();
    // One that was cut off is none; the run has said why.
    let found = file.exists().then(|| results::load(&[name], None).ok());
    let result = found.flatten().and_then(|mut found| found.pop());
    let exit = match ended.interrupted {
        true => Exit::Interrupted,
        false if result.is_some() && ended.code == Some(0) => Exit::Ok,
        false => exit_of(ended.code),
    };
    Ok(Part { result, told, exit })
}

/// Ends this run when the thread that started it does, where one did: nobody would look after it.
pub(super) fn end_with_parent() {
    let parent = std::env::var(fathom_device::PARENT).unwrap_or_default();
    if let Ok(parent) = parent.parse() {
        stop::hear_parent_once();
        platform::end_with_parent(parent);
    }
}

/// Which group of processes a run is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    /// That of this process: a terminal's signals are for both.
    Own,
    /// Another: it has the signals that are passed on.
    Another,
}

struct Ran {
    told: String,
    ended: Ended,
}

fn ran(
    words: &[String],
    variables: &[(&str, &str)],
    file: &Path,
    stop: &Stop,
    group: Group,
) -> Result<Ran, Error> {
    let cannot = |error: std::io::Error| {
        let thing = format!("cannot run fathom {}", words.join(" "));
        Problem::new(Exit::Environment, thing).because(system_words(&error))
    };
    let program = std::env::current_exe().map_err(cannot)?;
    let mut command = fathom_device::command(program);
    command
        .args(words)
        .env(RESULT_FILE, file)
        .env(fathom_device::PARENT, std::process::id().to_string())
        .envs(variables.iter().copied())
        .envs(config::for_children())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    if group == Group::Another {
        platform::apart(&mut command);
    }
    let mut child = command.spawn().map_err(cannot)?;
    let pipe = child.stderr.take();
    // Read aside, so that a talkative run never waits for a reader.
    let told = std::thread::spawn(move || {
        let mut told = Vec::new();
        if let Some(mut pipe) = pipe {
            // What cannot be read cannot be shown; the status still tells.
            let _ = pipe.read_to_end(&mut told);
        }
        String::from_utf8_lossy(&told).into_owned()
    });
    let ended = wait(&mut child, stop, group).map_err(cannot)?;
    let told = told.join().unwrap_or_default();
    // Ctrl-C is for the whole group of processes, and the run may hear of it first.
    if ended.interrupted && !stop.is_asked() {
        stop.interrupt();
    }
    Ok(Ran { told, ended })
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
        let own = i32::from(Exit::Interrupted.number());
        Self {
            code: status.code(),
            interrupted: status.code() == Some(own) || platform::was_asked_to_end(status),
        }
    }
}

/// Waits for the end, and passes interruptions on.
fn wait(child: &mut Child, stop: &Stop, group: Group) -> std::io::Result<Ended> {
    // One of the same group has heard of those that a terminal sends.
    let most = if group == Group::Own { 1 } else { u32::MAX };
    let mut clock = Clock::monotonic();
    let mut told = 0;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Ended::of(status));
        }
        while told < stop.asked().min(most) {
            platform::interrupt(child);
            told += 1;
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
pub(super) fn last_words(told: &str) -> String {
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
    use std::os::unix::process::ExitStatusExt as _;

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
