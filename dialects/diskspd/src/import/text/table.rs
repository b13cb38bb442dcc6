//! The tables of processors and of requests.

use super::{Span, TextLine};
use crate::import::threads::Threads;
use crate::processor_group::GROUP;
use fathom_core::Op;
use fathom_core::result::{OpResult, ProcessorUse, WorkerOp, WorkerResult};
use fathom_core::summary::Spread;
use fathom_tools::results::place::Wrong;
use std::str::FromStr;

/// Names of columns with the cells of a line below them.
struct TableRow<'a> {
    line: TextLine<'a>,
    cells: Vec<(&'a str, &'a str)>,
}

fn cells(text: &str) -> impl Iterator<Item = &str> {
    text.split('|').map(str::trim)
}

impl TableRow<'_> {
    fn cell(&self, name: &str) -> Option<&str> {
        let mut cells = self.cells.iter();
        cells
            .find(|(title, _)| *title == name)
            .map(|(_, cell)| *cell)
    }
}

impl Span<'_> {
    fn number<T: FromStr>(&self, row: &TableRow<'_>, name: &str) -> Result<T, Wrong> {
        let cell = row.cell(name).map(|cell| cell.trim_end_matches('%'));
        cell.and_then(|cell| cell.parse().ok()).ok_or_else(|| {
            let message = format!("there is no number below `{name}` in this line");
            self.error(row.line, &message)
        })
    }

    /// The processors, from the line of titles to the averages.
    pub(super) fn processors(&self) -> Result<Vec<ProcessorUse>, Wrong> {
        let is_head = |line: &&TextLine<'_>| cells(line.text).any(|title| title == "Usage");
        let Some(head) = self.lines.iter().position(|line| is_head(&line)) else {
            return Ok(Vec::new());
        };
        let titles: Vec<&str> = cells(self.lines[head].text).collect();
        let below = self.lines[head + 1..].iter();
        let below = below.filter(|line| !line.text.starts_with('-'));
        let mut processors = Vec::new();
        for line in below.take_while(|line| {
            line.text.contains('|') && !line.text.trim_start().starts_with("avg.")
        }) {
            let row = TableRow {
                line: *line,
                cells: titles.iter().copied().zip(cells(line.text)).collect(),
            };
            let place = |name: &str| match row.cell(name) {
                Some(_) => self.number::<u32>(&row, name),
                None => Ok(0),
            };
            let number = place("CPU")?;
            processors.push(ProcessorUse {
                number: place("Group")?.saturating_mul(GROUP).saturating_add(number),
                core: if row.cell("Core").is_some() {
                    place("Core")?
                } else {
                    number
                },
                socket: place("Socket")?,
                node: place("Node")?,
                user_percent: self.number(&row, "User")?,
                kernel_percent: self.number(&row, "Kernel")?,
                idle_percent: self.number(&row, "Idle")?,
            });
        }
        Ok(processors)
    }

    /// The threads by the rows of the tables of requests, each with its targets.
    pub(super) fn workers(&self) -> Result<Vec<WorkerResult>, Wrong> {
        let mut threads = Threads::default();
        for (title, op) in [
            ("Total IO", None),
            ("Read IO", Some(Op::Read)),
            ("Write IO", Some(Op::Write)),
        ] {
            let Some(at) = self.lines.iter().position(|line| line.text == title) else {
                continue;
            };
            let below = &self.lines[at + 1..];
            let Some(head) = below.first() else { continue };
            let titles: Vec<&str> = cells(head.text).collect();
            let rows = below.iter().skip(2);
            for line in rows.take_while(|line| line.text.contains('|')) {
                let row = TableRow {
                    line: *line,
                    cells: titles.iter().copied().zip(cells(line.text)).collect(),
                };
                // The file is the last column, and its name may have bars in it.
                let file = line.text.splitn(titles.len(), '|').last();
                let file = file.unwrap_or_default().trim();
                let path = file.rsplit_once(" (").map_or(file, |(path, _)| path);
                let share = threads.at(self.number(&row, "thread")?, path);
                let stddev = |found: &Self| match row.cell("IopsStdDev") {
                    Some(_) => found.number(&row, "IopsStdDev"),
                    None => Ok(0.0),
                };
                let rates = Spread {
                    mean: self.number(&row, "I/O per s")?,
                    stddev: stddev(self)?,
                    ..Spread::default()
                };
                match op {
                    None => share.iops_by_interval = rates,
                    Some(op) => {
                        let done = self.share(&row, rates)?;
                        share.ops[op] = (done.ios > 0).then_some(done);
                    }
                }
            }
        }
        Ok(threads.into_workers())
    }

    /// What a row says of one operation of a thread at a target.
    fn share(&self, row: &TableRow<'_>, iops_by_interval: Spread) -> Result<WorkerOp, Wrong> {
        let ios = self.number(row, "I/Os")?;
        let mut service_ns = Spread::default();
        if row.cell("AvgLat").is_some() && ios > 0 {
            service_ns.count = ios;
            service_ns.mean = self.number::<f64>(row, "AvgLat")? * 1e6;
            service_ns.stddev = self.number::<f64>(row, "LatStdDev")? * 1e6;
        }
        Ok(WorkerOp {
            ios,
            bytes: self.number(row, "bytes")?,
            service_ns,
            iops_by_interval,
        })
    }

    /// The total of a table of requests.
    pub(super) fn operation(&self, title: &str) -> Result<OpResult, Wrong> {
        let missing = || {
            let message = format!("there is no table `{title}` with a total below this line");
            self.error(self.lines[0], &message)
        };
        let at = self
            .lines
            .iter()
            .position(|line| line.text == title)
            .ok_or_else(missing)?;
        let below = &self.lines[at + 1..];
        let head = below.first().ok_or_else(missing)?;
        let total = below.iter().take_while(|line| !line.text.is_empty());
        let line = total
            .into_iter()
            .find(|line| line.text.starts_with("total:"));
        let line = *line.ok_or_else(missing)?;
        let numbers = line.text.trim_start_matches("total:");
        let row = TableRow {
            line,
            cells: cells(head.text).skip(1).zip(cells(numbers)).collect(),
        };
        let mut op = OpResult {
            ios: self.number(&row, "I/Os")?,
            bytes: self.number(&row, "bytes")?,
            iops: self.number(&row, "I/O per s")?,
            ..OpResult::default()
        };
        // The rate of bytes is printed with fewer digits.
        if op.ios > 0 {
            op.bytes_per_second = op.iops * (op.bytes as f64 / op.ios as f64);
        }
        if row.cell("AvgLat").is_some() && op.ios > 0 {
            op.service_ns.count = op.ios;
            op.service_ns.mean = self.number::<f64>(&row, "AvgLat")? * 1e6;
            op.service_ns.stddev = self.number::<f64>(&row, "LatStdDev")? * 1e6;
        }
        if row.cell("IopsStdDev").is_some() {
            op.iops_by_interval.stddev = self.number(&row, "IopsStdDev")?;
        }
        Ok(op)
    }
}
