//! The page: tables of both, and what differs.

use crate::cases::{Case, Column};
use crate::command::Tool;
use crate::seen::{DIRECTIONS, Seen};
use std::fmt::Write as _;

/// What counts and mixes may differ by, percent.
const LIMIT_PERCENT: f64 = 3.0;

/// Both sides of a case, fio first.
#[derive(Debug)]
pub(crate) struct CasePair {
    pub(crate) case: &'static Case,
    pub(crate) seen: [Seen; 2],
    pub(crate) iops: [f64; 2],
}

/// One thing that is compared.
struct Difference {
    column: Column,
    /// Percent of fio's count, or percentage points of a share.
    percent: f64,
}

impl CasePair {
    /// Whether all differences are small or known.
    pub(crate) fn is_within(&self) -> bool {
        self.beyond().all(|column| self.known(column).is_some())
    }

    fn beyond(&self) -> impl Iterator<Item = Column> {
        let all = self.differences().into_iter();
        all.filter(|one| one.percent.abs() > LIMIT_PERCENT)
            .map(|one| one.column)
    }

    fn known(&self, column: Column) -> Option<&'static str> {
        let mut known = self.case.known.iter();
        known
            .find(|(other, _)| *other == column)
            .map(|(_, why)| *why)
    }

    fn differences(&self) -> Vec<Difference> {
        let [fio, fathom] = &self.seen;
        let count = |of: fn(&Seen) -> u64| {
            let (fio, fathom) = (of(fio) as f64, of(fathom) as f64);
            (fathom - fio) / fio.max(1.0) * 100.0
        };
        let one = |column, percent| Difference { column, percent };
        vec![
            one(Column::Requests, count(Seen::total)),
            one(Column::Mix, self.mix()),
            one(Column::Sizes, self.sizes()),
            one(
                Column::Touched,
                fathom.touched_percent - fio.touched_percent,
            ),
            one(
                Column::InOrder,
                fathom.in_order_percent() - fio.in_order_percent(),
            ),
            one(Column::Flushes, count(|seen| seen.flushes)),
        ]
    }

    /// Largest difference of a direction's share of the requests, percentage points.
    fn mix(&self) -> f64 {
        let share =
            |seen: &Seen, way| seen.requests(way) as f64 * 100.0 / seen.total().max(1) as f64;
        let [fio, fathom] = &self.seen;
        largest((0..DIRECTIONS.len()).map(|way| share(fathom, way) - share(fio, way)))
    }

    /// Largest difference of the share that a size has in its direction, percentage points.
    fn sizes(&self) -> f64 {
        let [fio, fathom] = &self.seen;
        let share = |seen: &Seen, key: &(usize, u64)| {
            let count = seen.sizes.get(key).copied().unwrap_or(0) as f64;
            count * 100.0 / seen.requests(key.0).max(1) as f64
        };
        let keys = fio.sizes.keys().chain(fathom.sizes.keys());
        largest(keys.map(|key| share(fathom, key) - share(fio, key)))
    }
}

/// The one furthest from nothing.
fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |most: f64, value| {
        if value.abs() > most.abs() {
            value
        } else {
            most
        }
    })
}

/// The whole page.
pub(crate) fn render(rows: &[CasePair], tools: &[Tool; 2], runs: usize) -> String {
    let versions = tools.each_ref().map(|tool| tool.version.as_str());
    let mut page = format!(
        "# The same job files, run by fio and by Fathom\n\n\
         What {} and {} asked of their files, given the same job file: requests as the kernel \
         saw them (strace), none of it from a report of either. This page is the output of\n\n    \
         cargo run --profile dist --package fathom-benches --bin fathom-peers\n\n\
         The profiles are HP's, each bounded by a number of requests instead of by 300 s; the \
         other job files are in `benches/src/peers/cases.rs`. Each file is made beforehand and \
         really written.\n\n\
         * **requests**: all requests of the run; **mix**: the largest difference of the share of \
         reads, writes or trims, in percentage points.\n\
         * **sizes**: the largest difference of the share that a request size has in its \
         direction, in percentage points.\n\
         * **touched**: share of the 4 KiB blocks of the files that were read, written or trimmed; \
         **in order**: share of the requests that begin where the one before of their thread, file \
         and direction has ended. Differences are in percentage points.\n\
         * **IOPS**: medians of {runs} runs of each in turn, without strace, on whatever the \
         machine had left. They say that both do the same, not which is faster; for that see \
         `benches/`.\n\n",
        versions[0], versions[1]
    );
    summary(rows, &mut page);
    amounts(rows, &mut page);
    differences(rows, &mut page);
    page
}

fn summary(rows: &[CasePair], page: &mut String) {
    *page += "## Counts, mixes, places\n\n\
              | input | requests fio | fathom | % | mix | sizes | touched fio | fathom | \
              in order fio | fathom | flushes fio | fathom | IOPS fio | fathom |\n\
              | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | \
              ---: | ---: |\n";
    for row in rows {
        let [fio, fathom] = &row.seen;
        let all = row.differences();
        let _ = writeln!(
            page,
            "| {} | {} | {} | {:+.1} | {:+.1} | {:+.1} | {:.1} | {:.1} | {:.1} | {:.1} | {} | {} | \
             {:.0} | {:.0} |",
            row.case.name,
            fio.total(),
            fathom.total(),
            all[0].percent,
            all[1].percent,
            all[2].percent,
            fio.touched_percent,
            fathom.touched_percent,
            fio.in_order_percent(),
            fathom.in_order_percent(),
            fio.flushes,
            fathom.flushes,
            row.iops[0],
            row.iops[1],
        );
    }
}

fn amounts(rows: &[CasePair], page: &mut String) {
    *page += "\n## Bytes and sizes of each direction\n\n\
              **reported** is the number of requests that the program's own report has; the \
              histogram is requests by size, fio's / Fathom's.\n\n\
              | input | direction | MB fio | fathom | % | reported fio | fathom | histogram |\n\
              | --- | --- | ---: | ---: | ---: | ---: | ---: | --- |\n";
    for row in rows {
        let [fio, fathom] = &row.seen;
        for (way, name) in DIRECTIONS.iter().enumerate() {
            if fio.requests(way) + fathom.requests(way) == 0 {
                continue;
            }
            let bytes = [fio.bytes(way) as f64, fathom.bytes(way) as f64];
            let _ = writeln!(
                page,
                "| {} | {name} | {:.2} | {:.2} | {:+.1} | {} | {} | {} |",
                row.case.name,
                bytes[0] / 1e6,
                bytes[1] / 1e6,
                (bytes[1] - bytes[0]) / bytes[0].max(1.0) * 100.0,
                fio.reported[way],
                fathom.reported[way],
                histogram(row, way)
            );
        }
    }
}

/// `4 KiB: 10 / 11, 8 KiB: 20 / 19`.
fn histogram(row: &CasePair, way: usize) -> String {
    let [fio, fathom] = &row.seen;
    let keys = fio.sizes.keys().chain(fathom.sizes.keys());
    let mut sizes: Vec<u64> = keys
        .filter(|(other, _)| *other == way)
        .map(|(_, size)| *size)
        .collect();
    sizes.sort_unstable();
    sizes.dedup();
    let count = |seen: &Seen, size| seen.sizes.get(&(way, size)).copied().unwrap_or(0);
    let words = sizes.into_iter().map(|size| {
        let name = if size.is_multiple_of(1024) {
            format!("{} KiB", size / 1024)
        } else {
            format!("{size} B")
        };
        format!("{name}: {} / {}", count(fio, size), count(fathom, size))
    });
    words.collect::<Vec<_>>().join(", ")
}

fn differences(rows: &[CasePair], page: &mut String) {
    let _ = write!(
        page,
        "\n## Differences of more than {LIMIT_PERCENT:.0} %\n\n"
    );
    let mut found = false;
    for row in rows {
        for column in row.beyond() {
            found = true;
            let name = match column {
                Column::Requests => "requests",
                Column::Mix => "mix",
                Column::Sizes => "sizes",
                Column::Touched => "touched",
                Column::InOrder => "in order",
                Column::Flushes => "flushes",
            };
            let why = row.known(column).unwrap_or("not explained");
            let _ = writeln!(page, "* {}, {name}: {why}.", row.case.name);
        }
    }
    if !found {
        *page += "None.\n";
    }
}
