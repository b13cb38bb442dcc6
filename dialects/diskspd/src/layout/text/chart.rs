//! The percentiles of latency.

use crate::layout::latency::{Chart, ROWS, Side};

pub(super) fn chart(chart: &Chart, text: &mut String) {
    *text += "  %-ile |  Read (ms) | Write (ms) | Total (ms)\n";
    *text += &"-".repeat(46);
    *text += "\n";
    let ends = |label, share| std::iter::once((label, share));
    let rows = ends("    min", 0.0).chain(ROWS).chain(ends("    max", 1.0));
    for (label, share) in rows {
        let cell = |side: &Side| {
            let value = side.value_ms(share).filter(|_| !side.is_empty());
            value.map_or_else(|| "N/A".to_owned(), |value| format!("{value:.3}"))
        };
        let (read, write) = (cell(&chart.read), cell(&chart.write));
        // DISKSPD has zeros in this column when nothing was done; where nothing is known, none.
        let total = match cell(&chart.total) {
            _ if chart.total.is_empty() && chart.is_known => "0.000".to_owned(),
            total => total,
        };
        *text += &format!("{label:>7} | {read:>10} | {write:>10} | {total:>10}\n");
    }
}
