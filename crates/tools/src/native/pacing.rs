//! When requests go: the forms of `pacing`, and the short forms next to the job.

use super::table::Table;
use fathom_core::spec::fields::{CLOSED, JOB, OPEN};
use serde_json::{Value, json};

/// None where the text says nothing that can be read.
pub(super) fn read(job: &Table<'_>) -> Option<Value> {
    let (open, closed) = (job.entries(&OPEN.shorts()), job.entries(&CLOSED.shorts()));
    if let Some(long) = job.entry("pacing") {
        for short in open.iter().chain(&closed) {
            job.clash(&long, short);
        }
        return job.value("pacing", JOB.field("pacing"));
    }
    for entry in open.iter().chain(&closed) {
        let path = || job.path(&format!("pacing.{}", entry.key));
        job.reading().place(path, &entry.span);
        job.reading().place(|| job.path("pacing"), &entry.span);
    }
    if open.is_empty() {
        return Some(json!({ "closed": job.group(&CLOSED)? }));
    }
    for entry in &closed {
        job.reading().error(
            &entry.name,
            format!("`{}` has no meaning at a fixed rate", entry.key),
            "drop it, or drop `rate`: a load by the clock does not wait for completions",
        );
    }
    Some(json!({ "open": job.group(&OPEN)? }))
}
