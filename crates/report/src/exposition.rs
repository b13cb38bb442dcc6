//! The metrics of a live system, as a collector asks for them: counters since the first look, and
//! the levels of the last one.

mod families;

use crate::formats::openmetrics::encoded;
use fathom_core::Op;
use fathom_verdict::Moved;
use fathom_verdict::live::{Answer, Cause, DiskSeen, Evidence, Seen};
use std::collections::{BTreeMap, HashSet};

/// What a system did so far, and what limits it now.
#[derive(Clone, Debug, Default)]
pub struct Exposition {
    observed_ns: u64,
    /// Time in which each cause held, in the order of [`Cause::WORDS`].
    throttled_ns: [u64; Cause::WORDS.len()],
    cause: Option<Cause>,
    credit_empty_in_s: Option<f64>,
    disks: BTreeMap<String, Disk>,
    /// By group and device.
    groups: BTreeMap<(String, String), Moved>,
    /// The numbers for which a limit is known.
    limits: Vec<Evidence>,
}

/// Sums of a disk.
#[derive(Clone, Debug, Default)]
struct Disk {
    moved: Moved,
    read_wait_ms: u64,
    write_wait_ms: u64,
    flushes: Option<(u64, u64)>,
    busy_ms: u64,
    /// Integral of the requests in flight.
    queue_s: f64,
    in_flight: u64,
    exceeded_us: BTreeMap<&'static str, u64>,
    times: Vec<(Op, Histogram)>,
}

/// Requests by the upper bound of their time, microseconds, and the sum of the times.
#[derive(Clone, Debug, Default)]
struct Histogram {
    bins: BTreeMap<u64, u64>,
    sum_us: u64,
}

impl Exposition {
    /// Adds what was seen in the next span. Disks and groups that are gone have no counters any
    /// longer.
    pub fn take(&mut self, seen: &Seen, answer: &Answer) {
        self.observed_ns += seen.length_ns;
        self.cause = answer.cause;
        for (index, (cause, _)) in Cause::WORDS.iter().enumerate() {
            if answer.cause == Some(*cause) {
                self.throttled_ns[index] += seen.length_ns;
            }
        }
        self.credit_empty_in_s = answer.credit_empty_in_s;
        let limits = answer.evidence.iter().filter(|one| one.limit.is_some());
        self.limits = limits.cloned().collect();
        let names: HashSet<&str> = seen.disks.iter().map(|disk| disk.name.as_str()).collect();
        self.disks.retain(|name, _| names.contains(name.as_str()));
        for disk in &seen.disks {
            let sums = self.disks.entry(disk.name.clone()).or_default();
            sums.take(disk, seen.length_ns);
        }
        let mut groups = std::mem::take(&mut self.groups);
        for group in &seen.groups {
            let key = (group.group.clone(), group.device.clone());
            let mut moved = groups.remove(&key).unwrap_or_default();
            add(&mut moved, &group.moved);
            self.groups.insert(key, moved);
        }
    }

    /// The text of OpenMetrics 1.0.
    pub fn openmetrics(&self) -> String {
        encoded(self.clone())
    }
}

impl Disk {
    fn take(&mut self, seen: &DiskSeen, length_ns: u64) {
        add(&mut self.moved, &seen.moved);
        self.read_wait_ms += seen.read_wait_ms;
        self.write_wait_ms += seen.write_wait_ms;
        if let Some((count, time_ms)) = seen.flushes {
            let (all, all_ms) = self.flushes.get_or_insert_default();
            *all += count;
            *all_ms += time_ms;
        }
        self.busy_ms += seen.busy_ms;
        self.queue_s += seen.in_flight * length_ns as f64 / 1e9;
        self.in_flight = seen.in_flight_now;
        for one in &seen.exceeded {
            *self.exceeded_us.entry(one.what).or_default() += one.time_us;
        }
        for times in &seen.times {
            let at = self.times.iter().position(|(op, _)| *op == times.op);
            let at = at.unwrap_or_else(|| {
                self.times.push((times.op, Histogram::default()));
                self.times.len() - 1
            });
            let sums = &mut self.times[at].1;
            sums.sum_us += times.sum_us;
            for (bound, count) in &times.bins {
                *sums.bins.entry(*bound).or_default() += count;
            }
        }
    }
}

fn add(to: &mut Moved, moved: &Moved) {
    to.reads += moved.reads;
    to.writes += moved.writes;
    to.read_bytes += moved.read_bytes;
    to.written_bytes += moved.written_bytes;
}

/// A text of OpenMetrics as Prometheus' own text format (version 0.0.4), which names a counter with
/// its suffix and has neither units nor a last line.
pub fn prometheus_text(openmetrics: &str) -> String {
    let words = |line: &str| -> Option<(String, String)> {
        let (name, rest) = line.split_once(' ')?;
        Some((name.to_owned(), rest.to_owned()))
    };
    let counters = openmetrics.lines().filter_map(|line| {
        let (name, kind) = words(line.strip_prefix("# TYPE ")?)?;
        (kind == "counter").then_some(name)
    });
    let counters: HashSet<String> = counters.collect();
    let mut text = String::with_capacity(openmetrics.len());
    for line in openmetrics.lines() {
        if line == "# EOF" || line.starts_with("# UNIT ") {
            continue;
        }
        let head = ["# HELP ", "# TYPE "].iter().find_map(|head| {
            let (name, rest) = words(line.strip_prefix(head)?)?;
            let is_counter = counters.contains(&name);
            is_counter.then(|| format!("{head}{name}_total {rest}"))
        });
        text += head.as_deref().unwrap_or(line);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::{Cap, CapBurst, CapOwner};
    use fathom_verdict::live::{Exceeded, GroupSeen, Live, Times};

    const SECOND: u64 = 1_000_000_000;

    /// Two seconds of an EBS volume with a name that no kernel gives.
    fn exposition() -> Exposition {
        let disk = DiskSeen {
            name: "nvme\"1\\\nn1\u{1b}[2J".into(),
            moved: Moved {
                reads: 300,
                writes: 20,
                read_bytes: 1_228_800,
                written_bytes: 81_920,
            },
            read_wait_ms: 1500,
            write_wait_ms: 100,
            busy_ms: 1000,
            in_flight: 2.5,
            in_flight_now: 3,
            in_driver: Some(2.0),
            tags: Some(128),
            slots: Some(256),
            flushes: Some((4, 8)),
            exceeded: vec![Exceeded {
                owner: CapOwner::Volume,
                what: "the volume's IOPS",
                share: 0.8,
                time_us: 800_000,
            }],
            times: vec![Times {
                op: Op::Read,
                bins: vec![(512, 100), (1024, 200), (u64::MAX, 0)],
                sum_us: 150_000,
            }],
            ..DiskSeen::default()
        };
        let group = GroupSeen {
            group: "db\u{202e}".into(),
            device: "nvme1n1".into(),
            limits: vec!["io.max nvme1n1 riops=1000".into()],
            moved: disk.moved,
            ..GroupSeen::default()
        };
        let seen = Seen {
            length_ns: SECOND,
            disks: vec![disk],
            groups: vec![group],
            ..Seen::default()
        };
        let caps = ["gp3=3000iops", "gp3=2000iops", "link=125MB/s"];
        let mut caps: Vec<Cap> = caps.map(|cap| cap.parse().expect("a limit")).into();
        caps[0].burst = Some(CapBurst {
            value: 6000.0,
            capacity: 5.4e6,
        });
        let mut live = Live::new(caps, 1.0);
        let mut exposition = Exposition::default();
        for _ in 0..2 {
            exposition.take(&seen, &live.take(&seen));
        }
        exposition
    }

    #[test]
    fn both_formats_are_whole() {
        let text = exposition().openmetrics();
        insta::assert_snapshot!("exposition", text);
        insta::assert_snapshot!("exposition-text", prometheus_text(&text));
    }

    /// Prometheus refuses a page with a sample that stands twice, and cannot say which is right.
    #[test]
    fn no_sample_stands_twice() {
        let text = exposition().openmetrics();
        let samples = text.lines().filter(|line| !line.starts_with('#'));
        let names: Vec<_> = samples.filter_map(|line| line.rsplit_once(' ')).collect();
        let different: HashSet<&str> = names.iter().map(|(name, _)| *name).collect();
        assert_eq!(names.len(), different.len());
    }

    #[test]
    fn a_disk_that_is_gone_has_no_samples() {
        let mut exposition = exposition();
        let nothing = Seen::default();
        let answer = Live::new(Vec::new(), 1.0).take(&nothing);
        exposition.take(&nothing, &answer);
        assert_eq!((exposition.disks.len(), exposition.groups.len()), (0, 0));
        assert_eq!(exposition.observed_ns, 2 * SECOND);
    }
}
