//! Until when a limit holds.

use super::Cause;
use super::rules::Finding;
use super::seen::Seen;
use fathom_core::{Cap, CapUnit, figure};

/// The end in words.
pub(super) fn words(finding: &Finding, seen: &Seen, empty_in: Option<(&Cap, f64)>) -> String {
    match (&finding.cap, finding.cause) {
        (Some(cap), Cause::Credit) => credit(cap),
        (Some(_), _) if finding.is_burst => empty_in.map_or_else(
            || "until the credit is empty".to_owned(),
            |(_, seconds)| {
                let time = duration(seconds);
                format!("until the credit is empty in {time} at this rate; then less is allowed")
            },
        ),
        (_, Cause::Writeback) => writeback(seen),
        (_, Cause::IoCost) => {
            "until the other groups need less, or its weight is raised".to_owned()
        }
        (_, Cause::Flush) => "as long as the load waits for each of them".to_owned(),
        (_, Cause::QueueDepth) => {
            "until the load has fewer requests in flight, or the queue is longer".to_owned()
        }
        (_, Cause::Scheduler) => "as long as this scheduler is set for this load".to_owned(),
        _ => "until the load falls or the limit is raised".to_owned(),
    }
}

/// Credit comes back at the rate of the limit while nothing is moved.
fn credit(cap: &Cap) -> String {
    let limit = match cap.unit {
        CapUnit::Iops => figure::iops(cap.value) + " IOPS",
        CapUnit::BytesPerSecond => figure::megabytes(cap.value) + " MB/s",
    };
    let full = cap.burst.map_or(0.0, |burst| burst.capacity / cap.value);
    format!(
        "until the load stays below {limit}; without load the credit is full again in {}",
        duration(full)
    )
}

/// What is dirty beyond a half of the limit, where the kernel stops to hold writers back.
fn writeback(seen: &Seen) -> String {
    let rate = seen.figures().write_bytes_per_second;
    let beyond = seen.memory.map_or(0, |memory| {
        memory.dirty_bytes.saturating_sub(memory.limit_bytes / 2)
    });
    if rate <= 0.0 {
        return "until dirty pages are written".to_owned();
    }
    let time = duration(beyond as f64 / rate);
    format!(
        "until {time} after the writers pause, at the present {} MB/s",
        figure::megabytes(rate)
    )
}

/// A time in words.
pub(super) fn duration(seconds: f64) -> String {
    figure::duration((seconds * 1e9) as u64)
}
