//! The percentiles of latency.

use crate::formats::diskspd::latency::{Chart, ROWS, Side};

pub(super) fn chart(chart: &Chart, text: &mut String) {
    *text += "  %-ile |  Read (ms) | Write (ms) | Total (ms)\n";
    *text += &"-".repeat(46);
    *text += "\n";
    let ends = |label, share| std::iter::once((label, share));
    let rows = ends("    min", 0.0).chain(ROWS).chain(ends("    max", 1.0));
    for (label, share) in rows {
        let cell = |side: &Side| {
            if side.is_empty() {
                "N/A".to_owned()
            } else {
                format!("{:.3}", side.value_ms(share))
            }
        };
        let (read, write) = (cell(&chart.read), cell(&chart.write));
        let total = chart.total.value_ms(share);
        *text += &format!("{label:>7} | {read:>10} | {write:>10} | {total:10.3}\n");
    }
}
