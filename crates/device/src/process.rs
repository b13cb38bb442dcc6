//! What this process has cost so far, kernel helpers included, and what the whole machine did:
//! the raw side of the CPU ledger.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::counter::Position::{After, Column};
use crate::counter::{Family as _, counters};
use crate::error::DeviceError;
use crate::platform;
use crate::processor::CpuTicks;
use crate::sysfs::names_in;

/// Resources used by all threads of this process since it began, from getrusage(2).
///
/// The kernel's io_uring workers and its submission thread are threads of the process, so their
/// time is in here, also after they have ended. The sum of user and system time is exact; how it
/// divides is, on most kernels, estimated from which of the two each timer tick met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessUsage {
    /// CPU time in user mode.
    pub user_ns: u64,
    /// CPU time in the kernel.
    pub system_ns: u64,
    /// Times a thread gave up the CPU to wait. On Windows all switches, of threads that are there
    /// yet.
    pub voluntary_switches: u64,
    /// Times a thread was made to give up the CPU.
    pub involuntary_switches: u64,
    /// Page faults that needed I/O.
    pub major_faults: u64,
    /// Page faults that needed none.
    pub minor_faults: u64,
    /// Largest resident set so far. A maximum: not a difference in [`ProcessUsage::since`].
    pub max_rss_bytes: u64,
}

impl ProcessUsage {
    /// Reads the usage up to now.
    pub fn read() -> Result<Self, DeviceError> {
        platform::of_process().map_err(|error| DeviceError::read("getrusage", error))
    }

    /// CPU time alone, for frequent looks: on Windows the switches take a list of all processes.
    pub fn cpu_ns() -> Result<u64, DeviceError> {
        platform::cpu_of_process().map_err(|error| DeviceError::read("getrusage", error))
    }

    /// What was used since `earlier`.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        let difference = |now: u64, then: u64| now.saturating_sub(then);
        Self {
            user_ns: difference(self.user_ns, earlier.user_ns),
            system_ns: difference(self.system_ns, earlier.system_ns),
            voluntary_switches: difference(self.voluntary_switches, earlier.voluntary_switches),
            involuntary_switches: difference(
                self.involuntary_switches,
                earlier.involuntary_switches,
            ),
            major_faults: difference(self.major_faults, earlier.major_faults),
            minor_faults: difference(self.minor_faults, earlier.minor_faults),
            max_rss_bytes: self.max_rss_bytes,
        }
    }
}

/// What one thread has suffered so far, from getrusage(2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThreadUsage {
    /// Times that it gave up the processor or was made to.
    pub switches: u64,
    /// Its page faults that needed I/O.
    pub major_faults: u64,
}

impl ThreadUsage {
    /// That of the calling thread.
    pub fn read() -> Result<Self, DeviceError> {
        platform::of_thread().map_err(|error| DeviceError::read("getrusage", error))
    }

    /// What it suffered since `earlier`.
    #[must_use]
    pub const fn since(&self, earlier: &Self) -> Self {
        Self {
            switches: self.switches.saturating_sub(earlier.switches),
            major_faults: self.major_faults.saturating_sub(earlier.major_faults),
        }
    }
}

/// Kernel threads that do this process's I/O.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IoThreads {
    /// Workers to which io_uring hands requests that the device cannot take without waiting.
    pub workers: u32,
    /// Threads that poll a submission queue.
    pub pollers: u32,
}

impl IoThreads {
    /// Counts them now. They end a few seconds after they have nothing to do.
    pub fn read() -> Result<Self, DeviceError> {
        Self::read_below(Path::new("/proc/self/task"))
    }

    /// Processor time that those which are alive have used, nanoseconds. Zero where the kernel
    /// keeps no such statistics.
    pub fn cpu_ns() -> Result<u64, DeviceError> {
        Self::cpu_ns_below(Path::new("/proc/self/task"))
    }

    fn cpu_ns_below(tasks: &Path) -> Result<u64, DeviceError> {
        let mut sum = 0;
        for task in names_in(tasks)? {
            let task = tasks.join(task);
            let name = crate::input::read_text(task.join("comm")).unwrap_or_default();
            if name.starts_with("iou-") {
                sum += ThreadSchedule::of_task(&task).map_or(0, |one| one.ran_ns);
            }
        }
        Ok(sum)
    }

    fn read_below(tasks: &Path) -> Result<Self, DeviceError> {
        let mut threads = Self::default();
        for task in names_in(tasks)? {
            // A thread may end between listing and reading.
            let name = crate::input::read_text(tasks.join(task).join("comm")).unwrap_or_default();
            if name.starts_with("iou-wrk") {
                threads.workers += 1;
            } else if name.starts_with("iou-sqp") {
                threads.pollers += 1;
            }
        }
        Ok(threads)
    }
}

counters! {
    /// What a thread had of the processors since it began (kernel documentation,
    /// scheduler/sched-stats).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub(crate) struct ThreadSchedule in "/proc/PID/task/TID/schedstat" {
        /// Time on a processor.
        ran_ns: u64 = Column(1), Nanoseconds;
        /// Time from when it was ready to when it ran.
        waited_ns: u64 = Column(2), Nanoseconds;
        /// Times that it was given a processor.
        runs: u64 = Column(3), Number;
    }
}

impl ThreadSchedule {
    /// That of the thread with this folder; none where it has ended, or the kernel keeps none.
    pub(crate) fn of_task(folder: &Path) -> Option<Self> {
        let text = crate::input::read_text(folder.join("schedstat")).ok()?;
        let numbers = text.split_whitespace().map(str::parse);
        let numbers: Vec<u64> = numbers.collect::<Result<_, _>>().ok()?;
        Self::reading(|counter| counter.in_columns(1, &numbers))
    }
}

counters! {
    /// Bytes that a process has moved.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub struct ProcessIo in "/proc/PID/io" {
        /// Bytes it caused to be read from storage.
        read_bytes: u64 = After("read_bytes"), Bytes;
        /// Bytes it caused, or will cause, to be written to storage.
        written_bytes: u64 = After("write_bytes"), Bytes;
        /// Of those, bytes that will never be written because the dirty pages were discarded.
        cancelled_write_bytes: u64 = After("cancelled_write_bytes"), Bytes;
    }
}

impl ProcessIo {
    /// Reads those of this process now. A kernel without task accounting has none, and a container
    /// may forbid it.
    pub fn read() -> Result<Self, DeviceError> {
        Self::of_process(Path::new("/proc/self"))
    }

    /// Those of the process with this folder.
    pub(crate) fn of_process(folder: &Path) -> Result<Self, DeviceError> {
        let path = folder.join("io");
        let text =
            crate::input::read_text(&path).map_err(|error| DeviceError::read(&path, error))?;
        let found = Self::reading(|counter| counter.in_lines(&text));
        found.ok_or_else(|| DeviceError::malformed(path.display().to_string(), text))
    }
}

/// CPU time of the whole machine in clock ticks since it began, summed over CPUs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineTicks {
    /// All, idle time included.
    pub total: u64,
    /// Wanted by this guest and given to another by the hypervisor; 0 where nobody tells.
    pub steal: u64,
    /// Whether the kernel has a count of that.
    pub tells_steal: bool,
    /// Idle, with or without I/O outstanding.
    pub idle: u64,
    /// User mode, with lowered priority or not.
    pub user: u64,
    /// Kernel, interrupts included.
    pub system: u64,
    /// Of the idle time, with a task that waited for I/O.
    pub iowait: u64,
}

impl MachineTicks {
    /// Reads them from `/proc/stat`.
    pub fn read() -> Result<Self, DeviceError> {
        Ok(Self::of(&CpuTicks::read()?.all))
    }

    fn of(ticks: &CpuTicks) -> Self {
        let steal = ticks.steal.unwrap_or(0);
        let (user, system, idle) = (
            ticks.in_user_mode(),
            ticks.in_kernel(),
            ticks.without_work(),
        );
        Self {
            total: user + system + idle + steal,
            steal,
            tells_steal: ticks.steal.is_some(),
            idle,
            user,
            system,
            iowait: ticks.iowait.unwrap_or(0),
        }
    }

    /// What passed since `earlier`.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            total: self.total.saturating_sub(earlier.total),
            steal: self.steal.saturating_sub(earlier.steal),
            tells_steal: self.tells_steal,
            idle: self.idle.saturating_sub(earlier.idle),
            user: self.user.saturating_sub(earlier.user),
            system: self.system.saturating_sub(earlier.system),
            iowait: self.iowait.saturating_sub(earlier.iowait),
        }
    }

    /// Share of the time that was stolen; none if no time passed.
    pub fn steal_share(&self) -> Option<f64> {
        (self.total > 0).then(|| self.steal as f64 / self.total as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn usage_grows_with_work() {
        let before = ProcessUsage::read().unwrap();
        // Milliseconds of work: the kernel charges microseconds.
        let sum = (0..1_000_000_u64).fold(0, |sum, n| std::hint::black_box(sum ^ n));
        std::hint::black_box(sum);
        let used = ProcessUsage::read().unwrap().since(&before);
        assert!(used.user_ns + used.system_ns > 0);
        assert!(used.max_rss_bytes > 1 << 20);
    }

    #[test]
    fn a_thread_counts_its_own_switches() {
        let before = ThreadUsage::read().unwrap();
        std::thread::spawn(|| ()).join().unwrap();
        let after = ThreadUsage::read().unwrap();
        assert_eq!(after.since(&after), ThreadUsage::default());
        assert!(after.switches >= before.switches);
    }

    #[test]
    fn kernel_threads_are_counted_by_name() {
        let dir = tempfile::tempdir().unwrap();
        let names = [
            "fathom",
            "iou-wrk-4711",
            "iou-wrk-4711",
            "iou-sqp-4711",
            "worker-0",
        ];
        for (task, name) in names.iter().enumerate() {
            let task = dir.path().join(task.to_string());
            fs::create_dir(&task).unwrap();
            fs::write(task.join("comm"), format!("{name}\n")).unwrap();
            fs::write(task.join("schedstat"), "1000 20 3\n").unwrap();
        }
        // A thread that ended after it was listed.
        fs::create_dir(dir.path().join("99")).unwrap();
        let found = IoThreads::read_below(dir.path()).unwrap();
        assert_eq!(IoThreads::cpu_ns_below(dir.path()).unwrap(), 3000);
        assert_eq!(
            found,
            IoThreads {
                workers: 2,
                pollers: 1
            }
        );
        assert_eq!(IoThreads::read().unwrap(), IoThreads::default());
    }

    #[test]
    fn guest_time_is_not_counted_twice() {
        let text = "cpu  100 10 50 800 20 3 2 15 40 5\nctxt 1\nbtime 1\nprocesses 1\n";
        let ticks = MachineTicks::of(&CpuTicks::parse(text).unwrap().all);
        assert_eq!(
            ticks,
            MachineTicks {
                total: 1000,
                steal: 15,
                tells_steal: true,
                idle: 820,
                user: 110,
                system: 55,
                iowait: 20
            }
        );
        assert_eq!(ticks.steal_share(), Some(0.015));
        assert_eq!(ticks.since(&ticks).steal_share(), None);
    }

    #[test]
    fn the_running_kernel_is_understood() {
        assert!(MachineTicks::read().unwrap().total > 0);
        match ProcessIo::read() {
            Ok(io) => assert!(io.cancelled_write_bytes <= io.written_bytes),
            Err(error) => fathom_testing::skip(error),
        }
    }
}
