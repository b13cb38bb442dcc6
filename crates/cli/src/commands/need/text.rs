//! A need as tables for people.

use super::Report;
use crate::commands::recorded::{Needed, Recorded, Subject, TOGETHER};
use crate::paragraph::{fitted, wrapped};
use crate::table::Table;
use crate::width;
use fathom_core::recording::{LARGE_REQUEST_BYTES, SMALL_REQUEST_BYTES, Uncounted};
use fathom_core::{Op, figure};
use fathom_volume::catalog::Remark;
use fathom_volume::plan::Machine;
use fathom_volume::sizing::{Basis, Peak, SasRule, Vector};
use std::fmt::Write as _;

const HEADS: [&str; 9] = [
    "DEVICE",
    "MOMENT",
    ">IOPS",
    ">MB/s",
    ">READS",
    ">READ SIZE",
    ">WRITE SIZE",
    ">IN FLIGHT",
    "AT",
];

pub(super) fn page(report: &Report<'_>, needed: Option<&Needed<'_>>) -> String {
    let recorded = report.recorded;
    let mut table = Table::new(&HEADS);
    for subject in &recorded.subjects {
        rows(&mut table, subject, recorded);
    }
    let mut text = needed.map_or_else(String::new, |needed| {
        answer(needed, &recorded.basis_in_words(), recorded.uncounted)
    });
    let _ = writeln!(
        text,
        "recorded by {}: {}\n\n{}",
        recorded.source,
        extent(&recorded.subjects),
        table.on_page()
    );
    if let Some(needed) = needed.filter(|_| recorded.uncounted != Some(Uncounted::Bytes)) {
        text.push_str(&sentences(needed, &recorded.basis_in_words()));
    }
    text.push_str(&report.disks.text());
    if let Some(rule) = report.sas {
        text.push_str(&of_sas(rule));
        text.push_str(&by_device(rule, &recorded.subjects));
    }
    if let Some(machines) = &report.machines {
        text.push_str(&machines.text());
        text.push('\n');
    }
    for played in &report.played {
        let _ = writeln!(text, "{}\n", played.text());
    }
    for remark in remarks(report) {
        text.push_str(&wrapped(&remark.to_string()));
    }
    fitted(&text, width::of_pages())
}

/// What has to be said of the recording and of the volumes, each once.
pub(super) fn remarks<'a>(report: &'a Report<'_>) -> Vec<&'a Remark> {
    let of_volumes = report.played.iter().flat_map(|played| &played.remarks);
    let mut all: Vec<&Remark> = Vec::new();
    for remark in report.recorded.remarks.iter().chain(of_volumes) {
        if !all.contains(&remark) {
            all.push(remark);
        }
    }
    all
}

/// How much was recorded.
fn extent(subjects: &[Subject]) -> String {
    let Some(first) = subjects.first() else {
        return String::new();
    };
    let moments = figure::plural(first.observed.moments as u64, "moment");
    match first.observed.seconds {
        Some(seconds) => format!("{moments}, {}", figure::duration((seconds * 1e9) as u64)),
        None => format!("{moments} of unknown length"),
    }
}

fn rows(table: &mut Table, subject: &Subject, recorded: &Recorded) {
    let seen = &subject.observed;
    let quantile = Basis::Quantile(recorded.basis().quantile());
    let has_bytes = recorded.uncounted != Some(Uncounted::Bytes);
    let mut name = subject.name.as_str();
    let mut row = |what: String, vector: &Vector, is_moment: bool| {
        let size = |bytes: Option<f64>| {
            let counted = bytes.filter(|_| has_bytes);
            counted.map_or_else(
                || "-".to_owned(),
                |bytes| figure::size(bytes.round() as u64),
            )
        };
        let at = vector.at.as_deref().filter(|_| is_moment);
        let in_flight = vector.outstanding.map(figure::outstanding);
        table.row([
            name.to_owned(),
            what,
            figure::iops(vector.iops),
            if has_bytes {
                figure::megabytes(vector.bytes_per_second)
            } else {
                "-".to_owned()
            },
            figure::percent(vector.reads * 100.0),
            size(vector.read_bytes),
            size(vector.write_bytes),
            in_flight.unwrap_or_else(|| "-".to_owned()),
            at.unwrap_or_default().to_owned(),
        ]);
        name = "";
    };
    row("most requests".to_owned(), &seen.most_iops, true);
    if has_bytes {
        row("most bytes".to_owned(), &seen.most_bytes, true);
    }
    row(format!("{quantile} by requests"), &seen.quantile_iops, true);
    if has_bytes {
        row(format!("{quantile} by bytes"), &seen.quantile_bytes, true);
    }
    if let Some(window) = &seen.busiest_window {
        row("busiest half hour".to_owned(), window, true);
    }
    row("mean".to_owned(), &seen.mean, false);
}

/// The answer in one line: `vda needs up to 257 IOPS and 37.3 MB/s (p99 of 1.0 s means)`. A range
/// where the size of requests is a guess.
fn answer(needed: &Needed<'_>, basis: &str, uncounted: Option<Uncounted>) -> String {
    let most = |of: fn(&Peak) -> f64| needed.peaks.iter().map(of).fold(0.0, f64::max);
    let (iops, bytes) = (most(|peak| peak.iops), most(Peak::bytes_per_second));
    let megabytes = figure::megabytes(bytes);
    let load = match uncounted {
        None => format!("up to {} IOPS and {megabytes} MB/s", figure::iops(iops)),
        Some(Uncounted::Requests) => format!(
            "up to {megabytes} MB/s, {} to {} IOPS of 64 to 4 KiB",
            figure::iops(bytes / LARGE_REQUEST_BYTES),
            figure::iops(bytes / SMALL_REQUEST_BYTES)
        ),
        Some(Uncounted::Bytes) => format!("up to {} IOPS of unknown size", figure::iops(iops)),
    };
    let verb = match needed.subject.name.as_str() {
        TOGETHER | "all disks" => "need",
        _ => "needs",
    };
    let more = match needed.subject.observed.flat_top {
        Some(_) => " or more: the device was saturated",
        None => "",
    };
    format!("{} {verb} {load} ({basis}){more}\n\n", who(needed))
}

fn who<'a>(needed: &Needed<'a>) -> &'a str {
    match needed.subject.name.as_str() {
        TOGETHER => "all devices together",
        name => name,
    }
}

/// What is needed, one sentence for each moment that counts.
fn sentences(needed: &Needed<'_>, basis: &str) -> String {
    let who = who(needed);
    let mut text = format!("needed by {who}, {basis}:\n");
    for peak in &needed.peaks {
        let _ = writeln!(text, "  {}", in_words(peak));
    }
    if needed.peaks.len() > 1 {
        text.push_str("  not at the same time: each in moments of its own\n");
    }
    text.push('\n');
    text
}

/// `1,200 IOPS (39.3 MB/s): 900 reads of 8 KiB, 300 writes of 64 KiB`.
fn in_words(peak: &Peak) -> String {
    let kinds: Vec<String> = peak
        .flow
        .kinds
        .iter()
        .map(|kind| {
            let what = if kind.op == Op::Read {
                "reads"
            } else {
                "writes"
            };
            format!(
                "{} {what} of {}",
                figure::iops(peak.iops * kind.weight),
                figure::size(kind.bytes.round() as u64)
            )
        })
        .collect();
    format!(
        "{} IOPS ({} MB/s): {}",
        figure::iops(peak.iops),
        figure::megabytes(peak.bytes_per_second()),
        kinds.join(", ")
    )
}

pub(super) fn of_sas(rule: SasRule) -> String {
    format!(
        "SAS: {} of {} MB/s each need {} MB/s of every file system (data, work, utility), in \
         large sequential requests\n",
        figure::plural(u64::from(rule.cores), "physical core"),
        figure::megabytes(rule.bytes_per_second_per_core()),
        figure::megabytes(rule.bytes_per_second())
    )
}

/// What of this a machine lets through to its disks.
pub(super) fn of_machine(rule: SasRule, machine: &Machine) -> String {
    let Some(rate) = machine.bytes_per_second else {
        return format!(
            "{}: how much it lets through to its disks is not known\n",
            machine.in_words()
        );
    };
    format!(
        "{} lets {} MB/s through to its disks without end: {}\n",
        machine.in_words(),
        figure::significant(rate / 1e6),
        rule.verdict(rate).in_words()
    )
}

/// What was seen of that. More may be possible: nobody asked for it while it was recorded.
fn by_device(rule: SasRule, subjects: &[Subject]) -> String {
    let mut table = Table::new(&["DEVICE", ">MOST MB/s SEEN", ">OF THE NEED", ">CORES FED"]);
    for subject in subjects.iter().filter(|subject| subject.name != TOGETHER) {
        let seen = subject.observed.most_bytes.bytes_per_second;
        let verdict = rule.verdict(seen);
        table.row([
            subject.name.clone(),
            figure::megabytes(seen),
            figure::percent(verdict.share * 100.0),
            figure::decimal(verdict.cores_fed, 1),
        ]);
    }
    table.on_page() + "what was seen is what was asked for: the devices may give more\n\n"
}
