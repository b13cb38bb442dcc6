//! Several devices as one: their moments added up, where they are the same moments.

use fathom_core::recording::{DeviceSeries, Sample};
use std::collections::HashSet;

/// Why devices cannot be added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("their moments are not the same")]
pub struct NotTogether;

/// What stands before the name of a group of devices.
const GROUP: &str = "group ";

/// The names of all devices of a recording, by which one tells which of them lie on others.
#[derive(Clone, Debug)]
pub struct DeviceNames<'a> {
    all: HashSet<&'a str>,
    /// Whether any is no sum of a group.
    has_single: bool,
}

impl<'a> DeviceNames<'a> {
    /// Those of these names.
    pub fn of(names: &[&'a str]) -> Self {
        Self {
            all: names.iter().copied().collect(),
            has_single: names.iter().any(|name| !name.starts_with(GROUP)),
        }
    }

    /// Whether a device lies on others by its name: what it does is counted below it once more.
    /// Partitions do where their disk is in the recording too.
    pub fn is_above(&self, name: &str) -> bool {
        // The sum of a group of devices, as iostat -g writes it.
        if let Some(group) = name.strip_prefix(GROUP) {
            return !group.is_empty() && self.has_single;
        }
        let numbered = |prefix: &str| {
            name.strip_prefix(prefix)
                .is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
        };
        if ["md", "dm-", "loop", "zram", "ram"]
            .into_iter()
            .any(numbered)
        {
            return true;
        }
        // sar without -p names devices by their numbers: 9 is md, 7 is loop.
        if name.starts_with("dev9-") || name.starts_with("dev7-") {
            return true;
        }
        self.has_disk_of(name)
    }

    /// Whether the disk of a partition is there: `sda` of `sda1`, `nvme0n1` of `nvme0n1p1`.
    fn has_disk_of(&self, name: &str) -> bool {
        let is_digit = |letter: char| letter.is_ascii_digit();
        let disk = name.trim_end_matches(is_digit);
        let numbered = disk
            .strip_suffix('p')
            .filter(|disk| disk.ends_with(is_digit));
        let has = |disk: &str| self.all.contains(disk);
        disk.len() < name.len() && (has(disk) || numbered.is_some_and(has))
    }
}

/// The moments of several devices added up.
///
/// # Errors
///
/// [`NotTogether`] where the devices were not looked at in the same moments.
pub fn together(series: &[&DeviceSeries]) -> Result<Vec<Sample>, NotTogether> {
    let Some((first, rest)) = series.split_first() else {
        return Err(NotTogether);
    };
    let same =
        |one: &Sample, other: &Sample| (&one.at, one.length_ns) == (&other.at, other.length_ns);
    let alike = rest.iter().all(|other| {
        let pairs = first.samples.iter().zip(&other.samples);
        other.samples.len() == first.samples.len() && { pairs }.all(|(one, other)| same(one, other))
    });
    if !alike {
        return Err(NotTogether);
    }
    let sum = |index: usize| {
        let own = series.iter().map(|one| &one.samples[index]);
        own.skip(1)
            .fold(first.samples[index].clone(), |sum, next| add(&sum, next))
    };
    Ok((0..first.samples.len()).map(sum).collect())
}

/// Two devices in one moment. What one of them does not say is not known of both; an await is
/// that of all requests.
fn add(one: &Sample, other: &Sample) -> Sample {
    let both = |pick: fn(&Sample) -> Option<f64>| Some(pick(one)? + pick(other)?);
    let waited = |sample: &Sample| match sample.ios_per_second {
        idle if idle <= 0.0 => Some(0.0),
        rate => sample.await_ms.map(|time| time * rate),
    };
    let ios = one.ios_per_second + other.ios_per_second;
    let await_ms = match (waited(one), waited(other)) {
        (Some(one), Some(other)) if ios > 0.0 => Some((one + other) / ios),
        _ => None,
    };
    Sample {
        at: one.at.clone(),
        length_ns: one.length_ns,
        ios_per_second: ios,
        reads_per_second: both(|sample| sample.reads_per_second),
        writes_per_second: both(|sample| sample.writes_per_second),
        read_bytes_per_second: one.read_bytes_per_second + other.read_bytes_per_second,
        written_bytes_per_second: one.written_bytes_per_second + other.written_bytes_per_second,
        await_ms,
        queue_depth: both(|sample| sample.queue_depth),
        ..Sample::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_lies_above() {
        let all = [
            "sda",
            "sda1",
            "nvme0n1",
            "nvme0n1p2",
            "md0",
            "dm-3",
            "sdaa",
            "nvme0n10",
        ];
        let above: Vec<&str> = all
            .into_iter()
            .filter(|name| DeviceNames::of(&all).is_above(name))
            .collect();
        assert_eq!(above, ["sda1", "nvme0n1p2", "md0", "dm-3"]);
        let is_above = |name: &str, all: &[&str]| DeviceNames::of(all).is_above(name);
        assert!(!is_above("sda1", &["sda1"]));
        assert!(is_above("group ALL", &["sda", "sdb", "group ALL"]));
        assert!(!is_above("group ALL", &["group ALL"]));
        // A disk of that name whose partitions have no `p`.
        assert!(is_above("mapp1", &["mapp", "mapp1"]));
        assert!(!is_above("map1p", &["map1", "map1p"]));
    }

    fn series(device: &str, samples: &[(&str, f64, Option<f64>)]) -> DeviceSeries {
        let sample = |&(at, reads, await_ms): &(&str, f64, Option<f64>)| Sample {
            at: Some(at.into()),
            length_ns: Some(1_000_000_000),
            ios_per_second: reads,
            reads_per_second: Some(reads),
            writes_per_second: Some(0.0),
            read_bytes_per_second: reads * 4096.0,
            await_ms,
            ..Sample::default()
        };
        DeviceSeries {
            device: device.to_owned(),
            samples: samples.iter().map(sample).collect(),
        }
    }

    #[test]
    fn moments_are_added_up() {
        let one = series("sda", &[("t1", 100.0, Some(1.0)), ("t2", 0.0, None)]);
        let other = series("sdb", &[("t1", 300.0, Some(3.0)), ("t2", 50.0, Some(2.0))]);
        let expected = series("", &[("t1", 400.0, Some(2.5)), ("t2", 50.0, Some(2.0))]);
        assert_eq!(together(&[&one, &other]), Ok(expected.samples));
        let later = series("sdb", &[("t2", 300.0, None), ("t3", 1.0, None)]);
        assert_eq!(together(&[&one, &later]), Err(NotTogether));
    }
}
