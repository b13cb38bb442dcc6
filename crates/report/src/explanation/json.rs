//! For programs.

use crate::json_text::json_text;
use fathom_explain::against::{Contrast, Difference};
use fathom_explain::evidence::{Disk, Evidence, Latency, Side};
use fathom_explain::explanation::Explanation;
use fathom_explain::finding::Finding;
use serde::Serialize;

/// The answer of `fathom explain`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExplanationDocument<'a> {
    /// `fathom-explanation`.
    schema: &'static str,
    /// Version of the document; raised where a field loses its meaning.
    version: u32,
    /// The answer in one sentence.
    headline: &'a str,
    /// What is wrong or limits the numbers, the worst first.
    findings: Vec<FindingDocument<'a>>,
    /// How to read the numbers.
    notes: Vec<FindingDocument<'a>>,
    /// The class of devices that gives such numbers.
    how_good: Vec<Good<'a>>,
    /// What the application of `--for` requires.
    requirements: Vec<Requirement<'a>>,
    /// What the text shows of each result.
    results: Vec<Shown<'a>>,
    /// Formats that were recognised, in the order of the results.
    recognised: Vec<Recognised<'a>>,
    /// Lines that are neither empty nor part of a result.
    ignored_lines: usize,
    /// Names of the texts.
    sources: &'a [String],
    /// Why the text differs from the one of `--against`.
    against: Option<Against<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct FindingDocument<'a> {
    /// Stable code of the finding.
    code: &'static str,
    /// How certain the finding is, in words.
    certainty: &'static str,
    /// `elsewhere`, `other-load`, `limit` or `reading`.
    effect: &'static str,
    /// Whether the measurement is wrong.
    fault: bool,
    /// The finding in a few words.
    headline: &'a str,
    /// The numbers, and the lines that show them.
    sentence: &'a str,
    /// What to do.
    remedy: &'a str,
    /// The commands that decide it.
    decide: Commands<&'a str>,
    /// Lines of the text that show it, from 1.
    lines: &'a [usize],
    /// Results that it applies to, from 0.
    results: &'a [usize],
}

/// The same experiment in the words of two programs.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Commands<T> {
    /// For the tool that was used.
    tool: T,
    /// For Fathom.
    fathom: T,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Good<'a> {
    /// Number of the result, from 0.
    result: usize,
    sentence: &'a str,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Requirement<'a> {
    /// Number of the result, from 0.
    result: usize,
    /// Null if the text does not show it.
    met: Option<bool>,
    sentence: &'a str,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Recognised<'a> {
    format: &'a str,
    /// The first and the last line, from 1.
    lines: (usize, usize),
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Shown<'a> {
    tool: &'static str,
    format: &'static str,
    /// Empty if not shown.
    tool_version: &'a str,
    /// Name of the job or test; empty if it has none.
    title: &'a str,
    /// The first and the last line, from 1.
    lines: (usize, usize),
    /// The measurement in words.
    measured: &'a str,
    /// What was requested, as far as the text shows it.
    load: Load<'a>,
    /// Reads, writes and both.
    sides: Vec<Flow<'a>>,
    /// Times of flushes, nanoseconds.
    flush_ns: Option<Times<'a>>,
    /// Queue depths, each with the percentage of requests that were submitted at it.
    depth_levels: &'a [(f64, f64)],
    /// Percentage of one CPU per job in user mode, and in the kernel.
    cpu_percent: Option<(f64, f64)>,
    context_switches: Option<f64>,
    /// Measured time, seconds.
    runtime_s: Option<f64>,
    /// Counters of devices.
    devices: Vec<Device<'a>>,
    /// Whether the text ends in the middle of it.
    is_cut: bool,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Load<'a> {
    /// Whether the page cache is bypassed.
    direct: Option<bool>,
    /// Size of a request, bytes.
    block_bytes: Option<f64>,
    /// Whether offsets are random.
    random: Option<bool>,
    /// Percentage of the requests that are reads.
    read_percent: Option<f64>,
    /// Outstanding requests per job.
    queue_depth: Option<f64>,
    /// Threads, processes or clients.
    jobs: Option<f64>,
    /// Empty if not shown.
    engine: &'a str,
    /// Size of the file or of the area used, bytes.
    size_bytes: Option<f64>,
    /// Empty if not shown.
    target: &'a str,
    /// Writes between two flushes; 1 for synchronous writes.
    flush_every: Option<f64>,
    /// Whether the time includes a flush at the end.
    flush_at_end: Option<bool>,
    /// Whether the tool limits the rate.
    is_rate_limited: bool,
    /// Warm-up that is not in the numbers, seconds.
    warm_up_s: Option<f64>,
    /// The words of the command line, if the text has it.
    command: &'a [String],
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Flow<'a> {
    /// `reads`, `writes` or `requests`.
    direction: &'static str,
    /// Number of requests.
    requests: Option<f64>,
    /// Requests per second.
    iops: Option<f64>,
    bytes_per_second: Option<f64>,
    /// From submission to completion, nanoseconds.
    latency_ns: Option<Times<'a>>,
    /// Time of submission, nanoseconds.
    submission_ns: Option<Times<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Times<'a> {
    min: Option<f64>,
    mean: Option<f64>,
    max: Option<f64>,
    /// Standard deviation.
    deviation: Option<f64>,
    /// Percentiles, each with its time, the lowest first.
    percentiles: &'a [(f64, f64)],
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Device<'a> {
    name: &'a str,
    /// Read requests that the device served.
    reads: f64,
    /// Write requests that the device served.
    writes: f64,
    /// Percentage of the time with a request in flight.
    util_percent: Option<f64>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Against<'a> {
    /// The two measurements in words.
    measured: &'a [String; 2],
    /// The differences, by their effect.
    differences: Vec<Differs<'a>>,
    /// What both texts show and is equal.
    equal: &'a [&'static str],
    /// What at most one of the texts shows.
    not_shown: &'a [&'static str],
    /// The experiment that decides: two commands that differ in one thing.
    decide: Commands<Option<&'a [String; 2]>>,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Differs<'a> {
    /// Stable code of the difference.
    code: &'static str,
    first: &'a str,
    second: &'a str,
    /// `can explain it`, `explains a part`, `cannot explain it` or `not measured`.
    explains: &'static str,
    /// What it does to the number.
    effect: &'static str,
}

pub(super) fn render(explanation: &Explanation) -> String {
    let answer = &explanation.answer;
    let reading = &explanation.reading;
    let recognised = reading.recognised.iter();
    let good = answer.good.iter();
    let held = answer.held.iter();
    let document = ExplanationDocument {
        schema: "fathom-explanation",
        version: 1,
        headline: &answer.headline,
        findings: answer.findings.iter().map(finding).collect(),
        notes: answer.notes.iter().map(finding).collect(),
        how_good: good
            .map(|(result, sentence)| Good {
                result: *result,
                sentence,
            })
            .collect(),
        requirements: held
            .map(|(result, held)| Requirement {
                result: *result,
                met: held.is_met,
                sentence: &held.sentence,
            })
            .collect(),
        results: reading
            .evidence
            .iter()
            .zip(&answer.measured)
            .map(result)
            .collect(),
        recognised: recognised
            .map(|(format, lines)| Recognised {
                format,
                lines: *lines,
            })
            .collect(),
        ignored_lines: reading.ignored,
        sources: &explanation.sources,
        against: explanation.contrast.as_ref().map(contrast),
    };
    // Sorted by name.
    json_text(&serde_json::to_value(&document).expect("all keys are strings"))
}

fn contrast(contrast: &Contrast) -> Against<'_> {
    Against {
        measured: &contrast.measured,
        differences: contrast.differences.iter().map(difference).collect(),
        equal: &contrast.equal,
        not_shown: &contrast.unknown,
        decide: Commands {
            tool: contrast.experiment.as_ref(),
            fathom: contrast.fathom.as_ref(),
        },
    }
}

fn difference(difference: &Difference) -> Differs<'_> {
    Differs {
        code: difference.code,
        first: &difference.first,
        second: &difference.second,
        explains: difference.explains.word(),
        effect: difference.effect,
    }
}

fn finding(finding: &Finding) -> FindingDocument<'_> {
    FindingDocument {
        code: finding.code,
        certainty: finding.certainty.word(),
        effect: finding.effect.word(),
        fault: finding.effect.is_fault(),
        headline: &finding.headline,
        sentence: &finding.sentence,
        remedy: &finding.remedy,
        decide: Commands {
            tool: &finding.decide,
            fathom: &finding.fathom,
        },
        lines: &finding.lines,
        results: &finding.results,
    }
}

fn result<'a>((evidence, measured): (&'a Evidence, &'a String)) -> Shown<'a> {
    let load = &evidence.load;
    Shown {
        tool: evidence.tool,
        format: evidence.format,
        tool_version: &evidence.version,
        title: &evidence.title,
        lines: evidence.lines,
        measured,
        load: Load {
            direct: load.direct,
            block_bytes: load.block,
            random: load.random,
            read_percent: load.read_percent,
            queue_depth: load.depth,
            jobs: load.jobs,
            engine: &load.engine,
            size_bytes: load.size,
            target: &load.target,
            flush_every: load.flush_every,
            flush_at_end: load.flush_at_end,
            is_rate_limited: load.is_limited,
            warm_up_s: load.warm_up_s,
            command: &load.command,
        },
        sides: evidence.sides.iter().map(side).collect(),
        flush_ns: evidence.flush.as_ref().map(latency),
        depth_levels: &evidence.depths,
        cpu_percent: evidence.cpu,
        context_switches: evidence.switches,
        runtime_s: evidence.runtime_s,
        devices: evidence.disks.iter().map(device).collect(),
        is_cut: evidence.is_cut,
    }
}

fn side(side: &Side) -> Flow<'_> {
    Flow {
        direction: side.direction.noun(),
        requests: side.requests,
        iops: side.iops,
        bytes_per_second: side.rate,
        latency_ns: side.latency.as_ref().map(latency),
        submission_ns: side.submission.as_ref().map(latency),
    }
}

fn latency(latency: &Latency) -> Times<'_> {
    Times {
        min: latency.min,
        mean: latency.mean,
        max: latency.max,
        deviation: latency.deviation,
        percentiles: &latency.percentiles,
    }
}

fn device(disk: &Disk) -> Device<'_> {
    Device {
        name: &disk.name,
        reads: disk.requests.0,
        writes: disk.requests.1,
        util_percent: disk.util,
    }
}
