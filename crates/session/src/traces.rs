//! Reads the traces that jobs replay.

use fathom_core::spec::validate::{Violation, validate};
use fathom_core::spec::{Replay, Workload};
use fathom_core::trace::Trace;
use fathom_device::input;
use fathom_programs::read_trace;
use fathom_tools::Diagnostic;
use std::io;
use std::sync::Arc;

/// The traces that jobs replay, prepared, by what the jobs say of them.
pub(crate) type Traces = Vec<(Replay, Arc<Trace>)>;

/// Keys that say how what is written is checked.
const CHECKS: [&str; 5] = [
    ".fill",
    ".verify",
    ".verify_as",
    ".verify_interval",
    ".verify_offset",
];

/// Why a trace cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file cannot be read.
    #[error("cannot read the trace {path}")]
    Read {
        path: String,
        /// What the system said.
        cause: io::Error,
    },
    /// It is no trace.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Text(Vec<Diagnostic>),
    /// What it writes cannot be checked as its job asks for.
    #[error("{}", .0.message)]
    Unchecked(Violation),
    /// All its operations are left out.
    #[error("the trace {path} contains no usable request")]
    Empty { path: String },
}

impl TraceError {
    /// What lies behind it, when the message does not say.
    pub fn because(&self) -> Option<String> {
        match self {
            Self::Read { cause, .. } => Some(cause.to_string()),
            Self::Empty { .. } => Some("all its operations are excluded".to_owned()),
            Self::Unchecked(found) => Some(format!("the trace does not fit `{}`", found.path)),
            Self::Text(_) => None,
        }
    }

    /// What to try.
    pub fn remedy(&self) -> Option<&str> {
        match self {
            Self::Unchecked(found) => Some(&found.remedy),
            Self::Read { .. } => Some("the path of an I/O log of fio, or of a trace of blktrace"),
            Self::Empty { .. } => Some("exclude less in `without`"),
            Self::Text(_) => None,
        }
    }
}

/// Reads every trace of a workload once for each way in which it is replayed, and fills in what
/// it says of its jobs.
pub(crate) fn load(workload: &mut Workload) -> Result<Traces, TraceError> {
    let mut traces: Traces = Vec::new();
    for job in workload.phases.iter_mut().flat_map(|phase| &mut phase.jobs) {
        let Some(replay) = &job.replay else { continue };
        let known = traces.iter().find(|(other, _)| other == replay);
        let trace = if let Some((_, trace)) = known {
            Arc::clone(trace)
        } else {
            let trace = Arc::new(read(replay)?);
            traces.push((replay.clone(), Arc::clone(&trace)));
            trace
        };
        job.kinds = trace.kinds();
        if job.kinds.is_empty() {
            return Err(TraceError::Empty {
                path: replay.trace.clone(),
            });
        }
    }
    // What a specification says of the requests was checked before; this is what they are.
    let of_checks = |found: &Violation| CHECKS.iter().any(|key| found.path.ends_with(key));
    match validate(workload).into_iter().find(of_checks) {
        Some(found) if !traces.is_empty() => Err(TraceError::Unchecked(found)),
        _ => Ok(traces),
    }
}

fn read(replay: &Replay) -> Result<Trace, TraceError> {
    let path = &replay.trace;
    let bytes = input::read(path).map_err(|cause| TraceError::Read {
        path: path.clone(),
        cause,
    })?;
    let trace = read_trace(&bytes, path).map_err(TraceError::Text)?;
    Ok(trace.prepared(replay))
}
