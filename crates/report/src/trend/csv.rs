//! One row for each metric and run, as docs/trend.md lists the columns.

use crate::sheet::Sheet;
use fathom_verdict::trend::{Trend, Trends};

const HEADS: [&str; 18] = [
    "workload",
    "targets",
    "host",
    "engine",
    "origin",
    "phase",
    "job",
    "op",
    "load_model",
    "threads",
    "queue_depth",
    "metric",
    "run_id",
    "started_at",
    "state",
    "value",
    "level",
    "change",
];

pub(super) fn render(trends: &Trends) -> String {
    let mut sheet = Sheet::new(HEADS);
    for trend in &trends.trends {
        for at in 0..trend.series.points.len() {
            sheet.push(row(trend, at));
        }
    }
    sheet.finish()
}

fn row(trend: &Trend, at: usize) -> [String; 18] {
    let key = &trend.series.key;
    let point = &trend.series.points[at];
    let found = trend.found.as_ref();
    let level = found.and_then(|found| {
        let mut levels = found.changes.levels.iter();
        levels.rfind(|level| level.begin <= at)
    });
    let change = trend.changes().find(|(change, _)| change.at == at);
    let number = |number: Option<f64>| number.map_or_else(String::new, |one| one.to_string());
    [
        key.workload.clone(),
        key.targets.clone(),
        key.hostname.clone(),
        key.engine.clone(),
        key.origin.clone(),
        key.phase.clone(),
        key.job.clone(),
        key.op.clone(),
        key.load_model.clone(),
        key.threads.to_string(),
        key.queue_depth.to_string(),
        trend.metric.name().to_owned(),
        point.run_id.clone(),
        point.started_at.clone(),
        point.state.clone(),
        number(point.value),
        number(level.map(|level| level.median)),
        number(change.map(|(change, _)| change.ratio.estimate)),
    ]
}
