//! Readings that come one by one (of a device, of a moment, of one metric), put together into a
//! recording.

use super::columns;
use fathom_core::recording::{DeviceSeries, Recording, Sample};
use std::collections::BTreeMap;

const NANOS: f64 = 1e9;

/// What a reading is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Metric {
    Reads,
    Writes,
    Transfers,
    ReadBytes,
    WrittenBytes,
    /// Seconds that reads took, all added up.
    ReadSeconds,
    WriteSeconds,
    /// Milliseconds of one request.
    ReadAwait,
    WriteAwait,
    Await,
    QueueDepth,
    /// Percent of the time in which nothing was asked of it.
    Idle,
    /// Seconds in which nothing was asked of it.
    IdleSeconds,
}

/// How a reading counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    /// A rate, or a level.
    Mean,
    /// What came together in the span.
    Sum,
}

/// One reading.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) metric: Metric,
    pub(super) count: Count,
    pub(super) value: f64,
    /// Length of its span in seconds, if the source says it.
    pub(super) span: Option<f64>,
}

/// All readings.
#[derive(Debug, Default)]
pub(super) struct Readings {
    /// In the order in which they appear.
    devices: Vec<String>,
    /// By device and instant, in nanoseconds.
    moments: BTreeMap<(usize, i128), (String, Vec<Reading>)>,
    /// Whether a time stands at the begin of its span.
    from_begin: bool,
}

impl Readings {
    /// Of a source whose times stand at the begin of their spans, as clouds write them.
    pub(super) fn from_begins() -> Self {
        Self {
            from_begin: true,
            ..Self::default()
        }
    }

    pub(super) fn put(&mut self, device: &str, at: (i128, &str), reading: Reading) {
        let known = self.devices.iter().position(|one| one == device);
        let index = known.unwrap_or_else(|| {
            self.devices.push(device.to_owned());
            self.devices.len() - 1
        });
        let moment = self.moments.entry((index, at.0));
        let (_, readings) = moment.or_insert_with(|| (at.1.to_owned(), Vec::new()));
        readings.push(reading);
    }

    /// The recording: rates of what was counted, over the spans that the source states, or else
    /// the usual distance of two moments.
    pub(super) fn recording(self, tool: &str, host: Option<String>) -> Recording {
        let mut recording = Recording {
            tool: tool.to_owned(),
            host,
            ..Recording::default()
        };
        let usual = self.usual_distance();
        let mut dropped = 0_usize;
        let mut previous: Vec<Option<i128>> = vec![None; self.devices.len()];
        for name in &self.devices {
            recording.devices.push(DeviceSeries {
                device: name.clone(),
                samples: Vec::new(),
            });
        }
        for ((index, at), (text, readings)) in self.moments {
            let stated = readings.iter().find_map(|one| one.span);
            let since = previous[index].map(|before| (at - before) as f64 / NANOS);
            let own = since.filter(|_| !self.from_begin);
            let span = stated.or(own).or(usual).filter(|span| *span > 0.0);
            previous[index] = Some(at);
            match sample(&readings, text, span) {
                Some(sample) => recording.devices[index].samples.push(sample),
                None => dropped += 1,
            }
        }
        if dropped > 0 {
            recording.notes.push(format!(
                "{dropped} moments that count over a span of unknown length are left out"
            ));
        }
        recording
    }

    /// The distance that most moments have, seconds.
    fn usual_distance(&self) -> Option<f64> {
        let mut counts: BTreeMap<i128, usize> = BTreeMap::new();
        let keys: Vec<&(usize, i128)> = self.moments.keys().collect();
        for pair in keys.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            *counts.entry(pair[1].1 - pair[0].1).or_default() += 1;
        }
        let most = counts.into_iter().max_by_key(|(_, count)| *count);
        most.map(|(distance, _)| distance as f64 / NANOS)
    }
}

/// A moment whose readings are in; none where one counts over a span that is not known.
fn sample(readings: &[Reading], at: String, span: Option<f64>) -> Option<Sample> {
    let mut sample = Sample {
        at: Some(at),
        length_ns: span.map(|span| (span * NANOS).round() as u64),
        ..Sample::default()
    };
    let mut seconds = (None, None);
    let mut transfers = None;
    for reading in readings {
        let rate = match reading.count {
            Count::Mean => reading.value,
            Count::Sum => reading.value / span?,
        };
        match reading.metric {
            Metric::Reads => sample.reads_per_second = Some(rate),
            Metric::Writes => sample.writes_per_second = Some(rate),
            Metric::Transfers => transfers = Some(rate),
            Metric::ReadBytes => sample.read_bytes_per_second = rate,
            Metric::WrittenBytes => sample.written_bytes_per_second = rate,
            Metric::ReadSeconds => seconds.0 = Some(rate),
            Metric::WriteSeconds => seconds.1 = Some(rate),
            Metric::ReadAwait => sample.read_await_ms = Some(reading.value),
            Metric::WriteAwait => sample.write_await_ms = Some(reading.value),
            Metric::Await => sample.await_ms = Some(reading.value),
            Metric::QueueDepth => sample.queue_depth = Some(reading.value),
            Metric::Idle => sample.busy_percent = Some((100.0 - reading.value).clamp(0.0, 100.0)),
            Metric::IdleSeconds => {
                sample.busy_percent = Some((100.0 * (1.0 - rate)).clamp(0.0, 100.0));
            }
        }
    }
    sample.ios_per_second = transfers.unwrap_or(0.0);
    let each = |seconds: Option<f64>, rate: Option<f64>| {
        let rate = rate.filter(|rate| *rate > 0.0)?;
        Some(seconds? / rate * 1e3)
    };
    let found = each(seconds.0, sample.reads_per_second);
    sample.read_await_ms = sample.read_await_ms.or(found);
    let found = each(seconds.1, sample.writes_per_second);
    sample.write_await_ms = sample.write_await_ms.or(found);
    if sample.reads_per_second.is_some() != sample.writes_per_second.is_some()
        && transfers.is_none()
    {
        // Half of the load is no load: the other half is nothing where nobody asked for it.
        sample.reads_per_second.get_or_insert(0.0);
        sample.writes_per_second.get_or_insert(0.0);
    }
    columns::complete(&mut sample);
    Some(sample)
}
