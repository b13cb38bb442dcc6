//! The whole latency distribution of each operation, as far as the sample supports it.

use crate::figure::{count, longest, time};
use crate::page::{HARD_SPACE, Page};
use fathom_core::result::{LoadModel, OpResult, PhaseResult};
use fathom_core::summary::{LatencySummary, PERCENTILES};

pub(super) fn write(page: &mut Page, phase: &PhaseResult) {
    for job in &phase.jobs {
        let prefix = super::job_prefix(phase, &job.name);
        for (op, result) in job.ops.present() {
            let name = op.name();
            if job.load_model == LoadModel::Open {
                let text = format!("{prefix}{name}: {}", words(&result.response_ns, result));
                page.entry("response", &text);
            }
            let text = format!("{prefix}{name}: {}", words(&result.service_ns, result));
            page.entry("service", &text);
        }
    }
}

fn words(summary: &LatencySummary, result: &OpResult) -> String {
    match (summary.count, result.ios) {
        (0, 0) => return "no request completed".to_owned(),
        (0, _) => return "unknown: single requests were not recorded".to_owned(),
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
    let mut max = format!("max {}", longest(summary.max, result.is_max_a_bound()));
    if let Some(late) = result.late.filter(|late| late.in_flight > 0) {
        max += &format!(" ({} still in flight)", count(late.in_flight));
    }
    parts.push(max);
    // Hard spaces keep a name, its value and its unit on one line.
    let whole = parts.iter().map(|part| part.replace(' ', HARD_SPACE));
    whole.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::result::LateRequests;

    #[test]
    fn a_longest_time_that_had_not_ended_is_a_bound() {
        let summary = LatencySummary {
            count: 4,
            mean: 2e9,
            stddev: 3.5e9,
            min: 1_000_000,
            max: 8_100_000_000,
            ..LatencySummary::default()
        };
        let mut result = OpResult {
            ios: 3,
            late: Some(LateRequests {
                in_flight: 1,
                in_flight_longest_ns: 8_100_000_000,
                ..LateRequests::default()
            }),
            ..OpResult::default()
        };
        let told = |result: &OpResult| words(&summary, result).replace(HARD_SPACE, " ");
        let expected = "min 1.00 ms, mean 2.00 s ± 3.50 s, max > 8.10 s (1 still in flight)";
        assert_eq!(told(&result), expected);
        result.late = None;
        assert_eq!(
            told(&result),
            "min 1.00 ms, mean 2.00 s ± 3.50 s, max 8.10 s"
        );
    }
}
