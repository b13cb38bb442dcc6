//! How fast the processors run now.

use std::path::{Path, PathBuf};

use crate::counter::{Counter, Position, Unit};
use crate::sysfs::names_in;

/// The frequency of a processor.
pub(crate) const CURRENT: Counter = Counter {
    file: "/sys/devices/system/cpu/cpu*/",
    position: Position::Attribute("cpufreq/scaling_cur_freq"),
    unit: Unit::Kilohertz,
    name: "mean_khz",
    meaning: "What the processor runs at now, a level; the mean over all that say",
};

/// The files of the CPUs' frequencies: found once, read as often as needed.
#[derive(Clone, Debug, Default)]
pub struct Frequencies {
    /// Folders of processors. Their files are not kept open: there may be hundreds.
    processors: Vec<PathBuf>,
}

impl Frequencies {
    /// Those of this machine; none where the kernel does not say, as in most virtual machines.
    pub fn live() -> Self {
        Self::below(Path::new("/sys/devices/system/cpu"))
    }

    fn below(cpus: &Path) -> Self {
        let names = names_in(cpus).unwrap_or_default();
        let all = names.iter().map(|name| cpus.join(name));
        Self {
            processors: all.filter(|one| CURRENT.is_below(one)).collect(),
        }
    }

    /// Mean of the present frequencies of the processors, kHz, if any tells its own.
    pub fn mean_khz(&self) -> Option<u64> {
        let each = self.processors.iter().filter_map(|one| CURRENT.below(one));
        let frequencies: Vec<u64> = each.collect();
        let sum: u64 = frequencies.iter().sum();
        sum.checked_div(frequencies.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_mean_is_over_those_that_say() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Frequencies::below(dir.path()).mean_khz(), None);
        for (cpu, khz) in [("cpu0", "2000000\n"), ("cpu1", "3000000\n"), ("cpu2", "\n")] {
            let cpufreq = dir.path().join(cpu).join("cpufreq");
            fs::create_dir_all(&cpufreq).unwrap();
            fs::write(cpufreq.join("scaling_cur_freq"), khz).unwrap();
        }
        fs::create_dir(dir.path().join("cpuidle")).unwrap();
        let frequencies = Frequencies::below(dir.path());
        assert_eq!(frequencies.mean_khz(), Some(2_500_000));
        fs::write(
            dir.path().join("cpu1/cpufreq/scaling_cur_freq"),
            "2200000\n",
        )
        .unwrap();
        assert_eq!(frequencies.mean_khz(), Some(2_100_000));
    }
}
