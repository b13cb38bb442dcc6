//! Which logs of requests a run writes, and to which files.

use super::formats::{is_log, is_trace};
use super::job::Built;
use super::log_lines::{FioLogForm, FioLogWriter, FioMeasure, FioWindowValue};
use super::phases::Group;
use super::settings::Settings;
use super::source::{Findings, Wrong};
use super::trace_lines::IologWriter;
use fathom_core::Nanos;
use fathom_core::spec::Phase;
use fathom_tools::request_log::RequestLog;
use std::collections::HashSet;
use std::path::Path;

/// What a log tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FioLogKind {
    /// `write_bw_log`.
    Bandwidth,
    /// `write_iops_log`.
    Iops,
    /// `write_lat_log`, the whole time.
    Latency,
    /// `write_lat_log`, from submission to completion.
    Completion,
    /// `write_lat_log`, the time of submission.
    Submission,
    /// `write_hist_log`.
    Histogram,
}

/// A log of one clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FioLog {
    /// What it tells.
    pub kind: FioLogKind,
    /// File.
    pub path: String,
    /// Whether it is one of several in that file, one after another, after the existing content.
    pub together: bool,
    /// Phase of the workload.
    pub phase: String,
    /// Job of that phase.
    pub job: String,
    /// Thread of that job.
    pub thread: u32,
    /// Begin of its measured time, from that of the phase.
    pub begin: Nanos,
    /// Length of a window; zero for a line each request.
    pub window: Nanos,
    /// Which latency of a window is reported.
    pub value: FioWindowValue,
    /// Whether it has lines: there are none of the submission of synchronous engines, and of what
    /// is left out.
    pub has_lines: bool,
    /// Whether there is a column of offsets.
    pub offset: bool,
    /// Whether times count from 1970 on.
    pub epoch: bool,
    /// Whether the priority is written in full.
    pub priority: bool,
    /// Whether there is a column for the instant of issue.
    pub issue: bool,
    /// How often neighbouring buckets of a histogram are joined in pairs.
    pub coarseness: u32,
    /// Block sizes of reads, writes and trims.
    pub block_bytes: [u64; 3],
}

impl FioLog {
    /// The log as it is written in this directory; of a host of this name among many, in a file of
    /// its own.
    pub(super) fn request_log(&self, directory: &Path, host: Option<&str>) -> RequestLog {
        let of_host = host.map(|host| format!("{}.{host}", self.path));
        RequestLog {
            thing: "log",
            path: directory.join(of_host.as_ref().unwrap_or(&self.path)),
            together: self.together,
            phase: self.phase.clone(),
            jobs: vec![self.job.clone()],
            thread: Some(self.thread),
            begin: self.begin,
            is_whole: false,
            is_own: is_log,
            writer: Box::new(FioLogWriter::new(self.form())),
        }
    }

    /// How its lines are written.
    fn form(&self) -> FioLogForm {
        FioLogForm {
            epoch: self.epoch,
            measure: match self.kind {
                _ if !self.has_lines => FioMeasure::Nothing,
                FioLogKind::Bandwidth => FioMeasure::Bandwidth,
                FioLogKind::Iops => FioMeasure::Iops,
                FioLogKind::Latency => FioMeasure::Total,
                FioLogKind::Completion => FioMeasure::Latency,
                FioLogKind::Submission => FioMeasure::Submission,
                FioLogKind::Histogram => FioMeasure::Histogram {
                    coarseness: self.coarseness,
                },
            },
            window: self.window,
            value: self.value,
            offset: self.offset,
            priority: self.priority,
            issue: self.issue,
            block_bytes: self.block_bytes,
        }
    }
}

/// A trace of a job's requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FioRecording {
    /// File.
    pub path: String,
    /// Phase of the workload.
    pub phase: String,
    /// Jobs of that phase: the clones of one section.
    pub jobs: Vec<String>,
    /// Whether their flushes leave out metadata.
    pub data_only: bool,
}

impl FioRecording {
    /// The trace as it is written.
    pub(super) fn request_log(&self) -> RequestLog {
        RequestLog {
            thing: "trace",
            path: self.path.clone().into(),
            together: false,
            phase: self.phase.clone(),
            jobs: self.jobs.clone(),
            thread: None,
            begin: Nanos::ZERO,
            is_whole: true,
            is_own: is_trace,
            writer: Box::new(IologWriter::new(self.data_only)),
        }
    }
}

/// The logs of all sections; fio numbers the clones of all of them.
pub(super) fn logs(groups: &[Group], phases: &[Phase]) -> Vec<FioLog> {
    let mut logs = Vec::new();
    let mut number = 0;
    for (group, phase) in groups.iter().zip(phases) {
        let mut names = phase.jobs.iter().map(|job| job.name.as_str());
        for built in group {
            let members: Vec<&str> = names.by_ref().take(built.jobs.len()).collect();
            for clone in 0..built.settings.clones as u32 {
                number += 1;
                let clones = members.chunks(built.parts);
                let (jobs, thread) = match clones.len() {
                    0 => continue,
                    1 => (members.as_slice(), clone),
                    many => {
                        let from = clone as usize % many * built.parts;
                        (&members[from..from + built.parts], 0)
                    }
                };
                let delay = built.jobs.first().map_or(Nanos::ZERO, |job| job.delay);
                for job in jobs {
                    let of = LogsOf {
                        built,
                        number,
                        phase: &phase.name,
                        job,
                        thread,
                        begin: delay.max(phase.warm_up),
                    };
                    of.add(&mut logs);
                }
            }
        }
    }
    logs
}

/// The traces of all sections, each in a file of its own.
pub(super) fn recordings(
    groups: &[Group],
    phases: &[Phase],
    findings: &mut Findings,
) -> Vec<FioRecording> {
    let mut all: Vec<FioRecording> = Vec::new();
    let mut paths = HashSet::new();
    for (group, phase) in groups.iter().zip(phases) {
        let mut names = phase.jobs.iter().map(|job| job.name.clone());
        for built in group {
            let jobs: Vec<String> = names.by_ref().take(built.jobs.len()).collect();
            let Some(path) = built.settings.logs.trace.clone() else {
                continue;
            };
            if !paths.insert(path.clone())
                && let Some(word) = built.settings.word("write_iolog")
            {
                let message = format!("two jobs record their requests in `{path}`");
                findings.error(&word.place, Wrong::new(message, "a file for each job"));
            }
            let mut sync = built.jobs.iter().filter_map(|job| job.durability.sync);
            all.push(FioRecording {
                path,
                phase: phase.name.clone(),
                jobs,
                data_only: sync.next().is_some_and(|sync| sync.data_only),
            });
        }
    }
    all
}

struct LogsOf<'a> {
    built: &'a Built,
    number: u32,
    phase: &'a str,
    job: &'a str,
    thread: u32,
    begin: Nanos,
}

impl LogsOf<'_> {
    fn add(&self, logs: &mut Vec<FioLog>) {
        let wanted = &self.settings().logs;
        let kinds = [
            (FioLogKind::Bandwidth, "bw", &wanted.bandwidth),
            (FioLogKind::Latency, "lat", &wanted.latency),
            (FioLogKind::Submission, "slat", &wanted.latency),
            (FioLogKind::Completion, "clat", &wanted.latency),
            (FioLogKind::Iops, "iops", &wanted.iops),
            (FioLogKind::Histogram, "clat_hist", &wanted.histogram),
        ];
        let untold = self.settings().wanted.untold;
        for (kind, word, prefix) in kinds {
            // fio makes no file of these times, and empty ones of the others.
            let is_made = match kind {
                FioLogKind::Latency => !untold.total,
                FioLogKind::Submission => !untold.submission,
                FioLogKind::Completion => !untold.completion,
                _ => true,
            };
            if let Some(prefix) = prefix.as_ref().filter(|_| is_made) {
                logs.push(self.log(kind, self.path(prefix, word)));
            }
        }
    }

    fn settings(&self) -> &Settings {
        &self.built.settings
    }

    fn path(&self, prefix: &str, word: &str) -> String {
        let prefix = match prefix.trim() {
            "" => self.built.name.as_str(),
            given => given,
        };
        if self.settings().logs.together {
            format!("{prefix}_{word}.log")
        } else {
            format!("{prefix}_{word}.{}.log", self.number)
        }
    }

    fn log(&self, kind: FioLogKind, path: String) -> FioLog {
        let wanted = &self.settings().logs;
        let untold = self.settings().wanted.untold;
        FioLog {
            kind,
            path,
            together: wanted.together,
            phase: self.phase.to_owned(),
            job: self.job.to_owned(),
            thread: self.thread,
            begin: self.begin,
            window: match kind {
                FioLogKind::Histogram => wanted.histogram_window,
                FioLogKind::Bandwidth => wanted.of_rates(wanted.bandwidth_window),
                FioLogKind::Iops => wanted.of_rates(wanted.iops_window),
                _ => wanted.window,
            },
            value: wanted.value,
            has_lines: match kind {
                FioLogKind::Submission => !self.settings().submits_at_once(),
                FioLogKind::Bandwidth => !untold.bandwidth,
                FioLogKind::Iops => !untold.iops,
                FioLogKind::Histogram => !untold.completion,
                FioLogKind::Latency | FioLogKind::Completion => true,
            },
            offset: wanted.offset,
            epoch: wanted.epoch,
            priority: wanted.priority,
            issue: wanted.issue,
            coarseness: wanted.coarseness,
            block_bytes: self.settings().block,
        }
    }
}
