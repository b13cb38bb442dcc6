//! DISKSPD's XML results.
//!
//! Counts and bytes are the sums over all threads and targets; latencies and percentiles those
//! of `Latency`, which is over all of them too; the time series is that of `Iops`.

mod series;

use super::load;
use super::threads::Threads;
use crate::input::profile_of_result;
use crate::processor_group::GROUP;
use crate::profile::{Profile, TimeSpan};
use crate::xml::Element;
use fathom_core::Op;
use fathom_core::result::{
    OpResult, PhaseResult, ProcessorUse, ResultField, WorkerOp, WorkerResult,
};
use fathom_core::summary::{LatencySummary, Spread};
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::results::draft::{self, Draft};
use fathom_tools::results::format::{Import, ResultFile};
use fathom_tools::results::place::Wrong;
use fathom_tools::results::{instant, place};
use std::str::FromStr;

const FORMAT: &str = "diskspd-xml";
const REMEDY: &str = "the whole output of diskspd -Rxml";
const MILLISECOND: u64 = 1_000_000;
const OPS: [Op; 2] = [Op::Read, Op::Write];
const BYTE_ORDER_MARK: char = '\u{feff}';

/// How sure it is that a text is such a result.
pub(crate) fn detect(_file: &str, text: &str) -> u8 {
    let text = text.trim_start_matches(BYTE_ORDER_MARK).trim_start();
    let is_root = text.starts_with("<Results") || text.starts_with("<?xml");
    if is_root && text.contains("<Results") {
        95
    } else {
        0
    }
}

/// Reads the result in each file.
pub(crate) fn parse(files: &[ResultFile<'_>]) -> Result<Vec<Import>, Vec<Diagnostic>> {
    super::each(files, documents, import)
}

/// The documents of a file that they were appended to, each with the lines before it.
fn documents(text: &str) -> Vec<(usize, &str)> {
    const END: &str = "</Results>";
    let mut documents = Vec::new();
    let (mut rest, mut skipped) = (text, 0);
    while let Some(at) = rest.find(END) {
        let (document, more) = rest.split_at(at + END.len());
        documents.push((skipped, document));
        skipped += document.matches('\n').count();
        rest = more;
    }
    // What is left is the end of a line, or a document that was cut off.
    if documents.is_empty() || !rest.trim().is_empty() {
        documents.push((skipped, rest));
    }
    documents
}

/// The text of a result, for errors at its elements.
struct Reader<'a> {
    file: ResultFile<'a>,
}

fn import(file: &ResultFile<'_>) -> Result<Import, Wrong> {
    let text = file.text.trim_start_matches(BYTE_ORDER_MARK);
    let reader = Reader {
        file: ResultFile { text, ..*file },
    };
    let root = Element::parse(text)
        .map_err(|found| place::line_of(&reader.file, found.at, &found.message, REMEDY))?;
    if root.name != "Results" {
        return Err(reader.error(&root, format!("`<{}>` is no result", root.name)));
    }
    let mut notes = Vec::new();
    let profile = profile_of_result(text, file.name);
    if profile.is_none() {
        notes.push("its profile cannot be read, so the load is not known".to_owned());
    }
    let system = root.find("System");
    let version = system
        .and_then(|system| system.find("Tool"))
        .and_then(|tool| tool.find("Version"))
        .map_or("", |version| version.text.as_str());
    let tool = match version {
        "" => "DISKSPD".to_owned(),
        number if number.starts_with(|c: char| c.is_ascii_digit()) => format!("DISKSPD {number}"),
        words => words.to_owned(),
    };
    let mut draft = Draft::new(tool, FORMAT, file.name);
    draft.unknown([
        ResultField::Process,
        ResultField::StartNs,
        ResultField::TargetsKind,
        ResultField::Failed,
        ResultField::Short,
        ResultField::Workers,
    ]);
    let word = |name: &str| {
        system
            .and_then(|system| system.find(name))
            .map(|e| e.text.as_str())
    };
    word("ComputerName")
        .unwrap_or_default()
        .clone_into(&mut draft.host_name);
    draft.started_ns = word("RunTime").and_then(instant::of_diskspd);
    let spans = root
        .children
        .iter()
        .filter(|child| child.name == "TimeSpan");
    for (index, element) in spans.enumerate() {
        if let Some(error) = element.find("Error") {
            notes.push(format!("time span {}: {}", index + 1, error.text));
            continue;
        }
        let asked = profile
            .as_ref()
            .and_then(|profile: &Profile| profile.spans.get(index));
        let spec = load::phase(index + 1, asked, &mut draft);
        let mut phase = PhaseResult::empty(&spec.name);
        phase.warm_up_ns = spec.warm_up.0;
        phase.cool_down_ns = spec.cool_down.0;
        phase.jobs = vec![draft::job(&spec.jobs[0])];
        reader.span(element, asked, &mut phase, &mut draft)?;
        draft.phase(phase, spec);
    }
    if let Some(bucket) = profile
        .as_ref()
        .and_then(|p| p.spans.first()?.iops_bucket_ms)
    {
        draft.interval = fathom_core::Nanos::from_millis(bucket.into());
    }
    let result = draft.finish([file.name, file.text].into_iter());
    Ok(Import { result, notes })
}

impl Reader<'_> {
    fn error(&self, element: &Element, message: impl Into<String>) -> Wrong {
        place::error(&self.file, element.place.clone(), message, REMEDY)
    }

    /// The number in an element of `parent`, if the element is there.
    fn optional<T: FromStr>(&self, parent: &Element, name: &str) -> Result<Option<T>, Wrong> {
        let Some(element) = parent.find(name) else {
            return Ok(None);
        };
        let number = element.text.parse().map_err(|_| {
            let message = format!("`{}` in `<{name}>` is not a number", element.text);
            self.error(element, message)
        })?;
        Ok(Some(number))
    }

    fn number<T: FromStr>(&self, parent: &Element, name: &str) -> Result<T, Wrong> {
        self.optional(parent, name)?.ok_or_else(|| {
            self.error(
                parent,
                format!("there is no `<{name}>` in `<{}>`", parent.name),
            )
        })
    }

    /// A time in milliseconds as nanoseconds.
    fn time(&self, parent: &Element, name: &str) -> Result<Option<f64>, Wrong> {
        let time = self.optional::<f64>(parent, name)?;
        Ok(time.map(|milliseconds| milliseconds * 1e6))
    }

    fn span(
        &self,
        element: &Element,
        asked: Option<&TimeSpan>,
        phase: &mut PhaseResult,
        draft: &mut Draft,
    ) -> Result<(), Wrong> {
        let seconds: f64 = self.number(element, "TestTimeSeconds")?;
        phase.measured_ns = (seconds * 1e9).round() as u64;
        let mut read = OpResult::default();
        let mut write = OpResult::default();
        let workers = self.workers(element, seconds, draft)?;
        let threads = element
            .children
            .iter()
            .filter(|child| child.name == "Thread");
        for target in threads.flat_map(|thread| &thread.children) {
            if target.name == "Target" {
                for (op, counts) in [
                    (&mut read, ["ReadCount", "ReadBytes"]),
                    (&mut write, ["WriteCount", "WriteBytes"]),
                ] {
                    op.ios = op.ios.saturating_add(self.number(target, counts[0])?);
                    op.bytes = op.bytes.saturating_add(self.number(target, counts[1])?);
                }
            }
        }
        for op in [&mut read, &mut write] {
            if seconds > 0.0 {
                op.iops = op.ios as f64 / seconds;
                op.bytes_per_second = op.bytes as f64 / seconds;
            }
        }
        let mut total = LatencySummary::default();
        if let Some(latency) = element.find("Latency") {
            read.service_ns = self.latency(latency, "Read", read.ios)?;
            write.service_ns = self.latency(latency, "Write", write.ios)?;
            total = self.latency(latency, "Total", read.ios.saturating_add(write.ios))?;
        }
        if let Some(iops) = element.find("Iops") {
            let length_ms = asked.and_then(|asked| asked.iops_bucket_ms);
            self.series(iops, length_ms, [&mut read, &mut write], phase)?;
        }
        if let Some(used) = element.find("CpuUtilization") {
            phase.process.processors = self.processors(used)?;
        }
        let job = &mut phase.jobs[0];
        job.active_ns = phase.measured_ns;
        job.workers = workers;
        job.total_service_ns = (!total.percentiles.is_empty()).then_some(total);
        job.completed = read.ios.saturating_add(write.ios);
        job.ops[Op::Read] = (read.ios > 0).then_some(read);
        job.ops[Op::Write] = (write.ios > 0).then_some(write);
        Ok(())
    }

    /// The threads, each with its targets.
    fn workers(
        &self,
        element: &Element,
        seconds: f64,
        draft: &mut Draft,
    ) -> Result<Vec<WorkerResult>, Wrong> {
        let mut threads = Threads::default();
        let children = element.children.iter();
        for (number, thread) in children.filter(|child| child.name == "Thread").enumerate() {
            let id = self.optional(thread, "Id")?.unwrap_or(number as u32);
            let targets = thread.children.iter();
            for target in targets.filter(|child| child.name == "Target") {
                let path = target.find("Path").map_or("", |path| path.text.as_str());
                if let Some(bytes) = self.optional(target, "FileSize")? {
                    draft.sizes.insert(path.to_owned(), bytes);
                }
                let iops = target.find("Iops");
                let rates = |name: &str, ios: u64| -> Result<Spread, Wrong> {
                    let stddev = iops.map(|iops| self.optional(iops, name)).transpose()?;
                    Ok(Spread {
                        mean: if seconds > 0.0 {
                            ios as f64 / seconds
                        } else {
                            0.0
                        },
                        stddev: stddev.flatten().unwrap_or_default(),
                        ..Spread::default()
                    })
                };
                let share = threads.at(id, path);
                let mut all = 0_u64;
                for (op, side) in [(Op::Read, "Read"), (Op::Write, "Write")] {
                    let ios: u64 = self.number(target, &format!("{side}Count"))?;
                    all = all.saturating_add(ios);
                    let name = format!("Average{side}LatencyMilliseconds");
                    let mean = self.time(target, &name)?;
                    let stddev = self.time(target, &format!("{side}LatencyStdev"))?;
                    let done = WorkerOp {
                        ios,
                        bytes: self.number(target, &format!("{side}Bytes"))?,
                        service_ns: Spread {
                            count: if mean.is_some() { ios } else { 0 },
                            mean: mean.unwrap_or_default(),
                            stddev: stddev.unwrap_or_default(),
                            ..Spread::default()
                        },
                        iops_by_interval: rates(&format!("{side}IopsStdDev"), ios)?,
                    };
                    share.ops[op] = (ios > 0).then_some(done);
                }
                share.iops_by_interval = rates("IopsStdDev", all)?;
            }
        }
        Ok(threads.into_workers())
    }

    fn latency(&self, element: &Element, side: &str, ios: u64) -> Result<LatencySummary, Wrong> {
        let Some(mean) = self.time(element, &format!("Average{side}Milliseconds"))? else {
            return Ok(LatencySummary::default());
        };
        // That of both has no side in its name.
        let side_of_stddev = if side == "Total" { "" } else { side };
        let stddev = self.time(element, &format!("{side_of_stddev}LatencyStdev"))?;
        let mut summary = LatencySummary {
            count: ios,
            mean,
            stddev: stddev.unwrap_or_default(),
            ..LatencySummary::default()
        };
        for bucket in element
            .children
            .iter()
            .filter(|child| child.name == "Bucket")
        {
            let percentile: String = self.number(bucket, "Percentile")?;
            let Some(value) = self.time(bucket, &format!("{side}Milliseconds"))? else {
                continue;
            };
            let value = value.round() as u64;
            match percentile.as_str() {
                "0" => summary.min = value,
                "100" => summary.max = value,
                _ => {
                    summary.percentiles.insert(percentile, value);
                }
            }
        }
        Ok(summary)
    }

    fn attribute<T: FromStr>(&self, element: &Element, name: &str) -> Result<T, Wrong> {
        let value = element.value(name).unwrap_or_default();
        value
            .parse()
            .map_err(|_| self.error(element, format!("`{value}` is not a number for `{name}`")))
    }

    fn processors(&self, element: &Element) -> Result<Vec<ProcessorUse>, Wrong> {
        let mut processors = Vec::new();
        for cpu in element.children.iter().filter(|child| child.name == "CPU") {
            let place = |name: &str| {
                self.optional::<u32>(cpu, name)
                    .map(Option::unwrap_or_default)
            };
            processors.push(ProcessorUse {
                number: place("Group")?
                    .saturating_mul(GROUP)
                    .saturating_add(place("Id")?),
                core: place("Core")?,
                socket: place("Socket")?,
                node: place("Node")?,
                user_percent: self.number(cpu, "UserPercent")?,
                kernel_percent: self.number(cpu, "KernelPercent")?,
                idle_percent: self.number(cpu, "IdlePercent")?,
            });
        }
        Ok(processors)
    }
}
