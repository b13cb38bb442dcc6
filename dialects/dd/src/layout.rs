//! What GNU dd prints, to the letter; and below it what dd does not say.
#![expect(
    clippy::format_push_string,
    reason = "a report is written once; growing sentences read better than write! does"
)]

use super::translate::{Records, records};
use fathom_core::figure;
use fathom_core::result::{JobResult, OpResult, Origin, PhaseResult, ResultField, RunResult};
use fathom_core::spec::{Fill, Job};
use fathom_core::{Histogram, Op};

/// The report of a result: dd's lines, and below them what dd does not say.
pub fn render(result: &RunResult) -> String {
    transfer_lines(result).concat() + &unsaid(result)
}

/// dd's three lines, each with its end: records in, records out, and the last one.
pub fn transfer_lines(result: &RunResult) -> [String; 3] {
    let (bytes, block, nanos) = transfer(result);
    let origin = &result.provenance.origin;
    if !origin.knows(ResultField::Bytes) || !origin.knows(ResultField::Workload) && block <= 1 {
        let unknown = |what: &str| format!("unknown records {what}\n");
        let last = if origin.knows(ResultField::Bytes) {
            last_line(bytes, nanos) + "\n"
        } else {
            format!("unknown bytes copied, {} s\n", general(nanos as f64 / 1e9))
        };
        return [unknown("in"), unknown("out"), last];
    }
    // Blocks that are read and written have sizes of their own with ibs= and obs=.
    let of = records(&result.provenance.workload.source).unwrap_or(Records {
        read: block,
        written: block,
        fills_up: false,
        asked: None,
    });
    let (read, written) = ends(bytes, is_written(result), of);
    let records = |bytes: u64, block: u64| {
        let whole = bytes / block.max(1);
        let part = u64::from(!bytes.is_multiple_of(block.max(1)));
        format!("{whole}+{part}")
    };
    [
        format!("{} records in\n", records(read, of.read)),
        format!("{} records out\n", records(written, of.written)),
        last_line(written, nanos) + "\n",
    ]
}

/// Bytes read and bytes written, of which the one is measured and the other goes without saying.
fn ends(bytes: u64, is_written: bool, of: Records) -> (u64, u64) {
    let whole = |bytes: u64| bytes.checked_next_multiple_of(of.read).unwrap_or(bytes);
    match of.asked {
        _ if !of.fills_up => (bytes, bytes),
        Some(asked) if is_written && whole(asked) == bytes => (asked, bytes),
        _ if is_written => (bytes, bytes),
        _ => (bytes, whole(bytes)),
    }
}

/// Whether the storage is the output.
fn is_written(result: &RunResult) -> bool {
    only_job(result).is_some_and(|(_, job)| job.ops[Op::Write].is_some())
}

/// Bytes moved, bytes of a request, and how long it took.
fn transfer(result: &RunResult) -> (u64, u64, u64) {
    let Some((phase, job)) = only_job(result) else {
        return (0, 1, 0);
    };
    let bytes = [&job.ops[Op::Read], &job.ops[Op::Write]]
        .into_iter()
        .flatten();
    let bytes = bytes.map(|op| op.bytes).sum();
    let spec = result.job_spec(&phase.name, &job.name);
    let block = spec.map_or(1, |spec| spec.largest_io().0);
    (bytes, block, job.active_ns)
}

fn only_job(result: &RunResult) -> Option<(&PhaseResult, &JobResult)> {
    let phase = result.phases.first()?;
    Some((phase, phase.jobs.first()?))
}

/// `N bytes (A, B) copied, T s, R`, with the parentheses only where they say something new.
fn last_line(bytes: u64, nanos: u64) -> String {
    let seconds = general(nanos as f64 / 1e9);
    let rate = rate(bytes, nanos);
    let noun = if bytes == 1 { "byte" } else { "bytes" };
    let (decimal, binary) = (scaled(bytes, 1000), scaled(bytes, 1024));
    let also = match bytes {
        0..1000 => String::new(),
        1000..1024 => format!(" ({decimal})"),
        _ => format!(" ({decimal}, {binary})"),
    };
    format!("{bytes} {noun}{also} copied, {seconds} s, {rate}/s")
}

/// Bytes a second; a transfer that took no time has no end.
fn rate(bytes: u64, nanos: u64) -> String {
    if nanos == 0 {
        return "Infinity B".to_owned();
    }
    let per_second = bytes as f64 * 1e9 / nanos as f64;
    let mut value = per_second;
    let mut power = 0;
    while value >= 1000.0 && power < DECIMAL.len() - 1 {
        value /= 1000.0;
        power += 1;
    }
    let tenths = format!("{value:.1}");
    // Two digits before the point still have one after it, other than in amounts.
    let text = if tenths.len() > 4 {
        format!("{value:.0}")
    } else {
        tenths
    };
    format!("{text} {}", DECIMAL[power])
}

const DECIMAL: [&str; 7] = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
const BINARY: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/// A whole number in the largest unit that leaves at least 1, with one decimal below 10, rounded
/// to the nearest, of two equally near to the even one.
fn scaled(bytes: u64, base: u64) -> String {
    let units = if base == 1000 { &DECIMAL } else { &BINARY };
    let mut power = 0;
    let mut unit: u64 = 1;
    while bytes / unit >= base {
        unit *= base;
        power += 1;
    }
    if power == 0 {
        return format!("{bytes} B");
    }
    let tenths = nearest(u128::from(bytes) * 10, u128::from(unit));
    if tenths < 100 {
        return format!("{}.{} {}", tenths / 10, tenths % 10, units[power]);
    }
    let whole = nearest(u128::from(bytes), u128::from(unit));
    if whole == u128::from(base) {
        return format!("1.0 {}", units[power + 1]);
    }
    format!("{whole} {}", units[power])
}

/// `number / by`, rounded to the nearest, of two equally near to the even one.
fn nearest(number: u128, by: u128) -> u128 {
    let (whole, rest) = (number / by, number % by);
    let up = match (rest * 2).cmp(&by) {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Equal => whole % 2,
        std::cmp::Ordering::Greater => 1,
    };
    whole + up
}

/// A number as C's `%g` writes it: six significant digits, no zeros at the end.
fn general(number: f64) -> String {
    if number <= 0.0 {
        return "0".to_owned();
    }
    let scientific = format!("{number:.5e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |text: &str| {
        if text.contains('.') {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        } else {
            text.to_owned()
        }
    };
    if (-4..6).contains(&exponent) {
        let decimals = usize::try_from(5 - exponent).unwrap_or(0);
        return trim(&format!("{number:.decimals$}"));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trim(digits), exponent.abs())
}

/// What dd does not say: what was written, whether it is durable, what the device saw, how long
/// single requests took, and how far the figure can be trusted.
pub fn unsaid(result: &RunResult) -> String {
    let Some((phase, job)) = only_job(result) else {
        return "nothing was measured\n".to_owned();
    };
    let mut text = String::new();
    let mut line = |label: &str, words: String| text.push_str(&format!("{label:<12}{words}\n"));
    let origin = &result.provenance.origin;
    let spec = result.job_spec(&phase.name, &job.name);
    if let Some(spec) = spec.filter(|_| origin.knows(ResultField::Workload)) {
        line("data", data(spec));
        line("cache", cache(spec, phase, job));
    }
    if let Some(words) = device(phase, job) {
        line("device", words);
    }
    for (op, done) in job.ops.present().filter(|(op, _)| *op != Op::Flush) {
        line(op.name(), requests(done, origin));
        if done.bytes_per_second_by_interval.count > 1 {
            let spread = &done.bytes_per_second_by_interval;
            let words = format!(
                "{} to {} MB/s, mean {} MB/s",
                figure::megabytes(spread.min),
                figure::megabytes(spread.max),
                figure::megabytes(spread.mean)
            );
            line("by second", words);
        }
    }
    if let Some(flush) = &job.ops[Op::Flush] {
        let share = flush.service_ns.mean * flush.ios as f64 / job.active_ns.max(1) as f64;
        let words = format!(
            "{} in all, {} of the time",
            figure::time(flush.service_ns.mean * flush.ios as f64),
            figure::percent(share * 100.0)
        );
        line("flush", words);
    }
    if job.failed > 0 {
        line("errors", figure::plural(job.failed, "failed request"));
    }
    line("state", result.state.word().to_owned());
    for caveat in &result.caveats {
        line("", format!("{}: {}", caveat.code, caveat.message));
    }
    text
}

fn data(spec: &Job) -> String {
    match (spec.destroys(), spec.data.fill) {
        (false, _) => "whatever is in the file".to_owned(),
        (true, Fill::Zero) => {
            "zeros, which storage that compresses or is thin may not store at all".to_owned()
        }
        (true, Fill::Random | Fill::Scrambled) => {
            "random bytes, which cannot be compressed".to_owned()
        }
        (true, Fill::File) => "parts of what a file holds".to_owned(),
        (true, Fill::Counting | Fill::Pattern(_) | Fill::Ior(_)) => {
            "one pattern again and again, which storage that compresses or deduplicates may not \
             store at all"
                .to_owned()
        }
    }
}

fn cache(spec: &Job, phase: &PhaseResult, job: &JobResult) -> String {
    let durability = spec.durability;
    let way = if durability.direct {
        "past the page cache"
    } else {
        "through the page cache"
    };
    if !spec.destroys() {
        return match (durability.direct, spec.cold) {
            (true, _) => way.to_owned(),
            (false, true) => format!("{way}; its pages were dropped before"),
            (false, false) => format!("{way}, which may have held the file already"),
        };
    }
    let end = match durability.sync {
        _ if durability.write_through => "each write durable when it completed",
        Some(sync) if sync.data_only => "fdatasync at the end, inside the time",
        Some(_) => "fsync at the end, inside the time",
        None if durability.direct => "not flushed: the device's own cache may hold a part",
        None => {
            let written: u64 = phase.devices.iter().map(|device| device.write_bytes).sum();
            let asked = job.ops.get(Op::Write).map_or(0, |write| write.bytes);
            let left = asked.saturating_sub(written);
            return format!(
                "{way}, not flushed: {} of {} were still in memory at the end",
                figure::volume(left),
                figure::volume(asked)
            );
        }
    };
    format!("{way}; {end}")
}

fn device(phase: &PhaseResult, job: &JobResult) -> Option<String> {
    let names: Vec<&str> = phase
        .devices
        .iter()
        .map(|dev| dev.device.as_str())
        .collect();
    let sum = |get: fn(&fathom_core::result::DeviceUse) -> u64| phase.devices.iter().map(get).sum();
    let (verb, bytes, asked): (_, u64, _) = match (&job.ops[Op::Write], &job.ops[Op::Read]) {
        (Some(write), _) => ("wrote", sum(|device| device.write_bytes), write.bytes),
        (None, Some(read)) => ("read", sum(|device| device.read_bytes), read.bytes),
        (None, None) => return None,
    };
    (!names.is_empty()).then(|| {
        format!(
            "{} {verb} {} in that time, for {} here",
            names.join(" and "),
            figure::volume(bytes),
            figure::volume(asked)
        )
    })
}

fn requests(done: &OpResult, origin: &Origin) -> String {
    let count = if origin.knows(ResultField::Ios) {
        figure::plural(done.ios, "request")
    } else {
        "an unknown number of requests".to_owned()
    };
    if done.service_ns.count == 0 {
        return format!("{count}, whose times are unknown");
    }
    let service = &done.service_ns;
    let histogram = done.service_histogram.as_ref();
    let histogram = histogram.and_then(|encoded| encoded.decode().ok());
    let median = histogram.map(|histogram: Histogram| histogram.quantile_ns(0.5));
    let percentile = |name: &str| {
        let value = service.percentile(name);
        value.map_or_else(String::new, |value| {
            format!(", p{name} {}", figure::time(value as f64))
        })
    };
    let median = median.map_or_else(String::new, |median| {
        format!(", median {}", figure::time(median as f64))
    });
    let slowest = if origin.knows(ResultField::ServiceNsMax) {
        format!(", slowest {}", figure::time(service.max as f64))
    } else {
        String::new()
    };
    format!(
        "{count} of mean {}{median}{}{}{slowest}",
        figure::time(service.mean),
        percentile("99"),
        percentile("99.9"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines as GNU dd 9.1 has printed them.
    #[test]
    fn the_last_line_is_that_of_dd() {
        let cases = [
            (1, 48_660, "1 byte copied, 4.866e-05 s, 20.6 kB/s"),
            (999, 64_430, "999 bytes copied, 6.443e-05 s, 15.5 MB/s"),
            (
                1000,
                52_357,
                "1000 bytes (1.0 kB) copied, 5.2357e-05 s, 19.1 MB/s",
            ),
            (
                1023,
                67_255,
                "1023 bytes (1.0 kB) copied, 6.7255e-05 s, 15.2 MB/s",
            ),
            (
                1024,
                53_600,
                "1024 bytes (1.0 kB, 1.0 KiB) copied, 5.36e-05 s, 19.1 MB/s",
            ),
            (
                9950,
                59_050,
                "9950 bytes (10 kB, 9.7 KiB) copied, 5.905e-05 s, 169 MB/s",
            ),
            (
                999_499,
                716_756,
                "999499 bytes (999 kB, 976 KiB) copied, 0.000716756 s, 1.4 GB/s",
            ),
            (
                999_500,
                2_889_150,
                "999500 bytes (1.0 MB, 976 KiB) copied, 0.00288915 s, 346 MB/s",
            ),
            (
                99_950_000,
                160_806_000,
                "99950000 bytes (100 MB, 95 MiB) copied, 0.160806 s, 622 MB/s",
            ),
            (
                10_737_418_240,
                5_012_345_678,
                "10737418240 bytes (11 GB, 10 GiB) copied, 5.01235 s, 2.1 GB/s",
            ),
            (512, 0, "512 bytes copied, 0 s, Infinity B/s"),
        ];
        for (bytes, nanos, line) in cases {
            assert_eq!(last_line(bytes, nanos), line);
        }
    }

    #[test]
    fn seconds_have_six_digits() {
        let cases = [
            (123.456_789, "123.457"),
            (100.0, "100"),
            (0.000_1, "0.0001"),
            (0.000_012_34, "1.234e-05"),
            (1_234_567.0, "1.23457e+06"),
            (999_999.6, "1e+06"),
        ];
        for (number, text) in cases {
            assert_eq!(general(number), text);
        }
    }
}
