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
    /// A look that found these.
    pub fn of(threads: impl IntoIterator<Item = (u32, Waited)>) -> Self {
        let schedule = |one: Waited| ThreadSchedule {
            waited_ns: one.ns,
            runs: one.runs,
            ..ThreadSchedule::default()
        };
        let threads = threads.into_iter();
        Self(threads.map(|(task, one)| (task, schedule(one))).collect())
    }

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

    /// Forgets the threads that `now` does not have: they have ended.
    pub fn forget_ended(&mut self, now: &Self) {
        self.0.retain(|task, _| now.0.contains_key(task));
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.0.len()
    }

    /// The longest wait of one thread since `earlier`, over all its waits, nanoseconds, without the
    /// `wake_ns` that each may take onto an idle processor. A thread that is new since has waited
    /// for all of its time.
    pub fn longest_since(&self, earlier: &Self, wake_ns: u64) -> u64 {
        let waits = self.waits(earlier);
        waits
            .map(|one| one.without_waking(wake_ns))
            .max()
            .unwrap_or(0)
    }

    /// The longest wait of one thread since `earlier`, with what waking up takes.
    pub fn longest(&self, earlier: &Self) -> Waited {
        self.waits(earlier).max().unwrap_or_default()
    }

    fn waits<'a>(&'a self, earlier: &'a Self) -> impl Iterator<Item = Waited> + 'a {
        self.0.iter().map(|(task, now)| {
            let then = earlier.0.get(task).copied().unwrap_or_default();
            Waited {
                ns: now.waited_ns.saturating_sub(then.waited_ns),
                runs: now.runs.saturating_sub(then.runs),
            }
        })
    }
}

/// What one thread waited for a processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Waited {
    /// All waits together, nanoseconds.
    pub ns: u64,
    /// Times that it was given a processor.
    pub runs: u64,
}

impl Waited {
    /// Nanoseconds, without what each wake-up takes onto an idle processor.
    pub const fn without_waking(self, wake_ns: u64) -> u64 {
        self.ns.saturating_sub(self.runs.saturating_mul(wake_ns))
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
        assert_eq!(now.longest_since(&begin, 0), 900);
        now.forget_ended(&of(&[(1, 0), (2, 0)]));
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
