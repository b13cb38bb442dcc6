//! Numbers that the text around an output states: limits, and how many drives there are.

use crate::evidence::Direction;
use crate::number::{plain, size};
use crate::paste::Line;
use crate::sentences::{has, is_affirmed, is_open, sentences};
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
    /// Whether it is a setting, and no prose.
    pub is_setting: bool,
    /// The device that it is said of, empty if none is named.
    pub device: String,
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

/// Words before a number that make it a limit, in any form of theirs: those of what was ordered or
/// set, and those that people also use for what they see. And how near they stand.
const SET: [&str; 5] = ["io1", "io2", "provision", "qos", "quota"];
const TOLD: [&str; 3] = ["capped", "limit", "throttl"];
const NEAR: usize = 3;

/// Speeds in Gbit/s that only networks have.
const LINKS: [f64; 7] = [1.0, 2.5, 10.0, 25.0, 40.0, 50.0, 100.0];

/// Words for a network, and lines below them in which numbers are of it; and words of links that
/// no load crosses.
const NETWORK: [&str; 5] = ["ethernet", "iperf", "lan", "network", "nic"];
const BELOW: usize = 3;
const ASIDE: [&str; 4] = ["internet", "isp", "local", "wan"];

/// Words of what should be, of questions, and of what a reader of numbers sees: no limit that is
/// known.
const WISHES: [&str; 28] = [
    "advertised",
    "aim",
    "claims",
    "could",
    "expect",
    "expected",
    "goal",
    "guaranteed",
    "hope",
    "hoped",
    "how",
    "need",
    "needed",
    "needs",
    "odd",
    "promised",
    "rated",
    "required",
    "says",
    "should",
    "spec",
    "strange",
    "supposed",
    "target",
    "theoretical",
    "want",
    "weird",
    "would",
];
const SEEN: [&str; 17] = [
    "appears",
    "bandwidth",
    "get",
    "getting",
    "i",
    "it",
    "looks",
    "performance",
    "rate",
    "reads",
    "seems",
    "speed",
    "speeds",
    "throughput",
    "transfer",
    "we",
    "writes",
];

/// The limits in lines that are no part of a result.
pub(crate) fn limits(lines: &[Line], results: &[(usize, usize)]) -> Vec<Limit> {
    let is_text = |line: &&Line| {
        let mut results = results.iter();
        !results.any(|(from, to)| (from..=to).contains(&&line.number))
    };
    let near: Vec<&Line> = lines.iter().take(MOST_LINES).filter(is_text).collect();
    let mut found: Vec<Limit> = Vec::new();
    let mut network = None;
    for (at, line) in near.iter().enumerate() {
        let names = |word: &str| NETWORK.iter().any(|start| word.starts_with(start));
        if line.text.to_ascii_lowercase().split(' ').any(names) {
            network = Some(line.number);
        }
        let is_network = network.is_some_and(|known| line.number - known <= BELOW);
        let text = |at: usize| near.get(at).map_or("", |line| line.text.as_str());
        let before = sentences(text(at.wrapping_sub(1))).last();
        let before = before.filter(|one| is_open(one)).unwrap_or_default();
        let mut all = sentences(&line.text).peekable();
        let mut begin = before;
        while let Some(sentence) = all.next() {
            let next = all.peek().copied();
            let next = next
                .or_else(|| sentences(text(at + 1)).next())
                .unwrap_or_default();
            // What is asked or denied may stand in the next line.
            let whole = [begin, sentence, if is_open(sentence) { next } else { "" }].join(" ");
            let is_asked = whole.contains('?') || [whole.as_str(), next].iter().any(is_why);
            begin = "";
            let is_told = is_affirmed(&whole) && !is_asked && !has(&whole, &WISHES);
            let is_link = is_affirmed(sentence) && !has(sentence, &ASIDE);
            let own = in_sentence(sentence, is_network)
                .into_iter()
                .filter(|limit| match (limit.is_setting, limit.is_link) {
                    (true, _) => is_affirmed(sentence),
                    (_, true) => is_link,
                    _ => is_told,
                });
            found.extend(own.map(|limit| Limit {
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

fn is_why(sentence: &&str) -> bool {
    has(sentence, &["why"])
}

/// The limits of a sentence, whether it is true or not.
fn in_sentence(sentence: &str, is_network: bool) -> Vec<Limit> {
    let words: Vec<&str> = sentence
        .split(|sign: char| sign.is_whitespace() || "()\";'".contains(sign))
        .map(|word| word.trim_matches(','))
        .filter(|word| !word.is_empty())
        .take(MOST_WORDS)
        .collect();
    let is_seen = has(sentence, &SEEN);
    let all = (0..words.len()).filter_map(|at| {
        let limit = words[at].split(',').find_map(of_key);
        let limit = limit.or_else(|| of_words(&words, at, is_network, is_seen))?;
        let (before, after) = words.split_at(at);
        let mut near = before.iter().rev().chain(after);
        let device = near.find_map(|word| device(word)).unwrap_or_default();
        Some(Limit { device, ..limit })
    });
    all.collect()
}

fn limit(value: f64, is_bytes: bool) -> Limit {
    Limit {
        value,
        is_bytes,
        is_link: false,
        is_setting: false,
        device: String::new(),
        direction: None,
        line: 0,
    }
}

/// `wbps=10485760`.
fn of_key(word: &str) -> Option<Limit> {
    let (key, value) = word.split_once('=')?;
    let key = key.rsplit('.').next().unwrap_or(key).replace('-', "_");
    let (_, unit, direction) = KEYS
        .iter()
        .find(|(name, ..)| name.eq_ignore_ascii_case(&key))?;
    let value = size(value).filter(|value| *value > 0.0)?;
    Some(Limit {
        direction: *direction,
        is_setting: true,
        ..limit(value * unit.max(1.0), *unit > 0.0)
    })
}

/// `limited to 500 IOPS`, `10 Gbit/s`.
fn of_words(words: &[&str], at: usize, is_network: bool, is_seen: bool) -> Option<Limit> {
    let (number, unit) = number_at(words, at)?;
    let is_number = |word: &&&str| word.starts_with(|sign: char| sign.is_ascii_digit());
    let before = words[at.saturating_sub(NEAR)..at].iter().rev();
    // A number between them is what is limited.
    let before = before.take_while(|word| !is_number(word));
    let starts = |word: &str, starts: &[&str]| {
        let word = word.to_ascii_lowercase();
        starts.iter().any(|start| word.starts_with(start))
    };
    let known = before.clone().any(|word| starts(word, &SET));
    let told = before.clone().any(|word| starts(word, &TOLD)) && !is_seen;
    let is_limit = (known || told) && !is_share(words, at, unit);
    if let Some(factor) = bits(unit) {
        let is_speed = factor > 1e6 && LINKS.contains(&number);
        return (is_limit || is_network || is_speed).then(|| Limit {
            is_link: !is_limit,
            ..limit(number * factor, true)
        });
    }
    let found = match unit {
        "MBps" | "GBps" | "KBps" | "MiBps" | "GiBps" => limit(
            number * size(&format!("1{}", unit.trim_end_matches("ps")))?,
            true,
        ),
        _ if unit.eq_ignore_ascii_case("iops") => limit(number, false),
        _ if unit.ends_with("/s") => limit(number * size(&format!("1{unit}"))?, true),
        _ => return None,
    };
    is_limit.then_some(found)
}

/// A number, and its unit without the signs around it.
fn number_at<'a>(words: &[&'a str], at: usize) -> Option<(f64, &'a str)> {
    let is_sign = |sign: char| !(sign.is_ascii_digit() || sign == '.' || sign == ',');
    let word = words[at];
    let (number, unit) = word.split_at(word.find(is_sign).unwrap_or(word.len()));
    let number = plain(&number.replace(',', "")).filter(|number| *number > 0.0)?;
    let unit = if unit.is_empty() {
        *words.get(at + 1)?
    } else {
        unit
    };
    let unit = unit.trim_start_matches('-');
    Some((number, unit.trim_end_matches(['.', ':', '!', '?'])))
}

/// Whether what follows makes it a number for each of something, or of what is left.
fn is_share(words: &[&str], at: usize, unit: &str) -> bool {
    let after = at + 1 + usize::from(!words[at].contains(unit));
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let whole = ["disk", "drive", "second", "volume"];
    match word(after).trim_end_matches([':', '.']) {
        "per" => !has(word(after + 1), &whole),
        "available" | "each" | "free" | "left" => true,
        _ => false,
    }
}

/// Bytes a second in a unit of bits. `mbps` and `MBPS` are written for both.
fn bits(unit: &str) -> Option<f64> {
    let small = unit.to_ascii_lowercase();
    let starts = |all: &[&str]| all.iter().any(|start| small.starts_with(start));
    if starts(&["gbit", "gbe", "gigabit"]) || matches!(unit, "Gbps" | "gbps" | "Gb/s") {
        return Some(125e6);
    }
    (starts(&["mbit", "megabit"]) || matches!(unit, "Mbps" | "Mb/s")).then_some(125e3)
}

/// The device that a word names: of `/dev/sdb1` it is `sdb`, and of the number 8:16 too.
pub(crate) fn device(word: &str) -> Option<String> {
    let word = word.trim_start_matches("/dev/");
    let word = word.trim_matches(|sign: char| !sign.is_ascii_alphanumeric());
    if let Some(number) = word.strip_prefix("8:") {
        let number: u8 = number.parse().ok()?;
        return Some(format!("sd{}", char::from(b'a' + number / 16)));
    }
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|sign| sign.is_ascii_digit());
    let numbered = ["md", "dm-", "rbd", "nbd"];
    let is_numbered = numbered
        .iter()
        .any(|start| word.strip_prefix(start).is_some_and(digits));
    let disk = word.trim_end_matches(|sign: char| sign.is_ascii_digit());
    let is_virtual = ["vd", "xvd", "hd"].iter().any(|start| {
        let rest = disk.strip_prefix(start);
        rest.is_some_and(|rest| rest.len() == 1 && rest.as_bytes()[0].is_ascii_lowercase())
    });
    let found = drive(word).or_else(|| is_numbered.then_some(word));
    found
        .or_else(|| is_virtual.then_some(disk))
        .map(str::to_owned)
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
            } else if let Some(count) = word.strip_suffix(['x', '×']).filter(|_| !is_more(next)) {
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

/// Whether a word compares, so that the number before it is a factor.
fn is_more(word: &str) -> bool {
    let words = ["as", "less", "more", "speed", "speedup", "the", "worse"];
    let word = word.trim_end_matches(|sign: char| !sign.is_alphanumeric());
    word.ends_with("er") || words.iter().any(|own| word.eq_ignore_ascii_case(own))
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
        let cases: [(&str, Option<(f64, bool)>); 16] = [
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
            ("A P30, which is limited to 200 MBps.", Some((200e6, true))),
            ("The link is limited to 200 Mbps.", Some((25e6, true))),
        ];
        for (text, expected) in cases {
            let found = limits(&lines(text), &[]);
            let first = found.first().map(|one| (one.value, one.is_bytes));
            assert_eq!(first, expected, "{text}");
        }
        for text in [
            "The disk is limited to 40 MB/s, why?",
            "The disk is limited to 40 MB/s.\nWhy is that?",
            "It is limited to 40 MB/s, and was sold as fast",
            "My reads are limited to 40 MB/s.",
            "The drive is not limited by a quota: 200 MB/s is what it gives.",
            "There is no\nlimit of 500 MB/s.",
            "There is no limit: 500 MB/s per client",
            "The volume is capped at 2,000 IOPS per LUN.",
            "The SAN is capped at 2,000 IOPS for others.",
            "Queue limit 32. 500 IOPS is what it gives.",
            "A queue limit of 32: 500 IOPS",
            "A quota of 500 IOPS is the goal.",
            "provisioned: thin. 250 MB/s on the new one",
            "quota says 100 MB/s free",
            "SATA III limit is 600 MB/s, so why so few?",
            "The volume was limited to 400 MB/s before.",
            "Our ISP gives 1 Gbit/s.",
            "2 x 10 Gbit/s, a local disk",
            "a limit of 80 MBPS",
        ] {
            assert_eq!(limits(&lines(text), &[]), [], "{text}");
        }
        // A line of a result states no limit.
        assert_eq!(limits(&lines("limit 500 IOPS"), &[(1, 1)]), []);
    }

    #[test]
    fn a_limit_has_the_device_that_stands_next_to_it() {
        let cases = [
            ("io.max: 8:16 rbps=104857600", "sdb"),
            ("vdb has iops_max=3000, and I test sdc", "vdb"),
            ("a limit of 300 IOPS of /dev/nvme0n1p2", "nvme0n1"),
            ("the volume is limited to 300 IOPS", ""),
        ];
        for (text, expected) in cases {
            let found = limits(&lines(text), &[]);
            let first = found.first().map(|one| one.device.as_str());
            assert_eq!(first, Some(expected), "{text}");
        }
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
            ("Why is sda 3x slower?", 1.0),
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
