//! What people write around an output that says more than the output.

/// Something that a paste says in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mention {
    /// A rate that falls after a fast start.
    Falls,
    /// A counter of seconds, of which the rate is taken.
    SecondsRate,
    /// Errors of a device, as the kernel reports them.
    DeviceErrors,
    /// A file system that does not compress.
    Uncompressed,
}

/// Lines, and bytes of each, that are looked at.
const MOST_LINES: usize = 2000;
const LONGEST: usize = 1000;

/// Words for a fall, before a number.
const FALLS: [&str; 12] = [
    "drops to",
    "drop to",
    "dropped to",
    "dropping to",
    "drops down to",
    "falls to",
    "fall to",
    "fell to",
    "falls down to",
    "goes down to",
    "slows down to",
    "decreases to",
];

/// What lines say.
pub(crate) fn said<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<Mention> {
    let mut found = Vec::new();
    for line in lines.take(MOST_LINES).filter(|line| line.len() <= LONGEST) {
        for (mention, is_said) in [
            (Mention::Falls, falls as fn(&str) -> bool),
            (Mention::SecondsRate, is_rate_of_seconds),
            (Mention::DeviceErrors, is_device_error),
            (Mention::Uncompressed, |line| {
                line.contains("compression=off") || line.contains("compression off")
            }),
        ] {
            if !found.contains(&mention) && is_said(line) {
                found.push(mention);
            }
        }
    }
    found
}

/// Words of a fast start, without which a fall may be that of another run, and units of a rate.
const STARTS: [&str; 8] = [
    "after",
    "begins",
    "first",
    "initially",
    "minute",
    "start",
    "starts",
    "then",
];
const UNITS: [&str; 10] = [
    "iops", "kb/s", "kib/s", "mb/s", "mbps", "mib/s", "gb/s", "gib/s", "mb/sec", "kiops",
];
/// The same at the end of a number.
const SHORT: [&str; 2] = ["k", "m"];
/// Words that are about something else than a rate.
const OTHERS: [&str; 7] = [
    "latency",
    "never",
    "temperature",
    "cpu",
    "usage",
    "--",
    "p99",
];

/// Whether a rate falls after a start: `it starts at 5K IOPS, then drops to about 300 IOPS`.
fn falls(line: &str) -> bool {
    let text = line.to_ascii_lowercase();
    let has = |words: &[&str]| {
        let mut all = text.split(|sign: char| !sign.is_ascii_alphanumeric());
        all.any(|word| words.contains(&word))
    };
    has(&STARTS)
        && !OTHERS.iter().any(|word| text.contains(word))
        && FALLS.iter().any(|words| {
            let rest = text.split_once(words).map_or("", |(_, rest)| rest);
            is_rate(rest)
        })
}

/// Whether a number with the unit of a rate is among the next words.
fn is_rate(text: &str) -> bool {
    let near: Vec<&str> = text.split_whitespace().take(5).collect();
    let number = |word: &&str| {
        let word = word.trim_start_matches(['~', '<', '(', '-']);
        word.starts_with(|sign: char| sign.is_ascii_digit())
    };
    let Some(at) = near.iter().take(3).position(number) else {
        return false;
    };
    let letters = |word: &str| {
        let word = word.trim_start_matches(|sign: char| !sign.is_ascii_alphabetic());
        word.trim_end_matches(['.', ',', ')', ';']).to_owned()
    };
    let own = letters(near[at]);
    let next = near
        .get(at + 1)
        .map_or_else(String::new, |word| letters(word));
    let is_unit = |word: &String| UNITS.contains(&word.as_str());
    is_unit(&own) || SHORT.contains(&own.as_str()) || is_unit(&next)
}

/// Whether it is `rate()` of the time of all reads or writes, as in a dashboard of Prometheus, and
/// not divided by that of their number.
fn is_rate_of_seconds(line: &str) -> bool {
    let counters = ["read_time", "write_time"];
    let is_counter = |name: &&str| {
        let seconds = ["_seconds_total", "s_seconds_total"];
        let mut ends = seconds.iter().map(|end| format!("{name}{end}"));
        ends.any(|whole| line.contains(&whole))
    };
    line.contains("rate(") && !line.contains('/') && counters.iter().any(is_counter)
}

/// Whether the kernel reports that a disk failed: no drive without a medium, and no discard that a
/// device does not know.
fn is_device_error(line: &str) -> bool {
    device_of_error(line).is_some()
}

/// The first device that the kernel names with an error, empty if none.
pub(crate) fn failing<'a>(lines: impl Iterator<Item = &'a str>) -> &'a str {
    let lines = lines.take(MOST_LINES).filter(|line| line.len() <= LONGEST);
    let mut found = lines.filter_map(device_of_error);
    found.find(|device| !device.is_empty()).unwrap_or_default()
}

/// The device of an error, empty where the line does not name it.
fn device_of_error(line: &str) -> Option<&str> {
    let errors = [
        "I/O error, dev ",
        "critical medium error, dev ",
        "critical target error, dev ",
    ];
    let of_disk = errors.iter().find_map(|error| {
        let (_, device) = line.split_once(error)?;
        let is_empty = ["fd", "sr", "loop", "nbd"]
            .iter()
            .any(|name| device.starts_with(name));
        let is_disk = !device.is_empty() && !is_empty && !line.contains("(DISCARD)");
        is_disk.then(|| name(device))
    });
    let others = [
        "error: { ABRT }",
        "error: { UNC }",
        "NCQ disabled due to excessive errors",
        "Unrecovered read error",
    ];
    let of_other = || {
        let is_said = others.iter().any(|error| line.contains(error));
        let port = || line.split_whitespace().find(|word| word.starts_with("ata"));
        let bracket = line
            .split_once("[sd")
            .map(|(head, _)| name(&line[head.len() + 1..]));
        is_said.then(|| {
            bracket
                .or_else(port)
                .unwrap_or_default()
                .trim_end_matches(':')
        })
    };
    of_disk.or_else(of_other)
}

/// The letters and digits at the start of a text.
fn name(text: &str) -> &str {
    let end = text.find(|sign: char| !sign.is_ascii_alphanumeric());
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_device_of_an_error_is_named() {
        let cases = [
            ("blk_update_request: I/O error, dev sdc, sector 2048", "sdc"),
            ("ata3.00: error: { ABRT }", "ata3.00"),
            (
                "sd 2:0:0:0: [sdb] tag#7 Add. Sense: Unrecovered read error",
                "sdb",
            ),
            ("blk_update_request: I/O error, dev fd0, sector 0", ""),
            ("The I/O error is gone.", ""),
        ];
        for (line, expected) in cases {
            assert_eq!(failing([line].into_iter()), expected, "{line}");
        }
    }

    #[test]
    fn words_count_only_with_what_belongs_to_them() {
        let cases: [(&str, &[Mention]); 14] = [
            (
                "On 17 nodes it drops to ~67K ops/sec, on 16 it has 4 million.",
                &[],
            ),
            (
                "blk_update_request: I/O error, dev sda, sector 2048",
                &[Mention::DeviceErrors],
            ),
            ("The I/O error, developers say, is gone.", &[]),
            ("blk_update_request: I/O error, dev fd0, sector 0", &[]),
            ("Then I add --fsync=1 and it drops to 900 IOPS", &[]),
            ("After the update the latency drops to 14 us", &[]),
            ("it started well, the link drops to 8 GT/s", &[]),
            (
                "It starts at 5K IOPS and then drops to about 300 IOPS.",
                &[Mention::Falls],
            ),
            (
                "The rate fell to ~40 MB/s after a minute",
                &[Mention::Falls],
            ),
            ("At 16 KiB it drops to 300 IOPS", &[]),
            ("I/O wait goes down to nothing", &[]),
            ("echo 3 > /proc/sys/vm/drop_caches; drop to shell", &[]),
            (
                "rate(node_disk_read_time_seconds_total[5m])",
                &[Mention::SecondsRate],
            ),
            ("node_disk_read_time_seconds_total 12", &[]),
        ];
        for (line, expected) in cases {
            assert_eq!(said([line].into_iter()), expected, "{line}");
        }
    }
}
