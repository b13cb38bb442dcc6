//! The I/O profile of an AWR report of Oracle, as text: one mean over the time of the report, of
//! several reports in a row one each.

use super::instants::instant;
use super::readings::{Count, Metric, Reading, Readings};
use super::words::Text;
use crate::diagnostic::Diagnostic;
use fathom_core::recording::Recording;

const MIB: f64 = 1_048_576.0;
const DEVICE: &str = "database";

/// Whether a text has the profile.
pub(super) fn is_awr(begin: &str) -> bool {
    begin
        .lines()
        .any(|line| line.trim_start().starts_with("IO Profile") && line.contains("Second"))
        || begin.contains("WORKLOAD REPOSITORY")
}

/// Reads the rows of all requests: those of the database, of the log and of others.
pub(super) fn read(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut readings = Readings::default();
    let mut end: Option<(i128, String)> = None;
    let mut span = None;
    let mut reports = 0_i128;
    for (at, line) in source.lines() {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("End Snap:") {
            let words: Vec<&str> = rest.split_whitespace().collect();
            let stamp = words.get(1..3).map(|words| words.join(" "));
            end = stamp.and_then(|text| Some((instant(&text)?, text)));
        } else if let Some(rest) = line.strip_prefix("Elapsed:") {
            let minutes = rest.split_whitespace().next().and_then(figure);
            span = minutes.map(|minutes| minutes * 60.0);
        }
        let (name, rest) = line.split_once(':').unwrap_or_default();
        let metrics = match name {
            "Total Requests" => [(Metric::Reads, 1.0), (Metric::Writes, 1.0)],
            "Total (MB)" => [(Metric::ReadBytes, MIB), (Metric::WrittenBytes, MIB)],
            _ => continue,
        };
        let words: Vec<&str> = rest.split_whitespace().collect();
        if name == "Total Requests" {
            reports += 1;
        }
        for ((metric, factor), index) in metrics.into_iter().zip([1, 2]) {
            let Some(value) = words.get(index).copied().and_then(figure) else {
                let message = "expected three figures: all, reads, writes".to_owned();
                return Err(Box::new(source.error(at, "", message)));
            };
            let reading = Reading {
                metric,
                count: Count::Mean,
                value: value * factor,
                span,
            };
            let (now, text) = match &end {
                Some((now, text)) => (*now, text.clone()),
                None => (reports, format!("report {reports}")),
            };
            readings.put(DEVICE, (now, &text), reading);
        }
    }
    if readings.is_empty() {
        let first = source.begin.lines().next().unwrap_or_default();
        let refusal = source.refuse(first, "the report has no I/O profile");
        return Err(Box::new(
            refusal.with("a report of Oracle 11.2.0.4 or later, as text"),
        ));
    }
    let mut recording = readings.recording("AWR", None);
    recording.notes.push(
        "a report is one mean: peaks within it are not seen, nor how many requests were in flight"
            .to_owned(),
    );
    Ok(recording)
}

/// `22,376.6`.
fn figure(word: &str) -> Option<f64> {
    let plain = word.replace(',', "");
    plain
        .parse::<f64>()
        .ok()
        .filter(|number| number.is_finite())
}
