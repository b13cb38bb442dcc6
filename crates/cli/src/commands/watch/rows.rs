//! The columns of a sample, for people.

use fathom_core::figure;
use fathom_core::recording::{ProcessMoment, ProcessorSample, Sample};
use std::collections::BTreeSet;

/// Heads of [`cells`]; those that begin with `>` stand at the right.
pub(super) const HEADS: [&str; 10] = [
    ">r/s",
    ">w/s",
    ">read MB/s",
    ">write MB/s",
    ">r size",
    ">w size",
    ">r await",
    ">w await",
    ">queue",
    ">util",
];

/// Said under a table in which a utilisation is marked.
pub(super) const MISLEADS: &str = "* requests were in flight nearly all the time. For a device \
                                   that serves several at once this is not saturation; see queue \
                                   and await instead";

/// Above this a utilisation is taken for saturation. With arrivals that do not wait for each
/// other it is reached at 2.3 requests in flight (1 - exp(-L)).
const HIGH_PERCENT: f64 = 90.0;

/// Whether a utilisation looks like saturation and may be none.
pub(super) fn misleads(device: &str, sample: &Sample, seekers: &BTreeSet<String>) -> bool {
    sample.busy_percent.is_some_and(|busy| busy >= HIGH_PERCENT) && !seekers.contains(device)
}

/// One row; a dash for what the source does not say or what nothing completed to tell.
pub(super) fn cells(sample: &Sample, is_marked: bool) -> [String; 10] {
    let dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let rate = |rate: Option<f64>| dash(rate.map(figure::iops));
    let size =
        |bytes: Option<f64>| dash(bytes.map(|bytes| figure::decimal(bytes / 1024.0, 1) + " KiB"));
    let wait = |ms: Option<f64>| dash(ms.map(wait));
    let mark = if is_marked { "*" } else { "" };
    [
        rate(sample.reads_per_second),
        rate(sample.writes_per_second),
        figure::megabytes(sample.read_bytes_per_second),
        figure::megabytes(sample.written_bytes_per_second),
        size(sample.read_size_bytes()),
        size(sample.write_size_bytes()),
        wait(sample.read_await_ms),
        wait(sample.write_await_ms),
        dash(sample.queue_depth.map(figure::outstanding)),
        dash(sample.busy_percent.map(|busy| figure::percent(busy) + mark)),
    ]
}

/// An await. The kernel sums whole milliseconds, so that a zero is one of these and not of
/// nanoseconds.
pub(super) fn wait(ms: f64) -> String {
    if ms == 0.0 {
        return "0 ms".to_owned();
    }
    figure::time(ms * 1e6)
}

/// Whether a device did nothing.
pub(super) fn is_idle(sample: &Sample) -> bool {
    let others = [sample.discards_per_second, sample.flushes_per_second];
    sample.ios_per_second <= 0.0
        && sample.queue_depth.unwrap_or(0.0) <= 0.0
        && others.iter().flatten().all(|rate| *rate <= 0.0)
}

/// How busy a device is: the requests in flight, which tell even where `util` is full.
pub(super) fn load(sample: &Sample) -> f64 {
    sample.queue_depth.unwrap_or(0.0)
}

/// A process in a few words: what is charged to it, and what it handed to devices.
pub(super) fn process(one: &ProcessMoment) -> String {
    let is_charged = one.read_bytes_per_second + one.written_bytes_per_second > 0.0;
    let mut words = vec![process_name(one)];
    if is_charged || one.devices.is_empty() {
        let rates = [one.read_bytes_per_second, one.written_bytes_per_second];
        let [read, written] = rates.map(figure::megabytes);
        words.push(format!("read {read}, write {written}"));
    }
    if !one.devices.is_empty() {
        words.push(format!("({})", handed(one)));
    }
    words.join(" ")
}

/// What a process handed to each device, MB/s.
pub(super) fn handed(one: &ProcessMoment) -> String {
    let devices = one.devices.iter().map(|to| {
        let rates = [
            ("read", to.read_bytes_per_second),
            ("write", to.written_bytes_per_second),
        ];
        let moved = rates.iter().filter(|(_, rate)| *rate > 0.0);
        let moved = moved.map(|(verb, rate)| format!("{verb} {}", figure::megabytes(*rate)));
        format!("{} {}", to.device, moved.collect::<Vec<_>>().join(", "))
    });
    devices.collect::<Vec<_>>().join("; ")
}

/// Name and number of a process.
pub(super) fn process_name(one: &ProcessMoment) -> String {
    let name = if one.name.is_empty() {
        "(ended)"
    } else {
        &one.name
    };
    format!("{name}[{}]", one.pid)
}

/// The processors in one line.
pub(super) fn processors(shares: &ProcessorSample) -> String {
    let percent = figure::percent;
    let switches = shares.context_switches_per_second;
    format!(
        "CPUs: user {}, system {}, iowait {}, steal {}{}",
        percent(shares.user_percent),
        percent(shares.system_percent),
        percent(shares.iowait_percent),
        percent(shares.steal_percent),
        switches.map_or_else(String::new, |rate| {
            format!(", {} context switches a second", figure::iops(rate))
        })
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_says_what_is_known() {
        let sample = Sample {
            ios_per_second: 150.0,
            reads_per_second: Some(150.0),
            writes_per_second: Some(0.0),
            read_bytes_per_second: 150.0 * 4096.0,
            read_await_ms: Some(0.25),
            queue_depth: Some(4.6),
            busy_percent: Some(99.0),
            ..Sample::default()
        };
        let expected = [
            "150.0", "0.00", "0.61", "0", "4.0 KiB", "-", "250 µs", "-", "4.60", "99.0 %*",
        ];
        let none = BTreeSet::new();
        assert_eq!(cells(&sample, misleads("sda", &sample, &none)), expected);
        let seekers = BTreeSet::from(["sda".to_owned()]);
        assert_eq!(
            cells(&sample, misleads("sda", &sample, &seekers))[9],
            "99.0 %"
        );
        let unknown = cells(&Sample::default(), false);
        assert_eq!(unknown, ["-", "-", "0", "0", "-", "-", "-", "-", "-", "-"]);
    }
}
