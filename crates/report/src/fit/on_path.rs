//! What the load got on a path.

use crate::page::Entry;
use crate::sections::entry;
use crate::table::{Align, Table};
use fathom_core::figure::{iops, percent, time};
use fathom_core::{Caveat, Level};
use fathom_volume::fit::{Got, Interval, OnPath, Original};

pub(super) fn range(interval: Interval, figure: fn(f64) -> String) -> String {
    format!("{} … {}", figure(interval.low), figure(interval.high))
}

/// A row for the trace, one for the path with each multiple of the load, and how near the trace is
/// to itself.
pub(super) fn table(original: &Original, one: &OnPath) -> Table {
    let mut table = Table::default();
    table.label_column("");
    for head in ["IOPS", "p50", "interval", "p99", "interval", "p99.9"] {
        table.column(head, Align::Right);
    }
    let known = |value: Option<f64>| value.map_or_else(|| "unknown".to_owned(), time);
    table.row(vec![
        "recorded".to_owned(),
        iops(original.iops),
        known(original.p50_ns),
        String::new(),
        known(original.p99_ns),
        String::new(),
        known(original.p999_ns),
    ]);
    let of = |name: String, got: &Got| {
        let estimate = |found: Option<Interval>| known(found.map(|found| found.estimate));
        let interval = |found: Option<Interval>| found.map(|found| range(found, time));
        vec![
            name,
            iops(got.delivered_iops.estimate),
            estimate(got.p50_ns),
            interval(got.p50_ns).unwrap_or_default(),
            estimate(got.p99_ns),
            interval(got.p99_ns).unwrap_or_default(),
            known(got.p999_ns),
        ]
    };
    table.row(of(one.path.clone(), &one.got));
    for got in &one.multiples {
        table.row(of(format!("{} times the rate", got.scale), got));
    }
    let floor = |floor: Option<f64>| {
        let percent = |floor: f64| format!("± {}", percent(floor.exp_m1() * 100.0));
        floor.map_or_else(|| "unknown".to_owned(), percent)
    };
    table.row(vec![
        "recorded to itself".to_owned(),
        floor(original.floor_of_rate),
        floor(original.floor_of_p50),
        String::new(),
        floor(original.floor_of_p99),
        String::new(),
        String::new(),
    ]);
    table
}

/// What the answer rests on; with all findings of the run if it is in full.
pub(super) fn entries(one: &OnPath, is_full: bool) -> Vec<Entry> {
    let got = &one.got;
    let has_range = got.delivered_iops.low < got.delivered_iops.high;
    let interval = if has_range {
        format!(" [{}]", range(got.delivered_iops, iops))
    } else {
        String::new()
    };
    let load = format!(
        "asked {} IOPS, served {} IOPS{interval}",
        iops(got.asked_iops),
        iops(got.delivered_iops.estimate)
    );
    let mut all = vec![entry("load", load)];
    all.extend(got.held.iter().map(|held| entry("limited by", held)));
    all.push(entry("state", one.state.word()));
    let least = if is_full {
        Level::Note
    } else {
        Level::Qualified
    };
    let found = one.caveats.iter().filter(|caveat| caveat.level >= least);
    all.extend(found.map(finding));
    let start = "recorded times start when the driver gets a request, those on the path at its \
                 submission to the kernel";
    all.push(entry("times", start));
    let run = one.run_id.as_ref();
    all.extend(run.map(|run| entry("run", format!("fathom show {run}"))));
    all
}

fn finding(caveat: &Caveat) -> Entry {
    let remedy = if caveat.remedy.is_empty() {
        String::new()
    } else {
        format!("; try: {}", caveat.remedy)
    };
    let words = format!("[{}] {}{remedy}", caveat.code, caveat.message);
    entry("finding", words)
}
