//! A row of the table, its cells by the names of their columns.

use super::{CsvLine, Wrong};
use fathom_core::Op;
use fathom_core::result::OpResult;
use std::collections::HashMap;

/// What a row tells of, in the order of [`operations`].
pub(super) const OPS: [Op; 2] = [Op::Read, Op::Write];

const MIB: f64 = 1_048_576.0;

/// Where the columns are.
pub(super) struct Columns<'a>(HashMap<&'a str, usize>);

impl<'a> Columns<'a> {
    /// Those of a line of names, the first of which begins with an apostrophe.
    pub(super) fn of(head: &'a str) -> Self {
        let names = head.trim_start_matches('\'').split(',').map(str::trim);
        let places = names.enumerate().map(|(index, name)| (name, index));
        Self(places.collect())
    }
}

/// One row.
pub(super) struct Row<'a> {
    pub(super) line: CsvLine<'a>,
    columns: &'a Columns<'a>,
    cells: Vec<&'a str>,
}

impl<'a> Row<'a> {
    pub(super) fn of(columns: &'a Columns<'a>, line: CsvLine<'a>) -> Self {
        Self {
            line,
            columns,
            cells: line.text.split(',').map(str::trim).collect(),
        }
    }

    /// The kind of row: ALL, MANAGER, PROCESSOR, WORKER or DISK.
    pub(super) fn kind(&self) -> &'a str {
        self.cells.first().copied().unwrap_or_default()
    }

    pub(super) fn text(&self, name: &str) -> &'a str {
        let place = self.columns.0.get(name);
        let cell = place.and_then(|place| self.cells.get(*place));
        cell.copied().unwrap_or_default()
    }

    /// The number below one of the names, if there is one that can be.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        let number: f64 = self.text(name).parse().ok()?;
        number.is_finite().then_some(number)
    }

    /// What raw times are counted in: ticks of a second.
    pub(super) fn ticks(&self) -> Option<f64> {
        self.number("Processor Speed").filter(|ticks| *ticks > 0.0)
    }
}

/// Reads and writes of a row. `number` is that of a cell which has to be there.
pub(super) fn operations(
    row: &Row<'_>,
    number: &impl Fn(&Row<'_>, &str) -> Result<f64, Wrong>,
) -> Result<[OpResult; 2], Wrong> {
    let of = |side: &str, bytes: &str| -> Result<OpResult, Wrong> {
        let counted = |name: &str| number(row, name).map(whole);
        let rate = |name: &str| row.number(&format!("{side} {name}"));
        // Up to 2006 there was one kind of megabytes, which are binary; then they were called so,
        // and since 1.1.0 by their unit.
        let names = ["MiBps (Binary)", "MBps (Binary)", "MBps"];
        let binary = names.into_iter().find_map(rate);
        let bytes_per_second = binary
            .map(|rate| rate * MIB)
            .or_else(|| rate("MBps (Decimal)").map(|rate| rate * 1e6));
        let mut op = OpResult {
            ios: counted(&format!("{side} I/Os"))?,
            bytes: counted(bytes)?,
            errors: whole(row.number(&format!("{side} Errors")).unwrap_or(0.0)),
            iops: number(row, &format!("{side} IOps"))?,
            bytes_per_second: bytes_per_second.unwrap_or_default(),
            ..OpResult::default()
        };
        if op.ios > 0 {
            let mean = number(row, &format!("Average {side} Response Time"))?;
            let longest = number(row, &format!("Maximum {side} Response Time"))?;
            op.service_ns.count = op.ios;
            op.service_ns.mean = mean * 1e6;
            op.service_ns.max = whole((longest * 1e6).round());
        }
        Ok(op)
    };
    Ok([of("Read", "Bytes Read")?, of("Write", "Bytes Written")?])
}

/// A count: none is below zero, and beyond 2^53 a cell names no whole number exactly. Several
/// of them have a sum.
const fn whole(value: f64) -> u64 {
    const MOST: f64 = 9_007_199_254_740_992.0;
    value.clamp(0.0, MOST) as u64
}

/// The time that the rates of a row are over: as it says, or as its counts and rates have it.
pub(super) fn active_ns(row: &Row<'_>, ticks: Option<f64>, ops: [&OpResult; 2]) -> u64 {
    let told = row.number("Total Raw Run Time").filter(|time| *time > 0.0);
    let seconds = told.zip(ticks).map(|(time, ticks)| time / ticks);
    let ios: u64 = ops.iter().map(|op| op.ios).sum();
    let iops: f64 = ops.iter().map(|op| op.iops).sum();
    let seconds = seconds.or_else(|| (iops > 0.0).then(|| ios as f64 / iops));
    whole((seconds.unwrap_or_default() * 1e9).round())
}
