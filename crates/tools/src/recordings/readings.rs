//! Readings that come one by one (of a device, of a moment, of one metric), put together into a
//! recording.

use super::columns;
use fathom_core::recording::{DeviceSeries, LARGE_REQUEST_BYTES, Recording, Sample, Uncounted};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

const NANOS: f64 = 1e9;

/// What a reading is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
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
    /// Seconds in which something was asked of it.
    BusySeconds,
}

impl Metric {
    /// All, in the order of their numbers.
    const ALL: [Self; 14] = [
        Self::Reads,
        Self::Writes,
        Self::Transfers,
        Self::ReadBytes,
        Self::WrittenBytes,
        Self::ReadSeconds,
        Self::WriteSeconds,
        Self::ReadAwait,
        Self::WriteAwait,
        Self::Await,
        Self::QueueDepth,
        Self::Idle,
        Self::IdleSeconds,
        Self::BusySeconds,
    ];
}

/// How a reading counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    /// A rate, or a level.
    Mean,
    /// What came together in the span.
    Sum,
    /// What came together since some start: the difference of two counts.
    Total,
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

/// The readings of one moment, the last of each metric.
#[derive(Clone, Debug)]
struct Moment {
    /// As the source writes it.
    at: Arc<str>,
    /// Seconds, by the first reading that says it.
    span: Option<f64>,
    /// By the numbers of the metrics: which there are, and which came together in the span.
    given: u16,
    summed: u16,
    totals: u16,
    values: [f64; Metric::ALL.len()],
}

impl Moment {
    fn at(text: &str) -> Self {
        Self {
            at: text.into(),
            span: None,
            given: 0,
            summed: 0,
            totals: 0,
            values: [0.0; Metric::ALL.len()],
        }
    }

    fn put(&mut self, reading: Reading) {
        let number = reading.metric as usize;
        let mark = 1 << number;
        self.given |= mark;
        let put = |into: &mut u16, is_one| *into = *into & !mark | u16::from(is_one) << number;
        put(&mut self.summed, reading.count == Count::Sum);
        put(&mut self.totals, reading.count == Count::Total);
        self.values[number] = reading.value;
        self.span = self.span.or(reading.span);
    }

    /// Turns counts since some start into rates since the last of each. A count that is less than
    /// the last one began anew and says nothing.
    fn difference(&mut self, at: i128, last: &mut [Option<(i128, f64)>]) {
        for metric in Metric::ALL {
            let (number, mark) = (metric as usize, 1 << metric as usize);
            if self.given & self.totals & mark == 0 {
                continue;
            }
            let value = self.values[number];
            let before = last[number].replace((at, value));
            let rate = before
                .filter(|(_, known)| *known <= value)
                .map(|(then, known)| (value - known) / ((at - then) as f64 / NANOS));
            match rate {
                Some(rate) => self.values[number] = rate,
                None => self.given &= !mark,
            }
        }
    }

    fn readings(&self) -> impl Iterator<Item = (Metric, Count, f64)> {
        let given = Metric::ALL.into_iter();
        given
            .filter(|metric| self.given & (1 << *metric as usize) != 0)
            .map(|metric| {
                let number = metric as usize;
                let is_sum = self.summed & (1 << number) != 0;
                let count = if is_sum { Count::Sum } else { Count::Mean };
                (metric, count, self.values[number])
            })
    }
}

/// All readings.
#[derive(Debug, Default)]
pub(super) struct Readings {
    /// In the order in which they appear, each with its moments by instant, in nanoseconds.
    devices: Vec<(String, BTreeMap<i128, Moment>)>,
    /// Where each of them is in that list.
    places: HashMap<String, usize>,
    /// Whether a time stands at the start of its span.
    from_begin: bool,
}

impl Readings {
    /// Of a source whose times stand at the start of their spans, as clouds write them.
    pub(super) fn from_begins() -> Self {
        Self {
            from_begin: true,
            ..Self::default()
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.devices.is_empty()
    }

    pub(super) fn put(&mut self, device: &str, at: (i128, &str), reading: Reading) {
        let known = self.places.get(device).copied();
        let index = known.unwrap_or_else(|| {
            let index = self.devices.len();
            self.devices.push((device.to_owned(), BTreeMap::new()));
            self.places.insert(device.to_owned(), index);
            index
        });
        let moments = &mut self.devices[index].1;
        let moment = moments.entry(at.0).or_insert_with(|| Moment::at(at.1));
        moment.put(reading);
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
        let (mut given, mut is_unsized, mut incomplete) = (0, false, 0_usize);
        for (device, moments) in self.devices {
            let mut given_here = 0;
            let mut lacking = Vec::new();
            let mut last = [None; Metric::ALL.len()];
            let mut samples = Vec::with_capacity(moments.len());
            let mut previous: Option<i128> = None;
            for (at, mut moment) in moments {
                moment.difference(at, &mut last);
                given_here |= moment.given;
                let since = previous.map(|before| (at - before) as f64 / NANOS);
                let own = since.filter(|_| !self.from_begin);
                let span = moment.span.or(own).or(usual).filter(|span| *span > 0.0);
                previous = Some(at);
                if moment.given == 0 {
                    continue;
                }
                match sample(&moment, span) {
                    Some(sample) => {
                        lacking.push(lacks_bytes(moment.given, &sample));
                        samples.push(sample);
                    }
                    None => dropped += 1,
                }
            }
            given |= given_here;
            let count = lacking.iter().filter(|lacks| **lacks).count();
            let is_never = samples.iter().any(|one| lacks_bytes(given_here, one));
            if is_never || count > 0 && count * 2 >= samples.len() {
                is_unsized = true;
            } else if count > 0 {
                let mut lacking = lacking.into_iter();
                samples.retain(|_| lacking.next() != Some(true));
                incomplete += count;
            }
            recording.devices.push(DeviceSeries { device, samples });
        }
        if dropped > 0 {
            recording.notes.push(format!(
                "{dropped} moments that count over a span of unknown length are left out"
            ));
        }
        if incomplete > 0 {
            recording.notes.push(format!(
                "{incomplete} moments that count requests and not their bytes are left out"
            ));
        }
        let requests = has(given, &[Metric::Reads, Metric::Writes, Metric::Transfers]);
        let bytes = has(given, &[Metric::ReadBytes, Metric::WrittenBytes]);
        recording.uncounted = match bytes {
            _ if is_unsized => Some(Uncounted::Bytes),
            true if !requests => Some(Uncounted::Requests),
            _ => None,
        };
        size(&mut recording, tool);
        recording
    }

    /// The distance that most moments have, seconds.
    fn usual_distance(&self) -> Option<f64> {
        let mut counts: BTreeMap<i128, usize> = BTreeMap::new();
        for (_, moments) in &self.devices {
            for (one, next) in moments.keys().zip(moments.keys().skip(1)) {
                *counts.entry(next - one).or_default() += 1;
            }
        }
        let most = counts.into_iter().max_by_key(|(_, count)| *count);
        most.map(|(distance, _)| distance as f64 / NANOS)
    }
}

/// Assumes the size of requests where only bytes are counted, and says what is not known.
fn size(recording: &mut Recording, tool: &str) {
    match recording.uncounted {
        Some(Uncounted::Requests) => {
            recording.sized(LARGE_REQUEST_BYTES);
            let note = format!(
                "{tool} counts bytes and no requests: each is taken to move 64 KiB until \
                 --block-size states it"
            );
            recording.notes.push(note);
        }
        Some(Uncounted::Bytes) => recording.notes.push(format!(
            "{tool} counts requests and no bytes here: state their size with --block-size"
        )),
        None => {}
    }
}

/// Whether any of the metrics was given.
fn has(given: u16, metrics: &[Metric]) -> bool {
    metrics.iter().any(|one| given & (1 << *one as usize) != 0)
}

/// Whether requests were counted and the bytes that they moved were not.
fn lacks_bytes(given: u16, sample: &Sample) -> bool {
    let lacks = |requests: Option<f64>, bytes: &[Metric]| {
        requests.is_some_and(|requests| requests > 0.0) && !has(given, bytes)
    };
    let both = [Metric::ReadBytes, Metric::WrittenBytes];
    lacks(sample.reads_per_second, &both[..1])
        || lacks(sample.writes_per_second, &both[1..])
        || lacks(Some(sample.ios_per_second), &both)
}

/// A moment whose readings are in; none where one counts over a span that is not known.
fn sample(moment: &Moment, span: Option<f64>) -> Option<Sample> {
    let mut sample = Sample {
        at: Some(Arc::clone(&moment.at)),
        length_ns: span.map(|span| (span * NANOS).round() as u64),
        ..Sample::default()
    };
    let mut seconds = (None, None);
    let mut transfers = None;
    for (metric, count, value) in moment.readings() {
        let rate = match count {
            Count::Mean | Count::Total => value,
            Count::Sum => value / span?,
        };
        match metric {
            Metric::Reads => sample.reads_per_second = Some(rate),
            Metric::Writes => sample.writes_per_second = Some(rate),
            Metric::Transfers => transfers = Some(rate),
            Metric::ReadBytes => sample.read_bytes_per_second = rate,
            Metric::WrittenBytes => sample.written_bytes_per_second = rate,
            Metric::ReadSeconds => seconds.0 = Some(rate),
            Metric::WriteSeconds => seconds.1 = Some(rate),
            Metric::ReadAwait => sample.read_await_ms = Some(value),
            Metric::WriteAwait => sample.write_await_ms = Some(value),
            Metric::Await => sample.await_ms = Some(value),
            Metric::QueueDepth => sample.queue_depth = Some(rate),
            Metric::Idle => sample.busy_percent = Some((100.0 - value).clamp(0.0, 100.0)),
            Metric::IdleSeconds => {
                sample.busy_percent = Some((100.0 * (1.0 - rate)).clamp(0.0, 100.0));
            }
            Metric::BusySeconds => {
                sample.busy_percent = Some((100.0 * rate).clamp(0.0, 100.0));
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
