//! The normal output of fio 2.x and 3.x.

use super::ReaderMatch;
use super::fio_options::pattern;
use super::fio_progress::Progress;
use crate::evidence::{Direction, Disk, Evidence, Latency, Load, Side};
use crate::number::{after, between, lead, plain, si, size_with, time_unit};
use crate::paste::Line;
use std::collections::BTreeMap;

/// The heading of a job before it runs: `a: (g=0): rw=randread, bs=…, ioengine=…, iodepth=32`.
fn is_heading(text: &str) -> bool {
    text.contains(": (g=") && text.contains("rw=")
}

/// The start of the numbers of a job or a group of jobs.
fn is_job(text: &str) -> bool {
    text.contains(": (groupid=") && text.contains("jobs=")
}

fn is_version(text: &str) -> bool {
    let rest = text.trim_start().strip_prefix("fio-");
    rest.is_some_and(|rest| rest.starts_with(|sign: char| sign.is_ascii_digit()))
}

/// A line of a latency, with which a part of an output may begin.
fn is_moments(text: &str) -> bool {
    let text = text.trim_start();
    let starts = ["slat (", "clat (", "lat ("];
    starts.iter().any(|start| text.starts_with(start)) && text.contains("min=")
}

/// A line of rates as jobs have them, with which a part of an output may begin.
fn is_rates(text: &str) -> bool {
    let text = text.trim_start();
    let Some((name, rest)) = text.split_once(':') else {
        return false;
    };
    if matches!(name, "READ" | "WRITE") {
        return rest.contains("bw=") || rest.contains("aggrb=");
    }
    let is_side = matches!(name.trim(), "read" | "write" | "trim");
    is_side
        && (rest.contains("IOPS=") || rest.contains("iops="))
        && rest.to_lowercase().contains("bw=")
}

/// A line that says that the page cache was not dropped before the run.
fn keeps_cache(text: &str) -> bool {
    text.trim_start().starts_with("fio: cache invalidation of ") && text.contains(" failed")
}

/// Such a line by itself, which is about the output that was not pasted.
fn kept_cache(line: &Line) -> ReaderMatch {
    let mut evidence = Evidence::new("fio", "fio-text");
    evidence.lines = (line.number, line.number);
    evidence.see("cache_kept", line.number);
    ReaderMatch {
        evidence: vec![evidence],
        used: 1,
    }
}

pub(crate) fn read(lines: &[Line]) -> Option<ReaderMatch> {
    let line = lines.first()?;
    let first = line.text.as_str();
    if keeps_cache(first) {
        return Some(kept_cache(line));
    }
    let is_start = is_heading(first) || is_job(first) || is_version(first);
    if !(is_start || is_rates(first) || is_moments(first)) {
        return None;
    }
    let mut output = Output::default();
    let mut used = 0;
    for (index, line) in lines.iter().enumerate() {
        if index > 0 && output.ends_before(line, lines.get(index + 1)) {
            break;
        }
        output.take(line);
        used = index + 1;
    }
    Some(ReaderMatch {
        evidence: output.finish(),
        used,
    })
}

/// What is read at the moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Nothing,
    Side,
    Percentiles(Kind),
    Groups,
    Disks,
}

/// Which latency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    Submission,
    Completion,
    #[default]
    Total,
    Flush,
}

#[derive(Default)]
struct Output {
    version: String,
    loads: BTreeMap<String, Load>,
    jobs: Vec<Evidence>,
    /// Percentiles by the unit of their heading.
    unit: f64,
    part: Part,
    disks: Vec<Disk>,
    disk_line: usize,
    /// Lines in a row that are none of fio's.
    strange: usize,
    has_groups: bool,
    /// Processes or threads that were started.
    started: Option<f64>,
    /// Size of the file that was made for the only job.
    size: Option<f64>,
    /// The line that says that the page cache was not dropped.
    kept_cache: Option<usize>,
    progress: Progress,
    /// The error that ended a job before it had a result.
    failed: f64,
    /// Rates of groups: the line, the seconds, and the numbers.
    groups: Vec<(usize, Option<f64>, Side)>,
}

impl Output {
    /// Whether the next line belongs to something else.
    fn ends_before(&self, line: &Line, next: Option<&Line>) -> bool {
        let text = line.text.as_str();
        if !self.jobs.is_empty() && self.has_groups && (is_heading(text) || is_version(text)) {
            return true;
        }
        if !self.jobs.is_empty() && is_heading(text) {
            return true;
        }
        // A line at the edge after the last part that is not fio's ends it.
        let is_ours = text.is_empty()
            || text.starts_with(' ')
            || is_job(text)
            || text.starts_with("Run status")
            || text.starts_with("Disk stats")
            || text.starts_with("Jobs:");
        if self.has_groups && !is_ours {
            return true;
        }
        // Sums of another run, where the lines with its command were cut out.
        let is_sum =
            text.trim_start().starts_with("READ:") || text.trim_start().starts_with("WRITE:");
        if is_sum && self.strange > 0 && !self.groups.is_empty() {
            return true;
        }
        let is_call = crate::command::read(std::slice::from_ref(line)).is_some();
        is_call || self.strange > 40 && next.is_some_and(|next| !next.text.starts_with(' '))
    }

    fn take(&mut self, line: &Line) {
        let text = line.text.trim();
        if text.is_empty() {
            return;
        }
        self.strange += 1;
        if is_version(text) {
            text.clone_into(&mut self.version);
        } else if is_heading(text) {
            self.heading(text);
        } else if is_job(text) {
            self.job(line, text);
        } else if text.starts_with("Run status group") {
            self.has_groups = true;
            self.part = Part::Groups;
        } else if text.starts_with("Disk stats") {
            self.has_groups = true;
            self.part = Part::Disks;
            self.disk_line = line.number;
        } else if self.part == Part::Disks {
            if let Some(disk) = disk(text) {
                self.disks.push(disk);
            } else {
                return;
            }
        } else if let Some(rest) = after(text, "Laying out IO file") {
            // `(1 file / 1024MiB)`
            self.size = after(rest, " / ").and_then(|size| size_with(size, true));
        } else if keeps_cache(text) {
            self.kept_cache = Some(line.number);
        } else if text.starts_with("fio: pid=") {
            let code = after(text, "err=").and_then(|rest| plain(rest.split('/').next()?));
            self.failed = self.failed.max(code.unwrap_or(0.0));
        } else if let Some(rest) = text.strip_prefix("Starting ") {
            self.started = lead(rest).map(|(jobs, _)| jobs);
        } else if text.starts_with("Jobs: ") {
            self.progress.take(line.number, text);
        } else if text.starts_with("READ:") || text.starts_with("WRITE:") {
            self.group(line, text);
        } else if self.part == Part::Groups || !self.job_line(line, text) {
            return;
        }
        self.strange = 0;
    }

    /// The sum over the jobs of a group: it counts where no job is shown.
    fn group(&mut self, line: &Line, text: &str) {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let is_old = !rest.contains("iB/s");
        let field = |name: &str| {
            let value = after(rest, name)?.split([',', ' ']).next()?;
            size_with(value, is_old)
        };
        let seconds = after(rest, "run=").or_else(|| after(rest, "maxt="));
        let seconds = seconds.and_then(|rest| lead(rest.split('-').next_back()?));
        self.groups.push((
            line.number,
            seconds.map(|(millis, _)| millis / 1e3),
            Side {
                direction: if name == "READ" {
                    Direction::Read
                } else {
                    Direction::Write
                },
                rate: field(" bw=").or_else(|| field("aggrb=")),
                bytes: field("io="),
                ..Side::default()
            },
        ));
    }

    fn heading(&mut self, text: &str) {
        let Some((name, rest)) = text.split_once(": (g=") else {
            return;
        };
        let mut load = Load::default();
        for field in rest.split(", ") {
            let field = field.rsplit(": ").next().unwrap_or(field);
            let Some((key, value)) = field.split_once('=') else {
                continue;
            };
            match key.trim() {
                "rw" => (load.random, load.read_percent) = pattern(value),
                "bs" => {
                    let value = value.strip_prefix("(R) ").unwrap_or(value);
                    load.block = size_with(value.split(['-', '/']).next().unwrap_or(value), true);
                }
                "ioengine" => value.clone_into(&mut load.engine),
                "iodepth" => load.depth = plain(value),
                _ => {}
            }
        }
        self.loads.insert(name.trim().to_owned(), load);
    }

    fn job(&mut self, line: &Line, text: &str) {
        let name = text.split(": (groupid=").next().unwrap_or_default();
        let mut evidence = self.evidence(name, line.number);
        evidence.load.jobs = after(text, "jobs=")
            .and_then(|rest| plain(rest.split(|sign: char| !sign.is_ascii_digit()).next()?));
        let failed = between(text, "err=", ":").and_then(plain);
        evidence.errors = failed.unwrap_or(0.0);
        self.jobs.push(evidence);
        self.part = Part::Nothing;
    }

    fn evidence(&self, name: &str, line: usize) -> Evidence {
        let mut evidence = Evidence::new("fio", "fio-text");
        name.clone_into(&mut evidence.title);
        evidence.lines = (line, line);
        if let Some(load) = self.loads.get(name) {
            evidence.load = load.clone();
        }
        evidence
    }

    /// A line within a job; false if it is none.
    #[expect(clippy::too_many_lines, reason = "one arm for each line of an output")]
    fn job_line(&mut self, line: &Line, text: &str) -> bool {
        if self.jobs.is_empty() {
            if !is_rates(text) && !is_moments(text) {
                return false;
            }
            let mut evidence = self.evidence("", line.number);
            if is_moments(text) {
                evidence.sides.push(Side {
                    direction: Direction::Both,
                    ..Side::default()
                });
            }
            self.jobs.push(evidence);
        }
        if text.starts_with('|') {
            return self.percentiles(text);
        }
        let version = self.version.clone();
        let (part, unit) = (&mut self.part, &mut self.unit);
        let job = self.jobs.last_mut().expect("there is one");
        job.lines.1 = line.number;
        let Some((key, rest)) = text.split_once([':', '=']) else {
            return false;
        };
        if is_rates(text) {
            let side = side(key.trim(), rest, &version);
            if let Some(bytes) = side.1 {
                job.runtime_s = Some(job.runtime_s.unwrap_or(0.0).max(bytes));
            }
            job.sides.push(side.0);
            job.see("rate", line.number);
            let has_bytes = after(rest, "bw=").and_then(lead);
            if has_bytes.is_some_and(|(_, unit)| unit.trim_start().starts_with("B/s")) {
                job.facts.push("fio-bytes");
            }
            *part = Part::Side;
            return true;
        }
        let key = key.trim();
        let kind = match key.split([' ', '(']).next().unwrap_or_default() {
            "slat" => Some(Kind::Submission),
            "clat" => Some(Kind::Completion),
            "lat" => Some(Kind::Total),
            "sync" => Some(Kind::Flush),
            _ => None,
        };
        if let Some(kind) = kind {
            let factor = between(text, "(", ")").and_then(time_unit).unwrap_or(1e3);
            if text.contains("percentiles") {
                *part = Part::Percentiles(kind);
                *unit = factor;
                return true;
            }
            // `lat (usec) : 250=1.05%` is a histogram.
            if text.contains("min=") {
                let latency = moments(rest, factor);
                job.see(
                    if kind == Kind::Flush {
                        "flush"
                    } else {
                        "latency"
                    },
                    line.number,
                );
                store(job, kind, latency);
            }
            return true;
        }
        match key.split([' ', '(']).next().unwrap_or_default() {
            "cpu" => {
                let share =
                    |name| after(text, name).and_then(|rest| plain(rest.split('%').next()?));
                job.cpu = share("usr=").zip(share("sys="));
                job.switches = after(text, "ctx=").and_then(|rest| plain(rest.split(',').next()?));
                job.see("cpu", line.number);
            }
            "IO" if key == "IO depths" => {
                job.depths = levels(&text[text.find(':').unwrap_or(0) + 1..]);
                job.see("depths", line.number);
            }
            "issued" => issued(job, text),
            "iops" | "bw" => {
                let moments = moments(rest, 1.0);
                let all = (moments.min, moments.max, moments.mean, moments.deviation);
                if let ((Some(min), Some(max), Some(mean), Some(deviation)), Some(side)) =
                    (all, job.sides.last_mut())
                {
                    side.samples = Some([min, max, mean, deviation]);
                }
            }
            "submit" | "complete" | "latency" | "fsync/fdatasync/sync_file_range" => {}
            _ => return false,
        }
        true
    }

    fn percentiles(&mut self, text: &str) -> bool {
        let (Part::Percentiles(kind), Some(job)) = (self.part, self.jobs.last_mut()) else {
            return false;
        };
        let unit = self.unit;
        let latency = match kind {
            Kind::Flush => job.flush.get_or_insert_default(),
            Kind::Submission => return true,
            Kind::Completion | Kind::Total => {
                let Some(side) = job.sides.last_mut() else {
                    return true;
                };
                side.latency.get_or_insert_default()
            }
        };
        for cell in text.trim_start_matches('|').split(',') {
            let Some((at, time)) = cell.split_once("th=[") else {
                continue;
            };
            let time = plain(time.trim_end_matches([']', ' ']));
            if let Some((at, time)) = plain(at).zip(time) {
                latency.percentiles.push((at, time * unit));
            }
        }
        true
    }

    /// The only job of an output that ends before its numbers: the rates while it ran.
    fn unfinished(&self) -> Option<Evidence> {
        let (name, load) = self.loads.first_key_value()?;
        let mut evidence = self.evidence(name, self.progress.lines.0);
        evidence.lines.1 = self.progress.lines.1;
        evidence.load = load.clone();
        evidence.load.jobs = self.started;
        evidence.series = self.progress.series();
        evidence.is_cut = true;
        for (index, (rate, iops)) in self.progress.last.into_iter().enumerate() {
            if rate.is_some() || iops.is_some() {
                evidence.sides.push(Side {
                    direction: [Direction::Read, Direction::Write][index],
                    rate,
                    iops,
                    ..Side::default()
                });
            }
        }
        evidence.see("series", evidence.lines.0);
        evidence.is_measured().then_some(evidence)
    }

    fn finish(mut self) -> Vec<Evidence> {
        let version = self.version.clone();
        let disks = std::mem::take(&mut self.disks);
        let disk_line = self.disk_line;
        for job in &mut self.jobs {
            version
                .trim_start_matches("fio-")
                .clone_into(&mut job.version);
            // Counters are of the whole run: where several jobs ran, they are of none of them.
            job.disks.clone_from(&disks);
            if disk_line > 0 {
                job.see("disks", disk_line);
            }
            job.is_cut = job.sides.is_empty();
        }
        if self.jobs.len() > 1 {
            for job in &mut self.jobs {
                job.disks.clear();
            }
        }
        if self.jobs.iter().all(|job| job.sides.is_empty()) && !self.groups.is_empty() {
            let name = self.loads.keys().next().cloned().unwrap_or_default();
            let mut evidence = self.evidence(&name, self.groups[0].0);
            version
                .trim_start_matches("fio-")
                .clone_into(&mut evidence.version);
            for (line, seconds, side) in std::mem::take(&mut self.groups) {
                evidence.lines.1 = line;
                evidence.runtime_s = seconds.or(evidence.runtime_s);
                evidence.sides.push(side);
            }
            evidence.facts.push("fio-both-units");
            self.jobs = vec![evidence];
        }
        if self.jobs.is_empty() && self.loads.len() == 1 {
            self.jobs.extend(self.unfinished());
        }
        for job in &mut self.jobs {
            // Where each request was alone, the depth was one.
            let alone = job
                .depths
                .first()
                .is_some_and(|(at, share)| *at <= 1.0 && *share >= 99.0);
            if alone && job.load.depth.is_none() {
                job.load.depth = Some(1.0);
            }
        }
        if self.jobs.is_empty() {
            for (name, load) in std::mem::take(&mut self.loads) {
                let mut evidence = self.evidence(&name, 1);
                evidence.load = load;
                evidence.is_cut = true;
                evidence.errors = self.failed;
                self.jobs.push(evidence);
            }
        }
        if let [job] = self.jobs.as_mut_slice() {
            job.load.size = job.load.size.or(self.size);
        }
        for (job, line) in self.jobs.iter_mut().zip(self.kept_cache.iter().cycle()) {
            job.see("cache_kept", *line);
        }
        self.jobs
    }
}

/// Keeps the total latency if there is one, and the one from submission else; percentiles are of
/// whichever fio lists.
fn store(job: &mut Evidence, kind: Kind, latency: Latency) {
    if kind == Kind::Flush {
        job.flush = Some(latency);
        return;
    }
    let Some(side) = job.sides.last_mut() else {
        return;
    };
    match kind {
        Kind::Submission => side.submission = Some(latency),
        Kind::Completion if side.latency.is_none() => side.latency = Some(latency),
        _ => {
            let known = side.latency.get_or_insert_default();
            let percentiles = std::mem::take(&mut known.percentiles);
            *known = latency;
            known.percentiles = percentiles;
        }
    }
}

/// `min=2, max=1234, avg= 5.00, stdev= 3.00`, in nanoseconds.
fn moments(text: &str, factor: f64) -> Latency {
    let value = |name: &str| {
        let rest = after(text, name)?;
        Some(si(rest.split(',').next()?)? * factor)
    };
    Latency {
        min: value("min="),
        max: value("max="),
        mean: value("avg="),
        deviation: value("stdev="),
        ..Latency::default()
    }
}

/// A line of rates, and its seconds.
fn side(name: &str, rest: &str, version: &str) -> (Side, Option<f64>) {
    let direction = if name == "read" {
        Direction::Read
    } else {
        Direction::Write
    };
    let field = |name: &str| {
        let lower = rest.to_ascii_lowercase();
        let at = lower.find(name)? + name.len();
        rest.get(at..).map(|rest| {
            rest.split([',', '(', ')', ';'])
                .next()
                .unwrap_or(rest)
                .to_owned()
        })
    };
    // Up to 2.x a KB has 1,024 bytes.
    let is_old =
        version.starts_with("fio-2") || version.starts_with("fio-1") || rest.contains("io=");
    let mut side = Side {
        direction,
        iops: field("iops=").and_then(|text| si(&text)),
        rate: field("bw=").and_then(|text| size_with(&text, is_old)),
        bytes: field("io=").and_then(|text| size_with(&text, is_old)),
        ..Side::default()
    };
    let mut seconds = field("runt=").and_then(|text| millis(&text));
    // `(2893MiB/60001msec)`
    for part in rest.split('(').skip(1) {
        let inner = part.split(')').next().unwrap_or(part);
        if let Some((bytes, time)) = inner.split_once('/')
            && time.ends_with("msec")
        {
            side.bytes = size_with(bytes, is_old);
            seconds = millis(time);
        }
    }
    (side, seconds)
}

fn millis(text: &str) -> Option<f64> {
    Some(plain(text.trim().strip_suffix("msec")?)? / 1e3)
}

/// `1=0.1%, 2=0.1%, …, >=64=0.0%`
fn levels(text: &str) -> Vec<(f64, f64)> {
    let cells = text.split(',').filter_map(|cell| {
        let (depth, share) = cell.trim().rsplit_once('=')?;
        Some((
            plain(depth.trim_start_matches(">="))?,
            plain(share.trim_end_matches('%'))?,
        ))
    });
    cells.collect()
}

/// `issued rwts: total=57692,57472,0,0 short=…`, or `total=r=57692/w=57472/d=0, short=…`.
fn issued(job: &mut Evidence, text: &str) {
    let Some(total) = after(text, "total=") else {
        return;
    };
    let total = total.split(" short").next().unwrap_or(total);
    let counts: Vec<f64> = total
        .split([',', '/'])
        .filter_map(|cell| plain(cell.rsplit('=').next()?))
        .collect();
    for side in &mut job.sides {
        let index = usize::from(side.direction == Direction::Write);
        side.requests = counts.get(index).copied();
        if let Some(latency) = &mut side.latency {
            latency.samples = side.requests;
        }
    }
}

/// `vda: ios=51218/54774, merge=0/0, ticks=4022/3901, in_queue=8022, util=76.83%`
fn disk(text: &str) -> Option<Disk> {
    let (name, rest) = text.split_once(": ios=")?;
    let pair = |text: &str| {
        let mut counts = text.split(',').next()?.split('/').map(plain);
        Some((counts.next()??, counts.next()??))
    };
    Some(Disk {
        name: name.trim().to_owned(),
        requests: pair(rest)?,
        merged: after(rest, "merge=").and_then(pair).unwrap_or_default(),
        util: after(rest, "util=").and_then(|rest| plain(rest.split('%').next()?)),
        is_stacked: rest.contains("aggrios="),
    })
}
