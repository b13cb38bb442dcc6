//! What the slowest requests of a phase waited for, with the parts of their time.

use crate::blame::{blame_tables, phase_remarks, traced_sentence};
use crate::figure::plural;
use crate::page::Page;
use fathom_core::result::PhaseResult;

pub(super) fn write(page: &mut Page, phase: &PhaseResult) {
    let Some(found) = &phase.blame else {
        return;
    };
    page.entry("blame", &traced_sentence(found));
    for remark in phase_remarks(found) {
        page.entry("", &remark);
    }
    let Some(blame) = &found.blame else {
        return;
    };
    let requests = plural(blame.time_ns.count, "request");
    let text = format!("{requests}, from the queue of the block layer to completion");
    page.entry("", &text);
    for table in &blame_tables(blame, &found.reap) {
        page.blank();
        page.table(table);
    }
    if !found.reap.is_empty() {
        page.footnote(
            "REAP: the percentile of fathom less that of the block layer. Both are of all reads, \
             writes and trims, and need not be of the same request.",
        );
    }
    page.blank();
}
