//! A trace as a recording of what its devices did second by second, as monitors make them.

use crate::file::{CaptureError, Source};
use crate::request::Request;
use fathom_core::Op;
use fathom_core::recording::{Recording, Sample};

/// Length of an interval at first, nanoseconds.
const INTERVAL_NS: u64 = 1_000_000_000;
/// Intervals at most; a longer trace has intervals of twice the length, and so on.
const MOST_INTERVALS: usize = 1 << 16;

/// What one device did in one interval.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    reads: u64,
    writes: u64,
    discards: u64,
    flushes: u64,
    read_bytes: u64,
    written_bytes: u64,
    /// Reads and writes with a service time, and these times.
    served: [u64; 2],
    service_ns: [u64; 2],
}

/// Reads a trace to its end. Requests count in the interval of their start; awaits are service
/// times. An unfinished interval at the end is left out, unless it is the only one.
///
/// # Errors
///
/// [`CaptureError`]
pub fn recording(source: &mut dyn Source) -> Result<Recording, CaptureError> {
    let mut devices: Vec<Vec<Slot>> = Vec::new();
    let (mut interval_ns, mut last_ns) = (INTERVAL_NS, 0);
    while let Some(chunk) = source.next_chunk()? {
        for request in &chunk {
            last_ns = last_ns.max(request.at_ns);
            let mut index = request.at_ns / interval_ns;
            while index >= MOST_INTERVALS as u64 {
                devices.iter_mut().for_each(halve);
                interval_ns = interval_ns.saturating_mul(2);
                index = request.at_ns / interval_ns;
            }
            let (device, index) = (usize::from(request.device), index as usize);
            if devices.len() <= device {
                devices.resize_with(device + 1, Vec::new);
            }
            if devices[device].len() <= index {
                devices[device].resize(index + 1, Slot::default());
            }
            devices[device][index].add(request);
        }
    }
    let tail = source.tail().map_or(0, |tail| tail.length_ns);
    let length_ns = last_ns.max(tail).max(1);
    let whole = length_ns / interval_ns;
    let span_ns = if whole == 0 { length_ns } else { interval_ns };
    let mut recording = Recording {
        tool: source.head().made_by.clone(),
        notes: source.remarks(),
        ..Recording::default()
    };
    for (number, mut slots) in devices.into_iter().enumerate() {
        let Some(device) = source.head().devices.get(number) else {
            continue;
        };
        slots.resize(whole.max(1) as usize, Slot::default());
        let samples = slots.iter().map(|slot| slot.sample(span_ns));
        recording.device(&device.name).samples.extend(samples);
    }
    Ok(recording)
}

/// Joins every two intervals.
fn halve(slots: &mut Vec<Slot>) {
    *slots = slots.chunks(2).map(joined).collect();
}

fn joined(pair: &[Slot]) -> Slot {
    pair.iter().fold(Slot::default(), |sum, slot| Slot {
        reads: sum.reads + slot.reads,
        writes: sum.writes + slot.writes,
        discards: sum.discards + slot.discards,
        flushes: sum.flushes + slot.flushes,
        read_bytes: sum.read_bytes.saturating_add(slot.read_bytes),
        written_bytes: sum.written_bytes.saturating_add(slot.written_bytes),
        served: [0, 1].map(|side| sum.served[side] + slot.served[side]),
        service_ns: [0, 1].map(|side| sum.service_ns[side].saturating_add(slot.service_ns[side])),
    })
}

impl Slot {
    fn add(&mut self, request: &Request) {
        let side = match request.flags.op() {
            Some(Op::Read) => {
                self.reads += 1;
                self.read_bytes = self.read_bytes.saturating_add(request.bytes);
                0
            }
            Some(Op::Write) => {
                self.writes += 1;
                self.written_bytes = self.written_bytes.saturating_add(request.bytes);
                1
            }
            Some(Op::Trim) => return self.discards += 1,
            Some(Op::Flush) => return self.flushes += 1,
            _ => return,
        };
        if let Some(service_ns) = request.service_ns {
            self.served[side] += 1;
            self.service_ns[side] = self.service_ns[side].saturating_add(service_ns);
        }
    }

    fn sample(&self, span_ns: u64) -> Sample {
        let seconds = span_ns as f64 / 1e9;
        let rate = |count: u64| count as f64 / seconds;
        let mean =
            |count: u64, sum_ns: u64| (count > 0).then(|| sum_ns as f64 / 1e6 / count as f64);
        let of = |side: usize| mean(self.served[side], self.service_ns[side]);
        let service_ns = self.service_ns[0].saturating_add(self.service_ns[1]);
        let served = self.served[0] + self.served[1];
        Sample {
            length_ns: Some(span_ns),
            ios_per_second: rate(self.reads + self.writes),
            reads_per_second: Some(rate(self.reads)),
            writes_per_second: Some(rate(self.writes)),
            read_bytes_per_second: rate(self.read_bytes),
            written_bytes_per_second: rate(self.written_bytes),
            await_ms: mean(served, service_ns),
            read_await_ms: of(0),
            write_await_ms: of(1),
            queue_depth: (served > 0).then(|| service_ns as f64 / span_ns as f64),
            discards_per_second: Some(rate(self.discards)),
            flushes_per_second: Some(rate(self.flushes)),
            ..Sample::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorded::Recorded;
    use fathom_core::Nanos;
    use fathom_core::trace::{Trace, TraceRequest};

    fn recorded(seconds: &[u64]) -> Recording {
        let request = |at: &u64| TraceRequest::new(Nanos::from_secs(*at), Op::Read, 0, 4096);
        let trace = Trace {
            files: vec!["sda".into()],
            requests: seconds.iter().map(request).collect(),
            left_out: 0,
        };
        recording(&mut Recorded::new(trace, "log")).expect("memory")
    }

    #[test]
    fn requests_count_in_their_second() {
        let found = recorded(&[0, 0, 1, 3, 3, 3, 4]);
        let rates: Vec<f64> = found.devices[0]
            .samples
            .iter()
            .map(|sample| sample.ios_per_second)
            .collect();
        assert_eq!(
            (found.tool.as_str(), rates),
            ("log", vec![2.0, 1.0, 0.0, 3.0])
        );
        assert_eq!(recorded(&[0]).devices[0].samples.len(), 1);
    }

    #[test]
    fn long_traces_have_long_intervals() {
        let found = recorded(&[0, 1, 2, 100_000, 1_000_000]);
        let samples = &found.devices[0].samples;
        let first = (samples[0].length_ns, samples[0].ios_per_second);
        assert_eq!(
            (samples.len(), first),
            (62_500, (Some(16_000_000_000), 3.0 / 16.0))
        );
    }
}
