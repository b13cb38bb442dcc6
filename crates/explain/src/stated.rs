//! Numbers that the text around an output states: limits, and how many drives there are.

use crate::evidence::Direction;
use crate::number::{plain, size};
use crate::paste::Line;
use std::collections::BTreeSet;

/// A limit that the text states.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// Requests or bytes a second.
    pub value: f64,
    /// Whether it counts bytes.
    pub is_bytes: bool,
    /// Whether it is the speed of a link, of which headers take a part.
    pub is_link: bool,
    /// The direction that it is of, if the text says so.
    pub direction: Option<Direction>,
    /// The line that states it.
    pub line: usize,
}

/// Lines, words of each, and limits that are looked at.
const MOST_LINES: usize = 2000;
const MOST_WORDS: usize = 80;
const MOST: usize = 16;

/// Keys of limits as cgroups, QEMU, libvirt and Proxmox write them, and the unit of each: bytes a
/// second, or 0 for requests.
const KEYS: [(&str, f64, Option<Direction>); 15] = [
    ("bps", 1.0, None),
    ("bps_rd", 1.0, Some(Direction::Read)),
    ("bps_total", 1.0, None),
    ("bps_wr", 1.0, Some(Direction::Write)),
    ("iops_max", 0.0, None),
    ("iops_rd", 0.0, Some(Direction::Read)),
    ("iops_total", 0.0, None),
    ("iops_wr", 0.0, Some(Direction::Write)),
    ("mbps", 1e6, None),
    ("mbps_rd", 1e6, Some(Direction::Read)),
    ("mbps_wr", 1e6, Some(Direction::Write)),
    ("rbps", 1.0, Some(Direction::Read)),
    ("riops", 0.0, Some(Direction::Read)),
    ("wbps", 1.0, Some(Direction::Write)),
    ("wiops", 0.0, Some(Direction::Write)),
];

/// Words before a number that make it a limit, in any form of theirs, and how near they stand.
const WORDS: [&str; 8] = [
    "capped",
    "io1",
    "io2",
    "limit",
    "provision",
    "qos",
    "quota",
    "throttl",
];
const NEAR: usize = 3;

/// Speeds in Gbit/s that only networks have.
const LINKS: [f64; 7] = [1.0, 2.5, 10.0, 25.0, 40.0, 50.0, 100.0];

/// Words for a network, and lines below them in which numbers are of it.
const NETWORK: [&str; 5] = ["ethernet", "iperf", "lan", "network", "nic"];
const BELOW: usize = 3;

/// The limits in lines that are no part of a result.
pub(crate) fn limits(lines: &[Line], results: &[(usize, usize)]) -> Vec<Limit> {
    let is_text = |line: &&Line| {
        let mut results = results.iter();
        !results.any(|(from, to)| (from..=to).contains(&&line.number))
    };
    let mut found = Vec::new();
    let mut network = None;
    for line in lines.iter().take(MOST_LINES).filter(is_text) {
        let text = line.text.to_ascii_lowercase();
        let words: Vec<&str> = text
            .split(|sign: char| sign.is_whitespace() || "()\";'".contains(sign))
            .map(|word| word.trim_matches(','))
            .filter(|word| !word.is_empty())
            .take(MOST_WORDS)
            .collect();
        let names = |word: &&str| NETWORK.iter().any(|start| word.starts_with(start));
        if words.iter().any(names) {
            network = Some(line.number);
        }
        let is_network = network.is_some_and(|known| line.number - known <= BELOW);
        for at in 0..words.len() {
            let limit = words[at].split(',').find_map(of_key);
            let limit = limit.or_else(|| of_words(&words, at, is_network));
            found.extend(limit.map(|limit| Limit {
                line: line.number,
                ..limit
            }));
        }
        if found.len() >= MOST {
            break;
        }
    }
    found
}

fn limit(value: f64, is_bytes: bool) -> Limit {
    Limit {
        value,
        is_bytes,
        is_link: false,
        direction: None,
        line: 0,
    }
}

/// `wbps=10485760`.
fn of_key(word: &str) -> Option<Limit> {
    let (key, value) = word.split_once('=')?;
    let key = key.rsplit('.').next().unwrap_or(key).replace('-', "_");
    let (_, unit, direction) = KEYS.iter().find(|(name, ..)| *name == key)?;
    let value = size(value).filter(|value| *value > 0.0)?;
    Some(Limit {
        direction: *direction,
        ..limit(value * unit.max(1.0), *unit > 0.0)
    })
}

/// `limited to 500 IOPS`, `10 Gbit/s`.
fn of_words(words: &[&str], at: usize, is_network: bool) -> Option<Limit> {
    let digits = |sign: char| sign.is_ascii_digit() || sign == '.' || sign == ',';
    let (number, unit) = words[at].split_at(
        words[at]
            .find(|sign| !digits(sign))
            .unwrap_or(words[at].len()),
    );
    let number = plain(&number.replace(',', "")).filter(|number| *number > 0.0)?;
    let unit = if unit.is_empty() {
        *words.get(at + 1)?
    } else {
        unit
    };
    let unit = unit
        .trim_start_matches('-')
        .trim_end_matches(['.', ':', '!', '?']);
    let before = words[at.saturating_sub(NEAR)..at].iter();
    let is_limit = before
        .into_iter()
        .any(|word| WORDS.iter().any(|start| word.starts_with(start)));
    let bits = ["gbit", "gbps", "gbe", "gigabit", "mbit", "mbps"];
    if bits.iter().any(|start| unit.starts_with(start)) {
        let factor = if unit.starts_with('g') { 125e6 } else { 125e3 };
        let is_speed = factor > 1e6 && LINKS.contains(&number);
        return (is_limit || is_network || is_speed).then(|| Limit {
            is_link: !is_limit,
            ..limit(number * factor, true)
        });
    }
    let found = match unit {
        "iops" => limit(number, false),
        _ if unit.ends_with("/s") => limit(number * size(&format!("1{unit}"))?, true),
        _ => return None,
    };
    is_limit.then_some(found)
}

/// Words for drives, and how far before them their number stands.
const DRIVES: [&str; 8] = [
    "disks", "drives", "hdds", "members", "nvmes", "spindles", "ssds", "osds",
];
const BEFORE: usize = 4;
const NUMBERS: [&str; 11] = [
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];

/// The most drives that the lines name or count, 0 if none. It may be too many, as where they name
/// those of another machine.
pub(crate) fn drives<'a>(lines: impl Iterator<Item = &'a str>) -> f64 {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    let mut most = 0.0_f64;
    for line in lines.take(MOST_LINES) {
        let is_word = |sign: char| sign.is_ascii_alphanumeric();
        for name in line.split(|sign| !is_word(sign)).filter_map(drive) {
            if names.len() < 256 {
                names.insert(name);
            }
        }
        let words: Vec<&str> = line
            .split(|sign: char| sign.is_whitespace() || "(),;=:".contains(sign))
            .filter(|word| !word.is_empty())
            .take(MOST_WORDS)
            .collect();
        for (at, word) in words.iter().enumerate() {
            let near = &words[at.saturating_sub(BEFORE)..at];
            let next = words.get(at + 1).copied().unwrap_or_default();
            most = most.max(range(word));
            if DRIVES.iter().any(|noun| word.eq_ignore_ascii_case(noun)) {
                let counts = near.windows(2).map(|pair| (pair[0], pair[1]));
                let last = near.last().map(|word| (*word, ""));
                for (count, next) in counts.chain(last) {
                    most = most.max(number(count).filter(|_| !is_size(next)).unwrap_or(0.0));
                }
            } else if word.ends_with("raid-devices") {
                most = most.max(number(next).unwrap_or(0.0));
            } else if let Some(count) = word.strip_suffix(['x', '×']) {
                let count = if count.is_empty() {
                    near.last().copied().unwrap_or_default()
                } else {
                    count
                };
                most = most.max(number(count).unwrap_or(0.0));
            }
        }
    }
    most.max(names.len() as f64)
}

/// A count of drives.
fn number(word: &str) -> Option<f64> {
    let named = NUMBERS
        .iter()
        .position(|name| word.eq_ignore_ascii_case(name));
    let found = named.map(|at| at as f64 + 2.0).or_else(|| plain(word));
    found.filter(|count| count.fract() == 0.0 && (2.0..=512.0).contains(count))
}

/// Whether a word is the unit of a size, so that the number before it counts no drives.
fn is_size(word: &str) -> bool {
    let units = ["gb", "gib", "mb", "tb", "tib", "t", "g", "k", "rpm"];
    units.iter().any(|unit| word.eq_ignore_ascii_case(unit))
}

/// The numbers in `{0..11}` or `[0-11]`.
fn range(word: &str) -> f64 {
    let inner = |open: char, close: char, between: &str| {
        let (_, rest) = word.split_once(open)?;
        let (from, to) = rest.split_once(close)?.0.split_once(between)?;
        Some(plain(to)? - plain(from)? + 1.0)
    };
    let is_device = word.starts_with("/dev/");
    let found = inner('{', '}', "..").or_else(|| inner('[', ']', "-"));
    found
        .filter(|count| is_device && (2.0..=512.0).contains(count))
        .unwrap_or(0.0)
}

/// The drive of a name such as `nvme0n1p2` or `sdb1`.
fn drive(word: &str) -> Option<&str> {
    let digits: &[char] = &['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
    if let Some(rest) = word.strip_prefix("nvme") {
        let after = rest.trim_start_matches(digits);
        let is_number = after.len() < rest.len();
        let space = after.strip_prefix('n')?;
        let left = space.trim_start_matches(digits).len();
        return (is_number && left < space.len()).then(|| &word[..word.len() - left]);
    }
    let disk = word.trim_end_matches(digits);
    let letters = disk.strip_prefix("sd")?;
    let is_name =
        (1..=2).contains(&letters.len()) && letters.bytes().all(|sign| sign.is_ascii_lowercase());
    is_name.then_some(disk)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paste::lines;

    #[test]
    fn limits_are_numbers_with_a_key_or_a_word() {
        let cases: [(&str, Option<(f64, bool)>); 14] = [
            (
                "io.max: \"8:0 wbps=10485760 wiops=max\"",
                Some((10_485_760.0, true)),
            ),
            (
                "-drive file=a,throttling.iops-total=750",
                Some((750.0, false)),
            ),
            (
                "an EBS volume, 100 GB io1 with 500 IOPS",
                Some((500.0, false)),
            ),
            (
                "The volume is limited to 7,500 IOPS.",
                Some((7500.0, false)),
            ),
            ("QoS of 200 MB/s", Some((200e6, true))),
            ("the storage is behind 25 GbE", Some((3.125e9, true))),
            ("a 10Gbit/s link", Some((1.25e9, true))),
            ("limited to 400 Mbit/s", Some((50e6, true))),
            ("I get 449 IOPS, which is slow", None),
            ("a SATA link of 6 Gbit/s", None),
            ("the most that I saw was 120 MB/s", None),
            ("fio --rate_iops=500", None),
            ("iperf:\n~ 900 MBit (worst)", Some((112.5e6, true))),
            ("the player needs 80 Mbit/s", None),
        ];
        for (text, expected) in cases {
            let found = limits(&lines(text), &[]);
            let first = found.first().map(|one| (one.value, one.is_bytes));
            assert_eq!(first, expected, "{text}");
        }
        // A line of a result states no limit.
        assert_eq!(limits(&lines("limit 500 IOPS"), &[(1, 1)]), []);
    }

    #[test]
    fn drives_are_counted_or_named() {
        let cases = [
            ("2 x EPYC 7742, 24 PCIe 4 NVMe drives", 24.0),
            ("6x 4TB HGST, raidz2", 6.0),
            ("RAID6 of 7 x 12 TB", 7.0),
            ("mdadm --create --raid-devices=16 /dev/nvme1n1", 16.0),
            ("--filename=/dev/nvme0n1:/dev/nvme1n1p1", 2.0),
            ("/dev/nvme{0..11}n1", 12.0),
            ("twelve drives share a load", 12.0),
            ("two 16 TB drives", 2.0),
            ("sda, sda1 and nvme0n1", 2.0),
            ("an SD card of 128 GB", 0.0),
        ];
        for (text, expected) in cases {
            assert_eq!(
                drives([text].into_iter()).to_bits(),
                f64::to_bits(expected),
                "{text}"
            );
        }
    }
}
