//! fio's logs: a line for each request, or for each direction and window of time.
//!
//! The columns are those of fio 3.33: milliseconds since the start of the job, value, direction (0
//! read, 1 write, 2 trim), block size, offset if it is asked for, priority (whether it is one in
//! real time, or all of it), and if asked for the instant of issue, in nanoseconds and only of
//! latencies. In a window the value is a mean, a maximum or both one after another, and block size
//! and priority are 0. A histogram log has time, direction, block size and the counts of fio's
//! buckets.

use fathom_core::{Nanos, Op};
use fathom_tools::request_log::{LoggedRequest, RequestWriter};
use std::io::{self, Write};

/// What a log tells of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FioMeasure {
    /// KiB/s of a window; of one request, thousands of bytes per second of its latency.
    Bandwidth,
    /// Requests a second of a window; of one request, 1.
    Iops,
    /// Nanoseconds from submission to completion.
    Latency,
    /// Nanoseconds from the start of the preparation to submission.
    Submission,
    /// A value that does not exist: the log stays empty.
    Nothing,
    /// Nanoseconds from the start of the preparation to completion.
    Total,
    /// Counts of latencies in buckets, by window.
    Histogram {
        /// How often neighbouring buckets are joined in pairs.
        coarseness: u32,
    },
}

/// What stands for a window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FioWindowValue {
    /// The mean of a window.
    #[default]
    Mean,
    /// The largest value of a window.
    Largest,
    /// Both, in a column each.
    Both,
}

/// The form of one log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FioLogForm {
    /// What it tells.
    pub(super) measure: FioMeasure,
    /// Length of a window; zero for a line each request.
    pub(super) window: Nanos,
    /// Which latency of a window is reported.
    pub(super) value: FioWindowValue,
    /// Whether times count from 1970 on, and not from the start of the job.
    pub(super) epoch: bool,
    /// Whether there is a column of offsets.
    pub(super) offset: bool,
    /// Whether the priority is written in full.
    pub(super) priority: bool,
    /// Whether there is a column for the instant of issue.
    pub(super) issue: bool,
    /// Block sizes of reads, writes and trims, for histograms.
    pub(super) block_bytes: [u64; 3],
}

impl FioLogForm {
    /// The time of a request that the log tells.
    fn time_of(&self, request: &LoggedRequest) -> Nanos {
        match self.measure {
            FioMeasure::Submission => request.submission,
            FioMeasure::Total => request.submission.saturating_add(request.latency),
            _ => request.latency,
        }
    }

    const fn tells_rates(&self) -> bool {
        matches!(self.measure, FioMeasure::Bandwidth | FioMeasure::Iops)
    }

    /// When a request was issued, where that is written; fio does not of its whole time and of
    /// rates.
    fn issue_of(&self, request: &LoggedRequest) -> Nanos {
        match self.measure {
            FioMeasure::Latency | FioMeasure::Submission => {
                request.at.saturating_sub(request.latency)
            }
            _ => Nanos::ZERO,
        }
    }
}

/// A line of a log, in the order of its columns.
#[derive(Clone, Copy, Debug, Default)]
struct LogRow {
    milliseconds: u64,
    value: u64,
    largest: u64,
    direction: usize,
    bytes: u64,
    offset: u64,
    priority: u16,
    issue_ns: u64,
}

/// Whether the class of a priority, as the kernel numbers it, is the most urgent one.
const fn in_real_time(priority: u16) -> bool {
    priority >> 13 == 1
}

/// One direction in a window.
#[derive(Clone, Debug, Default)]
struct Sums {
    ios: u64,
    bytes: u64,
    latency_ns: u128,
    largest_ns: u64,
    buckets: Vec<u32>,
}

/// Writes one log of one thread; requests come in the order of their completion.
#[derive(Debug)]
pub(super) struct FioLogWriter {
    form: FioLogForm,
    window: u64,
    sums: [Sums; 3],
    last: Nanos,
    /// What times count from, where that is not the start of the job.
    origin: Nanos,
}

const OPS: [Op; 3] = [Op::Read, Op::Write, Op::Trim];

/// fio's buckets: 29 groups of 64.
const BUCKETS: usize = 29 * 64;

impl FioLogWriter {
    /// An empty log.
    pub(super) fn new(form: FioLogForm) -> Self {
        Self {
            form,
            window: 0,
            sums: Default::default(),
            last: Nanos::ZERO,
            origin: Nanos::ZERO,
        }
    }

    /// As the log has it.
    const fn milliseconds(&self, at: Nanos) -> u64 {
        self.origin.saturating_add(at).0 / 1_000_000
    }

    fn line(
        &self,
        out: &mut dyn Write,
        request: LoggedRequest,
        direction: usize,
    ) -> io::Result<()> {
        let latency = request.latency.0;
        let value = match self.form.measure {
            FioMeasure::Bandwidth => u64::from(request.bytes) * 1_000_000 / latency.max(1),
            FioMeasure::Iops => 1,
            _ => self.form.time_of(&request).0,
        };
        let line = LogRow {
            milliseconds: self.milliseconds(request.at),
            value,
            largest: 0,
            direction,
            bytes: u64::from(request.bytes),
            offset: request.offset,
            priority: request.priority,
            issue_ns: self.form.issue_of(&request).0,
        };
        self.columns(out, line)
    }

    fn columns(&self, out: &mut dyn Write, line: LogRow) -> io::Result<()> {
        write!(out, "{}, {}", line.milliseconds, line.value)?;
        if self.form.value == FioWindowValue::Both {
            write!(out, ", {}", line.largest)?;
        }
        write!(out, ", {}, {}", line.direction, line.bytes)?;
        if self.form.offset {
            write!(out, ", {}", line.offset)?;
        }
        if self.form.priority {
            write!(out, ", 0x{:04x}", line.priority)?;
        } else {
            out.write_all(if in_real_time(line.priority) {
                b", 1"
            } else {
                b", 0"
            })?;
        }
        if self.form.issue {
            write!(out, ", {}", line.issue_ns)?;
        }
        out.write_all(b"\n")
    }

    /// Writes the window that ends at `end`, and empties it.
    fn close(&mut self, end: Nanos, out: &mut dyn Write) -> io::Result<()> {
        let sums = std::mem::take(&mut self.sums);
        let milliseconds = self.milliseconds(end);
        for (direction, sums) in sums.iter().enumerate().filter(|(_, sums)| sums.ios > 0) {
            let per_second = |amount: u64| {
                let window = u128::from(self.form.window.0);
                (u128::from(amount) * 1_000_000_000 / window) as u64
            };
            let rate = |rate: u64| (rate, rate);
            let (value, largest) = match self.form.measure {
                FioMeasure::Bandwidth => rate(per_second(sums.bytes) / 1024),
                FioMeasure::Iops => rate(per_second(sums.ios)),
                FioMeasure::Histogram { coarseness } => {
                    self.histogram(out, milliseconds, direction, &sums.buckets, coarseness)?;
                    continue;
                }
                _ if self.form.value == FioWindowValue::Largest => (sums.largest_ns, 0),
                _ => {
                    let mean = sums.latency_ns / u128::from(sums.ios);
                    (mean as u64, sums.largest_ns)
                }
            };
            let line = LogRow {
                milliseconds,
                value,
                largest,
                direction,
                ..LogRow::default()
            };
            self.columns(out, line)?;
        }
        Ok(())
    }

    fn histogram(
        &self,
        out: &mut dyn Write,
        milliseconds: u64,
        direction: usize,
        buckets: &[u32],
        coarseness: u32,
    ) -> io::Result<()> {
        let bytes = self.form.block_bytes[direction];
        write!(out, "{milliseconds}, {direction}, {bytes}")?;
        for joined in buckets.chunks(1 << coarseness.min(6)) {
            write!(out, ", {}", joined.iter().sum::<u32>())?;
        }
        out.write_all(b"\n")
    }
}

impl RequestWriter for FioLogWriter {
    fn begin(&mut self, instant: Nanos) {
        if self.form.epoch {
            self.origin = instant;
        }
    }

    /// Windows that ended before it are written first.
    fn add(&mut self, request: LoggedRequest, out: &mut dyn Write) -> io::Result<()> {
        let Some(direction) = OPS.iter().position(|op| *op == request.op) else {
            return Ok(());
        };
        let measure = self.form.measure;
        if measure == FioMeasure::Nothing {
            return Ok(());
        }
        if self.form.window == Nanos::ZERO {
            if matches!(measure, FioMeasure::Histogram { .. }) {
                return Ok(());
            }
            return self.line(out, request, direction);
        }
        self.last = request.at;
        let window = request.at.0 / self.form.window.0;
        if window > self.window {
            self.close(Nanos((self.window + 1) * self.form.window.0), out)?;
            self.window = window;
        }
        let sums = &mut self.sums[direction];
        sums.ios += 1;
        sums.bytes += u64::from(request.bytes);
        let told = self.form.time_of(&request).0;
        sums.latency_ns += u128::from(told);
        sums.largest_ns = sums.largest_ns.max(told);
        if matches!(measure, FioMeasure::Histogram { .. }) {
            sums.buckets.resize(BUCKETS, 0);
            sums.buckets[bucket(request.latency.0)] += 1;
        }
        Ok(())
    }

    /// Writes a window of rates that has ended by then, also where no request came after it.
    fn over(&mut self, at: Nanos, out: &mut dyn Write) -> io::Result<()> {
        let window = self.form.window.0;
        let end = Nanos((self.window + 1).saturating_mul(window));
        if window == 0 || !self.form.tells_rates() || end > at {
            return Ok(());
        }
        self.window += 1;
        self.close(end, out)
    }

    /// Of a window that is not over, fio tells latencies, neither rates nor
    /// histograms.
    fn finish(&mut self, _: &[String], out: &mut dyn Write) -> io::Result<()> {
        let is_histogram = matches!(self.form.measure, FioMeasure::Histogram { .. });
        if self.form.window == Nanos::ZERO || self.form.tells_rates() || is_histogram {
            return Ok(());
        }
        self.close(self.last, out)
    }
}

/// fio's bucket of a latency: exact below 128, then 64 for each power of two.
fn bucket(latency_ns: u64) -> usize {
    let magnitude = (latency_ns | 1).ilog2();
    if magnitude <= 6 {
        return latency_ns as usize;
    }
    let dropped = magnitude - 6;
    let base = ((dropped + 1) as usize) << 6;
    (base + (latency_ns >> dropped & 63) as usize).min(BUCKETS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(measure: FioMeasure, window_ms: u64) -> FioLogForm {
        FioLogForm {
            measure,
            window: Nanos::from_millis(window_ms),
            value: FioWindowValue::Mean,
            epoch: false,
            offset: false,
            priority: false,
            issue: false,
            block_bytes: [4096; 3],
        }
    }

    fn request(at_us: u64, latency_ns: u64, op: Op) -> LoggedRequest {
        LoggedRequest {
            at: Nanos::from_micros(at_us),
            submission: Nanos(500),
            latency: Nanos(latency_ns),
            offset: 61_440,
            bytes: 4096,
            target: 0,
            op,
            priority: 0,
        }
    }

    fn log(form: FioLogForm, requests: &[LoggedRequest]) -> String {
        let mut writer = FioLogWriter::new(form);
        let mut out = Vec::new();
        for request in requests {
            writer.add(*request, &mut out).unwrap();
        }
        writer.finish(&[], &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// The values are those that fio 3.33 wrote for these latencies.
    #[test]
    fn each_request_is_a_line() {
        let requests = [
            request(120, 12_028, Op::Read),
            request(2_500, 60, Op::Write),
            request(2_600, 500, Op::Flush),
        ];
        let each = |measure| {
            let form = FioLogForm {
                offset: true,
                ..form(measure, 0)
            };
            log(form, &requests)
        };
        assert_eq!(
            each(FioMeasure::Bandwidth),
            "0, 340538, 0, 4096, 61440, 0\n2, 68266666, 1, 4096, 61440, 0\n"
        );
        assert_eq!(
            each(FioMeasure::Latency),
            "0, 12028, 0, 4096, 61440, 0\n2, 60, 1, 4096, 61440, 0\n"
        );
        assert_eq!(
            each(FioMeasure::Iops),
            "0, 1, 0, 4096, 61440, 0\n2, 1, 1, 4096, 61440, 0\n"
        );
        assert_eq!(
            each(FioMeasure::Submission),
            "0, 500, 0, 4096, 61440, 0\n2, 500, 1, 4096, 61440, 0\n"
        );
        assert_eq!(
            each(FioMeasure::Total),
            "0, 12528, 0, 4096, 61440, 0\n2, 560, 1, 4096, 61440, 0\n"
        );
    }

    /// As fio 3.33 wrote of cmdprio_percentage=50 over prioclass=2 and prio=3.
    #[test]
    fn priorities_are_told_in_full_or_as_real_time() {
        let requests = [0x4003, 0x2000, 0x6000, 0].map(|priority| LoggedRequest {
            priority,
            ..request(120, 60, Op::Read)
        });
        let of = |window_ms, priority| {
            let form = FioLogForm {
                priority,
                ..form(FioMeasure::Iops, window_ms)
            };
            log(form, &requests)
        };
        let line = |priority| format!("0, 1, 0, 4096, {priority}\n");
        assert_eq!(
            of(0, true),
            ["0x4003", "0x2000", "0x6000", "0x0000"].map(line).concat()
        );
        assert_eq!(of(0, false), ["0", "1", "0", "0"].map(line).concat());
        let latency = |priority| {
            let form = FioLogForm {
                priority,
                ..form(FioMeasure::Latency, 1)
            };
            log(form, &requests)
        };
        assert_eq!(latency(true), "0, 60, 0, 0, 0x0000\n");
        assert_eq!(latency(false), "0, 60, 0, 0, 0\n");
    }

    #[test]
    fn times_can_count_from_elsewhere() {
        let mut writer = FioLogWriter::new(FioLogForm {
            epoch: true,
            ..form(FioMeasure::Iops, 0)
        });
        writer.begin(Nanos::from_micros(1_700_000_000_999_500));
        let mut out = Vec::new();
        writer.add(request(500, 60, Op::Read), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "1700000001000, 1, 0, 4096, 0\n");
    }

    #[test]
    fn windows_are_means_and_only_latencies_end_early() {
        let requests: Vec<_> = (0..11)
            .map(|index| request(index * 100_000, 1_000 * (index + 1), Op::Read))
            .chain([request(1_010_000, 9_000, Op::Write)])
            .collect();
        let by = |measure| log(form(measure, 500), &requests);
        assert_eq!(
            by(FioMeasure::Iops),
            "500, 10, 0, 0, 0\n1000, 10, 0, 0, 0\n"
        );
        assert_eq!(
            by(FioMeasure::Bandwidth),
            "500, 40, 0, 0, 0\n1000, 40, 0, 0, 0\n"
        );
        assert_eq!(
            by(FioMeasure::Latency),
            "500, 3000, 0, 0, 0\n1000, 8000, 0, 0, 0\n1010, 11000, 0, 0, 0\n1010, 9000, 1, 0, 0\n"
        );
        let largest = FioLogForm {
            value: FioWindowValue::Largest,
            ..form(FioMeasure::Latency, 1000)
        };
        assert_eq!(
            log(largest, &requests),
            "1000, 10000, 0, 0, 0\n1010, 11000, 0, 0, 0\n1010, 9000, 1, 0, 0\n"
        );
    }

    /// fio tells it if its clock is not late.
    #[test]
    fn a_window_of_rates_that_ends_with_the_job_is_told() {
        let until = |measure, end_ms| {
            let mut writer = FioLogWriter::new(form(measure, 500));
            let mut out = Vec::new();
            let first = writer.add(request(700_000, 1_000, Op::Read), &mut out);
            let over = first.and_then(|()| writer.over(Nanos::from_millis(end_ms), &mut out));
            let finished = over.and_then(|()| writer.finish(&[], &mut out));
            finished.map(|()| String::from_utf8(out).unwrap()).unwrap()
        };
        assert_eq!(until(FioMeasure::Iops, 1000), "1000, 2, 0, 0, 0\n");
        assert_eq!(until(FioMeasure::Bandwidth, 1000), "1000, 8, 0, 0, 0\n");
        assert_eq!(until(FioMeasure::Iops, 999), "");
        assert_eq!(until(FioMeasure::Latency, 1000), "700, 1000, 0, 0, 0\n");
    }

    #[test]
    fn a_window_can_tell_its_mean_and_its_largest() {
        let requests: Vec<_> = (0..11)
            .map(|index| request(index * 100_000, 1_000 * (index + 1), Op::Read))
            .collect();
        let by = |measure| {
            let both = FioLogForm {
                value: FioWindowValue::Both,
                issue: true,
                offset: true,
                ..form(measure, 1000)
            };
            log(both, &requests)
        };
        assert_eq!(
            by(FioMeasure::Latency),
            "1000, 5500, 10000, 0, 0, 0, 0, 0\n1000, 11000, 11000, 0, 0, 0, 0, 0\n"
        );
        assert_eq!(by(FioMeasure::Iops), "1000, 10, 10, 0, 0, 0, 0, 0\n");
    }

    #[test]
    fn the_instant_of_issue_is_told_of_latencies() {
        let each = |measure| {
            let form = FioLogForm {
                issue: true,
                ..form(measure, 0)
            };
            log(form, &[request(120, 20_000, Op::Read)])
        };
        assert_eq!(each(FioMeasure::Latency), "0, 20000, 0, 4096, 0, 100000\n");
        assert_eq!(each(FioMeasure::Submission), "0, 500, 0, 4096, 0, 100000\n");
        assert_eq!(each(FioMeasure::Total), "0, 20500, 0, 4096, 0, 0\n");
        assert_eq!(each(FioMeasure::Iops), "0, 1, 0, 4096, 0, 0\n");
    }

    #[test]
    fn buckets_are_those_of_fio() {
        let places = [0, 127, 128, 129, 130, 255, 256, 1 << 40];
        assert_eq!(places.map(bucket), [0, 127, 128, 128, 129, 191, 192, 1855]);
        let measure = FioMeasure::Histogram { coarseness: 6 };
        // The second window is not over when the job ends.
        let requests = [1, 1_000_001].map(|at_us| request(at_us, 130, Op::Read));
        let counts = log(form(measure, 1000), &requests);
        let expected = format!("1000, 0, 4096, 0, 0, 1{}\n", ", 0".repeat(26));
        assert_eq!(counts, expected);
    }
}
