//! Programs that run beside the jobs of a call in fio's words.

use super::fio_commands::{STEP, has_ended};
use crate::aside;
use crate::error::system_words;
use fathom_core::Nanos;
use fathom_device::Door;
use fathom_tools::{JobCommands, JobProgram};
use rustix::event::{Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, nice, pidfd_open};
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// Those of a phase, each with a thread that ends it in time.
#[derive(Default)]
pub(super) struct Programs {
    is_over: Arc<AtomicBool>,
    running: Vec<JoinHandle<()>>,
}

impl Programs {
    /// Starts one for each clone; the jobs whose programs are not run, with why.
    pub(super) fn start(
        &mut self,
        door: &Door,
        of: &[JobCommands],
        is_quiet: bool,
    ) -> Vec<(String, String)> {
        self.is_over = Arc::default();
        let mut files = BTreeMap::new();
        let mut failed = Vec::new();
        let asked = of
            .iter()
            .filter_map(|one| Some((one, one.beside.as_ref()?)));
        for (one, program) in asked {
            for _ in 0..one.clones {
                let begun = prepare(door, program, &mut files).and_then(|command| {
                    let (program, is_over) = (program.clone(), Arc::clone(&self.is_over));
                    let thread = std::thread::Builder::new().name("program".to_owned());
                    let attend = move || {
                        let attended = attend(command, &program, &is_over);
                        if let Some(error) = attended.err().filter(|_| !is_quiet) {
                            let name = &program.words[0];
                            aside::say(&format!("note: {name}: {}", system_words(&error)));
                        }
                    };
                    let thread = thread.spawn(attend);
                    thread.map_err(|error| system_words(&error))
                });
                match begun {
                    Ok(thread) => self.running.push(thread),
                    Err(why) => failed.push((one.jobs.join(", "), why)),
                }
            }
        }
        failed
    }

    /// Ends those that still run, and waits until they have.
    pub(super) fn end(&mut self) {
        self.is_over.store(true, Ordering::Release);
        for thread in self.running.drain(..) {
            // A thread that has failed has no program left that it could end.
            let _ = thread.join();
        }
    }
}

impl Drop for Programs {
    fn drop(&mut self) {
        self.end();
    }
}

/// The call of a program. What clones say goes to one file, one after another.
fn prepare(
    door: &Door,
    program: &JobProgram,
    files: &mut BTreeMap<String, File>,
) -> Result<Command, String> {
    let [name, with @ ..] = &program.words[..] else {
        return Err("it has no name".to_owned());
    };
    let mut command = fathom_device::command(name);
    command.args(with).stdin(Stdio::null());
    let mut said = |file: &str| {
        if !files.contains_key(file) {
            let made = door.renewed(Path::new(file));
            let made = made.map_err(|error| format!("{file}: {error}"))?;
            files.insert(file.to_owned(), made);
        }
        files[file]
            .try_clone()
            .map_err(|error| system_words(&error))
    };
    if !program.errors.is_empty() {
        command.stdout(said(&program.command.file)?);
        command.stderr(said(&program.errors)?);
    }
    Ok(command)
}

/// Runs a program until it ends, its time is over or nothing runs any more that it is beside.
fn attend(mut command: Command, program: &JobProgram, is_over: &AtomicBool) -> io::Result<()> {
    let over = || is_over.load(Ordering::Acquire);
    let (mut waited, mut is_told) = (Nanos::ZERO, false);
    while waited < program.delay && !over() {
        rest();
        waited = waited.saturating_add(STEP);
    }
    if over() {
        return Ok(());
    }
    // The program has what the thread has that it comes from.
    nice(program.nice)?;
    let mut child = command.spawn()?;
    let handle = Pid::from_raw(child.id() as i32)
        .and_then(|pid| Some((pid, pidfd_open(pid, PidfdFlags::empty()).ok()?)));
    let Some((pid, handle)) = handle else {
        child.kill()?;
        return child.wait().map(|_| ());
    };
    let mut left = program.time;
    while !has_ended(&handle) {
        left = left.saturating_sub(STEP);
        if left > Nanos::ZERO && (is_told || !over()) {
            continue;
        }
        if is_told || program.grace == Nanos::ZERO {
            // It may have ended just now.
            let _ = child.kill();
            break;
        }
        is_told = true;
        left = program.grace;
        let _ = kill_process(pid, Signal::TERM);
    }
    child.wait().map(|_| ())
}

/// Lets a step pass.
fn rest() {
    let step = Timespec {
        tv_sec: 0,
        tv_nsec: STEP.0 as i64,
    };
    // What a signal interrupts is a shorter step.
    let _ = poll(&mut [], Some(&step));
}
