//! JSON of Prometheus: the answer of `/api/v1/query_range`, or of a query for a range. Counters
//! are turned into rates here; a query that asks for `rate()` loses the name of its metric.

use super::instants::Stamp;
use super::json::Number;
use super::metric_name::of_labels;
use super::series::Series;
use super::words::Text;
use crate::diagnostic::Diagnostic;
use fathom_core::recording::Recording;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// Whether a text is of it.
pub(super) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{')
        && text.contains("\"resultType\"")
        && text.contains("\"result\"")
}

#[derive(Deserialize)]
struct Matrix {
    #[serde(default)]
    metric: BTreeMap<String, String>,
    values: Option<Vec<(Stamp, Number)>>,
}

/// Reads it series by series.
pub(super) fn read(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut series = Series::from_ends();
    let mut instances = BTreeSet::new();
    source.elements(&["data", "result"], &mut |one: Matrix| {
        let Some(values) = one.values else {
            return Err("a single moment; ask /api/v1/query_range for a series".to_owned());
        };
        let Some(name) = one.metric.get("__name__") else {
            return Err(
                "a series without the name of its metric, which rate() drops; query the counters: \
                 {__name__=~\"node_disk_.*\"}"
                    .to_owned(),
            );
        };
        let label = |name: &str| one.metric.get(name).map(String::as_str);
        let labels = one
            .metric
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str()));
        let disk = of_labels(&labels);
        let device = match (label("instance"), disk) {
            (Some(instance), Some(disk)) => {
                instances.insert(instance.to_owned());
                Some(format!("{instance} {disk}"))
            }
            (_, disk) => disk.map(str::to_owned),
        };
        let values = values.into_iter().map(|(at, number)| (at, number.0));
        series.values(name, device.as_deref(), values);
        Ok(())
    })?;
    // The name of the only machine stands once, not before each disk.
    let only = instances.pop_first().filter(|_| instances.is_empty());
    let mut recording = series.recording("Prometheus", only.clone());
    if let Some(only) = only {
        for one in &mut recording.devices {
            if let Some(disk) = one.device.strip_prefix(&format!("{only} ")) {
                one.device = disk.to_owned();
            }
        }
    }
    Ok(recording)
}
