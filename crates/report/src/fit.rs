//! Whether a load fits, as bytes.

mod on_path;

use crate::format_of::FormatOf;
use crate::json_text::json_text;
use crate::page::Entry;
use crate::sections::{Section, as_html, as_markdown, as_text, entry};
use crate::table::{Align, Table};
use fathom_core::figure::{decimal, duration, iops, megabytes, percent, plural, size, time};
use fathom_volume::fit::{Fit, Fits, Method};
use on_path::range;

/// All formats, the one for people first.
pub static FIT_FORMATS: &[FormatOf<Fits>] = &[
    FormatOf {
        name: "brief",
        description: "the answer, a table of all targets, and what limits each",
        write: |fits, options| as_text(&sections(fits, false), options),
    },
    FormatOf {
        name: "text",
        description: "the same with all assumptions",
        write: |fits, options| as_text(&sections(fits, true), options),
    },
    FormatOf {
        name: "json",
        description: "complete result for programs",
        write: |fits, _| json_text(fits),
    },
    FormatOf {
        name: "markdown",
        description: "the same as text, for tickets",
        write: |fits, _| as_markdown(&sections(fits, true)),
    },
    FormatOf {
        name: "html",
        description: "one self-contained page",
        write: |fits, _| as_html("Fit", &sections(fits, true)),
    },
];

/// Limits that hold back a smaller share of the requests, for a smaller share of the time, are left
/// out.
const LEAST_SHARE: f64 = 1e-4;

fn sections(fits: &Fits, is_full: bool) -> Vec<Section> {
    let mut all = vec![Section::new("", vec![entry("", &fits.headline)])];
    let mut below = Vec::new();
    below.push(entry("requests", &fits.method_words));
    below.extend(fits.notes.iter().map(|note| entry("trace", note)));
    if let Some(one) = &fits.on_path {
        below.extend(on_path::entries(one, is_full));
    }
    let on_path = fits.on_path.as_ref();
    all.push(Section {
        table: Some(on_path.map_or_else(|| table(fits), |one| on_path::table(&fits.original, one))),
        ..Section::new("", below)
    });
    let targets = fits.targets.iter();
    let many = is_of_many(fits);
    all.extend(targets.map(|fit| Section::new(&fit.target, entries(fits, fit, many, is_full))));
    all.extend(fits.unread.iter().map(|one| {
        let answer = entry("answer", &one.sentence);
        Section::new(&one.target, vec![answer])
    }));
    all
}

/// Whether several targets are compared, so that each has an answer of its own.
const fn is_of_many(fits: &Fits) -> bool {
    fits.targets.len() + fits.unread.len() > 1
}

/// A row for the trace, and one for each target.
fn table(fits: &Fits) -> Table {
    let mut table = Table::default();
    table.label_column("");
    let many = is_of_many(fits);
    if many {
        table.column("fits", Align::Left);
    }
    let named = |name: &str, answer: &str| {
        let answer = many.then(|| answer.to_owned());
        [name.to_owned()]
            .into_iter()
            .chain(answer)
            .collect::<Vec<_>>()
    };
    for head in ["IOPS", "p50", "p99", "interval", "p99.9", "a month"] {
        table.column(head, Align::Right);
    }
    let original = &fits.original;
    let known = |value: Option<f64>| value.map_or_else(|| "unknown".to_owned(), time);
    let mut row = named("recorded", "");
    row.extend([iops(original.iops), known(original.p50_ns)]);
    row.extend([
        known(original.p99_ns),
        String::new(),
        known(original.p999_ns),
    ]);
    table.row(row);
    for fit in &fits.targets {
        let interval = fit.p99_ns.map_or_else(String::new, |p99| range(p99, time));
        let mut row = named(&fit.target, fit.answer.in_words());
        row.extend([
            iops(fit.delivered_iops.estimate),
            known(fit.p50_ns),
            known(fit.p99_ns.map(|p99| p99.estimate)),
            interval,
            known(fit.p999_ns),
            fit.cost.as_ref().map_or_else(
                || "unknown".to_owned(),
                |cost| format!("{} {}", decimal(cost.total, 2), cost.currency),
            ),
        ]);
        table.row(row);
    }
    for one in &fits.unread {
        table.row(named(&one.target, one.answer.in_words()));
    }
    table
}

fn entries(fits: &Fits, fit: &Fit, many: bool, is_full: bool) -> Vec<Entry> {
    let mut all = Vec::new();
    if many {
        all.push(entry("answer", &fit.sentence));
    }
    let bytes = fits.original.bytes_per_second * fits.scale;
    let mut load = format!(
        "asked {} IOPS ({} MB/s), served {} IOPS",
        iops(fit.asked_iops),
        megabytes(bytes),
        iops(fit.delivered_iops.estimate)
    );
    if fits.method == Method::Twin {
        load += &format!(" [{}]", range(fit.delivered_iops, iops));
    }
    all.push(entry("load", load));
    all.push(entry("limited by", limits(fit)));
    for end in &fit.played.credits {
        let after = duration((end.seconds * 1e9) as u64);
        let how = if end.is_repeated {
            " if this load goes on"
        } else {
            ""
        };
        all.push(entry(
            "credit",
            format!("{}: empty after {after}{how}", end.limit),
        ));
    }
    let [touched, whole] = [fits.original.touched_bytes, fit.size_bytes].map(size);
    all.push(entry(
        "space",
        format!("the trace touches {touched}, the target has {whole}"),
    ));
    all.push(entry("bill", &fit.bill));
    all.extend(fit.bill_origin.iter().map(|origin| entry("bill", origin)));
    if fit.is_without_machine {
        let none = "none is named: its limits and its price are not included";
        all.push(entry("machine", none));
    }
    let service = time(fit.service_ns);
    let assumed = "on average where nothing waits, which no vendor states";
    all.push(entry(
        "assumed",
        format!("a request takes {service} {assumed}"),
    ));
    all.extend(fit.warnings.iter().map(|one| entry("warning", one)));
    if is_full {
        all.extend(fit.remarks.iter().map(|remark| entry("note", remark)));
    }
    all
}

/// The limits, each with the share of the time.
fn limits(fit: &Fit) -> String {
    let played = &fit.played;
    let words = played.limits.iter().filter_map(|limit| {
        let share = limit.seconds / played.held_seconds.max(f64::MIN_POSITIVE) * fit.held_share;
        let count = plural(limit.requests, "request");
        let words = format!(
            "{}: {} of the time, {count}",
            limit.in_words(),
            percent(share * 100.0)
        );
        let of_requests = limit.requests as f64 / played.requests.max(1) as f64;
        (share.max(of_requests) >= LEAST_SHARE).then_some(words)
    });
    let mut words: Vec<String> = words.collect();
    if !words.is_empty() {
        let longest = time(played.longest_wait_seconds * 1e9);
        words.push(format!("longest wait {longest}"));
    }
    words.extend(fit.disk());
    if words.is_empty() {
        return "no limit".to_owned();
    }
    words.join("; ")
}
