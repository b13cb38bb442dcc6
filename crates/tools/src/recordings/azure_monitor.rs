//! JSON of Azure Monitor: `az monitor metrics list`.

use super::instants::Stamp;
use super::readings::Count;
use super::series::Series;
use super::words::Text;
use crate::diagnostic::Diagnostic;
use fathom_core::recording::Recording;
use serde::Deserialize;

/// Whether a text is of it.
pub(super) fn is_json(text: &str) -> bool {
    text.trim_start().starts_with('{') && text.contains("\"timeseries\"")
}

#[derive(Deserialize)]
struct Metric {
    #[serde(default)]
    id: String,
    name: Name,
    #[serde(default)]
    timeseries: Vec<TimeSeries>,
}

#[derive(Deserialize)]
struct Name {
    value: String,
}

#[derive(Deserialize)]
struct TimeSeries {
    #[serde(default)]
    metadatavalues: Vec<Dimension>,
    #[serde(default)]
    data: Vec<Point>,
}

#[derive(Deserialize)]
struct Dimension {
    value: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Point {
    time_stamp: Stamp,
    average: Option<f64>,
    total: Option<f64>,
}

/// Reads it metric by metric.
pub(super) fn read(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut series = Series::from_begins();
    source.elements(&["value"], &mut |one: Metric| {
        let name = &one.name.value;
        let Some(known) = series.known(name) else {
            return Ok(());
        };
        for part in one.timeseries {
            let values = part
                .metadatavalues
                .into_iter()
                .map(|dimension| dimension.value);
            let of_machine = resource(&one.id);
            let words = of_machine.map(str::to_owned).into_iter();
            let words = words.chain([known.device(name).into_owned()]).chain(values);
            let device = words.collect::<Vec<_>>().join(" ");
            let values = part.data.into_iter().map(|point| {
                let value = match known.count {
                    Count::Sum => point.total,
                    _ => point.average.or(point.total),
                };
                (point.time_stamp, value)
            });
            series.values(name, Some(&device), values);
        }
        Ok(())
    })?;
    Ok(series.recording("Azure Monitor", None))
}

/// The machine or disk of `/subscriptions/…/virtualMachines/vm1/providers/Microsoft.Insights/…`.
fn resource(id: &str) -> Option<&str> {
    let (before, _) = id.split_once("/providers/Microsoft.Insights/")?;
    before.rsplit('/').next()
}
