//! Limits of the control group, as provenance has them: as limits that a bound may lie at, and
//! whether a phase ran at one.

use crate::threshold::thresholds;
use crate::traffic::Traffic;
use fathom_core::result::{PhaseResult, RunResult};
use fathom_core::{Cap, CapOwner, CapScope, CapUnit};

thresholds! {
    /// Share of a limit of the control group from which the load runs at it: what it lets through
    /// is counted over other windows than ours
    AT_LIMIT: f64 = 0.95, Share, Decided;
    /// Share of a limit of the control group that the kernel lets through at least, where it stops
    /// several outstanding requests in each of its slices
    SLICED: f64 = 0.5, Share, Decided,
        calibrated "Linux 6.18, closed loads of 8 and 32 reads: 0.54 to 0.68 of limits from 100 to \
                    8,000 IOPS and of 2 and 20 MB/s; with one read at a time 0.98 to 1.03";
    /// Share of the windows of a throttle slice that have a time without a completion, from which
    /// the load is stopped in its slices
    STOPPED: f64 = 0.9, Share, Decided;
    /// Completions between two stops, in the mean: with fewer, times without one are chance
    BETWEEN_STOPS: f64 = 4.0, Count, Decided;
}

/// After this time the kernel's throttle grants a control group its next requests.
const THROTTLE_SLICE_NS: u64 = 100_000_000;

/// Requests and bytes that were moved under a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// Reads that completed.
    pub reads: u64,
    /// Writes that completed.
    pub writes: u64,
    /// Sum of the bytes of these reads.
    pub read_bytes: u64,
    /// Sum of the bytes of these writes.
    pub written_bytes: u64,
}

/// One rate that a limit allows, and the one that was reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Allowed {
    /// The key of `io.max`.
    pub(crate) key: &'static str,
    /// Per second.
    pub(crate) limit: f64,
    /// Per second.
    pub(crate) rate: f64,
}

impl Allowed {
    /// Whether the load runs at the limit.
    pub(crate) fn is_reached(&self) -> bool {
        self.rate >= self.limit * AT_LIMIT
    }
}

/// Whether the load was stopped in each slice of the kernel's throttle. A control group is then
/// held by a limit of which it gets a part only.
pub(crate) fn stops_in_slices(phase: &PhaseResult) -> bool {
    let Some(pace) = &phase.pace else {
        return false;
    };
    let window = THROTTLE_SLICE_NS.checked_div(pace.slice_ns).unwrap_or(0) as usize + 1;
    let windows = pace.ios.windows(window);
    let moving = pace.ios.iter().filter(|ios| **ios > 0).count();
    let between = pace.ios.iter().sum::<u64>() as f64 / moving.max(1) as f64;
    let all = windows.len();
    let has_stop = |slices: &&[u64]| slices.contains(&0) && slices.iter().any(|ios| *ios > 0);
    let stopped = windows.filter(has_stop).count();
    window > 2
        && all >= window
        && between >= BETWEEN_STOPS
        && stopped as f64 >= all as f64 * STOPPED
}

/// The rates of a limit as [`rates`] reads them, with what was moved in a time.
pub(crate) fn allowed(line: &str, moved: Moved, seconds: f64) -> Vec<Allowed> {
    let of = |(key, limit): (&'static str, f64)| {
        let amount = match key {
            "riops" => moved.reads,
            "wiops" => moved.writes,
            "rbps" => moved.read_bytes,
            _ => moved.written_bytes,
        };
        let rate = amount as f64 / seconds;
        Allowed { key, limit, rate }
    };
    rates(line).into_iter().map(of).collect()
}

/// Whether the phase did what a limit on one of its devices allows and so was held by it, whatever
/// others did on the device.
pub(crate) fn hold(result: &RunResult, phase: &PhaseResult, traffic: &Traffic) -> bool {
    let seconds = phase.measured_ns as f64 / 1e9;
    let moved = Moved {
        reads: traffic.read.tool.ios,
        writes: traffic.write.tool.ios,
        read_bytes: traffic.read.tool.bytes,
        written_bytes: traffic.write.tool.bytes,
    };
    let sliced = stops_in_slices(phase);
    let mut all = of_phase(result, phase).flat_map(|line| allowed(line, moved, seconds));
    seconds > 0.0 && all.any(|one| one.is_reached() || sliced && one.rate >= one.limit * SLICED)
}

/// What was set during a phase: what was set at the start of the run, unless it changed.
fn of_phase<'a>(result: &'a RunResult, phase: &'a PhaseResult) -> impl Iterator<Item = &'a String> {
    let spans = phase
        .ledger
        .as_ref()
        .map_or(&[][..], |one| &one.limit_spans);
    let before = result.provenance.io_limits.iter();
    let before = before.filter(|_| spans.is_empty());
    before.chain(spans.iter().flat_map(|span| &span.limits))
}

/// The limits on devices below the targets, each by its file and what it counts. Requests that the
/// kernel cut or joined count otherwise there; those have a check of their own.
pub(crate) fn caps(result: &RunResult, phase: &PhaseResult) -> Vec<Cap> {
    let lines = of_phase(result, phase);
    let of_line = |line: &String| {
        let mut words = line.split_whitespace();
        let file = words.next().unwrap_or_default().to_owned();
        let device = words.next().unwrap_or_default().to_owned();
        let caps = rates(line).into_iter().map(move |(key, value)| Cap {
            name: format!("{file} {key}"),
            unit: match key {
                "riops" | "wiops" => CapUnit::Iops,
                _ => CapUnit::BytesPerSecond,
            },
            owner: CapOwner::ControlGroup,
            scope: match key {
                "riops" | "rbps" => CapScope::Reads,
                _ => CapScope::Writes,
            },
            value,
            request_bytes: None,
            burst: None,
            source: format!("the control group, on {device}"),
        });
        caps.collect::<Vec<_>>()
    };
    lines
        .flat_map(of_line)
        .filter(|cap| cap.value > 0.0)
        .collect()
}

/// The rates of `FILE DEVICE KEY=RATE…`, or `blkio.throttle.KEY_device DEVICE RATE`, by the keys of
/// `io.max`.
fn rates(line: &str) -> Vec<(&'static str, f64)> {
    const KEYS: [(&str, &str); 4] = [
        ("riops", "blkio.throttle.read_iops_device"),
        ("wiops", "blkio.throttle.write_iops_device"),
        ("rbps", "blkio.throttle.read_bps_device"),
        ("wbps", "blkio.throttle.write_bps_device"),
    ];
    let mut words = line.split_whitespace();
    let file = words.next().unwrap_or_default();
    let values = words.skip(1);
    let found = values.filter_map(|word| {
        let (key, value) = word.split_once('=').unwrap_or(("", word));
        let known = |(short, long): &&(&'static str, &str)| *short == key || *long == file;
        let (short, _) = KEYS.iter().find(known)?;
        Some((*short, value.parse().ok()?))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::fixture;
    use fathom_core::result::LimitSpan;

    #[test]
    fn rates_of_both_versions_are_read() {
        let cases = [
            (
                "io.max sda riops=100 wbps=4096",
                vec![("riops", 100.0), ("wbps", 4096.0)],
            ),
            ("io.latency sda target=50000", vec![]),
            (
                "blkio.throttle.read_iops_device loop0 100",
                vec![("riops", 100.0)],
            ),
            (
                "blkio.throttle.write_bps_device loop0 5",
                vec![("wbps", 5.0)],
            ),
            ("", vec![]),
        ];
        for (line, expected) in cases {
            assert_eq!(rates(line), expected, "{line}");
        }
    }

    #[test]
    fn a_load_below_its_limit_is_not_held_by_it() {
        let mut result = fixture::random_read();
        let phase = result.phases[0].clone();
        let ledger = Traffic::of(&result, &phase).expect("it has a device");
        let rate = ledger.read.tool.ios as f64 / (phase.measured_ns as f64 / 1e9);
        for (limit, held) in [(rate / 0.96, true), (rate / 0.94, false)] {
            let limits = vec![format!("io.max vda riops={limit:.0}")];
            result.provenance.io_limits = limits.clone();
            assert_eq!(hold(&result, &phase, &ledger), held);
            // Lifted before the phase, and set before it.
            let mut changed = phase.clone();
            let spans = |limits| {
                vec![LimitSpan {
                    start_ns: 0,
                    limits,
                }]
            };
            changed.ledger.get_or_insert_default().limit_spans = spans(Vec::new());
            assert!(!hold(&result, &changed, &ledger));
            result.provenance.io_limits.clear();
            changed.ledger.get_or_insert_default().limit_spans = spans(limits);
            assert_eq!(hold(&result, &changed, &ledger), held);
        }
    }
}
