//! Moments as Performance Monitor and `typeperf` write them, whatever system they are of.

use super::sinks::head;
use fathom_core::recording::{Moment, Sample};
use fathom_device::perfmon::names;
use std::fmt::Write as _;

/// The disks of the first moment: a column once begun has its place to the end.
#[derive(Debug, Default)]
pub(super) struct PerfmonCsv {
    devices: Option<Vec<String>>,
}

impl PerfmonCsv {
    /// The rows of a moment, with the heads before the first.
    pub(super) fn rows(&mut self, moment: &Moment) -> String {
        let mut text = String::new();
        let is_first = self.devices.is_none();
        let devices = self.devices.get_or_insert_with(|| {
            let devices = moment.devices.iter();
            devices.map(|one| one.device.clone()).collect()
        });
        if is_first {
            let host = head().host.unwrap_or_default();
            text.push_str("\"(PDH-CSV 4.0) (UTC)(0)\"");
            for device in &*devices {
                for (counter, _) in names(&Sample::default()) {
                    let _ = write!(text, r#","\\{host}\PhysicalDisk({device})\{counter}""#);
                }
            }
            for (counter, _) in of_the_machine(moment) {
                let _ = write!(text, r#","\\{host}\{counter}""#);
            }
            text.push('\n');
        }
        let _ = write!(text, "\"{}\"", instant(&moment.at));
        for device in &*devices {
            let found = moment.devices.iter().find(|one| one.device == *device);
            let sample = found.map(|one| one.sample.clone()).unwrap_or_default();
            for (_, value) in names(&sample) {
                value_of(&mut text, value.filter(|_| found.is_some()));
            }
        }
        for (_, value) in of_the_machine(moment) {
            value_of(&mut text, value);
        }
        text.push('\n');
        text
    }
}

/// A blank stands for none.
fn value_of(text: &mut String, value: Option<f64>) {
    let value = value.map_or_else(|| " ".to_owned(), |value| value.to_string());
    let _ = write!(text, ",\"{value}\"");
}

/// The counters of processors.
fn of_the_machine(moment: &Moment) -> [(&'static str, Option<f64>); 2] {
    let shares = moment.processors.as_ref();
    let busy = shares.map(|one| one.user_percent + one.system_percent);
    let switches = shares.and_then(|one| one.context_switches_per_second);
    [
        (r"Processor(_Total)\% Processor Time", busy),
        (r"System\Context Switches/sec", switches),
    ]
}

/// An instant of RFC 3339 in UTC as there: month, day, year.
fn instant(at: &str) -> String {
    let (date, time) = at.split_once('T').unwrap_or((at, ""));
    let date: Vec<&str> = date.split('-').collect();
    let [year, month, day] = date[..] else {
        return at.to_owned();
    };
    format!("{month}/{day}/{year} {}", time.trim_end_matches('Z'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::recording::{DeviceMoment, ProcessorSample};
    use fathom_tools::recordings;

    fn moment(second: u32, reads: f64) -> Moment {
        let sample = Sample {
            ios_per_second: reads + 50.0,
            reads_per_second: Some(reads),
            writes_per_second: Some(50.0),
            read_bytes_per_second: reads * 4096.0,
            written_bytes_per_second: 819_200.0,
            await_ms: Some(1.5),
            read_await_ms: Some(1.0),
            write_await_ms: Some(2.0),
            queue_depth: Some(0.25),
            busy_percent: Some(25.0),
            ..Sample::default()
        };
        let device = |device: &str, sample| DeviceMoment {
            device: device.to_owned(),
            sample,
        };
        Moment {
            at: format!("2026-11-21T15:00:0{second}.000Z"),
            length_ns: 1_000_000_000,
            processors: Some(ProcessorSample {
                user_percent: 10.0,
                system_percent: 5.0,
                context_switches_per_second: Some(4321.0),
                ..ProcessorSample::default()
            }),
            devices: vec![device("0 C:", sample), device("1 E:", Sample::default())],
            ..Moment::default()
        }
    }

    #[test]
    fn what_is_written_is_read_as_of_performance_monitor() {
        let mut csv = PerfmonCsv::default();
        let text: String = (1..4)
            .map(|second| csv.rows(&moment(second, f64::from(second) * 100.0)))
            .collect();
        let row = text.lines().nth(1).unwrap_or_default();
        let none = ",\" \"".repeat(3);
        let idle = format!(",\" \",\" \",\"0\",\"0\"{none},\" \",\" \"");
        let busy = "\"11/21/2026 15:00:01.000\",\"100\",\"50\",\"409600\",\"819200\",\"0.001\",\
                    \"0.002\",\"0.0015\",\"0.25\",\"75\"";
        let expected = format!("{busy}{idle},\"15\",\"4321\"");
        assert_eq!(row, expected);
        let found = recordings::read(&text, "day.csv").expect("it is readable");
        let samples = &found.devices[0].samples;
        let last = samples.last().cloned().unwrap_or_default();
        let same = Sample {
            at: None,
            length_ns: None,
            ..last
        };
        assert_eq!(found.devices[0].device, "0 C:");
        assert_eq!(same, moment(3, 300.0).devices[0].sample);
    }
}
