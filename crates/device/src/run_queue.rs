//! How long the threads of this process were ready to run and had no processor.

use std::collections::BTreeMap;
use std::path::Path;

use crate::error::DeviceError;
use crate::process::ThreadSchedule;
use crate::sysfs::names_in;

/// What each thread has waited for a processor so far, by thread number.
///
/// The kernel counts from when a thread is ready to when it runs. So a thread that wakes up onto
/// an idle processor waits as well, for as long as waking that up takes, though nobody keeps it
/// waiting; [`Self::longest_since`] takes that off.
///
/// A thread that has ended is gone from the kernel's list: look from time to time, and the last
/// look is what is known of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunQueue(BTreeMap<u32, ThreadSchedule>);

impl RunQueue {
    /// Looks at the threads that are alive. An error where the kernel keeps no such statistics.
    pub fn read() -> Result<Self, DeviceError> {
        let tasks = Path::new("/proc/self/task");
        let found = Self::read_below(tasks)?;
        if found.0.is_empty() {
            return Err(DeviceError::malformed("schedstat of the threads", ""));
        }
        Ok(found)
    }

    fn read_below(tasks: &Path) -> Result<Self, DeviceError> {
        let mut waits = BTreeMap::new();
        for task in names_in(tasks)? {
            let seen = ThreadSchedule::of_task(&tasks.join(&task));
            if let (Ok(task), Some(seen)) = (task.parse(), seen) {
                waits.insert(task, seen);
            }
        }
        Ok(Self(waits))
    }

    /// Takes over what a later look saw; threads that have ended meanwhile keep their last value.
    pub fn update(&mut self, later: Self) {
        self.0.extend(later.0);
    }

    /// The longest wait of one thread since `earlier`, over all its waits, nanoseconds, without the
    /// `wake_ns` that each may take onto an idle processor; threads that are new since are left
    /// out, since what they waited before the begin is not known.
    pub fn longest_since(&self, earlier: &Self, wake_ns: u64) -> u64 {
        let waits = self.0.iter().filter_map(|(task, now)| {
            let then = earlier.0.get(task)?;
            let waking_ns = now.runs.saturating_sub(then.runs).saturating_mul(wake_ns);
            let waited_ns = now.waited_ns.saturating_sub(then.waited_ns);
            Some(waited_ns.saturating_sub(waking_ns))
        });
        waits.max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_wait_is_that_of_one_thread() {
        let waits = |waited_ns| ThreadSchedule {
            waited_ns,
            ..ThreadSchedule::default()
        };
        let of = |all: &[(u32, u64)]| {
            RunQueue(all.iter().map(|(task, ns)| (*task, waits(*ns))).collect())
        };
        let begin = of(&[(1, 100), (2, 50)]);
        let mut now = begin.clone();
        now.update(of(&[(1, 150), (2, 200), (3, 900)]));
        now.update(of(&[(1, 170)]));
        assert_eq!(now.longest_since(&begin, 0), 150);
    }

    /// 16,000 wake-ups of 35 µs in four seconds are 14 % of them, and nobody was waited for.
    #[test]
    fn waking_up_onto_an_idle_processor_is_no_wait() {
        let of = |waited_ns, runs| {
            let ran_ns = 0;
            let schedule = ThreadSchedule {
                ran_ns,
                waited_ns,
                runs,
            };
            RunQueue([(1, schedule)].into())
        };
        let begin = of(1_000, 10);
        let idle = of(1_000 + 16_000 * 35_000, 16_010);
        assert_eq!(idle.longest_since(&begin, 40_000), 0);
        let starved = of(1_000 + 16_000 * 35_000 + 2_000_000_000, 16_010);
        assert_eq!(starved.longest_since(&begin, 35_000), 2_000_000_000);
    }

    #[test]
    fn what_a_thread_waited_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let task = dir.path().join("17");
        std::fs::create_dir(&task).unwrap();
        std::fs::write(task.join("schedstat"), "1000 20 3\n").unwrap();
        let expected = RunQueue(
            [(
                17,
                ThreadSchedule {
                    ran_ns: 1000,
                    waited_ns: 20,
                    runs: 3,
                },
            )]
            .into(),
        );
        assert_eq!(RunQueue::read_below(dir.path()).unwrap(), expected);
    }
}
