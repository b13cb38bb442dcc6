//! What was asked for, as the report repeats it below `Input parameters:`.

use super::TextLine;
use crate::profile::{Cache, Order, Target, TimeSpan};

/// The time spans that are described; without a target they are of no use and left out.
pub(super) fn spans(lines: &[TextLine<'_>]) -> Vec<TimeSpan> {
    let mut spans: Vec<TimeSpan> = Vec::new();
    for line in lines {
        let text = line.text.trim();
        if text.starts_with("timespan:") {
            spans.push(TimeSpan::default());
        } else if let Some(span) = spans.last_mut() {
            span_line(text, span);
            if let Some(target) = span.targets.last_mut() {
                target_line(text, target);
            }
        }
    }
    if spans.iter().any(|span| span.targets.is_empty()) {
        spans.clear();
    }
    spans
}

/// The number after a label, whatever unit follows.
fn number(text: &str, label: &str) -> Option<u32> {
    let rest = text.strip_prefix(label)?.trim_start();
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    rest[..end].parse().ok()
}

fn span_line(text: &str, span: &mut TimeSpan) {
    if let Some(seconds) = number(text, "duration:") {
        span.duration_s = seconds;
    } else if let Some(seconds) = number(text, "warm up time:") {
        span.warm_up_s = seconds;
    } else if let Some(seconds) = number(text, "cool down time:") {
        span.cool_down_s = seconds;
    } else if text == "measuring latency" {
        span.measure_latency = true;
    } else if let Some(length) = number(text, "gathering IOPS at intervals of") {
        span.iops_bucket_ms = Some(length);
    } else if let Some(threads) = number(text, "thread pool with") {
        span.threads = threads;
    } else if let Some(path) = text.strip_prefix("path: ") {
        let path = path.trim_matches('\'').to_owned();
        span.targets.push(Target {
            path,
            ..Target::default()
        });
    } else if span.targets.is_empty()
        && let Some(depth) = number(text, "number of outstanding I/O operations per thread:")
    {
        span.outstanding = depth;
    }
}

fn target_line(text: &str, target: &mut Target) {
    let stride = |text: &str| size(text.rsplit_once(": ")?.1.trim_end_matches(')'));
    if text == "software cache disabled" {
        target.cache = Cache::Uncached;
    } else if text.ends_with("writethrough on") {
        target.write_through = true;
    } else if text == "performing write test" {
        target.write_percent = 100;
    } else if let Some(ratio) = text.strip_prefix("performing mix test (read/write ratio:") {
        let write = ratio.trim_end_matches(')').rsplit('/').next();
        target.write_percent = write
            .and_then(|write| write.trim().parse().ok())
            .unwrap_or(0);
    } else if let Some(bytes) = text.strip_prefix("block size:").and_then(size) {
        target.block_bytes = bytes;
    } else if text.starts_with("using random I/O") {
        let stride_bytes = stride(text).unwrap_or(target.block_bytes);
        target.order = Order {
            random_percent: 100,
            ..Order::sequential(stride_bytes)
        };
    } else if let Some(rest) = text.strip_prefix("using mixed random/sequential I/O (") {
        let stride_bytes = stride(text).unwrap_or(target.block_bytes);
        let random_percent = number(rest, "").unwrap_or(0);
        target.order = Order {
            random_percent,
            ..Order::sequential(stride_bytes)
        };
    } else if text.starts_with("using sequential I/O") {
        target.order = Order::sequential(stride(text).unwrap_or(target.block_bytes));
    } else if text.starts_with("using interlocked sequential I/O") {
        let stride_bytes = stride(text).unwrap_or(target.block_bytes);
        target.order = Order {
            interlocked: true,
            ..Order::sequential(stride_bytes)
        };
    } else if let Some(depth) = number(text, "number of outstanding I/O operations per thread:")
        .or_else(|| number(text, "number of outstanding I/O operations:"))
    {
        target.outstanding = depth;
    } else if let Some(threads) = number(text, "threads per file:") {
        target.threads = threads;
    } else if let Some(think) = number(text, "think time:").filter(|think| *think > 0) {
        target.think_ms = Some(think);
    } else if let Some(rate) = number(text, "throughput rate-limited to") {
        target.throttle = Some(crate::profile::Throttle::Iops(rate));
    } else if text == "IO Distribution:" {
        // The shares are in the lines below; that there are any makes the load involved.
        target.order.ranges = crate::profile::Ranges::Percent(Vec::new());
    }
}

/// A size with the unit that DISKSPD prints: `4KiB`, `1.50GiB` or bare bytes.
fn size(text: &str) -> Option<u64> {
    let text = text.trim();
    let units = [("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40)];
    let found = units
        .iter()
        .find_map(|(unit, bits)| Some((text.strip_suffix(unit)?, *bits)));
    let Some((number, bits)) = found else {
        return text.parse().ok();
    };
    let number: f64 = number
        .trim()
        .parse()
        .ok()
        .filter(|number: &f64| *number >= 0.0)?;
    Some((number * f64::from(2_u32).powi(bits)) as u64)
}
