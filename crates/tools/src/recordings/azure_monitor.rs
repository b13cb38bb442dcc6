//! Exports of Azure Monitor: CSV with a metric in each row (the table `AzureMetrics`) or in each
//! column (the portal).

use super::instants::instant;
use super::readings::{Count, Metric, Reading, Readings};
use super::table::{Cell, begin, cells, lines, mark, number};
use super::words::Text;
use crate::diagnostic::Diagnostic;
use fathom_core::recording::Recording;

/// What metrics of disks end in, in small letters; the begin says whose they are.
const METRICS: [(&str, Metric, Count); 13] = [
    ("disk read operations/sec", Metric::Reads, Count::Mean),
    ("disk write operations/sec", Metric::Writes, Count::Mean),
    ("disk read bytes/sec", Metric::ReadBytes, Count::Mean),
    ("disk write bytes/sec", Metric::WrittenBytes, Count::Mean),
    ("disk read bytes", Metric::ReadBytes, Count::Sum),
    ("disk write bytes", Metric::WrittenBytes, Count::Sum),
    ("disk queue depth", Metric::QueueDepth, Count::Mean),
    ("disk latency", Metric::Await, Count::Mean),
    ("disk qd", Metric::QueueDepth, Count::Mean),
    (
        "composite disk read operations/sec",
        Metric::Reads,
        Count::Mean,
    ),
    (
        "composite disk write operations/sec",
        Metric::Writes,
        Count::Mean,
    ),
    (
        "composite disk read bytes/sec",
        Metric::ReadBytes,
        Count::Mean,
    ),
    (
        "composite disk write bytes/sec",
        Metric::WrittenBytes,
        Count::Mean,
    ),
];

/// The disk and the metric of `Data Disk Read Operations/Sec (Avg), vm1`.
fn metric(text: &str) -> Option<(String, Metric, Count)> {
    let lower = text.to_lowercase();
    let (found, name) = METRICS
        .iter()
        .filter_map(|row| Some((lower.find(row.0)?, row)))
        .max_by_key(|(_, row)| row.0.len())?;
    let before = lower[..found].trim();
    let whose = ["data", "os", "temp"]
        .into_iter()
        .find(|word| before.ends_with(word));
    let device = match whose {
        Some(word) => format!("{word} disk"),
        None => "disk".to_owned(),
    };
    Some((device, name.1, name.2))
}

/// Seconds of `PT1M`, `PT1H`, `00:05:00`.
fn grain(text: &str) -> Option<f64> {
    if let Some(rest) = text.strip_prefix("PT") {
        let (digits, unit) = rest.split_at_checked(rest.len().checked_sub(1)?)?;
        let seconds = match unit {
            "S" => 1.0,
            "M" => 60.0,
            "H" => 3_600.0,
            _ => return None,
        };
        return Some(digits.parse::<f64>().ok()? * seconds);
    }
    let mut parts = text.split(':').map(|part| part.parse::<f64>().ok());
    let (hours, minutes, seconds) = (parts.next()??, parts.next()??, parts.next()??);
    Some(hours * 3_600.0 + minutes * 60.0 + seconds)
}

/// Whether a text is one of them.
pub(super) fn is_csv(source: &Text) -> bool {
    let mut rows = begin(source).take(20);
    rows.any(|line| {
        let lower = line.to_lowercase();
        line.contains([',', ';'])
            && (lower.contains("metricname") || metric(line).is_some())
            && !line.contains('\\')
    })
}

/// Where the columns of a table with a metric in each row stand.
#[derive(Clone, Copy, Debug)]
struct Long {
    time: usize,
    name: usize,
    mean: Option<usize>,
    sum: Option<usize>,
    grain: Option<usize>,
    resource: Option<usize>,
}

impl Long {
    fn of(head: &[Cell<'_>]) -> Option<Self> {
        let named = |names: &[&str]| {
            let plain = |cell: &Cell<'_>| {
                let text = cell.text.split(['[', '(']).next().unwrap_or_default();
                text.trim().replace(' ', "").to_lowercase()
            };
            head.iter()
                .position(|cell| names.contains(&plain(cell).as_str()))
        };
        Some(Self {
            time: named(&["timegenerated", "timestamp", "time", "date"])?,
            name: named(&["metricname", "metric"])?,
            mean: named(&["average", "avg"]),
            sum: named(&["total", "sum"]),
            grain: named(&["timegrain", "granularity"]),
            resource: named(&["resource", "resourceid"]),
        })
    }
}

/// Reads either form.
pub(super) fn read(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut readings = Readings::from_begins();
    let mut long: Option<Long> = None;
    let mut wide: Vec<Option<(String, Metric, Count)>> = Vec::new();
    let first = begin(source).find(|line| line.contains([',', ';']));
    let mark = first.map_or(',', mark);
    for (at, line) in lines(source) {
        let row = cells(at, &line, mark);
        if let Some(long) = &long {
            of_row(source, long, &row, &mut readings)?;
        } else if let Some(time) = instant(&row[0].text) {
            for (cell, column) in row[1..].iter().zip(&wide) {
                let Some((device, metric, count)) = column else {
                    continue;
                };
                let Some(value) = value(source, cell)? else {
                    continue;
                };
                let reading = Reading {
                    metric: *metric,
                    count: *count,
                    value,
                    span: None,
                };
                readings.put(device, (time, &row[0].text), reading);
            }
        } else if let Some(found) = Long::of(&row) {
            long = Some(found);
        } else if row[1..].iter().any(|cell| metric(&cell.text).is_some()) {
            wide = row[1..].iter().map(|cell| metric(&cell.text)).collect();
        }
    }
    Ok(readings.recording("Azure Monitor", None))
}

fn of_row(
    source: &Text,
    long: &Long,
    row: &[Cell<'_>],
    readings: &mut Readings,
) -> Result<(), Box<Diagnostic>> {
    let cell = |at: Option<usize>| at.and_then(|at| row.get(at));
    let Some(named) = cell(Some(long.name)) else {
        return Ok(());
    };
    let Some((device, metric, count)) = metric(&named.text) else {
        return Ok(());
    };
    let Some(time) = cell(Some(long.time)) else {
        return Ok(());
    };
    let at = instant(&time.text)
        .ok_or_else(|| source.error(time.at, time.raw, "expected a time".to_owned()))?;
    let wanted = if count == Count::Sum {
        long.sum
    } else {
        long.mean.or(long.sum)
    };
    let Some(found) = cell(wanted) else {
        let message = "the table has neither a mean nor a total".to_owned();
        return Err(Box::new(source.error(named.at, named.raw, message)));
    };
    let Some(value) = value(source, found)? else {
        return Ok(());
    };
    let span = cell(long.grain).and_then(|cell| grain(&cell.text));
    let resource = cell(long.resource).and_then(|cell| cell.text.rsplit('/').next());
    let device = match resource.filter(|name| !name.is_empty()) {
        Some(name) => format!("{} {device}", name.to_lowercase()),
        None => device,
    };
    let reading = Reading {
        metric,
        count,
        value,
        span,
    };
    readings.put(&device, (at, &time.text), reading);
    Ok(())
}

fn value(source: &Text, cell: &Cell<'_>) -> Result<Option<f64>, Box<Diagnostic>> {
    number(&cell.text)
        .map_err(|()| Box::new(source.error(cell.at, cell.raw, "expected a number".to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_and_grains_are_read() {
        let found = metric("Data Disk Read Operations/Sec (Avg), vm1");
        assert_eq!(
            found,
            Some(("data disk".to_owned(), Metric::Reads, Count::Mean))
        );
        let found = metric("Disk Write Bytes");
        assert_eq!(
            found,
            Some(("disk".to_owned(), Metric::WrittenBytes, Count::Sum))
        );
        assert_eq!(metric("Percentage CPU"), None);
        let grains = ["PT1M", "PT12H", "00:05:00", "PT", "x"].map(grain);
        assert_eq!(
            grains,
            [Some(60.0), Some(43_200.0), Some(300.0), None, None]
        );
    }
}
