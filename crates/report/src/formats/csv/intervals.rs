//! One row for each operation of each job in each interval, warm-up and cool-down included.

use super::{Sheet, cell, place};
use fathom_core::interval::Part;
use fathom_core::result::{
    IntervalJob, IntervalOp, IntervalResult, Origin, ResultField, RunResult,
};
use fathom_core::summary::LatencySummary;

const FIGURES: [&str; 9] = [
    "part",
    "start_ns",
    "length_ns",
    "queue_depth_held",
    "ios",
    "bytes",
    "errors",
    "iops",
    "bytes_per_second",
];

/// Percentiles of an interval that have a column.
const SHOWN: [&str; 4] = ["50", "95", "99", "99.9"];

/// Columns that some imports know nothing of, and the field of the document behind each.
const OF_INTERVALS: &[(&str, ResultField)] = &[
    ("queue_depth_held", ResultField::QueueDepthHeld),
    ("ios", ResultField::Ios),
    ("bytes", ResultField::Bytes),
    ("errors", ResultField::Failed),
    ("iops", ResultField::Iops),
    ("bytes_per_second", ResultField::BytesPerSecond),
    ("service_max_ns", ResultField::ServiceNsMax),
];

pub(crate) fn render(result: &RunResult) -> String {
    let mut header = place::header(FIGURES);
    header.extend(latency_header("service"));
    header.extend(latency_header("response"));
    let mut rows = Sheet::new(&header);
    for phase in &result.phases {
        for interval in &phase.intervals {
            for job in &interval.jobs {
                let name = phase.jobs.get(job.job as usize);
                let name = name.map_or("", |job| job.name.as_str());
                for (op, figures) in job.ops.present() {
                    let mut row = place::cells(result, phase, name, op);
                    row.extend(self::figures(interval, job, figures));
                    row.extend(latency(Some(&figures.service_ns)));
                    row.extend(latency(figures.response_ns.as_ref()));
                    blank_unknown(&mut row, &header, &result.provenance.origin, OF_INTERVALS);
                    rows.push(row);
                }
            }
        }
    }
    rows.finish()
}

fn figures(
    interval: &IntervalResult,
    job: &IntervalJob,
    op: &IntervalOp,
) -> [String; FIGURES.len()] {
    let part = match interval.part {
        Part::WarmUp => "warm_up",
        Part::Measure => "measure",
        Part::CoolDown => "cool_down",
    };
    let seconds = interval.length_ns as f64 / 1e9;
    let rate = |number: u64| (seconds > 0.0).then(|| number as f64 / seconds);
    [
        part.to_owned(),
        interval.start_ns.to_string(),
        interval.length_ns.to_string(),
        job.queue_depth_held.to_string(),
        op.ios.to_string(),
        op.bytes.to_string(),
        op.errors.to_string(),
        cell(rate(op.ios)),
        cell(rate(op.bytes)),
    ]
}

fn latency_header(time: &str) -> Vec<String> {
    let names = ["mean", "max"].map(str::to_owned).into_iter();
    let names = names.chain(SHOWN.map(|name| format!("p{name}")));
    names.map(|name| format!("{time}_{name}_ns")).collect()
}

fn latency(summary: Option<&LatencySummary>) -> Vec<String> {
    let known = summary.filter(|summary| summary.count > 0);
    let mut cells = vec![
        cell(known.map(|known| known.mean)),
        cell(known.map(|known| known.max)),
    ];
    cells.extend(SHOWN.map(|name| cell(known.and_then(|known| known.percentile(name)))));
    cells
}

/// Empties the cells of a row about which the source of an import says nothing; `columns` are
/// pairs of a column and the field of the document behind it.
fn blank_unknown(
    row: &mut [String],
    header: &[String],
    origin: &Origin,
    columns: &[(&str, ResultField)],
) {
    for (column, field) in columns {
        let place = header.iter().position(|name| name == column);
        if let Some(place) = place.filter(|_| !origin.knows(*field)) {
            row[place].clear();
        }
    }
}
