//! The job that replays a trace.

use super::Maker;
use super::targets::nowhere;
use crate::iolog;
use crate::settings::Replays;
use crate::source::{Findings, Wrong};
use fathom_core::spec::{Access, Cursor, Durability, Job, JobStop, Replay};
use fathom_core::trace::Trace;
use fathom_core::{Bytes, Nanos, Percent};
use fathom_tools::translation::Standing;
use std::path::Path;

/// Options of a pace, of an order and of flushes, which are those of the trace.
const OF_THE_TRACE: [&str; 8] = [
    "rate",
    "rate_iops",
    "thinktime",
    "fsync",
    "fdatasync",
    "openfiles",
    "fill_device",
    "zonemode",
];

/// A replay has no order of its own; it is reported like this.
const IN_ORDER: Access = Access {
    cursor: Cursor::Own {
        stride: Some(Bytes(0)),
    },
    ..Access::PLAIN
};

impl Replays {
    fn of(&self, path: &str) -> Replay {
        Replay {
            speed: (!self.no_stall).then(|| speed(self.time_scale)),
            unordered: self.no_stall,
            shrink: self.scale.max(1),
            ..Replay::all(path)
        }
    }
}

impl Maker<'_> {
    /// The job of a clone that replays; the trace says what it does and to which files.
    pub(super) fn replayed(&self, clone: u64, findings: &mut Findings) -> Option<Job> {
        let settings = self.settings;
        let wanted = &settings.replays;
        let path = wanted
            .traces
            .get(clone as usize % wanted.traces.len().max(1))?;
        let mut replay = wanted.of(path);
        let trace = self.trace(path, findings)?.prepared(&replay);
        if trace
            .requests
            .iter()
            .all(|request| request.at == Nanos::ZERO)
        {
            (replay.speed, replay.unordered) = (None, true);
        }
        let kinds = trace.kinds();
        if kinds.is_empty() {
            let wrong = Wrong::new("the trace has no request", "one that has some");
            self.error(findings, "read_iolog", wrong);
            return None;
        }
        self.note_own(findings);
        let common = self.common(clone, kinds, findings)?;
        let end = trace.end_bytes();
        let targets = self.recorded(&trace, clone, findings)?;
        self.check_there(&targets, end, findings)?;
        let mut job = Job {
            targets,
            // What was written ends where it ends.
            size: Some(Bytes(end.next_multiple_of(4096))),
            access: IN_ORDER,
            replay: Some(replay),
            sync_at_end: settings.syncs_at_end && trace.has(fathom_core::Op::Write),
            durability: Durability {
                direct: settings.is_direct(),
                write_through: settings.job.durability.write_through
                    && trace.has(fathom_core::Op::Write),
                ..settings.job.durability
            },
            stop: JobStop {
                ends_phase: settings.exit_all,
                ..JobStop::default()
            },
            ..common
        };
        job.set_compat(|compat| {
            compat.target_order = None;
            compat.verify_backlog = None;
        });
        Some(job)
    }

    /// Says which options have nothing to say where the trace does.
    fn note_own(&self, findings: &mut Findings) {
        let settings = self.settings;
        let mut note = |names: &[&str], standing, message| {
            for word in names.iter().filter_map(|name| settings.word(name)) {
                findings.note(standing, &word.what(), message);
            }
        };
        if settings.time_based || settings.loops > 1 || settings.requests > 0 {
            note(
                &["time_based", "loops", "number_ios"],
                Standing::Ignored,
                "a trace is replayed once and as a whole, as fio does",
            );
        }
        note(
            &OF_THE_TRACE,
            Standing::Ignored,
            "the trace says when its requests go, where, and when they are flushed",
        );
        if settings.verify_backlog > 0 {
            let message = "what a replay writes is read back after it";
            note(&["verify_backlog"], Standing::Approximated, message);
        }
    }

    fn trace(&self, path: &str, findings: &mut Findings) -> Option<Trace> {
        let Ok(bytes) = self.surroundings.read_bytes(Path::new(path)) else {
            let wrong = Wrong::new(
                format!("cannot read the trace {path}"),
                "a log as --write_iolog=FILE of fio writes it, or a trace of blktrace",
            );
            self.error(findings, "read_iolog", wrong);
            return None;
        };
        match iolog::read(&bytes, path) {
            Ok(trace) => Some(trace),
            Err(wrong) => {
                findings.extend(wrong);
                None
            }
        }
    }

    /// The files of a trace, or the one that takes all requests.
    fn recorded(&self, trace: &Trace, clone: u64, findings: &mut Findings) -> Option<Vec<String>> {
        if let Some(path) = &self.settings.replays.redirect {
            return Some(vec![path.clone()]);
        }
        if let [only] = self.fallback {
            return Some(vec![only.clone()]);
        }
        let files = trace.files.iter().map(|file| {
            if let Some(wrong) = nowhere(file, self.surroundings.drives()) {
                self.error(findings, "read_iolog", wrong);
                return None;
            }
            if !is_device_number(file) {
                return Some(self.placed(file, clone));
            }
            let device = self.device(file);
            if device.is_none() {
                let message = format!("the trace is of the device {file}, which is not here");
                let remedy = "replay_redirect= with another device or a file";
                self.error(findings, "read_iolog", Wrong::new(message, remedy));
            }
            device
        });
        files.collect()
    }

    /// The path of the device with these numbers.
    fn device(&self, numbers: &str) -> Option<String> {
        let path = format!("/sys/dev/block/{numbers}/uevent");
        let Ok(text) = self.surroundings.read(Path::new(&path)) else {
            let is_elsewhere = self.surroundings.is_elsewhere();
            return is_elsewhere.then(|| format!("/dev/block/{numbers}"));
        };
        let name = text
            .lines()
            .find_map(|line| line.strip_prefix("DEVNAME="))?;
        Some(format!("/dev/{name}"))
    }
}

/// Whether a trace names its target by the numbers of a device, as blktrace does.
fn is_device_number(name: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let numbers = name.split_once(':');
    numbers.is_some_and(|(major, minor)| is_number(major) && is_number(minor))
}

fn speed(time_scale: u64) -> Percent {
    if time_scale == 0 {
        Percent::ALL
    } else {
        Percent(time_scale as f64)
    }
}
