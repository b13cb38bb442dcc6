//! Four hosts as network namespaces, each with its sshd, and twelve things that go wrong between
//! them: what the user sees is compared with what should be printed.

mod lab;

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result};
use rustix::process::{Pid, Signal, kill_process};

use lab::Lab;

/// The workload: long enough for faults, small enough for any machine.
const LOAD: &str = "--engine psync --no-direct --size 1MiB --time 6s --warm-up 1s --interval 500ms \
                    --keepalive 4s --no-save";

/// When something goes wrong.
#[derive(Clone, Copy)]
enum Fault {
    /// Nothing does.
    None,
    /// The fourth host has no network before the start.
    Down,
    /// The fourth host is reached by another port of its sshd, which does something else.
    Port(&'static str),
    /// The target of the fourth host cannot be made.
    NoTarget,
    /// The member of the fourth host gets this signal while it measures.
    Signal(Signal, Option<Signal>),
    /// The network of the fourth host is cut while it measures.
    Cut,
    /// The coordinator gets this signal while all measure.
    Coordinator(Signal),
}

/// Name, fault, further words, what must be said, and the exit status; none for a signal's end.
type Case = (
    &'static str,
    Fault,
    &'static [&'static str],
    &'static str,
    Option<i32>,
);

const CASES: [Case; 14] = [
    ("nothing", Fault::None, &[], "phase 1 starts in", Some(0)),
    (
        "host down",
        Fault::Down,
        &[],
        "n4 (rank 3) is missing: ssh: connect to host",
        Some(4),
    ),
    (
        "host down, allowed",
        Fault::Down,
        &["--allow-missing"],
        "n4 (rank 3) is missing: ssh: connect to host",
        Some(7),
    ),
    (
        "shell prints",
        Fault::Port("motd"),
        &[],
        "instead of fathom, this answered: `Welcome",
        Some(4),
    ),
    (
        "no program",
        Fault::Port("none"),
        &[],
        "/no/such/fathom: No such file",
        Some(4),
    ),
    (
        "old release",
        Fault::Port("old"),
        &[],
        "the member is fathom 0.0.9 (protocol 1)",
        Some(4),
    ),
    (
        "other token",
        Fault::Port("token"),
        &[],
        "has another token",
        Some(4),
    ),
    (
        "no target",
        Fault::NoTarget,
        &[],
        "n4 (rank 3) failed: ",
        Some(4),
    ),
    (
        "killed",
        Fault::Signal(Signal::KILL, None),
        &[],
        "n4 (rank 3) is lost: its connection ended; counted up to interval",
        Some(7),
    ),
    (
        "stopped briefly",
        Fault::Signal(Signal::STOP, Some(Signal::CONT)),
        &[],
        "n4 (rank 3) is heard again",
        Some(0),
    ),
    (
        "stopped",
        Fault::Signal(Signal::STOP, None),
        &[],
        "n4 (rank 3) is lost: nothing was heard of it for",
        Some(7),
    ),
    (
        "cut",
        Fault::Cut,
        &[],
        "n4 (rank 3) is lost: nothing was heard of it for",
        Some(7),
    ),
    (
        "Ctrl-C",
        Fault::Coordinator(Signal::INT),
        &[],
        "phase 1 starts in",
        Some(130),
    ),
    (
        "coordinator killed",
        Fault::Coordinator(Signal::KILL),
        &[],
        "phase 1 starts in",
        None,
    ),
];

/// Plays all cases; without root, `ip` or sshd it says so and is content.
pub(crate) fn run(words: &[&str]) -> Result<bool> {
    if let Some(why) = lab::missing() {
        println!("skipped: {why}");
        return Ok(true);
    }
    let binary = match words {
        [] => xtask::built::release()?,
        [path, ..] => PathBuf::from(path),
    };
    let binary = std::fs::canonicalize(&binary)
        .with_context(|| format!("there is no {}", binary.display()))?;
    let lab = Lab::new(&binary)?;
    println!("| fault | what was to be said | status | said |\n| --- | --- | --- | --- |");
    let mut all = true;
    for (name, fault, beside, expected, status) in CASES {
        let (said, found) = play(&lab, &binary, fault, beside)?;
        let line = said.lines().find(|line| line.contains(expected));
        let is_left = lab.is_left()?;
        let good = line.is_some() && found == status && !is_left;
        all &= good;
        let shown = line.unwrap_or_else(|| said.lines().last().unwrap_or("nothing"));
        let left = if is_left {
            ", members or files are left"
        } else {
            ""
        };
        println!(
            "| {name} | {expected} | {found:?} | {}{shown}{left} |",
            if good { "" } else { "**no:** " }
        );
        lab.mend()?;
    }
    Ok(all)
}

fn start(lab: &Lab, binary: &Path, fault: Fault, beside: &[&str]) -> Result<Child> {
    let hosts = match fault {
        Fault::Port(name) => format!("n[1-3],{name}"),
        _ => "n[1-4]".to_owned(),
    };
    let mut command = Command::new(binary);
    command
        .args([
            "run",
            "random-read-4k",
            "--hosts",
            &hosts,
            "--ssh",
            &lab.ssh(),
        ])
        .arg("--fathom")
        .arg(binary)
        .arg("--target")
        .arg(lab.target())
        .args(LOAD.split(' '))
        .args(beside)
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command.spawn().context("cannot start the coordinator")
}

/// Whether a line tells of an interval after the warm-up.
fn is_measured(line: &str) -> bool {
    let told = line.strip_prefix("[1/1 main ");
    told.is_some_and(|told| !told.starts_with("warm-up"))
}

fn play(lab: &Lab, binary: &Path, fault: Fault, beside: &[&str]) -> Result<(String, Option<i32>)> {
    match fault {
        Fault::Down => lab::link(4, false)?,
        Fault::NoTarget => lab.spoil_target()?,
        _ => {}
    }
    let mut child = start(lab, binary, fault, beside)?;
    let lines = BufReader::new(child.stderr.take().context("a pipe")?).lines();
    let mut said = String::new();
    let mut later = None;
    let mut is_due = true;
    for line in lines {
        let line = line?;
        said.push_str(&line);
        said.push('\n');
        if is_due && is_measured(&line) {
            is_due = false;
            match fault {
                Fault::Signal(signal, then) => {
                    let pid = lab::member(4)?;
                    kill_process(pid, signal)?;
                    later = then.map(|signal| (pid, signal));
                }
                Fault::Cut => lab::link(4, false)?,
                Fault::Coordinator(signal) => {
                    let pid = Pid::from_child(&child);
                    kill_process(pid, signal)?;
                }
                _ => {}
            }
        }
        if line.contains("has been silent")
            && let Some((pid, signal)) = later.take()
        {
            kill_process(pid, signal)?;
        }
    }
    let ended = child.wait()?;
    Ok((said, ended.code()))
}
