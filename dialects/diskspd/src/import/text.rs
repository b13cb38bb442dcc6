//! DISKSPD's text report, in the layouts of 2.0 to 2.2.
//!
//! Counts, bytes, rates and means are those of the `total:` lines of the read and write tables,
//! percentiles those of the chart over all targets. The load is that of the input parameters, or of
//! the command line, whichever the report repeats.

mod chart;
mod input;
mod table;

use super::load;
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::dialects::Nowhere;

use crate::profile::TimeSpan;
use fathom_core::Op;
use fathom_core::result::{OpResult, PhaseResult, ResultField};
use fathom_tools::results::draft::{self, Draft};
use fathom_tools::results::format::{Import, ResultFile};
use fathom_tools::results::place::Wrong;
use fathom_tools::results::{instant, place};

const FORMAT: &str = "diskspd-text";
const REMEDY: &str = "the whole text that diskspd has written";
const COMMAND_LINE: &str = "Command Line:";
const INPUT: &str = "Input parameters:";
const SPAN: &str = "Results for timespan ";

/// How sure it is that a text is such a report.
pub(crate) fn detect(_file: &str, text: &str) -> u8 {
    let has = |start: &str| {
        text.lines()
            .any(|line| line.trim_start().starts_with(start))
    };
    match (has(COMMAND_LINE), has(SPAN)) {
        (true, true) => 85,
        (false, true) => 60,
        (true, false) if has(INPUT) => 50,
        _ => 0,
    }
}

/// Reads the report in each file.
pub(crate) fn parse(files: &[ResultFile<'_>]) -> Result<Vec<Import>, Vec<Diagnostic>> {
    super::each(files, reports, import)
}

/// The reports of a file that they were appended to, each with the lines before it: after results
/// a new one begins with a command line, or with what was asked for where there is none.
fn reports(text: &str) -> Vec<(usize, &str)> {
    let mut reports = Vec::new();
    let (mut begin, mut skipped) = (0, 0);
    let mut has_results = false;
    for (number, line) in lines(text).into_iter().enumerate() {
        let words = line.text.trim_start();
        let is_begin = words.starts_with(COMMAND_LINE) || words.starts_with(INPUT);
        if is_begin && has_results {
            reports.push((skipped, &text[begin..line.at]));
            (begin, skipped, has_results) = (line.at, number, false);
        }
        has_results |= line.text.starts_with(SPAN);
    }
    reports.push((skipped, &text[begin..]));
    reports
}

/// A line and where it begins.
#[derive(Clone, Copy, Debug)]
struct TextLine<'a> {
    at: usize,
    text: &'a str,
}

fn lines(text: &str) -> Vec<TextLine<'_>> {
    let mut at = 0;
    let pieces = text.split_inclusive('\n');
    let lines = pieces.map(|piece| {
        let line = TextLine {
            at,
            text: piece.trim_end(),
        };
        at += piece.len();
        line
    });
    lines.collect()
}

fn import(file: &ResultFile<'_>) -> Result<Import, Wrong> {
    let lines = lines(file.text);
    let starts: Vec<usize> = (0..lines.len())
        .filter(|index| lines[*index].text.starts_with(SPAN))
        .collect();
    let Some(first) = starts.first() else {
        let message = "there are no results in it, only what was asked for";
        return Err(place::line_of(file, 0, message, REMEDY));
    };
    let mut notes = Vec::new();
    let mut draft = Draft::new("DISKSPD".to_owned(), FORMAT, file.name);
    draft.unknown([
        ResultField::Process,
        ResultField::StartNs,
        ResultField::TargetsKind,
        ResultField::Failed,
        ResultField::Short,
        ResultField::Workers,
    ]);
    let mut spans = input::spans(&lines[..*first]);
    for line in &lines[..*first] {
        let text = line.text.trim();
        if let Some(words) = text.strip_prefix(COMMAND_LINE) {
            draft.command_line = words.split_whitespace().map(str::to_owned).collect();
        } else if let Some(name) = text.strip_prefix("computer name:") {
            name.trim().clone_into(&mut draft.host_name);
        } else if let Some(start) = text.strip_prefix("start time:") {
            draft.started_ns = instant::of_diskspd(start);
        }
    }
    if spans.is_empty() {
        let input = crate::read(&draft.command_line, &Nowhere);
        spans = input.map(|input| input.profile.spans).unwrap_or_default();
    }
    if spans.is_empty() {
        notes.push(
            "neither input parameters nor a command line can be read, so the load is not known"
                .to_owned(),
        );
    }
    if let Some(bucket) = spans.first().and_then(|span| span.iops_bucket_ms) {
        draft.interval = fathom_core::Nanos::from_millis(bucket.into());
    }
    for (index, start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(lines.len());
        let asked = spans.get(index);
        let spec = load::phase(index + 1, asked, &mut draft);
        let mut phase = PhaseResult::empty(&spec.name);
        phase.warm_up_ns = spec.warm_up.0;
        phase.cool_down_ns = spec.cool_down.0;
        phase.jobs = vec![draft::job(&spec.jobs[0])];
        Span {
            file,
            lines: &lines[*start..end],
        }
        .read(asked, &mut phase, &mut draft)?;
        draft.phase(phase, spec);
    }
    let result = draft.finish([file.name, file.text].into_iter());
    Ok(Import { result, notes })
}

/// The lines of one time span.
struct Span<'a> {
    file: &'a ResultFile<'a>,
    lines: &'a [TextLine<'a>],
}

impl Span<'_> {
    fn error(&self, line: TextLine<'_>, message: &str) -> Wrong {
        place::line_of(self.file, line.at, message, REMEDY)
    }

    /// What stands behind a label, and its line.
    fn after(&self, label: &str) -> Option<(&str, TextLine<'_>)> {
        let mut lines = self.lines.iter();
        lines.find_map(|line| Some((line.text.strip_prefix(label)?.trim(), *line)))
    }

    fn read(
        &self,
        asked: Option<&TimeSpan>,
        phase: &mut PhaseResult,
        draft: &mut Draft,
    ) -> Result<(), Wrong> {
        let head = self.lines[0];
        let Some((words, line)) = self.after("actual test time:") else {
            return Err(self.error(head, "there is no `actual test time:` below this line"));
        };
        let seconds: Option<f64> = words.strip_suffix('s').and_then(|words| words.parse().ok());
        let seconds = seconds.filter(|seconds| seconds.is_finite() && *seconds >= 0.0);
        let seconds = seconds.ok_or_else(|| self.error(line, "this is not a time in seconds"))?;
        phase.measured_ns = (seconds * 1e9).round() as u64;
        if let Some((words, line)) = self.after("thread count:") {
            let threads = words
                .parse()
                .map_err(|_| self.error(line, "this is not a number"))?;
            phase.jobs[0].threads = threads;
        }
        phase.process.processors = self.processors()?;
        let mut read = self.operation("Read IO")?;
        let mut write = self.operation("Write IO")?;
        for (column, found) in [(chart::READ, &mut read), (chart::WRITE, &mut write)] {
            self.chart(column, &mut found.service_ns)?;
            buckets(found, asked, phase.measured_ns, draft);
        }
        let mut total = self.operation("Total IO")?.service_ns;
        self.chart(chart::TOTAL, &mut total)?;
        let workers = self.workers()?;
        let job = &mut phase.jobs[0];
        job.workers = workers;
        job.total_service_ns = (!total.percentiles.is_empty()).then_some(total);
        job.active_ns = phase.measured_ns;
        job.completed = read.ios.saturating_add(write.ios);
        job.ops[Op::Read] = (read.ios > 0).then_some(read);
        job.ops[Op::Write] = (write.ios > 0).then_some(write);
        Ok(())
    }
}

/// Counts the buckets that the deviation is over; which were the smallest and the largest, only
/// the XML says.
fn buckets(op: &mut OpResult, asked: Option<&TimeSpan>, measured_ns: u64, draft: &mut Draft) {
    let spread = &mut op.iops_by_interval;
    let Some(length) = asked.and_then(|asked| asked.iops_bucket_ms) else {
        *spread = fathom_core::summary::Spread::default();
        return;
    };
    spread.count = measured_ns.div_ceil(u64::from(length).max(1) * 1_000_000);
    spread.mean = op.iops;
    draft.unknown([
        ResultField::IopsByIntervalMin,
        ResultField::IopsByIntervalMax,
    ]);
}
