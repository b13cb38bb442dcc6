//! Copies of the program on hosts that have none: brought before a measurement, gone after it.
//!
//! All words that a host is sent are plain, so that it does not matter whether a shell reads them
//! there, as ssh has it, or not.

use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use std::io::{self, Read, Write as _};
use std::path::Path;
use std::process::{Child, Stdio};

/// What receives the program on a host, runs it, and removes it.
const GO: &str = include_str!("push.sh");
/// Hosts that are reached at once: sshd refuses more (`MaxStartups`).
const AT_ONCE: usize = 16;
/// Hosts of which an error tells.
const TOLD: usize = 3;

/// A host that is to have a copy.
#[derive(Debug)]
pub(super) struct Host {
    pub(super) name: String,
    /// The program that runs another there, with its arguments.
    pub(super) reach: Vec<String>,
    /// How many run there from one copy.
    pub(super) members: usize,
}

/// Copies on hosts. They are removed with this value, where their last user has not done it.
#[derive(Debug, Default)]
pub(in crate::commands) struct Copies(Vec<Copy>);

/// The copy on one host, or why there is none.
#[derive(Debug)]
struct Copy {
    host: Host,
    folder: Result<String, String>,
}

impl Copies {
    /// Brings the program in `file` to hosts.
    ///
    /// # Errors
    ///
    /// If a host cannot be given it, unless some may be missing.
    pub(super) fn bring(hosts: Vec<Host>, file: &Path, may_miss: bool) -> Result<Self, Error> {
        fathom_device::input::open(file).map_err(|error| {
            Problem::new(Exit::Environment, format!("cannot read {}", file.display()))
                .because(system_words(&error))
                .remedy("use --push=FILE with a program that this user can read")
        })?;
        let mut copies = Vec::new();
        let mut hosts = hosts.into_iter();
        loop {
            let group: Vec<Host> = hosts.by_ref().take(AT_ONCE).collect();
            if group.is_empty() {
                break;
            }
            copies.extend(at_once(group, file));
        }
        let copies = Self(copies);
        if !may_miss {
            copies.complain()?;
        }
        Ok(copies)
    }

    /// How fathom is called as the `number`th on a host, from 0; or why it cannot be.
    pub(super) fn call(&self, host: &str, number: usize) -> Option<Result<Vec<String>, String>> {
        let copy = self.0.iter().find(|copy| copy.host.name == host)?;
        Some(copy.folder.clone().map(|folder| {
            let number = number.to_string();
            ["sh", &format!("{folder}/go"), "run", &number]
                .map(str::to_owned)
                .to_vec()
        }))
    }

    fn complain(&self) -> Result<(), Error> {
        let whys = self.0.iter().filter_map(|copy| {
            let why = copy.folder.as_ref().err()?;
            Some(format!("{}: {why}", copy.host.name))
        });
        let whys: Vec<String> = whys.collect();
        if whys.is_empty() {
            return Ok(());
        }
        let more = match whys.len().saturating_sub(TOLD) {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        let told = whys[..whys.len().min(TOLD)].join("; ") + &more;
        Err(
            Problem::new(Exit::Environment, "cannot copy fathom to all hosts")
                .because(told)
                .remedy(
                    "use --push=FILE with a static program for their architecture, or --fathom \
                     COMMAND",
                )
                .into(),
        )
    }
}

impl Drop for Copies {
    fn drop(&mut self) {
        let words = |copy: &Copy| {
            let folder = copy.folder.as_ref().ok()?;
            Some(words(&copy.host, &["sh", &format!("{folder}/go"), "clean"]))
        };
        let words: Vec<_> = self.0.iter().filter_map(words).collect();
        for group in words.chunks(AT_ONCE) {
            let children: Vec<io::Result<Child>> = group
                .iter()
                .map(|words| start(words, Stdio::null()))
                .collect();
            for child in children.into_iter().flatten() {
                // It says that nothing is there any more where the last user has removed it.
                let _ = child.wait_with_output();
            }
        }
    }
}

fn at_once(hosts: Vec<Host>, file: &Path) -> Vec<Copy> {
    std::thread::scope(|scope| {
        let bring = |host: Host| {
            scope.spawn(move || {
                let folder = bring_one(&host, file);
                Copy { host, folder }
            })
        };
        let threads: Vec<_> = hosts.into_iter().map(bring).collect();
        threads
            .into_iter()
            .filter_map(|thread| thread.join().ok())
            .collect()
    })
}

/// Makes a folder on a host, puts the script and the program there, and sees that it runs.
fn bring_one(host: &Host, file: &Path) -> Result<String, String> {
    let made = ask(
        host,
        &["mktemp", "-d", "-t", "fathom-push.XXXXXX"],
        &mut io::empty(),
    )?;
    let folder = made
        .lines()
        .map(str::trim)
        .rfind(|line| !line.is_empty())
        .unwrap_or_default();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    if !folder.starts_with('/')
        || !folder.contains("/fathom-push.")
        || !folder.chars().all(is_plain)
    {
        return Err(format!("mktemp answered `{folder}`"));
    }
    let go = format!("{folder}/go");
    let received = ask(
        host,
        &["dd", &format!("of={go}"), "status=none"],
        &mut GO.as_bytes(),
    )
    .and_then(|_| {
        let mut program = fathom_device::input::open(file).map_err(|error| system_words(&error))?;
        let numbers: Vec<String> = (0..host.members).map(|n| n.to_string()).collect();
        let numbers = numbers.iter().map(String::as_str);
        let receive: Vec<&str> = ["sh", &go, "receive"].into_iter().chain(numbers).collect();
        ask(host, &receive, &mut program)
    });
    match received {
        Ok(_) => Ok(folder.to_owned()),
        Err(why) => {
            // What came so far goes; the first reason is reported.
            let _ = ask(host, &["sh", &go, "clean"], &mut io::empty());
            Err(why)
        }
    }
}

/// Runs a command on a host: what it prints, or why it failed.
fn ask(host: &Host, command: &[&str], input: &mut dyn Read) -> Result<String, String> {
    let words = words(host, command);
    let mut run = || {
        let mut child = start(&words, Stdio::piped())?;
        if let Some(mut pipe) = child.stdin.take() {
            // A command that ends before it has read all says why by its status.
            let _ = io::copy(input, &mut pipe).and_then(|_| pipe.flush());
        }
        child.wait_with_output()
    };
    let output = run().map_err(|error| system_words(&error))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().rfind(|line| !line.trim().is_empty());
    Err(last.map_or_else(|| output.status.to_string(), str::to_owned))
}

fn words(host: &Host, command: &[&str]) -> Vec<String> {
    let command = command.iter().map(|word| (*word).to_owned());
    host.reach.iter().cloned().chain(command).collect()
}

fn start(words: &[String], input: Stdio) -> io::Result<Child> {
    let (program, arguments) = words
        .split_first()
        .ok_or_else(|| io::Error::other("--ssh names no program"))?;
    fathom_device::command(program)
        .args(arguments)
        .stdin(input)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}
