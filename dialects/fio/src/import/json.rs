//! The JSON of fio 3, with or without the bins of its histograms.
//!
//! fio prints notes and errors of its own before and between documents; all text outside of them
//! is passed over.

mod shape;

use super::rows;
use super::shape::Job;
use fathom_core::result::ResultField;
use fathom_core::spec::validate::check_jobs;
use fathom_core::{Caveat, Level, Nanos};
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::plain_job;
use fathom_tools::results::draft::Draft;
use fathom_tools::results::format::{Import, ResultFile};
use fathom_tools::results::place::Wrong;
use fathom_tools::results::{instant, place};
use fathom_verdict::Code;
use shape::Document;

const KEY: &str = "\"fio version\"";
const BINS: &str = "\"bins\"";

/// fio's own interval of samples without `bwavgtime` and `iopsavgtime`.
const SAMPLE: Nanos = Nanos::from_millis(500);

/// How sure it is that a text is fio's JSON.
pub(crate) fn detect(_file: &str, text: &str) -> u8 {
    if text.contains(KEY) { 90 } else { 0 }
}

/// How sure it is that it has bins.
pub(crate) fn detect_bins(_file: &str, text: &str) -> u8 {
    if text.contains(KEY) && text.contains(BINS) {
        95
    } else {
        0
    }
}

/// Reads all documents of a file.
pub(crate) fn parse(files: &[ResultFile<'_>]) -> Result<Vec<Import>, Vec<Diagnostic>> {
    let mut imports = Vec::new();
    for file in files {
        for (document, text) in documents(file).map_err(|error| vec![error.told()])? {
            let (at, text) = (text.0, &file.text[text.0..text.1]);
            let import = import(file, at, text, document).map_err(|error| vec![error.told()])?;
            imports.push(import);
        }
    }
    Ok(imports)
}

/// A document, and from where to where it goes.
type Placed = (Document, (usize, usize));

/// The documents in a text, each of which begins at the start of a line.
fn documents(file: &ResultFile<'_>) -> Result<Vec<Placed>, Wrong> {
    let text = file.text;
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = begin(text, from) {
        let mut stream = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Document>();
        match stream.next() {
            Some(Ok(document)) => {
                from = at + stream.byte_offset();
                found.push((document, (at, from)));
            }
            Some(Err(error)) => {
                let place = place::byte_at(text, at, error.line(), error.column());
                let words = error.to_string();
                let message = words.split(" at line ").next().unwrap_or_default();
                let message = format!("not the JSON of fio: {message}");
                let remedy = if error.is_data() {
                    "a document of fio 3 as it was written"
                } else {
                    "remove what is not JSON from inside of the document, or run fio with \
                     --output=FILE"
                };
                return Err(place::line_of(
                    file,
                    place.saturating_sub(1),
                    &message,
                    remedy,
                ));
            }
            None => break,
        }
    }
    if found.is_empty() {
        let remedy = "the output of fio --output-format=json, whole";
        return Err(place::line_of(file, 0, "there is no JSON in it", remedy));
    }
    Ok(found)
}

/// The next brace at the start of a line.
fn begin(text: &str, from: usize) -> Option<usize> {
    let rest = &text[from..];
    if rest.starts_with('{') && (from == 0 || text[..from].ends_with('\n')) {
        return Some(from);
    }
    rest.find("\n{").map(|at| from + at + 1)
}

fn import(
    file: &ResultFile<'_>,
    at: usize,
    text: &str,
    document: Document,
) -> Result<Import, Wrong> {
    let fail = |message: &str, remedy: &str| {
        let at = at + text.find(KEY).unwrap_or(0);
        place::line_of(file, at, message, remedy)
    };
    if is_old(&document.version) {
        return Err(fail(
            "fio before version 3 counts in other units",
            "the output of fio 3 or later",
        ));
    }
    let format = if text.contains(BINS) {
        "fio-json+"
    } else {
        "fio-json"
    };
    let mut draft = Draft::new(document.version.clone(), format, file.name);
    draft.interval = SAMPLE;
    draft.unknown([
        ResultField::StartNs,
        ResultField::TargetsKind,
        ResultField::Workers,
    ]);
    draft
        .caveats
        .extend(document.fathom.as_ref().and_then(of_source));
    let global = document.global_options;
    let jobs = document.jobs.or(document.client_stats);
    let Some(jobs) = jobs else {
        return Err(fail(
            "there are no jobs in it",
            "the output of a run, not of --parse-only",
        ));
    };
    // The sum over all machines of a client would count everything twice.
    let jobs: Vec<Job> = jobs
        .into_iter()
        .filter(|job| job.jobname != "All clients" && !job.is_phantom())
        .collect();
    if let Some(violation) = check_jobs(jobs.len()) {
        return Err(fail(&violation.message, &violation.remedy));
    }
    if jobs.iter().any(Job::is_mixed) {
        return Err(fail(
            "reads and writes are in one sum (`mixed`)",
            "a run without unified_rw_reporting, or with unified_rw_reporting=both",
        ));
    }
    draft.started_ns = started(document.timestamp_ms, document.timestamp, &jobs);
    if jobs.iter().any(|job| job.options.is_none()) {
        draft.unknown([
            ResultField::Threads,
            ResultField::QueueDepth,
            ResultField::LoadModel,
            ResultField::Workload,
        ]);
    }
    let mut notes = Vec::new();
    for group in rows::groups(&jobs) {
        let (phase, specs) = rows::phase(group, &global, &mut draft, &mut notes);
        let spec = plain_job::phase(phase.name.clone(), specs);
        draft.phase(phase, spec);
    }
    let result = draft.finish([file.name, text].into_iter());
    Ok(Import { result, notes })
}

fn is_old(version: &str) -> bool {
    let digits = version.strip_prefix("fio-").unwrap_or(version);
    let major = digits
        .split(['.', '-'])
        .next()
        .and_then(|major| major.parse().ok());
    major.is_some_and(|major: u32| major < 3)
}

/// What Fathom itself said of a result that it has written in fio's form.
fn of_source(source: &shape::Fathom) -> Option<Caveat> {
    let level = match source.state.as_str() {
        "QUALIFIED" => Level::Qualified,
        "SUSPECT" => Level::Suspect,
        "INVALID" => Level::Invalid,
        _ => return None,
    };
    let reasons = source.caveats.iter();
    let reasons: Vec<String> = reasons
        .map(|caveat| format!("{} [{}]", caveat.message, caveat.code))
        .collect();
    let message = format!(
        "the source itself was {}: {}",
        source.state,
        reasons.join("; ")
    );
    Some(
        Code::SourceState
            .caveat(level, message)
            .remedy("fix the cause, and measure again"),
    )
}

/// The start of the first job where fio states it; else the end less the longest time at work,
/// which fio gives in whole seconds.
fn started(end_ms: Option<u64>, end_s: Option<u64>, jobs: &[Job]) -> Option<u64> {
    let begins = jobs
        .iter()
        .filter_map(|job| job.job_start)
        .filter(|start| *start > 0);
    if let Some(first) = begins.min() {
        return instant::of_milliseconds(first);
    }
    let end = end_ms.or(end_s.map(|seconds| seconds.saturating_mul(1000)))?;
    let elapsed = jobs.iter().map(|job| job.elapsed).max()?;
    instant::of_milliseconds(end.checked_sub(elapsed.saturating_mul(1000))?)
}
