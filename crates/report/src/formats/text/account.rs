//! What the kernel charged to the process and its control group, and what of the targets was in
//! the page cache.

use crate::figure::{megabytes, size, time, volume};
use crate::page::Page;
use fathom_core::result::{CacheUse, CountedIo, PhaseResult};

pub(super) fn write(page: &mut Page, phase: &PhaseResult) {
    let Some(ledger) = &phase.ledger else {
        return;
    };
    let sides = [
        ("the process", ledger.process),
        ("its control group", ledger.cgroup),
    ];
    let charged = sides.iter().filter_map(|(name, side)| {
        let side: CountedIo = (*side)?;
        let (read, written) = (volume(side.read_bytes), volume(side.write_bytes));
        Some(format!("{name} {read} read, {written} written"))
    });
    let charged: Vec<String> = charged.collect();
    if !charged.is_empty() {
        page.entry("charged", &charged.join("; "));
    }
    for cache in &ledger.caches {
        page.entry("page cache", &cached(cache));
    }
    if let (Some((accepted, durable)), Some(write_back_ns)) =
        (ledger.write_rates(phase.measured_ns), ledger.write_back_ns)
    {
        // Without a device only the file system says so.
        let state = if phase.devices.is_empty() {
            "flushed"
        } else {
            "durable"
        };
        let text = format!(
            "accepted at {} MB/s, {state} at {} MB/s with the {} of fdatasync after the phase",
            megabytes(accepted),
            megabytes(durable),
            time(write_back_ns as f64)
        );
        page.entry("writes", &text);
    }
}

fn cached(cache: &CacheUse) -> String {
    let mut text = format!(
        "{}: {} at the start, {} at the end",
        cache.target,
        size(cache.begin_bytes),
        size(cache.end_bytes)
    );
    if let Some(dirty) = cache.dirty_bytes.filter(|dirty| *dirty > 0) {
        text += &format!(", of which {} to be written", size(dirty));
    }
    text
}
