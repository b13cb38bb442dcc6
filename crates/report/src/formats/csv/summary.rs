//! One row for each operation of each job: all of its figures over the measured time.

use super::{Sheet, cell, place};
use fathom_core::result::metric::{METRICS, MetricSource};
use fathom_core::result::{LoadModel, ResultField, RunResult};

pub(crate) fn render(result: &RunResult) -> String {
    let mut header = place::header(["load_model"]);
    header.extend(METRICS.iter().map(|metric| metric.key.to_string()));
    let origin = &result.provenance.origin;
    let mut rows = Sheet::new(&header);
    for phase in &result.phases {
        for job in &phase.jobs {
            let model = match job.load_model {
                LoadModel::Closed => "closed",
                LoadModel::Open => "open",
                LoadModel::Bursts => "bursts",
            };
            let model = origin.known(ResultField::LoadModel, model);
            for (op, figures) in job.ops.present() {
                let mut row = place::cells(result, phase, &job.name, op);
                row.push(cell(model));
                let place = MetricSource {
                    phase,
                    job,
                    op: figures,
                };
                row.extend(
                    METRICS
                        .iter()
                        .map(|metric| cell(metric.known(&place, origin))),
                );
                rows.push(row);
            }
        }
    }
    rows.finish()
}
