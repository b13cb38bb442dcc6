//! Processes, and the processors that they may use.

use std::io;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, ExitStatus};

use rustix::process::{Pid, Signal, kill_process};
use rustix::thread::{CpuSet, sched_getaffinity};

/// The signal that says that the parent has died.
pub(crate) const DEATH_OF_PARENT: Option<i32> = Some(Signal::TERM.as_raw());

/// Ends this process when its parent does, or at once if that is not `parent` any more.
pub(crate) fn end_with_parent(parent: i32) {
    // Where it cannot be asked for, the run goes on to its end.
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::TERM));
    // The parent may have been killed before.
    if rustix::process::getppid() != Pid::from_raw(parent) {
        // Of this thread, so that nothing is done any more: another one would only hear of it.
        let _ = super::emulate_default_handler(Signal::TERM.as_raw());
    }
}

/// Has a command be in a group of its own: a terminal's signals are not for it.
pub(crate) fn apart(command: &mut Command) -> &mut Command {
    command.process_group(0)
}

/// Asks a process to end, as Ctrl-C does.
pub(crate) fn interrupt(child: &Child) {
    // It may have heard of it already, or be gone.
    let _ = kill_process(Pid::from_child(child), Signal::INT);
}

/// Whether a process died of a signal that asks for an end.
pub(crate) fn was_asked_to_end(status: ExitStatus) -> bool {
    let asks = [Signal::INT, Signal::TERM, Signal::HUP].map(|signal| Some(signal.as_raw()));
    asks.contains(&status.signal())
}

/// All processors that this process may use.
///
/// # Errors
///
/// What the system said.
pub(crate) fn processors() -> io::Result<Vec<u32>> {
    let allowed = sched_getaffinity(None)?;
    let numbers = (0..CpuSet::MAX_CPU).filter(|cpu| allowed.is_set(*cpu));
    Ok(numbers.map(|cpu| cpu as u32).collect())
}

/// This program once more.
pub(crate) fn own() -> Command {
    fathom_device::command("/proc/self/exe")
}
