//! The processors of the machine: where each is, and what each has done.

use std::collections::BTreeMap;
use std::path::Path;

use crate::counter::Position::Column;
use crate::counter::{Family as _, counters};
use crate::error::DeviceError;
use crate::sysfs::{names_in, text, value};

/// Where a processor is. What the kernel does not say is 0, but for the core: each is its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Processor {
    pub number: u32,
    /// The core that it is a thread of; numbered through the machine.
    pub core: u32,
    /// The package that it is in.
    pub socket: u32,
    /// The memory that is nearest to it.
    pub node: u32,
}

counters! {
    /// What a processor has done since the machine began, or all of them together. Time of guests
    /// is part of the user's.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub(crate) struct CpuTicks in "/proc/stat" {
        /// In user mode.
        user: u64 = Column(2), Ticks;
        /// In user mode with lowered priority.
        nice: u64 = Column(3), Ticks;
        /// In the kernel.
        system: u64 = Column(4), Ticks;
        /// Without work.
        idle: u64 = Column(5), Ticks;
        /// Without work, while a task waited for I/O.
        iowait: Option<u64> = Column(6), Ticks;
        /// In interrupts.
        irq: Option<u64> = Column(7), Ticks;
        /// In work that interrupts left for later.
        softirq: Option<u64> = Column(8), Ticks;
        /// Wanted by this guest and given to another by the hypervisor.
        steal: Option<u64> = Column(9), Ticks;
    }
}

/// The processor time of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MachineTimes {
    /// Of all processors.
    pub(crate) all: CpuTicks,
    /// Of each that is online, by number.
    pub(crate) each: Vec<CpuTicks>,
}

impl CpuTicks {
    pub(crate) fn read() -> Result<MachineTimes, DeviceError> {
        let path = Path::new("/proc/stat");
        let text = crate::input::read_text(path).map_err(|error| DeviceError::read(path, error))?;
        Self::parse(&text)
    }

    /// Parses the text of `/proc/stat`, of which the lines of processors come first.
    pub(crate) fn parse(text: &str) -> Result<MachineTimes, DeviceError> {
        let lines = text.lines().take_while(|line| line.starts_with("cpu"));
        let mut found = lines.map(Self::of_line);
        let all = found.next();
        let all = all.unwrap_or_else(|| Err(DeviceError::malformed("/proc/stat", "")))?;
        let each = found.collect::<Result<_, _>>()?;
        Ok(MachineTimes { all, each })
    }

    fn of_line(line: &str) -> Result<Self, DeviceError> {
        let malformed = || DeviceError::malformed("/proc/stat", line);
        let numbers = line.split_whitespace().skip(1).map(str::parse);
        let numbers: Vec<u64> = numbers.collect::<Result<_, _>>().map_err(|_| malformed())?;
        Self::reading(|counter| counter.in_columns(2, &numbers)).ok_or_else(malformed)
    }

    pub(crate) const fn in_user_mode(&self) -> u64 {
        self.user + self.nice
    }

    /// Interrupts included, stolen time not.
    pub(crate) fn in_kernel(&self) -> u64 {
        self.system + self.irq.unwrap_or(0) + self.softirq.unwrap_or(0)
    }

    /// With or without I/O outstanding.
    pub(crate) fn without_work(&self) -> u64 {
        self.idle + self.iowait.unwrap_or(0)
    }
}

/// What a processor has done since the machine began, in clock ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessorTicks {
    /// In user mode.
    pub user: u64,
    /// In the kernel, interrupts and time stolen by the hypervisor included.
    pub kernel: u64,
    /// Without work, with or without I/O outstanding.
    pub idle: u64,
}

impl Processor {
    /// The processors online, by number.
    pub fn live() -> Vec<Self> {
        Self::below(Path::new("/sys/devices/system/cpu"))
    }

    fn below(folder: &Path) -> Vec<Self> {
        let mut cores = BTreeMap::new();
        let online = text(folder, "online").unwrap_or_default();
        let mut processors = Vec::new();
        for number in numbers(&online) {
            let own = folder.join(format!("cpu{number}"));
            let socket = value(&own, "topology/physical_package_id").unwrap_or(0);
            let core = value(&own, "topology/core_id").unwrap_or(number);
            let next = cores.len() as u32;
            let core = *cores.entry((socket, core)).or_insert(next);
            let links = names_in(&own).unwrap_or_default();
            let node = links
                .iter()
                .find_map(|name| name.strip_prefix("node")?.parse().ok());
            processors.push(Self {
                number,
                core,
                socket,
                node: node.unwrap_or(0),
            });
        }
        processors
    }
}

impl ProcessorTicks {
    /// Reads those of the processors online from `/proc/stat`, by number.
    pub fn read() -> Result<Vec<Self>, DeviceError> {
        Ok(CpuTicks::read()?.each.iter().map(Self::of).collect())
    }

    fn of(ticks: &CpuTicks) -> Self {
        Self {
            user: ticks.in_user_mode(),
            kernel: ticks.in_kernel() + ticks.steal.unwrap_or(0),
            idle: ticks.without_work(),
        }
    }

    /// Shares of the time since `earlier` in percent: user, kernel, idle. None if no tick passed.
    pub fn shares_since(&self, earlier: &Self) -> Option<[f64; 3]> {
        let user = self.user.saturating_sub(earlier.user);
        let kernel = self.kernel.saturating_sub(earlier.kernel);
        let idle = self.idle.saturating_sub(earlier.idle);
        let total = user + kernel + idle;
        let share = |ticks: u64| ticks as f64 / total as f64 * 100.0;
        (total > 0).then(|| [share(user), share(kernel), share(idle)])
    }
}

/// The numbers of a list as `0-3,6`.
fn numbers(list: &str) -> Vec<u32> {
    let part = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.trim().parse().ok()?..=last.trim().parse::<u32>().ok()?)
    };
    list.split(',').filter_map(part).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_found_where_they_are() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("online"), "0-2,4\n").unwrap();
        for (number, socket, core) in [(0, 0, 0), (1, 0, 0), (2, 1, 0)] {
            let own = folder.path().join(format!("cpu{number}"));
            std::fs::create_dir_all(own.join("topology")).unwrap();
            std::fs::create_dir(own.join(format!("node{socket}"))).unwrap();
            let write = |name: &str, value: u32| {
                std::fs::write(own.join("topology").join(name), format!("{value}\n")).unwrap();
            };
            write("physical_package_id", socket);
            write("core_id", core);
        }
        let processor = |number, core, socket, node| Processor {
            number,
            core,
            socket,
            node,
        };
        assert_eq!(
            Processor::below(folder.path()),
            [
                processor(0, 0, 0, 0),
                processor(1, 0, 0, 0),
                processor(2, 1, 1, 1),
                processor(4, 2, 0, 0)
            ]
        );
    }

    #[test]
    fn shares_are_of_the_time_that_passed() {
        let ticks = |user, kernel, idle| ProcessorTicks { user, kernel, idle };
        let (before, after) = (ticks(10, 10, 10), ticks(20, 40, 70));
        assert_eq!(after.shares_since(&before), Some([10.0, 30.0, 60.0]));
        assert_eq!(after.shares_since(&after), None);
    }

    #[test]
    fn the_running_machine_is_understood() {
        assert_eq!(
            Processor::live().len(),
            ProcessorTicks::read().unwrap().len()
        );
    }
}
