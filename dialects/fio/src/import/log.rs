//! The logs of fio: one file for each job and quantity, together by the name that they begin with.
//!
//! A log has a line for each request, or with `log_avg_msec` one for each span of time and
//! direction; then its block size is 0. Latency is that of the `clat` log; only where there is
//! none, that of `lat`, which counts submission too.

mod line;
mod series;
mod timeline;

use fathom_core::result::{PhaseResult, ResultField};
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::plain_job;
use fathom_tools::results::draft::{self, Draft};
use fathom_tools::results::format::{Import, ResultFile};
use fathom_tools::results::instant;
use line::Entry;
use std::collections::BTreeMap;
use timeline::Timeline;

/// What a log holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Quantity {
    Completion,
    Total,
    Iops,
    Bandwidth,
    Submission,
}

/// Begins of epochs are later than any length of a run: 1 January 2001 in milliseconds.
const EPOCH_MS: u64 = 978_307_200_000;

const NAMES: [(&str, Quantity); 5] = [
    ("_clat", Quantity::Completion),
    ("_slat", Quantity::Submission),
    ("_lat", Quantity::Total),
    ("_iops", Quantity::Iops),
    ("_bw", Quantity::Bandwidth),
];

/// The parts of a log's name: what the files of a run begin with, the number of the job, what it
/// holds.
fn parts(file: &str) -> Option<(&str, u32, Quantity)> {
    let name = file.strip_suffix(".log")?;
    let (name, number) = match name.rsplit_once('.') {
        Some((name, digits))
            if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) =>
        {
            (name, digits.parse().ok()?)
        }
        _ => (name, 1),
    };
    NAMES
        .iter()
        .find_map(|(end, quantity)| Some((name.strip_suffix(end)?, number, *quantity)))
}

/// How sure it is that a file is such a log.
pub(crate) fn detect(file: &str, text: &str) -> u8 {
    let first = text.lines().next().unwrap_or_default();
    let is_table = first.split(',').count() >= 4 && line::is_log(first);
    match parts(file) {
        Some(_) if is_table || text.is_empty() => 80,
        Some(_) => 40,
        None => 0,
    }
}

/// What the logs of one run have in common.
pub(crate) fn set(file: &str) -> String {
    parts(file).map_or(file, |(prefix, ..)| prefix).to_owned()
}

/// The logs of a job.
type Logs = BTreeMap<Quantity, Vec<Entry>>;

/// Reads the logs of a run as one result.
pub(crate) fn parse(files: &[ResultFile<'_>]) -> Result<Vec<Import>, Vec<Diagnostic>> {
    let mut jobs: BTreeMap<u32, Logs> = BTreeMap::new();
    let mut notes = Vec::new();
    let mut errors = Vec::new();
    for file in files {
        let (_, number, quantity) =
            parts(file.name).unwrap_or((file.name, 1, Quantity::Completion));
        if quantity == Quantity::Submission {
            notes.push(format!(
                "{}: a result has no place for submission times",
                file.name
            ));
            continue;
        }
        match line::read(file) {
            Ok(entries) => {
                let logs = jobs.entry(number).or_default();
                logs.entry(quantity).or_default().extend(entries);
            }
            Err(error) => errors.push(error.told()),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let Some(first) = files.first() else {
        return Ok(Vec::new());
    };
    let mut draft = Draft::new("fio".to_owned(), "fio-log", &set(first.name));
    // The name has no ending that could be taken off.
    let name = set(first.name);
    name.rsplit('/')
        .next()
        .unwrap_or_default()
        .clone_into(&mut draft.name);
    draft.unknown([
        ResultField::Failed,
        ResultField::Host,
        ResultField::LoadModel,
        ResultField::Process,
        ResultField::QueueDepth,
        ResultField::Short,
        ResultField::StartNs,
        ResultField::Threads,
        ResultField::WarmUpNs,
        ResultField::Workers,
        ResultField::Workload,
    ]);
    from_begin(&mut jobs, &mut draft);
    let mut timeline = Timeline::of(&jobs);
    draft.interval = timeline.interval();
    let mut phase = PhaseResult::empty(&draft.name);
    let mut specs = Vec::new();
    for (index, (number, logs)) in jobs.iter().enumerate() {
        let spec = draft::unknown_load(&format!("job {number}"));
        let mut job = draft::job(&spec);
        let found = series::job(index as u32, logs, &mut timeline, &mut job, &mut draft);
        notes.extend(
            found
                .into_iter()
                .map(|note| format!("job {number}: {note}")),
        );
        phase.measured_ns = phase.measured_ns.max(job.active_ns);
        phase.jobs.push(job);
        specs.push(spec);
    }
    phase.intervals = timeline.finish();
    let spec = plain_job::phase(phase.name.clone(), specs);
    draft.phase(phase, spec);
    let content = files.iter().flat_map(|file| [file.name, file.text]);
    let result = draft.finish(content);
    Ok(vec![Import { result, notes }])
}

/// Times of the clock (`log_unix_epoch`) become times since the first of them.
fn from_begin(jobs: &mut BTreeMap<u32, Logs>, draft: &mut Draft) {
    let times = jobs.values().flat_map(BTreeMap::values).flatten();
    let first = times.map(|entry| entry.time_ms).min().unwrap_or(0);
    if first < EPOCH_MS {
        return;
    }
    draft.started_ns = instant::of_milliseconds(first);
    let entries = jobs.values_mut().flat_map(BTreeMap::values_mut).flatten();
    entries.for_each(|entry| entry.time_ms -= first);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_run_job_and_quantity() {
        let cases = [
            ("/x/mix_bw.2.log", Some(("/x/mix", 2, Quantity::Bandwidth))),
            ("a_b_clat.log", Some(("a_b", 1, Quantity::Completion))),
            ("a.b_lat.11.log", Some(("a.b", 11, Quantity::Total))),
            ("a_slat.1.log", Some(("a", 1, Quantity::Submission))),
            ("a.log", None),
            ("a_bw.1.txt", None),
        ];
        for (file, expected) in cases {
            assert_eq!(parts(file), expected, "{file}");
        }
    }
}
