//! The state of each metric for Prometheus: its level, and its latest change.

use crate::formats::openmetrics::{Gauge, Labels, text_of};
use fathom_verdict::trend::{Trend, Trends};

/// A family: its name, its help, and its sample of a trend.
type Family = (&'static str, &'static str, fn(&Trend) -> Option<f64>);

const FAMILIES: [Family; 4] = [
    (
        "fathom_trend_level",
        "Median of the runs since the latest change, in 1/s, bytes/s or ns",
        |trend| Some(trend.found.as_ref()?.changes.levels.last()?.median),
    ),
    ("fathom_trend_runs", "Usable runs", |trend| {
        Some(trend.series.points.len() as f64)
    }),
    (
        "fathom_trend_change",
        "New level divided by the level before the latest change; 1 without a change",
        |trend| {
            trend.found.as_ref()?;
            let latest = trend.changes().next_back();
            Some(latest.map_or(1.0, |(change, _)| change.ratio.estimate))
        },
    ),
    (
        "fathom_trend_worse",
        "1 if the latest change is for the worse",
        |trend| {
            trend.found.as_ref()?;
            Some(f64::from(u8::from(trend.got_worse() == Some(true))))
        },
    ),
];

pub(super) fn render(trends: &Trends) -> String {
    let gauge = |(name, help, number): Family| Gauge {
        name,
        help,
        unit: None,
        samples: trends
            .trends
            .iter()
            .filter_map(|trend| Some((labels(trend), number(trend)?)))
            .collect(),
    };
    text_of(FAMILIES.map(gauge).into())
}

fn labels(trend: &Trend) -> Labels {
    let key = &trend.series.key;
    vec![
        ("workload", key.workload.clone()),
        ("targets", key.targets.clone()),
        ("host", key.hostname.clone()),
        ("engine", key.engine.clone()),
        ("origin", key.origin.clone()),
        ("phase", key.phase.clone()),
        ("job", key.job.clone()),
        ("op", key.op.clone()),
        ("load_model", key.load_model.clone()),
        ("threads", key.threads.to_string()),
        ("queue_depth", key.queue_depth.to_string()),
        ("metric", trend.metric.name().to_owned()),
    ]
}
