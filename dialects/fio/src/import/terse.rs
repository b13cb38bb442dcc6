//! fio's terse lines, versions 2 to 5: a line for each row.
//!
//! All other lines are passed over, as fio prints notes and errors of its own between them. A line
//! holds no count of requests, which is that of its rate and its time, and no options.

use super::rows;
use super::shape::{Direction, Job, Latency, OptionMap};
use crate::terse::{DEVICE, Figure, MIXED, Moment, Sample, TersePlace, Time, places};
use crate::{TerseVersion, Unified};
use fathom_core::Nanos;
use fathom_core::result::ResultField;
use fathom_core::spec::validate::check_jobs;
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::plain_job;
use fathom_tools::results::draft::Draft;
use fathom_tools::results::format::{Import, ResultFile};
use fathom_tools::results::place::{self, Wrong};
use std::ops::Range;
use std::str::FromStr;

const NANOSECONDS: u64 = 1000;
const KIB: u64 = 1024;

/// No rate and no time in a line is as much: in other units it is still a number.
const LARGEST: f64 = 1e18;

/// fio's own interval of samples without `bwavgtime`.
const SAMPLE: Nanos = Nanos::from_millis(500);

/// What a line begins with that is one of them.
const BEGINS: [(TerseVersion, &str); 4] = [
    (TerseVersion::V2, "2;"),
    (TerseVersion::V3, "3;fio-"),
    (TerseVersion::V4, "4;fio-"),
    (TerseVersion::V5, "5;fio-"),
];

/// How sure it is that a text has terse lines.
pub(crate) fn detect(_file: &str, text: &str) -> u8 {
    if text.lines().any(|line| begin(line).is_some()) {
        85
    } else {
        0
    }
}

fn begin(line: &str) -> Option<TerseVersion> {
    let mut known = BEGINS.iter();
    let (version, _) = known.find(|(_, begin)| line.starts_with(begin))?;
    // A line of version 2 names no program: it is known by its length.
    let is_whole = || line.split(';').count() >= places(TerseVersion::V2, Unified::None).len();
    (*version != TerseVersion::V2 || is_whole()).then_some(*version)
}

/// What a line says of the whole run.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Head {
    /// Version of fio.
    fio: String,
    form: TerseVersion,
    /// Where the line stands.
    span: Range<usize>,
}

/// All lines of a file.
#[derive(Default)]
struct TerseLines {
    heads: Vec<Head>,
    /// As many.
    jobs: Vec<Job>,
}

/// Reads all lines of a file; those of a run that were appended to those of another are a result
/// of their own.
pub(crate) fn parse(files: &[ResultFile<'_>]) -> Result<Vec<Import>, Vec<Diagnostic>> {
    let mut imports = Vec::new();
    for file in files {
        let lines = lines(file).map_err(|error| vec![error.told()])?;
        let runs = lines.runs();
        if let Some(violation) = runs.iter().find_map(|run| check_jobs(run.len())) {
            let wrong = place::line_of(file, 0, &violation.message, &violation.remedy);
            return Err(vec![wrong.told()]);
        }
        let runs = runs.into_iter();
        imports.extend(runs.map(|run| import(file, &lines.heads[run.clone()], &lines.jobs[run])));
    }
    Ok(imports)
}

fn lines(file: &ResultFile<'_>) -> Result<TerseLines, Wrong> {
    let mut lines = TerseLines::default();
    let mut at = 0;
    for line in file.text.split_inclusive('\n') {
        if let Some(form) = begin(line) {
            let text = line.trim_end();
            let (fio, job) = row(file, at, text, form)?;
            let span = at..at + text.len();
            lines.heads.push(Head { fio, form, span });
            lines.jobs.push(job);
        }
        at += line.len();
    }
    if lines.jobs.is_empty() {
        let remedy = "the output of fio --output-format=terse, version 2, 3, 4 or 5";
        return Err(place::line_of(
            file,
            0,
            "there is no terse line in it",
            remedy,
        ));
    }
    Ok(lines)
}

impl TerseLines {
    /// Which of them are of one run: the numbers of its groups do not go back, and it has one
    /// version.
    fn runs(&self) -> Vec<Range<usize>> {
        let is_other = |index: usize| {
            let (one, next) = (&self.heads[index - 1], &self.heads[index]);
            let goes_back = self.jobs[index].groupid < self.jobs[index - 1].groupid;
            goes_back || next.fio != one.fio || next.form != one.form
        };
        let begins = (1..self.heads.len()).filter(|index| is_other(*index));
        let ends = begins.clone().chain([self.heads.len()]);
        let begins = std::iter::once(0).chain(begins);
        begins.zip(ends).map(|(from, to)| from..to).collect()
    }
}

/// What one line says: the version of fio, and a row.
fn row(
    file: &ResultFile<'_>,
    at: usize,
    line: &str,
    form: TerseVersion,
) -> Result<(String, Job), Wrong> {
    let cells: Vec<&str> = line.split(';').collect();
    let index = match filled(&cells, form, Unified::None) {
        Ok(row) => return Ok(row),
        Err(index) => index,
    };
    if let Ok((fio, job)) = filled(&cells, form, Unified::Both) {
        // The sum says nothing that its parts do not.
        return Ok((fio, Job { mixed: None, ..job }));
    }
    Err(if filled(&cells, form, Unified::Mixed).is_ok() {
        place::line_of(
            file,
            at,
            "reads and writes are in one sum (`mixed`)",
            "a run without unified_rw_reporting",
        )
    } else {
        wrong(file, at, &cells, form, index)
    })
}

/// What is wrong in the place of this number.
fn wrong(
    file: &ResultFile<'_>,
    at: usize,
    cells: &[&str],
    form: TerseVersion,
    index: usize,
) -> Wrong {
    let remedy = "a line as fio 3 writes it, whole";
    let number = form.number();
    let all = places(form, Unified::None).len();
    let Some(cell) = cells.get(index) else {
        let message = format!("the line has {index} places, and one of version {number} has {all}");
        return place::line_of(file, at, &message, remedy);
    };
    let place = index + 1;
    let message = format!("`{cell}` is invalid in column {place} of {all}");
    place::error(file, span(at, cells, index), message, remedy)
}

fn span(at: usize, cells: &[&str], index: usize) -> Range<usize> {
    let before: usize = cells[..index].iter().map(|cell| cell.len() + 1).sum();
    at + before..at + before + cells[index].len()
}

/// A row of the cells of a line; or the number of the first that does not fit.
fn filled(cells: &[&str], form: TerseVersion, unified: Unified) -> Result<(String, Job), usize> {
    let places = places(form, unified);
    let mut fio = "fio".to_owned();
    let mut job = Job::default();
    for (index, place) in places.iter().enumerate() {
        let cell = *cells.get(index).ok_or(index)?;
        if *place == TersePlace::Fio {
            cell.clone_into(&mut fio);
        } else {
            fill(&mut job, *place, cell).ok_or(index)?;
        }
    }
    rest(&mut job, &cells[places.len()..]);
    for direction in [&mut job.read, &mut job.write, &mut job.trim] {
        direction.iter_mut().for_each(count);
    }
    Ok((fio, job))
}

/// What stands after the latencies: devices, errors where they were counted, a description.
fn rest(job: &mut Job, mut cells: &[&str]) {
    while let Some((device, after)) = cells.split_at_checked(DEVICE) {
        if percent(device[DEVICE - 1]).is_none() {
            break;
        }
        cells = after;
    }
    if let [total, first, ..] = cells
        && let (Ok(total), Ok(first)) = (total.parse(), first.parse())
    {
        job.total_err = total;
        job.first_error = first;
    }
}

fn fill(job: &mut Job, place: TersePlace, cell: &str) -> Option<()> {
    match place {
        TersePlace::Version | TersePlace::Fio => {}
        TersePlace::Job => cell.clone_into(&mut job.jobname),
        TersePlace::Group => job.groupid = whole(cell)?,
        TersePlace::Error => job.error = whole(cell)?,
        TersePlace::Of(name, figure) => {
            let direction = match name {
                "read" => &mut job.read,
                "write" => &mut job.write,
                "trim" => &mut job.trim,
                MIXED => &mut job.mixed,
                _ => return None,
            };
            self::figure(direction.get_or_insert_default(), figure, cell)?;
        }
        // Of the processor's time it is not said how many threads it is a share of.
        TersePlace::Switches | TersePlace::MajorFaults | TersePlace::MinorFaults => {
            return whole::<u64>(cell).map(|_| ());
        }
        TersePlace::UserPercent
        | TersePlace::SystemPercent
        | TersePlace::Depth(_)
        | TersePlace::Share(..) => {
            return percent(cell).map(|_| ());
        }
    }
    Some(())
}

fn figure(direction: &mut Direction, figure: Figure, cell: &str) -> Option<()> {
    match figure {
        Figure::Kib => direction.io_bytes = whole::<u64>(cell)?.saturating_mul(KIB),
        Figure::KibPerSecond => direction.bw_bytes = fraction(cell)? * KIB as f64,
        Figure::Iops => direction.iops = fraction(cell)?,
        Figure::RuntimeMs => direction.runtime = whole(cell)?,
        Figure::Time(Time::Completion, moment) => time(&mut direction.clat_ns, moment, cell)?,
        Figure::Time(Time::Submission | Time::Total, _) => return fraction(cell).map(|_| ()),
        Figure::Percentile(_) => {
            let (percent, value) = cell.split_once("%=")?;
            let value = whole::<u64>(value)?.saturating_mul(NANOSECONDS);
            // A place that nobody asked for has 0.
            if fraction(percent)? > 0.0 {
                let all = &mut direction.clat_ns.percentile;
                all.insert(percent.to_owned(), value);
            }
        }
        Figure::GroupPercent => return percent(cell).map(|_| ()),
        Figure::Bandwidth(Sample::Count) => direction.bw_samples = whole(cell)?,
        Figure::Bandwidth(Sample::Of(moment)) => {
            *match moment {
                Moment::Min => &mut direction.bw_min,
                Moment::Max => &mut direction.bw_max,
                Moment::Mean => &mut direction.bw_mean,
                Moment::Deviation => &mut direction.bw_dev,
            } = fraction(cell)?;
        }
        Figure::IopsBy(Sample::Count) => direction.iops_samples = whole(cell)?,
        Figure::IopsBy(Sample::Of(moment)) => {
            *match moment {
                Moment::Min => &mut direction.iops_min,
                Moment::Max => &mut direction.iops_max,
                Moment::Mean => &mut direction.iops_mean,
                Moment::Deviation => &mut direction.iops_stddev,
            } = fraction(cell)?;
        }
    }
    Some(())
}

fn time(latency: &mut Latency, moment: Moment, cell: &str) -> Option<()> {
    match moment {
        Moment::Min => latency.min = whole::<u64>(cell)?.saturating_mul(NANOSECONDS),
        Moment::Max => latency.max = whole::<u64>(cell)?.saturating_mul(NANOSECONDS),
        Moment::Mean => latency.mean = fraction(cell)? * NANOSECONDS as f64,
        Moment::Deviation => latency.stddev = fraction(cell)? * NANOSECONDS as f64,
    }
    Some(())
}

fn whole<T: FromStr>(cell: &str) -> Option<T> {
    cell.parse().ok()
}

fn fraction(cell: &str) -> Option<f64> {
    let number = cell.parse().ok()?;
    (0.0..LARGEST).contains(&number).then_some(number)
}

fn percent(cell: &str) -> Option<f64> {
    fraction(cell.strip_suffix('%')?)
}

/// The requests of a direction: rate by time, at least one where anything was moved.
fn count(direction: &mut Direction) {
    let by_rate = direction.iops * direction.runtime as f64 / 1000.0;
    let least = u64::from(direction.io_bytes > 0);
    direction.total_ios = (by_rate.round() as u64).max(least);
}

fn import(file: &ResultFile<'_>, heads: &[Head], jobs: &[Job]) -> Import {
    let tool = heads.first().map(|head| head.fio.clone());
    let from = heads.first().map_or(0, |head| head.span.start);
    let to = heads.last().map_or(0, |head| head.span.end);
    let mut draft = Draft::new(tool.unwrap_or_default(), "fio-terse", file.name);
    draft.interval = SAMPLE;
    draft.unknown([
        ResultField::LoadModel,
        ResultField::Process,
        ResultField::QueueDepth,
        ResultField::Short,
        ResultField::StartNs,
        ResultField::TargetsKind,
        ResultField::Threads,
        ResultField::WarmUpNs,
        ResultField::Workers,
        ResultField::Workload,
    ]);
    let mut notes = vec![
        "a terse line has no count of requests: it is that of their rate and time, which are whole \
         numbers"
            .to_owned(),
    ];
    for group in rows::groups(jobs) {
        let (phase, specs) = rows::phase(group, &OptionMap::new(), &mut draft, &mut notes);
        let spec = plain_job::phase(phase.name.clone(), specs);
        draft.phase(phase, spec);
    }
    let result = draft.finish([file.name, &file.text[from..to]].into_iter());
    Import { result, notes }
}
