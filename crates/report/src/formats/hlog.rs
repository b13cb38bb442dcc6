//! HdrHistogram's interval log, which its own viewers and HistogramLogProcessor read.
//!
//! The compressed histograms of the result are what the log holds, so they are copied and lose
//! nothing. A tag names phase, repeat, job, operation and time, since one log holds them all.

use fathom_core::result::{EncodedHistogram, IntervalOp, PhaseResult, RunResult};
use fathom_core::summary::LatencySummary;
use jiff::Timestamp;

/// The log's maxima are in milliseconds by convention, its histograms in nanoseconds.
const MAX_DIVISOR: f64 = 1e6;

pub(crate) fn render(result: &RunResult) -> String {
    let began = result.provenance.started_at.parse::<Timestamp>();
    let began_ms = began.map_or(0, Timestamp::as_millisecond);
    let began_s = began_ms as f64 / 1e3;
    let mut log = format!(
        "#[Logged with fathom {}]\n#run {} is {}; histograms are in nanoseconds, Interval_Max in \
         milliseconds\n",
        result.provenance.version,
        result.run_id,
        result.state.word()
    );
    log += "#[Histogram log format version 1.3]\n";
    log += &format!("#[StartTime: {began_s:.3} (seconds since epoch)]\n");
    log += &format!("#[BaseTime: {began_s:.3} (seconds since epoch)]\n");
    log += "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\
            \"Interval_Compressed_Histogram\"\n";
    for phase in &result.phases {
        self::phase(result, phase, &mut log);
    }
    log
}

fn phase(result: &RunResult, phase: &PhaseResult, log: &mut String) {
    // Starts of intervals count from the start of the phase, with its warm-up.
    let began_ns = phase.start_ns.saturating_sub(phase.warm_up_ns);
    let step = phase.histogram_intervals.max(1) as usize;
    for group in phase.intervals.chunks(step) {
        let start_s = (began_ns + group[0].start_ns) as f64 / 1e9;
        let length_ns: u64 = group.iter().map(|interval| interval.length_ns).sum();
        for job in &group[0].jobs {
            let name = phase.jobs.get(job.job as usize);
            let name = name.map_or("", |job| job.name.as_str());
            for (op, first) in job.ops.present() {
                let ops = group.iter().flat_map(|interval| &interval.jobs);
                let ops: Vec<_> = ops
                    .filter(|other| other.job == job.job)
                    .filter_map(|other| other.ops.get(op))
                    .collect();
                for (time, histogram, max_ns) in times(first, &ops) {
                    let place = place(result, phase, name);
                    *log += &format!(
                        "Tag={}.{}.{time},{start_s:.3},{:.3},{:.3},{}\n",
                        tag(&place),
                        op.name(),
                        length_ns as f64 / 1e9,
                        max_ns as f64 / MAX_DIVISOR,
                        histogram.0
                    );
                }
            }
        }
    }
}

/// The histograms that begin with an interval, and the longest time of all they span.
fn times<'a>(
    first: &'a IntervalOp,
    ops: &[&IntervalOp],
) -> Vec<(&'static str, &'a EncodedHistogram, u64)> {
    let longest = |time: fn(&IntervalOp) -> Option<&LatencySummary>| {
        let all = ops.iter().filter_map(|op| time(op));
        all.map(|summary| summary.max).max().unwrap_or(0)
    };
    let service = first.service_histogram.iter().map(move |histogram| {
        let max_ns = longest(|op| Some(&op.service_ns));
        ("service", histogram, max_ns)
    });
    let response = first.response_histogram.iter().map(move |histogram| {
        let max_ns = longest(|op| op.response_ns.as_ref());
        ("response", histogram, max_ns)
    });
    service.chain(response).collect()
}

fn place(result: &RunResult, phase: &PhaseResult, job: &str) -> String {
    let repeated = result.phases.iter().any(|other| other.repeat > 1);
    if repeated {
        format!("{}.{}.{job}", phase.name, phase.repeat)
    } else {
        format!("{}.{job}", phase.name)
    }
}

/// A tag cannot hold what separates fields and lines.
fn tag(text: &str) -> String {
    text.replace([',', ' ', '\n', '\r', '\t'], "_")
}
