//! How long the threads of this process were ready to run and had no processor.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::error::DeviceError;
use crate::sysfs::names_in;

/// Time that each thread has waited for a processor so far, from the second field of its
/// `schedstat` (kernel documentation, scheduler/sched-stats), nanoseconds by thread number.
///
/// A thread that has ended is gone from the kernel's list: look from time to time, and the last
/// look is what is known of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunQueue(BTreeMap<u32, u64>);

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
            let text = fs::read_to_string(tasks.join(&task).join("schedstat"));
            let wait = text.ok().and_then(|text| {
                let second = text.split_whitespace().nth(1)?;
                second.parse::<u64>().ok()
            });
            if let (Ok(task), Some(wait)) = (task.parse(), wait) {
                waits.insert(task, wait);
            }
        }
        Ok(Self(waits))
    }

    /// Takes over what a later look saw; threads that have ended meanwhile keep their last value.
    pub fn update(&mut self, later: Self) {
        self.0.extend(later.0);
    }

    /// The longest wait of one thread since `earlier`, over all its waits; threads that are new
    /// since are left out, since what they waited before the begin is not known.
    pub fn longest_since(&self, earlier: &Self) -> u64 {
        let waits = self.0.iter().filter_map(|(task, wait)| {
            let then = earlier.0.get(task)?;
            Some(wait.saturating_sub(*then))
        });
        waits.max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_wait_is_that_of_one_thread() {
        let of = |waits: &[(u32, u64)]| RunQueue(waits.iter().copied().collect());
        let begin = of(&[(1, 100), (2, 50)]);
        let mut now = begin.clone();
        now.update(of(&[(1, 150), (2, 200), (3, 900)]));
        now.update(of(&[(1, 170)]));
        assert_eq!(now.longest_since(&begin), 150);
    }

    #[test]
    fn the_second_field_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let task = dir.path().join("17");
        fs::create_dir(&task).unwrap();
        fs::write(task.join("schedstat"), "1000 20 3\n").unwrap();
        let expected = RunQueue([(17, 20)].into());
        assert_eq!(RunQueue::read_below(dir.path()).unwrap(), expected);
    }
}
