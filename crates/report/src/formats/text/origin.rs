//! How the result came about, and how to repeat it.

use super::settings;
use crate::figure::{duration, plural, size, time};
use crate::page::Page;
use fathom_core::result::{HostInfo, RunResult};

pub(super) fn write(page: &mut Page, result: &RunResult) {
    let provenance = &result.provenance;
    page.heading("run");
    let timings = &provenance.timings;
    let mut text = format!("{}, started {}", result.run_id, provenance.started_at);
    // Of a run that was cut off nobody knows.
    if timings.total_ns > 0 {
        text += &format!(", took {}", duration(timings.total_ns));
    }
    if timings.layout_ns > 0 {
        text += &format!(" ({} laying out files)", duration(timings.layout_ns));
    }
    if timings.first_io_ns > 0 || timings.total_ns > 0 {
        text += &format!("; first I/O after {}", duration(timings.first_io_ns));
    }
    page.entry("id", &text);
    page.entry("host", &host(&provenance.host));
    settings::write(page, provenance);
    let engine = &provenance.engine;
    let text = format!(
        "{}, seed {}, clock {} ({} per reading)",
        provenance.version,
        provenance.seed,
        engine.clock,
        time(engine.clock_cost_ns)
    );
    page.entry("fathom", &text);
    if !provenance.workload.source.is_empty() {
        page.entry("source", &provenance.workload.source);
    }
    if !provenance.command_line.is_empty() {
        let words: Vec<String> = provenance.command_line.iter().map(|w| quote(w)).collect();
        page.entry("repeat", &words.join(" "));
    }
}

fn host(host: &HostInfo) -> String {
    let parts = [
        host.hostname.clone(),
        host.machine.clone(),
        format!(
            "{} of {}",
            plural(u64::from(host.cpus), "processor"),
            host.cpu_model
        ),
        if host.memory_bytes > 0 {
            format!("{} of memory", size(host.memory_bytes))
        } else {
            String::new()
        },
        format!("Linux {}", host.kernel),
        format!("clock source {}", host.clock_source),
    ];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

/// A word as a shell would need it.
fn quote(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./,:=+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}
