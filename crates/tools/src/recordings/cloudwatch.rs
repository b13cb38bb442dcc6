//! JSON of Amazon CloudWatch: `get-metric-data` and `get-metric-statistics`, of EBS, EC2 and RDS.

use super::instants::Stamp;
use super::metric_name::known;
use super::series::Series;
use super::words::Text;
use crate::diagnostic::Diagnostic;
use fathom_core::recording::Recording;
use serde::Deserialize;

/// Whether a text is JSON of CloudWatch.
pub(super) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{') && (has_metric_data(text) || text.contains("\"Datapoints\""))
}

fn has_metric_data(text: &str) -> bool {
    text.contains("\"MetricDataResults\"")
}

/// A metric of `get-metric-data`.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Data {
    #[serde(default)]
    id: String,
    #[serde(default)]
    label: String,
    #[serde(default)]
    timestamps: Vec<Stamp>,
    #[serde(default)]
    values: Vec<f64>,
}

/// The answer of `get-metric-statistics`.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Statistics {
    #[serde(default)]
    label: String,
    #[serde(default)]
    datapoints: Vec<Point>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Point {
    timestamp: Stamp,
    sum: Option<f64>,
    average: Option<f64>,
}

/// Reads it metric by metric.
pub(super) fn read_json(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut series = Series::from_begins();
    if has_metric_data(&source.begin) {
        source.elements(&["MetricDataResults"], &mut |data: Data| {
            // Without a label the id may name the metric.
            let named = match data.label.as_str() {
                label if known(label).is_some() || data.id.is_empty() => data.label,
                label if known(&data.id).is_some() => format!("{label} {}", data.id),
                _ => data.label,
            };
            let values = data.values.into_iter().map(Some);
            series.values(&named, None, data.timestamps.into_iter().zip(values));
            Ok(())
        })?;
    } else {
        source.elements(&[], &mut |one: Statistics| {
            let is_sum = series.known(&one.label).is_some_and(|known| known.is_sum());
            let mut points = one.datapoints.iter();
            if is_sum && points.any(|point| point.sum.is_none() && point.average.is_some()) {
                return Err(format!(
                    "{} is a count, which its average does not give; ask for `--statistics Sum`",
                    one.label
                ));
            }
            let values = one.datapoints.into_iter().map(|point| {
                let value = if is_sum { point.sum } else { point.average };
                (point.timestamp, value)
            });
            series.values(&one.label, None, values);
            Ok(())
        })?;
    }
    Ok(series.recording("CloudWatch", None))
}
