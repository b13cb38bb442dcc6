//! The whole latency distribution of each operation, as far as the sample supports it.

use crate::figure::time;
use crate::page::{HARD_SPACE, Page};
use fathom_core::result::{LoadModel, PhaseResult};
use fathom_core::summary::{LatencySummary, PERCENTILES};

pub(super) fn write(page: &mut Page, phase: &PhaseResult) {
    for job in &phase.jobs {
        let prefix = super::job_prefix(phase, &job.name);
        for (op, result) in job.ops.present() {
            let name = op.name();
            if job.load_model == LoadModel::Open {
                let text = format!("{prefix}{name}: {}", words(&result.response_ns, result.ios));
                page.entry("response", &text);
            }
            let text = format!("{prefix}{name}: {}", words(&result.service_ns, result.ios));
            page.entry("service", &text);
        }
    }
}

fn words(summary: &LatencySummary, ios: u64) -> String {
    match (summary.count, ios) {
        (0, 0) => return "no request completed".to_owned(),
        (0, _) => return "not known: requests were not followed one by one".to_owned(),
        _ => {}
    }
    let mut parts = vec![
        format!("min {}", time(summary.min as f64)),
        format!("mean {} ± {}", time(summary.mean), time(summary.stddev)),
    ];
    for (name, _) in PERCENTILES {
        if let Some(value) = summary.percentile(name) {
            parts.push(format!("p{name} {}", time(value as f64)));
        }
    }
    parts.push(format!("max {}", time(summary.max as f64)));
    // Hard spaces keep a name, its value and its unit on one line.
    let whole = parts.iter().map(|part| part.replace(' ', HARD_SPACE));
    whole.collect::<Vec<_>>().join(", ")
}
