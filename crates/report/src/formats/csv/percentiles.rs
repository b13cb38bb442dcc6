//! One row for each percentile that the sample supports, of each operation and each of its times.

use super::{Sheet, place};
use crate::charts::percentiles::curve;
use fathom_core::result::{JobResult, LoadModel, OpResult, RunResult};

const FIGURES: [&str; 5] = ["time", "percentile", "latency_ns", "beyond", "count"];

pub(crate) fn render(result: &RunResult) -> String {
    let mut rows = Sheet::new(place::header(FIGURES));
    for phase in &result.phases {
        for job in &phase.jobs {
            for (op, figures) in job.ops.present() {
                let place = place::cells(result, phase, &job.name, op);
                for cells in of_op(job, figures) {
                    rows.push(place.iter().cloned().chain(cells));
                }
            }
        }
    }
    rows.finish()
}

fn of_op(job: &JobResult, op: &OpResult) -> Vec<[String; FIGURES.len()]> {
    let mut rows = Vec::new();
    let mut times = vec![("service", &op.service_histogram)];
    if job.load_model == LoadModel::Open {
        times.push(("response", &op.response_histogram));
    }
    for (time, histogram) in times {
        let Some(histogram) = histogram.as_ref().and_then(|one| one.decode().ok()) else {
            continue;
        };
        let count = histogram.len();
        rows.extend(curve(&histogram).into_iter().map(|point| {
            [
                time.to_owned(),
                point.percent,
                point.latency_ns.to_string(),
                point.beyond.to_string(),
                count.to_string(),
            ]
        }));
    }
    rows
}
