//! The table that Iometer writes, as a result: a phase for each block, a job for each worker, or,
//! where the table has none, for each manager or for all.
//!
//! Columns are found by their names, so tables of 2006 and of 1.1.0 are read alike. What else the
//! table has (transactions, connections, packets, latency bins) is left out.

mod row;
mod spec;

use super::steps::Step;
use fathom_core::result::{JobResult, PhaseResult, ProcessorUse, ResultField};
use fathom_core::spec::{Job, Phase};
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::results::draft::{self, Draft};
use fathom_tools::results::format::{Import, ResultFile};
use fathom_tools::results::instant;
use fathom_tools::results::place::{self, Wrong};
use row::{Columns, Row};
use spec::Specs;
use std::collections::HashMap;

const FORMAT: &str = "iometer-csv";
const REMEDY: &str = "the whole file of results that Iometer has written";
/// Begin of the line above the rows.
const HEAD: &str = "'Target Type,Target Name,";
/// Line above an instant.
const STAMP: &str = "'Time Stamp";

/// How sure it is that a text is such a table.
pub(super) fn detect(_file: &str, text: &str) -> u8 {
    let has = |start: &str| text.lines().any(|line| line.starts_with(start));
    match (has("'Test Type,"), has(HEAD)) {
        (true, true) => 95,
        (false, true) => 80,
        _ => 0,
    }
}

/// Reads the results in each file.
pub(super) fn parse(files: &[ResultFile<'_>]) -> Result<Vec<Import>, Vec<Diagnostic>> {
    let mut imports = Vec::new();
    for file in files {
        imports.push(import(file).map_err(|error| vec![error.told()])?);
    }
    Ok(imports)
}

/// A line and where it begins.
#[derive(Clone, Copy, Debug)]
struct CsvLine<'a> {
    at: usize,
    text: &'a str,
}

fn lines(text: &str) -> impl Iterator<Item = CsvLine<'_>> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |piece| {
        let line = CsvLine {
            at,
            text: piece.trim_end(),
        };
        at += piece.len();
        line
    })
}

fn import(file: &ResultFile<'_>) -> Result<Import, Wrong> {
    let mut draft = Draft::new("Iometer".to_owned(), FORMAT, file.name);
    draft.unknown([
        ResultField::Process,
        ResultField::LoadModel,
        ResultField::ServiceNsMin,
        ResultField::ServiceNsStddev,
        ResultField::Short,
        ResultField::StartNs,
        ResultField::TargetsKind,
        ResultField::WarmUpNs,
        ResultField::Workers,
    ]);
    let mut reader = Reader {
        file,
        specs: Specs::default(),
        block: None,
        draft,
        steps: Vec::new(),
        has_zone: false,
    };
    let mut lines = lines(file.text).peekable();
    while let Some(line) = lines.next() {
        if line.text.starts_with(HEAD) {
            reader.close()?;
            reader.block = Some(Block::new(Columns::of(line.text)));
        } else if line.text == STAMP {
            reader.close()?;
            let next = lines.peek().map_or("", |line| line.text);
            reader.stamp(next);
        } else if let Some(block) = &mut reader.block
            && !line.text.is_empty()
        {
            block.add(line);
        } else {
            reader.specs.line(line.text);
        }
    }
    reader.close()?;
    reader.finish()
}

/// The rows of one step.
struct Block<'a> {
    columns: Columns<'a>,
    rows: Vec<CsvLine<'a>>,
}

impl<'a> Block<'a> {
    const fn new(columns: Columns<'a>) -> Self {
        Self {
            columns,
            rows: Vec::new(),
        }
    }

    fn add(&mut self, line: CsvLine<'a>) {
        self.rows.push(line);
    }
}

struct Reader<'a> {
    file: &'a ResultFile<'a>,
    specs: Specs,
    block: Option<Block<'a>>,
    draft: Draft,
    /// The blocks so far, each with what may be cycled.
    steps: Vec<(PhaseResult, Phase, Step)>,
    has_zone: bool,
}

/// What tells the blocks of one specification from each other: whatever differs between them.
fn told_apart(steps: &[(PhaseResult, Phase, Step)]) -> Vec<Step> {
    let mut same: HashMap<&str, Vec<Step>> = HashMap::new();
    for (phase, _, step) in steps {
        same.entry(&phase.name).or_default().push(*step);
    }
    let told = steps.iter().map(|(phase, _, step)| {
        let all = &same[phase.name.as_str()];
        let differ = |of: fn(&Step) -> Option<u64>| {
            let first = all.first().and_then(of);
            let several = all.iter().any(|step| of(step) != first);
            of(step).filter(|_| several)
        };
        Step {
            workers: differ(|step| step.workers),
            targets: differ(|step| step.targets),
            depth: differ(|step| step.depth),
        }
    });
    told.collect()
}

impl Reader<'_> {
    /// An instant; the first one is the start.
    fn stamp(&mut self, text: &str) {
        if self.draft.started_ns.is_none() {
            self.draft.started_ns = instant::of_iometer(text);
            self.has_zone |= self.draft.started_ns.is_some();
        }
    }

    fn wrong(&self, line: CsvLine<'_>, message: &str) -> Wrong {
        place::line_of(self.file, line.at, message, REMEDY)
    }

    /// Makes a phase of the block that is open, if one is.
    fn close(&mut self) -> Result<(), Wrong> {
        let Some(block) = self.block.take() else {
            return Ok(());
        };
        let mut rows = Vec::new();
        for line in &block.rows {
            rows.push(Row::of(&block.columns, *line));
        }
        let Some(first) = rows.first() else {
            return Ok(());
        };
        let spec_name = first.text("Access Specification Name").to_owned();
        let mut phase = PhaseResult::empty(&spec_name);
        let mut jobs: Vec<(JobResult, Job)> = Vec::new();
        // A table may be asked to leave kinds of rows out.
        let kinds = ["WORKER", "MANAGER", "ALL"];
        let kind = kinds
            .into_iter()
            .find(|kind| rows.iter().any(|row| row.kind() == *kind));
        for (index, row) in rows.iter().enumerate() {
            match row.kind() {
                "MANAGER" if self.draft.host_name.is_empty() => {
                    row.text("Target Name")
                        .clone_into(&mut self.draft.host_name);
                }
                "PROCESSOR" => phase.process.processors.extend(processor(row)),
                _ => {}
            }
            if Some(row.kind()) == kind {
                let disks = rows[index + 1..].iter();
                let disks = disks.take_while(|row| row.kind() == "DISK");
                let disks: Vec<&Row<'_>> = disks.collect();
                let ticks = rows.iter().find_map(Row::ticks);
                jobs.push(self.job(row, &disks, ticks, &spec_name)?);
            }
        }
        if jobs.is_empty() {
            let line = block.rows[0];
            return Err(self.wrong(line, "this block has no row of a worker, a manager or all"));
        }
        phase.measured_ns = jobs.iter().map(|(job, _)| job.active_ns).max().unwrap_or(0);
        let (results, specs) = jobs.into_iter().unzip();
        phase.jobs = results;
        let spec = Phase {
            duration: Some(fathom_core::Nanos(phase.measured_ns)),
            ..fathom_tools::plain_job::phase(spec_name, specs)
        };
        let depths = spec.jobs.iter().map(|job| u64::from(job.queue_depth));
        let targets = spec.jobs.iter().map(|job| job.targets.len() as u64);
        let step = Step {
            workers: Some(spec.jobs.len() as u64),
            targets: targets.max(),
            depth: depths.max(),
        };
        self.steps.push((phase, spec, step));
        Ok(())
    }

    /// What one row has done.
    fn job(
        &mut self,
        row: &Row<'_>,
        disks: &[&Row<'_>],
        ticks: Option<f64>,
        spec: &str,
    ) -> Result<(JobResult, Job), Wrong> {
        let number = |row: &Row<'_>, name: &str| {
            row.number(name)
                .ok_or_else(|| self.wrong(row.line, &format!("`{name}` has no number in this row")))
        };
        let [read, write] = row::operations(row, &number)?;
        let name = match row.text("Target Name") {
            "" => row.kind(),
            name => name,
        };
        let mut job = self.specs.job(name, spec);
        job.targets = disks
            .iter()
            .map(|disk| disk.text("Target Name").to_owned())
            .collect();
        let workers = row.number("# Workers").filter(|workers| *workers >= 1.0);
        job.threads = workers.map_or(1, |workers| workers as u32);
        match row.number("Queue Depth").filter(|depth| *depth >= 1.0) {
            Some(depth) => job.queue_depth = depth as u32,
            None => self.draft.unknown([ResultField::QueueDepth]),
        }
        if job.kinds.is_empty() {
            self.draft.unknown([ResultField::Workload]);
        }
        let mut result = draft::job(&job);
        result.active_ns = row::active_ns(row, ticks, [&read, &write]);
        result.completed = read.ios.saturating_add(write.ios);
        result.failed = read.errors.saturating_add(write.errors);
        for (op, done) in row::OPS.into_iter().zip([read, write]) {
            result.ops[op] = (done.ios > 0 || done.errors > 0).then_some(done);
        }
        Ok((result, job))
    }

    fn finish(mut self) -> Result<Import, Wrong> {
        let mut notes = Vec::new();
        if self.has_zone {
            notes.push("its times have no zone, and are taken for UTC".to_owned());
        }
        let told = told_apart(&self.steps);
        for ((mut phase, spec, _), step) in self.steps.into_iter().zip(told) {
            phase.name += &step.suffix();
            self.draft.phase(phase, spec);
        }
        let result = self
            .draft
            .finish([self.file.name, self.file.text].into_iter());
        if result.phases.is_empty() {
            let message = "there is no block of results in it";
            return Err(place::line_of(self.file, 0, message, REMEDY));
        }
        Ok(Import { result, notes })
    }
}

/// The shares of a processor; none where its name has no number.
fn processor(row: &Row<'_>) -> Option<ProcessorUse> {
    let name = row.text("Target Name");
    let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    let number: u32 = digits.parse().ok()?;
    let share = |name: &str| row.number(name).unwrap_or_default();
    let (user, kernel) = (share("% User Time"), share("% Privileged Time"));
    Some(ProcessorUse {
        number,
        core: number,
        user_percent: user,
        kernel_percent: kernel,
        idle_percent: (100.0 - user - kernel).max(0.0),
        ..ProcessorUse::default()
    })
}
