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
        ] {
            if !found.contains(&mention) && is_said(line) {
                found.push(mention);
            }
        }
    }
    found
}

/// Words of a fast start, without which a fall may be that of another run.
const STARTS: [&str; 7] = [
    "after", "begin", "first", "initial", "minute", "start", "then",
];

/// Whether something falls to a number: `then it drops to about 300 IOPS`.
fn falls(line: &str) -> bool {
    let text = line.to_ascii_lowercase();
    let has_start = STARTS.iter().any(|word| text.contains(word));
    has_start
        && FALLS.iter().any(|words| {
            let rest = text.split_once(words).map_or("", |(_, rest)| rest);
            let mut near = rest.split_whitespace().take(3);
            near.any(|word| {
                word.trim_start_matches(['~', '<', '('])
                    .starts_with(|sign: char| sign.is_ascii_digit())
            })
        })
}

/// Whether it is `rate()` of a counter of seconds, as in a dashboard of Prometheus.
fn is_rate_of_seconds(line: &str) -> bool {
    let counters = ["time_seconds_total", "times_seconds_total"];
    line.contains("rate(") && counters.iter().any(|name| line.contains(name))
}

/// Whether the kernel reports that a device failed.
fn is_device_error(line: &str) -> bool {
    let errors = [
        "I/O error, dev ",
        "critical medium error, dev ",
        "critical target error, dev ",
        "error: { ABRT }",
        "error: { UNC }",
        "NCQ disabled due to excessive errors",
        "Unrecovered read error",
    ];
    errors.iter().any(|error| line.contains(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_count_only_with_what_belongs_to_them() {
        let cases: [(&str, &[Mention]); 9] = [
            (
                "On 17 nodes it drops to ~67K ops/sec, on 16 it has 4 million.",
                &[],
            ),
            (
                "blk_update_request: I/O error, dev sda, sector 2048",
                &[Mention::DeviceErrors],
            ),
            ("The I/O error, developers say, is gone.", &[]),
            (
                "It starts at 5K IOPS and then drops to about 300.",
                &[Mention::Falls],
            ),
            (
                "The rate fell to ~40 MB/s after a minute",
                &[Mention::Falls],
            ),
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
