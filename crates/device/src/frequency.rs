//! How fast the processors run now.

use std::path::Path;

use crate::sysfs::{names_in, value};

/// Mean of the present frequencies of the processors, kHz; none where the kernel does not say, as
/// in most virtual machines.
pub fn mean_khz() -> Option<u64> {
    mean_khz_below(Path::new("/sys/devices/system/cpu"))
}

fn mean_khz_below(cpus: &Path) -> Option<u64> {
    let names = names_in(cpus).ok()?;
    let frequencies: Vec<u64> = names
        .iter()
        .filter_map(|name| value(&cpus.join(name), "cpufreq/scaling_cur_freq"))
        .collect();
    let sum: u64 = frequencies.iter().sum();
    sum.checked_div(frequencies.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_mean_is_over_those_that_say() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(mean_khz_below(dir.path()), None);
        for (cpu, khz) in [("cpu0", "2000000\n"), ("cpu1", "3000000\n")] {
            let cpufreq = dir.path().join(cpu).join("cpufreq");
            fs::create_dir_all(&cpufreq).unwrap();
            fs::write(cpufreq.join("scaling_cur_freq"), khz).unwrap();
        }
        fs::create_dir(dir.path().join("cpuidle")).unwrap();
        assert_eq!(mean_khz_below(dir.path()), Some(2_500_000));
    }
}
