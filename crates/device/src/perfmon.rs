//! What Performance Monitor of Windows shows of disks and processors, by its English names.

use std::collections::BTreeMap;
use std::io::Result;

use fathom_core::recording::{DeviceMoment, ProcessorSample, Sample};

/// What is looked at, in this order.
pub const COUNTERS: [&str; 12] = [
    r"\PhysicalDisk(*)\Disk Reads/sec",
    r"\PhysicalDisk(*)\Disk Writes/sec",
    r"\PhysicalDisk(*)\Disk Read Bytes/sec",
    r"\PhysicalDisk(*)\Disk Write Bytes/sec",
    r"\PhysicalDisk(*)\Avg. Disk sec/Read",
    r"\PhysicalDisk(*)\Avg. Disk sec/Write",
    r"\PhysicalDisk(*)\Avg. Disk sec/Transfer",
    r"\PhysicalDisk(*)\Avg. Disk Queue Length",
    r"\PhysicalDisk(*)\% Idle Time",
    r"\Processor(_Total)\% User Time",
    r"\Processor(_Total)\% Privileged Time",
    r"\System\Context Switches/sec",
];

/// Of them, those of disks.
const OF_DISKS: usize = 9;
/// The instance that is the sum of all.
const TOTAL: &str = "_Total";

/// The counters, which the system reads.
pub trait Counters {
    /// Looks at all of them.
    fn collect(&mut self) -> Result<()>;

    /// Values of the counter with this number in [`COUNTERS`] between the last two looks, each with
    /// its instance.
    fn values(&self, counter: usize) -> Result<Vec<(String, f64)>>;
}

/// What it shows at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    pub devices: Vec<DeviceMoment>,
    pub processors: Option<ProcessorSample>,
}

/// Reads what passed since the look before.
///
/// # Errors
///
/// What the system said.
pub fn shown(counters: &mut dyn Counters) -> Result<Shown> {
    counters.collect()?;
    let mut disks: BTreeMap<String, [Option<f64>; OF_DISKS]> = BTreeMap::new();
    for counter in 0..OF_DISKS {
        for (instance, value) in counters.values(counter)? {
            if instance != TOTAL {
                disks.entry(instance).or_default()[counter] = Some(value);
            }
        }
    }
    let devices = disks.into_iter().filter_map(|(device, values)| {
        let sample = sample(values)?;
        Some(DeviceMoment { device, sample })
    });
    let one = |counter: usize| {
        let values = counters.values(counter).ok()?;
        values.first().map(|(_, value)| *value)
    };
    let processors = one(9).zip(one(10)).map(|(user, system)| ProcessorSample {
        user_percent: user,
        system_percent: system,
        context_switches_per_second: one(11),
        ..ProcessorSample::default()
    });
    Ok(Shown {
        devices: devices.collect(),
        processors,
    })
}

/// A sample of the values of one disk; none before its rates are known.
fn sample(values: [Option<f64>; OF_DISKS]) -> Option<Sample> {
    let [
        reads,
        writes,
        read_bytes,
        written_bytes,
        read_s,
        write_s,
        both_s,
        queue,
        idle,
    ] = values;
    let (reads, writes) = (reads?, writes?);
    // Of no request there is no time.
    let await_ms = |rate: f64, seconds: Option<f64>| {
        let seconds = seconds.filter(|_| rate > 0.0);
        seconds.map(|seconds| seconds * 1e3)
    };
    Some(Sample {
        ios_per_second: reads + writes,
        reads_per_second: Some(reads),
        writes_per_second: Some(writes),
        read_bytes_per_second: read_bytes?,
        written_bytes_per_second: written_bytes?,
        await_ms: await_ms(reads + writes, both_s),
        read_await_ms: await_ms(reads, read_s),
        write_await_ms: await_ms(writes, write_s),
        queue_depth: queue,
        busy_percent: idle.map(|idle| (100.0 - idle).clamp(0.0, 100.0)),
        ..Sample::default()
    })
}

/// The names by which Performance Monitor shows a sample, each with its value.
pub fn names(sample: &Sample) -> [(&'static str, Option<f64>); OF_DISKS] {
    let seconds = |ms: Option<f64>| ms.map(|ms| ms / 1e3);
    let values = [
        sample.reads_per_second,
        sample.writes_per_second,
        Some(sample.read_bytes_per_second),
        Some(sample.written_bytes_per_second),
        seconds(sample.read_await_ms),
        seconds(sample.write_await_ms),
        seconds(sample.await_ms),
        sample.queue_depth,
        sample.busy_percent.map(|busy| 100.0 - busy),
    ];
    std::array::from_fn(|at| {
        let name = COUNTERS[at].rsplit('\\').next().unwrap_or_default();
        (name, values[at])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Windows with two disks, the second of which did nothing.
    struct Fake {
        looks: usize,
    }

    impl Counters for Fake {
        fn collect(&mut self) -> Result<()> {
            self.looks += 1;
            Ok(())
        }

        fn values(&self, counter: usize) -> Result<Vec<(String, f64)>> {
            let of_disk = [
                200.0,
                50.0,
                819_200.0,
                3_276_800.0,
                0.000_5,
                0.003,
                0.001,
                0.25,
                99.0,
            ];
            let of = |instance: &str, value| (instance.to_owned(), value);
            Ok(match counter {
                // A rate takes two looks.
                0..OF_DISKS if self.looks < 2 => Vec::new(),
                0..OF_DISKS => {
                    let idle = if counter == 8 { 100.0 } else { 0.0 };
                    let disk = of_disk[counter];
                    vec![of("0 C:", disk), of("1 E:", idle), of(TOTAL, disk)]
                }
                9 => vec![of(TOTAL, 12.0)],
                10 => vec![of(TOTAL, 3.0)],
                _ => vec![of("", 4321.0)],
            })
        }
    }

    #[test]
    fn a_disk_has_the_figures_of_performance_monitor() {
        let mut fake = Fake { looks: 0 };
        assert_eq!(shown(&mut fake).unwrap().devices, []);
        let found = shown(&mut fake).unwrap();
        let busy = Sample {
            ios_per_second: 250.0,
            reads_per_second: Some(200.0),
            writes_per_second: Some(50.0),
            read_bytes_per_second: 819_200.0,
            written_bytes_per_second: 3_276_800.0,
            await_ms: Some(1.0),
            read_await_ms: Some(0.5),
            write_await_ms: Some(3.0),
            queue_depth: Some(0.25),
            busy_percent: Some(1.0),
            ..Sample::default()
        };
        let idle = Sample {
            reads_per_second: Some(0.0),
            writes_per_second: Some(0.0),
            queue_depth: Some(0.0),
            busy_percent: Some(0.0),
            ..Sample::default()
        };
        let device = |device: &str, sample: &Sample| DeviceMoment {
            device: device.to_owned(),
            sample: sample.clone(),
        };
        assert_eq!(
            found.devices,
            [device("0 C:", &busy), device("1 E:", &idle)]
        );
        let processors = ProcessorSample {
            user_percent: 12.0,
            system_percent: 3.0,
            context_switches_per_second: Some(4321.0),
            ..ProcessorSample::default()
        };
        assert_eq!(found.processors, Some(processors));
        let [reads, .., waited, _, _, _, rest] = names(&busy);
        assert_eq!(reads, ("Disk Reads/sec", Some(200.0)));
        assert_eq!(waited, ("Avg. Disk sec/Read", Some(0.000_5)));
        assert_eq!(rest, ("% Idle Time", Some(99.0)));
    }
}
