//! The levels of a metric as a table, for formats with tables.

use crate::table::{Align, Table};
use fathom_core::figure::{count, decimal};
use fathom_verdict::stats::Shift;
use fathom_verdict::trend::Trend;

/// `-12.7 %`: new over old level as a change.
fn change(ratio: f64) -> String {
    let change = (ratio - 1.0) * 100.0;
    let sign = if change > 0.0 { "+" } else { "" };
    format!("{sign}{} %", decimal(change, 1))
}

/// A row for each level; none where too few runs are usable.
pub(super) fn levels(trend: &Trend) -> Option<Table> {
    let found = trend.found.as_ref()?;
    let mut table = Table::default();
    for (head, align) in [
        ("from", Align::Left),
        ("run", Align::Left),
        ("runs", Align::Right),
        ("median", Align::Right),
        ("change", Align::Right),
        ("interval", Align::Left),
        ("p", Align::Right),
    ] {
        table.column(head, align);
    }
    let changes = found.changes.changes.iter().map(Some);
    let changes = std::iter::once(None).chain(changes);
    for (level, own) in found.changes.levels.iter().zip(changes) {
        let of =
            |part: fn(&Shift) -> String| own.map_or_else(String::new, |change| part(&change.ratio));
        table.row(vec![
            trend.day(level.begin).to_owned(),
            trend.series.points[level.begin].run_id.clone(),
            count(level.runs as u64),
            trend.metric.figure(level.median),
            of(|ratio| change(ratio.estimate)),
            of(|ratio| format!("{} … {}", change(ratio.low), change(ratio.high))),
            of(|ratio| crate::compare::probability(ratio.p)),
        ]);
    }
    Some(table)
}
