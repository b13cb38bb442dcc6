//! CSV of monitoring systems: a metric in each column below a head that names it (the consoles of
//! CloudWatch and Azure, Grafana, Datadog), or in each row (the table `AzureMetrics`, samples of
//! `Get-Counter`, Datadog's export of points).

use super::instants::instant;
use super::metric_name::{self, Known};
use super::perfmon;
use super::readings::{Count, Reading, Readings};
use super::series::Series;
use super::table::{Cell, begin, cells, lines, mark, value};
use super::words::Text;
use crate::diagnostic::Diagnostic;
use fathom_core::recording::Recording;

/// Lines in which a text shows its format.
const HEAD_LINES: usize = 20;
/// Bytes of such a line, and lines above the first time, at most.
const MOST_HEAD_BYTES: usize = 1 << 16;
const MOST_HEADS: usize = 100;

/// Whether a text is one of them.
pub(super) fn is_csv(source: &Text) -> bool {
    let mut rows = begin(source).take(HEAD_LINES);
    rows.any(|line| {
        if line.len() > MOST_HEAD_BYTES
            || !line.contains([',', ';', '\t'])
            || line.contains("(PDH-")
        {
            return false;
        }
        let row = cells(0, line, mark(line));
        Long::of(&row).is_some() || names_metrics(&row)
    })
}

/// Whether a row is a head with names of metrics. Legends, which are words of every day, count
/// only behind a column of time.
fn names_metrics(row: &[Cell<'_>]) -> bool {
    let is_time = matches!(
        row[0].text.to_lowercase().as_str(),
        "time" | "timestamp" | "date" | "datetime"
    );
    row.len() > 1
        && row[1..].iter().any(|cell| {
            let known = metric_name::known(&cell.text);
            known.is_some_and(|known| is_time || known.tool != "Grafana")
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
                text.trim().replace([' ', '_'], "").to_lowercase()
            };
            let plain: Vec<String> = head.iter().map(plain).collect();
            let mut found = names.iter();
            found.find_map(|name| plain.iter().position(|cell| cell == name))
        };
        let long = Self {
            time: named(&["timegenerated", "timestamp", "time", "date"])?,
            name: named(&["metricname", "metric", "path"])?,
            mean: named(&["average", "avg", "value", "cookedvalue"]),
            sum: named(&["total", "sum"]),
            grain: named(&["timegrain", "granularity"]),
            resource: named(&[
                "resource",
                "resourceid",
                "device",
                "host",
                "group",
                "scope",
                "tags",
            ]),
        };
        (long.mean.is_some() || long.sum.is_some()).then_some(long)
    }
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

/// What a column is of, by all the lines above the first time.
#[derive(Clone, Debug, Default)]
struct Column {
    device: Option<String>,
    known: Option<Known>,
    span: Option<f64>,
}

/// Reads either form.
pub(super) fn read(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut rows = begin(source).filter(|line| line.contains([',', ';', '\t']));
    let mark = rows.next().map_or(',', mark);
    let mut long: Option<Long> = None;
    let mut columns: Vec<Column> = Vec::new();
    // Clouds write the start of a span, and what is scraped or computed stands at its end.
    let mut series = Series::from_begins();
    let mut counters = Readings::default();
    let mut is_first = true;
    let (mut heads, mut has_values) = (0, false);
    for (at, line) in lines(source) {
        let row = cells(at, &line, mark);
        if let Some(long) = &long {
            of_row(source, long, &row, &mut series, &mut counters)?;
        } else if let Some(time) = instant(&row[0].text) {
            if std::mem::take(&mut is_first) && columns.iter().any(Column::is_at_end) {
                series = series.at_ends();
            }
            has_values = true;
            for (cell, column) in row[1..].iter().zip(&columns) {
                let Some(known) = &column.known else { continue };
                let Some(value) = value(source, cell)? else {
                    continue;
                };
                let device = column.device.as_deref().unwrap_or_default();
                series.put(known, device, (time, &row[0].text), value, column.span);
            }
        } else if let Some(found) = Long::of(&row) {
            long = Some(found);
        } else if heads < MOST_HEADS && line.len() <= MOST_HEAD_BYTES {
            heads += 1;
            // The head of another export behind the first one.
            if std::mem::take(&mut has_values) {
                columns.clear();
            }
            head(&mut columns, &row, &mut series);
        } else {
            let message = "expected a time".to_owned();
            return Err(Box::new(source.error(row[0].at, row[0].raw, message)));
        }
    }
    if !counters.is_empty() {
        return Ok(counters.recording("perfmon", None));
    }
    Ok(series.recording("CSV", None))
}

impl Column {
    fn is_at_end(&self) -> bool {
        let tools = ["Prometheus", "Grafana", "Datadog"];
        self.known.is_some_and(|known| tools.contains(&known.tool))
    }
}

/// A line above the first time says something of each column.
fn head(columns: &mut Vec<Column>, row: &[Cell<'_>], series: &mut Series) {
    if row.len() == 1 {
        return;
    }
    columns.resize(columns.len().max(row.len() - 1), Column::default());
    // A title above the table names no metrics, and what it says is not a metric left out.
    let names = names_metrics(row);
    for (cell, column) in row[1..].iter().zip(columns) {
        let text = cell.text.as_ref();
        if names && column.known.is_none() {
            column.known = series.known(text);
            if let Some(known) = &column.known {
                column
                    .device
                    .get_or_insert_with(|| known.device(text).into_owned());
            }
        } else if let Some(id) = metric_name::volume(text) {
            column.device = Some(id.to_owned());
        }
        match (row[0].text.as_ref(), text) {
            ("Period", period) => column.span = period.parse().ok(),
            // A mean of counts has no meaning for a load: what a request counts is not known.
            ("Statistic" | "Stat", "Average") => {
                column.known = column.known.filter(|known| known.count != Count::Sum);
            }
            _ => {}
        }
    }
}

fn of_row(
    source: &Text,
    long: &Long,
    row: &[Cell<'_>],
    series: &mut Series,
    counters: &mut Readings,
) -> Result<(), Box<Diagnostic>> {
    let cell = |at: Option<usize>| at.and_then(|at| row.get(at));
    let (Some(named), Some(time)) = (cell(Some(long.name)), cell(Some(long.time))) else {
        return Ok(());
    };
    let counter = perfmon::column(&named.text);
    let known = match &counter {
        Some(_) => None,
        None => series.known(&named.text),
    };
    if counter.is_none() && known.is_none() {
        return Ok(());
    }
    let at = instant(&time.text)
        .ok_or_else(|| source.error(time.at, time.raw, "expected a time".to_owned()))?;
    let at = (at, &*time.text);
    let is_sum = known.is_some_and(|known| known.count == Count::Sum);
    let wanted = if is_sum {
        long.sum.or(long.mean)
    } else {
        long.mean.or(long.sum)
    };
    let Some(found) = cell(wanted) else {
        return Ok(());
    };
    let Some(value) = value(source, found)? else {
        return Ok(());
    };
    if let Some(counter) = counter {
        if !counter.is_total() {
            let reading = Reading {
                metric: counter.metric,
                count: Count::Mean,
                value: value * counter.factor,
                span: None,
            };
            counters.put(&counter.instance, at, reading);
        }
    } else if let Some(known) = known {
        let span = cell(long.grain).and_then(|cell| grain(&cell.text));
        let own = known.device(&named.text);
        let resource = cell(long.resource).and_then(|cell| cell.text.rsplit('/').next());
        let device = match resource.filter(|name| !name.is_empty()) {
            Some(name) => format!("{} {own}", name.to_lowercase()),
            None => own.into_owned(),
        };
        series.put(&known, &device, at, value, span);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grains_are_read() {
        let grains = ["PT1M", "PT12H", "00:05:00", "PT", "x"].map(grain);
        let expected = [Some(60.0), Some(43_200.0), Some(300.0), None, None];
        assert_eq!(grains, expected);
    }
}
