//! A capture as text: one line that answers, and a row for each kind of process and operation.

use super::Shown;
use crate::paragraph::wrapped;
use crate::table::Table;
use fathom_capture::Row;
use fathom_core::Op;
use fathom_core::SmallSort as _;
use fathom_core::figure::{self, count, percent, plural};
use fathom_core::foreign::visible;
use std::fmt::Write as _;

const HEADS: [&str; 9] = [
    "PROCESS",
    "OPERATION",
    ">REQUESTS/s",
    ">MB/s",
    ">MEAN SIZE",
    "COMMON SIZES",
    ">SEQUENTIAL",
    ">p50",
    ">p99",
];
/// Rows that are shown; the JSON form has all.
const MOST_ROWS: usize = 20;
/// Devices that are named.
const MOST_DEVICES: usize = 8;
/// Sizes that are named.
const MOST_SIZES: usize = 2;

pub(super) fn of(shown: &Shown<'_>) -> String {
    let mut text = wrapped(&headline(shown)) + &wrapped(&source(shown));
    for warning in warnings(shown) {
        let _ = writeln!(text, "QUALIFIED: {warning}");
    }
    let missing = &shown.head.missing_events;
    if !missing.is_empty() {
        let names: Vec<_> = missing.iter().map(|name| visible(name)).collect();
        let names = names.join(", ");
        let _ = writeln!(text, "note: the kernel does not have these events: {names}");
    }
    let rows = &shown.summary.rows;
    if rows.is_empty() {
        return text;
    }
    let mut table = Table::new(&HEADS);
    let seconds = shown.length_ns() as f64 / 1e9;
    for row in rows.iter().take(MOST_ROWS) {
        table.row(cells(row, seconds));
    }
    text += "\n";
    text += &table.to_string();
    if let Some(more @ 1..) = rows.len().checked_sub(MOST_ROWS) {
        let more = plural(more as u64, "row");
        let _ = writeln!(text, "and {more} with fewer requests");
    }
    text
}

/// What happened, in one line.
fn headline(shown: &Shown<'_>) -> String {
    let summary = shown.summary;
    let seconds = shown.length_ns() as f64 / 1e9;
    let mut parts = Vec::new();
    // Requests of one instant have no rate.
    if seconds > 0.0 {
        let (iops, bytes) = (summary.requests as f64, summary.bytes as f64);
        parts.push(format!("{} IOPS", figure::iops(iops / seconds)));
        parts.push(format!("{} MB/s", figure::megabytes(bytes / seconds)));
    }
    if let Some(share) = summary.read_share {
        parts.push(format!("{} reads", percent(share * 100.0)));
    }
    parts.extend(named_sizes(&summary.sizes(MOST_SIZES)));
    let lost = match shown.tail {
        _ if !shown.is_own => String::new(),
        Some(tail) => format!(", {} lost", plural(tail.lost_events, "event")),
        None => ", lost events unknown".to_owned(),
    };
    let bytes_each = (shown.is_own && summary.requests > 0).then(|| {
        let each = shown.file_bytes as f64 / summary.requests as f64;
        format!(", {} bytes per request", figure::decimal(each, 1))
    });
    format!(
        "{}: {} in {} ({}){lost}{}",
        shown.file.display(),
        plural(summary.requests, "request"),
        figure::duration(shown.length_ns()),
        parts.join(", "),
        bytes_each.unwrap_or_default(),
    )
}

/// Where the requests come from.
fn source(shown: &Shown<'_>) -> String {
    let head = shown.head;
    let names = head.devices.iter().take(MOST_DEVICES);
    let names: Vec<_> = names.map(|device| visible(&device.name)).collect();
    let more = head.devices.len().checked_sub(MOST_DEVICES);
    let more = more.filter(|more| *more > 0);
    let more = more.map_or_else(String::new, |more| {
        format!(" and {} more", count(more as u64))
    });
    let mut parts = vec![format!("requests to {}{more}", names.join(", "))];
    if shown.summary.processes > 0 {
        let one = if shown.summary.are_threads {
            "thread"
        } else {
            "process"
        };
        parts.push(format!("from {}", number_of(shown.summary.processes, one)));
    }
    if !shown.is_own {
        parts.insert(0, head.made_by.clone());
    }
    if let Some(filter) = &head.filter {
        parts.push(format!("only those {}", visible(filter)));
    }
    if let Some(tail) = shown.tail.filter(|tail| tail.matched.requests > 0) {
        let matched = &tail.matched;
        let all = matched.requests + matched.without_issue;
        let whole = matched.requests.saturating_sub(matched.without_completion);
        let share = percent_matched(whole, all);
        parts.push(format!("{share} with issue and completion"));
    }
    parts.join("; ")
}

/// A share that is not rounded up to all.
fn percent_matched(whole: u64, all: u64) -> String {
    if whole == all {
        return "all".to_owned();
    }
    let share = (whole as f64 / all as f64 * 1e5).floor() / 1e3;
    format!("{} %", figure::decimal(share, 3))
}

fn number_of(number: u64, one: &str) -> String {
    match (number, one) {
        (1, _) => format!("1 {one}"),
        (more, "process") => format!("{} processes", count(more)),
        (more, _) => format!("{} {one}s", count(more)),
    }
}

fn warnings(shown: &Shown<'_>) -> Vec<String> {
    let mut warnings = Vec::new();
    match shown.tail {
        // The remarks of its format say it.
        None if !shown.is_own => {}
        None => warnings.push(
            "the file ends before the end of the capture. The requests up to its last whole block \
             are shown."
                .to_owned(),
        ),
        Some(tail) if tail.lost_events > 0 => warnings.push(format!(
            "the kernel lost {} because its buffers were full. Requests are missing, and some \
             service times. Use a larger --buffer.",
            plural(tail.lost_events, "event")
        )),
        Some(_) => {}
    }
    warnings.extend(
        shown
            .remarks
            .iter()
            .map(|remark| visible(remark).into_owned()),
    );
    warnings
}

fn named_sizes(sizes: &[(u64, f64)]) -> Vec<String> {
    let named = sizes
        .iter()
        .map(|(size, share)| format!("{} {}", percent(share * 100.0), figure::size(*size)));
    named.collect()
}

fn cells(row: &Row, seconds: f64) -> [String; 9] {
    // Requests of one instant have no rate.
    let per_second = |amount: u64, form: fn(f64) -> String| match seconds {
        0.0 => String::new(),
        _ => form(amount as f64 / seconds),
    };
    let has_data = row.op != Op::Flush;
    let of_data = |text: String| if has_data { text } else { String::new() };
    let percentile = |name: &str| {
        let value = row.service_ns.percentiles.get(name);
        value.map_or_else(String::new, |value| figure::time(*value as f64))
    };
    let mut sizes: Vec<(u64, f64)> = row
        .sizes
        .iter()
        .map(|(size, number)| (*size, *number as f64 / row.requests as f64))
        .collect();
    sizes.small_sort_by(|one, other| other.1.total_cmp(&one.1));
    sizes.truncate(MOST_SIZES);
    let process = if row.process.is_empty() {
        "-".to_owned()
    } else {
        visible(&row.process).into_owned()
    };
    [
        process,
        row.op.name().to_owned(),
        per_second(row.requests, figure::iops),
        of_data(per_second(row.bytes, figure::megabytes)),
        of_data(figure::size(row.bytes / row.requests.max(1))),
        of_data(named_sizes(&sizes).join(", ")),
        of_data(percent(row.sequential as f64 / row.requests as f64 * 100.0)),
        percentile("50"),
        percentile("99"),
    ]
}
