//! The machine during the time series: what devices and processors did, interval by interval.

use super::device_use;
use fathom_core::Nanos;
use fathom_core::result::{CpuShares, DeviceUse, GroupUse, MachineInterval};
use fathom_device::{
    Cgroup, DevNum, DiskSample, GroupActivity, MachineTicks, ProcessUsage, Sampler,
};

/// Entries that a series may have, one for each device and interval: as many as the time series
/// of the jobs has intervals.
const ENTRIES: usize = 100_000;
/// Intervals are at least as long, however short those of the jobs are: a look costs some tens of
/// microseconds of the watching thread.
const SHORTEST: Nanos = Nanos::from_millis(100);

/// The counters at one instant.
#[derive(Clone, Debug)]
struct Look {
    at: Nanos,
    disks: Option<DiskSample>,
    ticks: Option<MachineTicks>,
    own_ns: u64,
    group: GroupActivity,
}

impl Look {
    fn take(sampler: &Sampler, (group, devices): (&Cgroup, &[DevNum]), at: Nanos) -> Self {
        Self {
            at,
            group: group.activity(devices),
            disks: sampler.sample(at.0).ok(),
            ticks: MachineTicks::read().ok(),
            own_ns: ProcessUsage::cpu_ns().unwrap_or(0),
        }
    }

    fn since(&self, earlier: &Self, origin: Nanos) -> MachineInterval {
        let devices = match (&earlier.disks, &self.disks) {
            (Some(then), Some(now)) => now.since(then).unwrap_or_default(),
            _ => Vec::new(),
        };
        let cpu = match (&earlier.ticks, &self.ticks) {
            (Some(then), Some(now)) => {
                shares(&now.since(then), self.own_ns.saturating_sub(earlier.own_ns))
            }
            _ => None,
        };
        MachineInterval {
            start_ns: earlier.at.saturating_sub(origin).0,
            length_ns: self.at.saturating_sub(earlier.at).0,
            devices: devices.iter().map(device_use).collect(),
            cpu,
            group: group_use(&earlier.group, &self.group),
            gauges: Vec::new(),
        }
    }
}

/// None where the kernel counts nothing for the group.
fn group_use(then: &GroupActivity, now: &GroupActivity) -> Option<GroupUse> {
    let passed = |then: Option<u64>, now: Option<u64>| Some(now?.saturating_sub(then?));
    let passed = GroupUse {
        ios: passed(then.ios, now.ios),
        bytes: passed(then.bytes, now.bytes),
        stalled_ns: passed(then.stalled_ns, now.stalled_ns),
    };
    (passed != GroupUse::default()).then_some(passed)
}

/// None when no tick passed.
fn shares(ticks: &MachineTicks, own_ns: u64) -> Option<CpuShares> {
    if ticks.total == 0 {
        return None;
    }
    let total = ticks.total as f64;
    let percent = |part: u64| part as f64 / total * 100.0;
    let tick_ns = 1e9 / fathom_platform::param::clock_ticks_per_second() as f64;
    Some(CpuShares {
        user_percent: percent(ticks.user),
        system_percent: percent(ticks.system),
        iowait_percent: percent(ticks.iowait),
        steal_percent: percent(ticks.steal),
        // Ticks are coarse compared with the time of the process: a share above all is a rounding.
        own_percent: (own_ns as f64 / (total * tick_ns) * 100.0).min(100.0),
    })
}

/// The series, in bounded memory.
#[derive(Debug)]
pub(crate) struct MachineSeries {
    sampler: Sampler,
    group: Cgroup,
    /// The devices whose requests are counted for the group.
    devices: Vec<DevNum>,
    origin: Nanos,
    last: Option<Look>,
    /// When the present interval ends.
    due: Nanos,
    intervals: Vec<MachineInterval>,
    most: usize,
}

impl MachineSeries {
    /// A series over the devices of `sampler`.
    pub(crate) fn new(sampler: Sampler, group: Cgroup, devices: Vec<DevNum>) -> Self {
        Self {
            sampler,
            group,
            devices,
            origin: Nanos::ZERO,
            last: None,
            due: Nanos::MAX,
            intervals: Vec::new(),
            most: ENTRIES,
        }
    }

    /// When to look next.
    pub(crate) const fn due(&self) -> Nanos {
        self.due
    }

    /// The phase begins; its first interval ends at `end`.
    pub(crate) fn begin(&mut self, start: Nanos, end: Nanos) {
        self.origin = start;
        self.last = Some(self.take(start));
        self.due = end.max(start + SHORTEST);
    }

    /// Ends the present interval if its time has come; the next one ends at `end`. Whether it has.
    pub(crate) fn look(&mut self, now: Nanos, end: Nanos) -> bool {
        if now < self.due {
            return false;
        }
        self.close(now);
        self.due = end.max(now + SHORTEST);
        true
    }

    /// The intervals; what is left of the last one is part of them.
    pub(crate) fn finish(mut self, now: Nanos) -> Vec<MachineInterval> {
        if self.last.as_ref().is_some_and(|last| last.at < now) {
            self.close(now);
        }
        self.intervals
    }

    fn take(&self, at: Nanos) -> Look {
        Look::take(&self.sampler, (&self.group, &self.devices), at)
    }

    fn close(&mut self, now: Nanos) {
        let look = self.take(now);
        if let Some(last) = &self.last {
            self.push(look.since(last, self.origin));
        }
        self.last = Some(look);
    }

    fn push(&mut self, interval: MachineInterval) {
        let entries = (self.intervals.len() + 1) * interval.devices.len().max(1);
        self.intervals.push(interval);
        if entries > self.most {
            self.merge_neighbours();
        }
    }

    fn merge_neighbours(&mut self) {
        let mut merged: Vec<MachineInterval> = Vec::with_capacity(self.intervals.len() / 2 + 1);
        for (index, interval) in self.intervals.drain(..).enumerate() {
            match merged.last_mut() {
                Some(last) if index % 2 == 1 => merge(last, interval),
                _ => merged.push(interval),
            }
        }
        self.intervals = merged;
    }
}

fn merge(into: &mut MachineInterval, from: MachineInterval) {
    let (first, second) = (into.length_ns as f64, from.length_ns as f64);
    into.cpu = match (into.cpu, from.cpu) {
        (Some(a), Some(b)) => {
            let mean = |a: f64, b: f64| (a * first + b * second) / (first + second).max(1.0);
            Some(CpuShares {
                user_percent: mean(a.user_percent, b.user_percent),
                system_percent: mean(a.system_percent, b.system_percent),
                iowait_percent: mean(a.iowait_percent, b.iowait_percent),
                steal_percent: mean(a.steal_percent, b.steal_percent),
                own_percent: mean(a.own_percent, b.own_percent),
            })
        }
        (one, other) => one.or(other),
    };
    into.length_ns = from.start_ns + from.length_ns - into.start_ns;
    into.gauges = from.gauges;
    for other in from.devices {
        match into
            .devices
            .iter_mut()
            .find(|one| one.device == other.device)
        {
            Some(sum) => add(sum, &other),
            None => into.devices.push(other),
        }
    }
}

const fn add(sum: &mut DeviceUse, other: &DeviceUse) {
    sum.reads += other.reads;
    sum.read_bytes += other.read_bytes;
    sum.reads_merged += other.reads_merged;
    sum.writes += other.writes;
    sum.write_bytes += other.write_bytes;
    sum.writes_merged += other.writes_merged;
    sum.discards += other.discards;
    sum.flushes += other.flushes;
    sum.read_time_ns += other.read_time_ns;
    sum.write_time_ns += other.write_time_ns;
    sum.busy_ns += other.busy_ns;
    sum.queue_ns += other.queue_ns;
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_device::DevNum;

    const SECOND: Nanos = Nanos::from_millis(1000);

    fn series(file: &std::path::Path) -> MachineSeries {
        let sampler = Sampler::reading(vec![DevNum::new(8, 0)], file);
        MachineSeries::new(sampler, Cgroup::default(), Vec::new())
    }

    fn count(file: &std::path::Path, reads: u64) {
        let line = format!("8 0 sda {reads} 0 {} 0 0 0 0 0 0 0 0\n", reads * 8);
        std::fs::write(file, line).unwrap();
    }

    fn seen(intervals: &[MachineInterval]) -> Vec<(u64, u64, u64)> {
        let of = |one: &MachineInterval| (one.start_ns, one.length_ns, one.devices[0].reads);
        intervals.iter().map(of).collect()
    }

    #[test]
    fn every_interval_has_what_the_device_did_in_it() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("diskstats");
        count(&file, 10);
        let mut series = series(&file);
        let start = Nanos(5_000_000_000);
        series.begin(start, start + SECOND);
        count(&file, 25);
        assert!(!series.look(start + Nanos(999_999_999), start + SECOND));
        assert!(series.look(start + SECOND, start + SECOND + SECOND));
        count(&file, 27);
        let intervals = series.finish(start + Nanos(1_500_000_000));
        assert_eq!(
            seen(&intervals),
            [(0, 1_000_000_000, 15), (1_000_000_000, 500_000_000, 2)]
        );
    }

    #[test]
    fn a_long_run_has_longer_intervals() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("diskstats");
        count(&file, 0);
        let mut series = series(&file);
        series.most = 4;
        series.begin(Nanos::ZERO, SECOND);
        for index in 1..=6 {
            count(&file, index);
            series.look(Nanos(SECOND.0 * index), Nanos(SECOND.0 * (index + 1)));
        }
        let second = SECOND.0;
        assert_eq!(
            seen(&series.finish(Nanos(second * 6))),
            [
                (0, 2 * second, 2),
                (2 * second, 2 * second, 2),
                (4 * second, second, 1),
                (5 * second, second, 1)
            ]
        );
    }
}
