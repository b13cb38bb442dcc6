//! How latencies were spread at each time: requests by time and logarithmic band of latency.

use super::course;
use super::stream::Stream;
use fathom_core::Histogram;
use fathom_core::result::{EncodedHistogram, IntervalResult, PhaseResult};
use std::collections::BTreeMap;

/// Columns, at most.
const COLUMNS: usize = 120;

/// Bands of latency in a power of ten.
const BANDS: f64 = 12.0;

/// Requests by time and latency.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HeatMap {
    /// Which requests.
    pub(crate) label: String,
    /// Starts of the columns and the end of the last, seconds after the start of the phase.
    pub(crate) edges_s: Vec<f64>,
    /// The number of the lowest band; band n holds from 10^(n/12) to 10^((n+1)/12) ns.
    pub(crate) first_band: i32,
    /// Bands in a power of ten.
    pub(crate) bands: f64,
    /// Intervals in a full column.
    pub(crate) column_intervals: usize,
    /// Column, band above the lowest, requests.
    pub(crate) cells: Vec<(usize, i32, u64)>,
}

/// The map of a stream; none without histograms.
pub(crate) fn of(phase: &PhaseResult, stream: &Stream) -> Option<HeatMap> {
    let group = phase.histogram_intervals.max(1) as usize;
    let step = group
        * phase
            .intervals
            .len()
            .div_ceil(group)
            .div_ceil(COLUMNS)
            .max(1);
    let mut columns: Vec<BTreeMap<i32, u64>> = Vec::new();
    let mut edges_s = Vec::new();
    for intervals in phase.intervals.chunks(step) {
        edges_s.push(intervals[0].start_ns as f64 / 1e9);
        columns.push(column(intervals, stream));
    }
    let last = phase.intervals.last()?;
    edges_s.push((last.start_ns + last.length_ns) as f64 / 1e9);
    let bands = columns.iter().flat_map(BTreeMap::keys);
    let first_band = *bands.min()?;
    let cells = columns.iter().enumerate().flat_map(|(index, column)| {
        let cells = column.iter();
        cells.map(move |(band, count)| (index, band - first_band, *count))
    });
    Some(HeatMap {
        label: format!("{} {} time", stream.label, stream.time()),
        edges_s,
        first_band,
        bands: BANDS,
        column_intervals: step,
        cells: cells.collect(),
    })
}

fn column(intervals: &[IntervalResult], stream: &Stream) -> BTreeMap<i32, u64> {
    let mut bands = BTreeMap::new();
    for op in intervals.iter().flat_map(|one| stream.ops(&one.jobs)) {
        let histogram = course::histogram(stream, op).map(EncodedHistogram::decode);
        if let Some(Ok(histogram)) = histogram {
            count(&histogram, &mut bands);
        }
    }
    bands
}

fn count(histogram: &Histogram, bands: &mut BTreeMap<i32, u64>) {
    for (edge_ns, count) in histogram.buckets() {
        *bands.entry(band(edge_ns)).or_default() += count;
    }
}

/// The number of the band of a value.
fn band(ns: u64) -> i32 {
    ((ns.max(1) as f64).log10() * BANDS).floor() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_are_twelve_in_a_power_of_ten() {
        let bands = [1, 10, 12, 13, 99, 100, 1_000_000].map(band);
        assert_eq!(bands, [0, 12, 12, 13, 23, 24, 72]);
    }
}
