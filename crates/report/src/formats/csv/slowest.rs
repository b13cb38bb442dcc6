//! One row for each request that was kept, the slowest of an operation first.

use super::{Sheet, cell, place};
use fathom_core::result::RunResult;

const FIGURES: [&str; 6] = [
    "issued_ns",
    "service_ns",
    "lag_ns",
    "target",
    "offset",
    "bytes",
];

pub(crate) fn render(result: &RunResult) -> String {
    let mut rows = Sheet::new(place::header(FIGURES));
    for phase in &result.phases {
        for job in &phase.jobs {
            for (op, figures) in job.ops.present() {
                let place = place::cells(result, phase, &job.name, op);
                for slow in &figures.slowest {
                    let target = job.targets.get(usize::from(slow.target));
                    let cells = [
                        slow.issued_ns.to_string(),
                        slow.service_ns.to_string(),
                        cell(slow.lag_ns),
                        target.cloned().unwrap_or_default(),
                        slow.offset.to_string(),
                        slow.bytes.to_string(),
                    ];
                    rows.push(place.iter().cloned().chain(cells));
                }
            }
        }
    }
    rows.finish()
}
