//! Levels during the time series: the credit that bursts are paid from.

use crate::figure::{count, volume};
use crate::page::Page;
use crate::sparkline::sparkline;
use fathom_core::result::{Gauge, PhaseResult};

/// Characters of a picture at most.
const BARS: usize = 60;

/// Fewer points than this make no picture.
const LEAST_BARS: usize = 8;

pub(super) fn write(page: &mut Page, phase: &PhaseResult) {
    let Some(first) = phase.machine.first() else {
        return;
    };
    for gauge in &first.gauges {
        let all = phase.machine.iter().flat_map(|interval| &interval.gauges);
        let series: Vec<&Gauge> = all.filter(|other| other.name == gauge.name).collect();
        let (Some(begin), Some(end)) = (series.first(), series.last()) else {
            continue;
        };
        let full = gauge
            .full
            .map(|full| format!(" of {}", amount(full, &gauge.unit)));
        let text = format!(
            "{}: {} after the first interval, {} at the end{}",
            gauge.name,
            amount(begin.value, &gauge.unit),
            amount(end.value, &gauge.unit),
            full.unwrap_or_default()
        );
        page.entry("level", &text);
        if series.len() >= LEAST_BARS {
            let values: Vec<f64> = series.iter().map(|gauge| gauge.value).collect();
            page.entry("", &sparkline(&values, BARS));
        }
    }
}

/// A level with its unit.
fn amount(value: f64, unit: &str) -> String {
    match unit {
        "bytes" => volume(value as u64),
        unit => format!("{} {unit}", count(value.round() as u64)),
    }
}
