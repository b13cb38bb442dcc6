//! The commands of a shell that a call in fio's words has run around its jobs.

use super::fio_files;
use super::fio_programs::Programs;
use crate::aside;
use crate::error::{Problem, system_words};
use fathom_core::Nanos;
use fathom_device::{Door, Existing};
use fathom_session::{Attendant, Control, LeftOut, Wish};
use fathom_tools::{JobCommands, ShellCommand};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, ExitStatus};

/// From one look at whether the user wants to end to the next.
pub(super) const STEP: Nanos = Nanos::from_millis(50);

/// Runs them, before, beside and after the phase of their job.
pub(super) struct Commands {
    door: Door,
    all: Vec<JobCommands>,
    /// Of the phase that runs: those whose jobs run.
    waiting: Vec<JobCommands>,
    /// What runs beside the phase.
    beside: Programs,
    is_quiet: bool,
}

/// Refuses before anything is run what could not be written.
pub(super) fn check(door: &Door, commands: &[JobCommands]) -> Result<(), Problem> {
    let files = commands.iter().flat_map(JobCommands::each);
    let files = files.map(|command| (command.option, &command.file));
    let programs = commands.iter().filter_map(|one| one.beside.as_ref());
    let errors = programs.map(|program| (program.command.option, &program.errors));
    for (option, file) in files.chain(errors) {
        let path = Path::new(file);
        if path.exists() {
            let opened = door.open(path, Existing::Replaced);
            opened.map_err(|error| {
                let thing = format!("cannot write what {option} says to {file}");
                fio_files::refused(thing, &error)
            })?;
        }
    }
    Ok(())
}

impl Commands {
    pub(super) fn new(door: &Door, commands: &[JobCommands], is_quiet: bool) -> Self {
        Self {
            door: door.clone(),
            all: commands.to_vec(),
            waiting: Vec::new(),
            beside: Programs::default(),
            is_quiet,
        }
    }

    /// Runs one command of each, at once, as often as it has clones: those that failed, each with
    /// how. Where `is_over`, what still runs is ended.
    fn run(
        &self,
        of: &[JobCommands],
        which: fn(&JobCommands) -> Option<&ShellCommand>,
        is_over: &dyn Fn() -> bool,
    ) -> Vec<(usize, String)> {
        let mut files = BTreeMap::new();
        let mut running = Vec::new();
        let mut failed = Vec::new();
        let asked = of.iter().enumerate();
        let asked = asked.filter_map(|(number, one)| Some((number, one.clones, which(one)?)));
        for (number, clones, command) in asked {
            for _ in 0..clones {
                match self.start(command, &mut files) {
                    Ok(child) => running.push((number, child)),
                    Err(why) => failed.push((number, why)),
                }
            }
        }
        for (number, mut child) in running {
            let ended = ended(&mut child, is_over);
            let why = match &ended {
                Ok(status) if status.success() => continue,
                Ok(status) => in_words(*status),
                Err(error) => system_words(error),
            };
            failed.push((number, why));
        }
        failed
    }

    /// What clones say goes to one file, one after another.
    fn start(
        &self,
        command: &ShellCommand,
        files: &mut BTreeMap<String, File>,
    ) -> Result<Child, String> {
        if !files.contains_key(&command.file) {
            let file = self.door.renewed(Path::new(&command.file));
            let file = file.map_err(|error| format!("{}: {error}", command.file))?;
            files.insert(command.file.clone(), file);
        }
        let started = files[&command.file].try_clone().and_then(|out| {
            let errors = out.try_clone()?;
            let mut shell = fathom_device::command("/bin/sh");
            let shell = shell.arg("-c").arg(&command.text);
            shell.stdout(out).stderr(errors).spawn()
        });
        started.map_err(|error| format!("/bin/sh: {}", system_words(&error)))
    }
}

impl Attendant for Commands {
    fn before(&mut self, phase: &str, control: &Control) -> LeftOut {
        let of_phase = self.all.iter().filter(|one| one.phase == phase);
        let all: Vec<JobCommands> = of_phase.cloned().collect();
        let is_over = || control.wish() != Wish::Run;
        let failed = self.run(&all, |one| one.before.as_ref(), &is_over);
        let mut left_out = LeftOut::new();
        for (number, why) in &failed {
            let Some(command) = &all[*number].before else {
                continue;
            };
            let why = format!("its {} failed: {why}", command.option);
            for job in &all[*number].jobs {
                left_out.entry(job.clone()).or_insert_with(|| why.clone());
            }
        }
        if !self.is_quiet {
            for (job, why) in &left_out {
                aside::say(&format!("note: the job {job} is not run: {why}"));
            }
        }
        let is_run = |one: &JobCommands| !one.jobs.iter().any(|job| left_out.contains_key(job));
        self.waiting = all.into_iter().filter(is_run).collect();
        let failed = self.beside.start(&self.door, &self.waiting, self.is_quiet);
        for (job, why) in failed.iter().filter(|_| !self.is_quiet) {
            let thing = format!("note: the program of the job {job} is not run");
            aside::say(&format!("{thing}: {why}"));
        }
        left_out
    }

    fn after(&mut self, _phase: &str, control: &Control) {
        self.beside.end();
        let all = std::mem::take(&mut self.waiting);
        let is_over = || control.wish() == Wish::Abort;
        let failed = self.run(&all, |one| one.after.as_ref(), &is_over);
        for (number, why) in failed.iter().filter(|_| !self.is_quiet) {
            if let Some(command) = &all[*number].after {
                let jobs = all[*number].jobs.join(", ");
                let option = command.option;
                aside::say(&format!("note: {option} of the job {jobs} failed: {why}"));
            }
        }
    }
}

/// Waits until a command has ended, and ends it where nobody waits any more.
fn ended(child: &mut Child, is_over: &dyn Fn() -> bool) -> io::Result<ExitStatus> {
    let Some(pid) = Pid::from_raw(child.id() as i32) else {
        return child.wait();
    };
    let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else {
        return child.wait();
    };
    let mut is_told = false;
    while !has_ended(&handle) {
        if is_over() && !is_told {
            is_told = true;
            // It may have ended just now.
            let _ = kill_process(pid, Signal::TERM);
        }
    }
    child.wait()
}

/// Whether a process has ended within a step.
pub(super) fn has_ended(handle: &OwnedFd) -> bool {
    let step = Timespec {
        tv_sec: 0,
        tv_nsec: STEP.0 as i64,
    };
    let mut watched = [PollFd::new(handle, PollFlags::IN)];
    // What a signal interrupts is looked at again.
    poll(&mut watched, Some(&step)).is_ok_and(|found| found > 0)
}

/// How a command ended that did not end well.
fn in_words(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit status {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "it did not end".to_owned(),
    }
}
