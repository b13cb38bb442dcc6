//! The states in which processors wait for work: how long each takes to leave, how often and how
//! long they were in it (kernel documentation, admin-guide/pm/cpuidle).

use std::path::{Path, PathBuf};

use crate::counter::Position::Attribute;
use crate::counter::{Family as _, counters};
use crate::error::DeviceError;
use crate::sysfs::{names_in, text, value};

counters! {
    /// What is counted of one idle state of one processor since the machine began.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) struct Idling in "/sys/devices/system/cpu/cpu*/cpuidle/state*/" {
        /// Times that the processor entered the state.
        entries: u64 = Attribute("usage"), Number;
        /// Time spent in it.
        time_ns: u64 = Attribute("time"), Microseconds;
    }
}

/// One idle state over all processors that have it, counted since the machine began or between
/// two looks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdleState {
    /// What the driver calls it, as `C6`.
    pub name: String,
    /// Time to leave it, as the driver says, nanoseconds.
    pub exit_latency_ns: u64,
    /// Times that a processor entered it.
    pub entries: u64,
    /// Time spent in it, all processors together, nanoseconds.
    pub time_ns: u64,
}

/// Where the states of all processors are counted: found once, read as often as needed.
#[derive(Clone, Debug, Default)]
pub struct IdleStates {
    /// Folders of one state, one for each processor.
    states: Vec<(IdleState, Vec<PathBuf>)>,
}

impl IdleStates {
    /// Those of this machine; an error where the kernel shows none.
    pub fn live() -> Result<Self, DeviceError> {
        let folder = Path::new("/sys/devices/system/cpu");
        let found = Self::below(folder)?;
        if found.states.is_empty() {
            return Err(DeviceError::malformed("idle states of the processors", ""));
        }
        Ok(found)
    }

    fn below(folder: &Path) -> Result<Self, DeviceError> {
        let mut states: Vec<(IdleState, Vec<PathBuf>)> = Vec::new();
        for processor in names_in(folder)? {
            let own = folder.join(processor).join("cpuidle");
            for state in names_in(&own).unwrap_or_default() {
                let place = own.join(state);
                let (Some(name), Some(us)) =
                    (text(&place, "name"), value::<u64>(&place, "latency"))
                else {
                    continue;
                };
                let known = states.iter_mut().find(|(state, _)| {
                    state.name == name && state.exit_latency_ns == us.saturating_mul(1_000)
                });
                if let Some((_, places)) = known {
                    places.push(place);
                } else {
                    let state = IdleState {
                        name,
                        exit_latency_ns: us.saturating_mul(1_000),
                        ..IdleState::default()
                    };
                    states.push((state, vec![place]));
                }
            }
        }
        Ok(Self { states })
    }

    /// What was counted by now.
    pub fn read(&self) -> Vec<IdleState> {
        let read = |(state, places): &(IdleState, Vec<PathBuf>)| {
            let mut state = state.clone();
            for place in places {
                let found = Idling::reading(|counter| Some(counter.below(place).unwrap_or(0)));
                if let Some(found) = found {
                    state.entries += found.entries;
                    state.time_ns += found.time_ns;
                }
            }
            state
        };
        self.states.iter().map(read).collect()
    }
}

impl IdleState {
    /// What each was counted between two looks at the same states.
    pub fn between(then: &[Self], now: &[Self]) -> Vec<Self> {
        let both = then.iter().zip(now);
        let passed = both.map(|(then, now)| Self {
            entries: now.entries.saturating_sub(then.entries),
            time_ns: now.time_ns.saturating_sub(then.time_ns),
            ..now.clone()
        });
        passed.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn write(cpus: &Path, place: &str, name: &str, latency: u64, usage: u64, time: u64) {
        let dir = cpus.join(place);
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join("name"), format!("{name}\n")).unwrap();
        for (file, value) in [("latency", latency), ("usage", usage), ("time", time)] {
            fs::write(dir.join(file), format!("{value}\n")).unwrap();
        }
    }

    #[test]
    fn states_are_summed_over_processors() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), "cpu0/cpuidle/state0", "POLL", 0, 3, 10);
        write(dir.path(), "cpu0/cpuidle/state1", "C6", 133, 5, 1_000);
        write(dir.path(), "cpu1/cpuidle/state1", "C6", 133, 7, 2_000);
        // One core of another sort.
        write(dir.path(), "cpu2/cpuidle/state1", "C6", 200, 1, 50);
        fs::create_dir_all(dir.path().join("cpufreq")).unwrap();
        let states = IdleStates::below(dir.path()).unwrap();
        let then = states.read();
        let state = |name: &str, exit_latency_ns, entries, time_ns| IdleState {
            name: name.to_owned(),
            exit_latency_ns,
            entries,
            time_ns,
        };
        assert_eq!(
            then,
            [
                state("POLL", 0, 3, 10_000),
                state("C6", 133_000, 12, 3_000_000),
                state("C6", 200_000, 1, 50_000)
            ]
        );
        write(dir.path(), "cpu1/cpuidle/state1", "C6", 133, 17, 2_500);
        assert_eq!(
            IdleState::between(&then, &states.read()),
            [
                state("POLL", 0, 0, 0),
                state("C6", 133_000, 10, 500_000),
                state("C6", 200_000, 0, 0)
            ]
        );
    }
}
