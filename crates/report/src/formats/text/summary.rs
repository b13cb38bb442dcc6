//! The table that people look at: one row for each phase, job and operation.

mod row;

use super::{imported, load_words};
use crate::figure::{count, duration, iops, longest, megabytes, percent, time};
use crate::page::Page;
use crate::table::{Align, Table};
use fathom_core::result::{LoadModel, ResultField, RunResult};
use fathom_core::summary::{MIN_TAIL_COUNT, PERCENTILES, supports};
use row::{SummaryRow, Timing};

/// Percentiles that always have a column.
const SHOWN: [&str; 3] = ["50", "99", "99.9"];

pub(super) fn write(page: &mut Page, result: &RunResult) {
    let Some((table, notes)) = table(result) else {
        return;
    };
    page.table(&table);
    for note in notes {
        page.footnote(&note);
    }
}

/// The table and what is said below it; none without a phase.
pub(crate) fn table(result: &RunResult) -> Option<(Table, Vec<String>)> {
    let rows = row::rows(result);
    if rows.is_empty() {
        return None;
    }
    let columns = Columns::of(result, &rows);
    let mut table = columns.headers();
    for row in &rows {
        table.row(columns.cells(row));
    }
    let notes = columns.footnotes(result, &rows);
    Some((table, notes))
}

/// A column before those of the times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Phase,
    Job,
    Op,
    Depth,
    Iops,
    Megabytes,
    Deviation,
    Failed,
    Timing,
}

impl Field {
    const fn header(self) -> (&'static str, Align) {
        match self {
            Self::Phase => ("phase", Align::Left),
            Self::Job => ("job", Align::Left),
            Self::Op => ("op", Align::Left),
            Self::Depth => ("depth", Align::Right),
            Self::Iops => ("IOPS", Align::Right),
            Self::Megabytes => ("MB/s", Align::Right),
            Self::Deviation => ("±", Align::Right),
            Self::Failed => ("failed", Align::Right),
            Self::Timing => ("time", Align::Left),
        }
    }

    fn cell(self, row: &SummaryRow) -> String {
        match self {
            Self::Phase => row.phase.clone(),
            Self::Job => row.job.clone(),
            Self::Op => row.op.to_owned(),
            Self::Depth if row.depth == 0 => String::new(),
            Self::Depth => count(row.depth),
            Self::Iops => row.iops.map(iops).unwrap_or_default(),
            Self::Megabytes => row.bytes_per_second.map(megabytes).unwrap_or_default(),
            Self::Deviation => row.deviation_percent.map(percent).unwrap_or_default(),
            Self::Failed => row.iops.map(|_| count(row.failed)).unwrap_or_default(),
            Self::Timing => row.timing.word().to_owned(),
        }
    }
}

/// Which columns the table needs.
struct Columns {
    fields: Vec<Field>,
    percentiles: Vec<&'static str>,
    caption: Option<String>,
}

impl Columns {
    fn of(result: &RunResult, rows: &[SummaryRow]) -> Self {
        let open = rows.iter().any(|row| row.timing != Timing::Service);
        let source = imported::source(result);
        let one_depth = rows.iter().all(|row| row.depth == rows[0].depth);
        let knows = |field: ResultField| result.provenance.origin.knows(field);
        let several_jobs = result.phases.iter().any(|phase| phase.jobs.len() > 1);
        let fields = [
            (Field::Phase, result.phases.len() > 1),
            (Field::Job, several_jobs),
            (Field::Op, true),
            (Field::Depth, !open && !one_depth),
            (Field::Iops, knows(ResultField::Iops)),
            (Field::Megabytes, knows(ResultField::BytesPerSecond)),
            (Field::Deviation, knows(ResultField::Iops)),
            (Field::Failed, rows.iter().any(|row| row.failed > 0)),
            (Field::Timing, open),
        ];
        let wanted = fields.into_iter().filter(|(_, wanted)| *wanted);
        let mut percentiles = SHOWN.to_vec();
        percentiles.extend(last_nine(rows));
        Self {
            fields: wanted.map(|(field, _)| field).collect(),
            percentiles,
            caption: match source {
                Some((tool, _)) => Some(format!("service time, as reported by {tool}")),
                None => (!open).then(|| caption(rows, one_depth.then_some(rows[0].depth))),
            },
        }
    }

    fn headers(&self) -> Table {
        let mut table = Table::default();
        for field in &self.fields {
            let (header, align) = field.header();
            table.column(header, align);
        }
        if let Some(caption) = &self.caption {
            table.caption(caption);
        }
        table.column("mean", Align::Right);
        for (index, name) in self.percentiles.iter().enumerate() {
            // On a narrow page the last nine goes first, the median never.
            table.spare_column(format!("p{name}"), Align::Right, index as u8);
        }
        table.column("max", Align::Right);
        table
    }

    fn cells(&self, row: &SummaryRow) -> Vec<String> {
        let mut cells: Vec<String> = self.fields.iter().map(|field| field.cell(row)).collect();
        cells.push(row.mean_ns.map(time).unwrap_or_default());
        cells.extend(self.percentiles.iter().map(|name| row.percentile(name)));
        cells.push({
            let max = row.max_ns.map(|max| longest(max, row.is_max_a_bound));
            max.unwrap_or_default()
        });
        cells
    }

    fn footnotes(&self, result: &RunResult, rows: &[SummaryRow]) -> Vec<String> {
        let mut notes = Vec::new();
        if rows.iter().any(|row| row.deviation_percent.is_some()) {
            let interval = duration(result.provenance.workload.interval.0);
            let over = if let Some((tool, _)) = imported::source(result) {
                format!("the samples of {tool}")
            } else if rows.iter().any(|row| row.over_repeats) {
                format!("repetitions (first row of each) or intervals of {interval} (the others)")
            } else {
                format!("complete intervals of {interval}")
            };
            notes.push(format!(
                "± standard deviation over {over}, in % of the mean"
            ));
        }
        if self.fields.contains(&Field::Timing) {
            notes.push(
                "response time: intended start to completion = lag (intended start to issue) + \
                 service time (issue to completion); closed loops have service times only"
                    .to_owned(),
            );
        }
        let missing = self.percentiles.iter().filter(|name| {
            rows.iter()
                .any(|row| row.percentile(name) == row::UNSUPPORTED)
        });
        let needs: Vec<String> = missing
            .map(|name| format!("p{name} needs {}", count(needed(name))))
            .collect();
        if !needs.is_empty() {
            notes.push(format!(
                "{} too few requests for: {}",
                row::UNSUPPORTED,
                needs.join(", ")
            ));
        }
        notes
    }
}

/// The highest percentile that any row supports, if it has no column yet.
fn last_nine(rows: &[SummaryRow]) -> Option<&'static str> {
    let beyond = PERCENTILES.iter().rev().map(|(name, _)| *name);
    let mut beyond = beyond.take_while(|name| *name != SHOWN[SHOWN.len() - 1]);
    beyond.find(|name| {
        let mut summaries = rows.iter().filter_map(|row| row.summary.as_ref());
        summaries.any(|summary| summary.percentile(name).is_some())
    })
}

/// What the times are of, above their columns.
fn caption(rows: &[SummaryRow], depth: Option<u64>) -> String {
    let bursts = rows.iter().any(|row| row.model == LoadModel::Bursts);
    let closed = rows.iter().any(|row| row.model == LoadModel::Closed);
    let model = match (closed, bursts) {
        (true, true) => "closed loop and bursts",
        (false, true) => load_words::model(LoadModel::Bursts),
        _ => load_words::model(LoadModel::Closed),
    };
    match depth {
        Some(depth) => format!("service time ({model}, {} outstanding)", count(depth)),
        None => format!("service time ({model})"),
    }
}

/// Requests after which a percentile may be said.
fn needed(name: &str) -> u64 {
    let quantile = PERCENTILES.iter().find(|(other, _)| *other == name);
    let tail = quantile.map_or(1.0, |(_, quantile)| (1.0 - quantile).min(*quantile));
    let about = (MIN_TAIL_COUNT / tail).round() as u64;
    debug_assert!(quantile.is_none_or(|(_, q)| supports(about, *q)));
    about
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needed_counts_have_ten_in_the_tail() {
        let needs = ["50", "99", "99.9", "99.9999"].map(needed);
        assert_eq!(needs, [20, 1_000, 10_000, 10_000_000]);
    }
}
