//! JSON of Google Cloud Monitoring: `timeSeries` of its API, or the list that `gcloud` prints.

use super::instants::Stamp;
use super::json::Number;
use super::metric_name::of_labels;
use super::readings::Count;
use super::series::Series;
use super::words::Text;
use crate::diagnostic::Diagnostic;
use fathom_core::recording::Recording;
use serde::Deserialize;
use std::collections::BTreeMap;

const NANOS: f64 = 1e9;

/// Whether a text is of it.
pub(super) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
        && text.contains("\"metricKind\"")
        && text.contains("\"points\"")
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TimeSeries {
    metric: Labelled,
    resource: Option<Labelled>,
    metric_kind: Option<String>,
    #[serde(default)]
    points: Vec<Point>,
}

#[derive(Deserialize)]
struct Labelled {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    labels: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Point {
    interval: Interval,
    value: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Interval {
    start_time: Option<Stamp>,
    end_time: Stamp,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Value {
    int64_value: Option<Number>,
    double_value: Option<Number>,
}

/// Reads it series by series.
pub(super) fn read(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let is_list = source.begin.trim_start().starts_with('[');
    let path: &[&str] = if is_list { &[] } else { &["timeSeries"] };
    let mut series = Series::from_ends();
    source.elements(path, &mut |one: TimeSeries| {
        let Some(mut known) = series.known(&one.metric.kind) else {
            return Ok(());
        };
        if known.count == Count::Sum {
            // An aligner may have made rates of what came together.
            known.count = match one.metric_kind.as_deref() {
                Some("GAUGE") => Count::Mean,
                Some("CUMULATIVE") => Count::Total,
                _ => Count::Sum,
            };
        }
        let resource = one.resource.as_ref().map(|resource| &resource.labels);
        let labels = one
            .metric
            .labels
            .iter()
            .chain(resource.into_iter().flatten());
        let device = of_labels(&labels.map(|(key, value)| (key.as_str(), value.as_str())));
        let machine = one.metric.labels.get("instance_name");
        let device = match (machine, device) {
            (Some(machine), Some(device)) => format!("{machine} {device}"),
            (None, Some(device)) => device.to_owned(),
            _ => known.device(&one.metric.kind).into_owned(),
        };
        for Point { interval, value } in one.points {
            let number = value.double_value.or(value.int64_value);
            let Some(number) = number.and_then(|number| number.0) else {
                continue;
            };
            let end = interval.end_time;
            let since = interval
                .start_time
                .map(|start| (end.at - start.at) as f64 / NANOS);
            let span = since.filter(|span| known.count == Count::Sum && *span > 0.0);
            series.put(&known, &device, end.pair(), number, span);
        }
        Ok(())
    })?;
    Ok(series.recording("Google Monitoring", None))
}
