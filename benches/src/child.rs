//! Running one child and saying what it cost: wall time, CPU of its whole tree, peak memory.
//!
//! CPU comes from the kernel's account of *waited-for children* in this process's own stat file:
//! it counts all threads of the child and all children it waited for, the kernel's io_uring workers
//! and submission thread included, which a tool's own figure may leave out. The account is kept in
//! nanoseconds and shown in ticks of 10 ms, so a difference is off by less than one tick, with no
//! bias. Children must therefore run one at a time.

use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};

use anyhow::{Context, Result, bail};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};
use rustix::time::{ClockId, clock_gettime};

use crate::interrupt::Interrupt;

/// How long a child that was asked to end may take before it is killed.
const GRACE_NS: u64 = 10_000_000_000;

/// What one child cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "the unit belongs in the name")]
pub(crate) struct Cost {
    pub(crate) wall_ns: u64,
    pub(crate) user_ns: u64,
    pub(crate) kernel_ns: u64,
}

/// Run `command` to its end, which must come within `limit_ns`, and say how it ended.
///
/// # Errors
/// The command cannot be started, or did not end in time (it is then killed).
pub(crate) fn run(
    command: &mut Command,
    limit_ns: u64,
    interrupt: &Interrupt,
) -> Result<(ExitStatus, Cost)> {
    let before = CpuOfChildren::read()?;
    let started_ns = now_ns();
    let mut child = spawn(command)?;
    wait(&mut child, started_ns + limit_ns, interrupt)?;
    let wall_ns = now_ns() - started_ns;
    let status = child.wait()?;
    let after = CpuOfChildren::read()?;
    let cost = Cost {
        wall_ns,
        user_ns: after.user_ns - before.user_ns,
        kernel_ns: after.kernel_ns - before.kernel_ns,
    };
    Ok((status, cost))
}

/// Run `command` and watch the peak resident memory of the child and its children, in bytes; the
/// largest of any one process, as `wait4` reports it.
///
/// This reads the kernel's own high-water mark over and over until the child ends, so a peak in
/// the last tens of microseconds can be missed; `wait4` would not miss it, but counts the memory
/// of the process that forked the child, too. Never combine with a time measurement.
pub(crate) fn peak_memory_bytes(command: &mut Command) -> Result<u64> {
    let mut child = spawn(command)?;
    let mut peak_kib = 0;
    while child.try_wait()?.is_none() {
        peak_kib = peak_kib.max(peak_of_tree_kib(child.id()));
    }
    Ok(peak_kib * 1024)
}

fn spawn(command: &mut Command) -> Result<Child> {
    let program = command.get_program().display().to_string();
    command
        .spawn()
        .with_context(|| format!("cannot start {program}"))
}

/// Wait until the child has ended, without reaping it. Ends it when the time is up, or when a
/// signal came to this process alone.
fn wait(child: &mut Child, deadline_ns: u64, interrupt: &Interrupt) -> Result<()> {
    let pid = Pid::from_child(child);
    let pidfd = pidfd_open(pid, PidfdFlags::empty()).context("cannot watch the child")?;
    let mut deadline_ns = deadline_ns;
    let mut told = false;
    loop {
        let left_ns = deadline_ns.saturating_sub(now_ns());
        let timeout = Timespec {
            tv_sec: (left_ns / 1_000_000_000) as i64,
            tv_nsec: (left_ns % 1_000_000_000) as i64,
        };
        let mut fds = [PollFd::new(&pidfd, PollFlags::IN)];
        match poll(&mut fds, Some(&timeout)) {
            Ok(0) if told => {
                child.kill()?;
                child.wait()?;
                bail!("it had to be killed");
            }
            Ok(0) => {}
            Ok(_) => return Ok(()),
            Err(rustix::io::Errno::INTR) if !interrupt.requested() || told => continue,
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error).context("cannot wait for the child"),
        }
        kill_process(pid, Signal::TERM).context("cannot end the child")?;
        told = true;
        deadline_ns = now_ns() + GRACE_NS;
    }
}

/// The monotonic clock. Not the one of Fathom's engine: what is weighed must not bring the scale.
fn now_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// CPU time of all children this process has waited for, and of theirs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CpuOfChildren {
    user_ns: u64,
    kernel_ns: u64,
}

impl CpuOfChildren {
    fn read() -> Result<Self> {
        let text = std::fs::read_to_string("/proc/self/stat").context("/proc/self/stat")?;
        Self::parse(&text, rustix::param::clock_ticks_per_second())
            .with_context(|| format!("/proc/self/stat: unexpected content: {text}"))
    }

    /// Fields 16 and 17 of proc_pid_stat(5). The second field is a name in brackets that may hold
    /// anything, brackets included, so count from the last bracket.
    fn parse(text: &str, ticks_per_second: u64) -> Option<Self> {
        let (_, after_name) = text.rsplit_once(')')?;
        let mut fields = after_name.split_ascii_whitespace().skip(13);
        let mut next_ns =
            || Some(fields.next()?.parse::<u64>().ok()? * (1_000_000_000 / ticks_per_second));
        Some(Self {
            user_ns: next_ns()?,
            kernel_ns: next_ns()?,
        })
    }
}

/// The largest high-water mark of a process and its descendants, in KiB; 0 for those that are gone.
fn peak_of_tree_kib(pid: u32) -> u64 {
    let folder = format!("/proc/{pid}");
    let read = |name: &str| -> io::Result<String> {
        std::fs::read_to_string(Path::new(&folder).join(name))
    };
    let own = read("status")
        .ok()
        .and_then(|text| high_water_kib(&text))
        .unwrap_or(0);
    let children = read(&format!("task/{pid}/children")).unwrap_or_default();
    children
        .split_ascii_whitespace()
        .filter_map(|child| child.parse().ok())
        .map(peak_of_tree_kib)
        .fold(own, u64::max)
}

/// The `VmHWM` line of proc_pid_status(5). A process that is ending has none.
fn high_water_kib(status: &str) -> Option<u64> {
    let value = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    value.trim().strip_suffix(" kB")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn stat_is_read_after_the_last_bracket() {
        let text = "77 (a) b (c)) S 1 77 77 0 -1 4194560 1024 0 0 0 11 12 215 5 20 0 1 0 9 1 2";
        let cpu = CpuOfChildren::parse(text, 100).unwrap();
        assert_eq!(
            cpu,
            CpuOfChildren {
                user_ns: 2_150_000_000,
                kernel_ns: 50_000_000
            }
        );
        assert_eq!(CpuOfChildren::parse("77 (sh) S 1 2", 100), None);
    }

    #[test]
    fn the_high_water_mark_is_in_kib() {
        assert_eq!(
            high_water_kib("VmPeak:\t 9 kB\nVmHWM:\t    6500 kB\n"),
            Some(6500)
        );
        assert_eq!(high_water_kib("State:\tZ (zombie)\n"), None);
    }

    #[test]
    fn the_cpu_of_grandchildren_counts() {
        // Half a million additions in a grandchild cost far more than a tick of 10 ms.
        let script = "(i=0; while [ $i -lt 500000 ]; do i=$((i+1)); done) & wait";
        let (status, cost) =
            run(&mut shell(script), 60_000_000_000, &Interrupt::default()).unwrap();
        assert_eq!(status.code(), Some(0));
        assert!(cost.user_ns >= 10_000_000, "{cost:?}");
    }

    #[test]
    fn a_child_that_outlives_its_time_is_ended() {
        let (status, _) = run(&mut shell("exec sleep 600"), 1, &Interrupt::default()).unwrap();
        assert_eq!(
            std::os::unix::process::ExitStatusExt::signal(&status),
            Some(15)
        );
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = run(
            &mut Command::new("/nonexistent/tool"),
            1,
            &Interrupt::default(),
        )
        .unwrap_err();
        assert_eq!(error.to_string(), "cannot start /nonexistent/tool");
    }
}
